"""Align two sequences of events: what is the same in both, in order."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

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
            pairs += _common(a, b, Span(i, i_end, *in_b[frame + shift]))
    return pairs


def _by_frame(frames: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the first step of every frame and the one after its last."""
    found: dict[int, tuple[int, int]] = {}
    for k, frame in enumerate(frames):
        found[frame] = found.get(frame, (k, k))[0], k + 1
    return found


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
