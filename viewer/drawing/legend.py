"""Write the legend along the lower edge of a picture."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from viewer import theme
from viewer.drawing.arrays import Shown
from viewer.drawing.glyphs import names_of
from viewer.drawing.hud import Box, Canvas, Text
from viewer.drawing.marks import arrow, cross, diamond, draw_way, mark_of, triangle
from viewer.drawing.overlays import SAID, Overlays
from viewer.drawing.words import short
from viewer.theme import Rgb, blended
from wingedge.tables import Floats

_SPOTS = {triangle: "vertex on face", cross: "edge on edge", diamond: "other contact"}

Paint = Callable[[Canvas, Floats], None]


class Swatch(NamedTuple):
    """An entry of the legend that draws itself."""

    words: str
    width: float  # pixels of the finished picture; 0: nothing is drawn
    paint: Paint | None = None  # from the middle of its left side

    @property
    def before(self) -> float:
        """How far its words are to the right."""
        return self.width + _GAP if self.width else 0.0


def swatches(overlays: Overlays) -> list[Swatch]:
    """List the entries for what layers show, and for what is on and shows nothing."""
    found = []
    if overlays.apart:
        found.append(Swatch("distance", 40.0, _dimension))
    marks = dict.fromkeys(mark_of(spot.kind) for spot in overlays.spots)
    found += [Swatch(_SPOTS[paint], 20.0, partial(_spot, paint)) for paint in marks]
    if any(span.words.startswith("depth") for span in overlays.depths):
        movers = dict.fromkeys(span.bodies[1] for span in overlays.depths)
        who = movers.popitem()[0] if len(movers) == 1 else "the second body"
        words = f"depth: {short(who)} moves so to part; rings at the deepest points"
        found.append(Swatch(words, 40.0, _depth))
    if any(span.words.startswith("overlap") for span in overlays.depths):
        found.append(Swatch("overlap: between two bounds, where surfaces cross", 0.0))
    if overlays.lids:
        found.append(Swatch("lid of a dent", 22.0, partial(_sheet, "lid")))
        found.append(Swatch("surface below it", 22.0, partial(_sheet, "pocket")))
    if overlays.trails:
        cold = not any(trail.warm for trail in overlays.trails)
        words = "tried by the search, in order" + (", from nothing" if cold else "")
        found.append(Swatch(words, 48.0, _trail))
    if overlays.pushes:
        found.append(Swatch("force on each body, in its colour", 40.0, _force))
    none = ((name, SAID[name]["none"]) for name in overlays.empty)
    found += [Swatch(f"{name}: {why}", 0.0) for name, why in none]
    return found


def _region(canvas: Canvas, at: Floats) -> None:
    look, r = canvas.hud.theme, canvas.ratio
    text = canvas.hud.text("#0", theme.TEXT_SIZE, look.region, bold=True)
    width, height = canvas.hud.measure(text)
    box = [at[0], at[1] - 9 * r, at[0] + width + 6 * r, at[1] + 9 * r]
    canvas.hud.framed(box, look.region)
    canvas.hud.put(text, at[0] + 3 * r, at[1] - height / 2)


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


def _force(canvas: Canvas, at: Floats) -> None:
    look, half = canvas.hud.theme, np.array([19.0, 0.0]) * canvas.ratio
    for k, way in enumerate((-half, half)):
        arrow(canvas, at + half, at + half + way, 3.0, look.body(k).feature)


def _trail(canvas: Canvas, at: Floats) -> None:
    places = np.array([[6.0, -3.0], [24.0, 4.0], [42.0, 0.0]])
    draw_way(canvas, at + canvas.ratio * places)


def _spot(paint: Callable[..., None], canvas: Canvas, at: Floats) -> None:
    middle = at + np.array([10.0, 0.0]) * canvas.ratio
    paint(canvas, middle, 8.0 * canvas.ratio, canvas.hud.theme.ink)


def _sheet(name: str, canvas: Canvas, at: Floats) -> None:
    look, side = canvas.hud.theme, 7.0 * canvas.ratio
    tone, below = (look.lid if name == "lid" else look.pocket), look.paper
    if name == "pocket":  # it is seen through its lid
        below = blended(below, tone, theme.OPACITY_POCKET)
    box = [at[0], at[1] - side, at[0] + 3 * side, at[1] + side]
    canvas.hud.rectangle(box, tone)
    inner = [box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2]
    canvas.hud.rectangle(inner, blended(below, look.lid, theme.OPACITY_LID))


def _body(tones: theme.BodyColours, canvas: Canvas, at: Floats) -> None:
    left, side = at[0], _SIDE * canvas.ratio
    low, high = at[1] - side / 2, at[1] + side / 2
    canvas.hud.rectangle([left, low, left + side, high], tones.surface)
    canvas.hud.rectangle([left + side, low, left + 1.6 * side, high], tones.feature)


def _regime(tone: Rgb, canvas: Canvas, at: Floats) -> None:
    hud, r = canvas.hud, canvas.ratio
    knots = [at + np.array([step * r, 0.0]) for step in (4, 22, 40, _ARROW)]
    hud.line(knots[0], knots[2], 3.0, tone)
    for end in knots[:2]:
        hud.disc(end, 4.5 * r, tone)
    wing = np.array([0.0, 5.5 * r])
    hud.polygon(np.stack([knots[2] - wing, knots[3], knots[2] + wing]), tone)


_SIDE = 14.0  # pixels, of a body's swatch
_ARROW = 52.0  # of a regime's
_GAP = 8.0  # between swatch and words
_BETWEEN = 26.0  # entries
_NAMES = 3  # of bodies that share their colours
_STEPS = 8  # of a search that are written, at most
_HIGH = 340.0  # pixels of a picture in which a step is written
_EACH = 40.0  # of height for another one
_STEP = 20.0  # pixels for each


def legend_height(bodies: int, overlays: Overlays, height: float = 720.0) -> int:
    """Return about how high a legend will be in a picture of this height, in pixels."""
    rows = (bodies > 4) + (len(swatches(overlays)) + 2) // 3
    return 70 + 24 * rows + round(_STEP * len(steps_of(overlays, height)))


def steps_of(overlays: Overlays, height: float = 720.0) -> list[str]:
    """Write the steps of the first search, fewer where there is little height."""
    most = min(_STEPS, max(1, int((height - _HIGH) / _EACH)))
    if not overlays.trails:
        return []
    said = overlays.trails[0].said
    lines = [f"{k}  {words}" for k, words in enumerate(said, 1)]
    if len(lines) > most > 2:
        left_out = len(lines) - most + 1
        lines[most - 2 : -1] = [f"... {left_out} more steps"]
    return lines[-most:]


def write_legend(canvas: Canvas, shown: Shown) -> list[Box]:
    """Write the legend in as many rows as it takes; return the boxes."""
    r, hud, boxes = canvas.ratio, canvas.hud, []
    left, bottom = theme.MARGIN * r, theme.MARGIN * r + canvas.free.bottom
    right = canvas.size[0] - canvas.free.right - theme.MARGIN * r
    rows: list[list[tuple[float, Swatch, Text]]] = [[]]
    x, first = left, _entries(canvas, shown)
    for k, swatch in enumerate([*first, *swatches(shown.overlays)]):
        text = hud.text(swatch.words, theme.TEXT_SIZE, hud.theme.ink)
        width = swatch.before * r + hud.measure(text)[0]
        if rows[-1] and (x + width > right or k == len(first)):
            rows.append([])
            x = left
        rows[-1].append((x, swatch, text))
        x += width + _BETWEEN * r
    for line in reversed(steps_of(shown.overlays, canvas.size[1] / r)):
        faint = hud.theme.faint_ink
        text = hud.fit(line, theme.TEXT_SIZE - 1, faint, right - left)
        boxes.append(canvas.write(text, left, bottom))
        bottom += _STEP * r
    for row in reversed(rows):
        for at, swatch, text in row:
            (width, height), before = hud.measure(text), swatch.before * r
            boxes.append([at, bottom, at + before + width, bottom + height])
            canvas.clear(boxes[-1])
            if swatch.paint:
                swatch.paint(canvas, np.array([at, bottom + height / 2]))
            hud.put(text, at + before, bottom)
        bottom += 1.6 * theme.TEXT_SIZE * r
    return boxes


def _entries(canvas: Canvas, shown: Shown) -> list[Swatch]:
    """List bodies, as many as there are colours, regimes, and regions."""
    look, names, entries = canvas.hud.theme, names_of(shown.frame), []
    for k, tones in enumerate(look.bodies[: len(names)]):
        same = names[k :: len(look.bodies)]
        more = [] if len(same) <= _NAMES else [f"{len(same) - _NAMES} more"]
        words = ", ".join([*map(short, same[:_NAMES]), *more])
        entries.append(Swatch(words, 1.6 * _SIDE, partial(_body, tones)))
    for regime in dict.fromkeys(pair.regime for pair in shown.pairs):
        words = f"closest points and normal: {regime}"
        paint = partial(_regime, look.regime(regime))
        entries.append(Swatch(words, _ARROW, paint))
    if any(pair.regions for pair in shown.pairs):
        entries.append(Swatch("all contacts, by number", 26.0, _region))
    return entries
