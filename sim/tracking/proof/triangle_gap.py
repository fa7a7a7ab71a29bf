"""How far apart two surfaces are, triangle by triangle: for the checker alone.

Pairs whose boxes are too far from each other are left out first, block by block.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wingedge.faces import distance_sq
from wingedge.primitives import point_triangle

Array = NDArray[np.float64]
Ids = NDArray[np.intp]

PAIRS = 1 << 12  # measured at once
BLOCK = 1 << 18  # pairs of boxes compared at once
CLOSE = 1.0 + 1e-12  # the rounding of a distance does not hide a pair


def near_pairs(
    s: Array, t: Array, limit: float | Array
) -> Iterator[tuple[Ids, Ids, Array]]:
    """Yield the pairs of triangles, or points, whose boxes come near; and how near.

    Parameters: ``limit``: one distance for all, or one of each of the first.
    """
    (low, high), (lows, highs) = ((x.min(axis=1), x.max(axis=1)) for x in (s, t))
    limits = np.broadcast_to(limit, len(s))[:, None]
    step = max(1, BLOCK // len(t))
    for k in range(0, len(s), step):
        part = slice(k, k + step)
        square = np.zeros((len(low[part]), len(t)))
        for m in range(3):
            gap = low[part, None, m] - highs[:, m]
            np.maximum(gap, lows[:, m] - high[part, None, m], out=gap)
            square += np.maximum(gap, 0.0, out=gap) ** 2
        gaps = np.sqrt(square)
        i, j = np.nonzero(gaps <= limits[part])
        if len(i):
            yield i + k, j, gaps[i, j]


def windings(points: Array, triangles: Array) -> Array:
    """Return how often a surface winds around points: its solid angle from there.

    After Van Oosterom, Strackee 1983, DOI 10.1109/TBME.1983.325207.
    """
    found = np.zeros(len(points))
    step = max(1, BLOCK // len(triangles))
    for k in range(0, len(points), step):
        corners = triangles - points[k : k + step, None, None]
        u, v, w = (corners[:, :, m] for m in range(3))
        a, b, c = (np.linalg.norm(x, axis=2) for x in (u, v, w))
        low = a * b * c + (u * v).sum(axis=2) * c
        low += (v * w).sum(axis=2) * a + (w * u).sum(axis=2) * b
        high = (u * np.cross(v, w)).sum(axis=2)
        found[k : k + step] = np.arctan2(high, low).sum(axis=1) / (2.0 * np.pi)
    return found


def surface_gap(one: Array, other: Array) -> float:
    """Return the least distance of triangles (T, 3, 3) that do not cross.

    Pairs are measured in the order of how near their boxes come.
    """
    best = float(vertex_gaps(one, other).min())
    found = list(near_pairs(one, other, best * CLOSE))
    i, j, low = (np.concatenate(column) for column in zip(*found, strict=True))
    order = low.argsort(kind="stable")
    for start in range(0, len(order), PAIRS):
        block = order[start : start + PAIRS]
        if low[block[0]] > best:
            break
        square = distance_sq(one[i[block]], other[j[block]])
        best = min(best, float(np.sqrt(square.min())))
    return best


def from_surface(points: Array, triangles: Array) -> Array:
    """Return the distance of each point from the nearest of all triangles."""
    found = np.full(len(points), np.inf)
    if len(points):
        limits = vertex_gaps(points, triangles) * CLOSE
        for i, j, _ in near_pairs(points[:, None], triangles, limits):
            np.minimum.at(found, i, from_triangles(points[i], triangles[j]))
    return found


def vertex_gaps(points: Array, others: Array) -> Array:
    """Return the distance of each point from the nearest other one; any shapes."""
    from scipy.spatial import KDTree

    return np.asarray(KDTree(others.reshape(-1, 3)).query(points.reshape(-1, 3))[0])


def from_triangles(p: Array, t: Array) -> Array:
    """Return the distance of points (n, 3) or one (1, 3) from triangles (n, 3, 3)."""
    square = point_triangle.closest(p, t[:, 0], t[:, 1], t[:, 2]).distance_sq
    out: Array = np.sqrt(square)
    return out


def along(u: Array, v: Array) -> Array:
    """Return the scalar products of vectors that go together."""
    out: Array = (u * v).sum(axis=1)
    return out
