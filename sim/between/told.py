"""What happened to a pair on its way to a frame, and when; also what was undone there.

Frames alone do not tell what begins and ends between them: a touch of bodies that are
apart in both, an overlap, a parting of bodies that are in contact.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.between.paths import PairPaths
from sim.events.event import Event
from sim.events.touch import Touch
from sim.kernels.between.chain import FREE, MET, UNDECIDED, WITHIN
from sim.result.state import BodyPair, PairState

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
DEEP = 8.0  # roundings of a gap: no overlap is told that is no deeper
Span = tuple[float, float]


def when_of(event: Event, paths: PairPaths) -> Span:
    """Return an interval that holds the time of an event; the whole frame at worst."""
    if event.kind == "change":
        return when_changed(event, paths)
    if event.kind not in ASKED:
        return WHOLE
    level, back = ASKED[event.kind]
    touch = -4.0 * paths.ends.resolution if event.kind == "penetrate" else 0.0
    found = paths.first(touch if level is None else paths.ends[level], back=back)
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


def hidden(
    paths: PairPaths,
    before: PairState | None,
    after: PairState | None,
    frame: int,
    pair: BodyPair,
) -> Iterator[Event]:
    """Tell what a pair did and undid on its way: None stands for apart at an end.

    Of one that is apart at both ends a brush; of one that overlaps at neither an
    overlap, deeper than rounding; of one that is in contact at both a parting.  What is
    not decided is added to ``paths.open``.
    """
    states = [s for s in (before, after) if s is not None and s.regime != "separated"]
    regimes, told = [state.regime for state in states], []
    if not states:
        found = paths.first(paths.ends[0])
        if found.ended in (MET, UNDECIDED):
            told = [("brush", (found.lower, found.upper))]
    elif "penetrating" not in regimes:
        told = overlap_on(paths)
    if len(states) == 2:
        told += parting_on(paths, regimes)
    for kind, when in told:
        t = when[0 if kind in ("separate", "end") else 1]
        state = paths.at(t, frame, pair)
        touch, ends = Touch.of(state), kind == "end"
        one, other = (touch, None) if ends else (None, touch)
        a, b = state.a.name, state.b.name
        parts = touch.parts(state.mesh_a, state.mesh_b)
        yield Event(frame, kind, a, b, -1, one, other, state, when=when, **parts)


def overlap_on(paths: PairPaths) -> list[tuple[str, Span]]:
    """Say when a pair that overlaps at no end of its way began to on it, and ceased."""
    told = []
    for kind in ("penetrate", "separate"):
        back, known = kind == "separate", len(paths.open)
        found = paths.first(-4.0 * paths.ends.resolution, back=back)
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
    contact, release, _ = paths.ends
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
