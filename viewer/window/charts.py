"""Distance and work over time, beside the picture."""

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim import RecordingError
from viewer.gl import require_pyvista
from viewer.theme import blended

if TYPE_CHECKING:
    from sim import Frame
    from viewer.playing.timeline import Timeline
    from viewer.theme import Theme

SPAN = 240  # frames that are plotted
_TITLES = "signed distance", "steps of the search"
_SHORT_TITLES = "distance", "steps"
_ROOM = 130.0  # pixels of height that the longer titles need
_GRID = 0.8  # how far its lines go towards the paper
_AT_ONCE = 8  # frames that are read for the plots while one is drawn: they fill up


class Charts:
    """Two plots: signed distance of every drawn pair's nearest, work of all pairs.

    Parameters
    ----------
    renderer : pyvista.Plotter or Renderer
    places : two of (left, bottom, width, height)
        In fractions of what it draws into.
    look : Theme
    tall : float
        Pixels of height of each; low ones have shorter titles.
    """

    def __init__(
        self,
        renderer: Any,
        places: tuple[tuple[float, ...], tuple[float, ...]],
        look: "Theme",
        tall: float = _ROOM,
    ) -> None:
        pyvista = require_pyvista()
        self._told: dict[int, tuple[float, float, float]] = {}
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

    def update(self, timeline: "Timeline") -> bool:
        """Plot the frames up to the present one; tell whether the plots are new."""
        if timeline.frame is None:
            return False
        low = timeline.position - SPAN
        self._read(timeline, max(low, timeline.source.first))
        for k in [k for k in self._told if k < low - SPAN]:
            del self._told[k]
        known = [k for k in sorted(self._told) if k >= low]
        if not known:
            return False
        rows = np.array([self._told[k] for k in known[: SPAN + 1]])
        now = timeline.frame.time
        for column, (line, mark) in enumerate(zip(self._lines, self._now, strict=True)):
            some = rows[np.isfinite(rows[:, column + 1])]
            self._charts[column].visible = len(some) > 0
            if len(some):
                line.show(some[:, 0], some[:, column + 1])
                mark.show([now, now], reach(some[:, column + 1]))
        self.lay_out()
        return True

    def place(
        self, places: tuple[tuple[float, ...], tuple[float, ...]], tall: float
    ) -> None:
        """Put the plots elsewhere, so many pixels high each; see the class."""
        titles = _TITLES if tall >= _ROOM else _SHORT_TITLES
        for chart, title, (left, bottom, width, height) in zip(
            self._charts, titles, places, strict=True
        ):
            chart.loc, chart.size = (left, bottom), (width, height)
            chart.y_label = title

    def lay_out(self) -> None:
        """Fit the axes to the numbers when they are drawn next."""
        for chart in self._charts:
            chart.RecalculateBounds()

    def axes(self) -> list[float]:
        """Return where all axes begin and end."""
        axes = [axis for c in self._charts for axis in (c.x_axis, c.y_axis)]
        return [end for a in axes for end in (a.GetMinimum(), a.GetMaximum())]

    def _read(self, timeline: "Timeline", low: int) -> None:
        """Look at frames that are plotted and were not looked at, newest first."""
        missing = (k for k in range(timeline.position, low - 1, -1))
        missing = (k for k in missing if k not in self._told and k not in self._lost)
        for k in islice(missing, _AT_ONCE):
            try:
                self._told[k] = told(timeline.source[k])
            except RecordingError:  # the timeline says so when it is to be shown
                self._lost.add(k)


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
    """Return the least and the greatest value, a little apart where they are one.

    VTK turns an axis upside down that has one value alone, below zero.
    """
    low, high = float(values.min()), float(values.max())
    if low < high:
        return low, high
    return (0.9 * low, 1.1 * high) if low > 0.0 else (1.1 * low, 0.9 * high or 1.0)


def told(frame: "Frame") -> tuple[float, float, float]:
    """Return the time, the least signed distance and the steps of all searches.

    Where no pair is reported there is no distance: NaN.
    """
    least = min((state.distance for state in frame.pairs), default=np.nan)
    return frame.time, least, float(sum(state.work.steps for state in frame.pairs))
