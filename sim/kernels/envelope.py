"""Solve symmetric equations whose entries lie near the diagonal, in a fixed order."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, kernel


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
