import numpy as np
import pytest

from wingedge import convexity, geometry, shapes, validate

CONVEX = dict(shapes.zoo())
BENT = {n: m for n, m in shapes.zoo(non_convex=True) if n not in CONVEX}


def test_bent_shapes_fill_less_than_their_hull_and_fine_hammers_as_much():
    for name in BENT:
        mesh = BENT[name]
        from scipy.spatial import ConvexHull

        assert 0 < geometry.volume(mesh) < 0.95 * ConvexHull(mesh.points).volume
        assert convexity(mesh).genus == (1 if name == "ring" else 0)
    for cells in [1, 2, 3]:
        hammer = shapes.hammer(cells)
        assert hammer.n_faces == 72 * cells**2
        assert geometry.volume(hammer) == pytest.approx(28 / 216, rel=1e-13)
        assert np.ptp(hammer.points, axis=0).tolist() == pytest.approx(
            [5 / 6, 1 / 3, 1]
        )


def test_volumes_radii_and_teeth_are_those_of_the_formulas():
    assert geometry.volume(shapes.u_block()) == pytest.approx(7 / 9, rel=1e-14)
    assert geometry.volume(shapes.hammer(2, 6.0)) == pytest.approx(28, rel=1e-14)
    square = shapes.cup(4, 1.0, 3.0, 0.5)  # radius 1: a square with diagonal 2
    assert geometry.volume(square) == pytest.approx(2 * 3 - 0.5 * 2.5, rel=1e-14)
    # A tooth is a trapezoid: its chords span three and one of 32 steps.
    half = np.pi / 32
    root, tip = 0.75, 1.0
    low, high = root * np.sin(3 * half) * 2, tip * np.sin(half) * 2
    tall = tip * np.cos(half) - root * np.cos(3 * half)
    hub = 4 * root**2 * (np.sin(2 * half) + np.sin(6 * half))
    area = hub + 8 * tall * (low + high) / 2
    assert geometry.volume(shapes.gear()) == pytest.approx(0.5 * area, rel=1e-13)
    flat = np.sqrt((shapes.star(7, 2.0, 0.5).points[:14, :2] ** 2).sum(axis=1))
    assert flat == pytest.approx([2.0, 0.5] * 7, rel=1e-15)
    gear = shapes.gear(6, 3.0, 1.0, 2.0)
    flat = np.sqrt((gear.points[:24, :2] ** 2).sum(axis=1))
    assert flat == pytest.approx([2.0, 2.0, 3.0, 3.0] * 6, rel=1e-15)
    assert set(np.abs(gear.points[:, 2]).tolist()) == {1.0}
    cup = shapes.cup(24, 1.0, 2.0, 0.25)
    rings = cup.points.reshape(4, 24, 3)
    assert rings[:, 0, 2].tolist() == [-1.0, 1.0, 1.0, -0.75]
    assert rings[:, 0, 0].tolist() == [1.0, 1.0, 0.75, 0.75]
    assert geometry.face_normals(cup)[:2].tolist() == [[0, 0, -1], [0, 0, 1]]


def test_polycubes_are_the_boxes_that_they_look_like():
    box, grid = shapes.polycube(np.ones((2, 3, 4))), shapes.grid_box((2, 3, 4))
    assert (box.n_vertices, box.n_faces) == (grid.n_vertices, grid.n_faces)
    assert geometry.volume(box) == pytest.approx(24, rel=1e-15)
    frame = np.ones((3, 3, 1), bool)
    frame[1, 1] = False
    ring = shapes.polycube(frame, 0.5)
    validate(ring)
    assert convexity(ring).genus == 1
    assert geometry.volume(ring) == pytest.approx(1.0, rel=1e-15)
