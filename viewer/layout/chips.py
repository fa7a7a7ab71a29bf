"""Where small numbers go: on what they number, or as near to it as there is room."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = np.array([17.0, 25.0, 34.0, 46.0, 60.0])  # pixels from the anchor
_ANGLES = np.arange(16) * (2 * np.pi / 16)
_LATER = 6.0  # pixels that a second choice of anchor costs
_COVERED = 1e3


def settle(
    anchors: Sequence[Floats],
    radius: float,
    size: tuple[int, int],
    taken: Floats,
    *,
    scale: float = 1.0,
    beside: bool = False,
) -> tuple[Floats, Floats]:
    """Place discs one after the other, each at its cheapest free spot.

    Parameters
    ----------
    anchors : sequence of (k, 2) arrays
        For each disc the pixels that it may number, the best first.
    radius : float
        Of a disc, in pixels of the finished picture.
    size : (width, height)
        Of the picture, in drawn pixels.
    taken : (m, 3)
        Discs to keep clear of: x, y, radius, in drawn pixels.
    scale : float
        Drawn pixels per pixel of the finished picture.
    beside : bool
        Never on an anchor itself, always beside it.

    Returns
    -------
    (n, 2), (n, 2)
        The middles of the discs, and the anchor of each.
    """
    r = radius * scale
    toward = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=-1)
    ring = (_STEPS[:, None, None] * scale * toward).reshape(-1, 2)
    offsets = ring if beside else np.concatenate([np.zeros((1, 2)), ring])
    away = np.sqrt((offsets * offsets).sum(axis=1)) / scale
    middles = np.empty((len(anchors), 2))
    chosen = np.empty((len(anchors), 2))
    for k, own in enumerate(anchors):
        spots = (own[:, None] + offsets).reshape(-1, 2)
        cost = (_LATER * np.arange(len(own))[:, None] + away).ravel()
        gaps = spots[:, None] - taken[None, :, :2]
        apart = np.sqrt((gaps * gaps).sum(axis=-1)) - taken[None, :, 2] - r
        cost = cost + _COVERED * np.maximum(0.0, 2.0 * scale - apart).sum(axis=1)
        outside = (spots < r) | (spots > np.array(size) - r)
        cost += 100 * _COVERED * outside.any(axis=1)
        best = int(np.argmin(cost))
        middles[k] = spots[best]
        chosen[k] = own[best // len(offsets)]
        taken = np.concatenate([taken, [[*middles[k], r]]])
    return middles, chosen
