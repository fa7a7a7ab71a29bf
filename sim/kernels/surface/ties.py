"""The nearest pair of a search and all that are as near, named by their vertices."""

from math import sqrt

from sim.kernels.language import Ints, kernel
from sim.kernels.surface.boxes import (
    HERE_A,
    HERE_B,
    KEY,
    LAST,
    LEAF_A,
    LEAF_B,
    LEFT_OUT,
    LIMIT,
    SQUARE,
    TIE,
    TIE_ROOM,
    TIES,
    TreeSearch,
)


@kernel
def comes_before(key: Ints, i: int, other: Ints, j: int) -> bool:
    """Compare two names of pairs, number by number."""
    for k in range(KEY):
        if key[i + k] != other[j + k]:
            return key[i + k] < other[j + k]
    return False


@kernel
def same_key(key: Ints, i: int, other: Ints, j: int) -> bool:
    """Say whether two names of pairs are equal."""
    for k in range(KEY):
        if key[i + k] != other[j + k]:
            return False
    return True


@kernel
def listed(search: TreeSearch, at: int) -> bool:
    """Say whether the pair written at a place is listed before it."""
    for k in range(search.counts[TIES]):
        if same_key(search.ties, KEY * k, search.ties, at):
            return True
    return False


@kernel
def drop_stale(search: TreeSearch) -> None:
    """Drop the ties that a nearer pair has made stale."""
    kept = 0
    for k in range(search.counts[TIES]):
        if search.squares[k] <= search.state[LIMIT]:
            search.squares[kept] = search.squares[k]
            copy_key(search, k, kept)
            kept += 1
    search.counts[TIES] = kept


@kernel
def copy_key(search: TreeSearch, k: int, to: int) -> None:
    """Copy the name of the k-th tie to another place of the list."""
    for i in range(KEY):
        search.ties[KEY * to + i] = search.ties[KEY * k + i]


@kernel
def crowded(search: TreeSearch) -> bool:
    """Say whether more pairs are equally near than the list has room for."""
    return search.state[LEFT_OUT] <= search.state[LIMIT]


@kernel
def last_of(search: TreeSearch) -> int:
    """Return which tie comes last: the farthest, of equals the one named last."""
    last = 0
    for k in range(1, search.counts[TIES]):
        farther = search.squares[k] > search.squares[last]
        equal = search.squares[k] == search.squares[last]
        if farther or (
            equal and comes_before(search.ties, KEY * last, search.ties, KEY * k)
        ):
            last = k
    return last


@kernel
def enlist(square: float, search: TreeSearch) -> None:
    """List the pair whose name is written behind the ties.

    A full list keeps the pairs that come first, and notes how near one was left out:
    what it holds and whether it was too short depend on the pairs alone, not on the
    order in which they came.
    """
    counts = search.counts
    place = counts[TIES]
    if place < TIE_ROOM:
        counts[TIES] = place + 1
    else:
        place = counts[LAST]
        state = search.state
        state[LEFT_OUT] = min(state[LEFT_OUT], search.squares[place])
        copy_key(search, TIE_ROOM, place)
    search.squares[place] = square
    if counts[TIES] == TIE_ROOM:
        counts[LAST] = last_of(search)


@kernel
def take(
    square: float,
    one: tuple[int, int, int],
    other: tuple[int, int, int],
    flip: int,
    search: TreeSearch,
) -> None:
    """Take note of a pair at a squared distance; ``flip`` 1: B's ids come first.

    Of pairs at the same distance the one that is named first is kept, so the result
    does not depend on the order in which they come.
    """
    state = search.state
    counts = search.counts
    if not square <= state[LIMIT]:
        return
    if counts[TIES] == TIE_ROOM and search.squares[counts[LAST]] > state[LIMIT]:
        drop_stale(search)
    at = KEY * counts[TIES]
    at_one = at + 3 * flip
    at_other = at + 3 - 3 * flip
    search.ties[at_one] = one[0]
    search.ties[at_one + 1] = one[1]
    search.ties[at_one + 2] = one[2]
    search.ties[at_other] = other[0]
    search.ties[at_other + 1] = other[1]
    search.ties[at_other + 2] = other[2]
    if square < state[SQUARE] or (
        square == state[SQUARE] and comes_before(search.ties, at, search.best, 0)
    ):
        for k in range(KEY):
            search.best[k] = search.ties[at + k]
        counts[LEAF_A] = counts[HERE_A]
        counts[LEAF_B] = counts[HERE_B]
    if square < state[SQUARE]:
        state[SQUARE] = square
        d = sqrt(square) + state[TIE]
        state[LIMIT] = d * d
    if counts[TIES] == TIE_ROOM:
        last = counts[LAST]
        most = search.squares[last]
        if square > most or (
            square == most and comes_before(search.ties, KEY * last, search.ties, at)
        ):
            state[LEFT_OUT] = min(state[LEFT_OUT], square)
            return
    if not listed(search, at):
        enlist(square, search)
