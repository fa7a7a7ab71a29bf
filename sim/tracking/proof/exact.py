"""What only exact arithmetic decides, in fractions: for the checker alone."""

from fractions import Fraction
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body

Array = NDArray[np.float64]
Vector = list[Fraction]


def fractions(values: Array) -> Vector:
    """Return floats as what they are."""
    return [Fraction(float(value)) for value in values]


def minus(u: Vector, v: Vector) -> Vector:
    """Return the difference of two vectors."""
    return [x - y for x, y in zip(u, v, strict=True)]


def cross(u: Vector, v: Vector) -> Vector:
    """Return the cross product of two vectors."""
    return [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]


def dot(u: Vector, v: Vector) -> Fraction:
    """Return the scalar product of two vectors."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def placed(body: Body, vertex: int) -> Vector:
    """Return a vertex in the world: pose times point, not rounded."""
    x = fractions(body.positions[vertex])
    return [
        dot(fractions(row[:3]), x) + Fraction(float(row[3])) for row in body.transform
    ]


def signed_square(top: Fraction, m: Vector) -> Fraction:
    """Return the square of a height along a vector that is no unit, with its sign."""
    return top * abs(top) / dot(m, m)


def less(one: Fraction, other: Fraction) -> float:
    """Return how much less the root of one signed square is than that of another."""
    p, q = (sqrt(abs(x)) if x > 0 else -sqrt(abs(x)) for x in (one, other))
    if p * q <= 0.0:
        return q - p
    return float(other - one) / (abs(p) + abs(q))


def height_over(p: Array, a: Array, b: Array, c: Array) -> float:
    """Return the height over a triangle; infinite where the foot lies outside."""
    o, q, r, s = map(fractions, (a, b, c, p))
    e, f, w = minus(q, o), minus(r, o), minus(s, o)
    n = cross(e, f)
    area = dot(n, n)
    beta, gamma = dot(cross(w, f), n), dot(cross(e, w), n)
    if area == 0 or min(beta, gamma, area - beta - gamma) < 0:
        return inf
    height = dot(w, n)
    return sqrt(height * height / area)
