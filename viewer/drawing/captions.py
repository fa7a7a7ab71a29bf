"""Write on a picture: title, names of the closest features, distances."""

from collections.abc import Callable, Container, Sequence
from functools import cache, partial
from itertools import accumulate, islice
from math import hypot
from operator import attrgetter
from typing import Any

import numpy as np

from sim import Event, Frame
from viewer import theme
from viewer.drawing.glyphs import LitFeature, Names, PairGlyphs, along, names_of
from viewer.drawing.hud import Box, Canvas, Wanted
from viewer.drawing.legend import write_legend
from viewer.drawing.markers import arrow_ends, ring
from viewer.drawing.marks import draw_marks
from viewer.drawing.overlays import NOTHING, Overlays
from viewer.drawing.words import short
from wingedge.tables import Floats

NO_POINTS = np.empty((0, 3))
_NAMED_PAIRS = 2  # more names than these are a heap of letters
_NAMED_REGIONS = 8
_DENSE = 40  # points along a line: closer than a text is high
_ALONG = np.linspace(0.0, 1.0, 12)[:, None]
_LINES = 4  # of each kind in the title
_NEAR = 240.0  # pixels from the closest point in which a face is named


def write_captions(
    canvas: Canvas,
    frame: Frame,
    pairs: list[PairGlyphs],
    events: Sequence["Event | str"],
    *,
    names: bool = True,
    overlays: Overlays = NOTHING,
    busy: Floats = NO_POINTS,
    looked_at: Names = (),
    hints: int = 0,
) -> Floats:
    """Write everything about a frame, each text where it covers nothing.

    No text covers ``busy`` places of the world, or the title. ``hints`` are pairs that
    are counted only; none is, beside what is ``looked_at``. Returns the boxes (n, 4) of
    names and distances: left, bottom, right, top in drawn pixels.
    """
    canvas.hud.begin()
    canvas.labels.begin()
    boxes = canvas.hud.once(
        "title",
        (canvas.edition, canvas.size, canvas.free, looked_at),
        lambda: _title(canvas, frame, _answers(pairs, looked_at, hints), events),
    )
    canvas.places.title = np.array(boxes)
    boxes = boxes + write_legend(canvas, frame, pairs, overlays)

    @cache
    def dots() -> Floats:
        return canvas.project(np.concatenate([busy, _marker_points(canvas, pairs)]))

    busy_too, wanted = draw_marks(canvas, overlays, dots, names=names)
    named = pairs[:_NAMED_PAIRS] if names else []
    told = {span.bodies for span in (*overlays.apart, *overlays.depths)}
    wanted = [*wanted, *_labels(canvas, named, told)]
    requests = [request for request, _, _ in wanted]
    (width, height), free = canvas.size, canvas.free
    sides = [
        [width - free.right, 0.0, width, height],
        [0.0, 0.0, free.left, height],
        [0.0, 0.0, width, free.bottom],
        [0.0, height - free.top, width, height],
    ]
    beside = [box for box in sides if box[0] < box[2] and box[1] < box[3]]
    places = canvas.places.follow(requests, canvas.size)
    if places is None:
        places = canvas.places.place(
            requests,
            canvas.size,
            np.array([*boxes, *beside]),
            np.concatenate([dots(), busy_too]),
            scale=canvas.ratio,
        )
    for k, ((_, text, ink), found) in enumerate(zip(wanted, places, strict=True)):
        at = found.anchor  # about which it is the same while it is moved along
        sheet = (found.box.reshape(2, 2) - at).ravel().tolist()
        write = partial(
            canvas.labels.labelled, text, sheet, np.zeros(2), found.end - at, ink
        )
        content = text.words, text.colour, ink, sheet
        canvas.labels.once(f"label {k}", content, write, (float(at[0]), float(at[1])))
    canvas.hud.finish()
    canvas.labels.finish()
    return np.array([found.box for found in places]).reshape(-1, 4)


