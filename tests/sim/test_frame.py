from dataclasses import FrozenInstanceError  # of sim.frame

import numpy as np
import pytest

from sim import Body, Event, Pose, World, compare, deform, motion
from sim.frame import SnapshotRecorder
from wingedge import convexity, shapes


@pytest.fixture
def world():
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    far = Body(shapes.box(), name="far", pose=Pose(None, (9.0, 0.0, 0.0)))
    fall = motion.linear((0.0, 0.0, -1.0), start=(0.0, 0.0, 3.0))
    return World([ball, table, far], motion={"ball": fall}, ignore=[("table", "far")])


def test_a_pair_is_oriented_as_it_is_asked_for_or_said_to_be_missing(world):
    frame = world.step()
    one, other = frame.pair("ball", "table"), frame.pair("table", "ball")
    assert (one.a.name, one.b.name) == ("ball", "table")
    assert (other.a.name, other.b.name) == ("table", "ball")
    assert one.kind == other.kind[::-1]
    assert np.array_equal(one.normal, -other.normal)
    with pytest.raises(KeyError, match="no body 'jelly'; it has ball, table, far"):
        frame.pair("ball", "jelly")
    with pytest.raises(KeyError, match="does not report table/far"):
        frame.pair("table", "far")
    with pytest.raises(KeyError, match="no body 'jelly'"):
        frame.body("jelly")


def test_a_frame_does_not_change_when_the_bodies_move_on(world):
    first = world.step()
    distance, points = first.pairs[0].distance, first.body("ball").world_points()
    body = world.body("ball")
    body.points = 0.5 * body.mesh.points
    list(world.run(5))
    assert first.pairs[0].distance == distance
    assert np.array_equal(first.body("ball").world_points(), points)
    assert first.index == 0
    assert first.time == 0.0


def test_what_is_told_refuses_another_attribute_as_it_refuses_its_own(world):
    """A frozen dataclass with slots raises a TypeError about super() in CPython."""
    frame = world.step()
    told = [frame, frame.bodies[0], compare([frame], [frame])]
    told += [
        Event.parse("1 inverted ball"),
        deform.squash(0.1),
        convexity(shapes.box()),
    ]
    for value in told:
        with pytest.raises(FrozenInstanceError, match="field 'other'"):
            value.other = 1


def test_positions_are_copied_only_where_a_bit_changed():
    body = Body(shapes.box(), name="box")
    camera = SnapshotRecorder([body])
    rest = camera.take()[0]
    assert rest.points is body.mesh.points
    body.points = 2.0 * body.mesh.points
    changed = camera.take()[0]
    assert changed.points is not rest.points
    assert camera.take()[0].points is changed.points
    body.points = 2.0 * body.mesh.points
    assert camera.take()[0].points is changed.points
    live = body.points
    assert camera.take()[0].points is changed.points
    live[0, 0] += 1.0
    assert camera.take()[0].points is not changed.points
    assert np.array_equal(changed.points, 2.0 * body.mesh.points)


def test_world_points_are_fresh_and_positions_cannot_be_written(world):
    snapshot = world.step().body("table")
    assert not np.shares_memory(snapshot.world_points(), snapshot.points)
    assert not np.shares_memory(snapshot.points, world.body("table").positions)
    with pytest.raises(ValueError, match="read-only"):
        snapshot.points[0, 0] = 1.0
