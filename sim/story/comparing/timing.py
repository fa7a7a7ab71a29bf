"""What comes later or earlier, told once for everything that does together."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.matching import Match
from sim.story.comparing.telling import said
from sim.story.comparing.threads import Thread


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
