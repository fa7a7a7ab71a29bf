"""The checker's own distances, against the oracle and by hand."""

import numpy as np
import pytest

from sim import Body, Pose, exhaustive
from sim.tracking.proof.triangle_gap import from_triangles, surface_gap
from wingedge import shapes

FLAT = np.array([[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]]])


@pytest.mark.parametrize(
    ("point", "distance"),
    [
        ((1.0, 1.0, 2.0), 2.0),  # over the inside
        ((2.0, -3.0, 4.0), 5.0),  # before an edge
        ((7.0, 0.0, -4.0), 5.0),  # beyond a corner
        ((3.0, 4.0, 0.0), 2.6),  # in the plane, before the long edge
        ((0.0, 3.0, 0.0), 0.0),
    ],
)
def test_points_are_as_far_from_a_triangle_as_by_hand(point, distance):
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
