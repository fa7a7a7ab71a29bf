"""Whether a normal is that of the features between which it runs."""

from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.exact import (
    Vector,
    cross,
    dot,
    fractions,
    minus,
    placed,
)
from sim.tracking.proof.level import Level
from sim.tracking.proof.told import Told
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
ROUNDED = 16.0 * EPS  # of the size: what a difference of two points may be off
BESIDE = 1e-6  # of the scale: a point so near to the end of an edge may be there
KNOWN = 1e-3  # a way that is known as well as this proves a normal


def check_normal(told: Told, levels: tuple[Level, Level], *, parted: bool) -> None:
    """Hold the normal of two bodies apart against vertices and lines: faces are held.

    ``parted``: a plane across the normal parts the bodies, as far as they are apart.

    Raises
    ------
    FalseAnswer
        If it is not the way from one feature to the other.
    UnprovenAnswer
        If they touch, and not even around them a plane across the normal parts them.
    """
    if "F" in told.kind or told.distance < 0.0:
        return
    known = [_between(told, levels), *_across(told, levels)]
    least = max(KNOWN, min(wide for _, wide in known))
    known = [(way, wide) for way, wide in known if wide <= least]
    off = [(np.linalg.norm(way - told.normal) - wide, wide) for way, wide in known]
    if min(beyond for beyond, _ in off) > 0.0:
        angle = min(beyond + wide for beyond, wide in off)
        raise FalseAnswer(f"the normal is turned by {angle:g} against its features")
    if min(wide for _, wide in off) <= KNOWN or parted:
        return
    if any(level.beside().max() > level.widest for level in levels):
        raise UnprovenAnswer("no plane parts the bodies around where they touch")


def _between(told: Told, levels: tuple[Level, Level]) -> tuple[Array, float]:
    """Return the way from A's vertex or line to B's, and how far it may be off."""
    first, second = _ends(levels[0]), _ends(levels[1])
    way = minus(second[0], first[0])
    lines = [minus(ends[-1], ends[0]) for ends in (first, second) if len(ends) > 1]
    wide = ROUNDED * told.size
    if len(lines) == 2:
        far = sum(sqrt(float(dot(line, line))) for line in (way, *lines))
        wide += _sine(*lines) * far * levels[0].solid.unit
    for line in lines[:1]:
        long = sqrt(float(dot(line, line))) * levels[0].solid.unit
        if len(lines) == 1 and long > 0.0:  # a short line knows its way less well
            wide += min(long, wide * told.distance / long)
        part = dot(way, line) / (dot(line, line) or 1)
        if len(lines) == 1:  # a vertex beside an end may be named with the edge
            low = Fraction(0 if len(first) > 1 else -1)
            part = min(max(part, low), low + 1)
        way = [x - part * y for x, y in zip(way, line, strict=True)]
    wide += sum(map(_bend, levels))
    return _unit(way, told.normal), wide / max(told.distance, 1e-300)


def _across(told: Told, levels: tuple[Level, Level]) -> list[tuple[Array, float]]:
    """Return the way across two lines that cross, and how far it may be off."""
    if told.kind != "EE":
        return []
    first, second = _ends(levels[0]), _ends(levels[1])
    if len(first) + len(second) < 4:
        return []  # an edge that has collapsed has no direction
    lines = minus(first[1], first[0]), minus(second[1], second[0])
    sine = _sine(*lines)
    if sine == 0.0:
        return []
    unit = levels[0].solid.unit
    shortest = min(sqrt(float(dot(line, line))) for line in lines) * unit
    way = _unit(cross(*lines), told.normal)
    gap = dot(minus(second[0], first[0]), fractions(way))
    known = abs(float(gap)) * unit > 4.0 * ROUNDED * told.size / sine
    if not known and any(map(_climbs, levels, levels[::-1], told.points[::-1])):
        raise FalseAnswer("the normal runs into the faces beside the edges")
    way *= np.sign(float(gap) if known else way @ told.normal)
    return [(way, ROUNDED * (1.0 + told.size / shortest) / sine)]


def _ends(level: Level) -> list[Vector]:
    """Place the ends of a line, or a vertex, without rounding."""
    x = level.solid.x[level.members]
    far = int(((x - x[0]) ** 2).sum(axis=1).argmax())
    end = int(((x - x[far]) ** 2).sum(axis=1).argmax())
    at = sorted({far, end})
    return [placed(level.solid.body, int(level.members[k])) for k in at]


def _bend(level: Level) -> float:
    """Return how far vertices of a line lie beside the way from end to end."""
    if len(level.members) < 3:
        return 0.0
    p, q = _ends(level)
    e, most = minus(q, p), Fraction(0)
    for v in level.members:
        across = cross(e, minus(placed(level.solid.body, int(v)), p))
        most = max(most, dot(across, across) / dot(e, e))
    return sqrt(float(most)) * level.solid.unit


def _climbs(level: Level, other: Level, point: Array) -> bool:
    """Say whether the faces at the edge that holds a point rise from it, on average.

    If the other's line runs on to both sides of the point no face may rise.
    """
    solid, high = level.solid, level.heights
    if solid.hulled:
        return bool(high.max() > level.drop)
    ends = np.linalg.norm(other.solid.x[other.members] - point, axis=1)
    if ends.min() <= BESIDE:
        return False
    faces = [
        solid.mesh.edge_faces[part.index]
        for part in level.parts
        if solid.off(point, (part,)) <= level.drop
    ]
    climb = sum(high[solid.mesh.face_vertices(f)].mean() for f in np.ravel(faces))
    return bool(climb > level.drop)


def _sine(u: Vector, v: Vector) -> float:
    n, square = cross(u, v), dot(u, u) * dot(v, v)
    return sqrt(float(dot(n, n) / square)) if square else 0.0


def _unit(way: Vector, instead: Array) -> Array:
    most = max(map(abs, way))
    if not most:
        return instead
    out: Array = np.array([float(x / most) for x in way])
    out /= np.linalg.norm(out)
    return out
