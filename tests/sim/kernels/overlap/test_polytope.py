from fractions import Fraction  # of sim.kernels.overlap.polytope

import numpy as np
from queries._exact import dot, rational

from sim import Body, Pose
from sim.kernels.overlap.fine import fine_gap, fine_radius
from sim.kernels.overlap.penetration import (
    BROKEN,
    CLOSED,
    encloses,
    expand,
    inner_radius,
    spread,
)
from sim.kernels.overlap.polytope import FREE, PLANE
from sim.kernels.walk.gjk import seed
from sim.tracking.buffers import Buffers
from wingedge import shapes

EPS = 2.0**-52


def pressed(depth):
    a = Body(shapes.grid_box(2), pose=Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.3, 0.2, 0.1)))
    b = Body(shapes.grid_box(2))
    b.pose = Pose(a.pose.linear, a.pose.apply(np.array([0.1, 0.2, 1.0 - depth])))
    buffers = Buffers(a, b, 1e-12)
    for side in buffers.tables[:2]:
        side.proofs.scanned = 0
    return buffers


def grown(*of):
    return expand(*of[:3], spread(*of), of[3])


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
        ended, reach = grown(*parts, buffers.origin(), buffers.workspace)
        assert ended == CLOSED
        hull = buffers.workspace.hull
        floating = inner_radius(hull)
        radius = fine_radius(*parts, hull, reach, floating)
        assert abs(radius - floating) < 24.0 * EPS * reach
        # Along the normal of any triangle the difference reaches as far, at least.
        for f in range(hull.filled[1]):
            if hull.state[f] != FREE:
                n = tuple(hull.planes[PLANE * f + k] for k in range(3))
                back = tuple(-x for x in n)
                assert radius <= -fine_gap(*parts, back) + EPS * reach


UNIT = shapes.box((1.0, 1.0, 1.0))


def pair(mesh_a, mesh_b, pose):
    buffers = Buffers(Body(mesh_a), Body(mesh_b, pose=pose), 1e-12)
    for side in buffers.tables[:2]:
        side.proofs.scanned = 0
    seed(buffers.first, buffers.second, buffers.origin(), buffers.workspace)
    return buffers


def parts(buffers):
    return buffers.first, buffers.second, buffers.origin()


def test_apart_flat_or_touching_the_origin_is_not_inside():
    buffers = pair(UNIT, UNIT, Pose(translation=(0.1, 0.2, 1.5)))
    ended, _ = grown(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert not encloses(buffers.workspace.hull)
    assert inner_radius(buffers.workspace.hull) == -0.5
    buffers = pair(UNIT, UNIT, Pose(translation=(0.25, 0.5, 1.0)))
    ended, _ = grown(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert inner_radius(buffers.workspace.hull) == 0.0
    buffers = pair(UNIT, UNIT, Pose(translation=(0.0, 0.0, 0.0)))
    for body in buffers.bodies:
        body.points[:, 2] = 0.0
    assert spread(*parts(buffers), buffers.workspace) < 0.0
    assert grown(*parts(buffers), buffers.workspace)[0] == BROKEN
