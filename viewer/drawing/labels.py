"""Place labels so that none covers another, a marker or a leader."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.drawing.camera import boxes_between
from viewer.drawing.hud import Text
from wingedge.tables import Floats

_REACH = np.array([34.0, 52.0, 76.0, 104.0, 140.0, 190.0, 280.0])[:, None]  # pixels
_TURN = np.arange(16) * (2 * np.pi / 16)
_WAYS = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
_ANCHORS = 4  # that a text may point to
_STEPS = np.linspace(0.0, 1.0, 16)[:, None]  # along a leader
_MARKED = 1e4  # what it costs to cover a marker
_WRITTEN = 1e6  # to cover a text, and what is somebody else's
_GONE = 1e8  # not to be all in the picture
_GAP, _LEAST = 5.0, 2.0  # pixels around a text that is placed, and that stays


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


Written = tuple[Text, LabelPlace]
# centres of a box (n, 2), starts of its leader (n, 2), what each costs (n,), gap
_Spots = tuple[Floats, Floats, Floats, float]


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
    before = last if len(last) == len(requests) else [None] * len(requests)
    placed: list[LabelPlace] = []
    for request, was in zip(requests, before, strict=True):
        for centre, start, cost, gap in _spots(request, was, scale):
            half = np.array(request.size) / 2
            box = np.concatenate([centre - half, centre + half], axis=1)
            end = np.clip(start, box[:, :2], box[:, 2:])
            low, high = box[:, :2] - gap, box[:, 2:] + gap
            price = cost + _GONE * ((low < 0) | (high > size)).sum(axis=1)
            price += 10 * _MARKED * ((start < 0) | (start > size)).any(axis=1)
            price += _WRITTEN * _meets(low, high, taken[:, :2], taken[:, 2:])
            price += _MARKED * _meets(low - gap, high + gap, dots, dots)
            crossed = boxes_between(start, end, taken[:, :2], taken[:, 2:])
            price += _MARKED * crossed.any(axis=1)
            k = int(np.argmin(price))
            if price[k] <= 0.0:
                break
        placed.append(LabelPlace(box[k], start[k], end[k]))
        leader = (1 - _STEPS) * start[k] + _STEPS * end[k]
        taken, dots = np.vstack([taken, box[k]]), np.concatenate([dots, leader])
    return placed


def _spots(
    request: LabelRequest, last: LabelPlace | None, scale: float
) -> Iterator[_Spots]:
    """Yield where a text was beside its anchor, then where it may be beside some."""
    anchors = request.anchors
    if last is not None:
        away = anchors - last.anchor
        near = anchors[[(away * away).sum(axis=1).argmin()]]
        centre = last.box.reshape(2, 2).mean(axis=0) + near - last.anchor
        yield centre, near, np.zeros(1), _LEAST * scale
    some = np.unique(np.linspace(0, len(anchors) - 1, _ANCHORS).round().astype(np.intp))
    # the box hangs on the leader: its half extent is added in the leader's direction;
    # on whole pixels, so that a text that goes along with its anchor stays the same
    half = np.array(request.size) / 2
    offset = np.rint(_REACH[..., None] * scale * _WAYS + _WAYS * half).reshape(-1, 2)
    cost = 0.6 * _REACH - 60.0 * (_WAYS @ request.prefer) + 60.0
    start = np.repeat(anchors[some], len(offset), axis=0)
    centre = start + np.tile(offset, (len(some), 1))
    yield centre, start, np.tile(cost.ravel(), len(some)), _GAP * scale


def _meets(
    low: Floats, high: Floats, others_low: Floats, others_high: Floats
) -> NDArray[np.intp]:
    """Count the boxes of (m, 2) corners that each of (n, 2) corners meets, (n,)."""
    meets = np.ones((len(low), len(others_low)), bool)
    for k in (0, 1):
        meets &= high[:, None, k] > others_low[None, :, k]
        meets &= low[:, None, k] < others_high[None, :, k]
    return np.asarray(meets.sum(axis=1))
