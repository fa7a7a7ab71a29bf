"""Draw a picture of the plane: layers of flat shapes, and labels that cover nothing."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from viewer import theme
from viewer.arrays import Floats
from viewer.drawing.hud import Hud
from viewer.drawing.skin import coloured_actor
from viewer.drawing.viewport import Viewport
from viewer.gl import require_pyvista
from viewer.layout.labels import LabelRequest, place
from viewer.theme import LIGHT, Rgb

_AROUND = np.arange(96) * (2 * np.pi / 96)
_CIRCLE = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=-1)
_OPAQUE = 255


class PlaneView(NamedTuple):
    """A camera straight above the plane, y up."""

    middle: tuple[float, float]
    height: float  # of the plane that is seen, length unit
    size: tuple[int, int]  # pixels that are drawn

    @property
    def pixel(self) -> float:
        """The length that covers one pixel that is drawn."""
        return self.height / self.size[1]

    def project(self, points: ArrayLike) -> Floats:
        """Return where (n, 2) points land, (n, 2) pixels from the lower left."""
        away = np.asarray(points, dtype=np.float64) - np.array(self.middle)
        pixels: Floats = away / self.pixel + np.array(self.size) / 2
        return pixels

    def lift(self, pixels: ArrayLike) -> Floats:
        """Return which points of the plane land there, (n, 2)."""
        away = np.asarray(pixels, dtype=np.float64) - np.array(self.size) / 2
        points: Floats = away * self.pixel + np.array(self.middle)
        return points

    def corners(self) -> Floats:
        """Return the part of the plane that is seen, (4, 2), counter-clockwise."""
        width, height = self.size
        return self.lift([[0, 0], [width, 0], [width, height], [0, height]])


class Layer:
    """Convex polygons at one height above the plane, drawn by one actor.

    Parameters: ``height``: what is higher covers what is lower.
    """

    def __init__(self, renderer: Any, height: float) -> None:
        self._pyvista = require_pyvista()
        self._height = height
        self._mapper, self._actor = coloured_actor(cells=True)
        self._actor.prop.lighting = False
        renderer.AddActor(self._actor)
        self._polygons: list[Floats] = []
        self._colours: list[tuple[int, int, int, int]] = []

    def polygon(self, corners: ArrayLike, ink: Rgb, alpha: int = _OPAQUE) -> None:
        """Fill a convex polygon of (n, 2) corners."""
        points = np.asarray(corners, dtype=np.float64)
        if len(points) > 2:
            self._polygons.append(points)
            self._colours.append((*ink, alpha))

    def line(self, start: ArrayLike, end: ArrayLike, width: float, ink: Rgb) -> None:
        """Draw a line of this width [length unit] with round ends."""
        a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
        along = b - a
        length = float(np.hypot(along[0], along[1]))
        if length > 0.0:
            side = np.array([-along[1], along[0]]) / length * width / 2
            self.polygon([a - side, b - side, b + side, a + side], ink)
        self.disc(a, width / 2, ink)
        self.disc(b, width / 2, ink)

    def disc(
        self, center: ArrayLike, radius: float, ink: Rgb, alpha: int = _OPAQUE
    ) -> None:
        """Fill a circle."""
        self.polygon(np.asarray(center) + radius * _CIRCLE, ink, alpha)

    def ring(self, center: ArrayLike, radius: float, width: float, ink: Rgb) -> None:
        """Draw a circle line."""
        low, high = ((radius + s * width / 2) * _CIRCLE for s in (-1, 1))
        for k in range(len(_CIRCLE)):
            corners = np.stack([low[k - 1], low[k], high[k], high[k - 1]])
            self.polygon(np.asarray(center) + corners, ink)

    def show(self) -> None:
        """Draw what was added since the last time, and nothing else."""
        self._actor.SetVisibility(bool(self._polygons))
        if self._polygons:
            flat = np.concatenate(self._polygons)
            points = np.column_stack([flat, np.full(len(flat), self._height)])
            sizes = np.array([len(polygon) for polygon in self._polygons])
            starts = np.cumsum(sizes) - sizes
            faces = [
                np.concatenate([[n], np.arange(start, start + n)])
                for n, start in zip(sizes, starts, strict=True)
            ]
            data = self._pyvista.PolyData(points, faces=np.concatenate(faces))
            data.cell_data["colour"] = np.array(self._colours, dtype=np.uint8)
            data.GetCellData().SetActiveScalars("colour")
            self._mapper.SetInputData(data)
        self._polygons, self._colours = [], []


def clipped(polygon: Floats, a: ArrayLike, b: ArrayLike, *, right: bool) -> Floats:
    """Cut a convex polygon by the line from a through b; keep its right or left part.

    Cost: one pass. For pictures: corners are rounded.
    """
    start, end = np.asarray(a, np.float64), np.asarray(b, np.float64)
    along = end - start
    away = polygon - start
    side = away[:, 0] * along[1] - away[:, 1] * along[0]
    keep = side if right else -side
    found = []
    for k in range(len(polygon)):
        here, there = keep[k - 1], keep[k]
        if here * there < 0.0:
            t = here / (here - there)
            found.append((1 - t) * polygon[k - 1] + t * polygon[k])
        if there >= 0.0:
            found.append(polygon[k])
    return np.array(found).reshape(-1, 2)


def roomiest(
    polygon: Floats, half: ArrayLike, boxes: Floats, step: float
) -> Floats | None:
    """Find where in a convex polygon a small box has most room about it.

    Parameters: ``polygon`` (n, 2), counter-clockwise or clockwise; ``half`` (2,): half
    of the width and the height of the small box; ``boxes`` (m, 4): left, bottom, right,
    top of what it must not cover; ``step``: of the grid of candidates; None is returned
    where there is none in it.
    """
    if len(polygon) < 3:
        return None
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    axes = [np.arange(a + step / 2, b, step) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    along = np.roll(polygon, -1, axis=0) - polygon
    length = np.hypot(along[:, 0], along[:, 1])
    along = along[length > 0] / length[length > 0, None]
    away = grid[:, None] - polygon[length > 0]
    off = away[..., 0] * along[:, 1] - away[..., 1] * along[:, 0]
    inside = np.all(off >= 0, axis=1) | np.all(off <= 0, axis=1)
    size = np.asarray(half, dtype=np.float64)
    # how far apart the boxes are along x and y, of which the larger counts
    gaps = np.maximum(boxes[:, :2] - grid[:, None], grid[:, None] - boxes[:, 2:]) - size
    free = gaps.max(axis=-1).min(axis=1, initial=np.inf)
    room = np.minimum(np.abs(off).min(axis=1, initial=np.inf), free)
    room = np.where(inside & (free > 0), room, 0.0)
    if not room.any():
        return None
    best: Floats = grid[int(np.argmax(room))]
    return best


def between(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return points of a line, closer to one another than a text is high."""
    t = np.linspace(0.0, 1.0, 40)[:, None]
    points: Floats = (1 - t) * np.asarray(a) + t * np.asarray(b)
    return points


