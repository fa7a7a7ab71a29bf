"""The independent checker of passages: from positions alone.

Shares no code with the chain of planes: every plane is evaluated anew, in integers; the
bodies at a touch are compared feature by feature.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from sim.between.moves import Array, Instant, Move, world_at
from sim.between.nearest import LeastDistance
from sim.between.passage import Passage, Plane
from sim.body.body import Body
from sim.body.placed import same_bits
from sim.body.pose import Pose
from sim.result.state import PairState
from sim.result.witness import distance_rate
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
from sim.tracking.proof.verify import verify
from wingedge import convexity

FILTER = 1e-13  # of the sum of all magnitudes: far above the rounding of a height
SPEED = 1e-3  # by how much a closing speed may be off
LOOKS = 300  # answers for one least distance


class Sight(NamedTuple):
    """A direction, and where the vertices of both bodies are."""

    n: Array  # (3,)
    a: Array  # (V, 3)
    b: Array


def gaps_between(one: Sight, two: Sight) -> tuple[float, float, float]:
    """Return three numbers, none of which a gap falls below from one look to another.

    Vertices and the direction go straight, so heights are quadratics in time: their
    Bernstein coefficients, each the least over all vertices.  The direction is never
    longer than at both ends.
    """
    mixed = (two.b @ one.n + one.b @ two.n).min() - (
        two.a @ one.n + one.a @ two.n
    ).max()
    first = (one.b @ one.n).min() - (one.a @ one.n).max()
    last = (two.b @ two.n).min() - (two.a @ two.n).max()
    return float(first), 0.5 * float(mixed), float(last)


class Onlooker:
    """What is so of two bodies on a straight way."""

    def __init__(self, bodies: tuple[Body, Body], moves: tuple[Move, Move]) -> None:
        self.bodies, self.moves = bodies, moves

    def copies(self, t: float) -> list[Body]:
        """Return bodies like these, where they are at a time."""
        copies = []
        for body, move in zip(self.bodies, self.moves, strict=True):
            how = "surface" if body.convexity == "raise" else body.convexity
            copy = Body(body.mesh, name=body.name, convexity=how)
            copy.points, matrix = move.at(t)
            copy.pose = Pose.from_matrix(matrix)
            copies.append(copy)
        return copies

    def answer(self, t: float) -> PairState:
        """Answer for the bodies at a time, by comparing all features."""
        a, b = self.copies(t)
        return exhaustive(a, b)

    def moves_by(self, state: PairState, t: float, wanted: float) -> bool:
        """Say whether the distance of an answer at a time changes by so much.

        Of features that are not the only closest ones: of some two vertices that bound
        the gap along the normal.
        """
        step = 2.0**-20
        t = min(max(t, step), 1.0 - step)
        here, ways, blur, level = [], [], 0.0, []
        for k, sign in ((0, 1.0), (1, -1.0)):
            early, now, late = (self.world(u, k) for u in (t - step, t, t + step))
            here.append(now)
            ways.append((late - early) / (2.0 * step))
            heights, speeds = sign * (now @ state.normal), ways[k] @ state.normal
            blur = max(blur, FILTER * float(np.abs(heights).max()))
            near = blur + 2.0 * step * float(np.abs(speeds).max())
            level.append(speeds[heights >= heights.max() - near])
        rates = [distance_rate(state, here, ways)]
        if not state.unique:
            rates = [*rates, *np.subtract.outer(level[1], level[0]).ravel()]
        room = SPEED * max(*np.abs(rates), abs(wanted)) + blur / step
        return bool(min(rates) - room <= wanted <= max(rates) + room)

    def world(self, t: float, k: int) -> Array:
        """Return where the vertices of a body are at a time."""
        return world_at(self.moves[k], t)

    def none_below(self, low: float) -> bool:
        """Say whether the distance is proven never to be less.

        Along directions that turn straight from the normal at one time to that at
        another.
        """
        looks = {t: self._look(t) for t in (0.0, 1.0)}
        left = [(0.0, 1.0)]
        while left:
            one, two = left.pop()
            gaps = gaps_between(looks[one], looks[two])
            if min(gaps) >= low:
                continue
            if len(looks) > LOOKS or min(gaps[0], gaps[2]) < low:
                return False
            middle = 0.5 * (one + two)
            looks[middle] = self._look(middle)
            left += [(one, middle), (middle, two)]
        return True

    def _look(self, t: float) -> Sight:
        return Sight(self.answer(t).normal, self.world(t, 0), self.world(t, 1))


EPS = 2.0**-52
WIDE = 1e-9  # of a frame
ROOM = 1024.0  # units of rounding of a touch, over the closing speed
Way = list[Fraction]  # a direction, (3,)


def verify_passage(
    passage: Passage, a: Body, b: Body, *, parallel_tolerance: float = 1e-12
) -> Verdict:
    """Re-prove a passage from the positions of its bodies, before they move on.

    Proven are the planes, over all vertices: in exact rationals; that they cover the
    frame but for the times from ``touch`` to ``parting``; by ``exhaustive`` that the
    bodies are within the distance at both, and at the start where ``reason`` says so;
    and by ``verify`` the ``state``.  What was asked for before is held to it, too:
    ``nearest``, the states of touch and parting.  Taken as they are: ``events``.
    Cost: O(V) a plane, three exhaustive searches at most, some 30 for ``nearest``.

    Parameters
    ----------
    passage : Passage
    a, b : Body
        The bodies where the passage ended.
    parallel_tolerance : float
        As for ``PairTracker``: what counts as level.

    Returns
    -------
    Verdict
        As of ``sim.verify``.
    """
    try:
        _check(passage, (a, b), parallel_tolerance)
    except FalseAnswer as wrong:
        return Verdict(NO, str(wrong))
    except UnprovenAnswer as open_question:
        return Verdict(CANNOT_SAY, str(open_question))
    return Verdict(YES, "")


def _check(passage: Passage, bodies: tuple[Body, Body], level: float) -> None:
    for body, move in zip(bodies, passage.moves, strict=True):
        here = same_bits(np.ascontiguousarray(body.positions), move.end)
        if not here or not same_bits(body.transform.copy(), move.end_map.copy()):
            raise UnprovenAnswer(f"body '{body.name}' is not where the passage ended")
    _check_numbers(passage)
    _Check(passage, bodies, level).run()
    state = verify(passage.state, *bodies, parallel_tolerance=level)
    _believe(state, "the state at the end")


def _check_numbers(passage: Passage) -> None:
    """Refuse what is no number, or no time in the frame."""
    refuse((not 0.0 <= passage.distance < np.inf, "the distance is none"))
    for instant in (passage.touch, passage.parting):
        if instant is not None:
            times = 0.0 <= instant.lower <= instant.upper <= 1.0
            refuse((not times, "an interval is none, or not in the frame"))
            refuse((not np.isfinite(instant.speed), "a closing speed is no number"))
    for plane in passage.proof:
        times = 0.0 <= plane.start <= plane.end <= 1.0
        refuse((not times, "a plane is of no time in the frame"))
        refuse((not np.isfinite(plane.normal).all(), "a normal is no direction"))


def _believe(verdict: Verdict, what: str) -> None:
    """Raise what a verdict says of a part of a passage."""
    if verdict.answer == NO:
        raise FalseAnswer(f"{what}: {verdict.reason}")
    if verdict.answer == CANNOT_SAY:
        raise UnprovenAnswer(f"{what}: {verdict.reason}")


class _Check:
    """One passage."""

    def __init__(
        self, passage: Passage, bodies: tuple[Body, Body], level: float
    ) -> None:
        self.passage, self.level = passage, level
        self.seen = Onlooker(bodies, passage.moves)
        self.r = passage.distance
        self.doubts: list[str] = []

    def run(self) -> None:
        """Check all; false claims come before what cannot be proven."""
        passage, r = self.passage, self.r
        touch, parting = passage.touch, passage.parting
        within = touch is None and "at the start" in passage.reason
        first = 0.0 if within else 1.0 if touch is None else touch.lower
        last = 1.0 if parting is None else parting.upper
        for plane in passage.proof:
            if not all(_parts(plane, passage.moves, r)):
                when = f"{plane.start!r} to {plane.end!r}"
                raise FalseAnswer(f"a plane does not part from {when}")
        if _is_open(
            passage.proof, [(0.0, first), (last, 1.0 if first < 1.0 else last)]
        ):
            self.doubts.append(
                "planes do not cover the free times, as of surfaces that are not convex"
            )
        for instant in (touch, parting):
            if instant is not None:
                self._check_near(instant, at_upper=instant is touch)
                self._check_speed(instant, closes=instant is touch)
                self._check_state(instant, at_upper=instant is touch)
        for t, asked, why in (
            (0.0, within, "the bodies are not within the distance at the start"),
            (1.0, first < 1.0 and parting is None, "apart at the end, and no parting"),
        ):
            state = self.seen.answer(t) if asked else None
            if state is not None and state.lower > r:
                raise FalseAnswer(why)
        if "nearest" in vars(passage):
            self._check_nearest(passage.nearest)
        if self.doubts:
            raise UnprovenAnswer(self.doubts[0])

    def _check_near(self, instant: Instant, *, at_upper: bool) -> None:
        """Check that the bodies are within the distance where an instant says so."""
        r, reason = self.r, self.passage.reason
        t = instant.upper if at_upper else instant.lower
        state = self.seen.answer(t)
        slack = 64.0 * EPS * state.size
        width = instant.upper - instant.lower
        if state.lower > r + slack:
            hulls = all(map(_is_hull, self.seen.copies(t)))
            if "graze" in reason and (width <= WIDE or not hulls):
                self.doubts.append(
                    f"whether bodies that graze meet by {t!r} is rounding"
                )
                return
            raise FalseAnswer(f"the bodies are not within the distance at {t!r}")
        if state.upper > r:
            self.doubts.append(
                f"at {t!r} the bodies are within rounding of the distance"
            )
        elif width > WIDE and not reason and width * instant.speed > ROOM * slack:
            raise FalseAnswer("an interval is wider than its rounding")

    def _check_speed(self, instant: Instant, *, closes: bool) -> None:
        """Check the speed with which the distance falls or grows."""
        t = instant.lower if closes else instant.upper
        wanted = -instant.speed if closes else instant.speed
        if not self.seen.moves_by(self.seen.answer(t), t, wanted):
            self.doubts.append(f"the gap does not close or open by {instant.speed!r}")

    def _check_state(self, instant: Instant, *, at_upper: bool) -> None:
        """Check the answer of an instant, if it was asked for."""
        state = instant.asked
        if state is not None:
            a, b = self.seen.copies(instant.upper if at_upper else instant.lower)
            verdict = verify(state, a, b, parallel_tolerance=self.level)
            _believe(verdict, "the state at a touch" if at_upper else "at a parting")

    def _check_nearest(self, told: LeastDistance) -> None:
        """Check that a least distance is seen when it says, and that none is less."""
        low, high, when = told
        refuse(
            (not 0.0 <= low <= high, "the bounds of the least distance are none"),
            (not 0.0 <= when <= 1.0, "the least distance is at no time"),
        )
        ends = [[self.seen.world(t, k) for t in (0.0, 1.0)] for k in (0, 1)]
        size = max(float(np.abs(x).max()) for x in (*ends[0], *ends[1]))
        speed = sum(float(np.linalg.norm(q - p, axis=1).max()) for p, q in ends)
        slack = 64.0 * EPS * size
        state = self.seen.answer(when)
        near = slack if high > 0.0 else slack + WIDE * speed
        refuse(
            (max(0.0, state.lower) > high + near, "so near they were not seen"),
            (max(0.0, state.upper) < low - slack, "they were seen nearer than that"),
        )
        if low > 0.0 and not self.seen.none_below(low - slack):
            self.doubts.append("that they are nowhere nearer was not proven")


def _is_hull(body: Body) -> bool:
    """Say whether a body is convex, or stands for its hull."""
    hull = body.convexity == "hull"
    return hull or bool(convexity(body.mesh, body.positions).globally_convex)


def _is_open(planes: tuple[Plane, ...], free: list[tuple[float, float]]) -> bool:
    """Say whether planes leave out any of the times that are to be free."""
    spans = sorted((plane.start, plane.end) for plane in planes)
    for start, end in free:
        known = start
        for one, two in spans:
            if one <= known:
                known = max(known, two)
        if known < end:
            return True
    return False


def _parts(plane: Plane, moves: tuple[Move, Move], r: float) -> Iterator[bool]:
    """Say whether the gap along a direction exceeds a distance; exactly.

    A direction that turns straight is never longer than at both ends, and what it
    shows of a vertex is a quadratic: at both ends, and by its middle coefficient.
    """
    t, until = Fraction(plane.start), Fraction(plane.end)
    n, m = ([Fraction(float(x)) for x in way] for way in (plane.normal, plane.last))
    square = max(sum(x * x for x in way) for way in (n, m))
    looks = [
        (_mixed(1 - t, n, 0, n), _mixed(t, n, 0, n)),
        (_mixed(1 - until, m, 0, m), _mixed(until, m, 0, m)),
        (_mixed(1 - until, n, 1 - t, m), _mixed(until, n, t, m)),
    ]
    for (first, last), share in zip(looks, (1, 1, 2), strict=True):
        turned = [-x for x in first], [-x for x in last]
        gap = -_highest(moves[1], *turned) - _highest(moves[0], first, last)
        yield gap > 0 and gap * gap > (share * Fraction(r)) ** 2 * square


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
