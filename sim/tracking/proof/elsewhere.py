"""Whether two bodies are as near to each other, or as deep in, at another place."""

from fractions import Fraction
from math import copysign, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.case import Case
from sim.tracking.proof.depth import Facets, facets_within
from sim.tracking.proof.solid import Solid
from sim.tracking.proof.told import Told
from sim.tracking.proof.triangle_gap import nearest_places
from sim.tracking.proof.verdict import FalseAnswer
from wingedge.columns import cross, dot, subtract

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
AWAY = 1e-6  # per unit of scale: nearer, it is the same place
SAME = 1.5 * EPS  # per unit of scale: within it two distances are one
TIE = 64.0 * EPS  # per unit of scale: within it they may be called equal
TURNED = 1e-12  # one less the cosine of an angle of 1e-6


def check_elsewhere(case: Case, single: bool) -> None:
    """Hold ``unique`` against other places that are as near, other axes as shallow.

    ``single``: at the place that is named the closest points are unique.  Axes count
    where a polytope answers: an overlap of convex bodies, or a touch.
    """
    told, a, b, scale = case.told, case.a, case.b, case.scale
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
        least = _other_places(case)
    if told.unique and least <= SAME * scale:
        raise FalseAnswer("the bodies are as near at another place, not unique")
    if not told.unique and least > TIE * scale:
        raise FalseAnswer("there is no other place as near: the points are unique")


def _other_places(case: Case) -> float:
    """Return by how much farther the bodies are elsewhere, where that is a tie.

    Of hulls that overlap, once they are parted.
    """
    told, a, b = case.told, case.a, case.b
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
    places = nearest_places(a.triangles, moved, d + TIE * case.scale)
    # Over a notch only one of the two points lies on its feature.
    sides = [0, 1] if told.distance >= 0.0 else [int(off[1] < off[0])]
    far = np.max([np.abs(places[k] - at[k]).max(axis=1) for k in sides], axis=0)
    far = far > AWAY * case.scale + 4.0 * case.slack
    away = np.linalg.norm(places[1] - places[0], axis=1)[far]
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
        least = min(least, _apart(min(own), _square(found, int(k), a, b)))
        if least <= SAME * scale or (not told.unique and least <= TIE * scale):
            break
    return least


def _square(found: Facets, k: int, a: Solid, b: Solid) -> Fraction:
    """Return the signed square of the overlap along the normal of a facet."""
    x, y, z = (
        subtract(b.exactly(int(j)), a.exactly(int(i))) for i, j in found.corners[k]
    )
    m: Any = cross(subtract(y, x), subtract(z, x))
    n: Any = tuple(map(Fraction, found.normals[k]))
    if dot(m, n) < 0:
        m = tuple(-x for x in m)
    low, high = (
        [dot(m, solid.exactly(v)) for v in solid.highest(way)]
        for solid, way in ((a, -found.normals[k]), (b, found.normals[k]))
    )
    top: Any = max(high) - min(low)
    square: Any = dot(m, m)
    return Fraction(top * abs(top), square)


def _apart(one: Fraction, other: Fraction) -> float:
    """Return how far the roots of two signed squares are apart."""
    p, q = (copysign(sqrt(abs(x)), x) for x in (one, other))
    if p * q <= 0.0:
        return abs(q - p)
    return abs(float(other - one)) / (abs(p) + abs(q))
