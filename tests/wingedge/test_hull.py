import itertools

import numpy as np
import pytest

from wingedge import MeshError, convex_hull, convexity, geometry, shapes, validate

TURN = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3  # a rotation by rationals


def is_hull_of(mesh, points):
    planes = geometry.planes(mesh)
    heights = points @ planes[:, :3].T + planes[:, 3]
    return convexity(mesh).is_convex() and heights.max() <= convexity(mesh).tolerance


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("offset", [0, 1e3, 1e6])
@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_hulls_are_convex_wherever_and_however_large(merge, offset, scale):
    points = np.random.default_rng(3).normal(size=(60, 3)) + offset
    mesh = convex_hull(points * scale, merge)
    validate(mesh)
    assert is_hull_of(mesh, points * scale)


CLOUDS = {
    "lattice": np.array(list(itertools.product(range(4), repeat=3)), dtype=float),
    "turned lattice": np.array(list(itertools.product(range(4), repeat=3))) @ TURN,
    "turned prism": shapes.prism(9).points @ TURN + 100,
    "flat disc": shapes.cylinder(30, 1.0, 1e-6).points @ TURN,
    "points thrice": np.repeat(shapes.icosphere(1).points, 3, axis=0),
    "few integers": np.random.default_rng(1).integers(-2, 3, (50, 3)).astype(float),
}


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("name", CLOUDS)
def test_degenerate_clouds_have_hulls(name, merge):
    mesh = convex_hull(CLOUDS[name], merge)
    validate(mesh)
    assert is_hull_of(mesh, CLOUDS[name])


def test_merged_faces_are_the_polygons_of_the_body():
    box = convex_hull(CLOUDS["turned lattice"], merge_coplanar=True)
    assert (box.n_vertices, box.n_edges, box.n_faces) == (8, 12, 6)
    prism = convex_hull(CLOUDS["turned prism"], merge_coplanar=True)
    sizes = sorted(len(prism.face_vertices(f)) for f in range(prism.n_faces))
    assert sizes == [4] * 9 + [9, 9]


@pytest.mark.parametrize("bulge", [0.0, 1e-13])
def test_points_inside_merged_faces_and_straight_edges_are_dropped(bulge):
    lattice = np.array(list(itertools.product((-1, 0, 1), repeat=3)), dtype=float)
    lattice *= 1 + bulge * (np.abs(lattice).sum(axis=1, keepdims=True) < 3)
    box = convex_hull(lattice, merge_coplanar=True)
    assert (box.n_vertices, box.n_edges, box.n_faces) == (8, 12, 6)


def test_unmerged_faces_are_triangles_over_the_same_vertices():
    triangles = convex_hull(CLOUDS["lattice"])
    assert (triangles.n_vertices, triangles.n_faces) == (8, 12)


def test_source_vertices_index_into_the_input():
    points = np.vstack([[[0.1, 0.1, 0.1]], shapes.box(2.0).points, [[0, 0, 0.5]]])
    mesh = convex_hull(points, True)
    assert mesh.source_vertices.tolist() == list(range(1, 9))
    assert (mesh.points == points[mesh.source_vertices]).all()
    assert not mesh.source_vertices.flags.writeable


def test_faces_do_not_depend_on_the_order_in_which_qhull_works():
    mesh = convex_hull(shapes.random_hull(4, 30).points)
    faces = mesh.fan.vertex.tolist()
    assert faces == sorted(faces)
    assert all(face[0] == min(face) for face in faces)


@pytest.mark.parametrize(
    ("points", "invariant", "word"),
    [
        (np.zeros((5, 3)), "positive volume", "one plane"),
        (np.eye(3), "positive volume", "at least four"),
        ([], "positive volume", "at least four"),
        (shapes.box().points * [1, 1, 0], "positive volume", "one plane"),
        ([[0, 0, 0], [1, 0, 0], [0, np.nan, 0], [0, 0, 1]], "finite", "vertex 2"),
    ],
)
def test_points_without_a_body_are_refused_in_one_sentence(points, invariant, word):
    with pytest.raises(MeshError, match=word) as refused:
        convex_hull(points)
    assert refused.value.invariant == invariant
    assert "\n" not in str(refused.value)


def test_a_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"\(4, 2\)"):
        convex_hull(np.zeros((4, 2)))


@pytest.mark.parametrize("seed", range(10))
def test_random_hulls_keep_every_point_of_the_sphere(seed):
    mesh = shapes.random_hull(seed, 80)
    assert mesh.n_vertices == 80
    assert mesh.n_faces == 2 * 80 - 4
