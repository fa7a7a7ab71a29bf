import json  # of sim.story.story, sim.events.rows
import random
import re
import string
from pathlib import Path

import numpy as np
import pytest

from sim import Event, Frame, Recording, Story, scenes
from sim.events.rows import json_of

TIP = """\
wingedge story 1
digest 7984147075f2951e
bodies block/table
frames 100
first 0
dt 0.016666666666666666

17 begin block/table FF f0 f1
25 change block/table FF f0 f1 -> EF e2(3-1) f1
72 change block/table EF e2(3-1) f1 -> FF f5 f1
87 end block/table FF f5 f1
"""
# every kind of event, a lid, a name with spaces, two pairs, what began before
ALL = """\
wingedge story 1
bodies left jelly/table/soap #2
frames 60
first 40
dt 0.01

40 collapsed left jelly
40 expanded table
40 inverted table
40 convexity_lost table winding 0
41 separate left jelly/table EF e1(0-2) f0
41 change left jelly/table VF v12 f5 -> EE l(3-9) e9(1-4)
41 split left jelly/table #1 -> #1+#4
41 merge left jelly/table #1+#4+#7 -> #1
41 birth left jelly/table #8 VF v12 f5
41 death left jelly/table #9 VF v12 f5
41 begin left jelly/soap #2 FF l(3-9-12) f0
41 penetrate left jelly/soap #2 FF f3 f0
42 upright table
42 convexity_lost table e12(3-9) 0.0123
42 end left jelly/soap #2 VE v4 e11(12-7)
43 convexity_restored table
43 begin left jelly/soap #2 FF f3 f0
99 end left jelly/table VV v0 v1
"""


@pytest.fixture(scope="module")
def tip(tmp_path_factory):
    """The story of a block that is tipped over, told by its frames, and its file."""
    path = tmp_path_factory.mktemp("story") / "tip.vtkhdf"
    world = scenes.load("tip")
    with world.record(path):
        frames = list(world.run(scenes.length("tip")))
    return frames, path


def test_a_run_has_one_text_and_a_story_outlives_its_recording(tip):
    frames, path = tip
    assert str(Story.of(frames)) == TIP
    with Recording.open(path) as recording:
        assert str(recording.story) == TIP
        assert Story.of(recording) is recording.story
        assert recording.story_digest == recording.story.digest == "7984147075f2951e"
    assert Story.of(iter(scenes.load("tip").run(100))) == Story.parse(TIP)
    with Recording.open(path) as recording:
        story = recording.story
    assert [event.state for event in story.events] == [None] * 4
    assert [e.path for e in story.events] == [e.path for f in frames for e in f.events]
    assert len(story.events[1].path) == 2


def test_the_columns_say_what_the_lines_say():
    story = Story.parse(ALL)
    table = story.table()
    (change,) = (row for row in table if row["kind"] == "change" and row["before"])
    assert (change["frame"], change["a"], change["b"]) == (41, "left jelly", "table")
    assert (change["before"], change["after"]) == ("VF", "EE")
    assert change["before_a"] == "v12"
    assert change["after_a"].startswith("l(3-9")
    assert change["after_b"] == "e9(1-4)"
    assert table["depth"][~np.isnan(table["depth"])].tolist() == [0.0, 0.0123]
    (merge,) = (row for row in table if row["kind"] == "merge")
    assert (merge["parents"], merge["children"]) == ("1+4+7", "1")
    assert table["contact"][table["b"] == ""].tolist() == [-1] * sum(table["b"] == "")


def test_a_line_of_json_says_what_its_event_says():
    found = [json.loads(json_of(event)) for event in Story.parse(ALL).events]
    assert [f["line"] for f in found] == list(Story.parse(ALL).lines)
    assert found[5] == {
        "frame": 41,
        "kind": "change",
        "a": "left jelly",
        "b": "table",
        "contact": 0,
        **{"before": "VF", "before_a": "v12", "before_b": "f5"},
        **{"after": "EE", "after_a": "l(3-9)", "after_b": "e9(1-4)"},
        "line": "41 change left jelly/table VF v12 f5 -> EE l(3-9) e9(1-4)",
    }
    assert found[13]["dent"] == "e12(3-9)"
    assert (found[13]["depth"], found[7]["parents"]) == (0.0123, "1+4+7")


def test_a_golden_story_of_0_1_0_is_read_and_written_alike():
    path = Path(__file__).parent / "file" / "run_of_0_1_0.story"
    story = Story.read(path)
    assert str(story) == path.read_text(encoding="utf-8")
    kinds = [event.kind for event in story.events]
    assert kinds == ["begin", "penetrate", "separate", "end"]


def test_numpys_numbers_are_as_good():
    story = Story(["a"], np.int32(3), np.int64(0), np.float64(0.1), [])
    assert str(story).endswith("bodies a\nframes 3\nfirst 0\ndt 0.1\n")
    whole = Story.parse(ALL)
    some = [e for e in whole.events if e.b == "soap #2"]
    story = Story(whole.bodies, whole.frames, whole.first, whole.dt, tuple(some))
    assert [e.contact for e in story.events] == [0, 0, 0, 1]
    assert Story.parse(str(story)) == story


