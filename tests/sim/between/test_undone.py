"""sim.kernels.between.crowd: what contacts undo in a frame was told as nothing."""

import pickle

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, World, scenes
from wingedge import edits, shapes

NEAR = 0.1505  # of the middles of a plate and a ball of boxes: half a thousandth off
ROD = 1.1005  # the same of a rod and a ball
SHUT = Pose(np.diag([-1.0, -1.0, 1.0]))  # half round: as long as its shadow between


def at(x, y=0.0):
    return Pose(None, (x, y, 0.0))


WAYS = {  # the other body, its pose after; the ball from, to; what is told
    "contact, through, apart": ("plate", NEAR, at(-3), "end penetrate separate"),
    "apart, through, contact": ("plate", 3, at(-NEAR), "begin penetrate separate"),
    "contact, through, contact": ("plate", NEAR, at(-NEAR), "penetrate separate"),
    "contact, aside, contact": ("plate", NEAR, at(NEAR, 0.1), ""),
    "apart, contact": ("plate", 3, at(NEAR), "begin"),
    "contact, apart, contact": ("rod", ROD, at(ROD), "end begin"),
}
SIZES = {"plate": (0.1, 9.0, 9.0), "rod": (2.0, 0.2, 0.2)}


@pytest.mark.parametrize("way", WAYS)
def test_a_pair_in_contact_at_an_end_says_what_it_did_and_undid(way):
    name, x0, end, kinds = WAYS[way]
    turned = SHUT if name == "rod" else Pose.identity()

    def pair():
        ball = Body(shapes.box(0.2), name="ball", pose=at(x0))
        return Body(shapes.box(SIZES[name]), name=name), ball

    other, ball = pair()
    world = World([other, ball], between=True, contact_distance=1e-3)
    world.step()
    other.pose, ball.pose = turned, end
    frame = world.step()
    events = [e for e in frame.events if e.kind != "change"]
    assert " ".join(event.kind for event in events) == kinds
    assert frame.undecided == ()
    for event in events:
        low, high = event.when
        if event.kind in ("penetrate", "separate"):
            side = 0.15 if (event.kind == "penetrate") == (x0 > 0) else -0.15
            assert low <= (side - x0) / (end.translation[0] - x0) <= high <= low + 1e-9
        elif name == "rod":  # its end goes 2 in a frame, and back
            assert high < 0.01 if event.kind == "end" else low > 0.99
    one, two = pair()
    tracker = PairTracker(one, two, contact_distance=1e-3)
    tracker.update()
    told = tracker.advance(pose_a=turned, pose_b=end).events
    assert " ".join(e.kind for e in told if e.kind != "change") == kinds


def test_a_passage_names_features_of_the_meshes_that_its_bodies_had():
    """After an edit it named edges of the new mesh, and a copy could not be asked."""
    plate = Body(shapes.box(SIZES["plate"]))
    ball = Body(shapes.box(0.2), name="ball", pose=at(3))
    passage = PairTracker(plate, ball).advance(pose_b=at(-3))
    mesh = plate.mesh
    plate.replace(*edits.split_edge(mesh, 0))
    for told in (passage, pickle.loads(pickle.dumps(passage))):
        assert told.touch.state.mesh_a.n_vertices < plate.mesh.n_vertices
        assert told.touch.lower <= 0.475 <= told.touch.upper


def test_what_ends_as_the_frame_does_ends_then():
    """A last bit farther than it is let go, at the end of the way."""
    plate, ball = Body(shapes.box(), name="plate"), Body(shapes.box(), name="ball")
    tracker = PairTracker(plate, ball, contact_distance=0.25, release_distance=0.5)
    ball.pose = at(1.125)
    tracker.update()
    (event,) = tracker.advance(pose_b=at(1.5 + 2.0**-52)).events
    assert (event.kind, event.when) == ("end", (1.0, 1.0))


def test_what_touches_within_its_resolution_overlaps_on_no_way_between_frames():
    scene, rng, told = scenes.load("fig4"), np.random.default_rng(5), []
    bodies = [Body(body.mesh, name=body.name) for body in scene.bodies]
    world = World(bodies, resolution=1e-6, between=True)
    for _ in scene.run(20):
        for body, rolling in zip(bodies, scene.bodies, strict=True):
            body.points = rng.normal(rolling.world_points(), 2e-7)
        told += [event.kind for event in world.step().events]
    assert told == ["begin", "change"]
