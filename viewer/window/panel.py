"""Write the story and draw the plots beside the picture."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim import Event, Frame, RecordingError
from viewer import theme
from viewer.drawing.glyphs import Names, concerns, pairs_of, pairs_with
from viewer.drawing.hud import Hud
from viewer.drawing.words import brief, short
from viewer.gl import require_pyvista
from viewer.theme import Theme, blended
from viewer.timeline import Timeline, words_of

SPAN = 240  # frames that are plotted
_SECOND = {  # title of the second plot, and where there is little room
    "steps": ("steps of the search", "steps"),
    "depth": ("depth", "depth"),
    "contacts": ("pairs in contact", "contacts"),
}
_ROOM = 130.0  # pixels of height that the longer titles need
_GRID = 0.8  # how far its lines go towards the paper
_AT_ONCE = 8  # frames that are read for the plots while one is drawn: they fill up


class Charts:
    """Two plots: least signed distance, and depth, number of contacts, or work.

    Of the body or the pair that is looked at, else of all pairs in which something
    moves. Depth is plotted of a single pair that overlaps, steps where asked for.
    """

    def __init__(
        self,
        renderer: Any,
        places: tuple[tuple[float, ...], tuple[float, ...]],
        look: Theme,
        tall: float = _ROOM,
    ) -> None:
        pyvista = require_pyvista()
        self._told: dict[int, Plotted] = {}
        self._about: tuple[Names, frozenset[str], bool] = (), frozenset(), False
        self._titles: tuple[str, ...] = ()
        self._tall = tall
        self.fills = False  # whether frames are left to be read
        self._lost: set[int] = set()  # places of damaged frames
        self._charts = []
        for left, bottom, width, height in places:
            chart = pyvista.Chart2D(
                size=(width, height), loc=(left, bottom), x_label="time", y_label=""
            )
            chart.background_color = look.paper
            chart.border_color = look.faint_ink
            for axis in (chart.x_axis, chart.y_axis):
                axis.label_size, axis.tick_label_size = 12, 11
                axis.pen.color = look.ink
                axis.grid_pen.color = blended(look.faint_ink, look.paper, _GRID)
                axis.GetTitleProperties().SetColor(*(c / 255 for c in look.ink))
                axis.GetLabelProperties().SetColor(*(c / 255 for c in look.ink))
            renderer.add_chart(chart)
            self._charts.append(chart)
        self.place(places, tall)
        blue = tuple(c / 255 for c in look.bodies[0].feature)
        grey = tuple(c / 255 for c in look.faint_ink)
        self._lines = [_Line(chart, SPAN + 1, blue, 1.5) for chart in self._charts]
        self._now = [_Line(chart, 2, grey, 1.0) for chart in self._charts]

    def update(
        self,
        timeline: Timeline,
        looked_at: Names = (),
        movers: Collection[str] = (),
        *,
        steps: bool = False,
    ) -> bool:
        """Plot the frames up to the present one; tell whether the plots are new."""
        if timeline.frame is None:
            return False
        about = looked_at, frozenset(() if looked_at else movers), steps
        if about != self._about:
            self._about = about
            self._told.clear()
        low = timeline.position - SPAN
        self._read(timeline, max(low, timeline.source.first))
        for k in [k for k in self._told if k < low - SPAN]:
            del self._told[k]
        known = [k for k in sorted(self._told) if k >= low]
        if not known:
            return False
        rows = np.array([self._told[k] for k in known[: SPAN + 1]])
        single = len(looked_at) == 2 or len(timeline.frame.bodies) == 2
        second = "depth" if single and (rows[:, 2] > 0.0).any() else "contacts"
        second = "steps" if steps else second
        self._name(second)
        now, columns = timeline.frame.time, (1, Plotted._fields.index(second))
        for k, (line, mark) in enumerate(zip(self._lines, self._now, strict=True)):
            some = rows[np.isfinite(rows[:, columns[k]])]
            self._charts[k].visible = len(some) > 0
            if len(some):
                line.show(some[:, 0], some[:, columns[k]])
                mark.show([now, now], reach(some[:, columns[k]]))
        self.lay_out()
        return True

    def place(
        self, places: tuple[tuple[float, ...], tuple[float, ...]], tall: float
    ) -> None:
        """Put the plots elsewhere, so many pixels high each; see the class."""
        for chart, (left, bottom, width, height) in zip(
            self._charts, places, strict=True
        ):
            chart.loc, chart.size = (left, bottom), (width, height)
        self._tall, self._titles = tall, ()

    def _name(self, second: str) -> None:
        """Say what the plots are of, where that changed."""
        low = self._tall < _ROOM
        titles = "distance" if low else "signed distance", _SECOND[second][low]
        if titles != self._titles:
            self._titles = titles
            for chart, title in zip(self._charts, titles, strict=True):
                chart.y_label = title

    def lay_out(self) -> None:
        """Fit the axes to the numbers when they are drawn next."""
        for chart in self._charts:
            chart.RecalculateBounds()

    def axes(self) -> list[float]:
        """Return where all axes begin and end."""
        axes = [axis for c in self._charts for axis in (c.x_axis, c.y_axis)]
        return [end for a in axes for end in (a.GetMinimum(), a.GetMaximum())]

    def _read(self, timeline: Timeline, low: int) -> None:
        """Look at frames that are plotted and were not looked at, newest first."""
        missing = (k for k in range(timeline.position, low - 1, -1))
        missing = (k for k in missing if k not in self._told and k not in self._lost)
        for k in islice(missing, _AT_ONCE):
            try:
                self._told[k] = row_of(timeline.source[k], *self._about)
            except RecordingError:  # the timeline says so when it is to be shown
                self._lost.add(k)
        self.fills = next(missing, None) is not None


class _Line:
    """A line of at most so many points, whose numbers are overwritten in place."""

    def __init__(
        self, chart: Any, room: int, colour: tuple[float, ...], width: float
    ) -> None:
        pyvista = require_pyvista()
        vtk = pyvista._vtk
        some = np.zeros(2)  # pyvista hides what is one point
        self._plot = chart.line(some, some, color=colour, width=width)
        self._x, self._y = np.zeros(room), np.zeros(room)
        self._table = vtk.vtkTable()
        for name, numbers in (("x", self._x), ("y", self._y)):
            self._table.AddColumn(pyvista.convert_array(numbers, name=name))
        self._plot.SetInputData(self._table, "x", "y")

    def show(self, x: ArrayLike, y: ArrayLike) -> None:
        """Draw a line through these points; the room that is left repeats the last."""
        for target, given in ((self._x, x), (self._y, y)):
            numbers = np.asarray(given, dtype=np.float64)
            target[: len(numbers)] = numbers
            target[len(numbers) :] = numbers[-1]
        for column in range(2):
            self._table.GetColumn(column).Modified()
        self._table.Modified()
        self._plot.Modified()


def reach(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the least and the greatest value, apart: else VTK may flip its axis."""
    low, high = float(values.min()), float(values.max())
    if low < high:
        return low, high
    return (0.9 * low, 1.1 * high) if low > 0.0 else (1.1 * low, 0.9 * high or 1.0)


