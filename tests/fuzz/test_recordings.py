"""Interrupts and full disks lose nothing: a sample of the long run."""

import random
import sys

import break_recordings as breaking
import fuzz_recordings as fuzz
import pytest

from sim import Recording, set_engine


@pytest.fixture
def _interpreted():
    """Let no thread compile meanwhile: the lines of a step must be the same ones."""
    set_engine("python")
    yield
    set_engine("auto")


@pytest.mark.usefixtures("_interpreted")
@pytest.mark.parametrize(
    ("name", "every", "offset"),
    [("knead", 241, 5), ("hinge", 101, 17), ("regions", 397, 31)],
)
def test_a_step_interrupted_at_any_line_can_be_asked_for_again(
    tmp_path, name, every, offset
):
    """An interrupted step lost an event, or the whole recording was refused.

    Of 302 interrupts of one step of "knead" 159 changed the story: a tracker, the
    identities or the standing of a body had already gone on when the step was asked
    for again, or the mark counted a frame that the file did not have.
    """
    found = breaking.interrupt(name, every, offset, tmp_path, beside="kernels")
    assert len(found) > 15
    assert [(at, fault) for at, fault in found if fault] == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits are set the POSIX way")
@pytest.mark.parametrize("again", [False, True])
def test_a_full_disk_ends_a_recording_and_not_the_process(tmp_path, again):
    """HDF5 closed a file that it could not write, and the next close was a crash.

    A disk that was full when a recording began, or in the middle of one, ended the
    process with a segmentation fault at 7 of 9 sizes, in whatever was closed next.
    """
    told = {}
    for size in breaking.sizes(tmp_path, 2):
        said, fault = breaking.fill(size, tmp_path, again=again)
        assert fault == ""
        told[size] = said
    assert [said[:9] for said in told.values()][:2] == ["not begun"] * 2
    assert all("refused" in said for said in [*told.values()][2:])


def test_a_damaged_file_is_refused_or_read_right(tmp_path):
    chance = random.Random(11)
    path, canary = tmp_path / "damaged.vtkhdf", tmp_path / "executed"
    truths = [(p.read_bytes(), Recording.open(p)) for p in fuzz.originals(tmp_path)]
    seen = set()
    for k in range(60):
        content, truth = chance.choice(truths)
        data = bytearray(content)
        if k % 8:
            fuzz.DAMAGES[k % len(fuzz.DAMAGES)](data, chance)
        else:
            data = fuzz.foreign(canary, chance)[1]
        path.write_bytes(data)
        said = fuzz.judge(path, truth)
        seen.add(said)
        assert not said.startswith("FAULT"), k
    assert {"refused", "read whole"} <= seen
    assert not canary.exists()
