"""What the colours mean, along the lower edge of a picture."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from viewer import theme
from viewer.drawing.glyphs import PairGlyphs
from viewer.drawing.hud import Box, Canvas
from viewer.layers.insets import charts_area
from viewer.layers.overlays import NOTHING, Overlays
from viewer.layers.swatches import Swatch, numbers_of_regions, swatches
from viewer.layout.words import short

if TYPE_CHECKING:
    from sim import Frame

_SIDE = 14.0  # pixels, of a body's swatch
_ARROW = 52.0  # of a regime's
_GAP = 8.0  # between swatch and words
_BETWEEN = 26.0  # entries
_NAMES = 3  # of bodies that share their colours
_STEPS = 8  # of a search that are written, at most
_HIGH = 340.0  # pixels of a picture in which a step is written
_EACH = 40.0  # of height for another one
_STEP = 20.0  # pixels for each


class Entry(NamedTuple):
    """One swatch with its words."""

    tones: theme.BodyColours | theme.Rgb | Swatch
    text: Any
    width: float  # swatch and words, pixels
    height: float


def legend_height(bodies: int, overlays: Overlays, height: float = 720.0) -> int:
    """Return about how high a legend will be in a picture of this height, in pixels."""
    rows = (bodies > 4) + (len(swatches(overlays)) + 2) // 3
    return 70 + 24 * rows + round(_STEP * len(steps_of(overlays, height)))


def steps_of(overlays: Overlays, height: float = 720.0) -> list[str]:
    """Write the steps of a search in words, of the first pair, the last one kept.

    In a picture of little height there are fewer.
    """
    most = min(_STEPS, max(1, int((height - _HIGH) / _EACH)))
    if not overlays.trails:
        return []
    said = overlays.trails[0].said
    lines = [f"{k}  {words}" for k, words in enumerate(said, 1)]
    if len(lines) > most > 2:
        left_out = len(lines) - most + 1
        lines[most - 2 : -1] = [f"... {left_out} more steps"]
    return lines[-most:]


def write_legend(
    canvas: Canvas,
    frame: "Frame",
    pairs: list[PairGlyphs],
    overlays: Overlays = NOTHING,
) -> list[Box]:
    """Write the legend in as many rows as it takes; return the boxes."""
    names = tuple(body.name for body in frame.bodies)
    regimes = tuple(dict.fromkeys(pair.regime for pair in pairs))
    regions = any(pair.regions for pair in pairs)
    content = names, regimes, regions, canvas.size, canvas.free
    return canvas.hud.once(
        "legend",
        content if overlays == NOTHING else None,
        lambda: _write(canvas, names, regimes, regions, overlays),
    )


def _write(
    canvas: Canvas,
    names: tuple[str, ...],
    regimes: tuple[str, ...],
    regions: bool,
    overlays: Overlays,
) -> list[Box]:
    r = canvas.ratio
    left = theme.MARGIN * r
    lines = steps_of(overlays, canvas.size[1] / r)
    area = charts_area(canvas, len(overlays.charts))
    bottom, boxes = theme.MARGIN * r + canvas.free.bottom, []

    def right_at(height: float) -> float:
        """Return how far a line may run, past the charts or up to them."""
        beside = height + theme.TEXT_SIZE * r > area[1]
        return (area[0] if beside else area[2]) - (left if beside else 0.0)

    above = bottom + (_STEP * len(lines) + 1.6 * theme.TEXT_SIZE) * r
    right = right_at(above)
    rows: list[list[tuple[float, Entry]]] = [[]]
    x = left
    first = _entries(canvas, names, regimes, regions)
    extra = [
        _measured(canvas, swatch.words, swatch, swatch.width)
        for swatch in swatches(overlays)
    ]
    for k, entry in enumerate([*first, *extra]):
        if rows[-1] and (x + entry.width > right or k == len(first)):
            rows.append([])
            x = left
        rows[-1].append((x, entry))
        x += entry.width + _BETWEEN * r
    for line in reversed(lines):
        room = right_at(bottom) - left
        ink = canvas.hud.theme.faint_ink
        text = canvas.hud.text(line, theme.TEXT_SIZE - 1, ink)
        width, height = canvas.hud.measure(text)
        if width > room:  # letters are about as wide as each other
            kept = max(8, int(len(line) * room / width) - 2)
            text = canvas.hud.text(f"{line[:kept]}…", theme.TEXT_SIZE - 1, ink)
            width, height = canvas.hud.measure(text)
        boxes.append([left, bottom, left + width, bottom + height])
        canvas.clear(boxes[-1])
        canvas.hud.put(text, left, bottom)
        bottom += _STEP * r
    for row in reversed(rows):
        boxes += [_draw(canvas, at, bottom, entry) for at, entry in row]
        bottom += 1.6 * theme.TEXT_SIZE * r
    return boxes


def _entries(
    canvas: Canvas, names: tuple[str, ...], regimes: tuple[str, ...], regions: bool
) -> list[Entry]:
    entries = []
    for k, tones in enumerate(canvas.hud.theme.bodies[: len(names)]):
        same = names[k :: len(canvas.hud.theme.bodies)]
        more = [] if len(same) <= _NAMES else [f"{len(same) - _NAMES} more"]
        words = ", ".join([*map(short, same[:_NAMES]), *more])
        entries.append(_measured(canvas, words, tones, 1.6 * _SIDE))
    for regime in regimes:
        words = f"closest points and normal: {regime}"
        tone = canvas.hud.theme.regime(regime)
        entries.append(_measured(canvas, words, tone, _ARROW))
    if regions:
        swatch = numbers_of_regions()
        entries.append(_measured(canvas, swatch.words, swatch, swatch.width))
    return entries


def _measured(
    canvas: Canvas,
    words: str,
    tones: theme.BodyColours | theme.Rgb | Swatch,
    swatch: float,
) -> Entry:
    text = canvas.hud.text(words, theme.TEXT_SIZE, canvas.hud.theme.ink)
    width, height = canvas.hud.measure(text)
    before = swatch + _GAP if swatch else 0.0
    return Entry(tones, text, before * canvas.ratio + width, height)


def _draw(canvas: Canvas, left: float, bottom: float, entry: Entry) -> Box:
    hud, r = canvas.hud, canvas.ratio
    middle = bottom + entry.height / 2
    canvas.clear([left, bottom, left + entry.width, bottom + entry.height])
    if isinstance(entry.tones, theme.BodyColours):
        side = _SIDE * r
        low, high = middle - side / 2, middle + side / 2
        hud.rectangle([left, low, left + side, high], entry.tones.surface)
        hud.rectangle([left + side, low, left + 1.6 * side, high], entry.tones.feature)
        words = left + 1.6 * side
    elif isinstance(entry.tones, Swatch):
        entry.tones.paint(canvas, np.array([left, middle]))
        words = left + entry.tones.width * r
        words -= 0.0 if entry.tones.width else _GAP * r
    else:
        tone = entry.tones
        knots = np.array([[left + step * r, middle] for step in (4, 22, 40, _ARROW)])
        hud.line(knots[0], knots[2], 3.0, tone)
        for end in knots[:2]:
            hud.disc(end, 4.5 * r, tone)
        wing = np.array([0.0, 5.5 * r])
        hud.polygon(np.stack([knots[2] - wing, knots[3], knots[2] + wing]), tone)
        words = left + _ARROW * r
    hud.put(entry.text, words + _GAP * r, bottom)
    return [left, bottom, left + entry.width, bottom + entry.height]
