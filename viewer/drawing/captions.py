"""Write on a picture: title, names of the closest features, distances."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from sim import Event
from viewer import theme
from viewer.drawing.arrays import Label, Shown
from viewer.drawing.glyphs import Names, names_of
from viewer.drawing.hud import Box, Canvas, Text
from viewer.drawing.labels import LabelRequest, Written, place
from viewer.drawing.legend import mark_of, write_legend
from wingedge.tables import Floats

_LINES = 4  # of each kind in the title
_SIGN, _RIM = 24, 8  # pixels, of a mark and of the paper around it
_STEP = 12.0  # pixels between two points of a line that no text may cover


def write_beside(
    canvas: Canvas, shown: Shown, events: Sequence[Event | str], looked_at: Names = ()
) -> list[Box]:
    """Write title and legend; return their boxes.

    Hints are counted only; none is, beside what is ``looked_at``.
    """
    canvas.hud.begin()
    boxes = _title(canvas, shown, looked_at, events) + write_legend(canvas, shown)
    canvas.hud.finish()
    return boxes


def write_labels(
    canvas: Canvas,
    shown: Shown,
    boxes: Sequence[Box],
    *,
    marked: Floats,
    busy: Floats,
    last: Sequence[Written] = (),
    waits: bool = False,
) -> list[Written]:
    """Write names and distances, each where it covers nothing; return what and where.

    That is ``marked`` lines (m, 2, 3), ``busy`` places (n, 3), and ``boxes`` in pixels.
    Each stays where it was ``last`` beside its marker while that is free; the words
    too if they may ``wait``.
    """
    (width, height), free = canvas.size, canvas.free
    canvas.hud.begin()
    seen = canvas.project(marked.reshape(-1, 3)).reshape(-1, 2, 2)
    spots = np.array([spot.point for spot in shown.overlays.spots]).reshape(-1, 3)
    dots = [canvas.project(busy), canvas.project(spots), dotted(seen, canvas.ratio)]
    for spot, at in zip(shown.overlays.spots, dots[1], strict=True):
        look = canvas.hud.theme
        for size, ink in ((_SIGN + _RIM, look.paper), (_SIGN, look.ink)):
            canvas.hud.sign(canvas.hud.text(mark_of(spot.kind), size, ink), at)
    labels = shown.labels(canvas.pen)
    kept = [text for text, _ in last] if waits and len(last) == len(labels) else ()
    words = kept or [
        canvas.hud.text(
            label.words,
            theme.TEXT_SIZE if label.small else theme.LABEL_SIZE,
            label.ink,
            bold=not label.small,
        )
        for label in labels
    ]
    sides = [
        [width - free.right, 0.0, width, height],
        [0.0, 0.0, free.left, height],
        [0.0, 0.0, width, free.bottom],
        [0.0, height - free.top, width, height],
    ]
    places = place(
        [_wanted(canvas, *each) for each in zip(words, labels, strict=True)],
        canvas.size,
        np.array([*boxes, *sides]),
        np.concatenate(dots),
        scale=canvas.ratio,
        last=[found for _, found in last],
    )
    for text, found in zip(words, places, strict=True):
        canvas.label(text, found.box, found.anchor, found.end)
    canvas.hud.finish()
    return list(zip(words, places, strict=True))


def dotted(segments: Floats, ratio: float) -> Floats:
    """Return pixels along each of (m, 2, 2) segments, (n, 2), a few apart."""
    way = segments[:, 1] - segments[:, 0]
    length = np.hypot(*way.T)
    count = np.clip(np.ceil(length / (_STEP * ratio)), 1, 90).astype(np.intp)
    first = np.repeat(np.cumsum(count) - count, count)
    part = (np.arange(len(first)) - first + 0.5) / np.repeat(count, count)
    start, way = (np.repeat(each, count, axis=0) for each in (segments[:, 0], way))
    found: Floats = start + part[:, None] * way
    return found


def _wanted(canvas: Canvas, text: Text, label: Label) -> LabelRequest:
    """Ask for a text on a sheet of paper to be placed beside what it names."""
    spots = canvas.project(np.vstack([label.anchors, label.place]))
    way = spots[-1] - spots[:-1].mean(axis=0)
    way /= max(1.0, float(np.hypot(*way)))
    width, height = canvas.hud.measure(text)
    pad = 2 * theme.PADDING * canvas.ratio
    return LabelRequest((width + pad, height + pad), np.rint(spots[:-1]), way)


def _title(
    canvas: Canvas, shown: Shown, looked_at: Names, events: Sequence[Event | str]
) -> list[Box]:
    """Write frame, time, answers and events at the upper left."""
    look, frame = canvas.hud.theme, shown.frame
    headline = f"frame {frame.index}    t = {frame.time:.3f}"
    lines = [(headline, theme.TITLE_SIZE, look.ink, True)]
    answers, story = _answers(shown, looked_at), _shortened(events, str, "events")
    lines += [(line, theme.TEXT_SIZE, look.faint_ink, False) for line in answers]
    lines += [(line, theme.TEXT_SIZE, look.ink, True) for line in story]
    margin = theme.MARGIN * canvas.ratio
    boxes, top = [], canvas.size[1] - canvas.free.top - margin
    names = names_of(frame)
    room = canvas.size[0] - canvas.free.right - 2 * margin - canvas.free.left
    for words, points, ink, bold in lines:
        text = canvas.hud.fit(words, points, ink, room, names, bold=bold)
        boxes.append(canvas.write(text, margin, top - canvas.hud.measure(text)[1]))
        top = boxes[-1][1] - 7 * canvas.ratio
    return boxes


def _answers(shown: Shown, looked_at: Names) -> list[str]:
    """Say what the title tells of pairs, and of what is looked at if it has none."""
    if looked_at and not shown.pairs:
        return [f"{'/'.join(looked_at)}  no pair is reported"]
    more = 0 if looked_at else len(shown.hints)
    return _shortened(shown.pairs, attrgetter("headline"), "pairs", more)


def _shortened(
    things: Sequence[Any], say: Callable[[Any], str], what: str, more: int = 0
) -> list[str]:
    count = len(things) + more
    if count <= _LINES:
        return [say(thing) for thing in things]
    said = [say(thing) for thing in things[: _LINES - 1]]
    return [*said, f"... and {count - len(said)} more {what}"]
