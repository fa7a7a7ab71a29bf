"""Place labels so that none covers another, a marker or a leader."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.tables import Floats

_REACH = np.array([34.0, 52.0, 76.0, 104.0, 140.0, 190.0])  # pixels from the anchor
_FAR = np.array([250.0, 320.0, 400.0])  # where nothing nearer is free
_ANGLES = np.arange(24) * (2 * np.pi / 24)
_FINALISTS = 200
_STEPS = np.linspace(0.0, 1.0, 16)[:, None]  # along a leader
_GONE = 1e3  # texts or markers: so bad it is not to be all in the picture
_NO_BOXES = np.empty((0, 4))
_FORBIDDEN = 1e4  # per text or marker that would be covered


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


def place(
    requests: list[LabelRequest],
    size: tuple[int, int],
    boxes: Floats,
    dots: Floats,
    *,
    scale: float = 1.0,
    title: Floats = _NO_BOXES,
) -> list[LabelPlace]:
    """Place texts, the most important first, each at the cheapest free spot.

    None covers ``boxes`` (left, bottom, right, top) or pixels ``dots`` where there is
    room elsewhere, and none the ``title`` while there is any in the picture. Cost: 144
    candidates per anchor, about a millisecond for each text.
    """
    taken = boxes.reshape(-1, 4)
    crowd = _Occupancy(size, scale)
    crowd.title = title
    crowd.add(dots.reshape(-1, 2))
    placed: list[LabelPlace] = []
    for request in requests:
        if placed:
            taken = np.concatenate([taken, placed[-1].box[None]])
            crowd.add(_leader(placed[-1]))
        placed.append(_freest(request, size, taken, crowd, scale))
    return placed


def _leader(found: LabelPlace) -> Floats:
    """Return pixels along the line from an anchor to its text."""
    return (1 - _STEPS) * found.anchor + _STEPS * found.end


class LabelPlacer:
    """Leave texts beside their anchors while they are free: most frames cost a tenth.

    All are placed anew when their number changes or when they cover more than before.
    For ``patience`` frames nobody looks what they cover; then one at most is mended.
    """

    def __init__(self) -> None:
        self.patience = 0
        self.title = np.empty((0, 4))  # boxes that no text ever covers
        self._waited = 0
        self._last: list[LabelPlace] = []
        self._faults = 0  # there were when they were placed: a crowd leaves no room

    def forget(self) -> None:
        """Place everything anew next time."""
        self._last = []

    def follow(
        self, requests: list[LabelRequest], size: tuple[int, int]
    ) -> list[LabelPlace] | None:
        """Move texts along with their anchors; None where they are to be placed."""
        if not requests:
            self._last = []
            return []
        if self._waited >= self.patience or len(requests) != len(self._last):
            return None
        found = _moved(requests, self._last)
        if self._spoils(found, size):
            return None
        self._waited += 1
        self._last = found
        return found

    def place(
        self,
        requests: list[LabelRequest],
        size: tuple[int, int],
        boxes: Floats,
        dots: Floats,
        *,
        scale: float = 1.0,
    ) -> list[LabelPlace]:
        """Place texts; arguments as for `place`."""
        around = size, boxes.reshape(-1, 4), dots.reshape(-1, 2), scale
        self._waited = 0
        if requests and len(requests) == len(self._last):
            found = _moved(requests, self._last)
            faults = _faults(found, *around)
            spoils = self._spoils(found, size)
            if faults.sum() <= self._faults and not spoils:
                self._last = found
                return found
            if self.patience and not spoils:
                self._last = self._mend(requests, found, faults, around)
                return self._last
        self._last = place(requests, size, boxes, dots, scale=scale, title=self.title)
        self._faults = int(_faults(self._last, *around).sum()) if requests else 0
        return self._last

    def _mend(
        self,
        requests: list[LabelRequest],
        found: list[LabelPlace],
        faults: Floats,
        around: tuple[tuple[int, int], Floats, Floats, float],
    ) -> list[LabelPlace]:
        """Place the text that covers most anew; where that is no better, let it be."""
        k, (size, boxes, dots, scale) = int(faults.argmax()), around
        others = [*found[:k], *found[k + 1 :]]
        crowd = _Occupancy(size, scale)
        crowd.add(np.concatenate([dots, *map(_leader, others)]))
        taken = np.concatenate([boxes, *(other.box[None] for other in others)])
        mended = found.copy()
        crowd.title = self.title
        mended[k] = _freest(requests[k], size, taken, crowd, scale)
        if _faults(mended, *around).sum() < faults.sum():
            return mended
        self._faults = int(faults.sum())
        return found

    def _spoils(self, places: list[LabelPlace], size: tuple[int, int]) -> bool:
        """Tell whether a text is not all in the picture, or covers the title."""
        texts = np.array([found.box for found in places])
        outside = texts.min() < 0.0 or (texts[:, 2:] > size).any()
        return bool(outside or _meeting(texts, self.title, 0.0).any())


def _moved(requests: list[LabelRequest], last: list[LabelPlace]) -> list[LabelPlace]:
    """Move texts along with the anchors nearest to where their leaders began."""
    boxes = np.array([place.box for place in last])
    starts = np.array([place.anchor for place in last])
    sizes = np.array([request.size for request in requests])
    counts = [len(request.anchors) for request in requests]
    every = np.concatenate([request.anchors for request in requests])
    away = every - np.repeat(starts, counts, axis=0)
    gaps = (away * away).sum(axis=1).tolist()
    chosen, first = [], 0
    for count in counts:
        own = gaps[first : first + count]
        chosen.append(first + own.index(min(own)))
        first += count
    anchors = every[chosen]
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2 + anchors - starts
    low, high = middles - sizes / 2, middles + sizes / 2
    ends = np.minimum(np.maximum(anchors, low), high)
    boxes = np.concatenate([low, high], axis=1)
    return [LabelPlace(*each) for each in zip(boxes, anchors, ends, strict=True)]


def _faults(
    places: list[LabelPlace],
    size: tuple[int, int],
    boxes: Floats,
    dots: Floats,
    scale: float,
) -> Floats:
    """Count what each text and its leader cover, and whether it is cut off, (n,)."""
    texts = np.array([found.box for found in places])
    anchors = np.array([found.anchor for found in places])
    ends = np.array([found.end for found in places])
    gap = 2.0 * scale  # less than where they are placed anew: they may move a little
    taken = np.concatenate([texts, boxes])
    found = _count(_meeting(texts, taken, gap)) - 1.0  # each meets itself
    found += _crossed(anchors, ends, taken)
    found += _inside(dots, texts, 3.0 * scale).sum(axis=0)
    found += _GONE * _outside(texts, size, gap) + _off_screen(anchors, size)
    return found


def _meeting(some: Floats, others: Floats, gap: float) -> NDArray[np.bool_]:
    """Tell which of (n, 4) and (m, 4) boxes overlap or nearly do, (n, m)."""
    low = np.maximum(some[:, None, :2], others[None, :, :2] - gap)
    high = np.minimum(some[:, None, 2:], others[None, :, 2:] + gap)
    return np.asarray(np.all(high > low, axis=-1))


def _inside(dots: Floats, boxes: Floats, gap: float) -> NDArray[np.bool_]:
    """Tell which of (n, 2) pixels are in which of (m, 4) boxes, (n, m)."""
    x, y = dots[:, :1], dots[:, 1:]
    left, bottom, right, top = boxes.T
    return np.asarray(
        (x > left - gap) & (x < right + gap) & (y > bottom - gap) & (y < top + gap)
    )


class _Occupancy:
    """Count marked pixels in many boxes at once, at least, by sums over cells."""

    def __init__(self, size: tuple[int, int], scale: float) -> None:
        self.title = _NO_BOXES
        self._cell = 8.0 * scale
        shape = [int(length / self._cell) + 2 for length in size]
        self._marks = np.zeros(shape)
        self._sums = np.zeros((shape[0] + 1, shape[1] + 1))

    def add(self, dots: Floats) -> None:
        cells = np.floor(dots / self._cell).astype(np.int64)
        shown = np.all((cells >= 0) & (cells < self._marks.shape), axis=1)
        np.add.at(self._marks, tuple(cells[shown].T), 1.0)
        self._sums[1:, 1:] = self._marks.cumsum(axis=0).cumsum(axis=1)

    def within(self, low: Floats, high: Floats) -> Floats:
        """Count the marks between lower and upper corners, both (n, 2)."""
        most = np.array(self._marks.shape)
        first = np.clip(np.floor(low / self._cell), 0, most).astype(np.int64)
        last = np.clip(np.ceil(high / self._cell), 0, most).astype(np.int64)
        (i, j), (k, m) = first.T, last.T
        sums = self._sums
        found: Floats = sums[k, m] - sums[i, m] - sums[k, j] + sums[i, j]
        return found


def _freest(
    request: LabelRequest,
    size: tuple[int, int],
    taken: Floats,
    crowd: _Occupancy,
    scale: float,
) -> LabelPlace:
    """Return the cheapest place, far from its anchor where nothing nearer is free."""
    found, cost = _cheapest(request, size, taken, crowd, scale, _REACH)
    if cost >= _FORBIDDEN:
        far, more = _cheapest(request, size, taken, crowd, scale, _FAR)
        found = far if more < cost else found
    return found


def _cheapest(
    request: LabelRequest,
    size: tuple[int, int],
    taken: Floats,
    crowd: _Occupancy,
    scale: float,
    reach: Floats,
) -> tuple[LabelPlace, float]:
    """Return the cheapest place, its leader of one of these lengths, and its cost."""
    width, height = request.size
    toward = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=-1)
    offset = (reach[:, None, None] * scale * toward).reshape(-1, 2)
    # the box hangs on the leader: its half extent is added in the leader's direction
    half = np.array([width, height]) / 2
    unit = np.tile(toward, (len(reach), 1))
    # on whole pixels: a text that goes along with its anchor stays the same beside it
    centre = request.anchors[:, None] + np.rint(offset + unit * half)
    anchor = np.broadcast_to(request.anchors[:, None], centre.shape).reshape(-1, 2)
    centre = centre.reshape(-1, 2)
    box = np.concatenate([centre - half, centre + half], axis=1)
    gap = 5.0 * scale
    cost = np.tile(np.repeat(reach, len(_ANGLES)), len(request.anchors)) * 0.6
    cost -= 60.0 * (np.tile(unit, (len(request.anchors), 1)) @ request.prefer)
    cost += 40.0 * crowd.within(anchor - 12 * scale, anchor + 12 * scale)
    cost += _FORBIDDEN * crowd.within(box[:, :2] - 9 * scale, box[:, 2:] + 9 * scale)
    cost += _FORBIDDEN * _count(_meeting(box, taken, gap))
    cost += _GONE * _FORBIDDEN * _outside(box, size, gap)
    cost += _GONE * _FORBIDDEN * _count(_meeting(box, crowd.title, gap))
    cost += 10 * _FORBIDDEN * _off_screen(anchor, size)
    # leaders that cross a text are looked for among the best only
    best = np.argsort(cost, kind="stable")[:_FINALISTS]
    box, anchor, cost = box[best], anchor[best], cost[best]
    end = np.clip(anchor, box[:, :2], box[:, 2:])
    cost += _FORBIDDEN * _crossed(anchor, end, taken)
    k = int(np.argmin(cost))
    return LabelPlace(box[k], anchor[k], end[k]), float(cost[k])


def _outside(box: Floats, size: tuple[int, int], gap: float) -> Floats:
    return _count(np.hstack([box[:, :2] < gap, box[:, 2:] > np.array(size) - gap]))


def _off_screen(anchor: Floats, size: tuple[int, int]) -> Floats:
    return _count((anchor < 0) | (anchor > np.array(size)))


def _crossed(start: Floats, end: Floats, taken: Floats) -> Floats:
    """Count the texts that each leader runs across, (n,)."""
    way = (end - start)[:, None]
    at, low, high = start[:, None], taken[None, :, :2], taken[None, :, 2:]
    still = way == 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (low - at) / way, (high - at) / way
    # along an axis in which it does not move it is between both sides, or never
    between = (low < at) & (at < high)
    enters = np.where(still, np.where(between, -np.inf, np.inf), np.minimum(one, other))
    leaves = np.where(still, np.inf, np.maximum(one, other))
    first = np.maximum(enters.max(axis=-1), 0.0)
    last = np.minimum(leaves.min(axis=-1), 1.0)
    return _count(first < last)


def _count(hit: NDArray[np.bool_]) -> Floats:
    total: Floats = np.sum(hit, axis=1, dtype=np.float64)
    return total
