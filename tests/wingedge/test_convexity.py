import json  # of wingedge.convex
from itertools import pairwise

import numpy as np
import pytest

from wingedge import WingedEdgeMesh, convexity, read, shapes


def test_convex_bodies_are_convex_also_seen_from_inside(convex_mesh):
    report = convexity(convex_mesh)
    assert report.is_convex()
    assert report.globally_convex
    assert report.worst_depth <= 1e-15
    assert report.reflex_edges.tolist() == []
    assert (report.genus, report.winding, report.volume_sign) == (0, 1, 1)
    report = convexity(convex_mesh, convex_mesh.points * [1, 1, -1])
    assert report.volume_sign == -1
    assert report.is_convex()


def test_spheres_are_convex_without_tolerance_and_the_default_is_documented():
    for subdivisions in range(6):
        assert convexity(shapes.icosphere(subdivisions)).is_convex(0.0)
    mesh = shapes.box(2.0)
    eps = 2.0**-52
    assert convexity(mesh).tolerance == 1e-9 + 8 * eps
    assert convexity(mesh, mesh.points + 1e6).tolerance == 1e-9 + 8 * eps * (1e6 + 1)


def test_a_ring_and_the_inner_edge_of_an_l_are_not_convex():
    report = convexity(shapes.l_block((2, 2, 1)))
    tail, tip = shapes.l_block().edge_vertices[report.worst_edge]
    assert {tail, tip} == {3, 9}
    assert report.reflex_edges.tolist() == [report.worst_edge]
    assert report.worst_depth == 1
    assert not report.is_convex()
    assert not report.globally_convex
    report = convexity(shapes.ring())
    assert report.genus == 1
    assert not report.is_convex(tolerance=100.0)


@pytest.mark.parametrize("depth", [1e-3, 1e-6])
def test_a_dent_is_measured_and_forgiven_by_a_larger_tolerance(depth):
    mesh = shapes.grid_box(4, 2.0, triangles=True)
    points = mesh.points.copy()
    middle = int(np.flatnonzero((points == [0, 0, 1]).all(axis=1))[0])
    points[middle, 2] -= depth
    report = convexity(mesh, points)
    assert not report.is_convex()
    assert 0.5 * depth < report.worst_depth < 4 * depth
    assert report.is_convex(tolerance=4 * depth)
    assert {middle} & set(mesh.edge_vertices[report.reflex_edges].ravel().tolist())


def test_a_star_prism_passes_every_edge_and_fails_as_a_whole(star_prism):
    report = convexity(*star_prism)
    assert report.worst_depth < 1e-15
    assert report.reflex_edges.tolist() == []
    assert report.winding == 2
    assert not report.globally_convex
    assert not report.is_convex()
    assert not report.is_convex(tolerance=100.0)


def test_a_flat_body_and_a_star_of_pentagrams_are_not_convex():
    mesh = shapes.prism(5)
    star = 2 * np.arange(5) % 5
    points = np.vstack([mesh.points[star], mesh.points[5 + star]])
    report = convexity(mesh, points)
    assert not report.is_convex()
    assert not report.globally_convex
    mesh = shapes.box()
    report = convexity(mesh, mesh.points * [1, 1, 0])
    assert (report.volume_sign, report.winding) == (0, 0)
    assert not report.is_convex()


def bent_box(height, along):
    """Bend the top of a box by a length; along its fan's diagonal, or across it."""
    mesh = shapes.box(2.0)
    corners = mesh.face_vertices(1)
    points = mesh.points.copy()
    points[corners[0 if along else 1], 2] += height
    return mesh, points


