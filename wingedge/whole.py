"""Points as whole numbers: one row at a time, without any rounding.

Floats are binary fractions, so those of one row have a common unit; no ratio and no
comparison of polynomials of one degree depends on it.
"""

from fractions import Fraction
from typing import Any

from wingedge.columns import cross, dot, subtract

Point = Any  # a tuple of three int, for which mypy has no arithmetic of columns
Parameters = tuple[Fraction, Fraction]


def whole(*numbers: float) -> list[int]:
    """Count numbers in the largest power of two that divides all of them."""
    parts = [x.as_integer_ratio() for x in numbers]
    unit = max(bottom for _, bottom in parts)
    return [top * (unit // bottom) for top, bottom in parts]


def whole_points(*points: Any) -> list[Point]:
    """Count the coordinates of points in one unit."""
    flat = whole(*(float(x) for point in points for x in point))
    return [tuple(flat[k : k + 3]) for k in range(0, len(flat), 3)]


def first_common(
    start: Point, end: Point, tail: Point, tip: Point
) -> Parameters | None:
    """Find the first point of a segment on another: its parameters; None if apart.

    Either may have no length, and they may lie on one line.
    """
    d, e, r = subtract(end, start), subtract(tip, tail), subtract(tail, start)
    normal = cross(d, e)
    square: Any = dot(normal, normal)
    if square:
        t: Any = dot(cross(r, e), normal)
        u: Any = dot(cross(r, d), normal)
        if dot(r, normal) or not (0 <= t <= square and 0 <= u <= square):
            return None
        return Fraction(t, square), Fraction(u, square)
    if any(d):
        return None if any(cross(r, d)) else _on_line(d, e, r)
    back = subtract(start, tail)
    u, square = dot(back, e), dot(e, e)
    if any(cross(back, e)) or not 0 <= u <= square or (any(back) and not square):
        return None
    return Fraction(0), Fraction(u, square) if square else Fraction(0)


def _on_line(d: Point, e: Point, r: Point) -> Parameters | None:
    """Find where a segment d first meets e, that begins r later on the same line."""
    square: Any = dot(d, d)
    tail: Any = dot(r, d)
    along: Any = dot(e, d)
    tip = tail + along
    t = max(min(tail, tip), 0)
    if t > square or max(tail, tip) < 0:
        return None
    return Fraction(t, square), Fraction(t - tail, along) if along else Fraction(0)
