"""How far apart two surfaces are, triangle by triangle: for the checker alone.

Like `sim.tracking.proof.verify` it shares no formula with the tracker or its search.
"""

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fractions import Fraction

Array = NDArray[np.float64]
BLOCK = 2048  # pairs of triangles measured at once
ROWS = 1 << 19  # pairs of balls compared at once
PARALLEL = 1e-14  # squared sine below which two lines have no pair of closest points


def surface_gap(one: Array, other: Array) -> float:
    """Return the least distance of triangles (T, 3, 3) that do not cross.

    Pairs are measured in the order of how near the balls around them come, until those
    left are farther than the best.  Cost: O(T_a T_b) for the balls.
    """
    i, j, low, best = _near_balls(one, other, np.inf)
    order = np.argsort(low)
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        if low[block[0]] > best:
            break
        near, _, _ = triangle_pairs(one[i[block]], other[j[block]])
        best = min(best, float(near.min()))
    return best


def nearest_places(one: Array, other: Array, limit: float) -> tuple[Array, Array]:
    """Return the closest points of all triangles within a distance, (k, 3) each."""
    i, j, low, _ = _near_balls(one, other, limit)
    found = [(np.zeros((0, 3)), np.zeros((0, 3)))]
    order = np.flatnonzero(low <= limit)
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        near, p, q = triangle_pairs(one[i[block]], other[j[block]])
        found.append((p[near <= limit], q[near <= limit]))
    points_a, points_b = zip(*found, strict=True)
    return np.concatenate(points_a), np.concatenate(points_b)


def _near_balls(
    one: Array, other: Array, best: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, float]:
    """List the pairs of triangles whose balls come as near as the middles of some."""
    ca, cb = one.mean(axis=1), other.mean(axis=1)
    ra = np.linalg.norm(one - ca[:, None], axis=2).max(axis=1)
    rb = np.linalg.norm(other - cb[:, None], axis=2).max(axis=1)
    step = max(1, ROWS // len(cb))
    kept = []
    for start in range(0, len(ca), step):
        part = slice(start, start + step)
        span = np.linalg.norm(ca[part, None] - cb[None], axis=2)
        best = min(best, float(span.min()))
        low = span - ra[part, None] - rb[None]
        i, j = np.nonzero(low <= best)
        kept.append((i + start, j, low[i, j]))
    i, j, low = (np.concatenate(column) for column in zip(*kept, strict=True))
    return i, j, low, best


def triangle_pairs(s: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return distance and closest points of matching triangles that do not cross."""
    near = np.full(len(s), np.inf)
    p, q = np.zeros((len(s), 3)), np.zeros((len(s), 3))

    def take(x: Array, y: Array) -> None:
        d = np.linalg.norm(y - x, axis=1)
        nearer = d < near
        near[nearer], p[nearer], q[nearer] = d[nearer], x[nearer], y[nearer]

    for k in range(3):
        take(s[:, k], _on_triangles(s[:, k], t))
        take(_on_triangles(t[:, k], s), t[:, k])
    for i in range(3):
        for j in range(3):
            take(*_crossings(s[:, i], s[:, i - 1], t[:, j], t[:, j - 1]))
    return near, p, q


def from_triangles(p: Array, t: Array) -> Array:
    """Return the distance of points (n, 3) or one (1, 3) from triangles (n, 3, 3)."""
    out: Array = np.linalg.norm(p - _on_triangles(p, t), axis=1)
    return out


def _on_triangles(p: Array, t: Array) -> Array:
    """Return the points of triangles that are nearest to points."""
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    foot = _on_lines(p, a, b)
    near = np.linalg.norm(p - foot, axis=1)
    for u, v in ((b, c), (c, a)):
        other = _on_lines(p, u, v)
        d = np.linalg.norm(p - other, axis=1)
        foot = np.where((d < near)[:, None], other, foot)
        near = np.minimum(near, d)
    n = np.cross(b - a, c - a)
    area = np.linalg.norm(n, axis=1)
    n = n / np.where(area > 0.0, area, 1.0)[:, None]
    below = p - _along(p - a, n)[:, None] * n
    inside = area > 0.0
    for u, v in ((a, b), (b, c), (c, a)):
        inside = inside & (_along(np.cross(v - u, below - u), n) >= 0.0)
    return np.where(inside[:, None], below, foot)


def _on_lines(p: Array, a: Array, b: Array) -> Array:
    e = b - a
    length = np.linalg.norm(e, axis=1)
    e = e / np.where(length > 0.0, length, 1.0)[:, None]
    t = np.clip(_along(p - a, e), 0.0, length)
    out: Array = a + t[:, None] * e
    return out


def _crossings(p: Array, q: Array, r: Array, s: Array) -> tuple[Array, Array]:
    """Return where segments come closest inside both, else points far apart."""
    d, e, w = q - p, s - r, r - p
    dd, de, ee = _along(d, d), _along(d, e), _along(e, e)
    det = dd * ee - de * de
    apart = det > PARALLEL * dd * ee
    det = np.where(apart, det, 1.0)
    wd, we = _along(w, d), _along(w, e)
    x, y = (wd * ee - we * de) / det, (wd * de - we * dd) / det
    inside = apart & (x >= 0.0) & (x <= 1.0) & (y >= 0.0) & (y <= 1.0)
    x, y = np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0)
    far = np.where(inside, 0.0, np.inf)[:, None]
    return p + x[:, None] * d, r + y[:, None] * e + far


def _along(u: Array, v: Array) -> Array:
    out: Array = (u * v).sum(axis=1)
    return out


def exactly_from_triangle(p: Array, a: Array, b: Array, c: Array) -> float:
    """Return the exact height over a triangle; infinite where the foot lies outside."""
    from fractions import Fraction

    o, q, r, s = ([Fraction(float(t)) for t in v] for v in (a, b, c, p))
    e, f, w = ([u[i] - o[i] for i in range(3)] for u in (q, r, s))

    def cross(u: "list[Fraction]", v: "list[Fraction]") -> "list[Fraction]":
        return [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]

    def dot(u: "list[Fraction]", v: "list[Fraction]") -> "Fraction":
        return sum((u[i] * v[i] for i in range(3)), Fraction(0))

    n = cross(e, f)
    area = dot(n, n)
    beta, gamma = dot(cross(w, f), n), dot(cross(e, w), n)
    if area == 0 or min(beta, gamma, area - beta - gamma) < 0:
        return np.inf
    height = dot(w, n)
    return sqrt(height * height / area)
