"""Match the events of two threads: the same, changed, lost, inserted, reordered."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from itertools import groupby
from typing import NamedTuple

from sim.story.comparing.align import EventSteps, Pairs, Span, alignments, gaps
from sim.story.comparing.threads import Thread, essence

CROSSED = 8  # events that one may come before or behind, and still be the same one


class Match(NamedTuple):
    """Which events of two threads belong together, by their places."""

    same: Pairs  # they say the same, in any frame
    changed: Pairs  # of one kind and about the same time, and say something else
    moved: Pairs  # they say the same, in another order
    lost: list[int]
    inserted: list[int]

    def mirrored(self) -> "Match":
        """Return the same with the two threads exchanged."""
        same, changed, moved = (
            [(j, i) for i, j in pairs]
            for pairs in (self.same, self.changed, self.moved)
        )
        return Match(same, changed, sorted(moved), self.inserted, self.lost)


def matched(a: Thread, b: Thread, frame_tolerance: int) -> Match:
    """Match the events of two threads; exchanging them exchanges the result."""
    lines_a, lines_b = list(map(str, a.events)), list(map(str, b.events))
    if lines_a == lines_b:
        return Match([(k, k) for k in range(len(lines_a))], [], [], [], [])
    if lines_b < lines_a:
        return _matched(b, a, frame_tolerance).mirrored()
    return _matched(a, b, frame_tolerance)


def _matched(a: Thread, b: Thread, frame_tolerance: int) -> Match:
    """Take the alignment that leaves the least to tell; the first of equals."""
    numbers: dict[Hashable, int] = {}
    steps_a, steps_b = (
        EventSteps(
            [
                numbers.setdefault(essence(thread, k), len(numbers))
                for k in range(len(thread.events))
            ],
            thread.frames,
        )
        for thread in (a, b)
    )
    matches = [
        _filled(a, b, steps_a, steps_b, same, frame_tolerance)
        for same in alignments(steps_a, steps_b)
    ]
    return min(matches, key=lambda match: _cost(a, b, match, frame_tolerance))


def _cost(a: Thread, b: Thread, match: Match, frame_tolerance: int) -> int:
    """Count what is left to tell: events, and every lag that begins."""
    pairs = sorted(match.same + match.changed)
    lags = [b.frames[j] - a.frames[i] for i, j in pairs]
    runs = groupby(lag if abs(lag) > frame_tolerance else 0 for lag in lags)
    late = sum(1 for lag, _ in runs if lag)
    return late + sum(len(places) for places in match[1:])


def _filled(
    a: Thread,
    b: Thread,
    steps_a: EventSteps,
    steps_b: EventSteps,
    same: Pairs,
    tolerance: int,
) -> Match:
    """Sort out what an alignment leaves without a partner."""
    n, m = len(a.events), len(b.events)
    changed: Pairs = []
    lags = {(i, j): b.frames[j] - a.frames[i] for i, j in same}
    ends = {(i + 1, j + 1): lag for (i, j), lag in lags.items()}
    for span in gaps(same, n, m):
        around = {0, ends.get((span.a, span.b), 0)}
        around.add(lags.get((span.a_end, span.b_end), 0))
        changed += _changed(a, b, span, around, tolerance)
    taken_a = {i for i, _ in same + changed}
    taken_b = {j for _, j in same + changed}
    lost = [i for i in range(n) if i not in taken_a]
    inserted = [j for j in range(m) if j not in taken_b]
    moved = _moved(steps_a, steps_b, same, lost, inserted)
    gone_a, gone_b = {i for i, _ in moved}, {j for _, j in moved}
    return Match(
        same,
        changed,
        moved,
        [i for i in lost if i not in gone_a],
        [j for j in inserted if j not in gone_b],
    )


def _changed(
    a: Thread, b: Thread, span: Span, lags: Iterable[int], frame_tolerance: int
) -> Pairs:
    """Pair events of one kind between two that are the same, in order.

    Those that are as far apart in time as what is around them, or all of them where
    the kinds are the same one by one.
    """
    in_a, in_b = range(span.a, span.a_end), range(span.b, span.b_end)
    kinds_a = [a.events[i].kind for i in in_a]
    kinds_b = [b.events[j].kind for j in in_b]
    if kinds_a == kinds_b:
        return list(zip(in_a, in_b, strict=True))
    at: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for j, kind in zip(in_b, kinds_b, strict=True):
        at[kind, b.frames[j]].append(j)
    spread = range(-frame_tolerance, frame_tolerance + 1)
    near = sorted(
        {lag + off for lag in lags for off in spread}, key=lambda x: (abs(x), x)
    )
    pairs: Pairs = []
    last = span.b - 1
    for i, kind in zip(in_a, kinds_a, strict=True):
        there = (j for lag in near for j in at.get((kind, a.frames[i] + lag), ()))
        found = next((j for j in there if j > last), None)
        if found is not None:
            pairs.append((i, found))
            last = found
    return pairs


def _moved(
    a: EventSteps, b: EventSteps, same: Pairs, lost: list[int], inserted: list[int]
) -> Pairs:
    """Pair what is lost here and inserted there: the same event, in another order."""
    partner = _partners(same, len(a.tokens))
    left: defaultdict[int, list[int]] = defaultdict(list)
    for j in inserted:
        left[b.tokens[j]].append(j)
    pairs: Pairs = []
    for i in lost:
        there = left.get(a.tokens[i])
        if not there:
            continue
        j = min(there, key=lambda j: (abs(j - partner[i]), j))
        if abs(j - partner[i]) <= CROSSED:
            pairs.append((i, j))
            there.remove(j)
    return pairs


def _partners(same: Pairs, n: int) -> list[int]:
    """Return for every step of A where it would stand in B."""
    found = []
    partner = dict(same)
    last = 0
    for i in range(n):
        last = partner[i] + 1 if i in partner else last
        found.append(last)
    return found