def test_a_story_of_nothing_is_a_head(tmp_path):
    empty = Story.of(())
    assert str(empty).splitlines()[2:] == ["bodies", "frames 0", "first 0", "dt 0.0"]
    assert Story.parse(str(empty)) == empty
    assert (len(empty.table()), "frame" in empty.table()) == (0, True)
    quiet = Story(("a", "b"), 3, 0, 0.5, ())
    assert Story.parse(str(quiet)) == quiet
    assert str(quiet).endswith("dt 0.5\n")


@pytest.mark.parametrize("dt", [1 / 60, 0.01, 1 / 3, 0.1, 1e-3 / 7, 2.0**-20])
@pytest.mark.parametrize("first", [0, 1, 5, 29, 57, 999])
def test_the_time_between_frames_is_read_off_them(dt, first):
    frames = [Frame(k, k * dt, (), (), ()) for k in range(first, first + 12)]
    found = Story.of(frames).dt
    assert all(f.index * found == f.time for f in frames)
    if first <= 1 or dt in (1 / 60, 0.01):
        assert found == dt
    assert Story.of(frames, dt=dt).dt == dt


BY_HAND = TIP.replace("digest 7984147075f2951e\n", "")


def test_a_text_may_be_written_by_hand_or_on_windows_but_not_cut_short():
    for end in range(len(TIP) - 1):
        with pytest.raises(ValueError, match=r"^line \d+: "):
            Story.parse(TIP[:end])
    assert Story.parse(TIP[:-1]) == Story.parse(TIP)  # the digest says it is whole
    assert str(Story.parse(BY_HAND)) == TIP
    for end in range(len(BY_HAND)):
        if BY_HAND[:end].count("\n") < 5 or BY_HAND[end - 1] != "\n":
            with pytest.raises(ValueError, match=r"^line \d+: "):
                Story.parse(BY_HAND[:end])
    for other in (TIP.replace("\n", "\r\n"), BY_HAND):
        assert Story.parse(other) == Story.parse(TIP)


@pytest.mark.parametrize("whole", [TIP, BY_HAND, ALL], ids=["tip", "by hand", "all"])
def test_a_damaged_text_is_refused_in_words_or_printed_back(whole):
    chance = random.Random(7)
    for k in range(400):
        cuts = sorted(chance.randrange(len(whole) + 1) for _ in range(2))
        start, end = whole[: cuts[0]], whole[cuts[1] :]
        noise = "".join(chance.choices(string.printable + "\u00e9\uff17\0", k=3))
        other = "".join(chance.choices(whole.splitlines(keepends=True), k=2))
        text = start + chance.choice(["", noise, other]) + chance.choice([end, whole])
        if k % 2:  # one letter
            text = whole[: cuts[0]] + noise[0] + whole[cuts[0] + k % 4 // 2 :]
        try:
            lines = list(Story.parse(text).lines)
        except ValueError as error:
            said = str(error)
        else:
            said = "line 1: it is read"
            assert lines == text.partition("\n\n")[2].splitlines(), k
        assert re.match(r"line \d+: ", said), (k, text)


def test_a_file_that_is_no_story_is_named(tmp_path):
    path = tmp_path / "tip.story"
    path.write_bytes(TIP.encode().replace(b"25 change", b"25 \xff"))
    with pytest.raises(ValueError, match=r"tip\.story, line 9: is no text in UTF-8"):
        Story.read(path)
    path.write_text(TIP.replace("87 end", "88 end"))
    with pytest.raises(ValueError, match=r"tip\.story, line 2: 'digest"):
        Story.read(path)
    with pytest.raises(FileNotFoundError):
        Story.read(tmp_path / "none.story")


@pytest.mark.parametrize(
    "line",
    [
        "1 split a/b #1 -> " + "+".join(["#1"] * 200_000),
        "1 split a/b #1 -> #" + "1" * 400_000,
        "1 begin a/b FF l(" + "-".join(["1"] * 200_000) + ") f0",
        "1 begin a/b VF v" + "9" * 400_000 + " f0",
        "1" * 400_000 + " begin a/b VF v0 f0",
        "1 begin " + "a/" * 200_000 + "b VV v0 v1",
        "1 begin " + " " * 400_000 + "a/b VV v0 v1",
        "1 convexity_lost " + "a" * 400_000 + " e1(1-2) " + "1" * 400_000,
        "1 change a/b " + "-> " * 200_000,
    ],
    ids=lambda line: line[:16],
)
def test_a_long_line_takes_a_moment_and_is_quoted_in_part(line):
    """Where twice the length took four times as long, this would not end."""
    said = line
    try:
        said = str(Event.parse(line))
    except ValueError as error:
        message = str(error)
    else:
        message = ""
    assert said == line
    assert len(message) < 1000
