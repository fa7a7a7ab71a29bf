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
from viewer.demos.board import Board, Label, PanelLine, beyond, clipped
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
_KEPT = 8  # events that can be read at once


class DiskBoard(Board):
    """Draw frames of the disk and the triangle."""

    def __init__(self, **options: Any) -> None:
        super().__init__(height=10.0, title="disk and triangle", **options)

    def draw(self, frame: DiskFrame, events: Sequence[Event] = ()) -> None:
        """Show a frame, and the last of these events."""
        self.begin()
        a, b, c = self.at(frame.setting.corners)
        if turn(*frame.setting.corners) < 0:
            b, c = c, b
        borders = (4, a, b), (2, b, c), (1, c, a)
        has_regions = frame.state.region != FLAT
        if has_regions:
            self._tint(borders)
        rim = self._nearest(frame)
        self._tell(frame, events)
        self._names(frame)
        if has_regions:
            self._number(borders, frame.state.region, rim)
        self.hud.finish()

    def _tint(self, borders: Sequence[tuple[int, Floats, Floats]]) -> None:
        """Colour the seven regions."""
        width, height = map(float, self.sight.size)
        seen = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
        for region, tint in REGIONS.items():
            part = seen
            for bit, start, end in borders:
                part = clipped(part, start, end, right=bool(region & bit))
            self.hud.polygon(part, tint)

    def _number(
        self, borders: Sequence[tuple[int, Floats, Floats]], here: int, rim: Floats
    ) -> None:
        """Write the numbers of regions where there is room, beside the disk."""
        places, middle = self.places(), rim.mean(axis=0)
        away = np.hypot(*(places - middle).T) - np.hypot(*(rim[0] - middle))
        rims = np.minimum(places, self.sight.size - places).min(axis=1)
        sides = [(bit, beyond(places, a, b)) for bit, a, b in borders]
        for region in REGIONS:
            size = _NUMBER if region == here else _NUMBER - 12
            inside = [side if region & bit else -side for bit, side in sides]
            half = 0.5 * size * self.ratio
            room = np.min([*inside, rims - half, away - half], axis=0)
            ink = LIGHT.ink if region == here else LIGHT.faint_ink
            self.number(str(region), room, places, ink, size)

    def _tell(self, frame: DiskFrame, events: Sequence[Event]) -> None:
        setting, state = frame.setting, frame.state
        (x, y), (wide, high), walk = setting.center, setting.scale, state.work
        faint, tone = LIGHT.faint_ink, LIGHT.regime(state.regime)
        where = f"centre in region {state.region}" if state.region else "no area"
        lines = [
            PanelLine(f"frame {state.frame}", bold=True, size=theme.TITLE_SIZE),
            PanelLine(f"disk at ({x:g}, {y:g}), radius {RADIUS:g}", faint),
            PanelLine(f"triangle turned by {setting.degrees:g}°", faint),
            PanelLine(f"and scaled by ({wide:g}, {high:g})", faint),
            PanelLine(),
            PanelLine(f"{state.regime}: {state.touch}", tone, bold=True),
            PanelLine(f"distance {state.distance:.6g}", tone, bold=True),
            PanelLine(where),
            PanelLine(f"lines crossed: {walk.steps} of {walk.sides} compared", faint),
            PanelLine(f"edges measured: {walk.edges}", faint),
            PanelLine(),
        ]
        for k, event in enumerate(list(events)[: -_KEPT - 1 : -1]):  # the newest first
            index, kind, names, rest = str(event).split(" ", 3)
            ink = LIGHT.ink if k == 0 else faint
            lines.append(PanelLine(f"{index} {kind} {names}", ink, bold=k == 0))
            lines.append(PanelLine(f"    {rest}", ink, bold=k == 0))
        self.panel(lines, HELP)

    def _nearest(self, frame: DiskFrame) -> Floats:
        """Draw both, the nearest feature and the distance to it; return the rim."""
        state, center = frame.state, frame.setting.center
        corners = frame.setting.corners
        (disk, triangle), (kind, k) = LIGHT.bodies[:2], state.feature_b
        sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
        for a, b in sides:
            self.line(a, b, 1.6, triangle.wire, busy=True)
        if kind == "face":
            for a, b in sides:
                self.line(a, b, 2 * theme.OUTLINE_RADIUS, triangle.feature)
        rim = self.ring(center, RADIUS, 1.6, disk.wire, (*disk.surface, 150))
        if kind == "edge":
            self.line(*sides[k], 2.4 * theme.TUBE_RADIUS, triangle.feature)
        elif kind == "vertex":
            self.dot(corners[k], 1.4 * theme.POINT_RADIUS, triangle.feature)
        tone = LIGHT.regime(state.regime)
        self.line(state.point_a, state.point_b, 2 * theme.ARROW_RADIUS, tone, busy=True)
        for end in (state.point_a, state.point_b):
            self.dot(end, theme.CORNER_RADIUS, tone)
        self.dot(center, theme.CORNER_RADIUS, disk.feature)
        return rim

    def _names(self, frame: DiskFrame) -> None:
        state, corners = frame.state, np.array(frame.setting.corners)
        disk, triangle = LIGHT.bodies[:2]
        kind, lit = state.feature_b
        nx, ny = state.normal
        middle = tuple(np.mean([state.point_a, state.point_b], axis=0))
        tone, words = LIGHT.regime(state.regime), f"distance {state.distance:.4g}"
        labels = [
            Label(words, middle, (abs(ny), -abs(nx)), tone),
            Label("disk v0 = T", frame.setting.center, (-nx, -ny), disk.feature),
        ]
        if kind != "vertex":
            ends = corners if kind == "face" else corners[[lit, lit - 2]]
            name, at = f"triangle {state.feature_b}", tuple(ends.mean(axis=0))
            labels.append(Label(name, at, (nx, ny), triangle.feature))
        inside = tuple(corners.mean(axis=0))
        for k, at in enumerate(frame.setting.corners):
            here = kind == "vertex" and k == lit
            words = f"{'triangle ' * here}v{k} = {NAMES[k]}"
            ink = triangle.feature if here else triangle.wire
            labels.append(Label(words, at, away(inside, at), ink))
        self.label(labels)


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
APART, COMMON = LIGHT.regimes["separated"], LIGHT.regimes["contact"]
_SPACING: Rgb = (236, 239, 243)


