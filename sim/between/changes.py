"""All changes of the closest features of two bodies on a straight way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from sim.between.kinetic import Conditions, Couple, Course, Kinetic
from sim.between.moves import Move
from sim.between.solids import GRID, WHOLE, MovingMesh, digits_of, why_not_convex
from sim.body.body import Body
from sim.events.event import Event
from sim.events.touch import Touch, way
from sim.result.state import PairState

COARSE = 40  # times are told in cells of 2^-COARSE
SAMPLES = 8  # parts of a while of which nothing is proven
SHARES = (2.0**-24, 2.0**-12, 2.0**-4)  # of a while: how long several may be as near
NARROW = 2.0**-20  # of a frame: how well what is only seen is timed
LOOKS = 400  # answers at most for all that is only seen
RESTARTS = 8  # times at which several features are as near, before the rest is seen
OVERLAP = "while the bodies overlap, changes are only seen"
TIED = "several features are as near"
LEVEL = "features are level to within rounding"

At = Callable[[float], PairState]
Span = tuple[float, float, bool]  # from when, until when, whether surely apart


class Period(NamedTuple):
    """Which features are the closest for a while."""

    when: tuple[float, float] | None  # an interval that holds its beginning, if known
    since: float  # it is known to be so from here
    until: float  # to here
    touch: Touch
    state: PairState  # the answer then


class FeatureChanges(NamedTuple):
    """What became of the closest features on the way.

    Attributes
    ----------
    events : tuple of Event
        One "change" for each, by time, with its ``when``, ``path`` and ``jump``.
    complete : bool
        Whether it is proven that there are no others.
    reason : str
        Why not.
    updates : int
        How often the conditions of a pair of features were looked at.
    told : tuple of Period
        The features at the start, and after each event.
    """

    events: tuple[Event, ...]
    complete: bool
    reason: str
    updates: int
    told: tuple[Period, ...]


class ChangeFinder:
    """Tell the changes of a pair, of whose bodies the ways are known.

    Parameters: ``bodies``, ``moves`` of A and B; ``at``: answers at a time.
    """

    def __init__(
        self, bodies: tuple[Body, Body], moves: tuple[Move, Move], at: At
    ) -> None:
        self.pairs = list(zip(bodies, moves, strict=True))
        self._at = at
        self._looks = 0
        self._reasons: list[str] = []

    @cached_property
    def why(self) -> str:
        """Why nothing can be proven of these bodies; else empty."""
        found = (why_not_convex(*pair) for pair in self.pairs)
        return next((why for why in found if why), "")

    @cached_property
    def _kinetic(self) -> Kinetic:
        digits = [digits_of(move) for _, move in self.pairs]
        finest = max(d for d, _ in digits), max(d for _, d in digits)
        a, b = (MovingMesh(body.mesh, move, finest) for body, move in self.pairs)
        return Kinetic(Conditions(a, b))

    def over(
        self, spans: Sequence[Span], first: PairState, last: PairState
    ) -> FeatureChanges:
        """Tell all changes of a way that is cut into spans, from an answer to another.

        ``first`` is the answer at the start, ``last`` at the end.
        """
        told = [Period((0.0, 0.0), 0.0, 0.0, Touch.of(first), first)]
        for since, until, apart in spans:
            if apart and not self.why:
                found = self._proven(since, until)
            else:
                self._reasons.append(self.why or OVERLAP)
                found = self._sampled(since, until)
            for one in found:
                self._join(told, one)
        self._join(told, Period(None, 1.0, 1.0, Touch.of(last), last))
        events = tuple(_event(one, two) for one, two in pairwise(told))
        reason = "; ".join(dict.fromkeys(self._reasons))
        known = events, not reason, reason
        return FeatureChanges(*known, self._kinetic.updates, tuple(told))

    def _join(self, told: list[Period], new: Period) -> None:
        """Add what comes next; narrow down when, where that is not known."""
        old = told[-1]
        if new.touch == old.touch:
            told[-1] = old._replace(until=new.until)
        elif new.when is not None:
            told.append(new)
        elif new.since - old.until <= NARROW or self._looks > LOOKS:
            told.append(new._replace(when=(old.until, new.since)))
        else:
            self._join(told, self._look(0.5 * (old.until + new.since)))
            self._join(told, new)

    def _look(self, t: float) -> Period:
        """Answer at a time."""
        self._looks += 1
        state = self._at(t)
        return Period(None, t, t, Touch.of(state), state)

    def _sampled(self, since: float, until: float) -> Iterator[Period]:
        """Answer now and then."""
        for k in range(SAMPLES + 1):
            yield self._look(since + (until - since) * (k / SAMPLES))

    def _proven(self, since: float, until: float) -> Iterator[Period]:
        """Follow the closest features; where several are as near, look a little later.

        What is skipped is only seen.
        """
        time, end = ceil(Fraction(since) * WHOLE), floor(Fraction(until) * WHOLE)
        couple = self._couple_at(time)
        for _ in range(RESTARTS):
            if couple is not None:
                course = self._kinetic.follow(couple, time, end)
                yield from self._named(course)
                if course.reason:
                    self._reasons.append(course.reason)
                if course.end >= end:
                    return
                time = course.end
            else:
                self._reasons.append(TIED)
            for share in SHARES:
                later = time + 1 + floor(share * float(end - time))
                couple = self._couple_at(later)
                if couple is not None:
                    time = later
                    break
            else:
                break
        yield from self._sampled(time / WHOLE, until)

    def _couple_at(self, time: int) -> Couple | None:
        """Find the closest features at a time on the grid, if only two are."""
        state = self._look(time / WHOLE).state
        return self._kinetic.start(state.feature_a, state.feature_b, time)

    def _named(self, course: Course) -> Iterator[Period]:
        """Name the closest features as an answer does, in the middle of their while."""
        for k, (cell, couple) in enumerate(course.stretches):
            later = course.stretches[k + 1 :]
            end = later[0].since[0] if later else course.end
            since, until = cell[1] / WHOLE, end / WHOLE
            state = self._at(0.5 * (since + until))
            named = (*state.parts_a, *state.parts_b)
            if not all(feature in named for feature in couple):
                self._reasons.append(LEVEL)
            when = coarse(cell) if k else None
            yield Period(when, since, until, Touch.of(state), state)


def coarse(cell: tuple[int, int]) -> tuple[float, float]:
    """Return the cell of 2^-COARSE, or the number of such cells, that holds another."""
    down = GRID - COARSE
    return (cell[0] >> down) / 2.0**COARSE, -(-cell[1] >> down) / 2.0**COARSE


def _event(one: Period, two: Period) -> Event:
    """Tell a change."""
    path, jump = way(two.state, one.touch, two.touch)
    state = two.state
    return Event(
        state.frame,
        "change",
        state.a.name,
        state.b.name,
        -1,
        one.touch,
        two.touch,
        state,
        path,
        when=two.when,
        jump=jump,
    )
