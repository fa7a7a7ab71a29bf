"""Which region came from which: by the pairs of faces that two of them share."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.body.revisions import Renaming
from wingedge.edits import Maps

Ids = NDArray[np.int32]
Link = tuple[int, int, int]  # place before, place after, how many pairs they share


def links(before: Sequence[Ids], after: Sequence[Ids]) -> list[Link]:
    """List which sets of pairs of faces share how many, in ascending order.

    Parameters
    ----------
    before, after : sequences of (n, 2) int32
        The pairs of faces of every region, each pair once.
    """
    if not sum(map(len, before)) or not sum(map(len, after)):
        return []
    old, new = _keys(before), _keys(after)
    owner_old = np.repeat(np.arange(len(before)), [len(pairs) for pairs in before])
    owner_new = np.repeat(np.arange(len(after)), [len(pairs) for pairs in after])
    order = np.argsort(old, kind="stable")
    old, owner_old = old[order], owner_old[order]
    first = np.searchsorted(old, new, "left")
    shared = np.searchsorted(old, new, "right") - first
    found = []
    # One face of a polygon that left its plane may meet another in two regions.
    for k in range(int(shared.max())):
        some = shared > k
        found.append(owner_old[first[some] + k] * len(after) + owner_new[some])
    if not found:
        return []
    which, count = np.unique(np.concatenate(found), return_counts=True)
    return [
        (*divmod(w, len(after)), n)
        for w, n in zip(which.tolist(), count.tolist(), strict=True)
    ]


def identities(
    known: Sequence[int], before: Sequence[Ids], after: Sequence[Ids], fresh: int
) -> tuple[list[int], int]:
    """Give every region an identity; return them and the next that is free.

    A region keeps the oldest identity among those that it shares a pair of faces with.
    Where several would keep one, the one that shares most of its pairs does, the first
    of equals; the others keep their next oldest, or are new.

    Parameters
    ----------
    known : sequence of int
        Identities of the regions before.
    before, after : sequences of (n, 2) int32
        The pairs of faces of every region then and now.
    fresh : int
        The next identity that nothing ever had.
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


def in_old_names(faces: Ids, maps: Renaming) -> Ids:
    """Call pairs of faces what they were before the meshes were edited.

    A piece of a face is what it is a piece of; a face that several were joined to is
    all of these.
    """
    if maps == (None, None):
        return faces
    for column, table in enumerate(maps):
        if table is not None:
            faces = _in_old_names(faces, column, table)
    return np.unique(faces, axis=0)


def _in_old_names(pairs: Ids, column: int, maps: Maps) -> Ids:
    named = pairs.copy()
    named[:, column] = maps.parents.face[pairs[:, column]]
    found = [named]
    old = np.flatnonzero(maps.face >= 0)
    for face in old[maps.parents.face[maps.face[old]] != old].tolist():
        joined = pairs[pairs[:, column] == maps.face[face]]
        joined[:, column] = face
        found.append(joined)
    return np.concatenate(found)


def _keys(regions: Sequence[Ids]) -> NDArray[np.int64]:
    pairs = np.concatenate(regions).astype(np.int64)
    keys: NDArray[np.int64] = (pairs[:, 0] << 32) + pairs[:, 1]
    return keys
