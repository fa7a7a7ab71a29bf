"""Say in words what is different between two threads, and since when it is late."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from sim.events.event import REGION_KINDS, Event
from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.matching import Match
from sim.story.comparing.threads import Thread


def changes(
    a: Thread,
    b: Thread,
    match: Match,
    tolerance: float,
    remarks: Mapping[tuple[int, int], str],
) -> Iterator[Difference]:
    """Tell what matched events say differently; not when."""
    for i, j in match.changed:
        first, second = a.events[i], b.events[j]
        lag = second.frame - first.frame
        words = f"{first.after} became {second.after}"
        if first.dent or second.dent:
            words = f"{said(first)} became {said(second)}"
        elif not (first.after and second.after):
            words = f"{first.before} became {second.before}"
        if first.kind != "change" and not first.dent:
            words = f"{first.kind} {words}"
        if remark := remarks.get((i, j)):
            words += f"; {remark}"
        yield Difference(first.frame, "feature", (a.name,), words, first, second, lag)
    for i, j in match.same:
        first, second = a.events[i], b.events[j]
        if first.before != second.before and not (a.implied[i] and b.implied[j]):
            words = f"{first.kind} from {first.before} became from {second.before}"
            yield Difference(first.frame, "feature", (a.name,), words, first, second)
        elif first.after != second.after and not (a.implied[i] and b.implied[j]):
            words = f"{first.kind} {first.after} became {second.after}"
            yield Difference(first.frame, "feature", (a.name,), words, first, second)
        elif str(first.dent) != str(second.dent) and first.dent and second.dent:
            x, y = first.dent.depth, second.dent.depth
            if abs(x - y) > tolerance * max(abs(x), abs(y)):
                words = f"{first.kind} by {x:.6g} became {y:.6g}"
                who = (a.name,)
                yield Difference(first.frame, "numbers", who, words, first, second)


def unmatched(a: Thread, b: Thread, match: Match) -> Iterator[Difference]:
    """Tell what only one of the two tells, and what comes in another order."""
    for kind, thread, places in (
        ("lost", a, match.lost),
        ("inserted", b, match.inserted),
    ):
        for run in _runs(thread, places):
            events = [thread.events[k] for k in run]
            first, n = events[0], len(events)
            words = said(first)
            if n > 1:
                whole = first.kind == "begin" and events[-1].kind == "end"
                what = "a whole contact, " if whole else ""
                words = f"{what}{n} events to frame {events[-1].frame}: {words} ..."
            x, y = (first, None) if kind == "lost" else (None, first)
            yield Difference(first.frame, kind, (thread.name,), words, x, y, count=n)
    for i, j in match.moved:
        first, second = a.events[i], b.events[j]
        lag = second.frame - first.frame
        way = "later" if lag > 0 else "earlier"
        when = f"{counted(abs(lag), 'frame')} {way}, " if lag else ""
        words = f"{said(first)}, {when}in another order"
        yield Difference(first.frame, "reordered", (a.name,), words, first, second, lag)


def lineages(a: Thread, b: Thread, match: Match) -> Iterator[Difference]:
    """Tell where the identities of regions no longer correspond, one to one.

    They are names without a meaning of their own: one more region shifts those of all
    that come later, and nothing else has changed.
    """
    forth: dict[int, int] = {}
    back: dict[int, int] = {}
    for i, j in sorted(match.same + match.changed):
        first, second = a.events[i], b.events[j]
        if first.kind not in REGION_KINDS:
            continue
        # of several that part or join only the one that goes on can be told apart
        x, y = first.contact, second.contact
        if forth.setdefault(x, y) != y or back.setdefault(y, x) != x:
            words = f"{said(first)} became {said(second)}"
            yield Difference(first.frame, "lineage", (a.name,), words, first, second)
            forth[x], back[y] = y, x


def said(event: Event) -> str:
    """Write an event without its frame and its bodies: ``begin VF v12 f5``."""
    names = f"{event.a}/{event.b}" if event.b else event.a
    rest = str(event).removeprefix(f"{event.frame} {event.kind} {names}")
    return f"{event.kind}{rest}"


def _runs(thread: Thread, places: list[int]) -> Iterator[list[int]]:
    """Cut places into runs without a gap; a contact that begins begins a run."""
    run: list[int] = []
    for k in places:
        whole = bool(run) and thread.events[run[-1]].kind == "end"
        if run and (k != run[-1] + 1 or whole):
            yield run
            run = []
        run.append(k)
    if run:
        yield run


class Lag(NamedTuple):
    """By how much one event of the second story is later than its partner."""

    frame: int  # as the first story counts
    lag: int
    same: bool  # whether the two say the same
    a: Thread
    b: Thread
    i: int
    j: int


class Run(NamedTuple):
    """Events of one pair, or of several, that are late by the same number of frames."""

    start: int
    end: int
    lag: int
    lags: tuple[Lag, ...]


def lags(a: Thread, b: Thread, match: Match) -> list[Lag]:
    """List by how much the matched events of a thread are later, in their order."""
    pairs = [(i, j, True) for i, j in match.same]
    pairs += [(i, j, False) for i, j in match.changed]
    return [
        Lag(a.frames[i], b.frames[j] - a.frames[i], same, a, b, i, j)
        for i, j, same in sorted(pairs)
    ]


def runs(found: list[list[Lag]]) -> list[Run]:
    """Join events with one lag: one after the other in a thread, and between threads.

    Runs of two threads are joined where they overlap, or where everything that happens
    between them has the same lag.  A run of lag 0 is none.
    """
    frames = sorted(lag.frame for thread in found for lag in thread)
    of_lag: dict[int, list[int]] = {}
    own: list[Run] = []
    for thread in found:
        for n, together in groupby(thread, key=lambda lag: lag.lag):
            group = tuple(together)
            of_lag.setdefault(n, []).extend(lag.frame for lag in group)
            if n:
                own.append(Run(group[0].frame, group[-1].frame, n, group))
    for same in of_lag.values():
        same.sort()
    joined: dict[int, list[Run]] = {}
    for run in sorted(own, key=lambda run: (run.start, run.end)):
        before = joined.setdefault(run.lag, [])
        last = before[-1] if before else None
        if last is not None and (
            run.start <= last.end
            or _between(frames, last.end, run.start)
            == _between(of_lag[run.lag], last.end, run.start)
        ):
            end = max(last.end, run.end)
            before[-1] = Run(last.start, end, run.lag, last.lags + run.lags)
        else:
            before.append(run)
    every = [run for some in joined.values() for run in some]
    return sorted(every, key=lambda run: run[:3])


def shifts(found: list[list[Lag]]) -> Iterator[Difference]:
    """Tell what is late or early; what says something else says when for itself."""
    total = sum(len(thread) for thread in found)
    for run in runs(found):
        told = [lag for lag in run.lags if lag.same]
        if not told:
            continue
        first = min(told, key=lambda lag: lag.frame)
        event, other = first.a.events[first.i], first.b.events[first.j]
        pairs = tuple(dict.fromkeys(lag.a.name for lag in run.lags))
        n = len(run.lags)
        words = f"by {counted(abs(run.lag), 'frame')}: "
        if n == 1:
            words += said(event)
        elif n == total:
            words += f"the whole story, {n} events"
        else:
            words += f"{counted(n, 'event')} to frame {run.end}, from {said(event)}"
        kind = "late" if run.lag > 0 else "early"
        yield Difference(run.start, kind, pairs, words, event, other, run.lag, count=n)


def _between(frames: list[int], start: int, end: int) -> int:
    """Count the frames after one and before another."""
    return bisect_left(frames, end) - bisect_right(frames, start)
