"""Segments and triangles in one plane; which hull faces true faces cover."""

import numpy as np
import pytest

from wingedge.coplanar import crossing, flatten, winds

TRIANGLE = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("tail", "tip", "crosses"),
    [
        ((1, 1), (1.5, 1), True),  # inside
        ((-1, 1), (5, 1), True),  # through
        ((-1, 1), (1, 1), True),  # into it
        ((0, 0), (4, 0), False),  # along a side
        ((1, 0), (2, 0), False),
        ((4, 0), (0, 4), False),
        ((-1, -1), (5, -1), False),  # beside
        ((3, 3), (5, 1), False),
        ((0, 0), (-3, -1), False),  # from a corner outward
        ((0, 0), (2, 2), True),  # from a corner inward
    ],
)
def test_a_segment_crosses_the_inside_or_not(tail, tip, crosses):
    for a, b in ((tail, tip), (tip, tail)):
        ends = np.array([a], float), np.array([b], float)
        assert crossing(TRIANGLE, *ends).tolist() == [crosses]
        assert crossing(TRIANGLE[::-1][:, ::-1], *(e[:, ::-1] for e in ends)) == [
            crosses
        ]


@pytest.mark.parametrize("turned", [False, True])
def test_an_outline_winds_around_what_is_inside(turned):
    ring = SQUARE[::-1] if turned else SQUARE
    tip = np.roll(ring, -1, axis=0)
    assert winds(ring, tip, np.array([0.5, 0.25]))
    for outside in ((1.5, 0.5), (-0.5, 0.5), (0.5, 1.5), (0.5, -0.5)):
        assert not winds(ring, tip, np.array(outside))


def test_a_hole_is_not_inside():
    inner = 0.25 + 0.5 * SQUARE[::-1]
    tail = np.vstack([SQUARE, inner])
    tip = np.vstack([np.roll(SQUARE, -1, axis=0), np.roll(inner, -1, axis=0)])
    assert not winds(tail, tip, np.array([0.5, 0.5]))
    assert winds(tail, tip, np.array([0.1, 0.5]))


def test_axes_in_a_plane_are_right_handed_about_its_normal():
    for normal in np.random.default_rng(1).normal(size=(10, 3)):
        normal /= np.linalg.norm(normal)
        u, v = flatten(normal)
        assert np.cross(u, v) == pytest.approx(normal)
        assert u @ u == pytest.approx(1.0)
