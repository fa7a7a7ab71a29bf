"""What is written on a picture: title, legend, names of the closest features."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.glyphs import Lit, PairGlyphs, along
from viewer.hud import Hud
from viewer.layout.camera import View, pixel, project
from viewer.layout.labels import Request, place
from viewer.layout.markers import arrow_ends, ring

if TYPE_CHECKING:
    from sim import Event, Frame

Floats = NDArray[np.float64]
Box = list[float]  # left, bottom, right, top

_NAMED_PAIRS = 2  # more names than these are a heap of letters
_DENSE = 40  # points along a line: closer than a text is high
_LINES = 4  # of each kind in the title


class Canvas(NamedTuple):
    """What the texts of one picture share."""

    hud: Hud
    view: View
    size: tuple[int, int]  # pixels that are drawn
    ratio: float  # of those, per pixel of the finished picture

    def project(self, points: Floats) -> Floats:
        """Return where (n, 3) points land, (n, 2) pixels."""
        return project(points, self.view, self.size)


def write_captions(
    canvas: Canvas,
    frame: "Frame",
    pairs: list[PairGlyphs],
    events: Sequence["Event"],
) -> Floats:
    """Write everything about a frame, each text where it covers nothing.

    Parameters
    ----------
    canvas : Canvas
    frame : Frame
    pairs : list of PairGlyphs
        The drawn pairs, the most telling first.
    events : sequence of Event
        Written below the title.

    Returns
    -------
    (n, 4) float64
        Left, bottom, right, top of the names and distances, in drawn pixels.
    """
    canvas.hud.begin()
    boxes = [*_title(canvas, frame, pairs, events), *_legend(canvas, frame, pairs)]
    order = [body.name for body in frame.bodies]
    dots = [np.empty((0, 2)), *(_marker_pixels(canvas, pair) for pair in pairs)]
    wanted = [
        label for pair in pairs[:_NAMED_PAIRS] for label in _labels(canvas, order, pair)
    ]
    places = place(
        [request for request, _, _ in wanted],
        canvas.size,
        np.array(boxes),
        np.concatenate(dots),
        scale=canvas.ratio,
    )
    pad = theme.PADDING * canvas.ratio
    for (_, text, ink), found in zip(wanted, places, strict=True):
        canvas.hud.line(found.anchor, found.end, 1.4, ink)
        canvas.hud.disc(found.anchor, 2.6 * canvas.ratio, ink)
        canvas.hud.framed(found.box, ink)
        canvas.hud.put(text, found.box[0] + pad, found.box[1] + pad)
    canvas.hud.finish()
    return np.array([found.box for found in places]).reshape(-1, 4)


def _labels(
    canvas: Canvas, order: list[str], pair: PairGlyphs
) -> list[tuple[Request, Any, theme.Rgb]]:
    """Prepare the two feature names and the distance of a pair."""
    hud, found = canvas.hud, []
    start, end = canvas.project(np.stack(arrow_ends(pair, _unit(canvas, pair))))
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length if length > 1.0 else np.array([0.0, 0.0])
    for part, sign in ((pair.a, -1.0), (pair.b, 1.0)):
        ink = theme.body_colours(order.index(part.body)).feature
        words = f"{part.body} {part.name}"
        text = hud.text(words, theme.LABEL_SIZE, ink, bold=True)
        anchors = canvas.project(part.anchors)
        found.append((Request(_padded(canvas, text), anchors, sign * along), text, ink))
    ink = theme.regime_colour(pair.regime)
    text = hud.text(pair.text, theme.LABEL_SIZE, ink, bold=True)
    middle = canvas.project(pair.witness.mean(axis=0)[None])
    aside = np.array([abs(along[1]), -abs(along[0])])  # to the right of the arrow
    found.append((Request(_padded(canvas, text), middle, aside), text, ink))
    return found


def _padded(canvas: Canvas, text: Any) -> tuple[float, float]:
    width, height = canvas.hud.measure(text)
    pad = 2 * theme.PADDING * canvas.ratio
    return width + pad, height + pad


def _title(
    canvas: Canvas,
    frame: "Frame",
    pairs: list[PairGlyphs],
    events: Sequence["Event"],
) -> list[Box]:
    """Write frame, time, pairs and events at the upper left."""
    headline = f"frame {frame.index}    t = {frame.time:.3f}"
    lines = [(headline, theme.TITLE_SIZE, theme.INK, True)]
    answers = _shortened([pair.headline for pair in pairs], "pairs")
    lines += [(line, theme.TEXT_SIZE, theme.FAINT_INK, False) for line in answers]
    story = _shortened([str(event) for event in events], "events")
    lines += [(line, theme.TEXT_SIZE, theme.INK, True) for line in story]
    margin = theme.MARGIN * canvas.ratio
    boxes, top = [], canvas.size[1] - margin
    for words, points, ink, bold in lines:
        text = canvas.hud.text(words, points, ink, bold=bold)
        width, height = canvas.hud.measure(text)
        canvas.hud.put(text, margin, top - height)
        boxes.append([margin, top - height, margin + width, top])
        top -= height + 7 * canvas.ratio
    return boxes


def _shortened(lines: list[str], what: str) -> list[str]:
    if len(lines) <= _LINES:
        return lines
    return [*lines[: _LINES - 1], f"... and {len(lines) - _LINES + 1} more {what}"]


def _legend(canvas: Canvas, frame: "Frame", pairs: list[PairGlyphs]) -> list[Box]:
    """Write what the colours mean along the lower edge."""
    cursor = theme.MARGIN * canvas.ratio
    boxes = []
    for index, body in enumerate(frame.bodies[: len(theme.BODIES)]):
        box = _entry(canvas, cursor, body.name, theme.body_colours(index))
        boxes.append(box)
        cursor = box[2] + 26 * canvas.ratio
    for regime in dict.fromkeys(pair.regime for pair in pairs):
        words = f"closest points and normal: {regime}"
        box = _entry(canvas, cursor, words, theme.regime_colour(regime))
        boxes.append(box)
        cursor = box[2] + 26 * canvas.ratio
    return boxes


def _entry(
    canvas: Canvas, left: float, words: str, tones: theme.BodyColours | theme.Rgb
) -> Box:
    """Write one entry of the legend with its swatch."""
    hud, r = canvas.hud, canvas.ratio
    bottom, side = theme.MARGIN * r, 14 * r
    text = hud.text(words, theme.TEXT_SIZE, theme.INK)
    width, height = hud.measure(text)
    middle = bottom + height / 2
    x = left
    if isinstance(tones, theme.BodyColours):
        low, high = middle - side / 2, middle + side / 2
        hud.rectangle([x, low, x + side, high], tones.surface)
        hud.rectangle([x + side, low, x + 1.6 * side, high], tones.feature)
        x += 1.6 * side
    else:
        knots = np.array([[x + step * r, middle] for step in (4, 22, 40, 52)])
        hud.line(knots[0], knots[2], 3.0, tones)
        for end in knots[:2]:
            hud.disc(end, 4.5 * r, tones)
        wing = np.array([0.0, 5.5 * r])
        hud.polygon(np.stack([knots[2] - wing, knots[3], knots[2] + wing]), tones)
        x += 52 * r
    x += 8 * r
    hud.put(text, x, bottom)
    return [left, bottom, x + width, bottom + height]


def _unit(canvas: Canvas, pair: PairGlyphs) -> float:
    middle = pair.witness.mean(axis=0)
    return pixel(middle, canvas.view, canvas.size[1] / canvas.ratio)


def _marker_pixels(canvas: Canvas, pair: PairGlyphs) -> Floats:
    """Return pixels that no text may cover."""
    start, end = arrow_ends(pair, _unit(canvas, pair))
    t = np.linspace(0.0, 1.0, 12)[:, None]
    return canvas.project(
        np.concatenate(
            [
                (1 - t) * pair.witness[0] + t * pair.witness[1],
                (1 - t) * start + t * end,
                pair.contacts,
                along(ring(pair.patch), _DENSE),
                *(_spots(part) for part in (pair.a, pair.b)),
            ]
        )
    )


def _spots(part: Lit) -> Floats:
    """Return what must stay visible of a feature; a face is large enough as it is."""
    return {"vertex": part.points, "edge": along(part.segments, _DENSE)}.get(
        part.kind, np.empty((0, 3))
    )
