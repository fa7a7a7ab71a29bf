"""Draw charts beside a picture: the neighbourhood of a closest feature, unfolded."""

from collections.abc import Sequence

import numpy as np

from viewer import theme
from viewer.arrays import Floats
from viewer.drawing.hud import Box, Canvas
from viewer.drawing.marks import draw_way
from viewer.layers.overlays import Chart
from viewer.theme import Rgb, blended

_SIDE = 216.0  # pixels of the finished picture, where there is room
_SHARE = 0.28  # of the width at most
_LEAST = 80.0  # pixels: smaller ones show nothing
_REST = 190.0  # pixels of the height that charts leave to the legend
_TITLE = 26.0
_INSIDE = 24.0  # between the rim and what is drawn
_BETWEEN = 12.0  # charts


def draw_charts(canvas: Canvas, charts: Sequence[Chart]) -> list[Box]:
    """Draw charts at the right, one below the other; return their boxes."""
    r, boxes = canvas.ratio, []
    if not chart_side(canvas.size[0] / r, canvas.size[1] / r):
        return []
    left, _, right, top = charts_area(canvas, len(charts))
    for chart in charts:
        box = [left, top - (right - left) - _TITLE * r, right, top]
        _draw(canvas, chart, box)
        boxes.append(box)
        top = box[1] - _BETWEEN * r
    return boxes


def charts_area(canvas: Canvas, count: int) -> Box:
    """Return the box that so many charts take; one of no height for none."""
    r = canvas.ratio
    right = canvas.size[0] - canvas.free.right - theme.MARGIN * r
    top = canvas.size[1] - canvas.free.top - theme.MARGIN * r
    side = chart_side(canvas.size[0] / r, canvas.size[1] / r) * r
    if not count or not side:
        return [right, top, right, top]
    height = count * (side + _TITLE * r) + (count - 1) * _BETWEEN * r
    return [right - side, top - height, right, top]


def chart_side(width: float, height: float) -> float:
    """Return how wide charts are in a picture of this size; 0 without room."""
    two = (height - _REST) / 2 - _TITLE - _BETWEEN
    side = min(_SIDE, _SHARE * width, two)
    return side if side >= _LEAST else 0.0


def numbered(places: Floats) -> tuple[Floats, list[str]]:
    """Join steps that stay where they are: places, and words as "1" or "2-3"."""
    kept: list[Floats] = []
    steps: list[list[int]] = []
    for k, place in enumerate(places, 1):
        if kept and np.array_equal(kept[-1], place):
            steps[-1].append(k)
        else:
            kept.append(place)
            steps.append([k])
    words = [str(s[0]) if len(s) == 1 else f"{s[0]}-{s[-1]}" for s in steps]
    return np.array(kept).reshape(-1, places.shape[-1]), words


def _draw(canvas: Canvas, chart: Chart, box: Box) -> None:
    hud, r, look = canvas.hud, canvas.ratio, canvas.hud.theme
    tones, up = canvas.pen.body(chart.body), canvas.view.axes()[1]
    hud.framed(box, tones.feature)
    words, room = f"around {chart.body} {chart.name}", box[2] - box[0] - 18 * r
    size, names = theme.TEXT_SIZE, [chart.body]
    text = hud.fit(words, size, tones.feature, room, names, bold=True)
    hud.put(text, box[0] + 9 * r, box[3] - hud.measure(text)[1] - 6 * r)

    def flat(points: Floats) -> Floats:
        return unfolded(points, chart.origin, chart.outward, up)

    every = [chart.core, *(e.corners for e in chart.elements), *chart.faces]
    all_ = flat(np.concatenate([*every, chart.places]))
    low, high = all_.min(axis=0), all_.max(axis=0)
    side, wide = box[2] - box[0], float((high - low).max())
    scale = max(0.0, side - 2 * _INSIDE * r) / wide if wide > 0.0 else 0.0
    centre, middle = (
        np.array([(box[0] + box[2]) / 2, box[1] + side / 2]),
        (low + high) / 2,
    )

    def plan(points: Floats) -> Floats:
        """Return the pixels of (n, 3) points, (n, 2)."""
        found: Floats = centre + scale * (flat(points) - middle)
        return found

    for corners in chart.faces:
        _outline(canvas, plan(corners), blended(tones.wire, look.paper, 0.45))
    laid = [(e, plan(e.corners), canvas.pen.element(e)) for e in chart.elements]
    for kind in ("face", "edge", "vertex"):  # one below the other
        for _, at, ink in (each for each in laid if each[0].kind == kind):
            if kind == "face":
                _feature(canvas, at, blended(ink, look.paper, 0.55), ink)
                _outline(canvas, at, blended(ink, look.paper, 0.2))
            else:
                _feature(canvas, at, ink, ink, 4.0, theme.STOP_RADIUS)
    core = plan(chart.core)
    _feature(canvas, core, tones.lit, tones.feature, 6.0, theme.POINT_RADIUS)
    places, said = numbered(chart.places)
    stops = plan(places)
    draw_way(canvas, stops)
    kept = [core if len(core) == 1 else core.mean(axis=0)[None], stops]
    taken = np.concatenate([_discs(at, 4.5 * r) for at in kept])
    anchors = [_anchors(at, e.kind) for e, at, _ in laid]
    middles, own = _settled(canvas, anchors, box, taken, beside=False)
    for (element, _, ink), at, spot in zip(laid, middles, own, strict=True):
        if float(np.hypot(*(at - spot))) > 1.0:
            hud.line(spot, at, 1.2, ink)
            hud.disc(spot, 2.4 * r, ink)
        hud.disc(at, theme.CHIP_RADIUS * r, ink)
        hud.disc(at, (theme.CHIP_RADIUS - 1.8) * r, look.paper)
        _centred(canvas, str(element.order), at, look.ink)
    taken = np.concatenate([taken, _discs(middles, theme.CHIP_RADIUS * r)])
    anchors = [spot[None] for spot in stops]
    middles, own = _settled(canvas, anchors, box, taken, beside=True)
    for at, spot, step in zip(middles, own, said, strict=True):
        hud.line(spot, at, 1.4, look.trail)
        hud.disc(at, theme.CHIP_RADIUS * r, look.trail)
        _centred(canvas, step, at, look.paper)


