"""Whether patch and contacts are where level parts face each other, and unique."""

from fractions import Fraction
from itertools import product
from math import copysign, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.claim import Case, Claim, Corner
from sim.tracking.proof.depth import Facets, facets_within
from sim.tracking.proof.level import Level
from sim.tracking.proof.outline import (
    across,
    area_of,
    beyond,
    ends_of,
    outline,
    outside,
    overlap,
    pieces_of,
    spread,
)
from sim.tracking.proof.solid import Solid, deepest
from sim.tracking.proof.triangle_gap import from_triangles, nearest_places
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer, refuse
from wingedge import Feature
from wingedge.columns import cross, dot, subtract
from wingedge.exact import Point

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
CORNER = 1e-6  # of the size: how far an acute corner may reach out
PARALLEL = 1e-6  # sine below which the closest points of two edges fill a patch
MARGIN = 1.1  # tolerances: nearer to a side a point may be inside or not
CORNERS = ("VF", "FV", "EE")  # the kinds of the corners of a patch
PIECES = 20_000  # pairs of pieces of two level parts that are compared


class Facing(NamedTuple):
    """Two level parts in convex pieces, seen along the normal."""

    pieces_a: list[Array]
    pieces_b: list[Array]
    axes: Array  # (3, 2)

    def common(self, by: float) -> Array:
        """Return the corners of all overlaps of pieces that are grown by some.

        And their own corners beside the others; of lines, that may cross, these alone.
        """
        near = 2.0 * by if by > 0.0 else -0.5 * by
        found = [np.zeros((0, 2))]
        for one, other in product(self.pieces_a, self.pieces_b):
            beside = np.maximum(one.min(axis=0), other.min(axis=0)) - 2.0 * abs(by)
            if (beside <= np.minimum(one.max(axis=0), other.max(axis=0))).all():
                found.append(one[outside(one, other) <= near])
                found.append(other[outside(other, one) <= near])
                if max(len(one), len(other)) > 2:
                    found.append(overlap(one, other, by))
        return np.concatenate(found)

    def meet(self, by: float) -> bool:
        """Say whether pieces that are grown by some have a point in common."""
        pairs = product(self.pieces_a, self.pieces_b)
        return any(len(overlap(one, other, by)) for one, other in pairs)


def faced(case: Case, levels: tuple[Level, Level]) -> Facing:
    """Lay the level parts of an answer into one plane."""
    axes = across(case.claim.normal)
    pieces_a, pieces_b = (
        pieces_of(level.solid.x[level.fans()] @ axes, letter)
        for level, letter in zip(levels, case.claim.kind, strict=True)
    )
    if len(pieces_a) * len(pieces_b) > PIECES:
        raise UnprovenAnswer("the level parts have too many pieces to compare")
    return Facing(pieces_a, pieces_b, axes)


def check_patch(case: Case, facing: Facing) -> bool:
    """Hold ``unique`` and the patch against where the level parts overlap.

    What is left where both parts shrink by the tolerance must be covered, and nothing
    else but what is common where they grow by it.  Returns whether other places would
    have to be as near for ``unique`` to be false.
    """
    claim, level = case.claim, MARGIN * case.level
    surely, maybe = facing.common(-level), facing.common(level)
    parts = zip(claim.kind, facing[:2], strict=True)
    flat = [k != "V" and spread(np.concatenate(p)) <= 1e3 * level for k, p in parts]
    sine = _angle(facing) if claim.kind == "EE" and not any(flat) else 0.0
    wide = 10.0 * level
    several = spread(surely) > wide and sine <= 0.9 * PARALLEL
    if claim.unique:
        if several:
            raise FalseAnswer("the closest points fill a patch, and are not unique")
        return False
    if len(claim.patch):
        _check_corners(case, facing, surely)
        if any(flat) or spread(claim.patch) > 0.0:
            return sine > 1.1 * PARALLEL
        # In the world its corners may be one point, where they are rounded.
        if len(claim.patch) > 1:
            if not 0.5 * wide < spread(maybe) <= 16.0 * case.slack + wide:
                raise FalseAnswer("the patch has no extent")
            return False
    elif several:
        raise FalseAnswer("the closest points fill a patch that is not listed")
    measured = "F" in claim.kind and claim.proof != "search"  # it would be listed
    return measured or spread(maybe) <= wide or sine > 1.1 * PARALLEL


