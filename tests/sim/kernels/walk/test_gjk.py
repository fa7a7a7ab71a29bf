import numpy as np
import pytest

from sim import Body, Pose
from sim.kernels.vector import dot, pull
from sim.kernels.walk import gjk
from sim.kernels.walk.gjk import proven_support, seed, walk
from sim.result.plain import work_of
from sim.tracking.buffers import Buffers
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
NOTHING = (np.nan, np.nan, np.nan)


def pair(mesh_a, mesh_b, at, linear=None, scanned=False):
    a, b = Body(mesh_a), Body(mesh_b, pose=Pose(linear, at))
    buffers = Buffers(a, b, 1e-12)
    buffers.first, buffers.second = (
        s._replace(scanned=int(scanned)) for s in buffers.tables[:2]
    )
    return buffers


def start(buffers, *ids):
    buffers.workspace.simplex[0] = len(ids)
    for k, (va, vb) in enumerate(ids):
        buffers.workspace.simplex[1 + k] = va
        buffers.workspace.simplex[5 + k] = vb


def walked(buffers, strict=1):
    b = buffers
    return walk(b.first, b.second, b.origin(), strict, b.workspace)


def place_of(buffers, va, vb):
    a, b = buffers.bodies
    return b.world_points()[vb] - a.world_points()[va]


def test_a_cold_start_takes_the_first_vertices_and_no_translation_of_the_first_body():
    buffers = pair(UNIT, UNIT, (5.0, 4.0, 3.0))
    seed(buffers.first, buffers.second, buffers.origin(), buffers.workspace)
    assert buffers.workspace.simplex[0] == 1
    assert UNIT.points[buffers.workspace.simplex[1]].tolist() == [0.5, 0.5, 0.5]
    assert UNIT.points[buffers.workspace.simplex[5]].tolist() == [-0.5, -0.5, -0.5]
    assert work_of(buffers.result) == (0, 0, 0, 2, 0)
    buffers = pair(UNIT, UNIT, (3.0, 0.1, 0.2))
    origin = buffers.origin()
    for body in buffers.bodies:
        body.transform[:, 3] = NOTHING
    start(buffers, (1, 0))
    status, n, _, _ = walk(buffers.first, buffers.second, origin, 1, buffers.workspace)
    assert status == gjk.APART
    assert n == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("scanned", [False, True])
@pytest.mark.parametrize("first", [(0, 0), (7, 7), (2, 5)])
@pytest.mark.parametrize(
    ("at", "d"),
    [
        ((3.0, 0.1, 0.2), 2.0),
        ((3.0, 5.0, 0.1), np.sqrt(4.0 + 16.0)),
        ((2.0, 3.0, 3.0), 3.0),
        ((-2.0, -3.0, -3.0), 3.0),
        ((0.0, 0.0, 1.0 + 2.0**-40), 2.0**-40),
    ],
)
def test_the_walk_ends_at_the_closest_simplex_wherever_it_starts(at, d, first, scanned):
    buffers = pair(UNIT, UNIT, at, scanned=scanned)
    start(buffers, first)
    status, n, va, vb = walked(buffers)
    assert status == gjk.APART
    assert abs(dot(n, n) - 1.0) < 1e-15
    gap = place_of(buffers, va, vb) @ n
    assert gap == pytest.approx(d, rel=1e-12)
    assert 1 <= buffers.workspace.simplex[0] <= 3


@pytest.mark.parametrize(
    "at",
    [(0.2, 0.1, 0.3), (1.0, 0.1, 0.2), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0, 0, 0)],
)
def test_bodies_that_touch_or_overlap_meet(at):
    buffers = pair(UNIT, UNIT, at)
    for first in ((0, 0), (7, 0), (0, 7)):
        start(buffers, first)
        assert walked(buffers)[0] == gjk.MEETING
        assert buffers.workspace.simplex[0] in (1, 2, 3, 4)


def test_without_convergence_the_walk_is_lost_and_its_ids_are_still_vertices(
    monkeypatch,
):
    monkeypatch.setattr(gjk, "STEP_LIMIT", 1)
    buffers = pair(shapes.icosphere(2), shapes.icosphere(2), (3.0, 2.0, 1.0))
    start(buffers, (0, 0))
    assert walked(buffers)[0] == gjk.LOST
    count = buffers.workspace.simplex[0]
    assert 1 <= count <= 4
    assert all(0 <= buffers.workspace.simplex[k] < 162 for k in (*range(1, 1 + count),))
    monkeypatch.setattr(gjk, "STEP_LIMIT", 64)
    assert walked(buffers)[0] == gjk.APART


def inner_vertex(mesh, side):
    """Find a vertex inside the flat part at x = side / 2."""
    x, y, z = mesh.points.T
    return int(np.nonzero((x == 0.5 * side) & (abs(y) < 0.3) & (abs(z) < 0.3))[0][0])


def test_a_strict_walk_leaves_a_flat_part_that_faces_away():
    """The ring of such a vertex ties: the lax walk believes it, the strict one not."""
    grid = shapes.grid_box(4, (1.0, 1.0, 1.0))
    gaps = []
    for strict in (0, 1):
        buffers = pair(grid, grid, (1.3, 0.0, 0.0))
        start(buffers, (inner_vertex(grid, -1), inner_vertex(grid, 1)))
        status, n, va, vb = walked(buffers, strict)
        assert status == gjk.APART
        gaps.append(float(place_of(buffers, va, vb) @ n))
        assert (buffers.result.scans > 0) == (strict == 1)
    assert gaps[0] > 2.0
    assert gaps[1] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("scanned", "strict", "scans", "found"),
    [(0, 0, 0, "same"), (0, 1, 1, "top"), (1, 0, 1, "top"), (1, 1, 1, "top")],
)
def test_a_doubtful_support_is_scanned_where_it_matters(scanned, strict, scans, found):
    grid = shapes.grid_box(4, (1.0, 1.0, 1.0))
    side = pair(grid, grid, (9.0, 0.0, 0.0), scanned=bool(scanned)).first
    buffers = pair(grid, grid, (9.0, 0.0, 0.0))
    result = buffers.result
    low = inner_vertex(grid, -1)
    v = proven_support(side, strict, low, pull(side.pose, (1.0, 0.0, 0.0)), result)
    assert result.scans == scans
    assert grid.points[v, 0] == (-0.5 if found == "same" else 0.5)
