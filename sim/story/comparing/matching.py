"""Match the events of two histories by ``difflib``: the same, changed, lost, ..."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sim.story.comparing.histories import History

COMPARED = 1_000_000  # pairs of the same event, beyond which it says no lag
CROSSED = 8  # events that one may come before or behind, and still be the same one
Pairs = list[tuple[int, int]]  # a place in A and one in B, both ascending


class Match(NamedTuple):
    """Which events of two histories belong together, by their places."""

    same: Pairs  # they say the same, in any frame
    changed: Pairs  # of one kind and about the same time, and say something else
    moved: Pairs  # they say the same, in another order
    lost: list[int]
    inserted: list[int]


def matched(a: History, b: History, frame_tolerance: int) -> Match:
    """Match the events of two histories; exchanging them exchanges the result."""
    lines_a, lines_b = list(map(str, a.events)), list(map(str, b.events))
    if lines_a == lines_b:
        return Match([(k, k) for k in range(len(lines_a))], [], [], [], [])
    if lines_a < lines_b:
        return _filled(a, b, aligned(a, b), frame_tolerance)
    *pairs, lost, inserted = _filled(b, a, aligned(b, a), frame_tolerance)
    same, changed, moved = ([(j, i) for i, j in some] for some in pairs)
    return Match(same, changed, sorted(moved), inserted, lost)


def aligned(a: History, b: History) -> Pairs:
    """Pair the same events in order: in step first, then what is the same between.

    In step are those that are late by the lag that is the most frequent among all that
    are the same.
    """
    at: dict[Hashable, tuple[list[int], list[int]]] = {}
    for k, history in enumerate((a, b)):
        for frame, token in zip(history.frames, history.tokens, strict=True):
            at.setdefault(token, ([], []))[k].append(frame)
    lags: Counter[int] = Counter()
    for ours, theirs in at.values():
        if len(ours) * len(theirs) <= COMPARED:
            lags.update(np.subtract.outer(theirs, ours).ravel().tolist())
    lag = min(lags, key=lambda lag: (-lags[lag], abs(lag), lag), default=0)
    late = [(frame + lag, t) for frame, t in zip(a.frames, a.tokens, strict=True)]
    in_step = common(late, list(zip(b.frames, b.tokens, strict=True)))
    between = [
        (of_a[i], of_b[j])
        for of_a, of_b in gaps(in_step, len(a.events), len(b.events))
        for i, j in common(
            a.tokens[of_a.start : of_a.stop], b.tokens[of_b.start : of_b.stop]
        )
    ]
    return sorted(in_step + between)


def common(x: Sequence[Hashable], y: Sequence[Hashable]) -> Pairs:
    """Find a long common subsequence: the longest blocks in common first."""
    blocks = SequenceMatcher(None, x, y).get_matching_blocks()
    return [(i + k, j + k) for i, j, size in blocks for k in range(size)]


def gaps(pairs: Pairs, n: int, m: int) -> Iterator[tuple[range, range]]:
    """List the stretches between pairs that are not empty on both sides."""
    for (i, j), (k, p) in pairwise([(-1, -1), *pairs, (n, m)]):
        if i + 1 < k or j + 1 < p:
            yield range(i + 1, k), range(j + 1, p)


def _filled(a: History, b: History, same: Pairs, frame_tolerance: int) -> Match:
    """Sort out what an alignment leaves without a partner."""
    n, m = len(a.events), len(b.events)
    lags = {i: b.events[j].frame - a.events[i].frame for i, j in same}
    near = range(-frame_tolerance, frame_tolerance + 1)
    changed: Pairs = []
    for of_a, of_b in gaps(same, n, m):
        around = {0, lags.get(of_a.start - 1, 0), lags.get(of_a.stop, 0)}
        tried = sorted({lag + off for lag in around for off in near}, key=abs)
        changed += _changed(a, b, of_a, of_b, tried)
    paired_a, paired_b = ({pair[k] for pair in same + changed} for k in (0, 1))
    lost = [i for i in range(n) if i not in paired_a]
    inserted = [j for j in range(m) if j not in paired_b]
    moved = _moved(a, b, same, lost, inserted)
    gone_a, gone_b = {i for i, _ in moved}, {j for _, j in moved}
    lost = [i for i in lost if i not in gone_a]
    return Match(same, changed, moved, lost, [j for j in inserted if j not in gone_b])


def _changed(
    a: History, b: History, of_a: range, of_b: range, lags: list[int]
) -> Pairs:
    """Pair events of one kind between two that are the same, in order.

    All of them where the kinds are the same one by one; else those that are as far
    apart in time as by the lag with which the most are paired.
    """
    if not (of_a and of_b):
        return []
    ours = [(a.events[i].kind, a.events[i].frame) for i in of_a]
    theirs = [(b.events[j].kind, b.events[j].frame) for j in of_b]
    if [kind for kind, _ in ours] == [kind for kind, _ in theirs]:
        return list(zip(of_a, of_b, strict=True))
    tried = (common([(k, f + lag) for k, f in ours], theirs) for lag in lags)
    return [(of_a[i], of_b[j]) for i, j in max(tried, key=len)]


def _moved(
    a: History, b: History, same: Pairs, lost: list[int], inserted: list[int]
) -> Pairs:
    """Pair what is lost here and inserted there: the same event, in another order."""
    left: defaultdict[Hashable, list[int]] = defaultdict(list)
    for j in inserted:
        left[b.tokens[j]].append(j)
    pairs: Pairs = []
    for i in lost:
        k = bisect_left(same, (i, 0))
        place = same[k - 1][1] + 1 if k else 0  # where it would stand in B
        there = left[a.tokens[i]]
        near = [j for j in there if abs(j - place) <= CROSSED]
        if near:
            pairs.append((i, min(near, key=lambda j: abs(j - place))))
            there.remove(pairs[-1][1])
    return pairs
