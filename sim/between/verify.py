"""The independent checker of passages: it shares no code with what advances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sim.between.moves import Instant, Plane, like, parts, put, ways_of, world_at
from sim.between.passage import Passage
from sim.body.body import Body
from sim.body.guard import same_bits
from sim.result.state import PairState
from sim.tracking.brute.exhaustive import exhaustive
from sim.tracking.proof.verdict import CANNOT_SAY, NO, YES, FalseAnswer, Verdict, refuse
from sim.tracking.proof.verify import verify
from wingedge.primitives import moving_point_triangle, moving_segment_segment

STEP = 2.0**-20  # of a frame, over which a closing speed is seen
ROUNDING = 64.0 * 2.0**-52  # of the size
GRAZE = 128.0 * 2.0**-52  # of the reach: what an advancement leaves undecided
WIDE = 1e-9  # of a frame
LOOKS = 4  # in a while that no plane covers, besides its ends
MANY = 1024  # triangles, and pairs of them, that are asked when they first meet in it
# of the corners a b c of one triangle and d e f of another: points and triangles, edges
POINTS = [[k, 3, 4, 5] for k in (0, 1, 2)] + [[k, 0, 1, 2] for k in (3, 4, 5)]
EDGES = [[i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3] for i in range(3) for j in range(3)]
ROOM = 1024.0  # roundings of a touch, over the closing speed, that it may be wide


def verify_passage(
    passage: Passage, a: Body, b: Body, *, parallel_tolerance: float = 1e-12
) -> Verdict:
    """Re-prove a passage from the positions of its bodies, before they move on.

    Planes, over all vertices in whole numbers; that they cover all but from ``touch``
    to ``parting``; by ``exhaustive`` that the bodies are within the distance at both;
    by ``verify`` all states; ``nearest`` if it was asked for.  Not ``events``.  What is
    rounding, as of a graze, it cannot say.  Cost: O(V) a plane, ten searches.

    Parameters: ``a``, ``b``: the bodies where the passage ended;
    ``parallel_tolerance``: as for ``PairTracker``.  Returns: as ``sim.verify``.
    """
    for body, move in zip((a, b), passage.moves, strict=True):
        here = same_bits(np.ascontiguousarray(body.positions), move.end)
        if not here or not same_bits(body.transform.copy(), move.end_map.copy()):
            return Verdict(CANNOT_SAY, f"body '{body.name}' is elsewhere by now")
    try:
        doubts = [*_Check(passage, (a, b), parallel_tolerance).doubts()]
    except FalseAnswer as wrong:
        return Verdict(NO, str(wrong))
    return Verdict(CANNOT_SAY, doubts[0]) if doubts else Verdict(YES, "")


class _Check:
    """One passage: raises for what is false, yields what cannot be proven."""

    def __init__(self, passage: Passage, bodies: tuple[Body, Body], level: float):
        self.passage, self.bodies, self.level = passage, bodies, level
        self.moves, self.ways = passage.moves, ways_of(passage.moves)

    def copies(self, t: float) -> list[Body]:
        """Return bodies like these, where they are at a time."""
        pairs = zip(self.bodies, self.moves, strict=True)
        return [put(like(x.mesh, x.name, x.convexity), move, t) for x, move in pairs]

    def answer(self, t: float) -> PairState:
        """Answer for the bodies at a time, by comparing all features."""
        return exhaustive(*self.copies(t))

    def doubts(self) -> Iterator[str]:
        """Check all."""
        passage, r = self.passage, self.passage.distance
        touch, parting = passage.touch, passage.parting
        within = touch is None and "at the start" in passage.reason
        first = 0.0 if within else 1.0 if touch is None else touch.lower
        last = 1.0 if parting is None else parting.upper
        instants = [x for x in (touch, parting) if x is not None]
        sound = all(0.0 <= x.lower <= x.upper <= min(1.0, last) for x in instants)
        refuse(
            (not sound or not 0.0 <= r < np.inf, "an interval or the distance is none")
        )
        free = [(0.0, first), (last, 1.0 if first < 1.0 else last)]
        for bare in self.uncovered(passage.proof, r, free):
            for t in self.suspects(*bare):
                near = self.answer(t).distance < r - GRAZE * self.ways.reach
                refuse((near, f"within the distance at {t!r}, which was to be free"))
            yield "planes leave free times out, as of surfaces that are not convex"
        for instant in instants:
            yield from self.check(instant, closes=instant is touch)
        for near, t in ((within, 0.0), (first < 1.0 and parting is None, 1.0)):
            if near and (state := self.answer(t)).upper > r:
                far = state.lower > r + 4.0 * ROUNDING * state.size
                refuse((far, f"not within the distance at {t}"))
                yield f"at {t} the bodies are within rounding of the distance"
        if "nearest" in vars(passage):
            yield from self.nearest()
        yield from self.believe(passage.state, 1.0, "the state at the end")

    def uncovered(
        self, planes: Iterable[Plane], r: float, free: Iterable[tuple[float, float]]
    ) -> Iterator[tuple[float, float]]:
        """Refuse planes that do not part; yield the free times that none covers."""
        for plane in planes:
            sound = bool(np.isfinite((plane.normal, plane.last)).all())
            sound = sound and 0.0 <= plane.start <= plane.end <= 1.0
            sound = sound and parts(plane, self.ways, r)
            refuse((not sound, f"a plane does not part: {plane}"))
        for known, end in free:
            for start, until in sorted((plane.start, plane.end) for plane in planes):
                if start > known and known < end:
                    yield known, min(start, end)
                known = max(known, until)
            if known < end:
                yield known, end

    def suspects(self, since: float, until: float) -> list[float]:
        """List when to look in a while of which nothing is proven.

        At its ends, and amid the longest times between those when triangles first meet.
        """
        pairs = [*zip(self.moves, self.bodies, strict=True)]
        ends = [
            [world_at(move, t)[x.mesh.fan.vertex[:MANY]] for move, x in pairs]
            for t in (since, until)
        ]
        (a, b), (c, d) = ends
        low, high = np.minimum(a, c).min(axis=1), np.maximum(a, c).max(axis=1)
        near = low[:, None] <= np.maximum(b, d).max(axis=1)
        near &= high[:, None] >= np.minimum(b, d).min(axis=1)
        i, j = (ids[:MANY] for ids in np.nonzero(near.all(axis=2)))
        x, y = (np.concatenate([one[i], two[j]], axis=1) for one, two in ends)
        hits = [
            moving_point_triangle.hit(x[:, POINTS], y[:, POINTS]),
            moving_segment_segment.hit(x[:, EDGES], y[:, EDGES]),
        ]
        met = [t for told in hits for t in told.lower[told.hit].tolist()]
        times = np.sort([0.0, *met, 1.0])
        longest = np.argsort(np.diff(times))[-LOOKS:]
        inner = 0.5 * (times[longest] + times[longest + 1])
        return [since, *(since + (until - since) * inner).tolist(), until]

    def check(self, instant: Instant, *, closes: bool) -> Iterator[str]:
        """Check an instant: that the bodies are near, how wide it is, the state."""
        apart, t = (instant.lower, instant.upper)[:: 1 if closes else -1]
        r, state, width = self.passage.distance, self.answer(t), abs(t - apart)
        slack = ROUNDING * state.size
        if state.upper > r:
            far = state.lower
            if "graze" in self.passage.reason:  # then at the other end, about
                far = min(far, self.answer(apart).lower - WIDE * self.ways.speed)
                slack = max(slack, GRAZE * self.ways.reach)
            refuse((far > r + slack, f"not within the distance at {t!r}"))
            yield f"at {t!r} the bodies are within rounding of the distance"
        elif width > WIDE and not self.passage.reason:
            step = min(STEP, apart if closes else 1.0 - apart)
            away = self.answer(apart - step if closes else apart + step)
            near = width * (away.distance - self.answer(apart).distance)
            refuse((near > ROOM * slack * step, "wider than its rounding"))
        if instant.asked is not None:
            yield from self.believe(instant.asked, t, "the state of an instant")

    def nearest(self) -> Iterator[str]:
        """Check that a least distance is seen when it says, and that none is less."""
        low, high, when, planes = self.passage.nearest
        sound = 0.0 <= low <= high and 0.0 <= when <= 1.0
        refuse((not sound, "the least distance is none, or at no time"))
        state = self.answer(when)
        slack = ROUNDING * state.size
        near = slack if high > 0.0 else slack + WIDE * self.ways.speed
        refuse(
            (max(0.0, state.lower) > high + near, "so near they were not seen"),
            (max(0.0, state.upper) < low - slack, "they were seen nearer than that"),
        )
        if low > 0.0 and any(self.uncovered(planes, low, [(0.0, 1.0)])):
            yield "that they are nowhere nearer was not proven"

    def believe(self, state: PairState, t: float, what: str) -> Iterator[str]:
        """Check an answer at a time."""
        found = verify(state, *self.copies(t), parallel_tolerance=self.level)
        refuse((found.answer == NO, f"{what}: {found.reason}"))
        yield from [] if found else [f"{what}: {found.reason}"]
