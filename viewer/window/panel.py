"""The story beside the picture: what happened, what happens now, what comes."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer import theme
from viewer.drawing.hud import Hud
from viewer.layout.words import brief

if TYPE_CHECKING:
    from sim import Event
    from viewer.playing.timeline import Timeline

WIDTH = 330.0  # pixels of the finished picture
_LINE = 1.45  # of the size of a text
_LETTERS, _BOLD = 38, 35  # that fit on a line
_WIDE, _PAD = 310.0, 8.0  # pixels of the sheet, and between its rim and its text


def write_story(
    hud: Hud, timeline: "Timeline", left: float, top: float, bottom: float
) -> None:
    """Write the events around the present frame, the present ones marked.

    Parameters
    ----------
    hud : Hud
        Already begun.
    timeline : Timeline
    left, top, bottom : float
        Where, in pixels.
    """
    step = _LINE * theme.TEXT_SIZE
    hud.framed([left, bottom - _PAD, left + _WIDE, top + 2], hud.theme.faint_ink)
    left += _PAD
    _line(hud, "Story", left, top - step, colour=hud.theme.ink, bold=True)
    room = int((top - bottom) / step) - 2
    alone = timeline.frame is not None and len(timeline.frame.bodies) == 2
    shown = around(timeline, room)
    if not shown:
        faint = hud.theme.faint_ink
        _line(hud, "no events yet", left, top - 2 * step, colour=faint)
    for row, (k, event) in enumerate(shown):
        y = top - (row + 2) * step
        now = k == timeline.position
        if now:
            hud.rectangle(
                [left - _PAD + 2, y - 3, left + _WIDE - _PAD - 2, y + step - 4],
                hud.theme.mark,
            )
        colour = hud.theme.ink if k <= timeline.position else hud.theme.faint_ink
        words = brief(str(event), _BOLD if now else _LETTERS, alone=alone)
        _line(hud, words, left, y, colour=colour, bold=now)


def around(timeline: "Timeline", room: int) -> Sequence[tuple[int, "Event"]]:
    """Choose as many events as there is room for, with their places.

    Those of the present frame are among them, the newest ones before, and a third of
    the room is for what comes, where that is known.
    """
    events = timeline.source.events()
    past = bisect_right(events, timeline.position, key=lambda placed: placed[0])
    last = min(len(events), max(past + room // 3, room))
    return [events[k] for k in range(max(0, last - room), last)]


def _line(
    hud: Hud,
    words: str,
    left: float,
    bottom: float,
    *,
    colour: theme.Rgb,
    bold: bool = False,
) -> None:
    hud.put(hud.text(words, theme.TEXT_SIZE - 1, colour, bold=bold), left, bottom)
