"""Write the story and draw the plots beside the picture."""

from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from sim import Frame, RecordingError
from viewer import theme
from viewer.drawing.glyphs import Names, pairs_of
from viewer.drawing.hud import Hud
from viewer.drawing.words import brief, short
from viewer.gl import require_pyvista
from viewer.theme import Theme, blended
from viewer.timeline import Timeline
from viewer.window.sheets import LINE, SheetLine, story, write_sheet

SPAN = 240  # frames that are plotted
_BAND = 60  # opacity, to 255, of a depth that is an interval
_AT_ONCE = 8  # frames that are read for the plots while one is drawn: they fill up


class Plotted(NamedTuple):
    """What is plotted of one frame; of a damaged one nothing."""

    time: float = np.nan
    distance: float = np.nan  # the least; NaN where there is no pair
    depth: float = np.nan
    contacts: float = np.nan  # pairs that are not separated
    shallow: float = np.nan  # the least depth of an overlap that is an interval


def row_of(frame: Frame, looked_at: Names = ()) -> Plotted:
    """Measure a frame: what is looked at, or all pairs."""
    pairs = frame.pairs
    if not len(pairs):
        return Plotted(frame.time, np.nan, 0.0, 0, 0.0)
    rows = pairs_of(frame, looked_at)
    places, least, most = np.flatnonzero(rows), np.nan, np.nan
    if len(places):
        k = places[np.argmin(pairs.distance[places])]
        least, most = float(pairs.distance[k]), float(pairs.upper[k])
    depth, shallow = (float(np.fmax(0.0, -x)) for x in (least, most))
    contacts = int(pairs.meets[rows].sum())
    return Plotted(frame.time, least, depth, contacts, shallow)


class Charts:
    """Two plots: least signed distance, and depth or number of contacts.

    Of the body or the pair that is looked at, else of all pairs. Depth is plotted of a
    single pair that overlaps.
    """

    def __init__(self, renderer: Any, look: Theme) -> None:
        self._told: dict[int, Plotted] = {}
        self._about: Names = ()
        self.fills = False  # whether frames are left to be read
        self.all = [self._made(renderer, look) for _ in range(2)]
        blue, some = look.bodies[0].feature, np.arange(2.0)
        self._lines = [c.line(some, some, color=blue, width=1.5) for c in self.all]
        grey = look.faint_ink
        self._now = [c.line(some, some, color=grey, width=1.0) for c in self.all]
        # of depths that are intervals
        self._band = self.all[1].area(some, some, some, color=(*blue, _BAND))

    def update(self, timeline: Timeline, looked_at: Names = ()) -> None:
        """Plot the frames up to the present one."""
        assert timeline.frame is not None
        if looked_at != self._about:
            self._about = looked_at
            self._told.clear()
        low = timeline.position - SPAN
        self._read(timeline, max(low, timeline.source.first))
        self._told = {k: row for k, row in self._told.items() if k >= low - SPAN}
        known = [k for k in sorted(self._told) if k >= low][: SPAN + 1]
        rows = np.array([self._told[k] for k in known])
        single = len(looked_at) == 2 or len(timeline.frame.bodies) == 2
        second = "depth" if single and (rows[:, 2] > 0.0).any() else "contacts"
        parts = self.all, self._lines, self._now, ("distance", second)
        for chart, line, now, what in zip(*parts, strict=True):
            chart.y_label = what
            column = Plotted._fields.index(what)
            some = rows[np.isfinite(rows[:, column])]
            chart.visible = len(some) > 0
            if len(some):
                # VTK draws no line through a single point
                some = some if len(some) > 1 else np.repeat(some, 2, axis=0)
                line.update(some[:, 0], some[:, column])
                least, most = some[:, column].min(), some[:, column].max()
                if least == most:  # else VTK may flip the axis
                    least, most = sorted((0.9 * least, 1.1 * most or 1.0))
                now.update([timeline.frame.time] * 2, [least, most])
        self._band.visible = second == "depth"
        if self._band.visible:
            self._band.update(rows[:, 0], *rows[:, [4, 2]].T)
        self.lay_out()

    def lay_out(self) -> None:
        """Fit the axes to the numbers when they are drawn next."""
        for chart in self.all:
            chart.RecalculateBounds()

    def _read(self, timeline: Timeline, low: int) -> None:
        """Look at frames that are plotted and were not looked at, newest first."""
        places = range(timeline.position, low - 1, -1)
        missing = (k for k in places if k not in self._told)
        for k in islice(missing, _AT_ONCE):
            try:
                self._told[k] = row_of(timeline.source[k], self._about)
            except RecordingError:  # the timeline says so when it is to be shown
                self._told[k] = Plotted()
        self.fills = next(missing, None) is not None

    @staticmethod
    def _made(renderer: Any, look: Theme) -> Any:
        chart = require_pyvista().Chart2D(x_label="time", y_label="")
        chart.background_color, chart.border_color = look.paper, look.faint_ink
        for axis in (chart.x_axis, chart.y_axis):
            axis.label_size, axis.tick_label_size = 12, 11
            axis.pen.color = look.ink
            axis.grid_pen.color = blended(look.faint_ink, look.paper, 0.8)
            for words in (axis.GetTitleProperties(), axis.GetLabelProperties()):
                words.SetColor(*(c / 255 for c in look.ink))
        renderer.add_chart(chart)
        return chart


