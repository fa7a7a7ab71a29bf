"""Which nodes of a graph hang together."""

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]


def connected(n: int, one: NDArray[np.integer], two: NDArray[np.integer]) -> Longs:
    """Label the connected parts of ``n`` nodes linked in pairs, by their lowest node.

    Returns (n,) the part of every node.  Cost: a few passes over the links (Shiloach
    and Vishkin); importing scipy for it would take longer than most meshes do.
    """
    label = np.arange(n)
    a, b = np.asarray(one, np.int64), np.asarray(two, np.int64)
    while len(a):
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while (label != (jumped := label[label])).any():
            label = jumped
        a, b = label[a], label[b]
        a, b = a[a != b], b[a != b]
    return np.unique(label, return_inverse=True)[1].reshape(n)
