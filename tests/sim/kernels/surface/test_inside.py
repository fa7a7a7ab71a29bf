import numpy as np
import pytest
from stories.brute import Solid, winding

from sim import Body, Pose, closest, exhaustive
from sim.kernels.vector import HERE
from sim.tracking.brute.search import PairSearch
from sim.tracking.brute.solid import deepest_vertices, depth_of_hulls
from sim.tracking.brute.surface import surface_of
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, shapes
from wingedge.primitives import point_triangle

BALL = shapes.icosphere(1, 0.6)
PAIRS = [
    (shapes.cup(7), BALL),
    (shapes.star(), BALL),
    (shapes.l_block(2.0), shapes.u_block()),
    (shapes.ring(), shapes.gear(5)),
]


def overlapping(k):
    rng = np.random.default_rng(k)
    mesh, other = PAIRS[k]
    a, b = Body(mesh, name="a"), Body(other, name="b")
    b.points[...] = other.points * (
        1.0 + 0.1 * rng.uniform(-1, 1, (len(other.points), 1))
    )
    b.pose = Pose.rigid(rng.normal(size=4), rng.normal(size=3) * 0.15)
    return a, b


def deepest_vertex(a, b):
    """Independently: by solid angles (van Oosterom, Strackee 1983), all compared."""
    corners = b.points[b.triangles]
    inside = winding(a.points, Solid(b.points, b.triangles, None)) > 0.5
    hit = point_triangle.closest(a.points[:, None], *corners.swapaxes(0, 1)[:, None])
    best = hit.distance_sq.argmin(axis=1)
    depth = np.sqrt(hit.distance_sq.min(axis=1)) * inside
    deep = int(depth.argmax())
    at, point = a.points[deep], hit.point[deep, best[deep]]
    return depth[deep], deep, tuple(at.tolist()), point


@pytest.mark.parametrize("k", range(len(PAIRS)))
@pytest.mark.parametrize("turned", [1.0, -1.0])
def test_the_deepest_vertices_are_those_of_all_comparisons(k, turned):
    a, b = overlapping(k)
    a.points[...] = a.mesh.points * np.array([1.0, turned, 1.0])
    buffers = Buffers(a, b, 1e-12)
    buffers.choose_proofs()
    first, second = surface_of(a, HERE), surface_of(b, buffers.origin())
    expected = deepest_vertex(first, second), deepest_vertex(second, first)
    for found, (depth, v, at, point) in zip(
        deepest_vertices(buffers), expected, strict=True
    ):
        assert found.depth == pytest.approx(depth, abs=1e-14)
        if depth > 0.0:
            assert (found.vertex, found.at) == (v, at)
            assert found.point == pytest.approx(point, abs=1e-13)


@pytest.mark.parametrize("scale", [1.0, 0.05])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -0.6, 0.8)])
def test_the_deepest_vertices_are_the_same_along_any_axis(axis, scale):
    """What lies deeper than the bodies reach into each other is not asked any more.

    Every vertex in the box of the other was asked for its side, in 5 ms of a frame of
    640 vertices each that overlapped by next to nothing.
    """
    for k, at in enumerate([(0.5, 0.0, 0.0), (0.1, 0.0, 0.1), (0.4, 0.4, 0.4)]):
        a, b = overlapping(k)
        b.pose = Pose(scale * b.pose.linear, at)
        buffers = Buffers(a, b, 1e-12)
        buffers.choose_proofs()
        first, second = surface_of(a, HERE), surface_of(b, buffers.origin())
        expected = deepest_vertex(first, second), deepest_vertex(second, first)
        for found, (depth, v, at, _) in zip(
            deepest_vertices(buffers, axis), expected, strict=True
        ):
            assert (found.vertex, found.at) == ((v, at) if depth else (-1, HERE))


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.48, -0.6, 0.64)])
def test_of_vertices_that_lie_equally_deep_the_first_is_told(axis):
    """They are asked leaf by leaf, and first of all one that lies deep in the box."""
    fine = shapes.grid_box((4, 4, 4), 1.0)
    order = np.random.default_rng(3).permutation(fine.n_vertices)
    place = np.argsort(order)
    faces = [place[fine.face_vertices(f)].tolist() for f in range(fine.n_faces)]
    mesh = WingedEdgeMesh.from_faces(fine.points[order], faces)
    buffers = Buffers(Body(mesh), Body(shapes.box(4.0)), 1e-12)
    buffers.choose_proofs()
    one, two = deepest_vertices(buffers, axis)
    inside = one if buffers.bodies[0].mesh is mesh else two
    assert inside.vertex == 0
    assert inside.depth == 1.5


@pytest.mark.parametrize("k", range(len(PAIRS)))
def test_an_overlap_is_the_interval_of_the_oracle_without_its_cost(k):
    a, b = overlapping(k)
    state, truth = closest(a, b), exhaustive(a, b)
    assert state.distance < 0.0
    assert state.work.fallbacks == 0
    assert state.distance == pytest.approx(truth.distance, rel=1e-9)
    assert state.upper == pytest.approx(truth.upper, rel=1e-9, abs=1e-13)
    assert state.lower <= state.distance <= state.upper
    assert (state.kind, state.certified) == (truth.kind, truth.certified)
    assert (state.feature_a, state.feature_b) == (truth.feature_a, truth.feature_b)
    assert len(state.contacts) == len(truth.contacts)


def test_the_axis_of_the_hulls_overlaps_least():
    a, b = overlapping(1)
    buffers = Buffers(a, b, 1e-12)
    buffers.choose_proofs()
    truth = PairSearch(buffers, enumerated=True).answer()
    _, depth, axes = depth_of_hulls(buffers)
    assert axes[0] == pytest.approx(truth.normal, abs=1e-12)
    assert -depth == pytest.approx(truth.distance, rel=1e-9)
