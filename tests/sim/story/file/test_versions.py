"""What 0.1.0 wrote opens, replays and compares; what is newer says what reads it."""

import gzip
from pathlib import Path

import h5py
import numpy as np
import pytest

from sim import Body, Recording, RecordingError, Story, World, compare, motion
from sim.story.file.header import head_seal
from wingedge import __version__, shapes

HERE = Path(__file__).parent
GOLDEN = HERE / "run_of_0_1_0.story"


@pytest.fixture
def old(tmp_path):
    """Unpack a recording that wingedge 0.1.0 wrote: a soft box on an L, 16 frames."""
    path = tmp_path / "old.vtkhdf"
    packed = HERE / "run_of_0_1_0.vtkhdf.gz"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


def test_a_recording_of_0_1_0_opens_replays_and_compares(old, tmp_path):
    with Recording.open(old) as recording:
        assert recording.versions["wingedge"] == "0.1.0"
        assert (len(recording), recording.notes) == (16, {"seed": 7})
        assert recording.digest == "29c1f9b9a3244720"
        assert recording.table()["depth"].max() > 0.04
        with recording.replay(tmp_path / "new.vtkhdf") as new:
            assert new.digest == recording.digest, "another answer, or other bits"
            assert compare(recording, new)
        assert compare(Story.read(GOLDEN), recording)
    with h5py.File(tmp_path / "new.vtkhdf") as file:
        said = dict(file["wingedge"].attrs)
    assert (said["format"], said["wingedge"]) == (6, __version__)


def test_a_golden_story_of_0_1_0_is_read_and_written_alike():
    story = Story.read(GOLDEN)
    assert str(story) == GOLDEN.read_text(encoding="utf-8")
    assert [event.kind for event in story.events] == [
        *("begin", "penetrate", "separate", "end")
    ]


def test_a_newer_recording_names_the_version_that_reads_it(tmp_path):
    fall = motion.linear((0.0, 0.0, -1.0))
    world = World([Body(shapes.box(), name="a")], motion={"a": fall})
    with world.record(tmp_path / "new.vtkhdf") as path:
        list(world.run(2))
    with h5py.File(path, "r+") as file:
        group = file["wingedge"]
        group.attrs["format"], group.attrs["read_by"] = 7, "0.4.0"
        group.attrs["seal"] = np.frombuffer(head_seal(group), np.uint8)
    with pytest.raises(RecordingError, match=r'install "wingedge>=0\.4\.0"'):
        Recording.open(path)


def test_a_recording_of_a_body_in_pieces_says_what_reads_it(tmp_path):
    """As 0.2.0 wrote one: the mesh, and those of its pieces."""
    with World([Body(shapes.box(), name="arm")]).record(
        tmp_path / "old.vtkhdf"
    ) as path:
        pass
    with h5py.File(path, "r+") as file:
        group = file["wingedge"]
        group.attrs["wingedge"] = "0.2.0"
        group["bodies/0"].attrs["pieces"] = np.array([0, 0])
        group.attrs["seal"] = np.frombuffer(head_seal(group), np.uint8)
    said = (
        r"old\.vtkhdf: body 'arm' is a compound, .* with wingedge 0\.2\.0, or .* bodies"
    )
    with pytest.raises(RecordingError, match=said):
        Recording.open(path)
