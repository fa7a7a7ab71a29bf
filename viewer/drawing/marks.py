"""Draw what layers show in pixels: dimension lines, paths, marks of contacts."""

import numpy as np

from viewer import theme
from viewer.drawing.camera import pixel
from viewer.drawing.hud import Canvas
from viewer.drawing.overlays import Dimension, Overlays, Push
from viewer.theme import Rgb, blended, fading
from wingedge.tables import Floats

_SHORT = 40.0  # pixels: a dimension line below has its arrows outside
_HEAD = 10.0  # of an arrow
_SIGN, _RIM = 24, 8  # pixels, of a mark and of the paper around it
_STEP = 12.0  # pixels between two points of a line that no text may cover

Told = tuple[str, Floats, Floats, Rgb]  # words, where, direction with room, ink


def draw_marks(
    canvas: Canvas, overlays: Overlays, busy: Floats
) -> tuple[Floats, list[Told]]:
    """Draw what overlays have in pixels.

    Dimension lines go where fewer ``busy`` pixels are. Returns pixels that no text may
    cover, (m, 2), and what is to be written beside dimension lines.
    """
    lines: list[Floats] = []
    told: list[Told] = []
    for span in (*overlays.apart, *overlays.depths):
        drawn, label = _dimension(canvas, span, busy)
        lines.append(drawn)
        told.append(label)
    for places in (p for walk in overlays.trails for p in walk.places):
        stops = canvas.project(places)
        lines.append(np.stack([stops, np.roll(stops, 1, axis=0)], axis=1)[1:])
        draw_way(canvas, stops)
    for spot in overlays.spots:
        at = canvas.project(spot.point[None])
        lines.append(np.stack([at, at], axis=1))
        look = canvas.hud.theme
        for size, ink in ((_SIGN + _RIM, look.paper), (_SIGN, look.ink)):
            sign = canvas.hud.text(mark_of(spot.kind), size, ink)
            canvas.hud.sign(sign, at[0])
    lines += [_push(canvas, push) for push in overlays.pushes]
    return dotted(np.concatenate([np.empty((0, 2, 2)), *lines]), canvas.ratio), told


def dotted(segments: Floats, ratio: float) -> Floats:
    """Return pixels along each of (m, 2, 2) segments, (n, 2), a few apart."""
    way = segments[:, 1] - segments[:, 0]
    length = np.sqrt((way * way).sum(axis=1))
    count = np.clip(np.ceil(length / (_STEP * ratio)), 1, 90).astype(np.intp)
    first = np.repeat(np.cumsum(count) - count, count)
    part = (np.arange(len(first)) - first + 0.5) / np.repeat(count, count)
    start, way = (np.repeat(each, count, axis=0) for each in (segments[:, 0], way))
    found: Floats = start + part[:, None] * way
    return found


def arrow(canvas: Canvas, tail: Floats, tip: Floats, width: float, ink: Rgb) -> None:
    """Draw an arrow in pixels."""
    along = tip - tail
    length = float(np.hypot(*along))
    unit = along / length if length > 0.0 else np.array([1.0, 0.0])
    side = np.array([-unit[1], unit[0]])
    head = min(_HEAD * canvas.ratio, length)
    canvas.hud.line(tail, tip - 0.8 * head * unit, width, ink)
    wings = tip - head * unit
    corners = [wings - 0.42 * head * side, tip, wings + 0.42 * head * side]
    canvas.hud.polygon(np.stack(corners), ink)


# what contacts are marked with: vertex on face, edge on edge; any other
MARKS = {"VF": "\u25b2", "FV": "\u25b2", "EE": "\u2716"}


def mark_of(kind: str) -> str:
    """Return the sign that marks a kind of contact."""
    return MARKS.get(kind, "\u25c6")


