"""What pairs carry from frame to frame, as rows: read, written, held against bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import floats, ints
from sim.kernels import trajectory as kernel
from sim.kernels.overlap.polytope import FREE
from sim.result.answer import Numbers
from sim.result.answers import REGIMES, PairAnswers, grown
from sim.result.state import PairState
from sim.tracking.buffers import POLYTOPE_ROOM
from sim.tracking.fallback import corner_of

Ids = NDArray[np.int32]
# What an overlap remembers beside its state, one after the other: 1 where B comes
# first, the simplex, the polytope (its lists as ``trajectory.copy_hull`` has them).
SIMPLEX = slice(1, 10)
FILLED = slice(10, 13)
LISTS = 13  # where they begin


class Memory:
    """What pairs carry from one frame to the next; see ``kernels.trajectory``.

    Parameters: ``share``: so many ids of the pool are for each row; 0: the lists of
    the rows lie one after the other in a pool that begins with ``room``.
    """

    def __init__(self, rows: int, room: int, share: int = 0) -> None:
        self.ids = np.zeros((max(rows, 1), kernel.IDS), np.int32)
        self.normals = np.zeros((max(rows, 1), 3))
        self.pool = np.empty(max(room, rows * share, 1), np.int32)
        self.used = 0  # of the pool
        self._share = share
        self._laid: tuple[object, Any] = None, None  # a pool, and the view with it

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_laid": (None, None)}  # the view is of this memory

    def laid_out(self) -> kernel.PairMemory:
        """View the memory as the kernels do."""
        if self._laid[0] is not self.pool:
            views = ints(self.ids), floats(self.normals), ints(self.pool)
            self._laid = self.pool, kernel.PairMemory(*views, len(self.pool))
        laid: kernel.PairMemory = self._laid[1]
        return laid

    def begin_at(
        self, row: int, swapped: bool, regime: str, corner: Numbers | None
    ) -> Ids:
        """Remember order, regime and the corner of an answer alone; return the ids."""
        ids: Ids = self.ids[row]
        ids[:] = self.normals[row] = 0
        ids[kernel.LAST] = -1
        ids[kernel.REGIME], ids[kernel.SWAPPED] = REGIMES.index(regime), swapped
        if corner is not None and corner.labels:
            ids[kernel.LAST : kernel.LAST + 4] = corner_of(corner, swapped)
        return ids

    def begin(self, row: int, state: PairState, overlap: Ids | None = None) -> None:
        """Remember of a pair what decides the next frame, and no ids that save work."""
        n, swapped = state.numbers, state.mesh_a.n_vertices > state.mesh_b.n_vertices
        if overlap is not None:
            swapped = bool(overlap[0])
        ids = self.begin_at(row, swapped, state.regime, n)
        self.normals[row] = -np.array(n.normal) if swapped else n.normal
        ids[kernel.BY_HULL] = n.proof == "epa"  # then this axis is kept among equals
        if overlap is not None:
            self._put_overlap(row, overlap)

    def _put_overlap(self, row: int, overlap: Ids) -> None:
        self.ids[row, kernel.SIMPLEX : kernel.LAST] = overlap[SIMPLEX]
        self.ids[row, kernel.HULL : kernel.HULL + 3] = overlap[FILLED]
        self._put(row, overlap[LISTS:])

    def take(self, row: int, other: Memory, k: int) -> None:
        """Remember all that a row of another memory does."""
        self.ids[row], self.normals[row] = other.ids[k], other.normals[k]
        begin, _, end = other._lists(k)
        self._put(row, other.pool[begin:end])

    def _put(self, row: int, lists: Ids) -> None:
        at = row * self._share or self.used
        self.ids[row, kernel.POOL_AT], end = at, at + len(lists)
        if not self._share:
            self.pool, self.used = grown(self.pool, end), end
        self.pool[at:end] = lists

    def _lists(self, row: int) -> tuple[int, int, int]:
        """Return where the lists of a pair begin, its polytope's, and the end."""
        ids = self.ids[row].tolist()
        begin = at = ids[kernel.POOL_AT]
        if ids[kernel.KNOWN] == 1:
            for part in (kernel.PART_A, kernel.PART_B):
                at += sum(ids[part : part + 3])
        v, t = ids[kernel.HULL : kernel.HULL + 2]
        return begin, at, at + (2 * v + 7 * t if v else 0)

    def vouched(self, answers: PairAnswers) -> Memory:
        """Return what decides the next frame of these pairs, and no ids that save work.

        Of overlaps no more than these bodies can have remembered.
        """
        total, memory = len(answers), Memory(len(answers), 0)
        kept = kernel.SWAPPED, kernel.BY_HULL, *range(kernel.LAST, kernel.LAST + 4)
        memory.ids[:total, kept] = self.ids[:total, kept]
        memory.ids[:total, kernel.REGIME] = answers.regimes
        memory.normals[:total] = self.normals[:total]
        for k in np.flatnonzero(self.ids[:total, kernel.HULL]).tolist():
            sizes = [answers.editions[i].mesh.n_vertices for i in answers.ends[k]]
            overlap = self.overlap(k)
            if overlap is not None and is_of(overlap, (sizes[0], sizes[1])):
                memory._put_overlap(k, overlap)
        return memory

    def is_swapped(self, row: int) -> bool:
        """Say whether the kernels take B first."""
        return bool(self.ids[row, kernel.SWAPPED])

    def overlap(self, row: int) -> Ids | None:
        """Return what a pair remembers of an overlap; None where it has no polytope."""
        own, (_, begin, end) = self.ids[row], self._lists(row)
        if begin == end:
            return None
        filled = own[kernel.HULL : kernel.HULL + 3]
        kept = own[kernel.SWAPPED, None], own[kernel.SIMPLEX : kernel.LAST], filled
        return np.concatenate([*kept, self.pool[begin:end]])

    def overlaps(self, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Ids]:
        """Return what the overlaps among these pairs remember, a row each."""
        rows = np.flatnonzero(self.ids[: len(pairs), kernel.HULL]).tolist()
        return {pairs[k]: ids for k in rows if (ids := self.overlap(k)) is not None}


