"""Write the legend along the lower edge of a picture."""

from itertools import accumulate
from typing import NamedTuple

import numpy as np

from viewer import theme
from viewer.drawing.arrays import Shown
from viewer.drawing.glyphs import names_of
from viewer.drawing.hud import Box, Canvas, Text
from viewer.drawing.overlays import SAID, Overlays
from viewer.drawing.words import short
from viewer.theme import LIGHT, Rgb, Theme, blended

_BODY, _LID, _SHARE, _REGIME, _PATH = "■", "□", "▮", "●━●━▶", "●━●━●"
_SPAN, _BACK, _WAY = "◀━▶", "◀━", "━▶"
# what contacts are marked with
_MARKS = {"VF": "▲", "FV": "▲", "EE": "✖", "": "◆"}
_SPOTS = {"▲": "vertex on face", "✖": "edge on edge", "◆": "other contact"}


def mark_of(kind: str) -> str:
    """Return the sign that marks a kind of contact."""
    return _MARKS.get(kind, _MARKS[""])


class Swatch(NamedTuple):
    """An entry of the legend: signs with their colours, and what they mean."""

    words: str
    signs: tuple[tuple[str, Rgb], ...] = ()


def swatches(overlays: Overlays, look: Theme = LIGHT) -> list[Swatch]:
    """List the entries for what layers show, and for what is on and shows nothing."""
    found = []
    if overlays.apart:
        found.append(Swatch("distance", ((_SPAN, look.regime("separated")),)))
    marks = dict.fromkeys(mark_of(spot.kind) for spot in overlays.spots)
    found += [Swatch(_SPOTS[mark], ((mark, look.ink),)) for mark in marks]
    if any(span.words.startswith("depth") for span in overlays.depths):
        movers = dict.fromkeys(span.bodies[1] for span in overlays.depths)
        who = movers.popitem()[0] if len(movers) == 1 else "the second body"
        words = f"depth: {short(who)} moves so to part; rings at the deepest points"
        found.append(Swatch(words, ((_WAY, look.regime("penetrating")),)))
    if any(span.words.startswith("overlap") for span in overlays.depths):
        found.append(Swatch("overlap: between two bounds, where surfaces cross"))
    if overlays.lids:
        # it is seen through its lid
        below = blended(look.paper, look.pocket, theme.OPACITY_POCKET)
        below = blended(below, look.lid, theme.OPACITY_LID)
        found.append(Swatch("lid of a dent", ((_LID, look.lid),)))
        found.append(Swatch("surface below it", ((_BODY, below),)))
    if overlays.trails:
        cold = not any(trail.warm for trail in overlays.trails)
        words = "tried by the search, in order" + (", from nothing" if cold else "")
        found.append(Swatch(words, ((_PATH, look.trail),)))
    if overlays.pushes:
        signs = (_BACK, look.body(0).feature), (_WAY, look.body(1).feature)
        found.append(Swatch("force on each body, in its colour", signs))
    none = ((name, SAID[name]["none"]) for name in overlays.empty)
    return [*found, *(Swatch(f"{name}: {why}") for name, why in none)]


_LARGER = 3  # pixels, a sign that stands alone
_GAP = 6.0  # pixels between signs and words
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
    r, hud, boxes = canvas.ratio, canvas.hud, list[Box]()
    left, bottom = theme.MARGIN * r, theme.MARGIN * r + canvas.free.bottom
    right = canvas.size[0] - canvas.free.right - theme.MARGIN * r
    rows: list[list[tuple[float, list[Text]]]] = [[]]
    x, first = left, _entries(hud.theme, shown)
    for k, swatch in enumerate([*first, *swatches(shown.overlays, hud.theme)]):
        texts = [
            hud.text(sign, theme.TEXT_SIZE + _LARGER * (len(sign) == 1), ink)
            for sign, ink in swatch.signs
        ]
        texts.append(hud.text(swatch.words, theme.TEXT_SIZE, hud.theme.ink))
        width = sum(_wide(text, r) for text in texts[:-1]) + hud.measure(texts[-1])[0]
        width += _GAP * r * bool(swatch.signs)
        if rows[-1] and (x + width > right or k == len(first)):
            rows.append([])
            x = left
        rows[-1].append((x, texts))
        x += width + _BETWEEN * r
    for line in reversed(steps_of(shown.overlays, canvas.size[1] / r)):
        faint = hud.theme.faint_ink
        text = hud.fit(line, theme.TEXT_SIZE - 1, faint, right - left)
        boxes.append(canvas.write(text, left, bottom))
        bottom += _STEP * r
    for row in reversed(rows):
        for at, (*signs, words) in row:
            (width, height), wide = hud.measure(words), [_wide(s, r) for s in signs]
            left_of_words = at + sum(wide) + _GAP * r * bool(signs)
            boxes.append([at, bottom, left_of_words + width, bottom + height])
            canvas.clear(boxes[-1])
            hud.put(words, left_of_words, bottom)
            for sign, before, each in zip(
                signs, accumulate([at, *wide]), wide, strict=False
            ):
                hud.sign(sign, np.array([before + each / 2, bottom + height / 2]))
        bottom += 1.6 * theme.TEXT_SIZE * r
    return boxes


def _wide(sign: Text, ratio: float) -> float:
    """Return how much room a sign takes, in pixels."""
    return float(np.ptp(sign.ink[:, 0])) + ratio


def _entries(look: Theme, shown: Shown) -> list[Swatch]:
    """List bodies, as many as there are colours, regimes, and regions."""
    names, entries = names_of(shown.frame), []
    for k, tones in enumerate(look.bodies[: len(names)]):
        same = names[k :: len(look.bodies)]
        more = [] if len(same) <= _NAMES else [f"{len(same) - _NAMES} more"]
        words = ", ".join([*map(short, same[:_NAMES]), *more])
        signs = (_BODY, tones.surface), (_SHARE, tones.feature)
        entries.append(Swatch(words, signs))
    for regime in dict.fromkeys(pair.regime for pair in shown.pairs):
        words = f"closest points and normal: {regime}"
        entries.append(Swatch(words, ((_REGIME, look.regime(regime)),)))
    if any(pair.regions for pair in shown.pairs):
        entries.append(Swatch("all contacts, by number", (("#0", look.region),)))
    return entries
