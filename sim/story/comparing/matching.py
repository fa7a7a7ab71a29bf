"""Match the events of two histories by ``difflib``: the same, changed, lost, ..."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sim.story.comparing.histories import History

COMPARED = 1_000_000  # pairs of the same event, beyond which it says no lag
CROSSED = 8  # events that one may come before or behind, and still be the same one
Pairs = list[tuple[int, int]]  # a place in A and one in B
Keys = Sequence[Hashable]


class Match(NamedTuple):
    """Which events of two histories belong together, by their places."""

    paired: Pairs  # in one order; what does not say the same is of one kind
    moved: Pairs  # they say the same, in another order
    lost: list[int]
    inserted: list[int]


def matched(a: History, b: History) -> Match:
    """Match the events of two histories; exchanging them exchanges the result.

    First what is the same and in step: late by the lag that is the most frequent among
    all that is the same.  Then, between these, what is the same at any time, and what
    is of the same kind.
    """
    lines_a, lines_b = list(map(str, a.events)), list(map(str, b.events))
    if lines_a == lines_b:
        return Match([(k, k) for k in range(len(lines_a))], [], [], [])
    if lines_a > lines_b:
        paired, moved, lost, inserted = matched(b, a)
        back = sorted((j, i) for i, j in moved)
        return Match([(j, i) for i, j in paired], back, inserted, lost)
    kinds_a, kinds_b = ([event.kind for event in h.events] for h in (a, b))
    times_a, times_b = ([event.frame for event in h.events] for h in (a, b))
    lag = _lag(a.tokens, times_a, b.tokens, times_b)
    late = [time + lag for time in times_a]
    pairs = refined([], _both(late, a.tokens), _both(times_b, b.tokens))
    pairs = refined(pairs, a.tokens, b.tokens)
    pairs = refined(pairs, kinds_a, kinds_b, whole=True)
    pairs = refined(pairs, _both(late, kinds_a), _both(times_b, kinds_b))
    only_a = {*range(len(late))} - {i for i, _ in pairs}
    only_b = {*range(len(times_b))} - {j for _, j in pairs}
    moved = []
    for i in sorted(only_a):
        k = bisect_left(pairs, (i, 0))
        place = pairs[k - 1][1] + 1 if k else 0  # where it would stand in B
        around = range(place - CROSSED, place + CROSSED + 1)
        near = [j for j in around if j in only_b and b.tokens[j] == a.tokens[i]]
        if near:
            moved.append((i, min(near, key=lambda j: abs(j - place))))
            only_a.remove(i)
            only_b.remove(moved[-1][1])
    return Match(pairs, moved, sorted(only_a), sorted(only_b))


def _lag(x: Keys, times_x: Sequence[int], y: Keys, times_y: Sequence[int]) -> int:
    """Return by how many frames the most of all that is the same is later."""
    at: dict[Hashable, tuple[list[int], list[int]]] = {}
    for k, keys, times in ((0, x, times_x), (1, y, times_y)):
        for key, time in zip(keys, times, strict=True):
            at.setdefault(key, ([], []))[k].append(time)
    lags: Counter[int] = Counter()
    for ours, theirs in at.values():
        if len(ours) * len(theirs) <= COMPARED:
            lags.update(np.subtract.outer(theirs, ours).ravel().tolist())
    return min(lags, key=lambda lag: (-lags[lag], abs(lag), lag), default=0)


def _both(times: Sequence[int], keys: Keys) -> Keys:
    return list(zip(times, keys, strict=True))


def refined(pairs: Pairs, x: Keys, y: Keys, *, whole: bool = False) -> Pairs:
    """Pair what has the same key, in order, between those that are paired.

    Parameters: ``whole``: only where all between two of them has the same.
    """
    more: Pairs = []
    for (i, j), (k, p) in pairwise([(-1, -1), *pairs, (len(x), len(y))]):
        ours, theirs = x[i + 1 : k], y[j + 1 : p]
        if ours and theirs and (not whole or ours == theirs):
            more += ((i + 1 + s, j + 1 + t) for s, t in common(ours, theirs))
    return sorted(pairs + more)


def common(x: Keys, y: Keys) -> Pairs:
    """Find a long common subsequence: the longest blocks in common first."""
    blocks = SequenceMatcher(None, x, y).get_matching_blocks()
    return [(i + k, j + k) for i, j, size in blocks for k in range(size)]
