import math

import numpy as np
import pytest

from sim import Body, Pose, closest, exhaustive, verify
from sim.tracking.proof.triangle_gap import (
    from_surface,
    from_triangles,
    near_pairs,
    surface_gap,
    windings,
)
from wingedge import shapes

MESHES = dict(shapes.zoo(non_convex=True))


def triangles_of(name, turn=0.0):
    points = MESHES[name].points + turn
    return points[MESHES[name].fan.vertex]


def half_solid_angle(corners):
    u, v, w = corners.swapaxes(0, 1) / np.linalg.norm(corners, axis=2).T[:, :, None]
    top = (u * np.cross(v, w)).sum(axis=1)
    return np.arctan2(top, 1.0 + (u * v + v * w + w * u).sum(axis=1)).sum()


@pytest.mark.parametrize("name", ["l_block", "gear", "ring", "star"])
def test_no_pair_of_triangles_is_left_out(name):
    one, other = triangles_of(name), triangles_of("star", 0.7)
    for limit in (0.0, 0.1, 10.0):
        found = {
            (int(x), int(y))
            for i, j, _ in near_pairs(one, other, limit)
            for x, y in zip(i, j, strict=True)
        }
        gap = np.maximum(
            one.min(axis=1)[:, None] - other.max(axis=1),
            other.min(axis=1) - one.max(axis=1)[:, None],
        )
        near = np.linalg.norm(np.maximum(gap, 0.0), axis=2) <= limit
        assert found == set(zip(*map(np.ndarray.tolist, near.nonzero()), strict=True))


@pytest.mark.parametrize("name", ["l_block", "gear", "ring", "star", "hammer"])
def test_points_are_as_far_inside_as_each_triangle_says(name):
    """Among them points over corners and edges, where a ray cannot say."""
    triangles = triangles_of(name)
    points = np.random.default_rng(3).uniform(-1.2, 1.2, (150, 3))
    points[:40] = np.round(4.0 * points[:40]) / 4.0
    far = [from_triangles(p[None], triangles).min() for p in points]
    np.testing.assert_array_equal(from_surface(points, triangles), far)
    turns = windings(points, triangles)
    sure = np.array(far) > 1e-9
    angles = [half_solid_angle(triangles - p) / (2.0 * np.pi) for p in points[sure]]
    assert sure.sum() > 100
    np.testing.assert_allclose(turns[sure], angles, atol=1e-6)


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


FLAT = np.array([[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]]])


def test_points_are_as_far_from_a_triangle_as_by_hand():
    for point, distance in [
        ((1.0, 1.0, 2.0), 2.0),  # over the inside
        ((2.0, -3.0, 4.0), 5.0),  # before an edge
        ((7.0, 0.0, -4.0), 5.0),  # beyond a corner
        ((3.0, 4.0, 0.0), 2.6),  # in the plane, before the long edge
        ((0.0, 3.0, 0.0), 0.0),
    ]:
        found = from_triangles(np.array([point]), FLAT)
        assert found[0] == pytest.approx(distance, abs=1e-15)


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
