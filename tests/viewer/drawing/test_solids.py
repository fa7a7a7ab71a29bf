import numpy as np
import pytest

from viewer.drawing.solids import FINE, LIVE, SolidBuilder

RED, BLUE = (255, 0, 0), (0, 0, 255)


def facing(solid):
    """Cosine between every triangle's own normal and the mean of its corners'."""
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    shading = solid.normals[solid.triangles].mean(axis=1)
    keep = area > 1e-12
    return (normal[keep] * shading[keep]).sum(axis=1) / area[keep]


def built(kind, at, radius, detail=FINE):
    pieces = SolidBuilder()
    getattr(pieces, kind)(np.array(at, float), radius, RED)
    return pieces.solid(detail)


def test_pieces_of_no_length_and_nothing_are_drawn():
    solid = built("tubes", [[[1.0, 1, 1], [1, 1, 1]]], 0.25)
    assert np.isfinite(solid.points).all()
    assert np.isfinite(solid.normals).all()
    solid = built("spheres", np.empty((0, 3)), 1.0)
    assert solid.points.shape == (0, 3)
    assert solid.triangles.shape == (0, 3)


@pytest.mark.parametrize("detail", [FINE, LIVE])
@pytest.mark.parametrize(
    ("kind", "at"),
    [
        ("spheres", [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]),
        ("tubes", [[[0.0, 0, 0], [1, 2, 3]], [[1.0, 1, 1], [1, 1, -4]]]),
        ("tubes", [[[0.0, 0, 0], [0, 0, -1]]]),
        ("arrows", [[[0.0, 0, 0], [0, 0, 2]]]),
        ("rods", [[[0.0, 0, 0], [0, 0, 5]]]),
    ],
)
def test_solids_face_outward_with_unit_normals(kind, at, detail):
    solid = built(kind, at, 0.1, detail)
    assert (facing(solid) > 0.5).all()
    np.testing.assert_allclose(np.linalg.norm(solid.normals, axis=1), 1.0)
    assert (solid.colours == RED).all()
    assert solid.triangles.max() < len(solid.points)


def test_pieces_are_as_long_and_wide_as_asked():
    solid = built("spheres", [[1.0, 2.0, 3.0]], 0.5)
    np.testing.assert_allclose(np.linalg.norm(solid.points - [1, 2, 3], axis=1), 0.5)
    solid = built("tubes", [[[0.0, 0, 0], [0, 0, 5]]], 0.25)
    np.testing.assert_allclose(np.hypot(*solid.points[:, :2].T), 0.25)
    assert set(solid.points[:, 2]) == {0.0, 5.0}
    solid = built("arrows", [[[1.0, 0, 0], [1, 0, 2]]], 0.1)
    np.testing.assert_allclose(solid.points[np.argmax(solid.points[:, 2])], [1, 0, 2])
    solid = built("rods", [[[0.0, 0, 0], [0, 0, 5]]], 0.25, LIVE)
    np.testing.assert_allclose(solid.points[:, 2].min(), -0.25, atol=0.05)
    beyond = solid.points[solid.points[:, 2] < 0.0]
    np.testing.assert_allclose(np.linalg.norm(beyond, axis=1), 0.25)


def test_pieces_of_several_sizes_and_colours_keep_their_own():
    pieces, centres = SolidBuilder(), np.array([[0.0, 0, 0], [9.0, 0, 0]])
    pieces.spheres(centres, [1.0, 2.0], [RED, BLUE])
    solid = pieces.solid()
    red = (solid.colours == RED).all(axis=1)
    for mine, centre, radius in ((red, 0.0, 1.0), (~red, 9.0, 2.0)):
        away = np.linalg.norm(solid.points[mine] - [centre, 0, 0], axis=1)
        np.testing.assert_allclose(away, radius)
