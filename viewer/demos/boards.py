"""Draw the disk and the triangle, and the two segments, frame by frame."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim import Event
from sim.planar.disk import DiskFrame
from sim.planar.keys import RADIUS, SegmentFrame
from sim.planar.walk import FLAT, INSIDE, turn
from viewer import theme
from viewer.arrays import Floats
from viewer.demos.board import Board, Label, PanelLine, between, clipped, roomiest, told
from viewer.theme import LIGHT, Rgb

HELP = (
    "H L    left, right",
    "J K    down, up",
    "R    turn",
    "S T    stretch along x, y",
    "Shift    R S T the other way",
    "Home    from the start",
    "q    end",
)
NAMES = "ABC"
# Pale, and neighbours in the ring 1 5 4 6 2 3 differ in lightness as well as in hue;
# every region has its number in it.
REGIONS: dict[int, Rgb] = {
    1: (250, 246, 216),
    2: (243, 229, 236),
    3: (205, 228, 245),
    4: (226, 240, 244),
    5: (198, 231, 214),
    6: (214, 208, 240),
    INSIDE: (255, 232, 200),
}
_NUMBER = 34  # points, of the region with the centre in it
_GRID = 18.0  # pixels between candidates for the place of a number


class DiskBoard(Board):
    """Draw frames of the disk and the triangle.

    Parameters: ``options``: as of `Board`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(height=10.0, title="disk and triangle", **options)
        self._disk = [0.0, 0.0, 0.0, 0.0]  # the box about it, in drawn pixels

    def draw(self, frame: DiskFrame, events: Sequence[Event] = ()) -> None:
        """Show a frame, and the last of these events."""
        self.clear()
        self._tell(frame, events)
        self._shapes(frame)
        self._nearest(frame)
        self._regions(frame)
        self.show()

    def _tell(self, frame: DiskFrame, events: Sequence[Event]) -> None:
        setting, state = frame.setting, frame.state
        (x, y), (wide, high), walk = setting.center, setting.scale, state.work
        faint, tone = LIGHT.faint_ink, LIGHT.regime(state.regime)
        lines = [
            PanelLine(f"frame {state.frame}", bold=True, size=theme.TITLE_SIZE),
            PanelLine(f"disk at ({x:g}, {y:g}), radius {RADIUS:g}", faint),
            PanelLine(f"triangle turned by {setting.degrees:g}°", faint),
            PanelLine(f"and scaled by ({wide:g}, {high:g})", faint),
            PanelLine(),
            PanelLine(f"{state.regime}: {state.touch}", tone, bold=True),
            PanelLine(f"distance {state.distance:.6g}", tone, bold=True),
            PanelLine(
                f"centre in region {state.region}" if state.region else "no area"
            ),
            PanelLine(f"lines crossed: {walk.steps} of {walk.sides} compared", faint),
            PanelLine(f"edges measured: {walk.edges}", faint),
            PanelLine(),
            *told(events),
        ]
        self.panel(lines, [PanelLine(words, faint) for words in HELP])

    def _shapes(self, frame: DiskFrame) -> None:
        disk, triangle = LIGHT.body(0), LIGHT.body(1)
        center, corners = np.array(frame.setting.center), frame.setting.corners
        thin = 1.6 * self.pixel
        self.glass.disc(center, RADIUS, disk.surface, 150)
        self.marks.ring(center, RADIUS, thin, disk.wire)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            self.shapes.line(a, b, thin, triangle.wire)
            self.keep_free(between(a, b))
        around = np.linspace(0.0, 2 * np.pi, 48)
        rim = center + RADIUS * np.stack([np.cos(around), np.sin(around)], axis=-1)
        self.keep_free(rim)
        low, high = self.sight.project([center - RADIUS, center + RADIUS])
        self._disk = [*low.tolist(), *high.tolist()]

    def _nearest(self, frame: DiskFrame) -> None:
        """Light up the nearest feature, and the distance to it."""
        state, corners = frame.state, frame.setting.corners
        pixel, ink = self.pixel, LIGHT.body(1).feature
        kind, k = state.feature_b
        if kind == "face":
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
                self.shapes.line(a, b, 2 * theme.OUTLINE_RADIUS * pixel, ink)
        elif kind == "edge":
            a, b = corners[k], corners[(k + 1) % 3]
            self.marks.line(a, b, 2.4 * theme.TUBE_RADIUS * pixel, ink)
        else:
            self.marks.disc(corners[k], 1.4 * theme.POINT_RADIUS * pixel, ink)
        tone = LIGHT.regime(state.regime)
        out, back = np.array(state.point_a), np.array(state.point_b)
        self.marks.line(out, back, 2 * theme.ARROW_RADIUS * pixel, tone)
        for end in (out, back):
            self.marks.disc(end, theme.CORNER_RADIUS * pixel, tone)
        center = frame.setting.center
        disk = LIGHT.body(0).feature
        self.marks.disc(center, theme.CORNER_RADIUS * pixel, disk)
        self.keep_free(between(out, back))
        self._names(frame, (out + back) / 2, tone)

    def _names(self, frame: DiskFrame, middle: Floats, tone: Rgb) -> None:
        state, corners = frame.state, np.array(frame.setting.corners)
        triangle = LIGHT.body(1)
        kind, lit = state.feature_b
        nx, ny = state.normal
        x, y = middle.tolist()
        labels = [
            Label(f"distance {state.distance:.4g}", (x, y), (abs(ny), -abs(nx)), tone),
            Label(
                "disk v0 = T", frame.setting.center, (-nx, -ny), LIGHT.body(0).feature
            ),
        ]
        if kind != "vertex":
            ends = corners if kind == "face" else corners[[lit, lit - 2]]
            x, y = ends.mean(axis=0).tolist()
            name = f"triangle {state.feature_b}"
            labels.append(Label(name, (x, y), (nx, ny), triangle.feature))
        out = corners - corners.mean(axis=0)
        for k, (x, y) in enumerate(corners.tolist()):
            here = kind == "vertex" and k == lit
            words = f"{'triangle ' * here}v{k} = {NAMES[k]}"
            length = max(float(np.hypot(out[k, 0], out[k, 1])), 1e-300)
            along = float(out[k, 0]) / length, float(out[k, 1]) / length
            ink = triangle.feature if here else triangle.wire
            labels.append(Label(words, (x, y), along, ink))
        self.label(labels)

    def _regions(self, frame: DiskFrame) -> None:
        """Colour the seven regions, and write their numbers where there is room."""
        state, corners = frame.state, frame.setting.corners
        if state.region == FLAT:
            return
        a, b, c = corners
        if turn(c, a, b) < 0:
            b, c = c, b
        for region, tint in REGIONS.items():
            part = self.sight.corners()
            for bit, start, end in ((4, a, b), (2, b, c), (1, c, a)):
                part = clipped(part, start, end, right=bool(region & bit))
            here = region == state.region
            self.ground.polygon(part, tint)
            self._number(region, part, here)

    def _number(self, region: int, part: Floats, here: bool) -> None:
        ink = LIGHT.ink if here else LIGHT.faint_ink
        size = _NUMBER if here else _NUMBER - 12
        half = 0.35 * size * self.ratio, 0.6 * size * self.ratio
        taken = np.array([*self.boxes, self._disk])
        seen = self.sight.project(part.reshape(-1, 2))
        spot = roomiest(seen, half, taken, _GRID * self.ratio)
        if spot is not None:
            self.write_in(str(region), self.sight.lift(spot[None])[0], ink, size)


SEGMENT_HELP = (
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
_SPACING: Rgb = (236, 239, 243)


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
        self.panel(lines, [PanelLine(words, faint) for words in SEGMENT_HELP])

    def _grid(self) -> None:
        """Draw lines one unit apart, unless they would be too many."""
        low, high = self.sight.corners()[[0, 2]]
        if max(high - low) > 100.0:
            return
        for x in np.arange(np.ceil(low[0]), high[0]):
            self.ground.line((x, low[1]), (x, high[1]), self.pixel, _SPACING)
        for y in np.arange(np.ceil(low[1]), high[1]):
            self.ground.line((low[0], y), (high[0], y), self.pixel, _SPACING)

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