class Plotted(NamedTuple):
    """What is plotted of one frame."""

    time: float
    distance: float  # the least; NaN where there is no pair
    depth: float
    contacts: int  # pairs that are not separated
    steps: int  # of all searches, where it was asked for


def row_of(
    frame: Frame,
    looked_at: Names = (),
    movers: Collection[str] = (),
    steps: bool = False,
) -> Plotted:
    """Measure a frame: what is looked at, or all pairs in which something moves."""
    pairs = frame.pairs
    if not len(pairs):
        return Plotted(frame.time, np.nan, 0.0, 0, 0)
    rows = pairs_of(frame, looked_at) if looked_at else pairs_with(frame, movers)
    if not looked_at and not rows.any():
        rows = ~rows
    least = float(pairs.distance[rows].min(initial=np.inf))
    least = least if rows.any() else np.nan
    found = Plotted(
        frame.time, least, max(0.0, -least), int(pairs.meets[rows].sum()), 0
    )
    if steps:  # states are decoded for it
        every = (pairs[k].work.steps for k in rows.nonzero()[0].tolist())
        found = found._replace(steps=sum(every))
    return found


WIDTH = 330.0  # pixels of the finished picture
_LINE = 1.45  # of the size of a text
_LETTERS, _BOLD = 38, 35  # that fit on a line
_WIDE, _PAD = 310.0, 8.0  # pixels of the sheet, and between its rim and its text
_SIDE = 10.0  # pixels, left and right of the plots
_TALL = 0.2  # of the height, each plot


