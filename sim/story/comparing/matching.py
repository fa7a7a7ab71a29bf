"""Align the events of two threads: the same, changed, lost, inserted, reordered."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import NamedTuple

from sim.story.comparing.threads import Thread, essence

COMPARED = 1_000_000  # equal steps that one stretch may have to be compared with

Pairs = list[tuple[int, int]]  # a step of A and one of B, both ascending


class EventSteps(NamedTuple):
    """Events in order, as numbers that are equal where the events are."""

    tokens: Sequence[int]
    frames: Sequence[int]  # ascending


class Span(NamedTuple):
    """A stretch of A and the one of B that it is aligned with; ends excluded."""

    a: int
    a_end: int
    b: int
    b_end: int


def alignments(a: EventSteps, b: EventSteps) -> list[Pairs]:
    """Pair the steps of A with the same ones of B, in order, in several ways.

    The same steps in the same frames first, and then what is the same between them, or
    not; the same steps wherever they are; and as the first two in frames shifted by the
    lag that is the most frequent in the third.  Which one is the best depends on what
    is made of the steps without a partner.

    Cost: O(n log n) where most steps are unique; an alignment is good, and seldom not
    the longest.
    """
    everywhere = _common(a, b, Span(0, len(a.tokens), 0, len(b.tokens)))
    lags = Counter(b.frames[j] - a.frames[i] for i, j in everywhere)
    shift = min(lags, key=lambda lag: (-lags[lag], abs(lag), lag), default=0)
    found = []
    for lag in dict.fromkeys((0, shift)):
        in_step = _in_step(a, b, lag)
        spans = gaps(in_step, len(a.tokens), len(b.tokens))
        rest = [pair for span in spans for pair in _common(a, b, span)]
        found += [sorted(in_step + rest), in_step]
    return [*found, everywhere]


def _in_step(a: EventSteps, b: EventSteps, shift: int) -> Pairs:
    """Pair what is the same in a frame of A, shifted, and of B."""
    ends = (
        [bisect(steps.frames, frame) for bisect in (bisect_left, bisect_right)]
        for wanted in dict.fromkeys(a.frames)
        for steps, frame in ((a, wanted), (b, wanted + shift))
    )
    return [pair for i in ends for pair in _common(a, b, Span(*i, *next(ends)))]


def gaps(pairs: Pairs, n: int, m: int) -> list[Span]:
    """List the stretches between pairs that are not empty on both sides."""
    ends = [(-1, -1), *pairs, (n, m)]
    spans = (Span(i + 1, k, j + 1, p) for (i, j), (k, p) in pairwise(ends))
    return [span for span in spans if span.a < span.a_end or span.b < span.b_end]


def _common(a: EventSteps, b: EventSteps, whole: Span) -> Pairs:
    """Find a common subsequence that is long: the longest blocks in common first.

    By ``difflib`` between the equal steps at both ends; where it would compare too
    often, both sequences are cut at one frame.
    """
    pairs: Pairs = []
    todo = [whole]
    while todo:
        i, n, j, m = todo.pop()
        while i < n and j < m and a.tokens[i] == b.tokens[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        while i < n and j < m and a.tokens[n - 1] == b.tokens[m - 1]:
            n, m = n - 1, m - 1
            pairs.append((n, m))
        in_a, in_b = a.tokens[i:n], b.tokens[j:m]
        times = Counter(in_b)
        if sum(times[token] for token in in_a) > COMPARED:
            halves = _halves(a, b, Span(i, n, j, m))
            if halves:
                todo += halves
                continue
        blocks = SequenceMatcher(None, in_a, in_b, autojunk=False)
        for start_a, start_b, size in blocks.get_matching_blocks():
            pairs += ((i + start_a + k, j + start_b + k) for k in range(size))
    return sorted(pairs)


def _halves(a: EventSteps, b: EventSteps, span: Span) -> list[Span]:
    """Cut a span in two at the frame in the middle of its longer side."""
    if span.a_end - span.a >= span.b_end - span.b:
        frame = a.frames[(span.a + span.a_end) // 2]
    else:
        frame = b.frames[(span.b + span.b_end) // 2]
    i = bisect_left(a.frames, frame, span.a, span.a_end)
    j = bisect_left(b.frames, frame, span.b, span.b_end)
    halves = [Span(span.a, i, span.b, j), Span(i, span.a_end, j, span.b_end)]
    return [] if span in halves else halves


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

    def steps(thread: Thread) -> EventSteps:
        said = (essence(thread, k) for k in range(len(thread.events)))
        tokens = [numbers.setdefault(one, len(numbers)) for one in said]
        return EventSteps(tokens, thread.frames)

    steps_a, steps_b = steps(a), steps(b)
    matches = [
        _filled(a, b, steps_a, steps_b, same, frame_tolerance)
        for same in alignments(steps_a, steps_b)
    ]

    def cost(match: Match) -> int:
        """Count what is left to tell: events, and every lag that begins."""
        pairs = sorted(match.same + match.changed)
        lags = [b.frames[j] - a.frames[i] for i, j in pairs]
        begun = groupby(lag if abs(lag) > frame_tolerance else 0 for lag in lags)
        late = sum(1 for lag, _ in begun if lag)
        return late + sum(len(places) for places in match[1:])

    return min(matches, key=cost)


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
    lost = [i for i in lost if i not in gone_a]
    inserted = [j for j in inserted if j not in gone_b]
    return Match(same, changed, moved, lost, inserted)


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
    left: defaultdict[int, list[int]] = defaultdict(list)
    for j in inserted:
        left[b.tokens[j]].append(j)
    pairs: Pairs = []
    for i in lost:
        there = left.get(a.tokens[i])
        if not there:
            continue
        k = bisect_left(same, (i, 0))
        place = same[k - 1][1] + 1 if k else 0  # where it would stand in B
        j = min(there, key=lambda j: (abs(j - place), j))
        if abs(j - place) <= CROSSED:
            pairs.append((i, j))
            there.remove(j)
    return pairs
