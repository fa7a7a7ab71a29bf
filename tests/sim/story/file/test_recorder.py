import os  # of sim.story.file.recorder
import sys
import time

import pytest

from sim import Recording, RecordingError, scenes
from sim.story.file import hdf5, recorder

posix = pytest.mark.skipif(os.name != "posix", reason="files that are open, renamed")


def record(path, frames=3, **options):
    world = scenes.load("tip")
    with world.record(path, **options):
        list(world.run(frames))


@posix
def test_a_link_planted_under_the_private_name_is_neither_followed_nor_removed(
    tmp_path, monkeypatch
):
    """What is there is somebody else's, even where its name could be guessed."""
    monkeypatch.setattr(recorder.secrets, "token_hex", lambda _: "guessed")
    far, planted = tmp_path / "far.txt", tmp_path / "run.vtkhdf.guessed.part"
    for there in (True, False):
        far.write_text("far") if there else far.unlink()
        planted.unlink(missing_ok=True)
        planted.symlink_to(far)
        with pytest.raises(RecordingError, match="cannot be written"):
            record(tmp_path / "run.vtkhdf")
        assert planted.is_symlink()
        assert far.exists() == there
    assert list(tmp_path.iterdir()) == [planted]


@posix
def test_what_a_kill_left_is_swept_where_it_is_old_and_ours(tmp_path):
    names = {"run.vtkhdf.0123abcd.part": 2, "run.vtkhdf.0123abce.part": 0}
    names |= {"run.vtkhdf.mine.part": 2, "other.vtkhdf.0123abcd.part": 2}
    for name, hours in names.items():
        (tmp_path / name).touch()
        os.utime(tmp_path / name, 2 * (time.time() - 3601 * hours,))
    record(tmp_path / "run.vtkhdf")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"run.vtkhdf", *names} - {"run.vtkhdf.0123abcd.part"}


@posix
def test_what_is_interrupted_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch
):
    path = tmp_path / "run.vtkhdf"
    record(path)
    before = path.read_bytes()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(recorder.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        record(path, resume=True)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_recording_that_lost_its_name_says_so_when_it_ends(tmp_path):
    path, moved = tmp_path / "run.vtkhdf", tmp_path / "moved.vtkhdf"
    world = scenes.load("tip")

    def lose():
        with world.record(path):
            list(world.run(3))
            path.unlink()

    with pytest.raises(RecordingError, match=r"removed while it was .* its 3 frames"):
        lose()
    with world.record(path):
        list(world.run(3))
        path.rename(moved)  # that is no loss
    with Recording.open(moved) as recording:
        assert [frame.index for frame in recording] == [3, 4, 5]


def test_a_recording_that_could_not_write_a_frame_is_over_and_says_so(
    tmp_path, monkeypatch
):
    """It wrote on when there was room again, and the story had a hole."""
    path = tmp_path / "run.vtkhdf"
    world = scenes.load("tip")

    def full(*_):
        raise OSError(28, "No space left on device")

    with world.record(path):
        list(world.run(5))
        monkeypatch.setattr(recorder.Replacement, "put", full)
        with pytest.raises(RecordingError, match=r"frame 5 could .* is the disk full"):
            world.step()
        monkeypatch.undo()
        with pytest.raises(RecordingError, match=r"frame 5 is not .* after 5 frames"):
            world.step()
    assert world.step().index == 5
    with Recording.open(path) as recording:
        assert [frame.index for frame in recording] == [0, 1, 2, 3, 4]


def test_without_h5py_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match="recordings need h5py: pip install h5py"):
        hdf5()
