"""The way of one pair from one frame to the next: when the bodies meet and part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.between.moves import Array, Ending, Instant, Move, Plane, at_once, planes_of
from sim.between.paths import PairPaths, reason_of
from sim.between.told import hidden, when_of
from sim.body.body import Body
from sim.body.guard import checked
from sim.body.pose import Pose
from sim.events.changes import events_between
from sim.events.event import Event
from sim.events.touch import later
from sim.kernels.between.chain import FREE, MET, STUCK, UNDECIDED, WITHIN
from sim.result.state import PairState
from sim.tracking.options import check_length, next_regime
from wingedge import registry

if TYPE_CHECKING:
    from sim.tracking.pair import PairTracker

CLOSE = 1e-9  # how near the bounds are, per unit of the least distance
COARSE = 1e-6  # the same where planes alone do not do
ROUNDS = 20


class LeastDistance(NamedTuple):
    """The least distance on the way: a lower and an upper bound, and when it was seen.

    Where the bodies overlap on the way, it is 0 at the first touch.  ``proof``: planes
    that part them by the lower bound all the way, as far as planes do.
    """

    lower: float
    upper: float
    when: float
    proof: tuple[Plane, ...] = ()


class Passage:
    """What happened to a pair while its vertices went straight to where they are now.

    Made by ``PairTracker.advance``; a value, computed where it is asked for.

    Attributes
    ----------
    state : PairState
        The answer at the end, as after ``update()``.
    distance : float
        What the passage asks about: when the bodies are this near.
    """

    def __init__(
        self,
        state: PairState,
        moves: tuple[Move, Move],
        distance: float,
        before: PairState | None,
        paths: PairPaths,
    ) -> None:
        self.state, self.moves, self.distance = state, moves, distance
        self._paths, self._before = paths, before
        self._guess = None if before is None else before.normal

    if not TYPE_CHECKING:
        __getattr__ = registry.attributes("sim.between.passage.Passage")

    def __repr__(self) -> str:
        """Say of which pair, to which frame."""
        state = self.state
        return f"Passage({state.a.name}/{state.b.name}, to frame {state.frame})"

    @cached_property
    def _there(self) -> Ending:
        """What is known from the start; where not all is, what the end proves, too."""
        found = self._first(self._guess)
        if found.ended in (UNDECIDED, STUCK, WITHIN):
            known = self._from_end
            if known.ended == FREE or known.upper < found.lower:
                planes = np.vstack([found.planes, known.planes])
                return known._replace(ended=FREE, planes=planes)
        return found

    @cached_property
    def _back(self) -> Ending:
        return self._there if self._there.ended == FREE else self._from_end

    @cached_property
    def _from_end(self) -> Ending:
        return self._first(self.state.normal, back=True)

    def _first(self, guess: Array | None, *, back: bool = False) -> Ending:
        if back and self.state.upper <= self.distance:  # as near at the end
            return at_once(WITHIN, 1.0)
        self._paths.load(self.moves)
        return self._paths.first(self.distance, guess, back=back)

    @cached_property
    def touch(self) -> Instant | None:
        """The first time in (0, 1] at which the surfaces are at the distance.

        None where they never are, which ``proof`` proves; or where they were at the
        start, as ``reason`` says.  Of a graze no later than `parting`.
        """
        there = self._there
        if there.ended == UNDECIDED and self._back.ended in (MET, UNDECIDED):
            there = there._replace(upper=min(there.upper, self._back.upper))
        return self._instant(there)

    @cached_property
    def parting(self) -> Instant | None:
        """The last time at which the surfaces are at the distance, before the end."""
        back = self._back
        if back.ended == UNDECIDED and self._there.ended in (MET, UNDECIDED):
            back = back._replace(lower=max(back.lower, self._there.lower))
        return self._instant(back)

    def _instant(self, ending: Ending) -> Instant | None:
        seen = ending.ended in (MET, UNDECIDED)
        return Instant(self, ending.lower, ending.upper) if seen else None

    @cached_property
    def reason(self) -> str:
        """What could not be decided, and why; empty where all was."""
        back = (self._back,) if self._back.ended in (MET, UNDECIDED) else ()
        open_ = dict.fromkeys(reason_of(x, self.distance) for x in (self._there, *back))
        return "; ".join(filter(None, open_))

    @property
    def proof(self) -> tuple[Plane, ...]:
        """The planes that keep the bodies apart, before the touch and after it."""
        planes = self._there.planes
        if self._there.ended != FREE:
            planes = np.vstack([planes, self._back.planes])
        return planes_of(planes)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened to the pair, as a world would tell it; each with its ``when``.

        Where both ends are apart, a "brush" if it was in contact on the way; else also
        an overlap, or a parting, that was over before the end.  When a "change" was is
        asked when it is read; it holds one, of perhaps several.
        """
        before, pair = self._start, self.state._pair
        told = events_between(before, self.state, -1)
        self._paths.load(self.moves)
        rest = hidden(self._paths, before, self.state, self.state.frame, pair)
        return (*(later(event, self._asked, "when") for event in told), *rest)

    def _asked(self, event: Event) -> dict[str, Any]:
        self._paths.load(self.moves)
        return {"when": when_of(event, self._paths)}

    @cached_property
    def _start(self) -> PairState:
        """The answer where the way begins, with the regime that it has after before.

        As it was given, where the bodies were not moved since.
        """
        cold, before = self.at(0.0), self._before
        if before is None:
            return cold
        places = before.unique, before.point_a.tolist(), before.point_b.tolist()
        same = (True, cold.point_a.tolist(), cold.point_b.tolist()) == places
        if before.distance == cold.distance and (same or not before.unique):
            return before
        regime = next_regime(before.regime, cold.numbers, self._paths.ends)
        answer = regime, cold.frame, cold.a, cold.b, cold.editions, (), cold.hulls
        return PairState.of(cold.numbers, *answer)

    @cached_property
    def nearest(self) -> LeastDistance:
        """The least distance on the way, proven to 1e-9 of it, and when it was seen.

        To 1e-6 of surfaces that are not convex where planes prove no more.  Cost: some
        hundred answers.
        """
        self._paths.load(self.moves)
        return least_distance(self._paths, self._guess)

    def at(self, t: float) -> PairState:
        """Answer for the bodies as they are at a time on the way, from cold."""
        self._paths.load(self.moves)
        return self._paths.at(t, self.state.frame, self.state._pair)


