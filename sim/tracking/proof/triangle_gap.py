"""How far apart two surfaces are, triangle by triangle: for the checker alone.

Like `sim.tracking.proof.verify` it shares no formula with the tracker or its search.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BLOCK = 2048  # pairs of triangles measured at once
ROWS = 1 << 19  # pairs of balls compared at once
PARALLEL = 1e-14  # squared sine below which two lines have no pair of closest points


def surface_gap(one: Array, other: Array) -> float:
    """Return the least distance of triangles (T, 3, 3) that do not cross.

    Pairs are measured in the order of how near the balls around them come, until those
    left are farther than the best.  Cost: O(T_a T_b) for the balls.
    """
    ca, cb = one.mean(axis=1), other.mean(axis=1)
    ra = np.linalg.norm(one - ca[:, None], axis=2).max(axis=1)
    rb = np.linalg.norm(other - cb[:, None], axis=2).max(axis=1)
    best = np.inf
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
    order = np.argsort(low)
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        if low[block[0]] > best:
            break
        best = min(best, float(_triangle_pairs(one[i[block]], other[j[block]]).min()))
    return best


def _triangle_pairs(s: Array, t: Array) -> Array:
    """Return the distance of matching triangles (n, 3, 3) that do not cross."""
    near = np.full(len(s), np.inf)
    for k in range(3):
        near = np.minimum(near, from_triangles(s[:, k], t))
        near = np.minimum(near, from_triangles(t[:, k], s))
    for i in range(3):
        for j in range(3):
            pair = _line_pairs(s[:, i], s[:, i - 1], t[:, j], t[:, j - 1])
            near = np.minimum(near, pair)
    return near


def from_triangles(p: Array, t: Array) -> Array:
    """Return the distance of points (n, 3) or one (1, 3) from triangles (n, 3, 3)."""
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    near = np.minimum(_from_lines(p, a, b), _from_lines(p, b, c))
    near = np.minimum(near, _from_lines(p, c, a))
    n = np.cross(b - a, c - a)
    area = np.linalg.norm(n, axis=1)
    n = n / np.where(area > 0.0, area, 1.0)[:, None]
    height = _along(p - a, n)
    foot = p - height[:, None] * n
    inside = area > 0.0
    for u, v in ((a, b), (b, c), (c, a)):
        inside = inside & (_along(np.cross(v - u, foot - u), n) >= 0.0)
    return np.where(inside, np.abs(height), near)


def _from_lines(p: Array, a: Array, b: Array) -> Array:
    e = b - a
    length = np.linalg.norm(e, axis=1)
    e = e / np.where(length > 0.0, length, 1.0)[:, None]
    t = np.clip(_along(p - a, e), 0.0, length)
    out: Array = np.linalg.norm(p - a - t[:, None] * e, axis=1)
    return out


def _line_pairs(p: Array, q: Array, r: Array, s: Array) -> Array:
    """Return the distance of segments that come closest inside both, else infinity."""
    d, e, w = q - p, s - r, r - p
    dd, de, ee = _along(d, d), _along(d, e), _along(e, e)
    det = dd * ee - de * de
    apart = det > PARALLEL * dd * ee
    det = np.where(apart, det, 1.0)
    wd, we = _along(w, d), _along(w, e)
    x, y = (wd * ee - we * de) / det, (wd * de - we * dd) / det
    inside = apart & (x >= 0.0) & (x <= 1.0) & (y >= 0.0) & (y <= 1.0)
    gap = np.linalg.norm(w + y[:, None] * e - x[:, None] * d, axis=1)
    return np.where(inside, gap, np.inf)


def _along(u: Array, v: Array) -> Array:
    out: Array = (u * v).sum(axis=1)
    return out
