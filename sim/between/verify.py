"""The independent checker of passages: from positions alone, in exact rationals.

Shares no code with the chain of planes: every plane is evaluated anew in integers, and
the bodies at a touch are compared feature by feature.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from sim.between.moves import Array, Move
from sim.between.passage import Instant, Passage, Plane
from sim.body.body import Body
from sim.body.placed import same_bits
from sim.body.pose import Pose
from sim.result.state import PairState
from sim.tracking.brute.exhaustive import exhaustive
from sim.tracking.proof.verdict import (
    CANNOT_SAY,
    NO,
    YES,
    FalseAnswer,
    UnprovenAnswer,
    Verdict,
    refuse,
)
from wingedge import convexity

FILTER = 1e-13  # of the sum of all magnitudes: far above the rounding of a height
WIDE = 1e-9  # of a frame
ROOM = 1024.0  # units of rounding of a touch, over the closing speed
Way = list[Fraction]  # a direction, (3,)


def verify_passage(passage: Passage, a: Body, b: Body) -> Verdict:
    """Re-prove a passage from the positions of its bodies, before they move on.

    Proven are the planes, in exact rationals over all vertices; that they cover the
    frame but for the times from ``touch`` to ``parting``; and by ``exhaustive`` that
    the bodies are within the distance at both, and at the start where ``reason`` says
    so.  Cost: O(V) a plane, and three exhaustive searches at most.

    Parameters
    ----------
    passage : Passage
    a, b : Body
        The bodies where the passage ended.

    Returns
    -------
    Verdict
        As of ``sim.verify``.
    """
    try:
        _check(passage, (a, b))
    except FalseAnswer as wrong:
        return Verdict(NO, str(wrong))
    except UnprovenAnswer as open_question:
        return Verdict(CANNOT_SAY, str(open_question))
    return Verdict(YES, "")


def _check(passage: Passage, bodies: tuple[Body, Body]) -> None:
    if passage.path != "straight":
        raise UnprovenAnswer(
            "planes are proven again where vertices go straight; these go on a screw"
        )
    moves = passage.moves
    for body, move in zip(bodies, moves, strict=True):
        here = same_bits(np.ascontiguousarray(body.positions), move.end)
        if not here or not same_bits(body.transform.copy(), move.end_map.copy()):
            raise UnprovenAnswer(f"body '{body.name}' is not where the passage ended")
    touch, parting = passage.touch, passage.parting
    r = passage.distance
    starts_within = touch is None and "at the start" in passage.reason
    first = 0.0 if starts_within else 1.0 if touch is None else touch.lower
    last = 1.0 if parting is None else parting.upper
    for instant in (touch, parting):
        if instant is not None:
            times = 0.0 <= instant.lower <= instant.upper <= 1.0
            refuse((not times, "an interval is none, or not in the frame"))
    free = [(0.0, first)] + [(last, 1.0)] * (first < 1.0)
    if not _cover(passage.proof, free):
        gap = "the planes do not cover the free times"
        if all(_is_hull(body) for body in bodies):
            raise FalseAnswer(gap)
        raise UnprovenAnswer(f"{gap}: of surfaces that are not convex no plane tells")
    for plane in passage.proof:
        for apart, when in _parts(plane, moves, r):
            refuse((not apart, f"a plane does not part {when}"))
    near = [(touch, True), (parting, False)]
    for instant, is_touch in near:
        if instant is not None:
            _check_near(passage, instant, bodies, at_upper=is_touch)
    if starts_within:
        state = _answer(moves, 0.0, bodies)
        refuse((state.lower > r, "the bodies are not within the distance at the start"))
    if first < 1.0 and parting is None:
        state = _answer(moves, 1.0, bodies)
        refuse((state.lower > r, "the bodies are apart at the end, without a parting"))


def _check_near(
    passage: Passage, instant: Instant, bodies: tuple[Body, Body], *, at_upper: bool
) -> None:
    """Check that the bodies are within the distance where an instant says so."""
    t = instant.upper if at_upper else instant.lower
    state = _answer(passage.moves, t, bodies)
    slack = 64.0 * 2.220446049250313e-16 * state.size
    if state.lower > passage.distance + slack:
        if "graze" in passage.reason and instant.upper - instant.lower <= WIDE:
            raise UnprovenAnswer(f"whether bodies that graze meet by {t!r} is rounding")
        raise FalseAnswer(f"the bodies are not within the distance at {t!r}")
    if state.upper > passage.distance:
        raise UnprovenAnswer(f"at {t!r} the bodies are within rounding of the distance")
    if instant.upper - instant.lower > WIDE and not passage.reason:
        speed = instant.speed
        if (instant.upper - instant.lower) * speed > ROOM * slack:
            raise FalseAnswer("an interval is wider than its rounding")


def _is_hull(body: Body) -> bool:
    """Say whether a body is convex, or stands for its hull."""
    hull = body.convexity == "hull"
    return hull or bool(convexity(body.mesh, body.positions).globally_convex)


def _cover(planes: tuple[Plane, ...], free: list[tuple[float, float]]) -> bool:
    """Say whether planes, in order, leave nothing out of the times that are free."""
    spans = [(plane.start, plane.end) for plane in planes]
    merged: list[tuple[float, float]] = []
    for start, end in spans:
        if merged and merged[-1][1] == start:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    wanted = [span for span in free if span[0] < span[1]]
    ordered = all(p[1] <= q[0] for p, q in pairwise(merged))
    return ordered and merged == wanted


def _parts(
    plane: Plane, moves: tuple[Move, Move], r: float
) -> Iterator[tuple[bool, str]]:
    """Say whether the gap along a direction exceeds a distance, and when; exactly.

    A direction that turns straight is never longer than at both ends, and what it
    shows of a vertex is a quadratic: at both ends, and by its middle coefficient.
    """
    t, until = Fraction(plane.start), Fraction(plane.end)
    n, m = ([Fraction(float(x)) for x in way] for way in (plane.normal, plane.last))
    square = max(sum(x * x for x in way) for way in (n, m))
    looks = [
        (_mixed(1 - t, n, 0, n), _mixed(t, n, 0, n), f"at {plane.start!r}"),
        (_mixed(1 - until, m, 0, m), _mixed(until, m, 0, m), f"at {plane.end!r}"),
        (_mixed(1 - until, n, 1 - t, m), _mixed(until, n, t, m), "as it turns"),
    ]
    for (first, last, when), share in zip(looks, (1, 1, 2), strict=True):
        turned = [-x for x in first], [-x for x in last]
        gap = -_highest(moves[1], *turned) - _highest(moves[0], first, last)
        yield gap > 0 and gap * gap > (share * Fraction(r)) ** 2 * square, when


def _mixed(s: Fraction, n: Way, t: Fraction | int, m: Way) -> Way:
    return [s * x + t * y for x, y in zip(n, m, strict=True)]


def _highest(move: Move, first: Way, last: Way) -> Fraction:
    """Return the greatest height of a body; exactly.

    That of a vertex is how far it is along ``first`` at the start and, added to it,
    along ``last`` at the end.
    """
    n, m = (np.array([float(x) for x in way]) for way in (first, last))
    p, q = move.start, move.end
    u, v = n @ move.start_map, m @ move.end_map
    heights = p @ u[:3] + u[3] + q @ v[:3] + v[3]
    terms = np.abs(p) @ _sizes(move.start_map) + np.abs(q) @ _sizes(move.end_map)
    shift = np.abs(move.start_map[:, 3]).sum() + np.abs(move.end_map[:, 3]).sum()
    longest = float(max(np.abs(n).max(), np.abs(m).max()))
    blur = FILTER * (terms.max() + shift) * longest
    near = np.flatnonzero(heights >= heights.max() - 2.0 * blur)
    return max(_height(move, int(k), first, last) for k in near)


def _sizes(matrix: Array) -> Array:
    """Bound how much a map makes of every coordinate."""
    sizes: Array = np.abs(matrix[:, :3]).sum(axis=0)
    return sizes


def _height(move: Move, k: int, first: Way, last: Way) -> Fraction:
    total = Fraction(0)
    for points, matrix, n in (
        (move.start, move.start_map, first),
        (move.end, move.end_map, last),
    ):
        p = [*map(Fraction, points[k].tolist()), Fraction(1)]
        for x, row in zip(n, matrix.tolist(), strict=True):
            total += x * sum(Fraction(c) * y for c, y in zip(row, p, strict=True))
    return total


def _answer(moves: tuple[Move, Move], t: float, bodies: tuple[Body, Body]) -> PairState:
    """Answer for copies of the bodies at a time, by comparing all features."""
    copies = []
    for body, move in zip(bodies, moves, strict=True):
        points, matrix = move.at(t)
        convexity = "surface" if body.convexity == "raise" else body.convexity
        copy = Body(body.mesh, name=body.name, convexity=convexity)
        copy.points = points
        copy.pose = Pose.from_matrix(matrix)
        copies.append(copy)
    return exhaustive(*copies)
