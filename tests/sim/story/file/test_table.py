import io

import h5py
import numpy as np
import pytest

from sim import scenes
from sim.story.checkpoint import Checkpoint
from sim.story.file import recorder, vtkhdf
from sim.story.file.header import Header
from sim.story.file.reader import Reader
from sim.story.file.table import Column, Table


class Tape(io.BytesIO):
    def __init__(self):
        super().__init__()
        self.writes = []

    def write(self, data):
        self.writes.append((self.tell(), bytes(data)))
        return super().write(data)


@pytest.fixture
def tape():
    return Tape()


@pytest.fixture
def file(tape):
    with h5py.File(tape, "w") as opened:
        yield opened


def made(file, tape, column):
    column.create(file, "t")
    return Table(file, tape, "t", column)


def test_a_table_that_is_never_longer_goes_back_to_nothing_and_on(file, tape):
    """What HDF5 gets back it gives to others: the place of a room is asked for anew."""
    table, other = (
        made(file.create_group(name), tape, Column("<f8", room=4, exact=True))
        for name in "ab"
    )
    for length in (1, 2):
        table.count = 0
        table.trim()
        other.append(np.full(4 * length, 7.0))
        table.append(np.full(length, 1.0))
    file.flush()
    assert file["a/t"][:].tolist() == [1.0, 1.0]
    assert file["b/t"][:].tolist() == [7.0] * 12


def test_a_file_is_as_long_as_it_says_before_it_says_so(tmp_path, monkeypatch):
    """A kill between the two leaves a file that every reader refuses."""
    path, lengths = tmp_path / "run.vtkhdf", []
    handed_over = h5py.File.flush

    def look(file):
        lengths.append((path.stat().st_size, file.id.get_filesize()))
        handed_over(file)

    world = scenes.load("tip")
    with world.record(path):
        monkeypatch.setattr(h5py.File, "flush", look)
        list(world.run(70))
    assert all(there >= said for there, said in lengths)
    assert len({said for _, said in lengths}) > 1, "it did grow"


def test_a_recording_can_be_read_after_every_single_write(monkeypatch):
    monkeypatch.setattr(recorder, "ROOM", 2)
    monkeypatch.setattr(vtkhdf, "ROOM", 2)
    monkeypatch.setattr(recorder, "BytesIO", Tape)
    world = scenes.load("tip")
    list(world.run(15))
    stage = world._stage
    header = Header.of(stage, world.dt)
    writer = recorder.Recorder.create(None, header, Checkpoint.into_next(stage))
    tape = writer._raw
    start, whole, distances = len(tape.writes), [], []
    for frame in world.run(3):  # the tables grow in the third, and contact begins
        writer.write(frame, Checkpoint.out_of(stage))
        whole.append(len(tape.writes))
        distances.append(frame.pairs[0].distance)
    writer.finish()
    writer.file.close()
    # on a disk the file is lengthened before HDF5 says that it is longer
    image = bytearray(len(tape.getbuffer()) + 2**16)
    for k, (at, data) in enumerate(tape.writes, 1):
        was = image[at : at + len(data)]
        image[at : at + len(data)] = data
        if k < start or (was == data and k < len(tape.writes)):
            continue
        with h5py.File(io.BytesIO(image), "r") as torn:
            reader = Reader(torn, "torn")
            frames = len(reader)
            assert frames in (done := sum(n <= k for n in whole), done + 1)
            for block in ("bodies", "contacts"):
                steps = torn[f"VTKHDF/{block}/Steps"]
                assert len(steps["Values"]) <= steps.attrs["NSteps"]
            if frames:
                last = reader.frame(frames - 1).pairs[0].distance
                assert last == distances[frames - 1]
    assert frames == 3
