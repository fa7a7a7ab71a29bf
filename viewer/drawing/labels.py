"""Place labels so that none covers another, a marker or a leader."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.tables import Floats

_REACH = np.array([34.0, 52.0, 76.0, 104.0, 140.0, 190.0, 280.0])[:, None]  # pixels
_TURN = np.arange(16) * (2 * np.pi / 16)
WAYS = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
_ANCHORS = 4  # that a text may point to
_STEPS = np.linspace(0.0, 1.0, 16)[:, None]  # along a leader
_MARKED = 1e4  # what it costs to cover a marker
_WRITTEN = 1e6  # to cover a text, and what is somebody else's
_GONE = 1e8  # not to be all in the picture
_GAP = 5.0  # pixels around a text


class LabelRequest(NamedTuple):
    """One text to be placed."""

    size: tuple[float, float]  # pixels
    anchors: Floats  # (k, 2) whole pixels; where its leader may start
    prefer: Floats  # (2,) direction on the screen in which there is room; may be 0


class LabelPlace(NamedTuple):
    """Where a text goes."""

    box: Floats  # (4,) left, bottom, right, top
    anchor: Floats  # (2,) start of the leader
    end: Floats  # (2,) its end, on the box
    spot: int  # which of all spots it is


def place(
    requests: Sequence[LabelRequest],
    size: tuple[int, int],
    boxes: Floats,
    dots: Floats,
    *,
    scale: float = 1.0,
    last: Sequence[LabelPlace] = (),
) -> list[LabelPlace]:
    """Place texts, the most important first, each at the cheapest of 448 spots.

    None covers ``boxes`` (left, bottom, right, top) or pixels ``dots`` where there is
    room elsewhere. Each stays where it was ``last`` about its anchor while that is
    free.
    """
    taken, dots = boxes.reshape(-1, 4), dots.reshape(-1, 2)
    spots = [some.spot for some in last]
    spots = spots if len(spots) == len(requests) else [-1] * len(requests)
    placed: list[LabelPlace] = []
    for request, was in zip(requests, spots, strict=True):
        start, box, cost = _spots(request, scale)
        end = np.clip(start, box[:, :2], box[:, 2:])
        gap = _GAP * scale * np.array([-1, -1, 1, 1])
        # what stays where it was is not compared with all others
        for some in (np.arange(len(box))[[was]], np.arange(len(box))):
            at, to, rim = start[some], end[some], box[some]
            price = cost[some] + 10 * _MARKED * ((at < 0) | (at > size)).any(axis=1)
            outside = np.maximum(-rim[:, :2], rim[:, 2:] - size) > -_GAP * scale
            price += _GONE * outside.sum(axis=1)
            price += _WRITTEN * _meets(rim + gap, taken).sum(axis=1)
            price += _MARKED * _meets(rim + 2 * gap, dots[:, [0, 1, 0, 1]]).sum(axis=1)
            price += _MARKED * _cross(at, to, taken).any(axis=1)
            k = int(some[np.argmin(price)])
            if was >= 0 and price.min() < _MARKED:
                break
        placed.append(LabelPlace(box[k], start[k], end[k], k))
        leader = (1 - _STEPS) * start[k] + _STEPS * end[k]
        taken, dots = np.vstack([taken, box[k]]), np.concatenate([dots, leader])
    return placed


def _spots(request: LabelRequest, scale: float) -> tuple[Floats, Floats, Floats]:
    """Return where leaders start, (n, 2), the boxes, (n, 4), and what each costs."""
    some = np.linspace(0, len(request.anchors) - 1, _ANCHORS).round().astype(int)
    # the box hangs on the leader: its half extent is added in the leader's direction;
    # on whole pixels, so that a text that goes along stays the same
    half = np.array(request.size) / 2
    offset = np.rint(_REACH[..., None] * scale * WAYS + WAYS * half)
    start = np.repeat(request.anchors[some], offset[..., 0].size, axis=0)
    centre = start + np.tile(offset.reshape(-1, 2), (_ANCHORS, 1))
    cost = 0.6 * _REACH - 60.0 * (WAYS @ request.prefer) + 60.0
    box = np.concatenate([centre - half, centre + half], axis=1)
    return start, box, np.tile(cost.ravel(), _ANCHORS)


def _meets(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Tell which of m other boxes each of n boxes meets, (n, m)."""
    (left, low, right, top), (x, y, u, v) = boxes.T[..., None], others.T[:, None]
    return np.asarray((left < u) & (right > x) & (low < v) & (top > y))


def _cross(start: Floats, end: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Tell which of m boxes each of n straight lines enters, (n, m)."""
    at, way = start[:, None], (end - start)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (boxes[:, :2] - at) / way, (boxes[:, 2:] - at) / way
    first = np.fmax.reduce(np.minimum(one, other), axis=-1)
    last = np.fmin.reduce(np.maximum(one, other), axis=-1)
    return np.asarray(np.fmax(first, 0.0) <= np.fmin(last, 1.0))
