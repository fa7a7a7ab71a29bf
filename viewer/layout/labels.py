"""Where to write, so that no text covers another, a marker or itself; pure numpy."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_REACH = np.array([34.0, 52.0, 76.0, 104.0, 140.0, 190.0])  # pixels from the anchor
_ANGLES = np.arange(24) * (2 * np.pi / 24)
_FORBIDDEN = 1e4  # per text or marker that would be covered


class Request(NamedTuple):
    """One text to be placed."""

    size: tuple[float, float]  # pixels
    anchors: Floats  # (k, 2) pixels; where its leader may start
    prefer: Floats  # (2,) direction on the screen in which there is room; may be 0


class Place(NamedTuple):
    """Where a text goes."""

    box: Floats  # (4,) left, bottom, right, top
    anchor: Floats  # (2,) start of the leader
    end: Floats  # (2,) its end, on the box


def place(
    requests: list[Request],
    size: tuple[int, int],
    boxes: Floats,
    dots: Floats,
    *,
    scale: float = 1.0,
) -> list[Place]:
    """Place texts one after the other, each at the cheapest free spot.

    Parameters
    ----------
    requests : list of Request
        The most important first.
    size : (width, height)
        Of the picture, in pixels.
    boxes : (n, 4)
        Left, bottom, right, top of what is written already.
    dots : (m, 2)
        Pixels that no text may cover: markers.
    scale : float
        Pixels here per pixel of the finished picture.

    Notes
    -----
    Cost: anchors x 144 candidates x (boxes + dots) for each text, under a millisecond.
    """
    taken = boxes.reshape(-1, 4)
    marked = dots.reshape(-1, 2)
    placed = []
    for request in requests:
        found = _cheapest(request, size, taken, marked, scale)
        placed.append(found)
        taken = np.concatenate([taken, found.box[None]])
        t = np.linspace(0.0, 1.0, 8)[:, None]
        leader = (1 - t) * found.anchor + t * found.end
        marked = np.concatenate([marked, leader])
    return placed


def _cheapest(
    request: Request,
    size: tuple[int, int],
    taken: Floats,
    dots: Floats,
    scale: float,
) -> Place:
    width, height = request.size
    toward = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=-1)
    offset = (_REACH[:, None, None] * scale * toward).reshape(-1, 2)
    # the box hangs on the leader: its half extent is added in the leader's direction
    half = np.array([width, height]) / 2
    unit = np.tile(toward, (len(_REACH), 1))
    centre = request.anchors[:, None] + offset + unit * half
    anchor = np.broadcast_to(request.anchors[:, None], centre.shape).reshape(-1, 2)
    centre = centre.reshape(-1, 2)
    box = np.concatenate([centre - half, centre + half], axis=1)
    gap = 5.0 * scale
    cost = np.tile(np.repeat(_REACH, len(_ANGLES)), len(request.anchors)) * 0.6
    cost -= 60.0 * (np.tile(unit, (len(request.anchors), 1)) @ request.prefer)
    end = np.clip(anchor, box[:, :2], box[:, 2:])
    cost += _FORBIDDEN * _covered_boxes(box, taken, gap)
    cost += _FORBIDDEN * _crossed(anchor, end, taken)
    cost += 40.0 * _covered_dots(
        np.concatenate([anchor, anchor], axis=1), dots, 14 * scale
    )
    cost += _FORBIDDEN * _covered_dots(box, dots, gap)
    cost += 10 * _FORBIDDEN * _outside(box, size, gap)
    cost += 10 * _FORBIDDEN * _off_screen(anchor, size)
    best = int(np.argmin(cost))
    return Place(box[best], anchor[best], end[best])


def _covered_boxes(box: Floats, taken: Floats, gap: float) -> Floats:
    low = np.maximum(box[:, None, :2], taken[None, :, :2] - gap)
    high = np.minimum(box[:, None, 2:], taken[None, :, 2:] + gap)
    return _count(np.all(high > low, axis=-1))


def _covered_dots(box: Floats, dots: Floats, gap: float) -> Floats:
    inside = (dots > box[:, None, :2] - gap) & (dots < box[:, None, 2:] + gap)
    return _count(np.all(inside, axis=-1))


def _outside(box: Floats, size: tuple[int, int], gap: float) -> Floats:
    return _count(np.hstack([box[:, :2] < gap, box[:, 2:] > np.array(size) - gap]))


def _off_screen(anchor: Floats, size: tuple[int, int]) -> Floats:
    return _count((anchor < 0) | (anchor > np.array(size)))


def _crossed(start: Floats, end: Floats, taken: Floats) -> Floats:
    """Count the texts that a leader runs across, sampled along it."""
    hit = np.zeros((len(start), len(taken)), dtype=np.bool_)
    for t in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        at = (1 - t) * start + t * end
        inside = (at[:, None] > taken[None, :, :2]) & (at[:, None] < taken[None, :, 2:])
        hit |= inside.all(axis=-1)
    return _count(hit)


def _count(hit: NDArray[np.bool_]) -> Floats:
    total: Floats = np.sum(hit, axis=1, dtype=np.float64)
    return total
