"""Disks and triangles in the plane: any winding, flat ones, exact touch, far away."""

from fractions import Fraction

from queries._draw import lengths, points
from queries._exact import allowance, differ, foot, gap_sq, rational, turn, wrong_rows
from wingedge.primitives.disk_triangle import meet as ask

OFF = 1e-15  # per unit of the largest coordinate, in a distance


def draw(rng, n, kind):
    (p, a, b, c), units = points(rng, n, kind, 4, 2)
    return p, lengths(rng, units, 1.0), a, b, c


def wrong(*arguments):
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(p, r, a, b, c, hit, region, feature, point, distance):
    p, point, *corners = rational(p, point, a, b, c)
    off = allowance(OFF, p, *corners)
    square, named = nearest(p, corners)
    return (
        hit == (square <= Fraction(float(r)) ** 2)
        and region == _region(p, corners)
        and feature == named
        and (distance == 0 or named != "f0")
        and not differ(gap_sq(p, point), square, off)
        and not differ(Fraction(float(distance)) ** 2, square, off)
        and nearest(point, corners)[0] <= off * off
    )


def nearest(p, corners):
    """Find the squared distance from a triangle, and the smallest nearest feature."""
    best = [(gap_sq(p, v), 0, f"v{k}") for k, v in enumerate(corners)]
    for k in range(3):
        t, point = foot(p, corners[k], corners[(k + 1) % 3])
        if 0 < t < 1:
            best.append((gap_sq(p, point), 1, f"e{k}"))
    turns = _turns(p, corners)
    if min(turns) > 0 or max(turns) < 0:
        best.append((Fraction(0), 2, "f0"))
    square, _, name = min(best)
    return square, name


def _turns(p, corners):
    return [turn(p, corners[k], corners[(k + 1) % 3]) for k in range(3)]


def _region(p, corners):
    """Find the article's region, of the corners named clockwise."""
    total = sum(_turns(p, corners))
    if total < 0:
        corners = [corners[0], corners[2], corners[1]]
    right = [turn >= 0 for turn in _turns(p, corners)]
    return (total != 0) * (4 * right[0] + 2 * right[1] + right[2])