def _angle(facing: Facing) -> float:
    """Return the sine of the angle between two lines."""
    d, e = (p[0][1] - p[0][0] for p in facing[:2])
    return float(abs(d[0] * e[1] - d[1] * e[0]) / np.linalg.norm(d) / np.linalg.norm(e))


def _check_corners(case: Case, facing: Facing, surely: Array) -> None:
    claim, drop = case.claim, case.drop
    near = 2.0 * drop + 1e-14 * abs(claim.distance)
    flat = claim.patch @ facing.axes
    high = np.abs((claim.patch - claim.points[0]) @ claim.normal)
    if float(high.max()) > 20.0 * drop + 1e-9 * abs(claim.distance):
        raise FalseAnswer(f"a corner of the patch is {high.max():g} off its plane")
    # Sides moved out by a little meet far from an acute corner.
    off = [np.min([beyond(flat, p) for p in pieces], axis=0) for pieces in facing[:2]]
    out = [np.min([outside(flat, p) for p in pieces], axis=0) for pieces in facing[:2]]
    if np.max(off) > near or np.max(out) > CORNER * claim.size + near:
        raise FalseAnswer(f"a corner of the patch is {np.max(out):g} off its parts")
    if np.max(off, axis=0).min() < -near:
        raise FalseAnswer("the patch has a corner where the overlap has none")
    whole = outline(flat)
    missed = outside(surely, whole)
    if (missed > near).any():
        raise FalseAnswer(f"the patch leaves {missed.max():g} of the overlap out")
    if not area_of(whole) > 1e3 * drop * spread(flat):
        ends = ends_of(flat)
        off = np.linalg.norm(flat[:, None] - ends, axis=2).min(axis=1)
        if off.max() > CORNER * claim.size + 1e3 * drop:
            raise FalseAnswer("the patch is a line with a corner between its ends")
    elif len(claim.patch) > 2:
        turned = abs(area_of(flat) - area_of(whole))
        if turned > 1e-6 * area_of(whole) + 100.0 * near * spread(flat):
            raise FalseAnswer("the patch does not run round once, counter-clockwise")


def check_contacts(
    claim: Claim, levels: tuple[Level, Level], near: float, *, hulls: bool
) -> None:
    """Hold every contact against the level parts, or as the deepest vertex of a body.

    ``near`` is how far a point may be off what it lies on; ``hulls``: the overlap is
    that of hulls, not of the bodies.
    """
    for k, corner in enumerate(claim.corners):
        named = list(zip("AB", levels, corner.features, corner.points, strict=True))
        own = corner.features == tuple(parts[0] for parts in claim.parts)
        letters = "".join(feature.letter for feature in corner.features)
        fits = letters in CORNERS or (own and len(claim.corners) == 1)
        way = corner.points[1] - corner.points[0]
        straight = np.abs(way - claim.distance * claim.normal).max() <= near
        parts = all(_is_part(level, feature) for _, level, feature, _ in named)
        if hulls and not (straight and parts and fits):
            _check_deepest(claim, corner, levels, near)
            continue
        if hulls and own and np.array_equal(corner.points, claim.points):
            continue  # its points are held already, and may lie aside its features
        refuse(
            (not straight, f"contact {k} is not distance times normal long"),
            (not parts, f"contact {k}: {letters} are no parts of what touches"),
            (not fits, f"contact {k} may not be {letters}"),
        )
        for name, level, feature, point in named:
            off = _off(level, feature, point, near, CORNER * claim.size)
            if off > near:
                raise FalseAnswer(f"contact {k} is {off:g} off {feature} of {name}")
        off = np.abs(np.subtract(corner.points, claim.points)).max()
        # Where edges cross at a small angle the place along them has few digits.
        wide = near
        if claim.kind == "EE":
            d, e = (
                np.diff(one.solid.x[one.members[[0, -1]]], axis=0) for one in levels
            )
            sine = (
                np.linalg.norm(np.cross(d, e)) / np.linalg.norm(d) / np.linalg.norm(e)
            )
            wide = claim.size * max(1e-6, 16.0 * EPS / max(float(sine), EPS))
        if len(claim.corners) == 1 and off > wide:
            raise FalseAnswer(f"the only contact is {off:g} from the closest points")


