"""wingedge.geometry, wingedge.positions: numbers of shapes that textbooks know."""

import math

import numpy as np
import pytest

from wingedge import WingedEdgeMesh, geometry, shapes
from wingedge.geometry import positions_of
from wingedge.positions import extent

BOX = shapes.box((2, 3, 4))
EDGE = math.sqrt(8 / 3)  # of a tetrahedron with its corners on the unit sphere


def test_volume_and_area_have_their_textbook_values():
    for mesh, volume, area in [
        (BOX, 24, 52),
        (shapes.tetrahedron(), EDGE**3 / (6 * math.sqrt(2)), math.sqrt(3) * EDGE**2),
        (shapes.prism(4, math.sqrt(0.5)), 1, 6),
        (shapes.prism(6), 1.5 * math.sqrt(3), 3 * math.sqrt(3) + 6),
        (shapes.l_block((2, 2, 1)), 3, 14),
        (shapes.ring(), 8, 32),
        (shapes.icosphere(5), 4 * math.pi / 3, 4 * math.pi),
    ]:
        loose = 2e-3 if mesh.n_faces > 1000 else 1e-14
        assert geometry.volume(mesh) == pytest.approx(volume, rel=loose)
        assert geometry.area(mesh) == pytest.approx(area, rel=loose)


def test_normals_areas_and_lengths_of_a_box_are_in_the_order_of_its_elements():
    expected = [[0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
    assert geometry.face_normals(BOX).tolist() == expected
    assert geometry.face_areas(BOX).tolist() == [6, 6, 8, 8, 12, 12]
    assert sorted(geometry.edge_lengths(BOX).tolist()) == [2] * 4 + [3] * 4 + [4] * 4
    assert geometry.size(BOX) == 2


def test_centroids_of_a_box_an_l_and_a_flat_body():
    assert geometry.centroid(BOX, BOX.points + np.array([1, 2, 3])).tolist() == [
        1,
        2,
        3,
    ]
    assert geometry.centroid(shapes.l_block()) == pytest.approx([-1 / 12, -1 / 12, 0])
    flat = BOX.points * [1, 1, 0]
    assert geometry.centroid(BOX, flat + np.array([5, 0, 0])).tolist() == [5, 0, 0]
    assert geometry.centroid(BOX, np.ones((8, 3))).tolist() == [1, 1, 1]


def test_nothing_is_lost_far_away_and_a_face_of_no_area_has_no_normal():
    for offset in [1e4, 1e8]:
        away = BOX.points + offset  # exact: the corners are halves
        assert geometry.volume(BOX, away) == 24
        assert geometry.area(BOX, away) == 52
        assert (geometry.face_normals(BOX, away) == geometry.face_normals(BOX)).all()
        assert (geometry.centroid(BOX, away) == offset).all()
    points = shapes.tetrahedron().points.copy()
    points[1] = points[0]
    normals = geometry.face_normals(shapes.tetrahedron(), points)
    assert np.isfinite(normals).all()
    assert not normals[0].any()


@pytest.mark.parametrize("name", geometry.__all__)
def test_every_function_refuses_positions_of_another_mesh(name):
    with pytest.raises(ValueError, match="this mesh needs"):
        getattr(geometry, name)(BOX, np.zeros((9, 3)))


def test_any_sane_unit_will_do_and_given_positions_are_used():
    for scale in [1e-49, 1e-6, 1.0, 1e6, 1e49]:
        for _, mesh in shapes.zoo():
            built = WingedEdgeMesh.from_faces(mesh.points * scale, mesh.fan.vertex)
            assert built.n_vertices == mesh.n_vertices
    points = BOX.points + 1
    assert positions_of(BOX, points) is points
    assert positions_of(BOX, None) is BOX.points
    assert positions_of(BOX, points.tolist()).tolist() == points.tolist()


def test_extent_measures_from_the_centre_of_the_box_and_rounds_at_its_far_side():
    about = extent(np.array([[1.0, 2, 3], [3, 8, 5]]))
    assert about.centre.tolist() == [2, 5, 4]
    assert about.size == 3
    assert about.noise == 8 * 2.0**-52 * 8
    assert extent(np.array([[-9.0, 0, 0], [1, 0, 0]])).noise == 8 * 2.0**-52 * 9
