"""What the layers beside bodies and closest features say in the legend."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.drawing.hud import Canvas
from viewer.drawing.marks import arrow, cross, diamond, mark_of, triangle
from viewer.layers.overlays import Overlays
from viewer.layout.words import short
from viewer.theme import Rgb, blended

Floats = NDArray[np.float64]

_SPOTS = {triangle: "vertex on face", cross: "edge on edge", diamond: "other contact"}
_NONE = {
    "neighbours": "neighbours: no pair",
    "distance": "distance: no pair apart",
    "elements": "contact elements: no contact",
    "depth": "depth: no overlap",
    "cover": "cover: no dent to close",
    "path": "path: no search to tell of",
}


class Swatch(NamedTuple):
    """An entry of the legend that draws itself."""

    words: str
    width: float  # pixels of the finished picture
    paint: Callable[[Canvas, Floats], None]  # from the middle of its left side


def swatches(overlays: Overlays) -> list[Swatch]:
    """List the entries for what layers show, and for what is on and shows nothing."""
    found = []
    if overlays.around:
        words = "neighbours in search order, 1 first"
        found.append(Swatch(words, 58.0, _neighbours))
    if overlays.apart:
        found.append(Swatch("distance", 40.0, _dimension))
    marks = dict.fromkeys(mark_of(spot.kind) for spot in overlays.spots)
    found += [Swatch(_SPOTS[paint], 20.0, _spot(paint)) for paint in marks]
    if overlays.depths:
        movers = dict.fromkeys(span.bodies[1] for span in overlays.depths)
        who = movers.popitem()[0] if len(movers) == 1 else "the second body"
        words = f"depth: {short(who)} moves so to part; rings at the deepest points"
        found.append(Swatch(words, 40.0, _depth))
    if overlays.lids:
        found.append(Swatch("lid of a dent", 22.0, _sheet("lid")))
        found.append(Swatch("surface below it", 22.0, _sheet("pocket")))
    if overlays.trails:
        cold = not any(trail.warm for trail in overlays.trails)
        words = "tried by the search, in order" + (", from nothing" if cold else "")
        found.append(Swatch(words, 48.0, _trail))
    found += [Swatch(_NONE[name], 0.0, _nothing) for name in overlays.empty]
    return found


def numbers_of_regions() -> Swatch:
    """Return the entry for the numbers of all contacts of a pair."""
    return Swatch("all contacts, by number", 26.0, _region)


def _region(canvas: Canvas, at: Floats) -> None:
    look, r = canvas.hud.theme, canvas.ratio
    text = canvas.hud.text("#0", theme.TEXT_SIZE, look.region, bold=True)
    width, height = canvas.hud.measure(text)
    box = [at[0], at[1] - 9 * r, at[0] + width + 6 * r, at[1] + 9 * r]
    canvas.hud.framed(box, look.region)
    canvas.hud.put(text, at[0] + 3 * r, at[1] - height / 2)


def _neighbours(canvas: Canvas, at: Floats) -> None:
    hud, r = canvas.hud, canvas.ratio
    tones = hud.theme.body(0)
    for k, share in enumerate((0.0, theme.FADE / 2, theme.FADE)):
        ink = blended(tones.feature, tones.surface, share)
        middle = at + np.array([10.0 + 19.0 * k, 0.0]) * r
        hud.disc(middle, 8.5 * r, ink)
        hud.disc(middle, 7.0 * r, hud.theme.paper)
        text = hud.text(str(k + 1), theme.CHIP_SIZE - 1, hud.theme.ink, bold=True)
        width, height = hud.measure(text)
        hud.put(text, middle[0] - width / 2, middle[1] - height / 2)


def _dimension(canvas: Canvas, at: Floats) -> None:
    ink = canvas.hud.theme.regime("separated")
    for end, way in ((1.0, 1.0), (39.0, -1.0)):
        tip = at + np.array([end, 0.0]) * canvas.ratio
        tail = tip + np.array([way * 19.0, 0.0]) * canvas.ratio
        arrow(canvas, tail, tip, 2.0, ink)
        up = np.array([0.0, 8.0]) * canvas.ratio
        canvas.hud.line(tip - up, tip + up, 1.2, ink)


def _depth(canvas: Canvas, at: Floats) -> None:
    ink = canvas.hud.theme.regime("penetrating")
    tip = at + np.array([39.0, 0.0]) * canvas.ratio
    arrow(canvas, at, tip, 3.0, ink)


def _trail(canvas: Canvas, at: Floats) -> None:
    hud, r = canvas.hud, canvas.ratio
    spots = [
        at + np.array([x, y]) * r for x, y in ((6.0, -3.0), (24.0, 4.0), (42.0, 0.0))
    ]
    tones = [blended(hud.theme.trail, hud.theme.paper, s) for s in (0.6, 0.3, 0.0)]
    for k in (0, 1):
        hud.line(spots[k], spots[k + 1], 2.6, tones[k])
    for spot, tone in zip(spots, tones, strict=True):
        hud.disc(spot, theme.STOP_RADIUS * r, tone)


def _nothing(canvas: Canvas, at: Floats) -> None:
    """Draw nothing: the words say that there is nothing."""


def _spot(paint: Callable[..., None]) -> Callable[[Canvas, Floats], None]:
    def draw(canvas: Canvas, at: Floats) -> None:
        middle = at + np.array([10.0, 0.0]) * canvas.ratio
        paint(canvas, middle, 8.0 * canvas.ratio, canvas.hud.theme.ink)

    return draw


def _sheet(name: str) -> Callable[[Canvas, Floats], None]:
    def draw(canvas: Canvas, at: Floats) -> None:
        look = canvas.hud.theme
        tone: Rgb = {"lid": look.lid, "pocket": look.pocket}[name]
        below = look.paper
        if name == "pocket":  # it is seen through its lid
            below = blended(below, tone, theme.OPACITY_POCKET)
        inside = blended(below, look.lid, theme.OPACITY_LID)
        side = 7.0 * canvas.ratio
        low, high = at[1] - side, at[1] + side
        box = [at[0], low, at[0] + 3 * side, high]
        canvas.hud.rectangle(box, tone)
        inner = [box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2]
        canvas.hud.rectangle(inner, inside)

    return draw