def _is_part(level: Level, feature: Feature) -> bool:
    """Say whether a feature is the level part by its name, or on the rim of it."""
    if feature == level.parts[0]:
        return True
    ids = level.solid.vertices_of(feature)
    if level.solid.hulled:
        return feature in level.parts or bool(level.level[ids].all())
    if feature.letter == "E":
        return feature.index in level.rim
    return feature.letter == "V" and ids[0] in level.members


def _off(
    level: Level, feature: Feature, point: Array, near: float, wide: float
) -> float:
    """Return how far a point lies from a vertex, the side of an edge, a level part.

    A side may be several edges on one line; a point may lie so ``wide`` beyond its end.
    """
    solid = level.solid
    if feature in level.parts:
        return solid.off(point, level.parts, near)
    ends = solid.x[solid.vertices_of(feature)]
    if feature.letter != "E" or (ends[0] == ends[1]).all():
        return float(np.linalg.norm(point - ends[0]))
    e, w = ends[1] - ends[0], point - ends[0]
    way = e / np.linalg.norm(e)
    off = float(np.linalg.norm(np.cross(w, way)))
    if solid.hulled:
        return off
    side = solid.x[solid.mesh.edge_vertices[level.rim]] - ends[0]
    side = side[np.linalg.norm(np.cross(side, way), axis=2).max(axis=1) <= wide] @ way
    past = np.maximum(side.min(axis=1) - w @ way, w @ way - side.max(axis=1))
    return max(off, float(past.min()) - wide)


def _check_deepest(
    claim: Claim, corner: Corner, levels: tuple[Level, Level], near: float
) -> None:
    """Hold a contact against the deepest vertex of one body inside the other."""
    letters = "".join(feature.letter for feature in corner.features)
    if len(claim.corners) != 1 or letters not in ("VF", "FV"):
        raise FalseAnswer("a contact is elsewhere than distance and normal say")
    inner = letters.index("V")
    solids: tuple[Solid, Solid] = levels[0].solid, levels[1].solid
    vertex = int(solids[inner].vertices_of(corner.features[inner])[0])
    deep, foot = corner.points[inner], corner.points[1 - inner]
    off = float(np.abs(solids[inner].x[vertex] - deep).max())
    other = solids[1 - inner]
    fan = other.fan_of(corner.features[1 - inner])
    off = max(off, float(from_triangles(foot[None], other.x[fan]).min()))
    depth = float(other.depths(deep[None])[0])
    off = max(off, abs(float(np.linalg.norm(foot - deep)) - depth))
    off = max(off, deepest(*solids) - depth)
    if off > near:
        raise FalseAnswer(f"the deepest vertex is {off:g} from where it is said to be")


AWAY = 1e-6  # per unit of scale: nearer, it is the same place
SAME = 1.5 * EPS  # per unit of scale: within it two distances are one
TIE = 64.0 * EPS  # per unit of scale: within it they may be called equal
TURNED = 1e-12  # one less the cosine of an angle of 1e-6


