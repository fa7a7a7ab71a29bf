"""The nearest pair of a search and all that are as near, named by their vertices."""

from math import sqrt

from sim.kernels.language import Ints, kernel
from sim.kernels.surface.hunt import (
    CROWDED,
    HERE_A,
    HERE_B,
    KEY,
    LEAF_A,
    LEAF_B,
    LIMIT,
    SQUARE,
    TIE,
    TIE_ROOM,
    TIES,
    Hunt,
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
def listed(hunt: Hunt, at: int) -> bool:
    """Say whether the pair written at a place is listed before it."""
    for k in range(hunt.counts[TIES]):
        if same_key(hunt.ties, KEY * k, hunt.ties, at):
            return True
    return False


@kernel
def compact(hunt: Hunt) -> None:
    """Drop the ties that are none any more."""
    kept = 0
    for k in range(hunt.counts[TIES]):
        if hunt.squares[k] <= hunt.state[LIMIT]:
            hunt.squares[kept] = hunt.squares[k]
            for i in range(KEY):
                hunt.ties[KEY * kept + i] = hunt.ties[KEY * k + i]
            kept += 1
    hunt.counts[TIES] = kept


@kernel
def take(
    square: float,
    one: tuple[int, int, int],
    other: tuple[int, int, int],
    flip: int,
    hunt: Hunt,
) -> None:
    """Take note of a pair at a squared distance; ``flip`` 1: B's ids come first.

    Of pairs at the same distance the one that is named first is kept, so the result
    does not depend on the order in which they come.
    """
    state = hunt.state
    counts = hunt.counts
    if not square <= state[LIMIT]:
        return
    if counts[TIES] == TIE_ROOM:
        compact(hunt)
    at = KEY * counts[TIES]
    at_one = at + 3 * flip
    at_other = at + 3 - 3 * flip
    hunt.ties[at_one] = one[0]
    hunt.ties[at_one + 1] = one[1]
    hunt.ties[at_one + 2] = one[2]
    hunt.ties[at_other] = other[0]
    hunt.ties[at_other + 1] = other[1]
    hunt.ties[at_other + 2] = other[2]
    if square < state[SQUARE] or (
        square == state[SQUARE] and comes_before(hunt.ties, at, hunt.best, 0)
    ):
        for k in range(KEY):
            hunt.best[k] = hunt.ties[at + k]
        counts[LEAF_A] = counts[HERE_A]
        counts[LEAF_B] = counts[HERE_B]
    if square < state[SQUARE]:
        state[SQUARE] = square
        d = sqrt(square) + state[TIE]
        state[LIMIT] = d * d
    if not listed(hunt, at):
        if counts[TIES] == TIE_ROOM:
            counts[CROWDED] = 1
        else:
            hunt.squares[counts[TIES]] = square
            counts[TIES] += 1
