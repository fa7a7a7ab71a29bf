"""Old stories are read; recordings of other formats say what reads them."""

from pathlib import Path

import h5py
import pytest

from sim import Body, Recording, RecordingError, Story, World
from wingedge import shapes

GOLDEN = Path(__file__).parent / "run_of_0_1_0.story"


def test_a_golden_story_of_0_1_0_is_read_and_written_alike():
    story = Story.read(GOLDEN)
    assert str(story) == GOLDEN.read_text(encoding="utf-8")
    assert [event.kind for event in story.events] == [
        *("begin", "penetrate", "separate", "end")
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"format": 9, "read_by": "0.4.0"}, r'install "wingedge>=0\.4\.0"'),
        (
            {"format": 4, "wingedge": "0.2.0"},
            r"again, or read it with wingedge 0\.2\.0",
        ),
    ],
)
def test_a_recording_of_another_format_names_the_version_that_reads_it(
    tmp_path, written, said
):
    world = World([Body(shapes.box(), name="a")])
    with world.record(tmp_path / "new.vtkhdf") as path:
        list(world.run(2))
    with h5py.File(path, "r+") as file:
        file["wingedge"].attrs.update(written)
    with pytest.raises(RecordingError, match=said):
        Recording.open(path)
