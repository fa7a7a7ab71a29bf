"""Compute with coordinates as integers: one row at a time, without any rounding.

Floats are binary fractions, so those of one row have a common unit; no ratio and no
comparison of polynomials of one degree depends on it.  `ratios` divides in floats and
takes only what these leave less certain in integers: no needle is too thin.

Points, ``p``, ends of segments and corners of triangles, are tuples of three int or
Fraction in one unit, and squared distances come in the square of that unit.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wingedge.columns import Column, cross, dot, subtract
from wingedge.signs import Bounded

Point = Any  # a tuple of three int, for which mypy has no arithmetic of columns
Parameters = tuple[Fraction, Fraction]


def integers(*numbers: float) -> list[int]:
    """Count numbers in the largest power of two that divides all of them."""
    parts = [x.as_integer_ratio() for x in numbers]
    finest = max(bottom for _, bottom in parts)
    return [top * (finest // bottom) for top, bottom in parts]


def integer_points(*points: Any) -> list[Point]:
    """Count the coordinates of points in one unit."""
    flat = integers(*(float(x) for point in points for x in point))
    return [tuple(flat[k : k + 3]) for k in range(0, len(flat), 3)]


def unit(vector: Any) -> list[float]:
    """Scale a vector, whole numbers or fractions and not zero, to unit length."""
    largest = max(map(abs, vector))
    shares = [float(x / largest) for x in vector]
    size = sqrt(sum(x * x for x in shares))
    return [x / size for x in shares]


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


def triangle_weights(p: Point, a: Point, b: Point, c: Point) -> list[int]:
    """Weigh the corners so that the point of a triangle nearest to p is their mean.

    A triangle of no area is its longest segment.
    """
    normal = cross(subtract(b, a), subtract(c, a))
    turns: list[Any] = [
        dot(normal, cross(subtract(v, u), subtract(p, u)))
        for u, v in ((b, c), (c, a), (a, b))
    ]
    if any(normal) and min(turns) >= 0:
        return turns
    candidates = []
    for k, (u, v) in enumerate(((c, a), (a, b), (b, c))):
        weights = [0] * 3
        weights[k - 1], weights[k] = segment_weights(p, u, v)
        candidates.append((gap_square(p, [a, b, c], weights), weights))
    return min(candidates, key=lambda one: one[0])[1]


def segment_weights(p: Point, tail: Point, tip: Point) -> tuple[int, int]:
    """Weigh the ends so that the point of a segment nearest to p is their mean."""
    step = subtract(tip, tail)
    square: Any = dot(step, step)
    top: Any = dot(subtract(p, tail), step)
    top = min(max(top, 0), square)
    return (square - top, top) if square else (1, 0)


def point_segment_square(p: Point, tail: Point, tip: Point) -> Fraction:
    """Find the squared distance of a point from a segment."""
    return gap_square(p, [tail, tip], segment_weights(p, tail, tip))


def point_triangle_square(p: Point, a: Point, b: Point, c: Point) -> Fraction:
    """Find the squared distance of a point from a triangle."""
    return gap_square(p, [a, b, c], triangle_weights(p, a, b, c))


def segment_segment_square(s: Point, e: Point, p: Point, q: Point) -> Fraction:
    """Find the squared distance of two segments."""
    d, f, r = subtract(e, s), subtract(q, p), subtract(p, s)
    normal = cross(d, f)
    square: Any = dot(normal, normal)
    t: Any = dot(cross(r, f), normal)
    u: Any = dot(cross(r, d), normal)
    if square and 0 <= t <= square and 0 <= u <= square:
        across: Any = dot(r, normal)
        return Fraction(across * across, square)
    ends = (s, p, q), (e, p, q), (p, s, e), (q, s, e)
    return min(point_segment_square(*end) for end in ends)


def segment_triangle_square(start: Point, end: Point, corners: list[Point]) -> Fraction:
    """Find the squared distance of a segment from a triangle that it does not meet."""
    return min(
        *(point_triangle_square(p, *corners) for p in (start, end)),
        *(
            segment_segment_square(start, end, corners[k - 1], corners[k])
            for k in range(3)
        ),
    )


def gap_to(p: Point, corners: list[Point], weights: Sequence[int]) -> Point:
    """Find the way to p from the mean of weights, times the sum of these."""
    total = sum(weights)
    return tuple(
        total * x - sum(w * v for w, v in zip(weights, column, strict=True))
        for x, *column in zip(p, *corners, strict=True)
    )


def gap_square(p: Point, corners: list[Point], weights: Sequence[int]) -> Fraction:
    """Find the squared distance of p from the mean of weights."""
    square: Any = dot(gap := gap_to(p, corners, weights), gap)
    return Fraction(square, sum(weights) ** 2)


def divided(top: int, bottom: int) -> float:
    """Divide and round once; what is beyond all floats becomes infinite."""
    try:
        return top / bottom
    except OverflowError:
        return float("inf") if (top > 0) == (bottom > 0) else float("-inf")


OFF = 2.0**-44  # of a quotient, or of 1: how far it may be off
_ROUNDED = 2.0**-52  # of a quotient: its own rounding


def ratios(
    formula: Callable[..., Any], *lengths: ArrayLike, within: ArrayLike | None = None
) -> tuple[Column, ...]:
    """Divide polynomials by one another, each quotient within a stated error.

    Parameters: ``formula``: of as many values as there are lengths, with + - * only and
    whole constants; returns numerators, then their denominator, all of the same degree,
    so that the unit of length does not matter; ``lengths`` (N,): finite float64;
    ``within`` (N,): how far a quotient may be off, besides its own rounding; 2^-44 of
    max(1, |it|) if left out.

    Returns (N,) for each numerator; 0 where the denominator is 0, infinite where the
    quotient is beyond all floats.

    Cost: some five times that of the polynomials on floats, and 10 to 30 us for each
    row that rounding leaves less certain.
    """
    columns = [np.asarray(x, dtype=np.float64) for x in lengths]
    with np.errstate(all="ignore"):
        *tops, bottom = formula(*map(Bounded, columns))
        out = [np.asarray(top.value / bottom.value) for top in tops]
        least = np.abs(bottom.value) - bottom.off
        known = np.isfinite(bottom.off) & (least > 0)
        for top, value in zip(tops, out, strict=True):
            size = np.abs(value)
            room = OFF * np.maximum(size, 1.0) if within is None else np.asarray(within)
            room = room - size * _ROUNDED
            known &= top.off + size * bottom.off <= room * least
    for row in np.flatnonzero(~known):
        *heights, base = formula(*integers(*(float(x[row]) for x in columns)))
        for value, height in zip(out, heights, strict=True):
            value[row] = divided(height, base) if base else 0.0
    return tuple(out)
