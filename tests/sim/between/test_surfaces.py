"""sim.between.times, sim.kernels.between.path: surfaces, not hulls, meet."""

import pytest

from sim import Body, PairTracker, Pose, exhaustive, verify_passage
from sim.between.moves import Move, put
from sim.between.paths import parted_until
from wingedge import WingedEdgeMesh, shapes


def at_time(passage, t):
    """Return the answer of ``exhaustive`` for the bodies at a time."""
    pair = zip((passage.state.a, passage.state.b), passage.moves, strict=True)
    return exhaustive(*(put(Body(body.mesh), move, t) for body, move in pair))


def bowl(count=24):
    """Return a ball with a dent from above that is deeper than its middle."""
    mesh = shapes.icosphere(3)
    points = mesh.points.copy()
    inner = points[:, 2] > 0.6
    points[inner, 2] -= 2.2 * (points[inner, 2] - 0.6) + 0.5
    return WingedEdgeMesh.from_faces(
        points, [mesh.face_vertices(f) for f in range(mesh.n_faces)]
    )


def test_a_ball_that_starts_inside_the_hull_of_a_bowl_falls_on_its_ground():
    """It was told to be within the distance at the start, where only hulls were."""
    dish = Body(bowl(), name="dish")
    ball = Body(
        shapes.icosphere(2, radius=0.1), name="ball", pose=Pose(None, (0, 0, 0.4))
    )
    tracker = PairTracker(dish, ball)
    before = tracker.update().distance
    assert before > 0.05
    passage = tracker.advance(pose_b=Pose(None, (0, 0, -0.6)))
    assert passage.reason == ""
    assert at_time(passage, passage.touch.lower).distance >= 0.0
    assert at_time(passage, passage.touch.upper).lower <= 0.0
    assert passage.touch.upper - passage.touch.lower <= 1e-9
    back = tracker.advance(pose_b=Pose(None, (0, 0, 0.4)))
    assert back.touch is None
    assert back.reason.startswith("already within")
    assert back.parting.lower == pytest.approx(1.0 - passage.touch.upper, abs=1e-9)


@pytest.mark.parametrize("convexity", ["surface", "hull"])
@pytest.mark.parametrize("distance", [0.0, 0.05])
def test_a_bowl_goes_into_a_bowl_or_stops_at_its_lid(distance, convexity):
    """A body that stands for its hull is asked with the ghosts of both bodies."""
    dish = Body(bowl(), name="dish", convexity=convexity)
    other = Body(bowl(), name="other", pose=Pose.rigid((1, 0, 0, 0), (0, 0, 2.5)))
    tracker = PairTracker(dish, other)
    tracker.update()
    pose = Pose.rigid((1, 0, 0, 0), (0.3, 0.1, 0.5))
    passage = tracker.advance(pose_b=pose, distance=distance)
    touch = passage.touch
    assert passage.reason == ""
    assert passage.at(touch.lower).upper >= distance
    assert passage.at(touch.upper).lower <= distance
    assert touch.upper - touch.lower <= 1e-6
    assert (touch.upper < 0.7) == (convexity == "hull"), "a lid is met sooner"


@pytest.mark.parametrize("at", [(-0.5, 0.3), (0.3, -0.5)])
def test_a_tip_meets_the_half_of_a_side_that_it_falls_on(at):
    """A side is two triangles, one of them the first of all that are near."""
    meshes = shapes.icosphere(1, 0.2), shapes.box((2.0, 2.0, 1.0))
    faces = [mesh.fan.vertex for mesh in meshes]
    places = [Pose(None, (*at, z)).matrix for z in (0.9, 0.5)], 2 * [Pose().matrix]
    ways = [
        Move(mesh.points, mesh.points, *ends)
        for mesh, ends in zip(meshes, places, strict=True)
    ]
    for turn in (1, -1):
        met = parted_until(tuple(ways[::turn]), faces[::turn], (0.0, 1.0), 0.0)
        assert met <= 0.5 <= met + 1e-9


@pytest.mark.parametrize("gap", [1e-3, 3e-4, 1e-4, 1e-6])
@pytest.mark.parametrize("share", [0.0, 0.9], ids=["touch", "near"])
def test_a_pin_that_slides_in_a_groove_does_not_touch_its_walls(gap, share):
    """Looks at surfaces gained a gap each, and gave up after 2000."""
    channel = Body(shapes.u_block((3.0, 3.0, 6.0)))
    start, end = (Pose(None, (0.0, 0.7, z)) for z in (-2.0, 2.0))
    pin = Body(shapes.box((1.0 - 2.0 * gap, 0.5, 0.5)), pose=start)
    passage = PairTracker(channel, pin).advance(pose_b=end, distance=share * gap)
    assert (passage.touch, passage.parting, passage.reason) == (None, None, "")
    assert verify_passage(passage, channel, pin).answer == "cannot say"
