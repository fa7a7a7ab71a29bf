"""Write on a picture: title, legend, names of the closest features, distances."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sim import Event
from sim.events.touch import whole_name
from viewer import theme
from viewer.drawing.arrays import Label, Pen, Shown
from viewer.drawing.camera import View, project
from viewer.drawing.glyphs import Names, headline, names_of, overlap_text
from viewer.drawing.hud import Hud, Text
from viewer.drawing.labels import LabelPlace, LabelRequest, place
from viewer.drawing.overlays import SAID
from viewer.drawing.words import short
from viewer.theme import LIGHT, Rgb, Theme, blended
from wingedge.tables import Floats

_LINES = 4  # of each kind in the title
_DOTTED = 12.0  # pixels between two points of a line that no text may cover
_BODY, _SHARE, _REGIME, _PATH = "■", "▮", "●━●━▶", "●━●━●"
_SPAN, _WAY = "◀━▶", "━▶"
_BETWEEN = 26.0  # pixels between entries
_NAMES = 3  # of bodies that share their colours
_PARTS = 12  # of bodies that the legend names
_STEPS = 8  # of a search that are written, at most
_STEP = 20.0  # pixels for each

Box = list[float]  # left, bottom, right, top


class Shot(NamedTuple):
    """What a picture is about, and what of it is taken."""

    looked_at: Names = ()  # the body or the pair that all of it is about
    bottom: float = 0.0  # pixels along the lower side that are somebody else's
    also: Sequence[Floats] = ()  # (n, 3) points: the camera sees them, too, if it can


WHOLE = Shot()


class Canvas(NamedTuple):
    """What the texts of one picture share."""

    hud: Hud
    size: tuple[int, int]  # pixels that are drawn
    ratio: float  # of those, per pixel of the finished picture
    shot: Shot
    plain: bool  # whether the background has one colour

    def write(self, left: float, bottom: float, *texts: Text) -> Box:
        """Write texts side by side, on the background; return their box.

        So they are read on any body.
        """
        sizes, pad = [self.hud.measure(text) for text in texts], 3.0 * self.ratio
        high = max(height for _, height in sizes)
        wide = sum(width + self.ratio for width, _ in sizes)
        box = [left, bottom, left + wide, bottom + high]
        look = self.hud.theme
        share = 0.5 if self.plain else (box[1] + box[3]) / 2 / self.size[1]
        colour = blended(look.background_low, look.background_high, share)
        self.hud.rectangle(np.add(box, [-pad, -pad, pad, pad]), colour)
        for text, (width, height) in zip(texts, sizes, strict=True):
            self.hud.put(text, left, bottom + (high - height) / 2)
            left += width + self.ratio
        return box


def write_labels(
    canvas: Canvas,
    view: View,
    pen: Pen,
    shown: Shown,
    boxes: Sequence[Box],
    marked: Floats,
    last: Sequence[LabelPlace] = (),
) -> list[LabelPlace]:
    """Write names and distances, each where it covers nothing; return where.

    That is ``marked`` lines (m, 2, 3), and ``boxes`` in pixels. Each stays where it was
    ``last`` beside its marker while that is free.
    """
    hud, r = canvas.hud, canvas.ratio
    pad, labels, size = theme.PADDING * r, shown.labels(pen), theme.LABEL_SIZE
    words = [hud.text(each.words, size, each.ink, bold=True) for each in labels]
    bar = [0.0, 0.0, canvas.size[0], canvas.shot.bottom]
    seen = project(marked.reshape(-1, 3), view, canvas.size).reshape(-1, 2, 2)
    places = place(
        [_wanted(canvas, view, *each) for each in zip(words, labels, strict=True)],
        canvas.size,
        np.array([*boxes, bar]),
        dotted(seen, r),
        scale=r,
        last=last,
    )
    for text, (box, anchor, end, _) in zip(words, places, strict=True):
        hud.line(anchor, end, 1.4, text.colour)
        hud.disc(anchor, 2.6 * r, text.colour)
        hud.framed(box, text.colour)
        hud.put(text, float(box[0]) + pad, float(box[1]) + pad)
    return places


def dotted(segments: Floats, ratio: float) -> Floats:
    """Return pixels along each of (m, 2, 2) segments, (n, 2), a few apart."""
    way = segments[:, 1] - segments[:, 0]
    steps = np.clip(np.ceil(np.hypot(*way.T) / (_DOTTED * ratio)), 1, 90)
    count = steps.astype(np.intp)
    first = np.repeat(np.cumsum(count) - count, count)
    part = (np.arange(len(first)) - first + 0.5) / np.repeat(count, count)
    start, way = (np.repeat(each, count, axis=0) for each in (segments[:, 0], way))
    return np.asarray(start + part[:, None] * way)


def _wanted(canvas: Canvas, view: View, text: Text, label: Label) -> LabelRequest:
    """Ask for a text on a sheet of paper to be placed beside what it names."""
    ends = np.vstack([label.anchors, label.place])
    spots = project(ends, view, canvas.size)
    way = spots[-1] - spots[:-1].mean(axis=0)
    way /= max(1.0, float(np.hypot(*way)))
    width, height = canvas.hud.measure(text)
    pad = 2 * theme.PADDING * canvas.ratio
    return LabelRequest((width + pad, height + pad), np.rint(spots[:-1]), way)


def write_title(
    canvas: Canvas, shown: Shown, events: Sequence[Event | str]
) -> list[Box]:
    """Write frame, time, answers and events at the upper left; return the boxes.

    Pairs that are not drawn are counted only; none is, where it is about some.
    """
    hud, look, frame = canvas.hud, canvas.hud.theme, shown.frame
    looked_at = canvas.shot.looked_at
    more = 0 if looked_at else int(frame.pairs.meets.sum()) - len(shown.pairs)
    answers = _shortened(shown.pairs, lambda p: headline(p.state), "pairs", more)
    if looked_at and not shown.pairs:
        answers = [f"{'/'.join(looked_at)}  no pair is reported"]
    heading = f"frame {frame.index}    t = {frame.time:.3f}"
    lines = [(heading, theme.TITLE_SIZE, look.ink, True)]
    lines += [(line, theme.TEXT_SIZE, look.faint_ink, False) for line in answers]
    story = _shortened(events, str, "events")
    lines += [(line, theme.TEXT_SIZE, look.ink, True) for line in story]
    margin = theme.MARGIN * canvas.ratio
    boxes, top = [], canvas.size[1] - margin
    room = canvas.size[0] - 2 * margin
    for words, points, ink, bold in lines:
        text = hud.fit(hud.text(words, points, ink, bold=bold), room)
        boxes.append(canvas.write(margin, top - hud.measure(text)[1], text))
        top = boxes[-1][1] - 7 * canvas.ratio
    return boxes


def _shortened(
    things: Sequence[Any], say: Callable[[Any], str], what: str, more: int = 0
) -> list[str]:
    count = len(things) + max(0, more)
    if count <= _LINES:
        return [say(thing) for thing in things]
    said = [say(thing) for thing in things[: _LINES - 1]]
    return [*said, f"... and {count - len(said)} more {what}"]


class Swatch(NamedTuple):
    """An entry of the legend: signs with their colours, and what they mean."""

    words: str
    signs: tuple[tuple[str, Rgb], ...] = ()


def swatches(shown: Shown, look: Theme = LIGHT) -> list[Swatch]:
    """List the entries for what layers show, and for what is on and shows nothing."""
    found, spans = [], shown.spans
    if any(state.distance > 0.0 for state in spans):
        found.append(Swatch("distance", ((_SPAN, look.regime("separated")),)))
    deep = [state for state in spans if state.distance < 0.0]
    exact = [state for state in deep if not overlap_text(state)]
    if exact:
        movers = {state.b.name for state in exact}
        who = short(movers.pop()) if len(movers) == 1 else "the second body"
        words = f"depth: {who} moves so to part"
        found.append(Swatch(words, ((_WAY, look.regime("penetrating")),)))
    if len(exact) < len(deep):
        found.append(Swatch("overlap: between two bounds, where surfaces cross"))
    if shown.trails:
        cold = (
            "" if any(walk.told.before for walk in shown.trails) else ", from nothing"
        )
        words = f"tried by the search, in order{cold}"
        found.append(Swatch(words, ((_PATH, look.trail),)))
    parts = [whole_name(short(body), short(part)) for body, part, _ in shown.tints]
    found += [Swatch(x, ((_BODY, look.part(k)),)) for k, x in enumerate(parts[:_PARTS])]
    found += [Swatch(f"{len(parts) - _PARTS} more parts")] * (len(parts) > _PARTS)
    return found + [Swatch(f"{name}: {SAID[name]['none']}") for name in shown.empty]


def steps_of(shown: Shown) -> list[str]:
    """Write the steps of the first search, of many the first ones and the last."""
    steps = shown.trails[0].told.steps if shown.trails else ()
    lines = [f"{k}  {step.text}" for k, step in enumerate(steps, 1)]
    if len(lines) > _STEPS:
        lines[_STEPS - 2 : -1] = [f"... {len(lines) - _STEPS + 1} more steps"]
    return lines


def write_legend(canvas: Canvas, shown: Shown) -> list[Box]:
    """Write the legend in as many rows as it takes; return the boxes."""
    r, hud, boxes, look = canvas.ratio, canvas.hud, list[Box](), canvas.hud.theme
    left, bottom = theme.MARGIN * r, theme.MARGIN * r + canvas.shot.bottom
    right = canvas.size[0] - theme.MARGIN * r
    rows: list[list[list[Text]]] = []
    x, first, has_room = left, _entries(look, shown), not shown.layers.help
    more = swatches(shown, look) if has_room else []
    for k, swatch in enumerate([*first, *more]):
        run = [hud.text(sign, theme.TEXT_SIZE, ink) for sign, ink in swatch.signs]
        run.append(hud.text(f" {swatch.words}", theme.TEXT_SIZE, look.ink))
        width = sum(hud.measure(text)[0] + r for text in run)
        if not rows or k == len(first) or x + width > right:
            rows.append([])
            x = left
        rows[-1].append(run)
        x += width + _BETWEEN * r
    for line in reversed(steps_of(shown) if has_room else []):
        text = hud.text(line, theme.TEXT_SIZE - 1, look.faint_ink)
        boxes.append(canvas.write(left, bottom, hud.fit(text, right - left)))
        bottom += _STEP * r
    for row in reversed(rows):
        x = left
        for run in row:
            boxes.append(canvas.write(x, bottom, *run))
            x = boxes[-1][2] + _BETWEEN * r
        bottom += 1.6 * theme.TEXT_SIZE * r
    return boxes


def _entries(look: Theme, shown: Shown) -> list[Swatch]:
    """List bodies, as many as there are colours, regimes, and regions."""
    names, entries = names_of(shown.frame), []
    for k, tones in enumerate(look.bodies[: len(names)]):
        same = names[k :: len(look.bodies)]
        more = [] if len(same) <= _NAMES else [f"{len(same) - _NAMES} more"]
        words = ", ".join([*map(short, same[:_NAMES]), *more])
        entries.append(Swatch(words, ((_BODY, tones.surface), (_SHARE, tones.feature))))
    for regime in dict.fromkeys(pair.state.regime for pair in shown.pairs):
        words = f"closest points and normal: {regime}"
        entries.append(Swatch(words, ((_REGIME, look.regime(regime)),)))
    if any(pair.state.regions for pair in shown.pairs):
        entries.append(
            Swatch("all contacts, by number", (("#0", look.regime("contact")),))
        )
    return entries
