from dataclasses import replace

import pytest

from sim import Body, Pose, Story, World, motion
from wingedge import shapes


def test_a_pair_may_change_several_times_before_a_frame(tmp_path):
    """A story of such frames was refused: "it stands behind what it comes before"."""
    ball = Body(shapes.icosphere(2), name="ball", pose=Pose(None, (0.0, 0.0, 1.52)))
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    place = motion.linear((0.0, 0.0, 0.0), start=(0.0, 0.0, 1.52))
    whirl = motion.stack(motion.spin((0.2, 1.0, 0.1), 30.0), place)
    options = {"contact_distance": 0.1, "between": True}
    world = World([ball, table], motion={"ball": whirl}, **options)
    story = Story.of(list(world.run(6)))
    assert [event.frame for event in story.events].count(5) == 3
    story.write(tmp_path / "a.story")
    again = Story.read(tmp_path / "a.story")
    assert (again, again.digest) == (story, story.digest)
    first, second = (event for event in story.events if event.frame == 1)
    for wrong in ([second, first], [first, first]):
        with pytest.raises(ValueError, match="stands behind what it comes before"):
            replace(story, events=(story.events[0], *wrong))
