from fractions import Fraction

import numpy as np
import pytest
from queries._exact import dot, rational
from scipy.spatial import ConvexHull

from sim import Body, Pose
from sim.kernels.overlap.fine import fine_gap, fine_radius
from sim.kernels.overlap.penetration import (
    BROKEN,
    CLOSED,
    FULL,
    encloses,
    inner_radius,
    polytope,
    spread,
)
from sim.kernels.overlap.polytope import (
    BLUR,
    DISTANCE,
    FREE,
    HEIGHT,
    PLANE,
    SLIVER,
    add_vertex,
    make_tetrahedron,
    outward,
    put_triangle,
    put_vertex,
)
from sim.kernels.walk.gjk import seed
from sim.tracking.buffers import Buffers
from sim.tracking.views import POLYTOPE_ROOM, make_polytope
from wingedge import shapes


def hull_of(points):
    """Start a polytope from the first four points."""
    hull = make_polytope(64)
    for v, point in enumerate(points[:4]):
        put_vertex(hull, v, tuple(map(float, point)), v, v)
    make_tetrahedron(hull, 1.0)
    return hull


def alive(hull):
    return [f for f in range(hull.filled[1]) if hull.state[f] != FREE]


def corners(hull, f):
    ids = [hull.corners[3 * f + k] for k in range(3)]
    return np.array([[hull.points[3 * v + k] for k in range(3)] for v in ids])


def assert_closed(hull):
    """Every side must lead to a triangle that leads back along the same corners."""
    for f in alive(hull):
        for side in range(3):
            tail = hull.corners[3 * f + side]
            tip = hull.corners[3 * f + (side + 1) % 3]
            g = hull.across[3 * f + side]
            assert hull.state[g] != FREE
            back = [hull.across[3 * g + k] for k in range(3)].index(f)
            assert hull.corners[3 * g + back] == tip
            assert hull.corners[3 * g + (back + 1) % 3] == tail


def visible_from(hull, point):
    """Return the triangle that a point stands highest above, and how high."""
    heights = {
        f: float(np.dot(outward(hull, f), point)) - hull.planes[PLANE * f + HEIGHT]
        for f in alive(hull)
    }
    best = max(heights, key=heights.get)
    return best, heights[best]


def grow(hull, points):
    for v, point in enumerate(points):
        f, above = visible_from(hull, point)
        if above > 1e-12:
            assert add_vertex(hull, f, tuple(map(float, point)), v, v, 1.0)
            assert_closed(hull)


@pytest.mark.parametrize("turned", [False, True])
def test_a_tetrahedron_looks_outward_whichever_way_it_was_given(turned):
    points = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    if turned:
        points = points[[1, 0, 2, 3]]
    hull = hull_of(points)
    assert_closed(hull)
    for f in alive(hull):
        assert hull.planes[PLANE * f + HEIGHT] == pytest.approx(1.0 / np.sqrt(3.0))
        assert hull.planes[PLANE * f + DISTANCE] == pytest.approx(1.0 / np.sqrt(3.0))


@pytest.mark.parametrize("seed", range(8))
def test_it_grows_into_the_convex_hull(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(40, 3))
    hull = hull_of(points)
    grow(hull, points)
    wanted = ConvexHull(points)
    assert len(alive(hull)) == len(wanted.simplices)
    heights = sorted(hull.planes[PLANE * f + HEIGHT] for f in alive(hull))
    assert heights == pytest.approx(sorted(-wanted.equations[:, 3]), abs=1e-12)


def test_level_points_leave_no_triangle_without_area():
    """A grid on every side of a cube: all but eight points lie on planes and edges."""
    ticks = np.linspace(-1.0, 1.0, 3)
    grid = np.array([(x, y, z) for x in ticks for y in ticks for z in ticks])
    rng = np.random.default_rng(0)
    for _ in range(20):
        order = rng.permutation(len(grid))
        points = grid[order]
        first = points[:4]
        if abs(np.linalg.det(first[1:] - first[0])) < 0.1:
            continue
        hull = hull_of(points)
        grow(hull, points)
        for f in alive(hull):
            assert hull.state[f] != SLIVER
            assert hull.planes[PLANE * f + HEIGHT] == pytest.approx(1.0)
        area = sum(
            0.5 * np.linalg.norm(np.cross(p[1] - p[0], p[2] - p[0]))
            for p in (corners(hull, f) for f in alive(hull))
        )
        assert area == pytest.approx(24.0)


def test_a_needle_has_no_plane_but_a_distance():
    hull = make_polytope(8)
    for v, point in enumerate([(-1.0, 0, 2.0), (1.0, 0, 2.0), (0.5, 1e-13, 2.0)]):
        put_vertex(hull, v, point, v, v)
    put_triangle(hull, 0, 0, 1, 2, 2.0)
    assert hull.state[0] == SLIVER
    assert hull.planes[DISTANCE] == pytest.approx(2.0)
    assert hull.planes[BLUR] == 2.0


EPS = 2.0**-52


def pressed(depth):
    a = Body(shapes.grid_box(2), pose=Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.3, 0.2, 0.1)))
    b = Body(shapes.grid_box(2))
    b.pose = Pose(a.pose.linear, a.pose.apply(np.array([0.1, 0.2, 1.0 - depth])))
    buffers = Buffers(a, b, 1e-12)
    buffers.first, buffers.second = (s._replace(scanned=0) for s in buffers.tables[:2])
    return buffers


