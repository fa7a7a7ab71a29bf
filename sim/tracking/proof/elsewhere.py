"""Whether two bodies are as near to each other, or as deep in, at another place."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.depth import Facets, facets_within
from sim.tracking.proof.exact import (
    cross,
    dot,
    fractions,
    less,
    minus,
    placed,
    signed_square,
)
from sim.tracking.proof.solid import Solid
from sim.tracking.proof.told import Told
from sim.tracking.proof.triangle_gap import nearest_places
from sim.tracking.proof.verdict import FalseAnswer

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
AWAY = 1e-6  # per unit of scale: nearer, it is the same place
SAME = 1.5 * EPS  # per unit of scale: within it two distances are one
TIE = 64.0 * EPS  # per unit of scale: within it they may be called equal
NEAR = 1e-9  # per unit of reach: of vertices so level the highest is found exactly
TURNED = 1e-12  # one less the cosine of an angle of 1e-6


def check_elsewhere(told: Told, a: Solid, b: Solid, scale: float, single: bool) -> None:
    """Hold ``unique`` against other places that are as near, other axes as shallow.

    ``single``: at the place that is named the closest points are unique.  Axes count
    where a polytope answers: an overlap of convex bodies, or a touch.

    Raises
    ------
    FalseAnswer
        If ``unique`` is True and there is another place, to the last digits; or False
        and there is none, with some to spare.
    """
    if not told.unique and not single:
        return
    if a.sense == 0.0 or b.sense == 0.0:
        return  # a body that has collapsed: the answer looks at its own parts only
    polytope = told.distance < 0.0 or told.proof == "epa"
    if polytope and a.convex and b.convex:
        if not told.unique and not told.certified:
            return  # the polytope ran out of room
        least = _other_axes(told, a, b, scale)
    elif told.proof == "ring" or (polytope and told.unique):
        least = np.inf  # the closest points of convex bodies hang together
    else:
        least = _other_places(told, a, b, scale)
    if told.unique and least <= SAME * scale:
        raise FalseAnswer("the bodies are as near at another place, not unique")
    if not told.unique and least > TIE * scale:
        raise FalseAnswer("there is no other place as near: the points are unique")


def _other_places(told: Told, a: Solid, b: Solid, scale: float) -> float:
    """Return by how much farther the bodies are elsewhere, where that is a tie.

    Of hulls that overlap, once they are parted.
    """
    d, moved = told.distance, b.triangles
    off = [
        solid.off(p, parts)
        for solid, p, parts in zip((a, b), told.points, told.parts, strict=True)
    ]
    at = list(told.points)
    if d < 0.0:
        moved = moved - d * told.normal
        at[1] = at[1] - d * told.normal
        d = max(off)
    places = nearest_places(a.triangles, moved, d + TIE * scale)
    # Over a notch only one of the two points lies on its feature.
    sides = [0, 1] if told.distance >= 0.0 else [int(off[1] < off[0])]
    far = np.max([np.abs(places[k] - at[k]).max(axis=1) for k in sides], axis=0)
    away = np.linalg.norm(places[1] - places[0], axis=1)[far > AWAY * scale]
    return float(np.abs(away - d).min(initial=np.inf))


def _other_axes(told: Told, a: Solid, b: Solid, scale: float) -> float:
    """Return by how much more two bodies overlap along another facet's axis: exactly.

    A facet of the difference B - A ties if the bodies overlap as little along its
    normal.  Searching ends at the first that decides.
    """
    found = facets_within(a.x, b.x, TIE * scale - told.distance)
    other = 1.0 + found.normals @ told.normal > TURNED
    order = np.argsort(found.overlaps)
    own = [_square(found, int(k), a, b) for k in order[~other[order]]]
    if not own:
        return np.inf
    least = np.inf
    for k in order[other[order]]:
        off = less(min(own), _square(found, int(k), a, b)) * a.unit
        least = min(least, abs(off))
        if least <= SAME * scale or (not told.unique and least <= TIE * scale):
            break
    return least


def _square(found: Facets, k: int, a: Solid, b: Solid) -> Fraction:
    """Return the signed square of the overlap along the normal of a facet."""
    corners = [
        minus(placed(b.body, int(j)), placed(a.body, int(i)))
        for i, j in found.corners[k]
    ]
    m = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))
    n = found.normals[k]
    if dot(m, fractions(n)) < 0:
        m = [-x for x in m]
    ends = []
    for solid, way in ((a, -n), (b, n)):
        heights = solid.x @ way
        high = np.flatnonzero(heights >= heights.max() - NEAR * solid.reach)
        ends.append([dot(m, placed(solid.body, int(v))) for v in high])
    return signed_square(max(ends[1]) - min(ends[0]), m)
