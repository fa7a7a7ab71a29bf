"""Pairs of a query and a triangle, and how they are listed."""

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.intp]
Pairs = tuple[Longs, Longs]  # (K,) rows of a query, and (K,) triangles to try on them


def unique(pairs: Pairs, n: int) -> Pairs:
    """Sort pairs, of n triangles, by query and triangle; drop repeated ones."""
    code = np.unique(pairs[0] * n + pairs[1])
    return code // n, code % n


def without(pairs: Pairs, others: Pairs, n: int) -> Pairs:
    """Drop the pairs that are among others."""
    fresh = ~np.isin(pairs[0] * n + pairs[1], others[0] * n + others[1])
    return pairs[0][fresh], pairs[1][fresh]


def joined(*lists: Pairs) -> Pairs:
    """Put lists of pairs one after another."""
    queries, triangles = zip(*lists, strict=True)
    return np.concatenate(queries), np.concatenate(triangles)


def spread(first: Longs, count: Longs) -> Pairs:
    """Count up from every first: the row that it is of, and the number."""
    row = np.repeat(np.arange(len(first)), count)
    before = np.cumsum(count) - count
    return row, np.arange(len(row)) - before[row] + first[row]