WIDTH = 330.0  # pixels of the finished picture
_LETTERS, _BOLD = 38, 35  # that fit on a line
_WIDE, _PAD = 310.0, 8.0  # pixels of the sheet, and between its rim and its text
_SIDE = 10.0  # pixels, left and right of the plots
_TALL = 0.2  # of the height, each plot


class Panel:
    """Story and plots in a part of the window, drawn again only when they changed."""

    def __init__(self, plotter: Any, look: Theme, bottom: float) -> None:
        self._window, self._bottom = plotter.render_window, bottom
        self._left, self.shown = 0, False  # _left: how often it is to be drawn
        self._renderer = require_pyvista().Renderer(plotter, border=False)
        self._renderer.InteractiveOff()
        self._renderer.GetCullers().RemoveAllItems()
        self._window.AddRenderer(self._renderer)
        # a window of another size begins empty
        self._window.AddObserver(
            "WindowResizeEvent", lambda *_: self._renderer.SetDraw(self.shown)
        )
        for what in ("Background", "Background2", "GradientBackground"):
            value = getattr(plotter.renderer, f"Get{what}")()
            getattr(self._renderer, f"Set{what}")(value)
        self.hud = Hud(self._renderer, 1.0, look)
        self.charts = Charts(self._renderer, look)

    @property
    def low(self) -> float:
        """How high the plots reach, in pixels."""
        return self._bottom + 16 + 2 * _TALL * float(self._window.GetSize()[1])

    def begin(self, *, shown: bool) -> None:
        """Take the right side of the window, or leave it; begin to write."""
        self.shown = shown
        wide, high = self._window.GetSize()
        place = 1.0 - (WIDTH / wide if shown else 0.0), 0.0, 1.0, 1.0
        if self._renderer.GetViewport() != place:
            self._renderer.SetViewport(*place)
        side, low = _SIDE / WIDTH, (self._bottom + 8) / high
        if shown:
            for chart, y in zip(self.charts.all, (low + _TALL, low), strict=True):
                chart.loc, chart.size = (side, y), (1.0 - 2 * side, _TALL)
        self._renderer.SetDraw(shown)
        self.hud.begin()

    def finish(
        self, timeline: Timeline, left: float, bottom: float, looked_at: Names
    ) -> None:
        """Write the story above what was written, and plot what happened."""
        top = float(self._window.GetSize()[1]) - theme.MARGIN
        frame, who = timeline.frame, short("/".join(looked_at), _BOLD - 10)
        alone = len(looked_at) == 2 or (frame is not None and len(frame.bodies) == 2)
        lines = [SheetLine(f"Story of {who}" if who else "Story", bold=True)]
        for line in story(timeline, int((top - bottom) / LINE - 1.8), looked_at):
            words = brief(line.words, _BOLD if line.bold else _LETTERS, alone=alone)
            lines.append(line._replace(words=words))
        write_sheet(self.hud, lines, (left, bottom - _PAD, _WIDE), top=top)
        self.hud.finish()
        self.charts.update(timeline, looked_at)
        # VTK makes room for the numbers of axes once they were drawn
        self._left = 1 if timeline.playing else 2

    @property
    def fills(self) -> bool:
        """Whether the plots have room for frames that were not read yet."""
        return self.shown and self.charts.fills

    @property
    def stale(self) -> bool:
        """Whether it is to be drawn once more, though nothing changes."""
        return self.shown and self._left > 0

    def rest(self) -> None:
        """Leave what was drawn as it is, until something changes."""
        self._left -= 1
        self._renderer.SetDraw(self.stale)
        if self.stale:
            self.charts.lay_out()

    def close(self) -> None:
        """Let go of the plots."""
        self._renderer.deep_clean()
