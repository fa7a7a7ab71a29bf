import numpy as np
import pytest

from sim.response.surroundings import first_touch, plane
from wingedge.columns import columns, length
from wingedge.primitives import sphere_triangle

FLOOR = [np.array([p]) for p in ([-1.0, -1, 0], [1.0, -1, 0], [0.0, 1, 0])]


def one(here, there, radius, corners=FLOOR):
    radii = np.array([radius])
    hit, t = first_touch(np.array(here), np.array(there), radii, corners)
    return bool(hit[0]), float(t[0])


def test_what_leaves_the_triangle_that_it_touches_does_not_touch_it():
    assert not one((0.0, 0, 0.25), (0.0, 0, 1), 0.25)[0]
    assert not one((0.0, 0, 0.1), (0.0, 0, 1), 0.25)[0]
    assert one((0.0, 0, 0.1), (0.0, 0, 0.05), 0.25) == (True, 0.0)


@pytest.mark.parametrize("degenerate", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_times_are_those_of_the_exact_primitive(seed, degenerate):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(-0.8, 0.8, (3, 200, 3))
    if degenerate:
        share = rng.uniform(size=(200, 1))
        corners[2] = corners[0] + share * (corners[1] - corners[0])
        corners[2, ::2] += 10.0 ** rng.uniform(-15, -3, (100, 1))
        corners[1, ::7] = corners[0, ::7]
    here, there = rng.uniform(-0.9, 0.9, (2, 3))
    radii = rng.uniform(0, 0.2, 200)
    clear = ~sphere_triangle.touch(here, radii + 1e-9, *corners).hit
    radii, corners = radii[clear], [corner[clear] for corner in corners]
    hit, t = first_touch(here, there, radii, corners)
    truth = sphere_triangle.sweep(here, there, radii, *corners)
    assert (hit == truth.hit).all()
    assert hit.any()
    assert (~hit).any()
    place = here + t[hit][:, None] * (there - here)
    touch = sphere_triangle.touch(place, radii[hit], *(c[hit] for c in corners))
    assert np.abs(touch.distance).max() < 1e-14
    # never later: a sphere that stops there has gone through nothing
    assert (t[hit] <= truth.t[hit] + 1e-7).all()


def test_a_needle_is_not_passed_because_its_plane_is_rounded():
    """Its normal is made of rounding, and says nothing: the corners do."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        a, b = rng.uniform(-0.9, 0.9, (2, 3))
        c = a + rng.uniform() * (b - a)  # to rounding on the line
        middle = 0.5 * (a + b)
        here = middle + 0.5 * (rng.normal(size=3))
        corners = [np.array([p]) for p in (a, b, c)]
        if sphere_triangle.touch(here, 0.02, a, b, c).hit:
            continue
        assert one(here, 2 * middle - here, 0.01, corners)[0]


def test_a_triangle_of_no_area_has_no_plane():
    a, b = columns([(0.0, 0, 0)]), columns([(1.0, 2, 3)])
    assert length(plane(a, b, b)).tolist() == [0.0]
    assert length(plane(a, a, a)).tolist() == [0.0]
