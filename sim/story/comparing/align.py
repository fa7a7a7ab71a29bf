"""Align two sequences of events: what is the same in both, in order."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

TABLE = 10_000  # cells up to which a stretch is aligned by a table
DETOURS = 64  # events that differ, up to which a longer stretch is aligned exactly

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

    Cost: O(n log n) where steps are unique or few differ; at worst O(n * DETOURS), and
    then an alignment is good but not the longest.
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


def gaps(pairs: Pairs, n: int, m: int) -> list[Span]:
    """List the stretches between pairs that are not empty on both sides."""
    ends = [(-1, -1), *pairs, (n, m)]
    spans = (Span(i + 1, k, j + 1, p) for (i, j), (k, p) in pairwise(ends))
    return [span for span in spans if span.a < span.a_end or span.b < span.b_end]


def _in_step(a: EventSteps, b: EventSteps, shift: int) -> Pairs:
    """Pair what is the same in a frame of A, shifted, and of B."""
    in_a, in_b = _by_frame(a.frames), _by_frame(b.frames)
    pairs: Pairs = []
    for frame, (i, i_end) in in_a.items():
        if frame + shift in in_b:
            pairs += _table(a, b, Span(i, i_end, *in_b[frame + shift]))
    return pairs


def _by_frame(frames: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the first step of every frame and the one after its last."""
    found: dict[int, tuple[int, int]] = {}
    for k, frame in enumerate(frames):
        found[frame] = found.get(frame, (k, k))[0], k + 1
    return found


def _common(a: EventSteps, b: EventSteps, whole: Span) -> Pairs:
    """Find a longest common subsequence, or a good one where that would take long.

    By steps that are unique in both (the patience method of Bram Cohen), between them
    by a table or by Myers (1986), doi:10.1007/BF01840446, and where too much differs
    by cutting both sequences at one frame.
    """
    pairs: Pairs = []
    todo = [whole]
    while todo:
        span = _trimmed(a, b, todo.pop(), pairs)
        n, m = span.a_end - span.a, span.b_end - span.b
        if n == 0 or m == 0:
            continue
        anchors = _unique(a, b, span)
        if anchors:
            pairs += anchors
            ends = [(span.a - 1, span.b - 1), *anchors, (span.a_end, span.b_end)]
            todo += [Span(i + 1, k, j + 1, p) for (i, j), (k, p) in pairwise(ends)]
        elif n * m <= TABLE:
            pairs += _table(a, b, span)
        else:
            found = _myers(a, b, span)
            if found is None:
                todo += _halves(a, b, span)
            else:
                pairs += found
    return sorted(pairs)


def _trimmed(a: EventSteps, b: EventSteps, span: Span, pairs: Pairs) -> Span:
    """Take equal steps off both ends of a span, into ``pairs``."""
    i, n, j, m = span
    while i < n and j < m and a.tokens[i] == b.tokens[j]:
        pairs.append((i, j))
        i, j = i + 1, j + 1
    while i < n and j < m and a.tokens[n - 1] == b.tokens[m - 1]:
        n, m = n - 1, m - 1
        pairs.append((n, m))
    return Span(i, n, j, m)


def _unique(a: EventSteps, b: EventSteps, span: Span) -> Pairs:
    """Pair the tokens that each side has once: the longest part in the same order."""
    in_a, in_b = a.tokens[span.a : span.a_end], b.tokens[span.b : span.b_end]
    once_a, once_b = Counter(in_a), Counter(in_b)
    place = {token: j for j, token in enumerate(in_b) if once_b[token] == 1}
    both = [
        (i, place[token])
        for i, token in enumerate(in_a)
        if once_a[token] == 1 and token in place
    ]
    # The longest ascending part, by piles of cards: the least last one of each length.
    tops: list[int] = []
    top_of: list[int] = []
    before: list[int] = []
    for k, (_, j) in enumerate(both):
        pile = bisect_left(tops, j)
        before.append(top_of[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        top_of[pile : pile + 1] = [k]
    k = top_of[-1] if top_of else -1
    chosen: Pairs = []
    while k >= 0:
        i, j = both[k]
        chosen.append((span.a + i, span.b + j))
        k = before[k]
    return chosen[::-1]


def _table(a: EventSteps, b: EventSteps, span: Span) -> Pairs:
    """Find a longest common subsequence, of equals one that is close in time."""
    n, m = span.a_end - span.a, span.b_end - span.b
    far = max(
        abs(a.frames[span.a_end - 1] - b.frames[span.b]),
        abs(b.frames[span.b_end - 1] - a.frames[span.a]),
        1,
    )
    worth = far * (min(n, m) + 1)  # more than all lags together
    best = [[0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        token, frame = a.tokens[span.a + i], a.frames[span.a + i]
        row, below = best[i], best[i + 1]
        for j in reversed(range(m)):
            most = max(below[j], row[j + 1])
            if token == b.tokens[span.b + j]:
                lag = abs(frame - b.frames[span.b + j])
                most = max(most, below[j + 1] + worth - lag)
            row[j] = most
    pairs: Pairs = []
    i = j = 0
    while i < n and j < m:
        here = best[i][j]
        if here == best[i + 1][j]:
            i += 1
        elif here == best[i][j + 1]:
            j += 1
        else:
            pairs.append((span.a + i, span.b + j))
            i, j = i + 1, j + 1
    return pairs


def _myers(a: EventSteps, b: EventSteps, span: Span) -> Pairs | None:
    """Find a longest common subsequence where at most ``DETOURS`` steps differ."""
    in_a, in_b = a.tokens[span.a : span.a_end], b.tokens[span.b : span.b_end]
    n, m = len(in_a), len(in_b)
    shared = sum((Counter(in_a) & Counter(in_b)).values())
    if n + m - 2 * shared > DETOURS:
        return None
    reach = {1: 0}  # the farthest step of A on every diagonal
    history: list[dict[int, int]] = []
    for d in range(DETOURS + 1):
        history.append(dict(reach))
        for k in range(-d, d + 1, 2):
            down = k == -d or (k != d and reach[k - 1] < reach[k + 1])
            i = reach[k + 1] if down else reach[k - 1] + 1
            while i < n and i - k < m and in_a[i] == in_b[i - k]:
                i += 1
            reach[k] = i
            if i >= n and k == n - m:
                return _back(history, span)
    return None


def _back(history: list[dict[int, int]], span: Span) -> Pairs:
    """Follow the way of ``_myers`` back, and list its equal steps."""
    i, j = span.a_end - span.a, span.b_end - span.b
    pairs: Pairs = []
    for d in reversed(range(len(history))):
        reach, k = history[d], i - j
        down = k == -d or (k != d and reach[k - 1] < reach[k + 1])
        came = k + 1 if down else k - 1
        p = reach[came]
        q = p - came
        while i > max(p, 0) and j > max(q, 0):
            i, j = i - 1, j - 1
            pairs.append((span.a + i, span.b + j))
        i, j = p, q
    return pairs[::-1]


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