def _feature(
    canvas: Canvas,
    at: Floats,
    fill: Rgb,
    ink: Rgb,
    width: float = 0.0,
    dot: float = 0.0,
) -> None:
    """Draw a face, by triangles from its middle (it may bend), an edge or a vertex."""
    if len(at) > 2:
        middle = at.mean(axis=0)
        for one, other in zip(at, np.roll(at, -1, axis=0), strict=True):
            canvas.hud.polygon(np.stack([middle, one, other]), fill)
    elif len(at) == 2:
        canvas.hud.line(at[0], at[1], width, ink)
    else:
        canvas.hud.disc(at[0], dot * canvas.ratio, ink)


def _outline(canvas: Canvas, at: Floats, ink: Rgb) -> None:
    for one, other in zip(at, np.roll(at, -1, axis=0), strict=True):
        canvas.hud.line(one, other, 1.0, ink)


def _centred(canvas: Canvas, words: str, middle: Floats, ink: Rgb) -> None:
    size = theme.CHIP_SIZE if len(words) < 3 else theme.CHIP_SIZE - 3
    canvas.hud.centred(words, middle, size, ink)


def _discs(middles: Floats, radius: float) -> Floats:
    return np.column_stack([middles, np.full(len(middles), radius)])


def _settled(
    canvas: Canvas, anchors: Sequence[Floats], box: Box, taken: Floats, *, beside: bool
) -> tuple[Floats, Floats]:
    """Place discs within a chart; see `place_discs`."""
    corner, side = np.array(box[:2]), round(box[2] - box[0])
    middles, own = place_discs(
        [own - corner for own in anchors],
        theme.CHIP_RADIUS,
        (side, side),
        taken - np.array([*corner, 0.0]),
        scale=canvas.ratio,
        beside=beside,
    )
    return middles + corner, own + corner


def _anchors(at: Floats, kind: str) -> Floats:
    """Return places for a number on an element, the best first, (n, 2)."""
    if kind == "edge":
        shares = np.array([0.5, 0.62, 0.38, 0.74, 0.26])[:, None]
        along: Floats = (1 - shares) * at[0] + shares * at[1]
        return along
    middle = at.mean(axis=0)
    return (
        np.concatenate([middle[None], 0.7 * middle + 0.3 * at]) if len(at) > 1 else at
    )


_STEPS = np.array([17.0, 25.0, 34.0, 46.0, 60.0])  # pixels from the anchor
_ANGLES = np.arange(16) * (2 * np.pi / 16)
_LATER = 6.0  # pixels that a second choice of anchor costs
_COVERED = 1e3


def place_discs(
    anchors: Sequence[Floats],
    radius: float,
    size: tuple[int, int],
    taken: Floats,
    *,
    scale: float = 1.0,
    beside: bool = False,
) -> tuple[Floats, Floats]:
    """Place discs one after the other, each at its cheapest free spot.

    Each has anchors to number, the best first; discs never lie on an anchor if they are
    to be ``beside`` it, and keep clear of those that are ``taken`` (x, y, radius).
    Returns the middles of the discs, and the anchor of each.
    """
    r = radius * scale
    toward = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=-1)
    ring = (_STEPS[:, None, None] * scale * toward).reshape(-1, 2)
    offsets = ring if beside else np.concatenate([np.zeros((1, 2)), ring])
    away = np.sqrt((offsets * offsets).sum(axis=1)) / scale
    middles, chosen = np.empty((2, len(anchors), 2))
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


def unfolded(points: Floats, origin: Floats, outward: Floats, up: Floats) -> Floats:
    """Lay points around an origin flat, seen from outside: to the right and up.

    A point goes as far from the middle as it lies beside the origin and below it,
    together: the sides of a box lie around its top as in a net.
    """
    right, above = _axes(outward, up)
    away = points - origin
    flat = np.stack([away @ right, away @ above], axis=-1)
    drop = np.abs(away @ outward)
    length = np.sqrt((flat * flat).sum(axis=-1))
    # straight below the origin there is no way out: it stays in the middle
    ratio = np.where(length > 0.0, drop / np.where(length > 0.0, length, 1.0), 0.0)
    out: Floats = flat * (1.0 + ratio)[:, None]
    return out


def _axes(outward: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Return right and up across a direction; any where ``up`` runs along it."""
    for trial in (up, *np.eye(3)):
        above = trial - (trial @ outward) * outward
        length = float(np.sqrt(above @ above))
        if length > 0.3 * float(np.sqrt(trial @ trial)):
            above = above / length
            return np.cross(above, outward), above
    raise ValueError(f"outward={outward.tolist()} is no unit vector")
