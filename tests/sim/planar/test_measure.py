from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from sim.planar.walk import FACE, find, measure, touches
from wingedge.primitives import disk_triangle

TRIANGLE = ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))


def measured(center, radius, triangle, last=-1):
    found = find(center, triangle)
    return found, measure(center, radius, triangle, found, last)


def root(x):
    with localcontext() as context:
        context.prec = 60
        return (Decimal(x.numerator) / Decimal(x.denominator)).sqrt()


def truth(center, radius, triangle, found):
    """The signed distance in 60 digits, by formulas of its own."""
    p = [Fraction(x) for x in center]
    corners = [[Fraction(x) for x in corner] for corner in triangle]

    def line_sq(k):
        (ax, ay), (bx, by) = corners[k], corners[(k + 1) % 3]
        normal = (ay - by, bx - ax)
        offset = normal[0] * (p[0] - ax) + normal[1] * (p[1] - ay)
        return offset**2 / (normal[0] ** 2 + normal[1] ** 2)

    if found.feature == FACE:
        return -root(min(map(line_sq, range(3)))) - Decimal(radius)
    if found.feature < 3:
        square = sum(
            (a - b) ** 2 for a, b in zip(corners[found.feature], p, strict=True)
        )
        return root(square) - Decimal(radius)
    return root(line_sq(found.feature - 3)) - Decimal(radius)


def scenes(n=400):
    rng = np.random.default_rng(5)
    for k in range(n):
        scale = float(2.0 ** rng.choice([-1000, -300, 0, 0, 0, 300, 1000]))
        whole, broken = rng.integers(-4, 5, 9).astype(float), rng.normal(size=9)
        numbers = whole if k % 2 else broken
        x = (numbers * scale).tolist()
        yield (x[0], x[1]), abs(x[2]), ((x[3], x[4]), (x[5], x[6]), (x[7], x[8]))


def test_distances_are_right_within_rounding_and_in_their_sign():
    for center, radius, triangle in scenes():
        found, got = measured(center, radius, triangle)
        want = truth(center, radius, triangle, found)
        size = max(
            radius,
            *(
                abs(c - q)
                for corner in triangle
                for c, q in zip(corner, center, strict=True)
            ),
        )
        error = abs(Decimal(got.distance) - want)
        assert error <= Decimal("1e-15") * Decimal(size), (center, radius, triangle)
        overlapping, touching = (
            got.distance < 0.0,
            touches(center, radius, triangle, found),
        )
        assert touching == bool(
            disk_triangle.meet(center, radius, *map(np.array, triangle)).hit
        )
        assert touching or not overlapping


def test_exact_touch_is_exactly_zero_also_at_an_oblique_edge():
    _, got = measured((-1.0, 0.0), 1.0, TRIANGLE)
    assert (got.distance, got.normal, got.point) == (0.0, (1.0, 0.0), (0.0, 0.0))
    for toward, sign in ((-2.0, 1), (0.0, -1)):
        center = (float(np.nextafter(-1.0, toward)), 0.0)
        _, got = measured(center, 1.0, TRIANGLE)
        assert np.sign(got.distance) == sign
    triangle = ((0.0, 0.0), (4.0, 3.0), (4.0, 0.0))  # 3, 4, 5
    found, got = measured((-1.0, 3.0), 3.0, triangle)
    assert found.feature == 3
    assert got.distance == 0.0
    _, got = measured((-1.0, 3.0), float(np.nextafter(3.0, 4.0)), triangle)
    assert got.distance <= 0.0
    assert touches((-1.0, 3.0), 3.0, triangle, found)
    assert not touches((-1.0, 3.0), float(np.nextafter(3.0, 0.0)), triangle, found)


def test_of_equal_edges_the_last_is_kept_and_a_point_has_a_normal():
    triangle = ((0.0, 0.0), (0.0, 3.0), (4.0, 0.0))
    center = (1.0, 1.0)  # the incentre, 1 from all three
    for last, chosen in ((-1, 0), (0, 0), (1, 1), (2, 2)):
        _, got = measured(center, 0.5, triangle, last)
        assert (got.exit, got.unique) == (chosen, False)
        assert got.distance == pytest.approx(-1.5, abs=1e-15)
    _, got = measured((1.0, float(np.nextafter(1.0, 0.0))), 0.5, triangle, 1)
    assert (got.exit, got.unique) == (2, True)
    _, got = measured((1.0, 1.0), 0.0, ((1.0, 1.0),) * 3)
    assert (got.distance, got.normal) == (0.0, (1.0, 0.0))
    _, got = measured((1.0, 1.0), 2.0, ((1.0, 1.0),) * 3)
    assert got.distance == -2.0
