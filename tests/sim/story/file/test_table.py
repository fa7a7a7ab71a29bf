import io

import h5py
import numpy as np
import pytest

from sim import scenes
from sim.story.checkpoint import Checkpoint
from sim.story.file import vtkhdf
from sim.story.file.header import Header
from sim.story.file.reader import Reader
from sim.story.file.recorder import Recorder
from sim.story.file.table import Table, append, make_room


class Tape(io.BytesIO):
    def __init__(self):
        super().__init__()
        self.writes = []

    def write(self, data):
        self.writes.append((self.tell(), bytes(data)))
        return super().write(data)


@pytest.fixture
def file():
    name = "table test"
    with h5py.File(name, "w", driver="core", backing_store=False) as opened:
        yield opened


def test_rows_are_appended_across_rooms(file):
    table = Table(file, "t", "<f8", (3,), room=4)
    for k in range(11):
        rows = [(table, np.full((k % 3, 3), k))]
        make_room(file, rows)
        append(rows)
    table.trim()
    file.flush()
    assert file["t"][:, 0].tolist() == [k for k in range(11) for _ in range(k % 3)]
    assert file["t"].chunks == (4, 3)


def test_a_table_may_hold_more_rows_than_were_written_until_it_is_trimmed(file):
    table = Table(file, "t", "<i8", room=64)
    append([(table, np.arange(5))])
    assert file["t"].shape == (64,)
    table.trim()
    assert file["t"][:].tolist() == [0, 1, 2, 3, 4]


def test_a_row_goes_to_the_file_without_the_rows_around_it():
    """A cache of HDF5 writes whole pieces, of which a kill may leave a part."""
    tape = Tape()
    with h5py.File(tape, "w") as file:
        table = Table(file, "t", "<f8", room=8192)
        file.flush()
        before = len(tape.writes)
        append([(table, np.arange(3.0))])
        assert [data for _, data in tape.writes[before:]] == [np.arange(3.0).tobytes()]


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
    monkeypatch.setattr(vtkhdf, "ROOM", 2)
    monkeypatch.setattr(vtkhdf, "ITEMS", 8)
    world, tape = scenes.load("tip"), Tape()
    list(world.run(15))
    file = h5py.File(tape, "w", libver="earliest")
    stage = world._stage
    header = Header.of(stage, world.dt)
    recorder = Recorder(file, header, Checkpoint.into_next(stage))
    start, whole, distances = len(tape.writes), [], []
    for frame in world.run(3):  # the tables grow in the third, and contact begins
        recorder.write(frame, Checkpoint.out_of(stage))
        whole.append(len(tape.writes))
        distances.append(frame.pairs[0].distance)
    recorder.finish()
    file.close()
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
