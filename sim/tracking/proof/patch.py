"""Whether patch and contacts are where level parts face each other, or unique."""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.case import Case
from sim.tracking.proof.level import Level
from sim.tracking.proof.outline import (
    across,
    area_of,
    outline,
    outside,
    overlap,
    pieces_of,
    spread,
)
from sim.tracking.proof.solid import Solid, deepest
from sim.tracking.proof.told import Corner, Told
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge import Feature

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
CORNER = 1e-6  # of the size: how far an acute corner may reach out
SMALL = 1e-2  # sine of a small angle
PARALLEL = 1e-6  # sine below which the closest points of two edges fill a patch
PIECES = 20_000  # pairs of pieces of two level parts that are compared


class Facing(NamedTuple):
    """Two level parts, seen along the normal."""

    pieces_a: list[Array]
    pieces_b: list[Array]
    axes: Array  # (3, 2)
    surely: Array  # (k, 2) corners of where they surely overlap
    maybe: Array  # (k, 2) and of where they may


def faced(case: Case, levels: tuple[Level, Level]) -> Facing:
    """Lay the level parts of an answer into one plane.

    Raises
    ------
    UnprovenAnswer
        If they are not convex and of too many pieces.
    """
    told, wide = case.told, 2.5 * case.level
    axes = across(told.normal)
    pieces_a, pieces_b = (
        pieces_of(level.solid.x[level.fans()] @ axes, letter)
        for level, letter in zip(levels, told.kind, strict=True)
    )
    if len(pieces_a) * len(pieces_b) > PIECES:
        raise UnprovenAnswer("the level parts have too many pieces to compare")
    none = np.zeros((0, 2))
    surely, maybe = [none], [none]
    for one, other in product(pieces_a, pieces_b):
        beside = np.maximum(one.min(axis=0), other.min(axis=0)) - wide
        if (beside > np.minimum(one.max(axis=0), other.max(axis=0))).any():
            continue
        surely.append(overlap(one, other, 0.5 * case.tolerance))
        maybe.append(overlap(one, other, wide))
    return Facing(
        pieces_a, pieces_b, axes, np.concatenate(surely), np.concatenate(maybe)
    )


def check_patch(case: Case, facing: Facing) -> bool:
    """Hold ``unique`` and the patch against where the level parts overlap.

    Returns whether other places would have to be as near for ``unique`` to be false.

    Raises
    ------
    FalseAnswer
        If the patch has other corners, or there is one and none is said to be.
    """
    told, level = case.told, case.level
    parts = zip(told.kind, (facing.pieces_a, facing.pieces_b), strict=True)
    flat = [k != "V" and spread(np.concatenate(p)) <= 1e3 * level for k, p in parts]
    sine = _angle(facing) if told.kind == "EE" and not any(flat) else 0.0
    sharp = float(_sines(facing.surely, facing, case).min(initial=1.0))
    wide = 10.0 * level + 4.0 * EPS * told.size / sharp
    several = spread(facing.surely) > wide and sine <= 0.9 * PARALLEL
    if told.unique:
        if several:
            raise FalseAnswer("the closest points fill a patch, and are not unique")
        return False
    if len(told.patch):
        _check_corners(case, facing)
        if any(flat) or spread(told.patch) > 0.0:
            return sine > 1.1 * PARALLEL
        # In the world its corners may be one point, where they are rounded.
        if len(told.patch) > 1:
            if not case.tolerance < spread(facing.maybe) <= 16.0 * case.slack:
                raise FalseAnswer("the patch has no extent")
            return False
    elif several:
        raise FalseAnswer("the closest points fill a patch that is not listed")
    return spread(facing.maybe) <= wide or sine > 1.1 * PARALLEL


def _angle(facing: Facing) -> float:
    """Return the sine of the angle between two lines."""
    d, e = (p[0][1] - p[0][0] for p in facing[:2])
    return float(abs(d[0] * e[1] - d[1] * e[0]) / np.linalg.norm(d) / np.linalg.norm(e))


def _check_corners(case: Case, facing: Facing) -> None:
    told, drop = case.told, case.drop
    flat = told.patch @ facing.axes
    high = np.abs((told.patch - told.points[0]) @ told.normal)
    near = 20.0 * drop + 1e-9 * abs(told.distance)
    if float(high.max()) > near:
        raise FalseAnswer(f"a corner of the patch is {high.max():g} off its plane")
    off = np.full(len(flat), np.inf)
    for pieces in (facing.pieces_a, facing.pieces_b):
        here = np.min([_beside(flat, piece, told.size) for piece in pieces], axis=0)
        off = here if pieces is facing.pieces_a else np.maximum(off, here)
    if float(off.max()) > near:
        raise FalseAnswer(f"a corner of the patch is {off.max():g} off its parts")
    whole = outline(flat)
    missed = outside(facing.surely, whole)
    rounded = 4.0 * EPS * told.size
    wide = 10.0 * near + rounded / _sines(facing.surely, facing, case)
    if (missed > wide).any():
        raise FalseAnswer(f"the patch leaves {missed.max():g} of the overlap out")
    if len(told.patch) > 2 and area_of(whole) > 1e3 * drop * spread(flat):
        turned = abs(area_of(flat) - area_of(whole))
        if turned > 1e-6 * area_of(whole) + 100.0 * near * spread(flat):
            raise FalseAnswer("the patch does not run round once, counter-clockwise")
    far = np.array([np.linalg.norm(facing.maybe - p, axis=1).min() for p in flat])
    if (far > 1e4 * near + rounded / _sines(flat, facing, case)).any():
        raise FalseAnswer("the patch has a corner where the overlap has none")


