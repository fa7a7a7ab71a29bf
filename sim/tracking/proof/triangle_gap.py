"""How far apart two surfaces are, triangle by triangle: for the checker alone.

Like `sim.tracking.proof.verify` it shares no formula with the tracker or its search.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.boxes import Boxes, near_groups, near_pairs, pairs_of

Array = NDArray[np.float64]
GROUPS = 256  # pairs of groups measured at once
PARALLEL = 1e-14  # squared sine below which two lines have no pair of closest points


def surface_gap(one: Array, other: Array) -> float:
    """Return the least distance of triangles (T, 3, 3) that do not cross.

    Pairs of groups are measured in the order of how near their boxes come, until those
    left are farther than the best.
    """
    s, t = Boxes(one), Boxes(other)
    i, j, low = near_groups(s, t)
    best = np.inf
    for start in range(0, len(i), GROUPS):
        block = slice(start, start + GROUPS)
        if low[start] > best:
            break
        own, far = pairs_of(s, t, i[block], j[block], best)
        if len(own):
            best = min(best, float(triangle_pairs(one[own], other[far])[0].min()))
    return best


def nearest_places(one: Array, other: Array, limit: float) -> tuple[Array, Array]:
    """Return the closest points of all features within a distance, (k, 3) each."""
    found = [(np.zeros((0, 3)), np.zeros((0, 3)))]
    for i, j in near_pairs(one, other, limit):
        for p, q in _feature_pairs(one[i], other[j]):
            near = np.linalg.norm(q - p, axis=1) <= limit
            found.append((p[near], q[near]))
    points_a, points_b = zip(*found, strict=True)
    return np.concatenate(points_a), np.concatenate(points_b)


def from_surface(points: Array, triangles: Array) -> Array:
    """Return the distance of each point from the nearest of all triangles."""
    found = np.full(len(points), np.inf)
    if not len(points):
        return found
    s, t = Boxes(points[:, None]), Boxes(triangles)
    i, j, low = near_groups(s, t)
    for start in range(0, len(i), GROUPS):
        block = slice(start, start + GROUPS)
        if low[start] > found.max():
            break
        open_ = low[block] <= found[s.ids[i[block]]].max(axis=1)
        own, far = pairs_of(s, t, i[block][open_], j[block][open_], found)
        np.minimum.at(found, own, from_triangles(points[own], triangles[far]))
    return found


def triangle_pairs(s: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return distance and closest points of matching triangles that do not cross."""
    near = np.full(len(s), np.inf)
    p, q = np.zeros((len(s), 3)), np.zeros((len(s), 3))
    for x, y in _feature_pairs(s, t):
        d = np.linalg.norm(y - x, axis=1)
        nearer = d < near
        near[nearer], p[nearer], q[nearer] = d[nearer], x[nearer], y[nearer]
    return near, p, q


def _feature_pairs(s: Array, t: Array) -> Iterator[tuple[Array, Array]]:
    """Yield the closest points of corners and triangles, and of sides that cross."""
    for k in range(3):
        yield s[:, k], _on_triangles(s[:, k], t)
        yield _on_triangles(t[:, k], s), t[:, k]
    for i in range(3):
        for j in range(3):
            yield _crossings(s[:, i], s[:, i - 1], t[:, j], t[:, j - 1])


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
