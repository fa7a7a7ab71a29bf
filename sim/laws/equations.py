"""The equations of one Newton step: gradients and curvatures of all bodies, solved."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import Bound, floats, ints
from sim.kernels.envelope import Blocks, Envelope, solve_envelope, sum_blocks
from sim.laws.contacts import Pull
from sim.laws.shapes import applied

Array = NDArray[np.float64]
Ids = NDArray[np.intp]
SIZE = 12  # unknowns a body


def summed(index: Ids, values: Array, count: int) -> Array:
    """Add up rows that have the same index, one after the other, (count, ...)."""
    rest = values.shape[1:]
    width = int(np.prod(rest))
    at = (index[:, None] * width + np.arange(width)).ravel()
    total = np.bincount(at, values.ravel(), count * width)
    return total.astype(np.float64, copy=False).reshape(count, *rest)


def gradient_of(pulls: Sequence[Pull], bodies: int) -> Array:
    """Return the derivatives by the maps of all bodies, (B, 3, 4)."""
    total = np.zeros((bodies, 3, 4))
    for p in pulls:
        total += summed(p.a, p.at_a[:, :, None] * p.x[:, None, :], bodies)
        total += summed(p.b, p.at_b[:, :, None] * p.y[:, None, :], bodies)
    return total


def carried(pulls: Sequence[Pull], step: Array) -> Array:
    """Return by how much the gradient changes, to first order, with a step of maps."""
    changes = []
    for p in pulls:
        dx, dy = applied(step[p.a], p.x), applied(step[p.b], p.y)
        at_a = applied(p.aa, dx) + applied(p.ab, dy)
        at_b = applied(p.ab.transpose(0, 2, 1), dx) + applied(p.bb, dy)
        changes.append(p._replace(at_a=at_a, at_b=at_b))
    return gradient_of(changes, len(step))


class Equations:
    """Assemble and solve for some of the bodies; the others do not move.

    Parameters: ``free`` (B,): which bodies are unknown.
    """

    def __init__(self, free: NDArray[np.bool_]) -> None:
        self.free = free
        self._solve, self._add = Bound(solve_envelope), Bound(sum_blocks)
        self._pairs: bytes = b"none yet"

    def step(self, own: Array, pulls: Sequence[Pull], gradient: Array) -> Array | None:
        """Return the step of all maps, (B, 3, 4), or None where there is no minimum.

        Parameters: ``own`` (B, 12, 12): the curvature of each body alone.
        """
        bodies = len(own)
        p = Pull(*(np.concatenate(columns) for columns in zip(*pulls, strict=True)))
        curved = np.zeros(own.shape)
        both = self.free[p.a] & self.free[p.b]
        low, high = np.minimum(p.a, p.b)[both], np.maximum(p.a, p.b)[both]
        keys, at = np.unique(low * bodies + high, return_inverse=True)
        across = np.zeros((len(keys), SIZE, SIZE))
        same = np.zeros(len(p.a))
        for m, x, y, to, turned, sums in (
            (p.aa, p.x, p.x, p.a, same, curved),
            (p.bb, p.y, p.y, p.b, same, curved),
            (p.ab[both], p.x[both], p.y[both], at, (p.a > p.b)[both], across),
        ):
            if len(m):
                block, k, e = (floats(np.ascontiguousarray(v)) for v in (m, x, y))
                into, swap = (ints(n.astype(np.int32)) for n in (to, turned))
                self._add(Blocks(len(m), block, k, e, into, swap, floats(sums)))
        own = own + curved
        if keys.tobytes() != self._pairs:
            self._lay_out(keys // bodies, keys % bodies, keys.tobytes())
        entries = np.zeros(self._length)
        free = np.flatnonzero(self.free)
        entries[self._own_at] = own[free][:, *np.tril_indices(SIZE)]
        across[~self._turned] = across[~self._turned].transpose(0, 2, 1)
        entries[self._across_at] = across
        values = np.empty((len(free), SIZE))
        values[self._slot[free]] = -gradient.reshape(-1, SIZE)[free]
        first, base = ints(self._first), ints(self._base)
        table = Envelope(values.size, first, base, floats(entries), floats(values))
        if self._solve(table) >= 0:
            return None
        step = np.zeros((bodies, 3, 4))
        step[free] = values[self._slot[free]].reshape(-1, 3, 4)
        return step

    def _lay_out(self, a: Ids, b: Ids, known: bytes) -> None:
        """Order the bodies so that those that touch are near; say what goes where."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        bodies, free = len(self.free), np.flatnonzero(self.free)
        place = np.full(bodies, -1)
        place[free] = np.arange(len(free))
        i, j = place[a], place[b]
        ones = np.ones(2 * len(i), np.int8)
        shape = len(free), len(free)
        ij = np.concatenate([i, j]), np.concatenate([j, i])
        graph = coo_array((ones, ij), shape=shape).tocsr()
        order = reverse_cuthill_mckee(graph, symmetric_mode=True)
        slot = np.empty(len(free), np.intp)
        slot[order] = np.arange(len(free))
        low, high = np.minimum(slot[i], slot[j]), np.maximum(slot[i], slot[j])
        first = np.arange(len(free))
        np.minimum.at(first, high, low)
        self._first = np.repeat(first * SIZE, SIZE).astype(np.int32)
        rows = np.arange(SIZE * len(free))
        ends = np.cumsum(rows - self._first + 1)
        self._length = int(ends[-1]) if len(ends) else 0
        self._base = (ends - rows - 1).astype(np.int32)
        self._slot = np.full(bodies, -1)
        self._slot[free] = slot
        down, right = np.tril_indices(SIZE)
        base = self._base.reshape(-1, SIZE)
        self._own_at = base[slot][:, down] + slot[:, None] * SIZE + right
        self._turned = slot[i] > slot[j]  # A stands lower in the matrix, as in ``ab``
        self._across_at = base[high][:, :, None] + (
            low[:, None, None] * SIZE + np.arange(SIZE)
        )
        self._pairs = known