def _dimension(canvas: Canvas, span: Dimension, busy: Floats) -> tuple[Floats, Told]:
    """Draw a dimension line beside what it measures; return its lines and its text.

    At what is too short to see arrows point from outside; a depth has one: B's way; an
    overlap that is an interval is a band along where the surfaces cross.
    """
    hud, r = canvas.hud, canvas.ratio
    ink = hud.theme.regime(span.regime)
    is_gap = span.words.startswith("distance")
    unit, first, last = _on_screen(canvas, span, is_gap)
    side = _roomier(canvas, unit, first, last, busy)
    lift = theme.DIMENSION_OFFSET * r * side
    a, b = first + lift, last + lift
    for end, out in ((first, a), (last, b)):
        hud.line(end + 9 * r * side, out + 7 * r * side, 1.2, ink)
    long = float(np.hypot(*(b - a))) >= _SHORT * r
    away = np.zeros(2) if long else 34 * r * unit
    if long and is_gap:
        arrow(canvas, (a + b) / 2, a, 2.0, ink)
        arrow(canvas, (a + b) / 2, b, 2.0, ink)
    elif span.words.startswith("overlap"):
        hud.line(a - away, b + away, 7.0, ink)
    elif long:
        arrow(canvas, a, b, 3.0, ink)
    else:
        arrow(canvas, a - away, a, 2.0, ink)
        if is_gap:
            arrow(canvas, b + away, b, 2.0, ink)
        else:
            hud.line(b, b + away, 2.0, ink)
        hud.line(a, b, 1.2, ink)
    lines = np.array([[a - away, b + away], [first, a], [last, b]])
    return lines, (span.words, np.rint((a + b) / 2)[None], side, ink)


def _push(canvas: Canvas, push: Push) -> Floats:
    """Draw what two bodies do to each other, in their colours; return its line."""
    unit = pixel(push.point, canvas.view, canvas.size[1])
    to_first, middle, to_second = canvas.project(push.ends(unit * canvas.ratio))
    for name, tip in zip(push.bodies, (to_first, to_second), strict=True):
        arrow(canvas, middle, tip, 5.0, canvas.hud.theme.paper)
        arrow(canvas, middle, tip, 3.0, canvas.pen.body(name).feature)
    return np.stack([to_first, to_second])[None]


def _roomier(
    canvas: Canvas, unit: Floats, first: Floats, last: Floats, busy: Floats
) -> Floats:
    """Choose the side of a span where fewer markers are; to the right of two."""
    right = np.array([-unit[1], unit[0]])
    if (right[0], right[1]) < (0.0, 0.0):
        right = -right
    reach = theme.DIMENSION_OFFSET * canvas.ratio
    cost = []
    for side in (right, -right):
        out = (first + last) / 2 + reach * side
        crowded = (np.abs(busy - out).max(axis=1, initial=0.0) < 0.6 * reach).sum()
        outside = (out < 0) | (out > np.array(canvas.size))
        cost.append(crowded + len(busy) * outside.any())
    return right if cost[0] <= cost[1] else -right


def _on_screen(
    canvas: Canvas, span: Dimension, is_gap: bool
) -> tuple[Floats, Floats, Floats]:
    """Return where a span runs on the screen, along the normal: way, start and end."""
    ends = span.ends if is_gap else span.ends[::-1]
    middle = ends.mean(axis=0)
    step = 60.0 * pixel(middle, canvas.view, canvas.size[1]) * span.normal
    first, last, ahead, behind = canvas.project(
        np.stack([*ends, middle + step, middle - step])
    )
    along = ahead - behind
    length = float(np.hypot(*along))
    # seen along the normal both ends are one pixel: any direction will do
    unit = along / length if length > 1.0 else np.array([1.0, 0.0])
    return unit, first, last


def draw_way(canvas: Canvas, spots: Floats) -> None:
    """Draw a way with its stops, (n, 2) pixels, earlier ones fainter."""
    hud, look, count = canvas.hud, canvas.hud.theme, len(spots)
    tones = [
        blended(look.trail, look.paper, fading(count - k, count)) for k in range(count)
    ]
    for width, casing in ((6.0, True), (2.6, False)):
        for k in range(1, count):
            ink = look.paper if casing else tones[k]
            hud.line(spots[k - 1], spots[k], width, ink)
    for spot, tone in zip(spots, tones, strict=True):
        hud.disc(spot, (theme.STOP_RADIUS + 1.6) * canvas.ratio, look.paper)
        hud.disc(spot, theme.STOP_RADIUS * canvas.ratio, tone)
