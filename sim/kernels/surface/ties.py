"""The nearest pair of a search and all that are as near, named by their vertices."""

from math import sqrt

from sim.kernels.language import Ints, kernel
from sim.kernels.workspace import FRESH, KEPT, KEY, TIE_ROOM, TreeSearch

Key = tuple[int, int, int]
"""Up to three vertices that name a feature of one side, else -1."""


@kernel
def key_of(keys: Ints, at: int) -> Key:
    """Return the vertices that name one side of a pair."""
    return (keys[at], keys[at + 1], keys[at + 2])


@kernel
def pair_of(keys: Ints, at: int) -> tuple[Key, Key]:
    """Return the vertices that name a pair."""
    return key_of(keys, at), key_of(keys, at + 3)


@kernel
def put_key(keys: Ints, at: int, ids: Key) -> None:
    """Write the vertices that name one side of a pair."""
    keys[at] = ids[0]
    keys[at + 1] = ids[1]
    keys[at + 2] = ids[2]


@kernel
def feature(ids: Key) -> int:
    """Return how many vertices name a feature."""
    if ids[1] < 0:
        return 1
    return 2 if ids[2] < 0 else 3


@kernel
def on_segment(tail: int, tip: int, s: float) -> Key:
    """Return what of a segment a parameter along it means: an end, or all of it."""
    if s <= 0.0:
        return (tail, -1, -1)
    return (tip, -1, -1) if s >= 1.0 else (tail, tip, -1)


@kernel
def comes_before(key: Ints, i: int, other: Ints, j: int) -> bool:
    """Compare two names of pairs, number by number."""
    for k in range(KEY):
        if key[i + k] != other[j + k]:
            return key[i + k] < other[j + k]
    return False


@kernel
def drop_stale(search: TreeSearch) -> None:
    """Drop the ties that a nearer pair has made stale."""
    kept = 0
    for k in range(search.state.ties):
        if search.squares[k] <= search.state.limit:
            if kept < k:
                copy_tie(search, k, kept)
            kept += 1
    search.state.ties = kept


@kernel
def copy_tie(search: TreeSearch, k: int, to: int) -> None:
    """Copy the k-th tie to another place of the list."""
    search.squares[to] = search.squares[k]
    search.away[to] = search.away[k]
    for i in range(KEY):
        search.ties[KEY * to + i] = search.ties[KEY * k + i]


@kernel
def take_tie(search: TreeSearch, k: int) -> None:
    """Take the k-th tie for the best pair; of -1 none, which comes before all."""
    for i in range(KEY):
        search.best[i] = search.ties[KEY * k + i] if k >= 0 else -1


@kernel
def crowded(search: TreeSearch) -> bool:
    """Say whether more pairs are equally near than the list has room for."""
    return search.state.left_out <= search.state.limit


@kernel
def held(kept: Ints, begin: int, keys: Ints, at: int) -> int:
    """Say how much of a feature belongs to a part to stay at: 2 all, 1 some, 0 none."""
    some = 0
    every = 2
    for k in range(at, at + 3):
        if keys[k] >= 0:
            found = 0
            for i in range(begin, begin + KEPT):
                if keys[k] == kept[i]:
                    found = 1
            some = max(some, found)
            every = every if found == 1 else 0
    return max(some, every)


@kernel
def fits(search: TreeSearch, keys: Ints, at: int) -> int:
    """Say how much of a pair belongs to the parts to stay at, by the lesser side."""
    if search.state.told == 0 or search.kept[0] < 0:
        return 0
    on_a = held(search.kept, 0, keys, at)
    return min(on_a, held(search.kept, KEPT, keys, at + 3))


@kernel
def enlist(search: TreeSearch) -> None:
    """List the new pair among the ties, in the order of their names.

    A full list leaves out what is not at the parts to stay at, of these the farther, of
    these the last by name, and notes how near it was: what it holds and whether it was
    too short depend on the pairs alone, not on the order in which they came.
    """
    state = search.state
    ties = search.ties
    if state.ties == TIE_ROOM:
        drop_stale(search)
    k = state.ties
    while k > 0 and comes_before(ties, KEY * FRESH, ties, KEY * (k - 1)):
        k -= 1
    if k > 0 and not comes_before(ties, KEY * (k - 1), ties, KEY * FRESH):
        return
    search.away[FRESH] = 1 if fits(search, ties, KEY * FRESH) == 0 else 0
    for m in range(state.ties - k):
        copy_tie(search, state.ties - 1 - m, state.ties - m)
    copy_tie(search, FRESH, k)
    state.ties += 1
    if state.ties > TIE_ROOM:
        last = 0
        for m in range(1, state.ties):
            off = search.away[m] - search.away[last]
            if off > 0 or (off == 0 and search.squares[m] >= search.squares[last]):
                last = m
        state.left_out = min(state.left_out, search.squares[last])
        state.ties = TIE_ROOM
        for m in range(last, TIE_ROOM):
            copy_tie(search, m + 1, m)


@kernel
def take(square: float, one: Key, other: Key, flip: int, search: TreeSearch) -> None:
    """Take note of a pair at a squared distance; ``flip`` 1: B's ids come first.

    Of pairs at the same distance the one that is named first is kept, so the result
    does not depend on the order in which they come.
    """
    state = search.state
    if not square <= state.limit:
        return
    search.squares[FRESH] = square
    put_key(search.ties, KEY * FRESH + 3 * flip, one)
    put_key(search.ties, KEY * FRESH + 3 - 3 * flip, other)
    if square < state.square or (
        square == state.square
        and comes_before(search.ties, KEY * FRESH, search.best, 0)
    ):
        take_tie(search, FRESH)
        state.leaf_a = state.here_a
        state.leaf_b = state.here_b
    if square < state.square:
        state.square = square
        d = sqrt(square) + state.tie
        state.limit = d * d
    enlist(search)
