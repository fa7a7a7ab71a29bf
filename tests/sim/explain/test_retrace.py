from itertools import pairwise  # of sim.explain.explain

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, World, scenes
from sim.explain.explain import retrace
from wingedge import Feature, shapes


def own_story(name):
    """Every frame of a scene with what a tracker that follows it all along explains."""
    world = scenes.load(name)
    frames = list(world.run(scenes.length(name)))
    state = frames[0].pairs[0]
    twins = [
        Body(mesh, name=body.name, convexity=body.convexity)
        for body, mesh in ((state.a, state.mesh_a), (state.b, state.mesh_b))
    ]
    tracker = PairTracker(*twins)
    told = []
    for frame in frames:
        for body in twins:
            snapshot = frame.body(body.name)
            body.points, body.pose = snapshot.points, snapshot.pose
        tracker.update()
        told.append(tracker.explain())
    return frames, told


def tried(told, *, walks=True):
    """What each step tried; the supports where a walk ended may be left out."""
    steps = [step for step in told.steps if walks or step.test != "walk"]
    return [(step.feature_a, step.feature_b, step.test) for step in steps]


@pytest.mark.parametrize("name", ["fig4", "fig6", "fig7"])
def test_two_frames_tell_what_a_tracker_that_followed_all_frames_tells(name):
    frames, told = own_story(name)
    longest = other_supports = 0
    for (before, now), own in zip(pairwise(frames), told[1:], strict=True):
        walk = retrace(before, now, now.pairs[0])
        assert tried(walk.told, walks=False) == tried(own, walks=False)
        other_supports += tried(walk.told) != tried(own)
        longest = max(longest, len(own.steps))
    assert longest >= 6
    # a frame does not hold the vertices that a tracker stood on
    assert other_supports <= 2


def test_a_body_with_another_mesh_before_is_started_cold():
    first = World(
        [Body(shapes.box(1.0), name="a"), Body(shapes.prism(5), name="b")]
    ).step()
    moved = Pose.rigid(None, (0.0, 0.0, 3.0))
    now = World(
        [Body(shapes.box(1.0), name="a", pose=moved), Body(shapes.box(1.0), name="b")]
    ).step()
    for before in (first, None):
        walk = retrace(before, now, now.pairs[0])
        assert walk.told.before is None
        assert "started cold" in walk.told.text


def test_neither_world_nor_frames_are_touched():
    world = scenes.load("fig6")
    *_, before, now = world.run(40)
    held = [body.points.tobytes() for body in (*before.bodies, *now.bodies)]
    live = [body.positions.tobytes() for body in world.bodies]
    retrace(before, now, now.pairs[0])
    assert held == [body.points.tobytes() for body in (*before.bodies, *now.bodies)]
    assert live == [body.positions.tobytes() for body in world.bodies]
    again = scenes.load("fig6")
    *_, other = again.run(41)
    assert world.step().pairs[0].numbers == other.pairs[0].numbers


def test_a_hull_is_told_of_in_its_own_numbers_at_its_own_places():
    u = Body(shapes.u_block(), name="u", convexity="hull")
    box = Body(shapes.box(0.3), name="box", pose=Pose.rigid(None, (0.0, 0.0, 9.0)))
    frame = World([u, box]).step()
    walk = retrace(None, frame, frame.pairs[0])
    last = walk.told.steps[-1].feature_a
    hull = u.cover().mesh()
    corners = {
        "vertex": lambda i: [i],
        "edge": lambda i: hull.edge_vertices[i],
        "face": hull.face_vertices,
    }[last.kind](last.index)
    middle = hull.points[corners].mean(axis=0)
    np.testing.assert_allclose(walk.places_a[-1], middle, atol=1e-15)


def test_a_collapsed_body_is_told_of_all_the_same():
    world = scenes.load("collapse")
    frames = list(world.run(scenes.length("collapse")))
    for before, now in zip(frames[::13], frames[1::13], strict=False):
        walk = retrace(before, now, now.pairs[0])
        assert isinstance(walk.told.steps[-1].feature_a, Feature)
        assert np.isfinite(walk.places_a).all()
