import numpy as np
import pytest

from sim.compound.seats import bind, follow_all, nearest_triangles
from wingedge import shapes
from wingedge.primitives import point_triangle

RNG = np.random.default_rng(5)
SPHERE = shapes.icosphere(2)


@pytest.mark.parametrize("scale", [1.0, 2.0**-20, 2.0**20])
def test_an_affine_map_of_the_surface_is_one_of_the_loose_vertices(scale):
    rest = scale * RNG.uniform(-1.2, 1.2, (40, 3))
    surface = shapes.icosphere(1, scale)
    binding = bind(rest, surface)
    m = np.eye(3) + 0.3 * RNG.normal(size=(3, 3))
    at = scale * RNG.normal(size=3)
    placed = binding.place(rest, surface.points, surface.points @ m.T + at)
    assert np.abs(placed - (rest @ m.T + at)).max() <= 1e-13 * scale


def test_without_a_surface_and_at_rest_nothing_moves():
    rest = np.concatenate([SPHERE.points[[5, 3]], RNG.uniform(-1.0, 1.0, (4, 3))])
    binding = bind(rest, SPHERE)
    assert binding.vertex.tolist() == [5, 3, -1, -1, -1, -1]
    assert (binding.place(rest, SPHERE.points, SPHERE.points) == rest).all()
    moved = SPHERE.points + RNG.normal(size=SPHERE.points.shape)
    placed = binding.place(rest, SPHERE.points, moved)
    assert (placed[:2] == moved[[5, 3]]).all()
    rest, moved = RNG.normal(size=(2, 7, 3))
    assert (follow_all(7).place(rest, rest, moved) == moved).all()


def test_loose_vertices_follow_the_triangle_under_them_some_as_all():
    box = shapes.box(2.0)
    binding = bind(np.array([[0.9, 0.8, 1.0]]), box)
    corners = binding.ids[0, :3]
    assert (box.points[corners, 2] == 1.0).all()
    assert abs(binding.weights[0, 3]) <= 1e-15
    assert binding.weights.sum() == pytest.approx(1.0)
    rest = np.concatenate([SPHERE.points[:6], RNG.uniform(-1.0, 1.0, (9, 3))])
    rest = rest[RNG.permutation(15)]
    binding = bind(rest, SPHERE)
    moved = SPHERE.points + 0.1 * RNG.normal(size=SPHERE.points.shape)
    ids = np.array([1, 4, 5, 11, 14])
    some = binding.only(ids).place(rest[ids], SPHERE.points, moved)
    assert (some == binding.place(rest, SPHERE.points, moved)[ids]).all()


def test_the_nearest_triangle_is_the_nearest_of_all(monkeypatch):
    points = RNG.uniform(-2.0, 2.0, (30, 3))
    corners = SPHERE.points[SPHERE.fan.vertex]
    found = nearest_triangles(points, corners)
    monkeypatch.setattr("sim.compound.seats.BLOCK", 999)  # in more than one block
    assert (nearest_triangles(points, corners) == found).all()
    for point, triangle in zip(points, found, strict=True):
        every = point_triangle.closest(point[None], *corners.transpose(1, 0, 2))
        assert every.distance_sq.argmin() == triangle