def check_elsewhere(case: Case, single: bool) -> None:
    """Hold ``unique`` against other places that are as near, other axes as shallow.

    ``single``: at the place that is named the closest points are unique.  Axes count
    where a polytope answers: an overlap of convex bodies, or a touch.
    """
    claim, a, b, scale = case.claim, case.a, case.b, case.scale
    if not claim.unique and not single:
        return
    if a.sense == 0.0 or b.sense == 0.0:
        return  # a body that has collapsed: the answer looks at its own parts only
    polytope = claim.distance < 0.0 or claim.proof == "epa"
    if polytope and a.convex and b.convex:
        if not claim.unique and not claim.certified:
            return  # the polytope ran out of room
        least = _other_axes(claim, a, b, scale)
    elif claim.proof == "ring" or (polytope and claim.unique):
        least = np.inf  # the closest points of convex bodies hang together
    else:
        least = _other_places(case)
    if claim.unique and least <= SAME * scale:
        raise FalseAnswer("the bodies are as near at another place, not unique")
    if not claim.unique and least > TIE * scale:
        raise FalseAnswer("there is no other place as near: the points are unique")


def _other_places(case: Case) -> float:
    """Return by how much farther the bodies are elsewhere, where that is a tie.

    Of hulls that overlap, once they are parted.
    """
    claim, a, b = case.claim, case.a, case.b
    d, moved = claim.distance, b.triangles
    off = [
        solid.off(p, parts)
        for solid, p, parts in zip((a, b), claim.points, claim.parts, strict=True)
    ]
    at = list(claim.points)
    if d < 0.0:
        moved = moved - d * claim.normal
        at[1] = at[1] - d * claim.normal
        d = max(off)
    places = nearest_places(a.triangles, moved, d + TIE * case.scale)
    # Over a notch only one of the two points lies on its feature.
    sides = [0, 1] if claim.distance >= 0.0 else [int(off[1] < off[0])]
    far = np.max([np.abs(places[k] - at[k]).max(axis=1) for k in sides], axis=0)
    far = far > AWAY * case.scale + 4.0 * case.slack
    away = np.linalg.norm(places[1] - places[0], axis=1)[far]
    return float(np.abs(away - d).min(initial=np.inf))


def _other_axes(claim: Claim, a: Solid, b: Solid, scale: float) -> float:
    """Return by how much more two bodies overlap along another facet's axis: exactly.

    A facet of the difference B - A ties if the bodies overlap as little along its
    normal.  Searching ends at the first that decides.
    """
    found = facets_within(a.x, b.x, TIE * scale - claim.distance)
    other = 1.0 + found.normals @ claim.normal > TURNED
    order = np.argsort(found.overlaps)
    own = [_overlap(*_axis(found, k, a, b), a, b) for k in order[~other[order]]]
    if not own and claim.kind == "EE":  # the facet is a sliver that the hull leaves out
        d, e = (
            subtract(*map(solid.exactly, solid.vertices_of(parts[0]).tolist()))
            for solid, parts in zip((a, b), claim.parts, strict=True)
        )
        m: Any = cross(d, e)
        long: Any = dot(d, d) * dot(e, e)
        if dot(m, m) > Fraction(PARALLEL) ** 2 * long:
            own = [_overlap(m, -claim.normal, a, b)]
    if not own:
        return np.inf
    least = np.inf
    for k in order[other[order]]:
        square = _overlap(*_axis(found, k, a, b), a, b)
        least = min(least, _apart(min(own), square))
        if least <= SAME * scale or (not claim.unique and least <= TIE * scale):
            break
    return least


def _axis(found: Facets, k: int, a: Solid, b: Solid) -> tuple[Point, Array]:
    """Return the normal of a facet, exactly and rounded."""
    x, y, z = (
        subtract(b.exactly(int(j)), a.exactly(int(i))) for i, j in found.corners[k]
    )
    return cross(subtract(y, x), subtract(z, x)), found.normals[k]


def _overlap(m: Any, way: Array, a: Solid, b: Solid) -> Fraction:
    """Return the signed square of the overlap along an axis, by its rounded sense."""
    n: Any = tuple(map(Fraction, way))
    if dot(m, n) < 0:
        m = tuple(-x for x in m)
    low, high = (
        [dot(m, solid.exactly(v)) for v in solid.highest(out)]
        for solid, out in ((a, -way), (b, way))
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