def _labels(
    canvas: Canvas, pairs: list[PairGlyphs], told: Container[tuple[str, str]]
) -> list[Wanted]:
    """Prepare names of features, and distances of pairs that are not told already."""
    spots: list[Floats] = []
    for pair, unit in zip(pairs, canvas.pen.across(pairs), strict=True):
        areas = [
            region.patch if len(region.patch) else region.witness
            for region in pair.regions[:_NAMED_REGIONS]
        ]
        spots += [
            np.array([*arrow_ends(pair, unit), pair.middle]),
            _drawn_near(pair.a, pair.witness[0], _NEAR * unit),
            _drawn_near(pair.b, pair.witness[1], _NEAR * unit),
            *(area.mean(axis=0)[None] for area in areas),
        ]
    if not spots:
        return []
    seen = np.rint(canvas.project(np.concatenate(spots)))  # texts stand on whole pixels
    last = accumulate(map(len, spots))
    parts = iter([seen[k - len(spot) : k] for spot, k in zip(spots, last, strict=True)])
    look, write, found = canvas.hud.theme, canvas.labels.wanted, []
    for pair in pairs:
        line, *anchors = islice(parts, 3 + len(pair.regions[:_NAMED_REGIONS]))
        (x, y), (p, q), _ = line.tolist()
        length = hypot(p - x, q - y)
        u, v = ((p - x) / length, (q - y) / length) if length > 1.0 else (0.0, 0.0)
        sides = np.array([[-u, -v], [u, v]])
        for part, at, side in zip((pair.a, pair.b), anchors, sides, strict=False):
            ink = canvas.pen.body(part.body).feature
            words = f"{short(part.body)} {part.name}"
            found.append(write(words, at, side, ink, ink))
        ink = look.regime(pair.regime)
        if (pair.a.body, pair.b.body) not in told:  # else at its dimension line
            aside = np.array([abs(v), -abs(u)])  # to the right of the arrow
            found.append(write(pair.text, line[2:], aside, ink, ink))
        for region, at in zip(pair.regions, anchors[2:], strict=False):
            found.append(write(region.name, at, np.zeros(2), look.region, ink))
    return found


def _drawn_near(part: LitFeature, point: Floats, reach: float) -> Floats:
    """Return the anchors of a feature, those of a huge face near the closest point."""
    if part.kind != "face":
        return part.anchors
    away = part.anchors - point
    far = np.sqrt((away * away).sum(axis=1, keepdims=True))
    return point + away * np.minimum(1.0, reach / np.where(far > 0.0, far, 1.0))


def _title(
    canvas: Canvas, frame: Frame, answers: list[str], events: Sequence["Event | str"]
) -> list[Box]:
    """Write frame, time, answers and events at the upper left."""
    headline = f"frame {frame.index}    t = {frame.time:.3f}"
    look = canvas.hud.theme
    lines = [(headline, theme.TITLE_SIZE, look.ink, True)]
    lines += [(line, theme.TEXT_SIZE, look.faint_ink, False) for line in answers]
    story = _shortened(events, str, "events")
    lines += [(line, theme.TEXT_SIZE, look.ink, True) for line in story]
    margin = theme.MARGIN * canvas.ratio
    boxes, top = [], canvas.size[1] - canvas.free.top - margin
    names = names_of(frame)
    room = canvas.size[0] - canvas.free.right - 2 * margin - canvas.free.left
    for words, points, ink, bold in lines:
        text = canvas.hud.fit(words, points, ink, room, names, bold=bold)
        width, height = canvas.hud.measure(text)
        boxes.append([margin, top - height, margin + width, top])
        canvas.clear(boxes[-1])
        canvas.hud.put(text, margin, top - height)
        top -= height + 7 * canvas.ratio
    return boxes


def _answers(pairs: list[PairGlyphs], looked_at: Names, hints: int) -> list[str]:
    """Say what the title tells of pairs, and of what is looked at if it has none."""
    if looked_at and not pairs:
        return [f"{'/'.join(looked_at)}  no pair is reported"]
    more = 0 if looked_at else hints
    return _shortened(pairs, attrgetter("headline"), "pairs", more)


def _shortened(
    things: Sequence[Any], say: Callable[[Any], str], what: str, more: int = 0
) -> list[str]:
    count = len(things) + more
    if count <= _LINES:
        return [say(thing) for thing in things]
    said = [say(thing) for thing in things[: _LINES - 1]]
    return [*said, f"... and {count - len(said)} more {what}"]


def _marker_points(canvas: Canvas, pairs: list[PairGlyphs]) -> Floats:
    """Return places in the world that no text may cover, (n, 3)."""
    if not pairs:
        return np.empty((0, 3))
    ends = np.array([pair.witness for pair in pairs])
    length = theme.ARROW_LENGTH * canvas.pen.across(pairs)
    ways = length[:, None] * np.array([pair.normal for pair in pairs])
    starts = np.concatenate([ends[:, 0], ends[:, 1]])[:, None]
    ways = np.concatenate([ends[:, 1] - ends[:, 0], ways])[:, None]
    found, lines = [(starts + _ALONG * ways).reshape(-1, 3)], []
    for pair in pairs:
        found += [pair.contacts, *(region.witness for region in pair.regions)]
        found += [pair.a.points, pair.b.points]  # none of a face: it is large enough
        lines += [part.segments for part in (pair.a, pair.b) if part.kind == "edge"]
        if len(pair.patch):
            lines.append(ring(pair.patch))
    if lines:
        found.append(along(np.concatenate(lines), _DENSE))
    return np.concatenate(found)