def _sines(points: Array, facing: Facing, case: Case) -> Array:
    """Return the least sine at which sides of the two parts meet at points; 1 for none.

    Where sides cross at a small angle their crossing has few digits.  Sides that lie
    along each other within the tolerance do not cross: their ends count.
    """
    near = 20.0 * case.drop + 1e-9 * abs(case.told.distance)
    least = np.ones(len(points))
    for one, other in product(facing.pieces_a, facing.pieces_b):
        for p, q in product(range(len(one)), range(len(other))):
            ends = np.array([one[[p - 1, p]], other[[q - 1, q]]])
            d, e = ends[:, 1] - ends[:, 0]
            long = float(np.linalg.norm(d)), float(np.linalg.norm(e))
            sine = abs(d[0] * e[1] - d[1] * e[0]) / (long[0] * long[1] or 1.0)
            if sine < SMALL and sine * min(long) > 0.5 * case.tolerance:
                off = np.maximum(outside(points, ends[0]), outside(points, ends[1]))
                least[off <= near] = np.minimum(least[off <= near], sine)
    return least


def _beside(points: Array, piece: Array, size: float) -> Array:
    """Return how far points lie outside a piece: at an acute corner, outside its sides.

    Sides moved out by a little meet far from such a corner.
    """
    off = outside(points, piece)
    if len(piece) < 3:
        return off
    sides = np.roll(piece, -1, axis=0) - piece
    out = np.stack([sides[:, 1], -sides[:, 0]], axis=1)
    out /= np.linalg.norm(out, axis=1)[:, None]
    beyond = ((points[:, None] - piece) * out).sum(axis=2).max(axis=1)
    return np.where(off <= CORNER * size, np.minimum(off, beyond), off)


def check_contacts(
    told: Told, levels: tuple[Level, Level], near: float, *, hulls: bool
) -> None:
    """Hold every contact against the level parts, or as the deepest vertex of a body.

    ``near`` is how far a point may be off what it lies on; ``hulls``: the overlap is
    that of hulls, not of the bodies.

    Raises
    ------
    FalseAnswer
        If its points are elsewhere, or its features no part of what faces each other.
    """
    for k, corner in enumerate(told.corners):
        way = corner.points[1] - corner.points[0]
        if np.abs(way - told.distance * told.normal).max() > near:
            if not hulls:
                raise FalseAnswer(f"contact {k} is not distance times normal long")
            _check_deepest(told, corner, levels, near)
            continue
        own = corner.features == tuple(parts[0] for parts in told.parts)
        if hulls and own and np.array_equal(corner.points, told.points):
            continue  # its points are held already, and may lie aside its features
        named = zip(levels, corner.features, strict=True)
        if hulls and not all(_is_part(level, feature) for level, feature in named):
            _check_deepest(told, corner, levels, near)
            continue
        for name, level, feature, point in zip(
            "AB", levels, corner.features, corner.points, strict=True
        ):
            if not _is_part(level, feature):
                raise FalseAnswer(f"contact {k}: {feature} is no part of {name}'s")
            off = _off(level, feature, point, near)
            if off > near:
                raise FalseAnswer(f"contact {k} is {off:g} off {feature} of {name}")
        off = np.abs(np.subtract(corner.points, told.points)).max()
        # Where edges cross at a small angle the place along them has few digits.
        wide = near
        if told.kind == "EE":
            d, e = (
                np.diff(one.solid.x[one.members[[0, -1]]], axis=0) for one in levels
            )
            sine = (
                np.linalg.norm(np.cross(d, e)) / np.linalg.norm(d) / np.linalg.norm(e)
            )
            wide = told.size * max(1e-6, 16.0 * EPS / max(float(sine), EPS))
        if len(told.corners) == 1 and off > wide:
            raise FalseAnswer(f"the only contact is {off:g} from the closest points")


def _is_part(level: Level, feature: Feature) -> bool:
    """Say whether a feature is the level part by its name, or lies on it."""
    letter = level.parts[0].letter
    if feature.letter == letter:
        return feature in level.parts[: None if level.solid.hulled else 1]
    ids = level.solid.vertices_of(feature)
    if level.solid.hulled:
        return bool(level.level[ids].all())
    return "VEF".index(feature.letter) < "VEF".index(letter) and bool(
        np.isin(ids, level.members).all()
    )


def _off(level: Level, feature: Feature, point: Array, near: float) -> float:
    """Return how far a point lies from a vertex, the line of an edge, a level part."""
    if feature.letter == "F":
        return level.solid.off(point, level.parts, near)
    ends = level.solid.x[level.solid.vertices_of(feature)]
    e, w = ends[-1] - ends[0], point - ends[0]
    length = float(np.linalg.norm(e))
    return float(np.linalg.norm(np.cross(w, e) / length if length > 0.0 else w))


def _check_deepest(
    told: Told, corner: Corner, levels: tuple[Level, Level], near: float
) -> None:
    """Hold a contact against the deepest vertex of one body inside the other."""
    letters = "".join(feature.letter for feature in corner.features)
    if len(told.corners) != 1 or letters not in ("VF", "FV"):
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
