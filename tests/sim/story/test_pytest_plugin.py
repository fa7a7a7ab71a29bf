import re  # of sim.story.pytest_plugin, sim.story.testing.golden
from dataclasses import replace

import pytest

from sim import Story

CHECK = """
def test_drop(world, contact_regression):
    contact_regression.check(world, frames=12)
"""
STORY = """\
wingedge story 1
digest eb0977e2c6522da4
bodies box/table
frames 12
first 0
dt 0.016666666666666666

4 begin box/table FF f0 f1
7 end box/table FF f0 f1

numbers ff0368207a1bf51a
4 box/table 0.0101 5.0101 0 0 -1
7 box/table 0.1401 5.1401
"""


def write_golden(suite, text=STORY):
    path = suite.path / "test_box" / "test_drop.story"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def written_by(golden, off):
    """Write the golden story with a distance that is less by so much."""
    story = Story.parse(STORY)
    first, *rest = story.numbers
    other = first._replace(distance=first.distance - off)
    replace(story, numbers=(other, *rest)).write(golden)


def test_a_golden_file_is_written_once_and_compared_from_then_on(suite):
    suite.write(CHECK)
    first = suite.run()
    first.assert_outcomes(failed=1)
    first.stdout.fnmatch_lines(
        ["*File not found*created:", "*test_box/test_drop.story"]
    )
    assert (suite.path / "test_box/test_drop.story").read_text("utf-8") == STORY
    suite.run().assert_outcomes(passed=1)


def test_a_failure_says_in_words_what_is_different(suite, monkeypatch):
    suite.write(CHECK)
    golden = write_golden(suite)
    monkeypatch.setenv("LATE", "3")
    result = suite.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *AssertionError: * frame 4, box/table: late by 3 frames: *",
            "E * contacts differ from test_box*test_drop.story",
            "E *digest eb0977e2c6522da4 -> *",
            "E *4 *box/table *late *3 frames*",
            "E *if it is meant to be so: pytest --force-regen",
        ]
    )
    result.stdout.no_fnmatch_line("*golden.py*")
    assert golden.read_text("utf-8") == STORY


def test_tolerances_let_pass_what_is_late_and_numbers_that_differ(suite, monkeypatch):
    written_by(write_golden(suite), 2e-3)
    for late, told in (("0", "the same events, digest eb09"), ("2", "digest eb09*->")):
        monkeypatch.setenv("LATE", late)
        suite.write(CHECK)
        result = suite.run()
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines([f"E *{told}*"])
        suite.write(CHECK.replace("=12", "=12, frame_tolerance=2, tolerance=1e-3"))
        suite.run().assert_outcomes(passed=1)


def test_an_empty_story_is_written_with_a_warning(suite):
    suite.write(CHECK.replace("=12", "=2"))
    result = suite.run()
    result.assert_outcomes(failed=1, warnings=1)
    result.stdout.fnmatch_lines(["*nothing happens in its 2 frames; nearest: *"])
    suite.run().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("option", "failed"), [("--force-regen", 1), ("--regen-all", 0)]
)
def test_golden_files_are_written_anew_when_told_so(suite, monkeypatch, option, failed):
    suite.write(CHECK)
    golden = write_golden(suite)
    monkeypatch.setenv("LATE", "3")
    suite.run(option).assert_outcomes(failed=failed, passed=1 - failed)
    assert "7 begin box/table FF f0 f1" in golden.read_text("utf-8")
    suite.run().assert_outcomes(passed=1)


def test_golden_files_may_end_as_on_windows_or_be_damaged(suite):
    suite.write(CHECK)
    write_golden(suite).write_bytes(STORY.replace("\n", "\r\n").encode())
    suite.run().assert_outcomes(passed=1)
    suite.write(CHECK)
    golden = write_golden(suite, STORY.replace("4 begin", "5 begin"))
    result = suite.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *{golden} is no golden story: line 12: *"])
    suite.run("--force-regen").assert_outcomes(failed=1)
    assert golden.read_text("utf-8") == STORY


