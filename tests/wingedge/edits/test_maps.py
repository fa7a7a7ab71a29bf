import numpy as np  # of wingedge.edits, wingedge.maps
import pytest

from wingedge import Feature, edits, shapes
from wingedge.edits import Maps

TABLES = ("vertex", "edge", "face")


def test_maps_in_a_row_say_what_the_edits_say_one_by_one(mesh, edit_at_random):
    total = Maps.identity(mesh)
    numbers = [getattr(total, name).tolist() for name in TABLES]
    points = values = mesh.points * 3.0 - 1.0
    for _, (after, maps) in edit_at_random(mesh, 10, seed=3):
        total = total.then(maps)
        points = maps.carry(points)
        for known, name in zip(numbers, TABLES, strict=True):
            table = getattr(maps, name).tolist()
            known[:] = [k if k < 0 else table[k] for k in known]
            assert getattr(total, name).tolist() == known
        assert total.parents.face.max() < mesh.n_faces
        np.testing.assert_allclose(total.carry(values), points, rtol=0, atol=1e-12)
        start, _, weight = total.parents.vertex
        np.testing.assert_allclose(np.add.reduceat(weight, start[:-1]), 1.0, atol=1e-12)
        assert len(total.parents.edge) == after.n_edges


def test_a_vertex_that_came_twice_counts_once():
    mesh, first = edits.split_edge(shapes.tetrahedron(), 0, 0.25)
    tail, tip = shapes.tetrahedron().edge_vertices[0].tolist()
    _, second = edits.split_edge(mesh, 0, 0.5)  # from the tail to the new vertex
    blend = first.then(second).parents.vertex
    here = slice(blend.start[5], blend.start[6])
    assert dict(zip(blend.vertex[here].tolist(), blend.weight[here], strict=True)) == {
        tail: 0.875,
        tip: 0.125,
    }


def test_a_feature_is_called_by_its_new_name_or_gone():
    mesh = shapes.icosphere(1)
    _, maps = edits.flip_edge(mesh, 0)
    assert maps.feature(Feature("edge", 0)) is None
    assert maps.feature(Feature("face", int(mesh.edge_faces[0, 1]))) is None
    assert maps.feature(Feature("vertex", 3)) == Feature("vertex", 3)
    with pytest.raises(IndexError, match="had no face 80"):
        maps.feature(Feature("face", 80))
