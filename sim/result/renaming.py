"""What the names of an answer mean when a body has another mesh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sim.body.revisions import MeshRevision, maps_between
from sim.result.answer import Numbers
from sim.result.state import PairState
from wingedge.maps import Maps
from wingedge.tables import ranges

Ids = NDArray[np.int32]
Link = tuple[int, int, int]  # place before, place after, how many pairs they share
Find = Callable[[int, tuple[int, ...]], tuple[int, ...]]  # dimension, parts: new ones


def links(before: Sequence[Ids], after: Sequence[Ids]) -> list[Link]:
    """List which sets of pairs of faces share how many, in ascending order.

    Parameters: ``before``, ``after`` sequences of (n, 2) int32: the pairs of faces of
    every region, each pair once.
    """
    if not (before and after):
        return []
    (old, owner), (new, heir) = _keys(before), _keys(after)
    order = np.argsort(old, kind="stable")
    first = np.searchsorted(old, new, "left", order)
    # More than one: a face of a polygon that left its plane may meet another in two.
    shared = np.searchsorted(old, new, "right", order) - first
    owner = owner[order[ranges(first, shared)]]
    both = owner * len(after) + np.repeat(heir, shared)
    which, count = np.unique(both, return_counts=True)
    counts = zip(which.tolist(), count.tolist(), strict=True)
    return [(*divmod(w, len(after)), n) for w, n in counts]


def identities(
    known: Sequence[int], before: Sequence[Ids], after: Sequence[Ids], fresh: int
) -> tuple[list[int], int]:
    """Give every region an identity; return them and the next that is free.

    A region keeps the oldest identity among those that it shares a pair of faces with.
    Where several would keep one, the one that shares most of its pairs does, the first
    of equals; the others keep their next oldest, or are new.

    Parameters: ``known``: identities of the regions before; ``before``, ``after``
    sequences of (n, 2) int32: the pairs of faces of every region then and now;
    ``fresh``: the next identity that nothing ever had.
    """
    named = [-1] * len(after)
    related = links(before, after)
    for i in sorted(range(len(known)), key=lambda k: known[k]):
        heirs = [(-n, j) for k, j, n in related if k == i and named[j] < 0]
        if heirs:
            named[min(heirs)[1]] = known[i]
    for j, identity in enumerate(named):
        if identity < 0:
            named[j] = fresh
            fresh += 1
    return named, fresh


def _keys(regions: Sequence[Ids]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of faces as one number each, and whose they are."""
    pairs = np.concatenate(regions).astype(np.int64)
    owner = np.repeat(np.arange(len(regions)), [len(own) for own in regions])
    return (pairs[:, 0] << 32) + pairs[:, 1], owner


def renamed(
    state: PairState | None, editions: tuple[MeshRevision, MeshRevision] | None = None
) -> PairState | None:
    """Return a state in the names of later editions, or else of today.

    None where one of its features is gone; corners of the patch with a feature that is
    gone are left out, and so are all regions.
    """
    if state is None:
        return None
    now = (state.a.edition, state.b.edition) if editions is None else editions
    if now == state.editions:
        return state
    a, b = (maps_between(*pair) for pair in zip(state.editions, now, strict=True))
    numbers = refound(state.numbers, partial(_kept, a), partial(_kept, b))
    if numbers is None:
        return None
    return PairState.of(
        numbers, state.regime, state.frame, state.a, state.b, now, hulls=state.hulls
    )


def refound(numbers: Numbers, find_a: Find, find_b: Find) -> Numbers | None:
    """Return an answer whose parts have other numbers; None where one side has none.

    Corners of the patch on a part that has none are left out.
    """
    parts_a = find_a(numbers.dimension_a, numbers.parts_a)
    parts_b = find_b(numbers.dimension_b, numbers.parts_b)
    if not parts_a or not parts_b:
        return None
    corners: list[float] = []
    labels: list[int] = []
    for k in range(len(numbers.labels) // 4):
        i, j, p, q = numbers.labels[4 * k : 4 * k + 4]
        on_a, on_b = find_a(i, (j,)), find_b(p, (q,))
        if on_a and on_b:
            corners += numbers.corners[6 * k : 6 * k + 6]
            labels += (i, on_a[0], p, on_b[0])
    return numbers._replace(
        parts_a=parts_a, parts_b=parts_b, corners=tuple(corners), labels=tuple(labels)
    )


def _kept(maps: Maps | None, dimension: int, parts: Sequence[int]) -> tuple[int, ...]:
    """Return the new numbers of what is not gone, ascending."""
    if maps is None:
        return tuple(parts)
    table = (maps.vertex, maps.edge, maps.face)[dimension]
    # A lid of the hull, numbered beyond the mesh, is gone with the mesh it closed.
    numbers = (int(table[part]) for part in parts if part < len(table))
    return tuple(sorted({number for number in numbers if number >= 0}))
