"""What a pair in contact does and undoes between two frames: it was told as nothing."""

import pickle

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, World
from wingedge import edits, shapes

NEAR = 0.1505  # of the middles of a plate and a ball of boxes: half a thousandth off


def at(x, y=0.0, z=0.0):
    return Pose(None, (x, y, z))


def bodies(start):
    plate = Body(shapes.box((0.1, 9.0, 9.0)), name="plate")
    return plate, Body(shapes.box(0.2), name="ball", pose=start)


PATHS = {
    "contact, through, apart": (at(NEAR), at(-3), ["end", "penetrate", "separate"]),
    "apart, through, contact": (at(3), at(-NEAR), ["begin", "penetrate", "separate"]),
    "contact, through, contact": (at(NEAR), at(-NEAR), ["penetrate", "separate"]),
    "contact, aside, contact": (at(NEAR), at(NEAR, 0.1), []),
    "apart, contact": (at(3), at(NEAR), ["begin"]),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_pair_in_contact_at_an_end_that_goes_through_a_plate_says_so(path):
    start, end, kinds = PATHS[path]
    plate, ball = bodies(start)
    world = World([plate, ball], between=True, contact_distance=1e-3)
    world.step()
    ball.pose = end
    frame = world.step()
    events = [event for event in frame.events if event.kind != "change"]
    assert [event.kind for event in events] == kinds
    assert frame.undecided == ()
    x0, x1 = start.translation[0], end.translation[0]
    for event in events:
        if event.kind in ("penetrate", "separate"):
            side = 0.15 if (event.kind == "penetrate") == (x0 > 0) else -0.15
            assert event.when[0] <= (side - x0) / (x1 - x0) <= event.when[1]
            assert event.when[1] - event.when[0] <= 1e-9
    one, other = bodies(start)
    tracker = PairTracker(one, other, contact_distance=1e-3)
    tracker.update()
    told = tracker.advance(pose_b=end).events
    assert [e.kind for e in told if e.kind != "change"] == kinds


def test_a_pair_that_parts_and_comes_back_within_a_frame_says_so():
    """A rod on its middle turns half round and is as long as its shadow between."""
    rod = Body(shapes.box((2.0, 0.2, 0.2)), name="rod")
    ball = Body(shapes.box(0.2), name="ball", pose=at(1.1005))
    world = World([rod, ball], between=True, contact_distance=1e-3)
    world.step()
    rod.pose = Pose(np.diag([-1.0, -1.0, 1.0]))
    frame = world.step()
    kinds = [event.kind for event in frame.events if event.kind != "change"]
    assert kinds == ["collapsed", "end", "begin"]
    out, again = frame.events[-2:]
    assert out.when[0] <= 0.0015 / 2.0 / 1.0 <= out.when[1] + 1e-3
    assert out.when[1] < 0.01
    assert again.when[0] > 0.99
    assert frame.undecided == ()


def test_a_passage_names_features_of_the_meshes_that_its_bodies_had():
    """After an edit it named edges of the new mesh, and a copy could not be asked."""
    plate, ball = bodies(at(3))
    passage = PairTracker(plate, ball).advance(pose_b=at(-3))
    mesh = plate.mesh
    plate.replace(*edits.split_edge(mesh, 0))
    for told in (passage, pickle.loads(pickle.dumps(passage))):
        state = told.touch.state
        assert state.mesh_a.n_vertices == mesh.n_vertices < plate.mesh.n_vertices
        assert told.touch.lower <= 0.475 <= told.touch.upper
        assert told.touch.speed == pytest.approx(6.0)
