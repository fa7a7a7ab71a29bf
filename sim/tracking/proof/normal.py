"""Whether a normal is that of the features between which it runs."""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.level import Level
from sim.tracking.proof.outline import ends_of
from sim.tracking.proof.told import Told
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
ROUNDED = 16.0 * EPS  # of the size: what a difference of two points may be off
KNOWN = 1e-3  # a way that is known as well as this proves a normal
CROSSING = 1e-6  # sine above which two lines know their common normal


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
    off = [(np.linalg.norm(way - told.normal) - wide, wide) for way, wide in known]
    if min(beyond for beyond, _ in off) > 0.0:
        angle = min(beyond + wide for beyond, wide in off)
        raise FalseAnswer(f"the normal is turned by {angle:g} against its features")
    if min(wide for _, wide in off) <= KNOWN or parted:
        return
    if not all(_falls_away(level) for level in levels):
        raise UnprovenAnswer("no plane parts the bodies around where they touch")


def _between(told: Told, levels: tuple[Level, Level]) -> tuple[Array, float]:
    """Return the way from A's vertex or line to B's, and how far it may be off."""
    ends = [level.solid.x[level.members] for level in levels]
    way = ends[1][0] - ends[0][0]
    wide = ROUNDED * told.size
    for points in ends:
        if len(points) > 1:
            along = _line(points)
            way = way - (way @ along) * along
        if len(points) > 2:
            wide += 4.0 * max(level.drop for level in levels)
    length = float(np.linalg.norm(way))
    wide /= max(told.distance, 1e-300)
    return (way / length if length > 0.0 else told.normal), wide


def _across(told: Told, levels: tuple[Level, Level]) -> list[tuple[Array, float]]:
    """Return the way across two lines that cross, and how far it may be off."""
    if told.kind != "EE":
        return []
    ends = [ends_of(level.solid.x[level.members]) for level in levels]
    way = np.cross(_line(ends[0]), _line(ends[1]))
    sine = float(np.linalg.norm(way))
    if sine <= CROSSING:
        return []
    shortest = min(float(np.linalg.norm(q - p)) for p, q in ends)
    gap = float((ends[1][0] - ends[0][0]) @ way) / sine
    known = abs(gap) > 4.0 * ROUNDED * told.size / sine
    way *= np.sign(gap if known else way @ told.normal) / sine
    return [(way, ROUNDED * (1.0 + told.size / shortest) / sine)]


def _line(points: Array) -> Array:
    p, q = ends_of(points)
    length = float(np.linalg.norm(q - p))
    out: Array = (q - p) / (length or 1.0)
    return out


def _falls_away(level: Level) -> bool:
    """Say whether no edge at a vertex or edge stands up from it along the normal."""
    if level.solid.hulled:
        return bool(level.heights.max() <= level.widest)
    star = level.solid.mesh.star
    around = [star.vertex[star.start[v] : star.start[v + 1]] for v in level.members]
    return bool(level.heights[np.concatenate(around)].max() <= level.widest)
