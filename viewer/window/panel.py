"""The story beside the picture: what happened, what happens now, what comes."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from viewer import theme
from viewer.drawing.hud import Hud
from viewer.gl import require_pyvista
from viewer.layout.words import brief
from viewer.window.charts import Charts

if TYPE_CHECKING:
    from sim import Event
    from viewer.playing.timeline import Timeline

WIDTH = 330.0  # pixels of the finished picture
_LINE = 1.45  # of the size of a text
_LETTERS, _BOLD = 38, 35  # that fit on a line
_WIDE, _PAD = 310.0, 8.0  # pixels of the sheet, and between its rim and its text
_SIDE = 10.0  # pixels, left and right of the plots
_TALL = 0.2  # of the height, each plot


class Panel:
    """Story and plots in a part of the window of their own.

    What was drawn stays there: it is drawn again only when something changed.

    Parameters
    ----------
    plotter : pyvista.Plotter
    look : Theme
    bottom : float
        Pixels along the lower edge that stay free.

    Attributes
    ----------
    hud : Hud
        For whatever else is written there; begun by `begin`.
    """

    def __init__(self, plotter: Any, look: theme.Theme, bottom: float) -> None:
        self._window, self._bottom = plotter.render_window, bottom
        self._renderer = require_pyvista().Renderer(plotter, border=False)
        self._renderer.InteractiveOff()
        self._renderer.GetCullers().RemoveAllItems()
        self._window.AddRenderer(self._renderer)
        self._window.AddObserver("WindowResizeEvent", self._lost)
        background = plotter.renderer
        self._renderer.SetBackground(background.GetBackground())
        self._renderer.SetBackground2(background.GetBackground2())
        self._renderer.SetGradientBackground(background.GetGradientBackground())
        self.hud = Hud(self._renderer, 1.0, look)
        self._high = self._window.GetSize()[1]  # of the window that plots stand in
        self._charts = Charts(self._renderer, self._places(), look, _TALL * self._high)
        self._renderer.SetDraw(False)
        self._axes: list[float] = []

    @property
    def low(self) -> float:
        """How high the plots reach, in pixels."""
        return self._bottom + 16 + 2 * _TALL * float(self._window.GetSize()[1])

    def begin(self, *, shown: bool) -> None:
        """Take the right side of the window, or leave it; begin to write."""
        share = WIDTH / self._window.GetSize()[0] if shown else 0.0
        place = (1.0 - share, 0.0, 1.0, 1.0)
        if self._renderer.GetViewport() != place:
            self._renderer.SetViewport(*place)
            self._renderer.SetDraw(shown)
        if shown and self._high != self._window.GetSize()[1]:
            self._high = self._window.GetSize()[1]
            self._charts.place(self._places(), _TALL * self._high)
        self.hud.begin()

    def finish(self, timeline: "Timeline", left: float, bottom: float) -> None:
        """Write the story above what was written, and plot what happened.

        Parameters
        ----------
        timeline : Timeline
        left, bottom : float
            Where the story ends, in pixels of the window.
        """
        height = float(self._window.GetSize()[1])
        write_story(self.hud, timeline, left, height - theme.MARGIN, bottom)
        stale = self.hud.finish()
        if self._charts.update(timeline) or stale:
            self._renderer.SetDraw(True)

    @property
    def stale(self) -> bool:
        """Whether it is to be drawn once more, though nothing changes."""
        return bool(self._renderer.GetDraw())

    def rest(self) -> None:
        """Leave what was drawn as it is, until something changes.

        Plots whose axes are new are drawn twice: VTK makes room for the numbers of an
        axis when it has drawn them once.
        """
        if not self._renderer.GetDraw():
            return
        axes = self._charts.axes()
        if axes == self._axes:
            self._renderer.SetDraw(False)
        else:
            self._axes = axes
            self._charts.lay_out()

    def close(self) -> None:
        """Let go of the plots."""
        self._renderer.deep_clean()

    def _places(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        share, low = _SIDE / WIDTH, (self._bottom + 8) / self._high
        wide = 1.0 - 2 * share
        return (share, low + _TALL, wide, _TALL), (share, low, wide, _TALL)

    def _lost(self, *_: object) -> None:
        """Draw everything again: a window of another size begins empty."""
        self._renderer.SetDraw(True)


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
    room = int((top - bottom) / step) - 2
    told, position = around(timeline, room), timeline.position
    when = tuple((k > position) - (k < position) for k, _ in told)
    alone = timeline.frame is not None and len(timeline.frame.bodies) == 2

    def write() -> None:
        look, x = hud.theme, left + _PAD
        hud.framed([left, bottom - _PAD, left + _WIDE, top + 2], look.faint_ink)
        _line(hud, "Story", x, top - step, colour=look.ink, bold=True)
        if not told:
            _line(hud, "no events yet", x, top - 2 * step, colour=look.faint_ink)
        for row, (order, (_, event)) in enumerate(zip(when, told, strict=True)):
            y = top - (row + 2) * step
            if order == 0:
                box = [left + 2, y - 3, left + _WIDE - 2, y + step - 4]
                hud.rectangle(box, look.mark)
            colour = look.ink if order <= 0 else look.faint_ink
            words = brief(str(event), _LETTERS if order else _BOLD, alone=alone)
            _line(hud, words, x, y, colour=colour, bold=order == 0)

    events = tuple(event for _, event in told)
    hud.once("story", (events, when, left, top, bottom, alone), write)


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
