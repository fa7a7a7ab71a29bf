"""Write lines on a sheet of paper: what is chosen, the story, what went wrong."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from sim import Event, Frame
from sim.frame import BodySnapshot
from viewer import theme
from viewer.drawing.glyphs import Names, concerns, distance_text, pairs_of
from viewer.drawing.hud import Hud
from viewer.theme import Rgb
from viewer.timeline import Timeline, words_of
from viewer.window.hands import Hands
from wingedge import Feature, neighbours
from wingedge.faces import has_feature
from wingedge.graph import corners_of
from wingedge.tables import Floats

SMALL = theme.TEXT_SIZE - 1
_STEP = 1.4  # from line to line, in sizes of the text
LINE = _STEP * SMALL
LETTERS = 40  # that fit on a line of what is chosen


class SheetLine(NamedTuple):
    """One line; bold for what it is about, loud for what went wrong."""

    words: str
    bold: bool = False
    loud: bool = False
    faint: bool = False  # for what is not so yet
    marked: bool = False  # for what is now


def write_sheet(
    hud: Hud,
    lines: Sequence[SheetLine],
    place: tuple[float, float, float],
    size: int = SMALL,
    rim: Rgb | None = None,
    top: float | None = None,
) -> float:
    """Write lines from a left and a lower edge on, so wide; return the upper edge.

    A sheet that has a ``top`` of its own reaches there, its lines begin there.
    """
    (left, low, wide), look, step = place, hud.theme, _STEP * size
    high = low + (len(lines) + 0.8) * step if top is None else top
    hud.framed([left, low, left + wide, high], rim or look.faint_ink)
    for row, line in enumerate(lines):
        y = high - (row + 1.2) * step
        if line.marked:
            hud.rectangle([left + 2, y - 3, left + wide - 2, y + step - 4], look.mark)
        ink = look.trouble if line.loud else look.faint_ink if line.faint else look.ink
        hud.put(hud.text(line.words, size, ink, bold=line.bold), left + 10, y)
    return high


def story(timeline: Timeline, room: int, looked_at: Names = ()) -> list[SheetLine]:
    """Tell of what is looked at, in so many lines, a third for what is to come.

    What happens in the present frame is marked, the newest until now is bold.
    """
    events, here = timeline.source.events(), timeline.position
    past = bisect_right(events, here, key=lambda placed: placed[0])

    def told(places: Iterable[int]) -> list[tuple[int, Event]]:
        own = (events[k] for k in places if concerns(events[k][1], looked_at))
        return list(islice(own, room))

    before, after = told(range(past - 1, -1, -1))[::-1], told(range(past, len(events)))
    rows = [*before, *after[: max(room // 3, room - len(before))]][-room:]
    last = before[-1][0] if before else -1
    return [
        SheetLine(words_of(event), bold=k == last, faint=k > here, marked=k == here)
        for k, event in rows
    ] or [SheetLine("nothing happened yet", faint=True)]


def reasons(frame: Frame, body: str, feature: Feature) -> list[str]:
    """Say for each pair of a body whether a feature is the closest, nearest first.

    If it is not: how far it lies behind the closest point, along the normal.
    """
    rows = np.flatnonzero(pairs_of(frame, (body,)))
    told = []
    for row in rows[np.argsort(frame.pairs.distance[rows], kind="stable")].tolist():
        state = frame.pairs[row]
        state = state if state.a.name == body else state.swapped()
        parts, partner = state.parts_a, state.b.name
        if feature in parts:
            told.append(f"the closest to {partner}: {distance_text(state)}")
            if len(parts) > 1:
                told.append(f"level with {len(parts) - 1} more, as {parts[0]}")
            continue
        snapshot = frame.body(body)
        corners = snapshot.world_points()[corners_of(snapshot.mesh, feature)]
        behind = -float(((corners - state.point_a) @ state.normal).max())
        where = "behind" if behind >= 0.0 else "beyond"
        told.append(
            f"not the closest to {partner}: {abs(behind):.4g} {where} {parts[0]}"
        )
    return told or ["no other body is reported near it"]


def sheet(hands: Hands, frame: Frame, room: int = 99) -> list[SheetLine]:
    """Write what is chosen and what its feature says, in as many lines as fit.

    What tells least comes last: numbers that do not fit are left out.
    """
    body = next((body for body in frame.bodies if body.name == hands.chosen), None)
    bad = hands.said.startswith(("not ", "no "))
    said = [SheetLine(line, loud=bad) for line in _wrapped(hands.said)]
    if body is None:
        return said
    state = "held" if hands.holds else "chosen"
    size = float(np.ptp(body.world_points(), axis=0).max())
    told = [f"at {_numbers(body.pose.translation, size, 4)}"]
    if hands.slides:
        told.append("slides along other bodies")
    lines = [
        SheetLine(f"{body.name}, {state}", bold=True),
        *map(SheetLine, told),
        *said,
    ]
    if hands.feature is not None:
        lines += _feature_lines(frame, body, hands.feature, size)
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], SheetLine("…")]


def _feature_lines(
    frame: Frame, body: BodySnapshot, feature: Feature, size: float
) -> list[SheetLine]:
    """Say why a feature is the closest or is not, its neighbours, and where it is."""
    if not has_feature(body.mesh, feature):  # the mesh was edited meanwhile
        return [SheetLine(f"{feature} is gone", bold=True)]
    corners = body.world_points()[corners_of(body.mesh, feature)]
    beside = [str(other) for other in neighbours(body.mesh, feature)]
    more = f" and {len(beside) - 10} more" if len(beside) > 10 else ""
    words = [*reasons(frame, body.name, feature)]
    words.append(f"beside it {' '.join(beside[:10])}{more}")
    told = [line for each in words for line in _wrapped(each)]
    told += [f"  {_numbers(corner, size, 5)}" for corner in corners[:4]]
    told += [f"  and {len(corners) - 4} corners more"] if len(corners) > 4 else []
    return [SheetLine(f"{feature.kind} {feature}", bold=True), *map(SheetLine, told)]


def _numbers(place: Floats, size: float, digits: int) -> str:
    """Write coordinates with so many digits; below 1e-9 of the size is zero."""
    rounded = [0.0 if abs(x) < 1e-9 * size else x for x in place.tolist()]
    return "  ".join(f"{x:.{digits}g}" for x in rounded)


def _wrapped(words: str) -> list[str]:
    """Break a text into lines of the sheet, between words; no line for no text."""
    return wrap(words, LETTERS, break_long_words=False, break_on_hyphens=False)[:8]
