import itertools  # of wingedge.hull, wingedge.convex

import numpy as np
import pytest

from sim import Body
from wingedge import convex_hull, convexity, geometry, shapes, validate
from wingedge.hull import hull_triangles

TURN = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3  # a rotation by rationals


def is_hull_of(mesh, points):
    planes = geometry.planes(mesh)
    heights = points @ planes[:, :3].T + planes[:, 3]
    return convexity(mesh).is_convex() and heights.max() <= convexity(mesh).tolerance


CLOUDS = {
    "lattice": np.array(list(itertools.product(range(4), repeat=3)), dtype=float),
    "turned lattice": np.array(list(itertools.product(range(4), repeat=3))) @ TURN,
    "turned prism": shapes.prism(9).points @ TURN + 100,
    "flat disc": shapes.cylinder(30, 1.0, 1e-6).points @ TURN,
    "points thrice": np.repeat(shapes.icosphere(1).points, 3, axis=0),
    **{
        f"far {far}, size {size}": (np.random.default_rng(3).normal(size=(60, 3)) + far)
        * size
        for far in (0, 1e3, 1e6)
        for size in (1e-20, 1.0, 1e20)
    },
    "few integers": np.random.default_rng(1).integers(-2, 3, (50, 3)).astype(float),
}


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("name", CLOUDS)
def test_hulls_are_convex_wherever_however_large_and_degenerate(name, merge):
    mesh = convex_hull(CLOUDS[name], merge)
    validate(mesh)
    assert is_hull_of(mesh, CLOUDS[name])


def test_merged_faces_are_polygons_without_inner_points_and_others_triangles():
    box = convex_hull(CLOUDS["turned lattice"], merge_coplanar=True)
    assert (box.n_vertices, box.n_edges, box.n_faces) == (8, 12, 6)
    prism = convex_hull(CLOUDS["turned prism"], merge_coplanar=True)
    sizes = sorted(len(prism.face_vertices(f)) for f in range(prism.n_faces))
    assert sizes == [4] * 9 + [9, 9]
    for bulge in [0.0, 1e-13]:
        lattice = np.array(list(itertools.product((-1, 0, 1), repeat=3)), dtype=float)
        lattice *= 1 + bulge * (np.abs(lattice).sum(axis=1, keepdims=True) < 3)
        box = convex_hull(lattice, merge_coplanar=True)
        assert (box.n_vertices, box.n_edges, box.n_faces) == (8, 12, 6)
    triangles = convex_hull(CLOUDS["lattice"])
    assert (triangles.n_vertices, triangles.n_faces) == (8, 12)


def test_hulls_keep_their_points_in_an_order_of_their_own():
    points = np.vstack([[[0.1, 0.1, 0.1]], shapes.box(2.0).points, [[0, 0, 0.5]]])
    mesh = convex_hull(points, True)
    assert mesh.source_vertices.tolist() == list(range(1, 9))
    assert (mesh.points == points[mesh.source_vertices]).all()
    assert not mesh.source_vertices.flags.writeable
    mesh = convex_hull(shapes.random_hull(4, 30).points)
    faces = mesh.fan.vertex.tolist()
    assert faces == sorted(faces)
    assert all(face[0] == min(face) for face in faces)
    faces = hull_triangles(mesh.points).tolist()
    assert faces == sorted(faces)
    for seed in range(10):
        mesh = shapes.random_hull(seed, 80)
        assert mesh.n_vertices == 80
        assert mesh.n_faces == 2 * 80 - 4


TURNED = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def named(mesh, points=None):
    body = Body(mesh, convexity="hull")
    if points is not None:
        body.points = points
    return body.cover()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("cells", [1, 3])
def test_a_divided_box_keeps_its_own_names(cells, turned):
    mesh = shapes.grid_box(cells)
    points = mesh.points @ (TURNED if turned else np.eye(3))
    cover = named(mesh, points)
    own = cover.vertices
    assert [cover.lies_on(0, v) for v in range(len(own))] == [
        (v,) for v in own.tolist()
    ]
    faces = set()
    for f in range(cover.hull.n_faces):
        found = cover.lies_on(2, f)
        faces |= set(found)
        normal = np.cross(*np.diff(points[cover.faces[f]], axis=0))
        if np.linalg.norm(normal) > 1e-6:
            assert len(found) in (1, cells**2)
    assert faces == set(range(mesh.n_faces))


def test_a_long_edge_is_called_by_the_true_edges_along_it():
    mesh = shapes.grid_box(3)
    cover = named(mesh)
    chains = 0
    for e in range(cover.hull.n_edges):
        found = cover.lies_on(1, e)
        ends = cover.vertices[cover.hull.edge_vertices[e]].tolist()
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
    cover = named(mesh, points)
    lids = [
        f for f in range(cover.hull.n_faces) if cover.lies_on(2, f)[0] >= mesh.n_faces
    ]
    assert lids == cover.lids.tolist()
    assert [cover.lies_on(2, f)[0] - mesh.n_faces for f in lids] == lids
    inner = [
        e for e in range(cover.hull.n_edges) if cover.lies_on(1, e)[0] >= mesh.n_edges
    ]
    assert len(inner) == len(lids) - 1
    for e in inner:
        (number,) = cover.lies_on(1, e)
        k, s = divmod(number - mesh.n_edges, 3)
        corners = cover.faces[k]
        ends = cover.vertices[cover.hull.edge_vertices[e]]
        assert {int(corners[s]), int(corners[(s + 1) % 3])} == set(ends.tolist())
