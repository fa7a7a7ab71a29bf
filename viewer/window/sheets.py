"""Write lines on a sheet of paper: what is chosen, the story, what went wrong."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from sim import Event
from viewer import theme
from viewer.drawing.glyphs import Names, concerns
from viewer.drawing.hud import Hud
from viewer.theme import Rgb
from viewer.timeline import Timeline, words_of

SMALL = theme.TEXT_SIZE - 1
_STEP = 1.4  # from line to line, in sizes of the text
LINE = _STEP * SMALL


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
