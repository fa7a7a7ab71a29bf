"""Draw two segments: where they meet, their parameters, the piece they share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.planar.segments import SegmentFrame
from viewer import theme
from viewer.arrays import Floats
from viewer.demos.board import Board, Label, PanelLine
from viewer.demos.flat import between
from viewer.theme import LIGHT, Rgb

HELP = (
    "1 2    choose a segment",
    "H L    left, right",
    "J K    down, up",
    "R    turn",
    "S    stretch",
    "Shift    R S the other way",
    "Home    from the start",
    "q    end",
)
# apart, or not: the kinds are written in words too
TONES: dict[str, Rgb] = {"apart": LIGHT.regimes["separated"]}
COMMON: Rgb = LIGHT.regimes["contact"]
GRID: Rgb = (236, 239, 243)


class SegmentBoard(Board):
    """Draw frames of the two segments.

    Parameters: ``options``: as of `Board`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(height=8.0, title="two segments", **options)

    def draw(self, frame: SegmentFrame, events: Sequence[object] = ()) -> None:
        """Show a frame; segments tell no events."""
        self.clear()
        self._tell(frame)
        self._grid()
        self._bars(frame)
        self._meeting(frame)
        self.show()

    def _tell(self, frame: SegmentFrame) -> None:
        faint, tone = LIGHT.faint_ink, TONES.get(frame.kind, COMMON)
        setting = frame.setting
        lines = [
            PanelLine(f"frame {frame.index}", bold=True, size=theme.TITLE_SIZE),
            PanelLine(f"the keys move segment {setting.chosen}", faint),
            PanelLine(),
            PanelLine(frame.kind, tone, bold=True, size=theme.TITLE_SIZE),
            *(PanelLine(words, tone, bold=True) for words in said(frame)),
            PanelLine(),
        ]
        for k, bar in enumerate((setting.first, setting.second)):
            (ax, ay), (bx, by) = bar.ends
            ink = LIGHT.body(k).feature
            lines += [
                PanelLine(f"segment {k + 1}", ink, bold=True),
                PanelLine(f"from ({ax:.4g}, {ay:.4g})", faint),
                PanelLine(f"to ({bx:.4g}, {by:.4g})", faint),
                PanelLine(),
            ]
        self.panel(lines, [PanelLine(words, faint) for words in HELP])

    def _grid(self) -> None:
        """Draw lines one unit apart, unless they would be too many."""
        low, high = self.sight.corners()[[0, 2]]
        if max(high - low) > 100.0:
            return
        for x in np.arange(np.ceil(low[0]), high[0]):
            self.ground.line((x, low[1]), (x, high[1]), self.pixel, GRID)
        for y in np.arange(np.ceil(low[1]), high[1]):
            self.ground.line((low[0], y), (high[0], y), self.pixel, GRID)

    def _bars(self, frame: SegmentFrame) -> None:
        pixel, setting = self.pixel, frame.setting
        for k, bar in enumerate((setting.first, setting.second)):
            colours = LIGHT.body(k)
            a, b = map(np.array, bar.ends)
            chosen = setting.chosen == k + 1
            if chosen:
                self.ground.line(a, b, 16 * pixel, colours.surface)
            self.shapes.line(a, b, 4 * pixel, colours.feature)
            self.marks.disc(a, 5 * pixel, colours.feature)
            self._head(a, b, colours.feature)
            self.keep_free(between(a, b))

    def _head(self, a: Floats, b: Floats, ink: Rgb) -> None:
        """Draw the head of an arrow at b, on which t is 1."""
        length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
        if length == 0.0:
            return
        along = (b - a) / length
        side = np.array([-along[1], along[0]])
        foot = b - 18 * self.pixel * along
        self.marks.polygon(
            [foot - 8 * self.pixel * side, b, foot + 8 * self.pixel * side], ink
        )

    def _meeting(self, frame: SegmentFrame) -> None:
        pixel, tone = self.pixel, TONES.get(frame.kind, COMMON)
        if frame.kind == "overlap":
            start, end = frame.ends
            self.glass.line(start, end, 12 * pixel, tone)
            middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        else:
            middle = frame.point
        if frame.kind == "apart":
            first, other = frame.point, nearest(frame)
            self.marks.line(first, other, 2 * pixel, tone)
            self.keep_free(between(first, other))
            self.marks.disc(other, 4 * pixel, tone)
            self.marks.disc(first, 4 * pixel, tone)
        elif frame.kind != "overlap":
            self.marks.disc(middle, 8 * pixel, LIGHT.paper)
            self.marks.ring(middle, 8 * pixel, 3.5 * pixel, tone)
        labels = [Label(tag(frame), middle, (1.0, 1.0), tone)]
        for k, bar in enumerate((frame.setting.first, frame.setting.second)):
            a, b = bar.ends
            ink = LIGHT.body(k).feature
            labels.append(Label(f"segment {k + 1}, t{k + 1} = 0", a, away(b, a), ink))
            labels.append(Label(f"t{k + 1} = 1", b, away(a, b), ink))
        self.label(labels)


def said(frame: SegmentFrame) -> tuple[str, ...]:
    """Say where the segments meet, or how far apart they are, in lines of the panel."""
    if frame.kind == "overlap":
        (a, b), (c, d), ends = frame.t1_range, frame.t2_range, frame.ends
        (x, y), (u, v) = ends
        return (
            f"t1 from {a:.4g} to {b:.4g}",
            f"t2 from {c:.4g} to {d:.4g}",
            f"({x:.4g}, {y:.4g}) to ({u:.4g}, {v:.4g})",
        )
    x, y = frame.point
    last = f"at ({x:.4g}, {y:.4g})"
    if frame.kind == "apart":
        last = f"distance {frame.distance:.6g}"
    return f"t1 = {frame.t1:.6g}", f"t2 = {frame.t2:.6g}", last


def tag(frame: SegmentFrame) -> str:
    """Say the same as short as a label."""
    if frame.kind == "overlap":
        (a, b), (c, d) = frame.t1_range, frame.t2_range
        return f"t1 {a:.3g} to {b:.3g}, t2 {c:.3g} to {d:.3g}"
    if frame.kind == "apart":
        return f"distance {frame.distance:.4g}"
    return f"t1 {frame.t1:.3g}, t2 {frame.t2:.3g}"


def nearest(frame: SegmentFrame) -> tuple[float, float]:
    """Return the point of the second segment that is nearest to the first."""
    (ax, ay), (bx, by) = frame.setting.second.ends
    t = frame.t2
    return (1 - t) * ax + t * bx, (1 - t) * ay + t * by


def away(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """Return the unit direction from a to b; 0 where they are one point."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = float(np.hypot(x, y))
    return (x / length, y / length) if length > 0.0 else (0.0, 0.0)