class Panel:
    """Story and plots in a part of the window, drawn again only when they changed."""

    def __init__(self, plotter: Any, look: theme.Theme, bottom: float) -> None:
        self._window, self._bottom = plotter.render_window, bottom
        self._renderer = require_pyvista().Renderer(plotter, border=False)
        self._renderer.InteractiveOff()
        self._renderer.GetCullers().RemoveAllItems()
        self._window.AddRenderer(self._renderer)
        self._window.AddObserver("WindowResizeEvent", self._lost)
        for what in ("Background", "Background2", "GradientBackground"):
            value = getattr(plotter.renderer, f"Get{what}")()
            getattr(self._renderer, f"Set{what}")(value)
        self.hud = Hud(self._renderer, 1.0, look)
        self._high = self._window.GetSize()[1]  # of the window that plots stand in
        self._charts = Charts(self._renderer, self._places(), look, _TALL * self._high)
        self._renderer.SetDraw(False)
        self._shown = False
        self._axes: list[float] = []

    @property
    def low(self) -> float:
        """How high the plots reach, in pixels."""
        return self._bottom + 16 + 2 * _TALL * float(self._window.GetSize()[1])

    def begin(self, *, shown: bool) -> None:
        """Take the right side of the window, or leave it; begin to write."""
        self._shown = shown
        share = WIDTH / self._window.GetSize()[0] if shown else 0.0
        place = (1.0 - share, 0.0, 1.0, 1.0)
        if self._renderer.GetViewport() != place:
            self._renderer.SetViewport(*place)
            self._renderer.SetDraw(shown)
        if shown and self._high != self._window.GetSize()[1]:
            self._high = self._window.GetSize()[1]
            self._charts.place(self._places(), _TALL * self._high)
        self.hud.begin()

    def finish(
        self,
        timeline: Timeline,
        left: float,
        bottom: float,
        looked_at: Names,
        movers: Collection[str],
        *,
        steps: bool,
    ) -> None:
        """Write the story above what was written, and plot what happened."""
        top = float(self._window.GetSize()[1]) - theme.MARGIN
        write_story(self.hud, timeline, (left, bottom, top), looked_at)
        stale = self.hud.finish()
        if self._charts.update(timeline, looked_at, movers, steps=steps) or stale:
            self._renderer.SetDraw(True)

    @property
    def fills(self) -> bool:
        """Whether the plots have room for frames that were not read yet."""
        return self._shown and self._charts.fills

    @property
    def stale(self) -> bool:
        """Whether it is to be drawn once more, though nothing changes."""
        return bool(self._renderer.GetDraw())

    def rest(self) -> None:
        """Leave what was drawn as it is, until something changes.

        Plots with new axes are drawn twice: VTK makes room for numbers afterwards.
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
    hud: Hud,
    timeline: Timeline,
    place: tuple[float, float, float],
    looked_at: Names = (),
) -> None:
    """Write the events around the present frame, the present ones marked.

    ``place`` is the left, lower and upper edge; others than of what is looked at are
    not told.
    """
    step, (left, bottom, top) = _LINE * theme.TEXT_SIZE, place
    room = int((top - bottom) / step) - 2
    told, position = around(timeline, room, looked_at), timeline.position
    when = tuple((k > position) - (k < position) for k, _ in told)
    two = timeline.frame is not None and len(timeline.frame.bodies) == 2
    alone = two or len(looked_at) == 2

    def write() -> None:
        look, x = hud.theme, left + _PAD
        hud.framed([left, bottom - _PAD, left + _WIDE, top + 2], look.faint_ink)

        def line(words: str, y: float, colour: theme.Rgb, *, bold: bool) -> None:
            hud.put(hud.text(words, theme.TEXT_SIZE - 1, colour, bold=bold), x, y)

        who = short("/".join(looked_at), _BOLD - 10)
        line(f"Story of {who}" if who else "Story", top - step, look.ink, bold=True)
        if not told:
            line("no events yet", top - 2 * step, look.faint_ink, bold=False)
        for row, (order, (_, event)) in enumerate(zip(when, told, strict=True)):
            y = top - (row + 2) * step
            if order == 0:
                box = [left + 2, y - 3, left + _WIDE - 2, y + step - 4]
                hud.rectangle(box, look.mark)
            colour = look.ink if order <= 0 else look.faint_ink
            words = brief(words_of(event), _LETTERS if order else _BOLD, alone=alone)
            line(words, y, colour, bold=order == 0)

    write()


def around(
    timeline: Timeline, room: int, looked_at: Names = ()
) -> Sequence[tuple[int, "Event"]]:
    """Choose events around the present frame, a third of the room for those to come."""
    events = timeline.source.events()
    past = bisect_right(events, timeline.position, key=lambda placed: placed[0])

    def told(places: Iterable[int]) -> list[tuple[int, Event]]:
        own = (events[k] for k in places if concerns(events[k][1], looked_at))
        return list(islice(own, room))

    before, after = told(range(past - 1, -1, -1))[::-1], told(range(past, len(events)))
    return [*before, *after[: max(room // 3, room - len(before))]][-room:]