@pytest.mark.parametrize("height", [1e-3, 1e-7, 3e-9])
@pytest.mark.parametrize("along", [True, False])
def test_a_polygon_folded_along_its_fan_is_a_ridge_or_a_dent_named_by_the_face(
    height, along
):
    """The diagonal of its fan is a hinge like an edge."""
    out = height if along else -height
    report = convexity(*bent_box(out, along))
    assert report.is_convex()
    assert report.globally_convex
    assert report.worst_depth == 0.0
    assert len(report.folded_faces) == 0
    mesh, points = bent_box(-out, along)
    report = convexity(mesh, points)
    assert not report.is_convex()
    assert not report.globally_convex
    assert str(report.worst) == "f1"
    assert report.folded_faces.tolist() == [1]
    assert report.reflex_edges.tolist() == []
    assert report.worst_edge in mesh.face_edges(1)
    assert report.worst_depth == pytest.approx(height, rel=2e-3)


def test_what_a_mesh_forgives_its_polygons_shows_at_their_own_edges():
    mesh, points = bent_box(-1e-7, along=True)
    faces = [mesh.face_vertices(f) for f in range(6)]
    loose = WingedEdgeMesh.from_faces(points, faces, planar_tolerance=1e-6)
    report = convexity(loose)
    assert report.folded_faces.tolist() == []
    assert report.worst.kind == "edge"
    assert 0.2e-7 < report.worst_depth < 2e-7


def test_affine_maps_keep_convexity_and_dents_scale_by_powers_of_two(mesh):
    rest = convexity(mesh)
    large = convexity(mesh, mesh.points * 2.0**20)
    assert large.worst_depth == rest.worst_depth * 2.0**20
    assert large.worst_edge == rest.worst_edge
    sheared = mesh.points @ np.array([[2, 0.5, 0], [0, 1, 0.25], [0, 0, 0.5]])
    assert convexity(mesh, sheared).is_convex() == rest.is_convex()


@pytest.mark.parametrize("pieces", [2, 5, 40])
def test_an_inner_edge_cut_in_pieces_is_reflex_in_every_piece(pieces):
    """The vertex looked at across an edge must not lie on the line of the edge."""
    profile = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    points = [(x, y, z) for y in (0, 1) for x, z in profile]
    points += [(1, k / pieces, 1) for k in range(1, pieces)]
    inner = [3, *range(12, 11 + pieces), 9]
    ends = [[0, 1, 2, 3], [0, 3, 4, 5]]
    faces = ends + [[v + 6 for v in face[::-1]] for face in ends]
    faces += [[b, a, a + 6, b + 6] for a, b in ((0, 1), (1, 2), (4, 5), (5, 0))]
    faces += [[2, 8, *inner[::-1]], [*inner, 10, 4]]
    mesh = WingedEdgeMesh.from_faces(points, faces)
    report = convexity(mesh)
    ends = mesh.edge_vertices[report.reflex_edges].tolist()
    assert sorted(map(sorted, ends)) == sorted(sorted(pair) for pair in pairwise(inner))
    assert report.worst_depth == 1


def test_a_face_of_a_thousand_corners_costs_no_thousand_squared():
    mesh = shapes.prism(20_000)
    report = convexity(mesh)
    assert report.is_convex()
    assert mesh.n_edges == 60_000


def load(path):
    if path.suffix != ".json":
        return read(path)
    solid = json.loads(path.read_text())
    return WingedEdgeMesh.from_faces(
        solid["vertices"], solid["faces"], planar_tolerance=1e-6
    )


@pytest.mark.real_data
def test_worst_depth_of_real_bodies_is_what_the_manifest_says(real_data):
    rows = json.loads((real_data / "manifest.json").read_text())
    rows = [row for row in rows if row["file"].startswith("convex/")]
    assert len(rows) == 24
    for row in rows:
        report, said = (
            convexity(load(real_data / row["file"])),
            "worst_concave_edge_rel",
        )
        depth = report.worst_depth / row["bbox_diag"]
        # six digits are printed: the definition is the same one, not just a near one
        assert depth == pytest.approx(row[said], rel=1e-5, abs=1e-13)
        assert (report.genus, report.winding) == (0, 1)
        assert report.is_convex() or row[said] >= 1e-12
