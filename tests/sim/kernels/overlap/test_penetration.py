"""The polytope of the difference: supports, start, expansion, the proven radius."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from sim import Body, Pose
from sim.kernels.overlap.penetration import (
    BROKEN,
    CLOSED,
    FULL,
    encloses,
    inner_radius,
    polytope,
    spread,
)
from sim.kernels.walk.gjk import seed
from sim.tracking.buffers import POLYTOPE_ROOM, Buffers
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
BALL = shapes.icosphere(1)


def pair(mesh_a, mesh_b, pose):
    buffers = Buffers(Body(mesh_a), Body(mesh_b, pose=pose), 1e-12)
    buffers.set_scanned(False, False)
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


def test_bodies_that_are_apart_leave_the_origin_outside():
    buffers = pair(UNIT, UNIT, Pose(translation=(0.1, 0.2, 1.5)))
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert not encloses(buffers.workspace.hull)
    assert inner_radius(buffers.workspace.hull) == -0.5


def test_exact_touch_is_a_radius_of_zero():
    buffers = pair(UNIT, UNIT, Pose(translation=(0.25, 0.5, 1.0)))
    ended, _ = polytope(*parts(buffers), buffers.workspace)
    assert ended == CLOSED
    assert inner_radius(buffers.workspace.hull) == 0.0


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


def test_a_flat_difference_has_no_polytope():
    buffers = pair(UNIT, UNIT, Pose(translation=(0.0, 0.0, 0.0)))
    for body in buffers.bodies:
        body.points[:, 2] = 0.0
    assert spread(*parts(buffers), buffers.workspace) < 0.0
    assert polytope(*parts(buffers), buffers.workspace)[0] == BROKEN


def test_the_first_tetrahedron_is_wide():
    buffers = pair(UNIT, UNIT, Pose(translation=(0.25, 0.0, 0.0)))
    reach = spread(*parts(buffers), buffers.workspace)
    assert reach == 0.75
    hull = buffers.workspace.hull
    p = np.array(list(hull.points[:12])).reshape(4, 3)
    assert abs(np.linalg.det(p[1:] - p[0])) > 1.0
    for v in range(4):
        a, b = (body.world_points() for body in buffers.bodies)
        assert p[v].tolist() == (b[hull.ids[2 * v + 1]] - a[hull.ids[2 * v]]).tolist()