def exact_heights(body, n):
    rows, (n,) = rational(*body.transform), rational(n)
    points = ([*p, 1] for p in rational(*body.positions))
    return [dot(n, [dot(row, p) for row in rows]) for p in points]


def test_a_gap_is_known_to_its_last_digit_however_much_cancels():
    for depth in (0.0, 3e-16, 1e-13, 1e-9):
        buffers = pressed(depth)
        a, b = buffers.bodies
        for n in (tuple(a.pose.linear[:, 2].tolist()), (0.6, 0.0, 0.8)):
            exact = min(exact_heights(b, n)) - max(exact_heights(a, n))
            found = fine_gap(buffers.first, buffers.second, n)
            assert abs(Fraction(found) - exact) <= EPS * abs(exact) + EPS**1.8


def test_a_depth_is_no_more_than_that_of_the_nearest_triangle():
    for depth in (0.0, 1e-14, 1e-10):
        buffers = pressed(depth)
        parts = buffers.first, buffers.second
        seed(*parts, buffers.origin(), buffers.workspace)
        ended, reach = polytope(*parts, buffers.origin(), buffers.workspace)
        assert ended == CLOSED
        hull = buffers.workspace.hull
        floating = inner_radius(hull)
        radius = fine_radius(*parts, hull, reach, floating)
        assert abs(radius - floating) < 24.0 * EPS * reach
        # Along the normal of any triangle the difference reaches as far, at least.
        for f in range(hull.filled[1]):
            if hull.state[f] != FREE:
                n = tuple(hull.planes[6 * f + k] for k in range(3))
                back = tuple(-x for x in n)
                assert radius <= -fine_gap(*parts, back) + EPS * reach


UNIT = shapes.box((1.0, 1.0, 1.0))
BALL = shapes.icosphere(1)


def pair(mesh_a, mesh_b, pose):
    buffers = Buffers(Body(mesh_a), Body(mesh_b, pose=pose), 1e-12)
    buffers.first, buffers.second = (s._replace(scanned=0) for s in buffers.tables[:2])
    seed(buffers.first, buffers.second, buffers.origin(), buffers.workspace)
    return buffers


def parts(buffers):
    return buffers.first, buffers.second, buffers.origin()


def differences(buffers):
    a, b = (body.world_points() for body in buffers.bodies)
    return (b[:, None] - a[None]).reshape(-1, 3)


def true_depth(buffers):
    a, b = (body.world_points() for body in buffers.bodies)
    if len(a) == len(b) == 642:
        # Two balls: the difference is too large for a hull; any axis bounds it.
        return min(float((b @ m).max() - (a @ m).min()) for m in np.vstack([a, -a]))
    return float((-ConvexHull(differences(buffers)).equations[:, 3]).min())


@pytest.mark.parametrize(
    ("mesh_a", "mesh_b"), [(UNIT, UNIT), (BALL, UNIT), (BALL, shapes.prism())]
)
@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (0.4, 0.1, 0.0), (0.2, -0.3, 0.5)])
def test_the_radius_is_the_depth(mesh_a, mesh_b, at):
    buffers = pair(mesh_a, mesh_b, Pose.rigid((0.3, 0.1, -0.2, 1.0), at))
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert encloses(buffers.workspace.hull)
    radius = inner_radius(buffers.workspace.hull)
    assert radius == pytest.approx(true_depth(buffers), abs=1e-13)


def test_apart_flat_or_touching_the_origin_is_not_inside():
    buffers = pair(UNIT, UNIT, Pose(translation=(0.1, 0.2, 1.5)))
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert not encloses(buffers.workspace.hull)
    assert inner_radius(buffers.workspace.hull) == -0.5
    buffers = pair(UNIT, UNIT, Pose(translation=(0.25, 0.5, 1.0)))
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert inner_radius(buffers.workspace.hull) == 0.0
    buffers = pair(UNIT, UNIT, Pose(translation=(0.0, 0.0, 0.0)))
    for body in buffers.bodies:
        body.points[:, 2] = 0.0
    assert spread(*parts(buffers), buffers.workspace) < 0.0
    assert polytope(*parts(buffers), buffers.workspace)[0] == BROKEN


def test_what_is_remembered_is_proved_again_where_the_bodies_are_now():
    buffers = pair(BALL, UNIT, Pose(translation=(0.4, 0.1, 0.05)))
    polytope(*parts(buffers), buffers.workspace)
    before = buffers.workspace.hull.filled[0]
    buffers.bodies[1].transform[0, 3] = 0.41
    buffers.result.vertices = 0
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert buffers.workspace.hull.filled[0] <= before + 2
    assert inner_radius(buffers.workspace.hull) == pytest.approx(
        true_depth(buffers), abs=1e-13
    )


def test_out_of_room_the_radius_is_a_bound_still():
    buffers = pair(
        shapes.icosphere(3), shapes.icosphere(3), Pose(translation=(0.01, 0.02, 0.03))
    )
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == FULL
    assert buffers.workspace.hull.filled[0] == POLYTOPE_ROOM
    assert 0.0 < inner_radius(buffers.workspace.hull) < true_depth(buffers)
