"""Whether two bodies are as near to each other, or as deep in, at another place."""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.depth import check_depth, overlaps_along
from sim.tracking.proof.outline import across
from sim.tracking.proof.solid import Solid
from sim.tracking.proof.told import Told
from sim.tracking.proof.triangle_gap import nearest_places
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
AWAY = 1e-6  # per unit of scale: nearer, it is the same place
TIE = 64.0 * EPS  # per unit of scale: within it distances may be called equal
TURNED = 1e-12  # one less the cosine of an angle of 1e-6
ANGLE = 1e-5  # by which an axis is turned to see whether it is the only one


def check_elsewhere(told: Told, a: Solid, b: Solid, scale: float, single: bool) -> None:
    """Hold ``unique`` against other places that are as near, other axes as shallow.

    ``single``: at the place that is named the closest points are unique.

    Raises
    ------
    FalseAnswer
        If ``unique`` is True and there is another place, to the last digits; or False
        and there is none, with some to spare.  An overlap, or a touch that a polytope
        answers, may be called not unique: facets beside the nearest may be as near to
        rounding, and far from the origin that is more than a body's turn shows.
    """
    if not told.unique and not (single and told.certified):
        return
    if a.sense == 0.0 or b.sense == 0.0:
        return  # a body that has collapsed: the answer looks at its own parts only
    polytope = told.proof == "epa" and told.distance <= TIE * scale
    if told.distance < 0.0 or (polytope and a.convex and b.convex):
        if a.convex and b.convex:
            ties = _axes(told, a, b, scale)
        else:
            return  # one of a pair of hulls that need not touch the bodies
    elif told.proof == "ring" or max(a.dent, b.dent) <= 1e-14 * scale:
        ties = np.zeros(0)  # the closest points of convex bodies hang together
    else:
        ties = _places(told, a, b, scale)
    if told.unique and (ties <= EPS * scale).any():
        raise FalseAnswer("the bodies are as near at another place, not unique")
    if not (told.unique or told.distance < 0.0 or polytope or len(ties)):
        raise FalseAnswer("there is no other place as near: the points are unique")


def _places(told: Told, a: Solid, b: Solid, scale: float) -> Array:
    """Return by how much farther the bodies are elsewhere, where that is a tie."""
    limit = told.distance + TIE * scale
    p, q = nearest_places(a.triangles, b.triangles, limit)
    off = np.maximum(
        np.abs(p - told.points[0]).max(axis=1, initial=0.0),
        np.abs(q - told.points[1]).max(axis=1, initial=0.0),
    )
    far = off > AWAY * scale
    out: Array = np.linalg.norm(q - p, axis=1)[far] - told.distance
    return np.abs(out)


def _axes(told: Told, a: Solid, b: Solid, scale: float) -> Array:
    """Return by how much more the bodies overlap along other axes that tie."""
    depth = max(0.0, -told.distance)
    if abs(told.distance) <= TIE * scale:
        return _turned(told, a, b, scale)
    try:
        facets = check_depth(a.x, b.x, depth, TIE * scale, "the distance")
    except FalseAnswer:
        raise UnprovenAnswer("an axis of less overlap ties, or all but ties") from None
    near = facets.heights <= depth + TIE * scale
    near &= 1.0 + facets.normals @ told.normal > TURNED
    over = overlaps_along(a.x, b.x, facets.normals[near]) - depth
    return np.abs(over[over <= TIE * scale])


def _turned(told: Told, a: Solid, b: Solid, scale: float) -> Array:
    """Return by how much more two bodies that touch overlap along axes beside theirs.

    Axes along which they touch hang together.  If there are others than the normal,
    there is one that is turned about a line from the point to a vertex level with it.
    """
    n, p = told.normal, told.points[0]
    plane = across(n)
    flat = np.concatenate([b.x - p, p - a.x])
    flat = flat[np.abs(flat @ n) <= ANGLE * scale] @ plane
    lengths = np.linalg.norm(flat, axis=1)
    flat = flat[lengths > AWAY * scale] / lengths[lengths > AWAY * scale, None]
    aside = np.stack([-flat[:, 1], flat[:, 0]], axis=1)
    aside = np.concatenate([aside, -aside, np.eye(2), -np.eye(2)])
    ways = -(n + ANGLE * aside @ plane.T)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    over = overlaps_along(a.x, b.x, ways) - max(0.0, -told.distance)
    return np.abs(over[over <= TIE * scale])
