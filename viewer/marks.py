"""What overlays write and draw in pixels: numbers, dimension lines, stops, marks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.hud import Canvas
from viewer.layout.camera import pixel
from viewer.layout.chips import settle
from viewer.layout.extras import element_colour
from viewer.layout.labels import Request
from viewer.overlays import Element, Overlays, Span, Trail
from viewer.theme import Rgb, blended, fading

Floats = NDArray[np.float64]
Wanted = tuple[Request, Any, Rgb]  # a text to be placed, and the ink of its frame

_SHORT = 40.0  # pixels: a dimension line below has its arrows outside
_HEAD = 10.0  # of an arrow
_NAMED_SPOTS = 6
_DENSE = 24  # points along a line that no text may cover


class Marks(NamedTuple):
    """What was drawn, for the texts to come."""

    discs: Floats  # (n, 3) x, y, radius
    dots: Floats  # (m, 2) pixels that no text may cover
    wanted: list[Wanted]


def draw_marks(
    canvas: Canvas,
    overlays: Overlays,
    order: Sequence[str],
    keep: Floats,
    *,
    names: bool,
) -> Marks:
    """Draw what overlays have in pixels; begin the hud before, finish it after.

    Parameters
    ----------
    canvas : Canvas
    overlays : Overlays
    order : sequence of str
        Names of the bodies; their place decides the colour.
    keep : (n, 3) world
        Closest points, which no number may cover.
    names : bool
        Name contact elements and pockets too.
    """
    r = canvas.ratio
    dots: list[Floats] = []
    wanted: list[Wanted] = []
    for spans, word in ((overlays.apart, "distance"), (overlays.depths, "depth")):
        for span in spans:
            line, label = _dimension(canvas, span, word)
            dots.append(line)
            wanted.append(label)
    stops = [_polyline(canvas, trail) for trail in overlays.trails]
    own = canvas.project(keep) if len(keep) else np.empty((0, 2))
    own = np.concatenate([own, *(spots for group in stops for spots, _ in group)])
    discs = np.column_stack([own, np.full(len(own), theme.POINT_RADIUS * r)])
    lines = np.concatenate([np.empty((0, 2)), *dots])
    lines = np.column_stack([lines, np.full(len(lines), 2.0 * r)])
    discs = np.concatenate([discs, lines])
    for group in stops:
        for spots, words in group:
            discs = _stops(canvas, spots, words, discs)
    discs = _numbers(canvas, overlays.around, order, discs)
    dots += [discs[:, :2], _spots(canvas, overlays)]
    if names:
        wanted += _names(canvas, overlays)
    return Marks(discs, np.concatenate(dots), wanted)


def hidden(element: Element, eye: Floats) -> bool:
    """Tell whether all faces of an element look away from the eye."""
    away = eye - element.corners.mean(axis=0)
    return bool(len(element.outward)) and not bool((element.outward @ away > 0).any())


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
    return np.array(kept).reshape(-1, 3), words


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


def cross(canvas: Canvas, centre: Floats, radius: float, ink: Rgb) -> None:
    """Draw the mark of edge on edge."""
    for wide, colour in ((6.5, canvas.hud.theme.paper), (3.2, ink)):
        for x, y in ((1.0, 1.0), (1.0, -1.0)):
            reach = (radius + (wide - 3.2) * canvas.ratio / 2) * np.array([x, y]) * 0.75
            canvas.hud.line(centre - reach, centre + reach, wide, colour)


def triangle(canvas: Canvas, centre: Floats, radius: float, ink: Rgb) -> None:
    """Draw the mark of vertex on face."""
    _polygon(canvas, centre, radius, ink, np.radians([90.0, 210.0, 330.0]))


def diamond(canvas: Canvas, centre: Floats, radius: float, ink: Rgb) -> None:
    """Draw the mark of any other contact."""
    _polygon(canvas, centre, radius, ink, np.radians([0.0, 90.0, 180.0, 270.0]))


def mark_of(kind: str) -> Any:
    """Return what draws the mark of a kind of contact."""
    return {"VF": triangle, "FV": triangle, "EE": cross}.get(kind, diamond)


def _polygon(
    canvas: Canvas, centre: Floats, radius: float, ink: Rgb, angles: Floats
) -> None:
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    canvas.hud.polygon(centre + 1.4 * radius * corners, canvas.hud.theme.paper)
    canvas.hud.polygon(centre + radius * corners, ink)


def _dimension(canvas: Canvas, span: Span, word: str) -> tuple[Floats, Wanted]:
    """Draw a dimension line beside what it measures; return its pixels and its text.

    Where what is measured is too short to see, its arrows point at it from outside.
    A depth has one arrow: B must move that way to touch only.
    """
    hud, r = canvas.hud, canvas.ratio
    ink = hud.theme.regime(span.regime)
    unit, first, last = _on_screen(canvas, span, word)
    side = np.array([-unit[1], unit[0]])
    side = side if (side[0], side[1]) > (0.0, 0.0) else -side
    lift = theme.DIMENSION_OFFSET * r * side
    middle = (first + last) / 2 + lift
    if ((middle < 0) | (middle > canvas.size)).any():
        lift, side = -lift, -side
    a, b = first + lift, last + lift
    for end, out in ((first, a), (last, b)):
        hud.line(end + 9 * r * side, out + 7 * r * side, 1.2, ink)
    away = 34 * r * unit
    long = float(np.hypot(*(b - a))) >= _SHORT * r
    if long and word == "distance":
        arrow(canvas, (a + b) / 2, a, 2.0, ink)
        arrow(canvas, (a + b) / 2, b, 2.0, ink)
    elif long:
        arrow(canvas, a, b, 3.0, ink)
    else:
        arrow(canvas, a - away, a, 2.0, ink)
        if word == "distance":
            arrow(canvas, b + away, b, 2.0, ink)
        else:
            hud.line(b, b + away, 2.0, ink)
        hud.line(a, b, 1.2, ink)
    text = hud.text(f"{word} {span.length:.6g}", theme.LABEL_SIZE, ink, bold=True)
    reach = np.zeros(2) if long else away
    t = np.linspace(0.0, 1.0, _DENSE)[:, None]
    pixels = np.concatenate(
        [
            (1 - t) * (a - reach) + t * (b + reach),
            (1 - t) * first + t * a,
            (1 - t) * last + t * b,
        ]
    )
    request = Request(_padded(canvas, text), ((a + b) / 2)[None], side)
    return pixels, (request, text, ink)


def _on_screen(
    canvas: Canvas, span: Span, word: str
) -> tuple[Floats, Floats, Floats]:
    """Return the direction of a span on the screen, its start and its end.

    From A to B while apart; from B's deepest point to A's where they overlap, which is
    the way along the normal in both.
    """
    ends = span.ends if word == "distance" else span.ends[::-1]
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


def _polyline(canvas: Canvas, trail: Trail) -> list[tuple[Floats, list[str]]]:
    """Draw the way of a search on both bodies, older steps fainter."""
    hud, look = canvas.hud, canvas.hud.theme
    found = []
    for places in (trail.places_a, trail.places_b):
        kept, words = numbered(places)
        spots = canvas.project(kept)
        count = len(spots)
        for width, casing in ((6.0, True), (2.6, False)):
            for k in range(1, count):
                tone = blended(look.trail, look.paper, 0.8 * fading(count - k, count))
                ink = look.paper if casing else tone
                hud.line(spots[k - 1], spots[k], width, ink)
        for k, spot in enumerate(spots, 1):
            tone = blended(look.trail, look.paper, fading(count + 1 - k, count))
            hud.disc(spot, (theme.STOP_RADIUS + 1.6) * canvas.ratio, look.paper)
            hud.disc(spot, theme.STOP_RADIUS * canvas.ratio, tone)
        found.append((spots, words))
    return found


def _stops(
    canvas: Canvas, spots: Floats, words: list[str], taken: Floats
) -> Floats:
    """Write the numbers of steps beside their stops; return all discs taken."""
    hud, r = canvas.hud, canvas.ratio
    look = hud.theme
    anchors = [spot[None] for spot in spots]
    radius = theme.CHIP_RADIUS
    middles, own = settle(
        anchors, radius, canvas.size, taken, scale=r, beside=True
    )
    for middle, spot, said in zip(middles, own, words, strict=True):
        hud.line(spot, middle, 1.4, look.trail)
        hud.disc(middle, radius * r, look.trail)
        _centred(canvas, said, middle, look.paper)
    return np.concatenate([taken, _discs(middles, radius * r)])


def _numbers(
    canvas: Canvas, around: Sequence[Element], order: Sequence[str], taken: Floats
) -> Floats:
    """Write the numbers of neighbours on them; return all discs taken."""
    hud, r = canvas.hud, canvas.ratio
    if not around:
        return taken
    anchors = [canvas.project(element.anchors) for element in around]
    radius = theme.CHIP_RADIUS
    middles, own = settle(anchors, radius, canvas.size, taken, scale=r)
    eye = canvas.view.position
    for element, middle, spot in zip(around, middles, own, strict=True):
        ink = element_colour(element, order, hud.theme)
        tone = hud.theme.faint_ink if hidden(element, eye) else hud.theme.ink
        if float(np.hypot(*(middle - spot))) > 1.0:
            hud.line(spot, middle, 1.2, ink)
            hud.disc(spot, 2.2 * r, ink)
        hud.disc(middle, radius * r, ink)
        hud.disc(middle, (radius - 1.8) * r, hud.theme.paper)
        _centred(canvas, str(element.order), middle, tone)
    return np.concatenate([taken, _discs(middles, radius * r)])


def _spots(canvas: Canvas, overlays: Overlays) -> Floats:
    """Mark what kind each contact is; return the pixels."""
    if not overlays.spots:
        return np.empty((0, 2))
    pixels = canvas.project(np.stack([spot.point for spot in overlays.spots]))
    for spot, centre in zip(overlays.spots, pixels, strict=True):
        radius = theme.SPOT_RADIUS * canvas.ratio
        mark_of(spot.kind)(canvas, centre, radius, canvas.hud.theme.ink)
    return pixels


def _names(canvas: Canvas, overlays: Overlays) -> list[Wanted]:
    """Prepare the names of contacts, and how deep pockets are."""
    look = canvas.hud.theme
    said = [(s.name, s.point, look.ink) for s in overlays.spots[:_NAMED_SPOTS]]
    for body in overlays.lids:
        for depth, point in zip(body.depths, body.deepest, strict=True):
            said.append((f"{depth:.3g} below its lid", point, look.pocket))
    found = []
    for words, point, ink in said:
        text = canvas.hud.text(words, theme.TEXT_SIZE, look.ink)
        anchor = canvas.project(point[None])
        found.append((Request(_padded(canvas, text), anchor, np.zeros(2)), text, ink))
    return found


def _centred(canvas: Canvas, words: str, middle: Floats, ink: Rgb) -> None:
    size = theme.CHIP_SIZE if len(words) < 3 else theme.CHIP_SIZE - 3
    text = canvas.hud.text(words, size, ink, bold=True)
    width, height = canvas.hud.measure(text)
    canvas.hud.put(text, middle[0] - width / 2, middle[1] - height / 2)


def _padded(canvas: Canvas, text: Any) -> tuple[float, float]:
    width, height = canvas.hud.measure(text)
    pad = 2 * theme.PADDING * canvas.ratio
    return width + pad, height + pad


def _discs(middles: Floats, radius: float) -> Floats:
    return np.column_stack([middles, np.full(len(middles), radius)])
