import io
import random

from sim import scenes
from sim.story.file.inspection import TAIL, read_mark, write_mark


def test_a_mark_says_how_many_frames_there_are_and_breaks_by_a_bit():
    file = io.BytesIO(random.Random(3).randbytes(1000))
    write_mark(file, 42)
    marked = bytearray(file.getvalue())
    assert len(marked) == 1000 + TAIL.size == 1048
    assert read_mark(io.BytesIO(marked)) == 42
    for k in range(len(marked)):
        marked[k] ^= 4
        assert read_mark(io.BytesIO(marked)) is None, k
        marked[k] ^= 4
    for cut in (0, 40, 1000, 1047):
        assert read_mark(io.BytesIO(marked[:cut])) is None


def test_a_recording_has_its_mark_when_it_is_closed_and_not_before(tmp_path):
    path = tmp_path / "run.vtkhdf"
    world = scenes.load("tip")
    with world.record(path):
        list(world.run(5))
        with path.open("rb") as file:
            assert read_mark(file) is None
    with path.open("rb") as file:
        assert read_mark(file) == 5
