"""Parts of a cover in the numbers of the true surface."""

import numpy as np
import pytest

from sim import Body
from sim.hulls.solid import Hull
from wingedge import shapes
from wingedge.cover import HullNames

TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def named(mesh, points=None):
    body = Body(mesh, convexity="hull")
    if points is not None:
        body.points = points
    hull = Hull(body)
    return hull, HullNames(hull.cover_now, hull.mesh)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("cells", [1, 3])
def test_a_divided_box_keeps_its_own_names(cells, turned):
    mesh = shapes.grid_box(cells)
    points = mesh.points @ (TURN if turned else np.eye(3))
    hull, names = named(mesh, points)
    own = hull.cover_now.vertices
    assert [names.of(0, v) for v in range(len(own))] == [(v,) for v in own.tolist()]
    faces = set()
    for f in range(hull.mesh.n_faces):
        found = names.of(2, f)
        faces |= set(found)
        normal = np.cross(*np.diff(points[hull.cover_now.faces[f]], axis=0))
        if np.linalg.norm(normal) > 1e-6:
            assert len(found) in (1, cells**2)
    assert faces == set(range(mesh.n_faces))


def test_a_long_edge_is_called_by_the_true_edges_along_it():
    mesh = shapes.grid_box(3)
    hull, names = named(mesh)
    chains = 0
    for e in range(hull.mesh.n_edges):
        found = names.of(1, e)
        ends = hull.cover_now.vertices[hull.mesh.edge_vertices[e]].tolist()
        if found[0] < mesh.n_edges:
            chains += 1
            assert len(found) == 3
            on = mesh.edge_vertices[list(found)].ravel()
            assert np.isin(ends, on).all()
    assert chains == 12  # the diagonals of the sides are no edges of the mesh


def test_what_closes_a_dent_is_a_lid():
    mesh = shapes.icosphere(2)
    points = mesh.points.copy()
    points[3] *= 0.5
    hull, names = named(mesh, points)
    lids = [f for f in range(hull.mesh.n_faces) if names.of(2, f)[0] >= mesh.n_faces]
    assert lids == hull.cover_now.lids.tolist()
    assert [names.of(2, f)[0] - mesh.n_faces for f in lids] == lids
    inner = [e for e in range(hull.mesh.n_edges) if names.of(1, e)[0] >= mesh.n_edges]
    assert len(inner) == len(lids) - 1
    for e in inner:
        (number,) = names.of(1, e)
        k, s = divmod(number - mesh.n_edges, 3)
        corners = hull.cover_now.faces[k]
        ends = hull.cover_now.vertices[hull.mesh.edge_vertices[e]]
        assert {int(corners[s]), int(corners[(s + 1) % 3])} == set(ends.tolist())


def test_a_face_of_a_u_is_called_by_true_faces_and_the_gap_by_lids():
    mesh = shapes.u_block()
    hull, names = named(mesh)
    found = [names.of(2, f) for f in range(hull.mesh.n_faces)]
    true = {n for part in found for n in part if n < mesh.n_faces}
    assert true <= set(np.flatnonzero(hull.cover_now.on_cover).tolist())
    assert any(part[0] >= mesh.n_faces for part in found)
