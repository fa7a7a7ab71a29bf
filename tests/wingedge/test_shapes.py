import hashlib  # of wingedge.shapes, wingedge.mesh
import inspect

import numpy as np
import pytest

from wingedge import WingedEdgeMesh, convexity, geometry, shapes, validate

COUNTS = {
    "tetrahedron": (4, 6, 4),
    "box": (8, 12, 6),
    "grid_box": (56, 108, 54),
    "grid_box_triangles": (54, 156, 104),
    "prism": (10, 15, 7),
    "cylinder": (48, 72, 26),
    "icosphere": (42, 120, 80),
    "ellipsoid": (42, 120, 80),
    "needle": (6, 12, 8),
    "needle_1e6": (5, 9, 6),
    "plate": (8, 12, 6),
    "random_hull": (40, 114, 76),
    "l_block": (12, 20, 10),
    "ring": (16, 32, 16),
    "u_block": (16, 28, 14),
    "cup": (28, 49, 23),
    "gear": (40, 70, 32),
    "star": (20, 40, 22),
    "hammer": (74, 144, 72),
}
NON_CONVEX = list(COUNTS)[12:]
MAKERS = [n for n in shapes.__all__ if n not in ("zoo", "polycube")]


def test_the_zoo_is_named_and_has_the_same_bits_on_every_machine():
    zoo = dict(shapes.zoo(non_convex=True))
    counts = {n: (m.n_vertices, m.n_edges, m.n_faces) for n, m in zoo.items()}
    assert counts == COUNTS
    assert list(dict(shapes.zoo())) == [n for n in COUNTS if n not in NON_CONVEX]
    digest = hashlib.sha256()
    for _, mesh in shapes.zoo(non_convex=True):
        digest.update(mesh.points.astype("<f8").tobytes())
    assert digest.hexdigest()[:16] == "a7d777531cc9f8ed"


@pytest.mark.parametrize("name", MAKERS)
def test_every_shape_has_defaults_and_passes_every_invariant(name):
    make = getattr(shapes, name)
    needed = [
        p for p in inspect.signature(make).parameters.values() if p.default is p.empty
    ]
    mesh = make(*[7 for _ in needed])
    validate(mesh)
    assert isinstance(mesh, WingedEdgeMesh)
    assert convexity(mesh).is_convex() == (name not in NON_CONVEX)


def test_box_vertices_are_bit_patterns_and_faces_come_in_axis_order():
    box = shapes.box((2.0, 4.0, 6.0))
    for v, point in enumerate(box.points.tolist()):
        bits = [v & 1, v >> 1 & 1, v >> 2 & 1]
        assert point == [
            s * (b - 0.5) * 2 for s, b in zip((1, 2, 3), bits, strict=True)
        ]
    assert geometry.face_normals(box).argmax(axis=1).tolist()[1::2] == [2, 1, 0]


def test_ellipsoids_plates_needles_and_prisms_have_the_sizes_asked_for():
    prism = shapes.prism(7, 2.0, 3.0)
    assert [len(prism.face_vertices(f)) for f in range(9)] == [7, 7] + [4] * 7
    assert geometry.face_normals(prism)[:2].tolist() == [[0, 0, -1], [0, 0, 1]]
    assert np.hypot(*prism.points[:, :2].T) == pytest.approx(2, rel=1e-15)
    assert set(np.abs(prism.points[:, 2]).tolist()) == {1.5}
    assert np.abs(shapes.ellipsoid((3, 2, 1), 3).points).max(axis=0) == pytest.approx(
        [3, 2, 1], rel=2e-2
    )
    assert np.ptp(shapes.plate(2.0, 1e-5).points, axis=0).tolist() == [2, 2, 1e-5]
    needle = np.ptp(shapes.needle(3.0, 1e6).points, axis=0)
    assert needle.tolist() == pytest.approx([3e-6, 3e-6, 3])


def test_icospheres_lie_on_their_sphere_and_hulls_follow_their_seed():
    for subdivisions in [0, 1, 2, 3]:
        sphere = shapes.icosphere(subdivisions, 2.0)
        assert sphere.n_faces == 20 * 4**subdivisions
        assert np.sqrt((sphere.points**2).sum(axis=1)) == pytest.approx(2, rel=1e-15)
    again = shapes.random_hull(5)
    assert (again.points == shapes.random_hull(5).points).all()
    assert (again.edge_vertices == shapes.random_hull(5).edge_vertices).all()
    assert (again.points != shapes.random_hull(6).points).any()


def test_volumes_radii_and_teeth_are_those_of_the_formulas():
    assert geometry.volume(shapes.u_block()) == pytest.approx(7 / 9, rel=1e-14)
    assert geometry.volume(shapes.hammer(2, 6.0)) == pytest.approx(28, rel=1e-14)
    square = shapes.cup(4, 1.0, 3.0, 0.5)  # radius 1: a square with diagonal 2
    assert geometry.volume(square) == pytest.approx(2 * 3 - 0.5 * 2.5, rel=1e-14)
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
