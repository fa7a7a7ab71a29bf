"""Write on a picture: title, legend, names of the closest features, distances."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Event
from sim.events.touch import whole_name
from viewer import theme
from viewer.drawing.arrays import Label, Shown, Style
from viewer.drawing.camera import View, project
from viewer.drawing.glyphs import Names, headline, names_of, overlap_text
from viewer.drawing.hud import Box, Hud, Text
from viewer.drawing.words import short
from viewer.theme import LIGHT, SAID, Rgb, Theme
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
_REACH = np.array([34.0, 52.0, 76.0, 104.0, 140.0, 190.0, 280.0])[:, None]  # pixels
_TURN = np.arange(16) * (2 * np.pi / 16)
WAYS = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
_ANCHORS = 4  # that a text may point to
_LEADER = np.linspace(0.0, 1.0, 16)[:, None]  # along a leader
_MARKED = 1e4  # what it costs to cover a marker
_WRITTEN = 1e6  # to cover a text, and what is somebody else's
_GONE = 1e8  # not to be all in the picture
_GAP = 5.0  # pixels around a text


class LabelRequest(NamedTuple):
    """One text to be placed."""

    size: tuple[float, float]  # pixels
    anchors: Floats  # (k, 2) whole pixels; where its leader may start
    prefer: Floats  # (2,) direction on the screen in which there is room; may be 0


class LabelPlace(NamedTuple):
    """Where a text goes."""

    box: Floats  # (4,) left, bottom, right, top
    anchor: Floats  # (2,) start of the leader
    end: Floats  # (2,) its end, on the box
    spot: int  # which of all spots it is


class Shot(NamedTuple):
    """What a picture is about, and what of it is taken."""

    looked_at: Names = ()  # the body or the pair that all of it is about
    bottom: float = 0.0  # pixels along the lower side that are somebody else's


WHOLE = Shot()


def write_labels(
    hud: Hud,
    view: View,
    style: Style,
    shown: Shown,
    boxes: Floats,
    marked: Floats,
    last: Sequence[LabelPlace] = (),
) -> list[LabelPlace]:
    """Write names and distances, each where it covers nothing; return where.

    That is ``marked`` lines (m, 2, 3), and ``boxes`` (b, 4) in pixels. Each stays where
    it was ``last`` beside its marker while that is free.
    """
    r = hud.ratio
    pad, labels, size = theme.PADDING * r, shown.labels(style), theme.LABEL_SIZE
    words = [hud.text(each.words, size, each.ink, bold=True) for each in labels]
    seen = project(marked.reshape(-1, 3), view, hud.size).reshape(-1, 2, 2)
    places = place(
        [_wanted(hud, view, *each) for each in zip(words, labels, strict=True)],
        hud.size,
        boxes,
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


def _wanted(hud: Hud, view: View, text: Text, label: Label) -> LabelRequest:
    """Ask for a text on a sheet of paper to be placed beside what it names."""
    ends = np.vstack([label.anchors, label.place])
    spots = project(ends, view, hud.size)
    way = spots[-1] - spots[:-1].mean(axis=0)
    way /= max(1.0, float(np.hypot(*way)))
    width, height = hud.measure(text)
    pad = 2 * theme.PADDING * hud.ratio
    return LabelRequest((width + pad, height + pad), np.rint(spots[:-1]), way)


def write_title(
    hud: Hud, shown: Shown, events: Sequence[Event | str], looked_at: Names
) -> Box:
    """Write frame, time, answers and events at the upper left; return that corner.

    Pairs that are not drawn are counted only; none is, where it is about some.
    """
    look, frame = hud.theme, shown.frame
    more = 0 if looked_at else int(frame.pairs.meets.sum()) - len(shown.pairs)
    answers = _shortened(shown.pairs, lambda p: headline(p.state), "pairs", more)
    if looked_at and not shown.pairs:
        answers = [f"{'/'.join(looked_at)}  no pair is reported"]
    heading = f"frame {frame.index}    t = {frame.time:.3f}"
    lines = [(heading, theme.TITLE_SIZE, look.ink, True)]
    lines += [(line, theme.TEXT_SIZE, look.faint_ink, False) for line in answers]
    story = _shortened(events, str, "events")
    lines += [(line, theme.TEXT_SIZE, look.ink, True) for line in story]
    margin = theme.MARGIN * hud.ratio
    boxes, top = [], hud.size[1] - margin
    room = hud.size[0] - 2 * margin
    for words, points, ink, bold in lines:
        text = hud.fit(hud.text(words, points, ink, bold=bold), room)
        boxes.append(hud.write(margin, top - hud.measure(text)[1], text))
        top = boxes[-1][1] - 7 * hud.ratio
    right = max(box[2] for box in boxes)
    return [0.0, boxes[-1][1], right, float(hud.size[1])]


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
    items, spans = [], shown.spans
    if any(state.distance > 0.0 for state in spans):
        items.append(Swatch("distance", ((_SPAN, look.regime("separated")),)))
    deep = [state for state in spans if state.distance < 0.0]
    exact = [state for state in deep if not overlap_text(state)]
    if exact:
        movers = {state.b.name for state in exact}
        who = short(movers.pop()) if len(movers) == 1 else "the second body"
        words = f"depth: {who} moves so to part"
        items.append(Swatch(words, ((_WAY, look.regime("penetrating")),)))
    if len(exact) < len(deep):
        items.append(Swatch("overlap: between two bounds, where surfaces cross"))
    if shown.trails:
        cold = (
            "" if any(walk.told.before for walk in shown.trails) else ", from nothing"
        )
        words = f"tried by the search, in order{cold}"
        items.append(Swatch(words, ((_PATH, look.trail),)))
    parts = [whole_name(short(body), short(part)) for body, part, _ in shown.tints]
    items += [Swatch(x, ((_BODY, look.part(k)),)) for k, x in enumerate(parts[:_PARTS])]
    items += [Swatch(f"{len(parts) - _PARTS} more parts")] * (len(parts) > _PARTS)
    return items + [Swatch(f"{name}: {SAID[name]['none']}") for name in shown.empty]


def steps_of(shown: Shown) -> list[str]:
    """Write the steps of the first search, of many the first ones and the last."""
    steps = shown.trails[0].told.steps if shown.trails else ()
    lines = [f"{k}  {step.text}" for k, step in enumerate(steps, 1)]
    if len(lines) > _STEPS:
        lines[_STEPS - 2 : -1] = [f"... {len(lines) - _STEPS + 1} more steps"]
    return lines


def write_legend(hud: Hud, shown: Shown, bar: float) -> Box:
    """Write the legend in as many rows as it takes; return the corner it takes."""
    r, boxes, look = hud.ratio, list[list[float]](), hud.theme
    left, bottom = theme.MARGIN * r, theme.MARGIN * r + bar
    right = hud.size[0] - theme.MARGIN * r
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
        boxes.append(hud.write(left, bottom, hud.fit(text, right - left)))
        bottom += _STEP * r
    for row in reversed(rows):
        x = left
        for run in row:
            boxes.append(hud.write(x, bottom, *run))
            x = boxes[-1][2] + _BETWEEN * r
        bottom += 1.6 * theme.TEXT_SIZE * r
    return [0.0, 0.0, *np.max(boxes, axis=0)[2:].tolist()]


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


def place(
    requests: Sequence[LabelRequest],
    size: tuple[int, int],
    boxes: Floats,
    dots: Floats,
    *,
    scale: float = 1.0,
    last: Sequence[LabelPlace] = (),
) -> list[LabelPlace]:
    """Place texts, the most important first, each at the cheapest of 448 spots.

    None covers ``boxes`` (left, bottom, right, top) or pixels ``dots`` where there is
    room elsewhere. Each stays where it was ``last`` about its anchor while that is
    free.
    """
    taken, dots = boxes.reshape(-1, 4), dots.reshape(-1, 2)
    spots = [some.spot for some in last]
    spots = spots if len(spots) == len(requests) else [-1] * len(requests)
    placed: list[LabelPlace] = []
    for request, was in zip(requests, spots, strict=True):
        start, box, cost = _spots(request, scale)
        end = np.clip(start, box[:, :2], box[:, 2:])
        gap = _GAP * scale * np.array([-1, -1, 1, 1])
        # what stays where it was is not compared with all others
        for some in (np.arange(len(box))[[was]], np.arange(len(box))):
            at, to, rim = start[some], end[some], box[some]
            price = cost[some] + 10 * _MARKED * ((at < 0) | (at > size)).any(axis=1)
            outside = np.maximum(-rim[:, :2], rim[:, 2:] - size) > -_GAP * scale
            price += _GONE * outside.sum(axis=1)
            price += _WRITTEN * _meets(rim + gap, taken).sum(axis=1)
            price += _MARKED * _meets(rim + 2 * gap, dots[:, [0, 1, 0, 1]]).sum(axis=1)
            price += _MARKED * _cross(at, to, taken).any(axis=1)
            k = int(some[np.argmin(price)])
            if was >= 0 and price.min() < _MARKED:
                break
        placed.append(LabelPlace(box[k], start[k], end[k], k))
        leader = (1 - _LEADER) * start[k] + _LEADER * end[k]
        taken, dots = np.vstack([taken, box[k]]), np.concatenate([dots, leader])
    return placed


def _spots(request: LabelRequest, scale: float) -> tuple[Floats, Floats, Floats]:
    """Return where leaders start, (n, 2), the boxes, (n, 4), and what each costs."""
    some = np.linspace(0, len(request.anchors) - 1, _ANCHORS).round().astype(int)
    # the box hangs on the leader: its half extent is added in the leader's direction;
    # on whole pixels, so that a text that goes along stays the same
    half = np.array(request.size) / 2
    offset = np.rint(_REACH[..., None] * scale * WAYS + WAYS * half)
    start = np.repeat(request.anchors[some], offset[..., 0].size, axis=0)
    centre = start + np.tile(offset.reshape(-1, 2), (_ANCHORS, 1))
    cost = 0.6 * _REACH - 60.0 * (WAYS @ request.prefer) + 60.0
    box = np.concatenate([centre - half, centre + half], axis=1)
    return start, box, np.tile(cost.ravel(), _ANCHORS)


def _meets(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Tell which of m other boxes each of n boxes meets, (n, m)."""
    (left, low, right, top), (x, y, u, v) = boxes.T[..., None], others.T[:, None]
    return np.asarray((left < u) & (right > x) & (low < v) & (top > y))


def _cross(start: Floats, end: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Tell which of m boxes each of n straight lines enters, (n, m)."""
    at, way = start[:, None], (end - start)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (boxes[:, :2] - at) / way, (boxes[:, 2:] - at) / way
    first = np.fmax.reduce(np.minimum(one, other), axis=-1)
    last = np.fmin.reduce(np.maximum(one, other), axis=-1)
    return np.asarray(np.fmax(first, 0.0) <= np.fmin(last, 1.0))
