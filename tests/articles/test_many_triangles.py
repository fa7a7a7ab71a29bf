"""wingedge.spatial.tree: Yamazaki (2002), section 6: too many to test; octree, BSP."""

import numpy as np
import pytest

from wingedge import shapes
from wingedge.primitives import segment_triangle
from wingedge.spatial import BSPTree, Octree


@pytest.fixture(scope="module")
def model():
    """A body of 5120 triangles, and the steps of a walk into it and past it."""
    mesh = shapes.icosphere(4)
    rng = np.random.default_rng(0)
    start = 1.5 * rng.normal(size=(60, 3))
    return mesh.points[mesh.fan.vertex], start, 0.6 * rng.normal(size=(60, 3))


@pytest.mark.parametrize("kind", [Octree, BSPTree])
def test_a_division_of_space_tests_few_polygons_and_stops_at_the_same_one(kind, model):
    triangles, start, end = model
    found = kind(triangles).first_hit(start, end)
    assert found.tested.max() < 0.01 * len(triangles)
    for k in range(0, len(start), 4):
        every = segment_triangle.hit(start[k], end[k], *triangles.transpose(1, 0, 2))
        if every.hit.any():
            assert every.hit[found.triangle[k]]
            assert found.t[k] == every.t[found.triangle[k]]
            assert found.t[k] <= np.nanmin(every.t) + 1.3e-13
        else:
            assert found.triangle[k] == -1
    assert 10 < (found.triangle >= 0).sum() < 60


@pytest.mark.parametrize("kind", [Octree, BSPTree])
def test_tested_polygons_grow_far_slower_than_the_model(kind):
    tested = []
    for subdivisions in (2, 3, 4):
        mesh = shapes.icosphere(subdivisions)
        rng = np.random.default_rng(1)
        start, end = 2.0 * rng.normal(size=(2, 80, 3))
        index = kind(mesh.points[mesh.fan.vertex])
        tested.append(float(index.first_hit(start, end).tested.mean()))
    assert len(shapes.icosphere(4).fan.vertex) == 16 * len(
        shapes.icosphere(2).fan.vertex
    )
    assert tested[2] < 1.5 * tested[0] + 1
