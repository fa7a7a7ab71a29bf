"""What happened to a pair on its way to a frame, and when; also what was undone there.

Frames alone do not tell what begins and ends between them: a touch of bodies that are
apart in both, an overlap, a parting of bodies that are in contact.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sim.between.moves import Move, world_at
from sim.between.paths import PairPaths
from sim.events.event import Event
from sim.events.touch import Touch
from sim.kernels.between.chain import FREE, MET, UNDECIDED, WITHIN
from sim.result.state import Pair, PairState
from sim.result.witness import cells_of, holder

# Of which distance the time is asked, 0: contact, 1: release, None: touch; and whether
# of the last time rather than the first.
ASKED: dict[str, tuple[int | None, bool]] = {
    "begin": (0, False),
    "penetrate": (None, False),
    "separate": (None, True),
    "end": (1, True),
}
WHOLE = (0.0, 1.0)  # when nothing more is known
NARROW = 2.0**-20  # of a frame: how well a change is timed
ROUNDING = 64.0 * 2.0**-52  # of coordinates
DEEP = 8.0  # roundings of a gap: no overlap is told that is no deeper
Span = tuple[float, float]
Moves = tuple[Move, Move]


def when_of(event: Event, paths: PairPaths) -> Span:
    """Return an interval that holds the time of an event; the whole frame at worst."""
    if event.kind == "change":
        return when_changed(event, paths)
    if event.kind not in ASKED:
        return WHOLE
    level, back = ASKED[event.kind]
    found = paths.first(0.0 if level is None else paths.ends[level], back=back)
    if found.ended in (MET, UNDECIDED):
        return found.lower, found.upper
    if found.ended == WITHIN:  # at the frame where the way begins, to rounding
        return (1.0, 1.0) if back else (0.0, 0.0)
    return WHOLE


def when_changed(event: Event, paths: PairPaths) -> Span:
    """Halve the way until it is known when the closest features were the old ones last.

    The whole frame where answers from cold, as among ties, do not name at both ends
    what the event tells.  Cost: 22 answers.
    """
    if (paths.touch(0.0), paths.touch(1.0)) != (event.before, event.after):
        return WHOLE
    lower, upper = WHOLE
    while upper - lower > NARROW:
        t = 0.5 * (lower + upper)
        if paths.touch(t) == event.before:
            lower = t
        else:
            upper = t
    return lower, upper


def brush_of(paths: PairPaths, frame: int, pair: Pair) -> Event | None:
    """Tell the brush of a pair that is apart at both ends of its way, if it has one."""
    found = paths.first(paths.ends[0])
    if found.ended not in (MET, UNDECIDED):
        return None
    return _event("brush", (found.lower, found.upper), paths, frame, pair)


def _event(kind: str, when: Span, paths: PairPaths, frame: int, pair: Pair) -> Event:
    """Tell what no frame shows, with the features where it is seen first, or last."""
    state = paths.at(when[0 if kind in ("separate", "end") else 1], frame, pair)
    touch, ends = Touch.of(state), kind == "end"
    before, after = (touch, None) if ends else (None, touch)
    a, b = state.a.name, state.b.name
    return Event(frame, kind, a, b, -1, before, after, state, when=when)


def undone(
    paths: PairPaths, before: PairState | None, after: PairState | None, pair: Pair
) -> Iterator[Event]:
    """Tell what a pair that is in contact at an end of its way did and undid on it.

    Of one that overlaps at neither end an overlap, deeper than rounding; of one that is
    in contact at both a parting.  What is not decided is added to ``paths.open``.
    """
    states = [state for state in (before, after) if state is not None]
    regimes = [state.regime for state in states]
    frame = states[-1].frame if after is not None else states[0].frame + 1
    if "penetrating" not in regimes:
        for kind, when in overlap_on(paths):
            yield _event(kind, when, paths, frame, pair)
    if len(states) == 2 and "separated" not in regimes:
        assert paths.moves is not None
        if not stay_near(states, paths.moves, paths.ends[1]):
            for kind, when in parting_on(paths, regimes):
                yield _event(kind, when, paths, frame, pair)


def overlap_on(paths: PairPaths) -> list[tuple[str, Span]]:
    """Say when a pair that overlaps at no end of its way began to on it, and ceased."""
    told = []
    for kind in ("penetrate", "separate"):
        back, known = kind == "separate", len(paths.open)
        found = paths.first(0.0, back=back)
        if found.ended not in (FREE, MET):  # as near at the end, or all the way
            del paths.open[known:]
            found = paths.first(-DEEP * paths.allowance, back=back)
        if found.ended == WITHIN:
            reason = "in touch at an end, and whether they overlap is rounding"
            paths.open.append((*WHOLE, reason))
        if found.ended != MET:
            return []
        told.append((kind, (found.lower, found.upper)))
    return told


def parting_on(paths: PairPaths, regimes: list[str]) -> list[tuple[str, Span]]:
    """Say when a pair that is in contact at both ends of its way came apart on it."""
    contact, release = paths.ends
    out = paths.within(release)
    if out.ended == FREE:
        return []
    again = paths.within(contact, back=True)
    if out.ended != MET or again.ended != MET:
        reason = "in contact at both ends, and whether they part is not proven"
        paths.open.append((out.lower, again.upper, reason))
        return []
    told = [("end", (out.lower, out.upper)), ("begin", (again.lower, again.upper))]
    if regimes[0] == "penetrating":
        told.insert(0, ("separate", (0.0, out.upper)))
    if regimes[1] == "penetrating":
        told.append(("penetrate", (again.lower, 1.0)))
    return told


def stay_near(states: list[PairState], moves: Moves, r: float) -> bool:
    """Say whether two bodies are proven to stay within a distance, without an answer.

    Where the closest points at both ends lie in the same cells, points of these go from
    the one to the other: what is between them is a quadratic in time, never longer than
    its three Bernstein coefficients.
    """
    ways = []
    for side, move in enumerate(moves):
        ends = [world_at(move, t) for t in (0.0, 1.0)]
        held = [
            holder(
                cells_of((s.mesh_a, s.mesh_b)[side], (s.parts_a, s.parts_b)[side]),
                lambda cell, x=x: x[list(cell)],  # type: ignore[misc]
                (s.point_a, s.point_b)[side],
            )[1:]
            for s, x in zip(states, ends, strict=True)
        ]
        if held[0][0] != held[1][0]:
            return False
        start, end = (x[list(held[0][0])] for x in ends)
        v, w = (np.maximum(own, 0.0) / np.maximum(own, 0.0).sum() for _, own in held)
        ways.append(np.stack([v @ start, 0.5 * (v @ end + w @ start), w @ end]))
    off = ways[1] - ways[0]
    longest = float(np.sqrt((off * off).sum(axis=1)).max())
    return longest + ROUNDING * float(np.abs(ways).max()) < r