def test_a_file_that_cannot_be_written_is_named(suite):
    suite.write(CHECK)
    (suite.path / "test_box").write_text("a file where the folder should be")
    result = suite.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*golden file *test_drop.story can neither be*"])


def test_files_are_named_after_the_test_its_parameters_or_as_asked(suite):
    suite.write(
        """
import pytest

@pytest.mark.parametrize("speed", ["a-b", "ä/ö", "c d"])
def test_odd(world, contact_regression, speed):
    contact_regression.check(world.run(12))

def test_named(world, contact_regression):
    contact_regression.check(world.run(6), "named.first")
    contact_regression.check(world.run(6), "named.second")

@pytest.mark.parametrize("again", [1, 2])
def test_alike(world, contact_regression, again):
    contact_regression.check(world.run(12), name="alike")

def test_astray(world, contact_regression):
    contact_regression.check(world.run(6), name="../up")
"""
    )
    suite.run("--regen-all").assert_outcomes(passed=6, failed=1)
    result = suite.run()
    result.assert_outcomes(passed=6, failed=1)
    result.stdout.fnmatch_lines(["*name='../up' is no name of a golden file*"])
    assert {path.name for path in (suite.path / "test_box").iterdir()} == {
        "test_odd_a_b_.story",
        "test_odd__xe4__xf6_.story",
        "test_odd_c_d_.story",
        "named.first.story",
        "named.second.story",
        "alike.story",
    }


def test_classes_are_in_the_name_where_pytest_regressions_puts_them(suite):
    suite.write(
        """
class TestOne:
    def test_drop(self, world, contact_regression):
        contact_regression.check(world.run(12))

class TestTwo(TestOne):
    pass
"""
    )
    suite.run("--regen-all", "--with-test-class-names").assert_outcomes(passed=2)
    assert (suite.path / "test_box/TestTwo_test_drop.story").is_file()


def test_every_source_is_checked_and_what_is_none_is_refused(suite):
    suite.write(
        """
import pytest
from pathlib import Path
from sim import Recording, Story

def test_all(world, contact_regression, tmp_path):
    with world.record(tmp_path / "run.vtkhdf"):
        frames = list(world.run(12))
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        contact_regression.check(recording, "a")
        contact_regression.check(recording, "b", 6)
    contact_regression.check(Story.of(frames), "c")
    contact_regression.check(iter(frames), "d", frames=6)
    contact_regression.check(world, "e", frames=6)  # it runs on

def test_none(world, contact_regression):
    for source, frames, words in [
        (world, None, "a world runs for ever; say how many frames"),
        ("run.vtkhdf", None, "no contacts can be told of str"),
        (Path("run.story"), None, "as of Recording.open"),
        (3, None, "no contacts can be told of int"),
        ([e for frame in world.run(9) for e in frame.events], None, "got Event"),
        (Story.of(world.run(2)), 2, "a story cannot be cut"),
    ]:
        with pytest.raises(TypeError, match=words):
            contact_regression.check(source, frames=frames)
    for frames, words in [
        (3, "frames=3, but there are only 2"),
        (-1, "frames=-1 must be a whole number, 0 or more"),
        (2.0, "frames=2.0 must be a whole number"),
    ]:
        with pytest.raises(ValueError, match=words):
            contact_regression.check(world.run(2), frames=frames)
"""
    )
    suite.run("--regen-all").assert_outcomes(passed=2)
    files = [(suite.path / f"test_box/{x}.story").read_text("utf-8") for x in "abcde"]
    assert files[0] == STORY
    assert STORY.startswith(files[2]), "a story has the numbers that it has"
    assert files[1] == files[3] != STORY
    assert "frames 6\nfirst 12\n" in files[4]


