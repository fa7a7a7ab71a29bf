"""Symmetric equations whose entries lie near the diagonal: added up, and solved."""

from typing import TYPE_CHECKING, Any, NamedTuple

from sim.kernels.language import Floats, Ints, Later, kernel, stands_for

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")


class Envelope(NamedTuple):
    """The lower half of a symmetric matrix, row by row from its first entry on.

    Entry (i, j), first[i] <= j <= i, is ``entries[base[i] + j]``.
    """

    size: int
    first: Ints  # of every row, the column of its first entry
    base: Ints
    entries: Floats  # written: the factors
    values: Floats  # the right side in, the solution out


@kernel
def solve_envelope(e: Envelope) -> int:
    """Factor as L D L' and solve (Jennings 1966, without square roots).

    Returns -1, or the row of the first pivot that is not above 0: the matrix is not
    positive definite, and nothing is solved.  Cost: O(n w^2), w entries a row.
    """
    first = e.first
    base = e.base
    m = e.entries
    x = e.values
    for i in range(e.size):
        row = base[i]
        start = first[i]
        for j in range(start, i):
            other = base[j]
            total = m[row + j]
            for k in range(max(start, first[j]), j):
                total -= m[row + k] * m[other + k]
            m[row + j] = total
        pivot = m[row + i]
        for j in range(start, i):
            scaled = m[row + j] / m[base[j] + j]
            pivot -= m[row + j] * scaled
            m[row + j] = scaled
        if not pivot > 0.0:
            return i
        m[row + i] = pivot
    for i in range(e.size):
        total = x[i]
        for j in range(first[i], i):
            total -= m[base[i] + j] * x[j]
        x[i] = total
    for i in range(e.size):
        x[i] /= m[base[i] + i]
    for k in range(e.size):
        i = e.size - 1 - k
        for j in range(first[i], i):
            x[j] -= m[base[i] + j] * x[i]
    return -1


class Blocks(NamedTuple):
    """Blocks m_ij x_k y_l, 12 by 12, N of them, row (i, k) and column (j, l)."""

    total: int  # N
    m: Floats  # 9 N
    x: Floats  # 4 N
    y: Floats  # 4 N
    at: Ints  # N, to which sum each is added
    turned: Ints  # N, 1 where rows and columns are exchanged
    sums: Floats  # 144 a sum, added to


@kernel
def add_blocks_each(b: Blocks) -> int:
    """Add blocks up, one after the other; return how many there are."""
    for n in range(b.total):
        for i in range(3):
            for k in range(4):
                for j in range(3):
                    part = b.m[9 * n + 3 * i + j] * b.x[4 * n + k]
                    for e in range(4):
                        row = 4 * i + k
                        column = 4 * j + e
                        if b.turned[n] == 1:
                            row = 4 * j + e
                            column = 4 * i + k
                        b.sums[144 * b.at[n] + 12 * row + column] += (
                            part * b.y[4 * n + e]
                        )
    return b.total


@stands_for(add_blocks_each)
def add_blocks(b: Blocks) -> int:
    """Add them up by elementwise numpy."""
    m: Any = np.asarray(b.m).reshape(-1, 3, 1, 3, 1)
    x: Any = np.asarray(b.x).reshape(-1, 1, 4, 1, 1)
    y: Any = np.asarray(b.y).reshape(-1, 1, 1, 1, 4)
    block = (m * x * y).reshape(-1, 12, 12)
    turned = np.asarray(b.turned) == 1
    block[turned] = block[turned].transpose(0, 2, 1)
    sums: Any = np.asarray(b.sums).reshape(-1, 144)
    # unlike ``sum``, bincount adds one after the other, to what was there at first
    at = (np.asarray(b.at)[:, None] * 144 + np.arange(144)).ravel()
    at = np.concatenate([np.arange(sums.size), at])
    added = np.concatenate([sums.ravel(), block.ravel()])
    sums[...] = np.bincount(at, added, sums.size).reshape(sums.shape)
    return b.total


@kernel
def sum_blocks(b: Blocks) -> int:
    """Add blocks up, by either engine."""
    return add_blocks(b)
