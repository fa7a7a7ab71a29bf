import csv  # of viewer.cli.stories
import io
import json

import pytest

from sim import Body, Recording, World, motion
from wingedge import shapes

TEXT = """\
wingedge story 1
bodies ball/table
frames 8
first 0
dt 0.016666666666666666

5 begin ball/table VF v35 f1
6 penetrate ball/table VF v35 f1
"""
DIGEST = "ad9b326342be2f1f"


@pytest.fixture
def golden(tmp_path):
    """The story of the recording, written by hand."""
    path = tmp_path / "golden.story"
    path.write_text(TEXT)
    return path


def test_events_prints_what_the_run_printed_and_nothing_on_stderr_only(
    wingedge, script
):
    told = wingedge("run", script(), "--frames", 8, "--record", "run.vtkhdf").out
    result = wingedge("events", "run.vtkhdf")
    assert (result.code, result.out, result.err) == (0, told, "")
    wingedge("run", script(), "--frames", 2, "--record", "run.vtkhdf")
    result = wingedge("events", "run.vtkhdf")
    assert (result.code, result.out) == (0, "")
    assert result.sentence == "no events in 2 frames"
    result = wingedge("events", "run.vtkhdf", "--pattern", "*.heel/*")
    assert result.sentence == "no events of *.heel/* in 2 frames"


def test_events_prints_the_same_of_a_recording_and_its_story_in_all_forms(
    wingedge, recording, golden
):
    for form in ([], ["--json"], ["--table"], ["--story"]):
        told = wingedge("events", recording, *form)
        assert (told.code, told.err) == (0, "")
        assert told.out == wingedge("events", golden, *form).out != ""
    assert wingedge("events", golden, "--story").out == TEXT.replace(
        "bodies", f"digest {DIGEST}\nbodies"
    )
    line, _ = wingedge("events", golden, "--json").out.splitlines()
    assert json.loads(line)["after_a"] == "v35"
    row, _ = csv.DictReader(io.StringIO(wingedge("events", golden, "--table").out))
    assert (row["frame"], row["kind"], row["after_a"]) == ("5", "begin", "v35")


def test_digest_prints_both_digests_and_says_what_differs(
    wingedge, recording, golden, script
):
    def last(*words):
        result = wingedge("digest", *words)
        assert result.err == ""
        return result.code, result.out.splitlines()[-1]

    with Recording.open(recording) as opened:
        bits = opened.digest
    assert wingedge("digest", recording, golden).out.splitlines() == [
        f"story {DIGEST}  bits {bits}  {recording}",
        f"story {DIGEST}  {golden}",
        "the same",
    ]
    assert last(golden) == (0, f"story {DIGEST}  {golden}")
    source = script().read_text().replace("(0.0, 0.0, 2.0", "(1e-9, 0.0, 2.0")
    wingedge("run", script(source), "--frames", 8, "--record", "other.vtkhdf")
    assert last(recording, "other.vtkhdf") == (1, "the same story, other bits")
    assert last(recording, "other.vtkhdf", "--story") == (0, "the same")
    golden.write_text(TEXT.replace("v35", "v34"))
    assert last(recording, golden) == (1, "the stories differ")


def test_digest_names_every_file_that_cannot_be_read(wingedge, golden, tmp_path):
    (tmp_path / "half.vtkhdf").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0" * 40)
    damaged = TEXT.replace("begin ball/table VF v35 f1", "begin ball/table VF")
    (tmp_path / "text.story").write_text(damaged)
    result = wingedge("digest", "half.vtkhdf", golden, "text.story", "none.story", ".")
    assert result.code == 2
    assert result.out == f"story {DIGEST}  {golden}\n"
    said = result.err.splitlines()
    names = ("half.vtkhdf", "text.story", "none.story", ".")
    for line, name in zip(said, names, strict=True):
        assert line.startswith(f"wingedge digest: {name}")
    assert "text.story, line 7: '5 begin ball/table VF' is no" in said[1]


def test_times_between_frames_are_printed_as_a_test_expects_them(wingedge, script):
    wingedge("run", script(), "--frames", 8, "--record", "run.vtkhdf")
    result = wingedge("events", "run.vtkhdf", "--when")
    begin, penetrate = result.out.splitlines()
    assert begin.startswith("5 begin ball/table VF v35 f1 @0.98")
    assert penetrate.endswith("@0+-0 0.0833333333 s")
    lines = wingedge("events", "run.vtkhdf", "--when", "--json").out.splitlines()
    told = json.loads(lines[0])
    when = [told["when_lower"], told["when_upper"]]
    assert 0 < when[1] - when[0] <= 1e-9
    head, first, *_ = wingedge("events", "run.vtkhdf", "--when", "--table").out.split()
    assert head.endswith(",parents,children,when_lower,when_upper,time")
    assert [float(x) for x in first.split(",")[-3:-1]] == when
    refused = wingedge("events", "run.vtkhdf", "--when", "--story")
    assert (refused.code, "--when" in refused.err) == (2, True)


def test_a_gap_that_was_left_undecided_is_said_in_one_line(wingedge, tmp_path):
    """A box slides level along another, just at the distance of contact."""
    box, other = Body(shapes.box(), name="box"), Body(shapes.box(), name="other")
    way = motion.linear((-360.0, 0.0, 0.0), start=(9.0, 1.0 + 2**-10, 0.0))
    world = World([box, other], motion={"other": way}, contact_distance=2**-10)
    with world.record("run.vtkhdf"):
        list(world.run(6))
    for form in ((), ("--json",), ("--table",)):
        result = wingedge("events", "run.vtkhdf", "--when", *form)
        assert result.code == 0
        assert result.err.count("\n") == 1 + (form == ())  # what @ means
        assert "undecided between frames: 2 box/other @" in result.err
