"""Write story and what is chosen, and draw the plots, beside the picture."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from sim import Frame, RecordingError
from viewer import theme
from viewer.drawing.glyphs import Names, concerns, pairs_of
from viewer.drawing.hud import Hud
from viewer.drawing.words import brief, folded, short
from viewer.gl import require_pyvista
from viewer.theme import Rgb, Theme, blended
from viewer.timeline import Timeline, words_of
from viewer.window.hands import Hands
from wingedge import neighbours
from wingedge.mesh import corners_of, has_feature
from wingedge.tables import Floats

SIZE = theme.TEXT_SIZE - 1
LINE = 1.4 * SIZE


class SheetLine(NamedTuple):
    """One line; bold for what it is about, faint for what is not so yet."""

    words: str
    bold: bool = False
    faint: bool = False
    marked: bool = False  # for what is now


Lines = list[SheetLine]
Rows = Callable[[Lines], Lines]


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
        hud.put(hud.text(line.words, SIZE, tone, bold=line.bold), left + 10, y)
    return high


def fold(hud: Hud, lines: Lines, wide: float, alone: bool | None = None) -> Lines:
    """Break lines into rows of a sheet that is so wide; `brief` what is ``alone``."""
    rows = []
    for line in lines:
        row = line.words if alone is None else brief(line.words, _LETTERS, alone=alone)
        text = hud.text(row, SIZE, hud.theme.ink, bold=line.bold)
        parts = folded(text.words, hud.fits(text, wide - 20))
        rows += [line._replace(words=words) for words in parts]
    return rows


def story(
    timeline: Timeline, room: int, looked_at: Names = (), rows_of: Rows = list
) -> Lines:
    """Tell of what is looked at, in so many rows, a third for what is to come.

    What happens in the present frame is marked, the newest until now is bold; the last
    row says how many are left out.
    """
    events, here = timeline.source.events(), timeline.position
    own = [e for e in events if concerns(e[1], looked_at)] if looked_at else events
    past = bisect_right(own, here, key=itemgetter(0))
    last = own[past - 1][0] if past else -1
    for most in range(max(1, room), -1, -1):
        end = min(len(own), past + max(most // 3, most - past))
        first = max(0, end - most)
        rows = [
            SheetLine(words_of(event), bold=k == last, faint=k > here, marked=k == here)
            for k, event in own[first:end]
        ]
        left = (first, "above"), (len(own) - end, "below")
        if more := ", ".join(f"{n} more {where}" for n, where in left if n):
            rows.append(SheetLine(more, faint=True))
        if len(rows := rows_of(rows)) <= room:
            break
    return rows or [SheetLine("nothing happened yet", faint=True)]


def sheet(hands: Hands, frame: Frame) -> Lines:
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
        beside = " ".join(map(str, neighbours(body.mesh, feature)))
        part = body.mesh.part_of(feature)
        of = f" of {short(part)}" if part else ""
        words += [f"{feature.kind} {feature}{of}", f"beside it {beside}"]
        corners = points[corners_of(body.mesh, feature)]
        words += [f"  {_numbers(corner, size, 5)}" for corner in corners]
    return [*lines, *map(SheetLine, words)]


def _numbers(place: Floats, size: float, digits: int) -> str:
    """Write coordinates with so many digits; below 1e-9 of the size is zero."""
    rounded = [0.0 if abs(x) < 1e-9 * size else x for x in place.tolist()]
    return "  ".join(f"{x:.{digits}g}" for x in rounded)


SPAN = 240  # frames that are plotted at most
_BAND = 60  # opacity, to 255, of a depth that is an interval
_AT_ONCE = 8  # frames that are read for the plots while one is drawn: they fill up


class Plotted(NamedTuple):
    """What is plotted of one frame; NaN, so nothing, of a damaged one."""

    time: float = np.nan
    distance: float = np.nan  # the least; NaN where there is no pair
    depth: float = np.nan
    contacts: float = np.nan  # pairs that are not separated
    shallow: float = np.nan  # the least depth of an overlap that is an interval


def row_of(frame: Frame, looked_at: Names = ()) -> Plotted:
    """Measure a frame: what is looked at, or all pairs."""
    pairs, least, most = frame.pairs, np.nan, np.nan
    if not len(pairs):
        return Plotted(frame.time, np.nan, 0.0, 0, 0.0)
    rows = np.flatnonzero(pairs_of(frame, looked_at))
    if len(rows):
        k = rows[np.argmin(pairs.distance[rows])]
        least, most = float(pairs.distance[k]), float(pairs.upper[k])
    depth, shallow = (float(np.fmax(0.0, -x)) for x in (least, most))
    return Plotted(frame.time, least, depth, int(pairs.meets[rows].sum()), shallow)


class Charts:
    """Two plots: least signed distance, and depth or number of contacts.

    Of the body or the pair that is looked at, else of all pairs. Depth is plotted of a
    single pair that overlaps.
    """

    def __init__(self, renderer: Any, look: Theme) -> None:
        self._rows: dict[int, Plotted] = {}
        self._about: Names = ()
        self.fills = False  # whether frames are left to be read
        self.all = [_chart(renderer, look) for _ in range(2)]
        blue, some = look.bodies[0].feature, np.arange(2.0)
        self._lines = [c.line(some, some, color=blue, width=1.5) for c in self.all]
        self._now = [c.line(some, some, color=look.faint_ink) for c in self.all]
        # of depths that are intervals
        self._band = self.all[1].area(some, some, some, color=(*blue, _BAND))

    def update(self, timeline: Timeline, looked_at: Names = ()) -> None:
        """Plot a run that has ended, or the frames about the present one."""
        assert timeline.frame is not None
        if looked_at != self._about:
            self._about, self._rows = looked_at, {}
        source, here = timeline.source, timeline.position
        every = range(source.first, len(source))
        shown = every[max(0, here - SPAN - source.first) :][: SPAN + 1]
        if source.ended:
            shown = every[:: -(-len(every) // SPAN)]
        self._rows = {k: row for k, row in self._rows.items() if k in shown}
        missing = sorted(
            {*shown, here} - self._rows.keys(), key=lambda k: abs(k - here)
        )
        for k in missing[:_AT_ONCE]:
            try:
                self._rows[k] = row_of(source[k], looked_at)
            except RecordingError:  # the timeline says so when it is to be shown
                self._rows[k] = Plotted()
        self.fills = len(missing) > _AT_ONCE
        rows = np.array([self._rows[k] for k in sorted(self._rows)])
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
        for chart in self.all:
            chart.RecalculateBounds()


def _chart(renderer: Any, look: Theme) -> Any:
    """Add an empty chart, placed by its axes; their numbers are outside."""
    chart = require_pyvista().Chart2D(x_label="time", y_label="", grid=True)
    chart.SetLayoutStrategy(chart.AXES_TO_RECT)
    chart.background_color, chart.border_style = (0, 0, 0, 0), ""
    for axis in (chart.x_axis, chart.y_axis):
        axis.label_size, axis.tick_label_size = 12, 11
        axis.pen.color = look.ink
        axis.grid_pen.color = blended(look.faint_ink, look.paper, 0.8)
        for words in (axis.GetTitleProperties(), axis.GetLabelProperties()):
            words.SetColor(*(c / 255 for c in look.ink))
    renderer.add_chart(chart)
    return chart


WIDTH = 330.0  # pixels of the window
_LETTERS = 35  # that fit on a line
_WIDE, _PAD = 310.0, 8.0  # pixels of a sheet, and between two of them
_TALL = 0.2  # of the height, each plot
_AXES = 62.0, 40.0, 20.0  # pixels left of the axes of a plot, below, and at the others


class Panel:
    """Story and plots in a part of the window, drawn again only when they changed."""

    def __init__(self, plotter: Any, look: Theme, bottom: float) -> None:
        self._window, self._bottom = plotter.render_window, bottom
        self.shown = False
        self._renderer = require_pyvista().Renderer(plotter, border=False)
        self._renderer.InteractiveOff()
        self._renderer.GetCullers().RemoveAllItems()
        self._renderer.SetBackground(plotter.renderer.GetBackground())
        self._window.AddRenderer(self._renderer)
        # a window of another size begins empty
        self._window.AddObserver(
            "WindowResizeEvent", lambda *_: self._renderer.SetDraw(self.shown)
        )
        self._hud = Hud(self._renderer, 1.0, look)
        self._charts = Charts(self._renderer, look)

    def write(self, timeline: Timeline, hands: Hands, *, shown: bool) -> None:
        """Write the story above what is chosen and the plots, or take all away."""
        self.shown = shown
        self._renderer.SetDraw(shown)
        frame = timeline.frame
        if not shown or frame is None:
            return
        wide, high = self._window.GetSize()
        self._renderer.SetViewport(1.0 - WIDTH / wide, 0.0, 1.0, 1.0)
        looked_at, hud, left = hands.looked_at, self._hud, wide - WIDTH + 10
        hud.begin()
        bottom, tall = self._bottom, _TALL * high
        for chart in reversed(self._charts.all):
            write_sheet(hud, (), (left, bottom, _WIDE), top=bottom + tall)
            beside, below, rest = _AXES
            chart.loc = (beside + 10) / WIDTH, (bottom + below) / high
            sides = (_WIDE - beside - rest) / WIDTH, (tall - below - rest) / high
            chart.size = sides
            bottom += tall + _PAD
        top = high - theme.MARGIN
        if rows := fold(hud, sheet(hands, frame), _WIDE):
            room = max(2, int((top - bottom) / LINE) - 6)
            if (more := len(rows) - room) > 0:
                rows[room - 1 :] = [SheetLine(f"{more + 1} more below", faint=True)]
            bottom = write_sheet(hud, rows, (left, bottom, _WIDE)) + _PAD
        who = short("/".join(looked_at), _LETTERS - 10)
        alone = len(looked_at) == 2 or len(frame.bodies) == 2
        head = SheetLine(f"Story of {who}" if who else "Story", bold=True)
        rows_of = partial(fold, hud, wide=_WIDE, alone=alone)
        rows = story(timeline, int((top - bottom) / LINE - 1.8), looked_at, rows_of)
        write_sheet(hud, [head, *rows], (left, bottom, _WIDE), top=top)
        hud.finish()
        self._charts.update(timeline, looked_at)

    @property
    def fills(self) -> bool:
        """Whether the plots have room for frames that were not read yet."""
        return self.shown and self._charts.fills

    def rest(self) -> None:
        """Leave what was drawn as it is, until something changes."""
        self._renderer.SetDraw(False)

    def close(self) -> None:
        """Let go of the plots."""
        self._renderer.deep_clean()
