from fractions import Fraction  # of wingedge.primitives.sphere_triangle

import numpy as np
import pytest

from wingedge.primitives import segment_plane
from wingedge.primitives.sphere_triangle import first, sweep, touch

A, B, C = (0.0, 0, 0), (4.0, 0, 0), (0.0, 4, 0)


def test_the_normal_at_a_centre_in_the_triangle_follows_the_winding_or_is_across():
    assert touch((1, 1, 0), 1, A, C, B).normal.tolist() == [0, 0, -1]
    for radius in [0.0, 1.0]:
        line = touch((1, 1, 1), radius, (0, 0, 0), (2, 2, 2), (1, 1, 1)).normal
        assert line @ np.ones(3) == pytest.approx(0, abs=1e-15)
        assert line @ line == pytest.approx(1)
        assert touch(A, radius, A, A, A).normal.tolist() == [1, 0, 0]


@pytest.mark.parametrize("height", [1e-8, 1e-17, 1e-160, 5e-324])
@pytest.mark.parametrize("up", [1, -1])
def test_however_near_the_centre_the_normal_points_to_its_side(height, up):
    """From the gap of two rounded points it was noise below 1e-16."""
    answer = touch((0.1, 0.3, up * height), 0, A, B, C)
    assert answer.normal.tolist() == [0, 0, up]
    assert (answer.hit, answer.distance) == (False, height)


def test_one_bit_at_the_start_or_at_a_corner_decides():
    # Half of what rounding leaves away from the plane, its time came out as 0.
    start, end = (0.5, 0.5, 3e-17), (0.5, 0.5, -1.0)
    assert sweep(start, end, 2e-17, A, B, C).t > 0
    assert sweep(start, end, 3e-17, A, B, C).t == 0
    # The float nearest to the root of 41 is below it; its rounded square is not.
    radius = np.sqrt(41.0)
    assert Fraction(float(radius)) ** 2 < 41 <= radius**2
    assert not sweep((-3, -5, 4), (3, -5, 4), radius, A, B, C).hit
    assert sweep((-3, -5, 4), (3, -5, 4), np.nextafter(radius, 9), A, B, C).hit


@pytest.mark.parametrize(
    ("start", "end"),
    [((-5, 1, 1), (5, 1, 1)), ((-5, -1, 0), (5, -1, 0)), ((-5, 0, -1), (9, 0, -1))],
    ids=["over the face", "along an edge", "below an edge"],
)
def test_grazing_is_a_hit_and_one_ulp_off_is_not(start, end):
    assert sweep(start, end, 1, A, B, C).hit
    assert not sweep(start, end, np.nextafter(1, 0), A, B, C).hit


def test_spheres_that_are_tiny_or_come_along_a_face_touch_it_right():
    # The gap of two rounded points, as wide as the radius, has no direction left.
    x = np.random.default_rng(6).normal(size=(5, 200, 3))
    x[1] = 2 * (x[2] + x[3] + x[4]) / 3 - x[0]
    swept = sweep(*x[:2], 1e-16, *x[2:])
    normal = segment_plane.plane(*x[2:]).normal
    turned = np.abs(np.einsum("ni,ni->n", swept.normal, normal))
    assert swept.hit.all()
    assert turned == pytest.approx(1, abs=1e-12)
    # Of a gap of 1e-9 rounding leaves 1e-6 of the direction, more than it closes by.
    # Newton's steps stopped 3e-9 early.
    corners = np.array([(0.1, 0.3, 0.7), (1.3, -0.4, 0.2), (-0.6, 1.1, 0.9)])
    normal = segment_plane.plane(*corners).normal
    start = corners.mean(axis=0) + 5e-9 * normal
    end = corners[0] * 0.9 + corners.mean(axis=0) * 0.1 + 1e-10 * normal
    answer = sweep(start, end, 1.3e-9, *corners)
    gap = touch(start + answer.t * (end - start), 1.3e-9, *corners).distance
    assert answer.t == pytest.approx(3.7 / 4.9, abs=1e-6)
    assert gap == pytest.approx(0, abs=1e-14)


def test_the_first_of_many_is_that_of_each_alone_and_none_is_told_late():
    """What comes later is left on its way: three walls took 19 ms, and 11 so."""
    rng = np.random.default_rng(8)
    radii, none = np.full((2, 12), [[0.1], [0.2]]), np.zeros(12, bool)
    for _ in range(40):
        start, end, *corners = rng.normal(size=(5, 12, 3))
        each = sweep(start[0], end[0], radii, *corners)
        hit, begun, t = first(start[0], end[0], tuple(radii), corners, none)
        np.testing.assert_array_equal(hit, each.hit[0])
        np.testing.assert_array_equal(begun, each.t[0] == 0)
        truth = np.maximum(each.t[1], 5e-324)[hit & ~begun]
        assert (t[hit & ~begun] <= truth).all()
        assert t[hit & ~begun].min(initial=2) == truth.min(initial=2)