class SegmentBoard(Board):
    """Draw frames of the two segments."""

    def __init__(self, **options: Any) -> None:
        super().__init__(height=8.0, title="two segments", **options)

    def draw(self, frame: SegmentFrame, events: Sequence[object] = ()) -> None:
        """Show a frame; segments tell no events."""
        self.begin()
        low, high = self.sight.corners()
        if max(high - low) <= 100.0:  # lines one unit apart, if they are not too many
            for x in np.arange(np.ceil(low[0]), high[0]):
                self.line((x, low[1]), (x, high[1]), 1, _SPACING)
            for y in np.arange(np.ceil(low[1]), high[1]):
                self.line((low[0], y), (high[0], y), 1, _SPACING)
        tone = APART if frame.kind == "apart" else COMMON
        for k, bar in enumerate((frame.setting.first, frame.setting.second)):
            if frame.setting.chosen == k + 1:
                self.line(*bar.ends, 16, LIGHT.body(k).surface)
            self.line(*bar.ends, 4, LIGHT.body(k).feature, busy=True)
        if frame.kind == "overlap":
            self.line(*frame.ends, 12, tone)
        labels = [*self._ends(frame, 0), *self._ends(frame, 1)]
        middle = frame.point
        if frame.kind == "overlap":
            middle = tuple(np.mean(frame.ends, axis=0))
        elif frame.kind == "apart":
            ends = np.array(frame.setting.second.ends)
            nearest = (1 - frame.t2) * ends[0] + frame.t2 * ends[1]
            self.line(frame.point, nearest, 2, tone, busy=True)
            for end in (frame.point, nearest):
                self.dot(end, 4, tone)
        else:
            for radius, ink in ((9.75, tone), (6.25, LIGHT.paper)):
                self.dot(middle, radius, ink)
        self._tell(frame, tone)
        self.label([Label(said(frame)[1], middle, (1.0, 1.0), tone), *labels])
        self.hud.finish()

    def _tell(self, frame: SegmentFrame, tone: Rgb) -> None:
        faint, setting = LIGHT.faint_ink, frame.setting
        lines = [
            PanelLine(f"frame {frame.index}", bold=True, size=theme.TITLE_SIZE),
            PanelLine(f"the keys move segment {setting.chosen}", faint),
            PanelLine(),
            PanelLine(frame.kind, tone, bold=True, size=theme.TITLE_SIZE),
            *(PanelLine(words, tone, bold=True) for words in said(frame)[0]),
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
        self.panel(lines, SEGMENT_HELP)

    def _ends(self, frame: SegmentFrame, k: int) -> tuple[Label, Label]:
        """Draw the ends of a segment, an arrow where t is 1; return their names."""
        ink = LIGHT.body(k).feature
        a, b = (frame.setting.first, frame.setting.second)[k].ends
        self.dot(a, 5, ink)
        along, tip = np.array(away(a, b)), self.at([b])[0]
        foot, side = tip - 18 * self.ratio * along, np.array([-along[1], along[0]])
        wing = 8 * self.ratio * side
        self.hud.polygon(np.stack([foot - wing, tip, foot + wing]), ink)
        return (
            Label(f"segment {k + 1}, t{k + 1} = 0", a, away(b, a), ink),
            Label(f"t{k + 1} = 1", b, away(a, b), ink),
        )


def said(frame: SegmentFrame) -> tuple[list[str], str]:
    """Say where they meet, or how far apart they are: for the panel, for a label."""
    if frame.kind == "overlap":
        (a, b), (c, d), ((x, y), (u, v)) = frame.t1_range, frame.t2_range, frame.ends
        lines = [f"t1 from {a:.4g} to {b:.4g}", f"t2 from {c:.4g} to {d:.4g}"]
        lines.append(f"({x:.4g}, {y:.4g}) to ({u:.4g}, {v:.4g})")
        return lines, f"t1 {a:.3g} to {b:.3g}, t2 {c:.3g} to {d:.3g}"
    lines, (x, y) = [f"t1 = {frame.t1:.6g}", f"t2 = {frame.t2:.6g}"], frame.point
    if frame.kind == "apart":
        lines.append(f"distance {frame.distance:.6g}")
        return lines, f"distance {frame.distance:.4g}"
    lines.append(f"at ({x:.4g}, {y:.4g})")
    return lines, f"t1 {frame.t1:.3g}, t2 {frame.t2:.3g}"


def away(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """Return the unit direction from a to b; 0 where they are one point."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = float(np.hypot(x, y))
    return (x / length, y / length) if length > 0.0 else (0.0, 0.0)