_EYE = 100.0  # above the plane; layers are at heights below 10
_KEPT = 8  # events that can be read at once
_GAP = 4  # pixels between two lines
_RIM: Rgb = (206, 212, 220)
PANEL = 292  # pixels of the finished picture, at the left, for words


class PanelLine(NamedTuple):
    """A line of the panel; without words it is a gap."""

    words: str = ""
    ink: Rgb = LIGHT.ink
    bold: bool = False
    size: int = theme.TEXT_SIZE


class Label(NamedTuple):
    """A text with a leader to where it belongs."""

    words: str
    anchor: tuple[float, float]  # in the plane
    prefer: tuple[float, float]  # direction in which there is room; may be 0
    ink: Rgb


class Board(Viewport):
    """Draw shapes of the plane: clear, add to the layers, write, show.

    Parameters: ``size`` (width, height): of the finished picture in pixels;
    ``off_screen``: draw into memory instead of a window; ``supersample``: draw that
    many times larger and shrink, for smooth edges; ``height``: of the plane that is
    seen at first [length unit]; ``title``: of the window.

    Attributes: ``ground``, ``shapes``, ``glass``, ``marks``: from the lowest to the
    highest; glass lets shine through; ``boxes`` list of (left, bottom, right, top):
    where texts are, in drawn pixels.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        off_screen: bool = True,
        supersample: int = 1,
        height: float = 10.0,
        title: str = "wingedge",
    ) -> None:
        super().__init__(size, supersample, off_screen=off_screen, title=title)
        self.plotter.set_background(LIGHT.paper)
        renderer = self.plotter.renderer
        self.ground, self.shapes, self.glass, self.marks = (
            Layer(renderer, height) for height in range(4)
        )
        self.hud = Hud(self.overlay, supersample, LIGHT)
        self.boxes: list[list[float]] = []
        self._dots: list[Floats] = []
        self._look(height)

    @property
    def sight(self) -> PlaneView:
        """What the camera sees now; the mouse moves it."""
        camera = self.plotter.camera
        x, y, _ = camera.focal_point
        width, height = self.plotter.window_size
        seen = 2.0 * float(camera.parallel_scale)
        return PlaneView((float(x), float(y)), seen, (int(width), int(height)))

    @property
    def pixel(self) -> float:
        """The length that covers one pixel of the finished picture."""
        return self.sight.pixel * self.ratio

    def clear(self) -> None:
        """Begin a new picture."""
        self.hud.begin()
        self.boxes, self._dots = [], []

    def keep_free(self, points: ArrayLike) -> None:
        """Let no text cover these (n, 2) points of the plane."""
        self._dots.append(self.sight.project(points))

    def panel(self, lines: Sequence[PanelLine], help_: Sequence[PanelLine]) -> None:
        """Write lines from the top down on a sheet at the left, and help at its foot.

        Lines for which there is no room are left out.
        """
        r, gap = self.ratio, _GAP * self.ratio
        _, height = self.sight.size
        box = [0.0, 0.0, PANEL * r, float(height)]
        self.hud.rectangle(box, LIGHT.paper)
        self.hud.rectangle([box[2], 0.0, box[2] + 1.5 * r, box[3]], _RIM)
        self.boxes.append([0.0, 0.0, box[2] + 8 * r, box[3]])
        foot: float = theme.MARGIN * r
        for line in reversed(help_):
            foot += self._write(line, foot) + gap
        top: float = height - theme.MARGIN * r
        for line in lines:
            text_height = self._height(line)
            if top - text_height < foot + 2 * gap:
                break
            self._write(line, top - text_height)
            top -= text_height + gap

    def _height(self, line: PanelLine) -> float:
        return line.size * self.ratio * (0.6 if not line.words else 1.15)

    def _write(self, line: PanelLine, bottom: float) -> float:
        if line.words:
            text = self.hud.text(line.words, line.size, line.ink, bold=line.bold)
            self.hud.put(text, theme.MARGIN * self.ratio, bottom)
        return self._height(line)

    def write_in(self, words: str, point: ArrayLike, ink: Rgb, size: int) -> None:
        """Write words in the middle of a point of the plane."""
        text = self.hud.text(words, size, ink, bold=True)
        width, height = self.hud.measure(text)
        x, y = self.sight.project(np.asarray(point)[None])[0]
        self.hud.put(text, x - width / 2, y - height / 2)
        self.boxes.append(
            [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
        )

    def label(self, labels: Sequence[Label]) -> None:
        """Write labels where they cover nothing that was written or kept free.

        Those of what is out of sight, or behind the panel, are left out.
        """
        labels = [label for label in labels if self._sees(label.anchor)]
        texts = [
            self.hud.text(label.words, theme.LABEL_SIZE, label.ink, bold=True)
            for label in labels
        ]
        pad = theme.PADDING * self.ratio
        requests = []
        for label, text in zip(labels, texts, strict=True):
            width, height = self.hud.measure(text)
            anchor = self.sight.project([label.anchor])
            size = width + 2 * pad, height + 2 * pad
            requests.append(LabelRequest(size, anchor, np.array(label.prefer)))
        dots = np.concatenate([np.empty((0, 2)), *self._dots])
        taken = np.array(self.boxes).reshape(-1, 4)
        size = self.sight.size
        found = place(requests, size, taken, dots, scale=self.ratio)
        for label, text, here in zip(labels, texts, found, strict=True):
            self.hud.line(here.anchor, here.end, 1.4, label.ink)
            self.hud.disc(here.anchor, 2.6 * self.ratio, label.ink)
            self.hud.framed(here.box, label.ink)
            self.hud.put(text, here.box[0] + pad, here.box[1] + pad)
            self.boxes.append(list(here.box))

    def _sees(self, point: tuple[float, float]) -> bool:
        x, y = self.sight.project([point])[0]
        width, height = self.sight.size
        return bool(PANEL * self.ratio <= x <= width and 0 <= y <= height)

    def show(self) -> None:
        """Draw what was added."""
        for layer in (self.ground, self.shapes, self.glass, self.marks):
            layer.show()
        self.hud.finish()

    def _look(self, height: float) -> None:
        camera = self.plotter.camera
        self.plotter.enable_parallel_projection()
        # the origin is in the middle of what the panel leaves free
        left = -PANEL / 2 * height / (self.plotter.window_size[1] / self.ratio)
        camera.position = (left, 0.0, _EYE)
        camera.focal_point = (left, 0.0, 0.0)
        camera.up = (0.0, 1.0, 0.0)
        camera.parallel_scale = height / 2
        camera.clipping_range = (1.0, 2 * _EYE)
        self.plotter.camera_set = True


def told(events: Sequence[object]) -> list[PanelLine]:
    """Lay out the last of many events, the newest first, each in two lines."""
    lines = []
    for k, event in enumerate(list(events)[: -_KEPT - 1 : -1]):
        frame, kind, names, rest = str(event).split(" ", 3)
        ink = LIGHT.ink if k == 0 else LIGHT.faint_ink
        lines.append(PanelLine(f"{frame} {kind} {names}", ink, bold=k == 0))
        lines.append(PanelLine(f"    {rest}", ink, bold=k == 0))
    return lines