def advance(
    tracker: PairTracker,
    ends: tuple[Pose | None, Pose | None, ArrayLike | None, ArrayLike | None],
    distance: float | None,
) -> Passage:
    """Take both bodies straight to new positions; see ``PairTracker.advance``."""
    if all(end is None for end in ends):
        raise ValueError("nothing moves: give a pose or points of a or b")
    asked = 0.0 if distance is None else check_length("distance", distance)
    a, b, before = tracker.a, tracker.b, tracker.state
    moves = move_of(a, ends[0], ends[2]), move_of(b, ends[1], ends[3])
    paths = paths_of(tracker)
    try:
        _put(a, moves[0].end_map, moves[0].end, ends[0], ends[2])
        _put(b, moves[1].end_map, moves[1].end, ends[1], ends[3])
        state = tracker.update()
    except BaseException:
        _put(a, moves[0].start_map, moves[0].start, ends[0], ends[2])
        _put(b, moves[1].start_map, moves[1].start, ends[1], ends[3])
        raise
    return Passage(state, moves, asked, before, paths)


def move_of(body: Body, pose: Pose | None, points: ArrayLike | None) -> Move:
    """Copy where a body is, and where it goes; nothing has moved yet."""
    start_map, start = body.transform.copy(), body.positions.copy()
    end_map, end = start_map, start
    if pose is not None:
        if not isinstance(pose, Pose):
            raise TypeError(
                f"body '{body.name}': pose must be a sim.Pose, got "
                f"{type(pose).__name__}; use Pose.rigid(rotation, translation)"
            )
        end_map = pose.matrix
    if points is not None:
        end = checked(points, start.shape, body.name).copy()
    return Move(start, end, start_map, end_map)


def _put(body: Body, matrix: Array, points: Array, pose: object, new: object) -> None:
    if pose is not None:
        body.transform[...] = matrix
    if new is not None:
        body.points = points


def paths_of(tracker: PairTracker) -> PairPaths:
    """Return the buffers of a tracker's pair on its way, made when first asked for."""
    kept: PairPaths | None = tracker.paths
    if kept is None or not kept.are_of(tracker.a, tracker.b):
        tracker.paths = kept = PairPaths(tracker.a, tracker.b, tracker.ends)
    return kept


def least_distance(paths: PairPaths, guess: Array | None) -> LeastDistance:
    """Find the least distance of two bodies, of any shape, on the way that is loaded.

    From the nearest that was seen, downhill; an advancement to a little less proves
    that nothing is nearer, or says where.  Cost: some hundred answers.
    """
    found = paths.first(0.0, guess)
    if found.ended != FREE:
        return LeastDistance(0.0, 0.0, found.lower)
    rounding = 8.0 * paths.allowance
    times, close = {0.0, 1.0, *found.planes[:, 0].tolist()}, CLOSE
    for _ in range(ROUNDS):
        rows = sorted(times)
        seen = [paths.answer(t).distance for t in rows]
        i = seen.index(min(seen))
        around = rows[max(i - 1, 0)], rows[min(i + 1, len(rows) - 1)]
        best = downhill(lambda t: paths.answer(t).distance, rows[i], around)
        upper = paths.answer(best).upper
        lower = max(0.0, upper * (1.0 - close) - rounding)
        found = paths.first(lower, guess)
        if found.ended == FREE:
            return LeastDistance(lower, upper, best, planes_of(found.planes))
        times |= {best, found.lower, found.upper}
        close = CLOSE if found.solid else COARSE
    return LeastDistance(0.0, upper, best)


def downhill(
    height: Callable[[float], float], start: float, around: tuple[float, float]
) -> float:
    """Return where a function is least near a point, between two others."""
    from scipy.optimize import minimize_scalar

    if around[0] == around[1]:
        return start
    found = minimize_scalar(
        height, bounds=around, method="bounded", options={"xatol": 1e-10}
    )
    return min((start, float(found.x)), key=height)
