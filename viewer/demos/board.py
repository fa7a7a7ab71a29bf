"""Draw a picture of the plane in pixels: flat shapes, and labels that cover nothing."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from viewer import theme
from viewer.arrays import Floats
from viewer.drawing.hud import Hud
from viewer.drawing.viewport import Viewport
from viewer.layout.labels import place
from viewer.theme import LIGHT, Rgb

_AROUND = np.arange(96) * (2 * np.pi / 96)
_CIRCLE = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=-1)
_ALONG = np.linspace(0.0, 1.0, 40)[:, None]  # places on a line: closer than texts
_EYE = 100.0  # above the plane
_GAP = 4  # pixels between two lines
_GRID = 18.0  # pixels between candidates for the place of a number
_RIM: Rgb = (206, 212, 220)
PANEL = 292  # pixels of the finished picture, at the left, for words


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

    def corners(self) -> Floats:
        """Return the lower left and the upper right of what is seen, (2, 2)."""
        half = np.array(self.size) / 2 * self.pixel
        return np.stack([np.array(self.middle) - half, np.array(self.middle) + half])


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
    """Draw shapes of the plane, the lowest first; begin, add, finish.

    Points are of the plane, widths and radii of dots in pixels of the finished picture.
    ``height`` of the plane is seen at first. ``boxes`` are where texts are, (left,
    bottom, right, top) in drawn pixels.
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
        self.hud = Hud(self.overlay, supersample, LIGHT)
        self.boxes: list[list[float]] = []
        self._busy: list[Floats] = []
        self.plotter.enable_parallel_projection()
        camera = self.plotter.camera
        # the origin is in the middle of what the panel leaves free
        left = -PANEL / 2 * height / size[1]
        camera.position, camera.focal_point = (left, 0.0, _EYE), (left, 0.0, 0.0)
        camera.up, camera.parallel_scale = (0.0, 1.0, 0.0), height / 2
        self.plotter.camera_set = True

    @property
    def sight(self) -> PlaneView:
        """What the camera sees now; the mouse moves it."""
        camera = self.plotter.camera
        x, y, _ = camera.focal_point
        width, height = self.plotter.window_size
        seen = 2.0 * float(camera.parallel_scale)
        return PlaneView((float(x), float(y)), seen, (int(width), int(height)))

    def begin(self) -> None:
        """Begin a new picture."""
        self.hud.begin()
        self.boxes, self._busy, self._view = [], [], self.sight

    def at(self, points: ArrayLike) -> Floats:
        """Return the pixels of (n, 2) points."""
        return self._view.project(points)

    def line(
        self, a: ArrayLike, b: ArrayLike, width: float, ink: Rgb, *, busy: bool = False
    ) -> None:
        """Draw a line with round ends; no text may cover one that is busy."""
        ends = self.at(np.array([a, b]))
        self.hud.line(ends[0], ends[1], width, ink)
        for end in ends:
            self.hud.disc(end, width / 2 * self.ratio, ink)
        if busy:
            self._busy.append((1 - _ALONG) * ends[0] + _ALONG * ends[1])

    def dot(self, center: ArrayLike, radius: float, ink: Rgb) -> None:
        """Fill a small circle."""
        self.hud.disc(self.at(np.array([center]))[0], radius * self.ratio, ink)

    def ring(
        self, center: ArrayLike, radius: float, width: float, ink: Rgb, fill: theme.Ink
    ) -> Floats:
        """Fill a circle, its radius in the plane, with a rim that no text covers."""
        rim = self.at(np.asarray(center) + radius * _CIRCLE)
        self.hud.polygon(rim, fill)
        for one, other in zip(rim, np.roll(rim, -1, axis=0), strict=True):
            self.hud.line(one, other, width, ink)
        self._busy.append(rim)
        return rim

    def panel(self, lines: Sequence[PanelLine], keys: Sequence[str]) -> None:
        """Write lines that fit on a sheet at the left, and keys at its foot."""
        r, height = self.ratio, float(self._view.size[1])
        self.hud.rectangle([0.0, 0.0, PANEL * r, height], LIGHT.paper)
        self.hud.rectangle([PANEL * r, 0.0, (PANEL + 1.5) * r, height], _RIM)
        self.boxes.append([0.0, 0.0, (PANEL + 8) * r, height])

        def high(line: PanelLine) -> float:
            return line.size * r * (1.15 if line.words else 0.6)

        def write(line: PanelLine, bottom: float) -> None:
            text = self.hud.text(line.words, line.size, line.ink, bold=line.bold)
            self.hud.put(text, theme.MARGIN * r, bottom)

        foot = float(theme.MARGIN * r)
        top = height - foot
        for words in reversed(keys):
            line = PanelLine(words, LIGHT.faint_ink)
            write(line, foot)
            foot += high(line) + _GAP * r
        for line in lines:
            top -= high(line)
            if top < foot + 2 * _GAP * r:
                break
            write(line, top)
            top -= _GAP * r

    def label(self, labels: Sequence[Label]) -> None:
        """Write labels of what is in sight where they cover nothing."""
        r, size, shown = self.ratio, self._view.size, []
        for label in labels:
            anchor = self.at([label.anchor])
            x, y = anchor[0]
            if PANEL * r <= x <= size[0] and 0 <= y <= size[1]:
                ink, prefer = label.ink, np.array(label.prefer)
                shown.append(self.hud.wanted(label.words, anchor, prefer, ink, ink))
        busy = np.concatenate([np.empty((0, 2)), *self._busy])
        taken = np.array(self.boxes).reshape(-1, 4)
        found = place([w.request for w in shown], size, taken, busy, scale=r)
        for (_, text, ink), here in zip(shown, found, strict=True):
            self.hud.labelled(text, here.box.tolist(), here.anchor, here.end, ink)
            self.boxes.append(here.box.tolist())

    def number(
        self, words: str, room: Floats, places: Floats, ink: Rgb, size: int
    ) -> None:
        """Write words where there is most room.

        Parameters: ``places`` (n, 2): pixels; ``room`` (n,): how far each is from what
        must not be crossed, below 0 where it is no place at all.
        """
        half = np.array([0.35, 0.6]) * size * self.ratio
        boxes = np.array(self.boxes)
        # how far apart the boxes are along x and y, of which the larger counts
        gaps = np.maximum(
            boxes[:, :2] - places[:, None], places[:, None] - boxes[:, 2:]
        )
        room = np.minimum(room, (gaps - half).max(axis=-1).min(axis=1, initial=np.inf))
        if not len(places) or room.max() <= 0.0:
            return
        self.boxes.append(self.hud.centred(words, places[room.argmax()], size, ink))

    def places(self) -> Floats:
        """Return pixels all over the picture, (n, 2)."""
        step = _GRID * self.ratio
        axes = [np.arange(step / 2, length, step) for length in self._view.size]
        return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)


def beyond(points: Floats, a: Floats, b: Floats) -> Floats:
    """Return how far (n, 2) points lie to the right of the line from a to b, (n,)."""
    x, y = (b - a) / max(float(np.hypot(*(b - a))), 1e-300)
    right: Floats = (points - a) @ np.array([y, -x])
    return right


def clipped(polygon: Floats, a: Floats, b: Floats, *, right: bool) -> Floats:
    """Cut a convex polygon by the line from a to b; keep its right or left part."""
    keep = beyond(polygon, a, b) if right else beyond(polygon, b, a)
    found = []
    for k, there in enumerate(keep):
        here = keep[k - 1]
        if here * there < 0.0:
            t = here / (here - there)
            found.append((1 - t) * polygon[k - 1] + t * polygon[k])
        if there >= 0.0:
            found.append(polygon[k])
    return np.array(found).reshape(-1, 2)