Left = tuple[Memory, int]  # what another tracker left: a memory and a row of it


def left_by(state: PairState, overlap: Ids | None) -> Left:
    """Return what a state leaves, and an overlap if its bodies can have left that."""
    memory, sizes = Memory(1, 0), (state.mesh_a.n_vertices, state.mesh_b.n_vertices)
    known = overlap is not None and is_of(overlap, sizes)
    memory.begin(0, state, overlap if known else None)
    return memory, 0


def is_of(overlap: Ids, sizes: tuple[int, int]) -> bool:
    """Say whether bodies of so many vertices can have left this: a closed polytope."""
    first, second = sizes[::-1] if len(overlap) and overlap[0] == 1 else sizes
    if len(overlap) < LISTS or overlap[0] not in (0, 1):
        return False
    count, v, t = int(overlap[1]), int(overlap[10]), int(overlap[11])
    fits = 0 <= count <= 4 and 4 <= v <= POLYTOPE_ROOM and 4 <= t <= 3 * POLYTOPE_ROOM
    if not (fits and overlap[12] in (0, 1) and len(overlap) == LISTS + 2 * v + 7 * t):
        return False
    ids, corners, across, state = np.split(
        overlap[LISTS:], [2 * v, 2 * v + 3 * t, 2 * v + 6 * t]
    )
    sides = overlap[2 : 2 + count], overlap[6 : 6 + count], ids[::2], ids[1::2]
    most = first, second, first, second, v, t, 4
    ranges = zip((*sides, corners, across, state), most, strict=True)
    if not all(((own >= 0) & (own < total)).all() for own, total in ranges):
        return False
    faces = np.flatnonzero(state != FREE)
    tail = corners.reshape(-1, 3)[faces].astype(np.int64)
    tip = tail[:, [1, 2, 0]]
    out, back = (tail * v + tip).ravel(), (tip * v + tail).ravel()
    order = np.argsort(out)
    at = np.searchsorted(out[order], back).clip(max=len(out) - 1)
    beyond = np.repeat(faces, 3)[order[at]]
    closed = np.unique(out).size == out.size and (out[order[at]] == back).all()
    return bool(closed and (beyond == across.reshape(-1, 3)[faces].ravel()).all())
