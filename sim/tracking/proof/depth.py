"""How deep two convex bodies overlap, at least.

The difference B - A of two convex bodies holds a ball around the origin if no shorter
translation parts them.  It is approached from inside, by the hull of some of its
points: along the normal of every facet that is too near the support is added, until
none is nearer than the ball, or one is a facet of the difference itself, an axis along
which the bodies overlap less.
"""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer

Array = NDArray[np.float64]
Ids = NDArray[np.integer]

ROUNDS = 200
POINTS = 50_000  # of the difference that are looked at, at most
BLOCK = 1 << 22  # numbers computed at once
THIN = 1e-13  # of their width: points that are no thicker lie in a plane
THICK = 8.0  # of the rounding: what Qhull may leave off a facet
SLIVER = 1e-9  # of the width squared: corners of less area know no normal
FLAT = 1e-15  # of the width: a support that is no farther is level with the facet


def check_depth(xa: Array, xb: Array, depth: float, slack: float, what: str) -> None:
    """Prove that no translation shorter than a depth parts the hulls of two bodies."""
    limit = depth - slack
    ways = np.array(
        [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    )
    ways = ways[(ways != 0).any(axis=1)].astype(float)
    both = np.concatenate([x - x.mean(axis=0) for x in (xa, xb)])
    # Needles have few ends along given axes: those along their own are asked as well.
    ways = np.concatenate([ways, ways @ _stretch(both).T])
    points = np.unique(_supports(xa, xb, ways), axis=0)
    for _ in range(ROUNDS):
        if len(points) > POINTS:
            break
        normals, heights, corners = _facets(points)
        near = heights < limit
        aside = near & (heights > 0.0)  # its plane is near, it may lie beside the ball
        if aside.any():
            ball = from_triangles(np.zeros((1, 3)), points[corners[aside]])
            near[aside] = ball < limit
        normals, heights = normals[near], heights[near]
        tops = _supports(xa, xb, normals)
        overlaps = (tops * normals).sum(axis=1)
        least = overlaps.min(initial=limit)
        if least < limit:
            raise FalseAnswer(
                f"along another axis the bodies overlap by {least:.17g} only, which "
                f"{what} denies"
            )
        beyond = overlaps - heights > FLAT * np.abs(points).max()
        more = np.unique(np.concatenate([points, tops[beyond]]), axis=0)
        if len(more) == len(points):
            # Where Qhull leaves points off a facet, its plane alone is inside.
            if beyond.any() and (heights < limit - THICK * slack).any():
                raise UnprovenAnswer("no hull of the difference to re-prove the depth")
            return
        points = more
    raise UnprovenAnswer("the bodies are too large to re-prove a depth")


def _supports(xa: Array, xb: Array, ways: Array) -> Array:
    """Return the points of the difference that lie farthest along each way, (k, 3)."""
    step = max(1, BLOCK // max(len(xa), len(xb)))
    blocks = [ways[k : k + step].T for k in range(0, len(ways), step)]
    tops = [xb[(xb @ w).argmax(axis=0)] - xa[(xa @ w).argmin(axis=0)] for w in blocks]
    return np.concatenate([np.zeros((0, 3)), *tops])


def _facets(points: Array) -> tuple[Array, Array, Ids]:
    """Return the outward normals, heights and corners of the triangles of a hull.

    The points are made as wide every way first: the facets are the same, and Qhull
    takes thin points for flat.  Normals are computed from their corners.  That they
    close up is checked: every side is shared by two.
    """
    from scipy.spatial import ConvexHull, QhullError

    flat = points - points.mean(axis=0)
    stretch = _stretch(flat)
    try:
        if len(points) < 4:
            raise QhullError
        hull = ConvexHull(flat @ stretch)
    except QhullError:
        raise UnprovenAnswer(
            "no hull of the difference to re-prove the depth by"
        ) from None
    out = hull.equations[:, :3] @ stretch.T
    out /= np.linalg.norm(out, axis=1)[:, None]
    corners = hull.simplices
    u, v, w = (points[corners[:, k]] for k in range(3))
    normals = np.cross(v - u, w - u)
    area = np.linalg.norm(normals, axis=1)[:, None]
    flat = area <= SLIVER * float(np.abs(points).max()) ** 2
    normals = np.where(flat, out, normals / np.where(flat, 1.0, area))
    normals *= np.sign((normals * out).sum(axis=1))[:, None]
    sides = np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, count = np.unique(sides, axis=0, return_counts=True)
    if (count != 2).any():
        raise UnprovenAnswer("the hull of the difference does not close up")
    return normals, (u * normals).sum(axis=1), corners


def _stretch(flat: Array) -> Array:
    """Return the matrix that makes points around the origin as wide every way."""
    _, wide, axes = np.linalg.svd(flat, full_matrices=False)
    out: Array = axes.T * (wide[0] / np.maximum(wide, THIN * (wide[0] or 1.0)))
    return out
