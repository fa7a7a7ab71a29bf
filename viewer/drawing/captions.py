"""Write on a picture: title, names of the closest features, distances."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from sim import Event
from viewer import theme
from viewer.drawing.arrays import Shown
from viewer.drawing.glyphs import Names, names_of
from viewer.drawing.hud import Box, Canvas, Text
from viewer.drawing.labels import LabelRequest, Written, place
from viewer.drawing.legend import write_legend
from viewer.drawing.marks import dotted, draw_marks
from wingedge.tables import Floats

_LINES = 4  # of each kind in the title


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
    dots = np.concatenate([canvas.project(busy), dotted(seen, canvas.ratio)])
    busy_too, told = draw_marks(canvas, shown.overlays, dots)
    texts = [(each, theme.LABEL_SIZE, True) for each in told]
    for label in shown.labels(canvas.pen):
        spots = canvas.project(np.vstack([label.anchors, label.place]))
        way = spots[-1] - spots[:-1].mean(axis=0)
        way /= max(1.0, float(np.hypot(*way)))
        size = theme.TEXT_SIZE if label.small else theme.LABEL_SIZE
        each = label.words, np.rint(spots[:-1]), way, label.ink
        texts.append((each, size, not label.small))
    kept = [text for text, _ in last] if waits and len(last) == len(texts) else ()
    words = kept or [canvas.hud.text(t[0], n, t[3], bold=b) for t, n, b in texts]
    wanted = [
        _wanted(canvas, text, *of[1:3])
        for text, (of, _, _) in zip(words, texts, strict=True)
    ]
    sides = [
        [width - free.right, 0.0, width, height],
        [0.0, 0.0, free.left, height],
        [0.0, 0.0, width, free.bottom],
        [0.0, height - free.top, width, height],
    ]
    places = place(
        wanted,
        canvas.size,
        np.array([*boxes, *sides]),
        np.concatenate([dots, busy_too]),
        scale=canvas.ratio,
        last=[found for _, found in last],
    )
    for text, found in zip(words, places, strict=True):
        canvas.label(text, found.box, found.anchor, found.end)
    canvas.hud.finish()
    return list(zip(words, places, strict=True))


def _wanted(canvas: Canvas, text: Text, anchors: Floats, way: Floats) -> LabelRequest:
    """Ask for a text on a sheet of paper to be placed beside its anchors."""
    width, height = canvas.hud.measure(text)
    pad = 2 * theme.PADDING * canvas.ratio
    return LabelRequest((width + pad, height + pad), anchors, way)


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