def test_an_expectation_that_is_compared_with_nothing_is_an_error(suite):
    suite.write(
        """
def test_forgotten(expect_contacts):
    expect_contacts("begin box/table")

def test_another_failure(world, expect_contacts):
    expect_contacts("begin box/table").of(world.run("ten"))
"""
    )
    result = suite.run()
    result.assert_outcomes(passed=1, errors=1, failed=1)
    result.stdout.fnmatch_lines(["*'begin box/table'* was compared with nothing*"])


VIEW = """
def draw(frame, path):
    if {fails}:
        raise OSError("no GL")
    path.write_text(f"{{frame.index}}: {{[body.name for body in frame.bodies]}}")
"""


@pytest.mark.parametrize(("late", "frame"), [("3", 7), ("20", 4)])
def test_the_first_frame_that_differs_is_drawn_by_whoever_can(
    suite, monkeypatch, late, frame
):
    site = suite.install("views", {"wingedge.views": {"a": "a_view:draw"}})
    (site / "a_view.py").write_text(VIEW.format(fails=False))
    suite.write(CHECK)
    write_golden(suite)
    monkeypatch.setenv("LATE", late)
    asked = "--contact-picture", f"--basetemp={suite.path / 'temp'}"
    suite.run(*asked).stdout.fnmatch_lines(
        [f"E *picture of frame {frame}: *test_drop.png"]
    )
    (picture,) = (suite.path / "temp").rglob("test_drop.png")
    assert picture.read_text() == f"{frame}: ['box', 'table']"
    suite.run().stdout.no_fnmatch_line("*picture*")
    (site / "a_view.py").write_text(VIEW.format(fails=True))
    suite.run(*asked).stdout.fnmatch_lines(["E *no picture: no GL"])


def test_it_can_be_switched_off(suite):
    suite.write(CHECK)
    result = suite.run("-p", "no:wingedge")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*fixture 'contact_regression' not found"])


@pytest.mark.parametrize("plugin", ["regressions", "pytest-datadir"])
def test_without_pytest_regressions_it_says_what_to_install(suite, plugin):
    suite.write(CHECK)
    result = suite.run("-p", f"no:{plugin}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*run: pip install 'pytest-regressions>=2.7'"])


@pytest.mark.compiled
def test_kernels_that_pytest_has_loaded_are_compiled_all_the_same(suite, monkeypatch):
    # pytest rewrites the assertions of every package of a distribution with a plugin
    entry = {"pytest11": {"any": "any_plugin"}}
    site = suite.install("wheel", entry, packages=["sim", "wingedge"])
    (site / "any_plugin.py").write_text("")
    monkeypatch.delenv("WINGEDGE_ENGINE")
    suite.write(
        """
import sys
from sim import set_engine

def test_compiled(world, expect_contacts):
    assert "rewrite" in sys.modules["sim.kernels.solve"].__loader__.__module__
    set_engine("compiled")
    expect_contacts("begin FF ; end").of(world, 12)
"""
    )
    suite.run_apart().assert_outcomes(passed=1)


HEAVY = {"numpy", "h5py", "wingedge.mesh", "sim.world", "sim.story.testing"}
OTHER = f"""
import sys

def test_nothing():
    loaded = {HEAVY | {"sim.story.pytest_plugin"}} & set(sys.modules)
    print("loaded:", *loaded)
"""


def test_a_suite_that_does_not_use_it_loads_nothing_and_looks_the_same(
    suite, monkeypatch
):
    # other plugins, whichever are installed, may load numpy
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    suite.write(OTHER, conftest="")
    used = suite.run_apart("-q", "-rP", "-p", "sim.story.pytest_plugin")
    used.assert_outcomes(passed=1)
    used.stdout.fnmatch_lines(["loaded: sim.story.pytest_plugin"])
    unused = suite.run_apart("-q", "-rP")
    unused.stdout.fnmatch_lines(["loaded:"])
    changing = re.compile("loaded:|1 passed in ")
    one, other = (
        [line for line in run.outlines if not changing.match(line)]
        for run in (used, unused)
    )
    assert one == other
