import io
import random

import numpy as np
import pytest

from sim import scenes
from sim.story.file.inspection import TAIL, gaps_between, read_mark, write_mark

GAPS = [(100, 50), (300, 20), (150, 30)]


@pytest.fixture
def marked():
    data = bytearray(random.Random(3).randbytes(1000))
    file = io.BytesIO(data)
    write_mark(file, 42, gaps_between(GAPS))
    return bytearray(file.getvalue())


def test_a_mark_says_how_many_frames_there_are_and_breaks_by_a_bit_or_a_mad_gap(marked):
    assert read_mark(io.BytesIO(marked)) == 42
    inside = {*range(100, 180), *range(300, 320)}
    for k in range(len(marked)):
        marked[k] ^= 4
        found = read_mark(io.BytesIO(marked))
        assert (found == 42) if k in inside else found is None, k
        marked[k] ^= 4
    for gap in ((-5, 3), (2000, 5), (50, -9), (10**18, 10**18)):
        data = bytearray(marked)
        at = 1000
        data[at : at + 16] = np.array(gap, np.int64).tobytes()
        assert read_mark(io.BytesIO(data)) is None
    assert TAIL.size == 48


def test_a_mark_of_more_gaps_than_tables_ever_have_is_none():
    """A file of 100 MB that was nothing else took a gigabyte before it was refused."""
    file = io.BytesIO(bytes(1000))
    write_mark(file, 42, np.array([(k, 1) for k in range(100)]))
    assert read_mark(file) is None


def test_a_recording_has_its_mark_when_it_is_closed_and_not_before(tmp_path):
    path = tmp_path / "run.vtkhdf"
    world = scenes.load("tip")
    with world.record(path):
        list(world.run(5))
        with path.open("rb") as file:
            assert read_mark(file) is None
    with path.open("rb") as file:
        assert read_mark(file) == 5
