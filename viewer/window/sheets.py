"""Write lines on a sheet of paper: what is chosen, the story, what went wrong."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from sim import Event, Frame
from viewer import theme
from viewer.drawing.glyphs import Names, concerns
from viewer.drawing.hud import Hud
from viewer.drawing.words import short
from viewer.theme import Rgb
from viewer.timeline import Timeline, words_of
from viewer.window.hands import Hands
from wingedge import neighbours
from wingedge.faces import has_feature
from wingedge.graph import corners_of
from wingedge.tables import Floats

SIZE = theme.TEXT_SIZE - 1
LINE = 1.4 * SIZE
_MOST = 8  # neighbours and corners that are named


class SheetLine(NamedTuple):
    """One line; bold for what it is about, faint for what is not so yet."""

    words: str
    bold: bool = False
    faint: bool = False
    marked: bool = False  # for what is now


def write_sheet(
    hud: Hud,
    lines: Sequence[SheetLine],
    place: tuple[float, float, float],
    ink: Rgb | None = None,
    top: float | None = None,
) -> float:
    """Write lines from a left and a lower edge on, so wide; return the upper edge.

    A sheet that has a ``top`` of its own reaches there; its rim and words may have an
    ``ink`` of their own.
    """
    (left, low, wide), look = place, hud.theme
    high = low + (len(lines) + 0.8) * LINE if top is None else top
    hud.framed([left, low, left + wide, high], ink or look.faint_ink)
    for row, line in enumerate(lines):
        y = high - (row + 1.2) * LINE
        if line.marked:
            hud.rectangle([left + 2, y - 3, left + wide - 2, y + LINE - 4], look.mark)
        tone = ink or (look.faint_ink if line.faint else look.ink)
        text = hud.text(line.words, SIZE, tone, bold=line.bold)
        hud.put(hud.fit(text, wide - 20), left + 10, y)
    return high


def story(timeline: Timeline, room: int, looked_at: Names = ()) -> list[SheetLine]:
    """Tell of what is looked at, in so many lines, a third for what is to come.

    What happens in the present frame is marked, the newest until now is bold.
    """
    events, here = timeline.source.events(), timeline.position
    past = bisect_right(events, here, key=itemgetter(0))

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


def sheet(hands: Hands, frame: Frame) -> list[SheetLine]:
    """Write where the chosen body and its feature are, and what is beside that."""
    body = next((body for body in frame.bodies if body.name == hands.chosen), None)
    if body is None:
        return []
    points, feature = body.world_points(), hands.feature
    size = float(np.ptp(points, axis=0).max())
    state = "held" if hands.holds else "chosen"
    lines = [SheetLine(f"{short(body.name)}, {state}", bold=True)]
    words = [f"at {_numbers(body.pose.translation, size, 4)}"]
    words += ["slides along other bodies"] * hands.slides
    if feature is not None and not has_feature(body.mesh, feature):
        words.append(f"{feature} is gone")  # the mesh was edited meanwhile
    elif feature is not None:
        beside = " ".join(map(str, neighbours(body.mesh, feature)[:_MOST]))
        words += [f"{feature.kind} {feature}", f"beside it {beside}"]
        corners = points[corners_of(body.mesh, feature)][:_MOST]
        words += [f"  {_numbers(corner, size, 5)}" for corner in corners]
    return [*lines, *map(SheetLine, words)]


def _numbers(place: Floats, size: float, digits: int) -> str:
    """Write coordinates with so many digits; below 1e-9 of the size is zero."""
    rounded = [0.0 if abs(x) < 1e-9 * size else x for x in place.tolist()]
    return "  ".join(f"{x:.{digits}g}" for x in rounded)
