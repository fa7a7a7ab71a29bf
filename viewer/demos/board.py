"""Draw a picture of the plane: layers of flat shapes, and labels that cover nothing."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from viewer import theme
from viewer.arrays import Floats
from viewer.demos.flat import Layer, PlaneView
from viewer.drawing.hud import Hud
from viewer.drawing.viewport import Viewport
from viewer.layout.labels import LabelRequest, place
from viewer.theme import LIGHT, Rgb

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
