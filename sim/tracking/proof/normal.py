"""Whether a normal is that of the features between which it runs."""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.level import Level
from sim.tracking.proof.told import Told
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge.columns import cross, dot, subtract
from wingedge.whole import (
    Point,
    point_segment_square,
    segment_parameter,
    unit,
)

Array = NDArray[np.float64]
Way = tuple[Array, float]  # a unit vector, and how far it may be off

EPS = float(np.finfo(float).eps)
ROUNDED = 16.0 * EPS  # of the size: what a difference of two points may be off
BESIDE = 1e-6  # of the scale: a point so near to the end of an edge may be there
PARALLEL = 1e-6  # sine below which two edges may be taken for parallel
BENT = 1e-8  # of the scale: edges so far off one line are several
KNOWN = 1e-3  # a way that is known as well as this proves a normal


def check_normal(told: Told, levels: tuple[Level, Level], *, parted: bool) -> None:
    """Hold the normal of two bodies apart against vertices and lines: faces are held.

    ``parted``: a plane across the normal parts the bodies, as far as they are apart.
    """
    if "F" in told.kind or told.distance < 0.0:
        return
    ways = _ways(told, levels)
    off = [(float(np.linalg.norm(way - told.normal)), wide) for way, wide in ways]
    if all(angle > wide for angle, wide in off):
        angle = min(angle for angle, _ in off)
        raise FalseAnswer(f"the normal is turned by {angle:g} against its features")
    if min(wide for _, wide in off) <= KNOWN or parted:
        return
    if any(level.beside().max() > level.widest for level in levels):
        raise UnprovenAnswer("no plane parts the bodies around where they touch")


def _ways(told: Told, levels: tuple[Level, Level]) -> list[Way]:
    """List the ways from A's vertex or line to B's that may be the shortest.

    Across both lines if they cross, and from the ends of one to the other, unless
    rounding leaves no doubt which of the two.
    """
    one, other = map(_ends, levels)
    d, rounded = max(told.distance, 1e-300), ROUNDED * told.size
    bends = [_bend(level) for level in levels]
    if max(bends) > BENT:
        raise FalseAnswer("the edges of a part are no line")
    wide = rounded + sum(bends)
    ways: list[Way] = []
    if len(one) + len(other) == 4:
        lines = subtract(one[1], one[0]), subtract(other[1], other[0])
        normal: Point = cross(*lines)
        shortest = min(map(_length, lines))
        sine = _length(normal) / (_length(lines[0]) * _length(lines[1]))
        if sine <= PARALLEL:  # elsewhere along them the way is another one
            wide += sine * (_length(lines[0]) + _length(lines[1]) + d)
        if sine > 0.0:
            between = _between(one, other) * shortest
            if between >= -rounded / sine:
                way = _across(told, levels, normal, sine)
                # Edges know it, or points that are far enough from each other.
                known = ROUNDED * (1.0 + told.size / shortest) / sine, wide / d
                least = max(KNOWN, min(known))
                ways.append((way, max(off for off in known if off <= least)))
            if between > rounded / sine:
                return ways
    found = []
    for ends, line, sense in ((one, other, 1), (other, one, -1)):
        long = _length(subtract(line[-1], line[0]))
        off = wide + (min(long, wide * d / long) if long > 0.0 else 0.0)
        for p in ends:  # a short line knows its way less well
            t = segment_parameter(p, line[0], line[-1])
            foot = [u + t * (v - u) for u, v in zip(line[0], line[-1], strict=True)]
            gap = [sense * (x - y) for x, y in zip(foot, p, strict=True)]
            way = np.array(unit(gap)) if any(gap) else told.normal
            found.append((_length(gap), way, off / d))
    least = min(length for length, _, _ in found)
    return ways + [found[1:] for found in found if found[0] <= least + wide]


def _between(one: list[Point], other: list[Point]) -> float:
    """Return how far from their ends two lines cross, as a share; negative beyond."""
    lines = subtract(one[1], one[0]), subtract(other[1], other[0])
    apart, n = subtract(other[0], one[0]), cross(*lines)
    shares = [dot(cross(apart, line), n) / dot(n, n) for line in lines[::-1]]
    return float(min(min(share, 1 - share) for share in shares))


def _across(
    told: Told, levels: tuple[Level, Level], normal: Point, sine: float
) -> Array:
    """Return the way across two lines that cross, out of the first body."""
    way = np.array(unit(normal))
    gap: Any = dot(subtract(_ends(levels[1])[0], _ends(levels[0])[0]), normal)
    if abs(gap) > 4.0 * ROUNDED * told.size / sine * _length(normal):
        return way if gap > 0 else -way
    if any(map(_climbs, levels, levels[::-1], told.points[::-1])):
        raise FalseAnswer("the normal runs into the faces beside the edges")
    return way if way @ told.normal > 0.0 else -way


def _ends(level: Level) -> list[Point]:
    """Place the ends of a line, or a vertex, without rounding."""
    x = level.solid.x[level.members]
    far = int(((x - x[0]) ** 2).sum(axis=1).argmax())
    end = int(((x - x[far]) ** 2).sum(axis=1).argmax())
    return [level.solid.exactly(level.members[k]) for k in sorted({far, end})]


def _bend(level: Level) -> float:
    """Return how far vertices of a line lie beside the way from end to end."""
    if len(level.members) < 3:
        return 0.0
    ends = _ends(level)
    points = (level.solid.exactly(v) for v in level.members)
    return sqrt(max(point_segment_square(p, ends[0], ends[-1]) for p in points))


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


def _length(v: Point) -> float:
    square: Any = dot(v, v)
    return sqrt(square)
