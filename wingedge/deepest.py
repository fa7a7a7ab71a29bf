"""Find the deepest point of triangles under several planes at once."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Longs = NDArray[np.integer]

BLOCK = 1 << 20  # heights compared at once: bounds the memory
ENOUGH = 1e-15  # of the heights: what rounding leaves of a better point
PLANES = 64  # looked at in one triangle; three decide, a few more are tried


class DeepestPoint(NamedTuple):
    """Deepest point of triangles under planes."""

    depth: float  # of the deepest point, under the plane that is nearest there
    point: tuple[float, float, float]
    vertex: int  # the deepest of the corners, which may be less deep


def deepest_under(
    points: Points, triangles: Longs, normals: Points, anchors: Points
) -> DeepestPoint:
    """Find the point of triangles that is farthest below the nearest of planes.

    The most, over all points of the triangles, of the least of the distances to the
    planes.  Under one plane that is at a corner; under several it may lie inside a side
    or a face, where two planes or three are equally near.

    Parameters
    ----------
    points : (V, 3) float
    triangles : (T, 3) int
        Their corners, one triangle at least.
    normals, anchors : (G, 3) float
        Outward unit normals, and a point on each plane, one plane at least.

    Returns
    -------
    DeepestPoint
        As deep as its own point is, so never more than the truth, and less by rounding
        alone.

    Notes
    -----
    Over one triangle the least distance is a concave function, the least of linear
    ones: its peak is a linear programme in three unknowns.  It is solved for planes
    added one by one, the lowest at the last peak next (Kelley, "The cutting-plane
    method for solving convex programs", J. SIAM 8, 1960, doi:10.1137/0108053), and only
    for triangles whose corners leave room for a deeper point.  Cost: O(V G).
    """
    used, place = np.unique(triangles, return_inverse=True)
    corner = place.reshape(-1, 3)
    least = np.full(len(used), np.inf)
    step = max(1, BLOCK // len(normals))
    for i in range(0, len(used), step):
        some = slice(i, i + step)
        least[some] = _heights(points[used[some]], normals, anchors).min(axis=1)
    k = int(least.argmax())
    x, y, z = points[used[k]].tolist()
    best = DeepestPoint(max(0.0, float(least[k])), (x, y, z), int(used[k]))
    if len(normals) == 1:
        return best
    room = np.empty(len(corner))
    step = max(1, step // 3)
    for i in range(0, len(corner), step):
        at = points[used[corner[i : i + step]]]
        heights = _heights(at.reshape(-1, 3), normals, anchors)
        room[i : i + step] = (
            heights.reshape(-1, 3, len(normals)).max(axis=1).min(axis=1)
        )
    for t in np.argsort(-room, kind="stable").tolist():
        if room[t] <= best.depth * (1.0 + ENOUGH):
            break
        at = points[used[corner[t]]]
        weights, depth = peak(_heights(at, normals, anchors).T)
        if depth > best.depth:
            x, y, z = (weights[:, None] * at).sum(axis=0).tolist()
            best = best._replace(depth=depth, point=(x, y, z))
    return best


def peak(heights: Points) -> tuple[Points, float]:
    """Return where the least of linear functions over a triangle is greatest.

    Parameters
    ----------
    heights : (G, 3) float
        The value of each function at the three corners.

    Returns
    -------
    weights : (3,) float
        Of the corners, not negative, their sum 1.
    value : float
        The least of the functions there.
    """
    scale = float(np.abs(heights).max())
    chosen = sorted(set(heights.argmin(axis=0).tolist()))
    while True:
        weights, value = _peak_of_few(heights[chosen])
        here = (heights * weights).sum(axis=1)
        lowest = int(here.argmin())
        done = here[lowest] >= value - ENOUGH * scale or lowest in chosen
        if done or len(chosen) == PLANES:
            return weights, float(here[lowest])
        chosen.append(lowest)


def _peak_of_few(heights: Points) -> tuple[Points, float]:
    """Solve ``peak`` by trying every place where as many functions meet as can."""
    tried = [np.eye(3)]
    pairs = np.array(list(combinations(range(len(heights)), 2)), int).reshape(-1, 2)
    off = heights[pairs[:, 0]] - heights[pairs[:, 1]]
    for i in range(3):
        j = (i + 1) % 3
        fall = off[:, j] - off[:, i]
        share = off[:, j] / np.where(fall == 0.0, np.inf, fall)
        sides = np.zeros((len(off), 3))
        sides[:, i], sides[:, j] = share, 1.0 - share
        tried.append(sides)
    triples = np.array(list(combinations(range(len(heights)), 3)), int).reshape(-1, 3)
    one, two, three = (heights[triples[:, k]] for k in range(3))
    across = np.cross(one - two, one - three)
    total = across.sum(axis=1, keepdims=True)
    tried.append(across / np.where(total == 0.0, np.inf, total))
    weights = np.concatenate(tried)
    whole = weights.sum(axis=1)  # 0 where the planes meet in a line, or nowhere
    kept = (weights >= 0.0).all(axis=1) & (whole > 0.0)
    weights = weights[kept] / whole[kept, None]
    values = (weights[:, None, :] * heights[None]).sum(axis=2).min(axis=1)
    k = int(values.argmax())
    return weights[k], float(values[k])


def _heights(points: Points, normals: Points, anchors: Points) -> Points:
    """Measure how far points lie below planes, (N, G)."""
    out = np.zeros((len(points), len(normals)))
    for k in range(3):
        out += (anchors[:, k] - points[:, k, None]) * normals[:, k]
    return out
