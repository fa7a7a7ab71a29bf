import pytest  # of sim.contact_manager, sim.scripts

from sim import Body, PairTracker, Pose, World, scenes
from sim.contact_manager import ContactManager, ContactRules
from sim.story.file.rows import carried_on
from wingedge import shapes


@pytest.mark.parametrize("name", ["face_on_face", "edge_on_edge"])
def test_a_tracker_that_resumes_keeps_the_corner_that_was_chosen(name):
    world = scenes.load(name)
    for frame in world.run(scenes.length(name)):
        (state,) = frame.pairs
        if frame.index == 65:
            break
    tracker = PairTracker(state.a, state.b, contact_distance=0.01)
    tracker.resume(state)
    again = tracker.update()
    assert not again.unique
    assert again.point_a.tolist() == state.point_a.tolist()
    assert again.regime == state.regime


def test_a_region_of_bodies_that_only_just_do_not_touch_dies_when_they_jump_away():
    """A region counts what rounding cannot tell from the reach; a contact does not."""
    low, high = Body(shapes.box(), name="low"), Body(shapes.box(), name="high")
    world = World([low, high], contact_distance=0.125, margin=0.25, regions=True)
    high.pose = Pose(None, (0.0, 0.0, 1.125 + 2.0**-52))
    frame = world.step()
    assert frame.pairs[0].regime == "separated"
    assert [event.kind for event in frame.events] == ["birth"]
    (region,) = frame.pairs[0].regions
    facing = [region.feature_a.index, region.feature_b.index]
    assert facing in region.faces.tolist(), "not their sides alone"
    high.pose = Pose(None, (0.0, 0.0, 9.0))
    assert [event.kind for event in world.step().events] == ["death"]


def test_nothing_is_remembered_before_the_first_frame():
    world = scenes.load("tip")
    world.step()
    stage = ContactManager(world.bodies, ContactRules())
    assert len(carried_on(stage).answers) == 0
    stage.told = stage.answer(0)
    carry = carried_on(stage)
    assert (carry.answers.pairs(), carry.contacts.tolist()) == ([(0, 1)], [-1])
