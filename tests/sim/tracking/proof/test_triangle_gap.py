import math

import numpy as np
import pytest

from sim import Body, Pose, closest, exhaustive, verify
from sim.tracking.proof.triangle_gap import from_triangles, surface_gap
from wingedge import shapes


def test_a_touch_of_boxes_that_overlap_by_a_quarter_is_refused(claimed, part_at):
    """Their surfaces do meet, so no pair of triangles was nearer than said."""
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=(0.75, 0.25, 0.25)))
    faces = part_at(a, (0, 0.5)), part_at(b, (1, -0.25))
    for normal in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        false = claimed(closest(a, b), 0.0, (0.5, -0.25, 0.0), faces, normal)
        verdict = verify(false, a, b)
        assert verdict.answer == "no"
        assert "surfaces cross" in verdict.reason


def test_crossing_bars_are_not_a_quarter_apart(claimed, part_at):
    """No corner lies inside, and edges that pass through faces are near no edge."""
    a = Body(shapes.box((4.0, 0.25, 1.5)))
    b = Body(shapes.box((0.75, 5.5, 2.0)), pose=Pose(None, (-1.25, -0.625, 0.0)))
    edges = part_at(a, (1, 0.125), (2, 0.75)), part_at(b, (0, -0.875), (2, 1.0))
    state = closest(a, b)
    assert state.regime == "penetrating"
    at = (-0.875, 0.125, 0.75)
    verdict = verify(claimed(state, 0.25, at, edges, (0.0, 0.0, 1.0)), a, b)
    assert verdict.answer == "no"
    assert "surfaces cross" in verdict.reason


@pytest.mark.parametrize("at", [(2.0, 0.3, 0.2), (0.75, 0.3, 0.2)])
def test_a_great_size_hides_no_error(at):
    """The tolerance grew with the size that the answer itself gave."""
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=at))
    state = closest(a, b)
    assert verify(state, a, b)
    for off in (1e-6, -1e-6, 0.1, -0.1):
        d = state.distance + off
        step = tuple(
            p + d * n for p, n in zip(state.point_a, state.normal, strict=True)
        )
        false = state.replace(
            distance=d, lower=d, upper=d, point_b=step, size=1e15 * state.size
        )
        assert verify(false, a, b).answer == "no"


def test_no_normal_is_proven_where_no_plane_parts_what_touches(claimed, part_at):
    """A corner in the edge of a notch: the walls rise on both sides of it."""
    a = Body(shapes.l_block())
    mesh = shapes.box(0.25)
    b = Body(mesh, pose=Pose(None, 0.1 * np.eye(3)[2] - mesh.points[0]))
    edges = part_at(a, (0, 0.0), (1, 0.0)), (0, 0)
    slanted = (math.sqrt(0.5), math.sqrt(0.5), 0.0)
    false = claimed(closest(a, b), 0.0, (0.0, 0.0, 0.1), edges, slanted)
    verdict = verify(false, a, b)
    assert verdict.answer == "cannot say"
    assert "no plane parts the bodies around" in verdict.reason


def test_a_normal_from_one_edge_to_the_other_is_known_at_any_distance():
    """Turned by 1e-4 it moved the points by 1e-14 only, which rounding may."""
    a = Body(shapes.box())
    b = Body(a.mesh, pose=Pose(None, (1.0 + 2.0**-33, 1.0 + 2.0**-33, 0.125)))
    state = closest(a, b)
    assert (state.kind, state.proof) == ("EE", "ring")
    assert verify(state, a, b)
    turned = state.normal + 1e-4 * np.cross(state.normal, (0.0, 0.0, 1.0))
    verdict = verify(state.replace(normal=turned / np.linalg.norm(turned)), a, b)
    assert verdict.answer == "no"


@pytest.mark.parametrize("wide", [3e-10, 1e-5])
def test_the_normal_of_a_needle_does_not_lean_along_it(wide):
    """It was 4e-8 off at a width of 3e-10: true bounds under poses were refused."""
    needle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.6, wide, 0.0]])
    rng = np.random.default_rng(0)
    turns = [Pose.rigid(rng.normal(size=4)).linear for _ in range(50)]
    points = np.array([turn @ (0.5, 0.3 * wide, 1e-3) for turn in turns])
    found = from_triangles(points, np.array([needle @ turn.T for turn in turns]))
    assert found == pytest.approx(1e-3, abs=1e-15)


@pytest.mark.parametrize("name", ["cup", "gear", "hammer", "ring", "icosphere"])
def test_surfaces_are_as_far_apart_as_the_oracle_says(name):
    rng = np.random.default_rng(7)
    mesh = dict(shapes.zoo(non_convex=True))[name]
    a, b = Body(mesh), Body(shapes.star())
    far = np.abs(mesh.points).max()
    for _ in range(4):
        way = rng.normal(size=3)
        at = (1.2 + 1.8 * far) * way / np.linalg.norm(way)
        b.pose = Pose.rigid(rng.normal(size=4), at)
        gap = surface_gap(*(x.world_points()[x.mesh.fan.vertex] for x in (a, b)))
        truth = exhaustive(a, b).distance
        assert truth > 0.0
        assert gap == pytest.approx(truth, rel=1e-12)
