import numpy as np
import pytest

from sim import Body, Pose
from sim.tracking.brute.exhaustive import PairSearch
from sim.tracking.brute.solid import deepest_vertices, depth_of_hulls
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, shapes

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


def test_the_axis_of_the_hulls_overlaps_least():
    a, b = overlapping(1)
    buffers = Buffers(a, b, 1e-12)
    buffers.choose_proofs()
    truth = PairSearch(buffers, enumerated=True).answer()
    _, depth, axes = depth_of_hulls(buffers)
    assert axes[0] == pytest.approx(truth.normal, abs=1e-12)
    assert -depth == pytest.approx(truth.distance, rel=1e-9)
