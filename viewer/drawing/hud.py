"""Write texts and draw flat shapes on top of a scene, placed in pixels."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple

import numpy as np

from viewer.drawing.skin import ColouredMesh
from viewer.drawing.words import cut, readable
from viewer.gl import require_pyvista
from viewer.theme import Rgb, Theme, blended
from wingedge.tables import Floats

Box = Sequence[float] | Floats  # left, bottom, right, top

_TURN = np.arange(20) * (2 * np.pi / 20)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
_DPI = 72  # a point of a font is a pixel
_ARIAL, _FONT_FILE = 0, 4  # of VTK: its own font, a file


class Text(NamedTuple):
    """A text that is laid out."""

    words: str
    size: int  # pixels
    bold: bool
    font: str  # a file; empty: VTK's own
    colour: Rgb


class Hud:
    """Draw texts and flat shapes on top of everything; begin a frame, add, finish.

    ``ratio`` pixels here make one of the finished picture, whose background is
    ``plain`` or a gradient. Shapes are one mesh; texts, above them, are actors of
    pyvista, which draw anew only what has changed.
    """

    def __init__(
        self, renderer: Any, ratio: float, theme: Theme, *, plain: bool = True
    ) -> None:
        self.theme, self.ratio, self._plain = theme, ratio, plain
        vtk = require_pyvista()._vtk
        where, mapper = vtk.vtkCoordinate(), vtk.vtkPolyDataMapper2D()
        where.SetCoordinateSystemToDisplay()
        mapper.SetTransformCoordinate(where)
        self._mesh = ColouredMesh(vtk.vtkActor2D(), mapper)
        self._all = vtk.vtkPropAssembly()  # in their order, whenever they were made
        self._all.AddPart(self._mesh.actor)
        renderer.AddViewProp(self._all)
        self._shown: object = None
        self._actors: list[Any] = []  # of texts, in their order
        self.begin()

    def begin(self, size: tuple[int, int] = (0, 0)) -> None:
        """Forget what was written in the last frame; so many pixels are there now."""
        self.size = size
        self._shapes: list[tuple[list[float], Rgb]] = []  # convex: x, y, x, y, ...
        self._texts: list[tuple[Text, tuple[int, int]]] = []

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> Text:
        """Prepare a text; `measure` says how large it is, `put` shows it."""
        words, font = readable(words)
        return Text(words, round(size * self.ratio), bold, font, colour)

    def fit(self, text: Text, room: float) -> Text:
        """Make a text no wider than this: its end is cut."""
        return text._replace(words=cut(text.words, self.fits(text, room)))

    def fits(self, text: Text, room: float) -> Callable[[str], bool]:
        """Return what tells whether other words for a text are no wider than this."""
        return lambda words: self.measure(text._replace(words=words))[0] <= room

    def measure(self, text: Text) -> tuple[float, float]:
        """Return width and height of a prepared text in pixels."""
        left, right, low, high = _bounds(*text[:4])
        return right - left + 1.0, high - low + 1.0

    def put(self, text: Text, left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        if text.words:
            self._texts.append((text, (round(left), round(bottom))))

    def line(self, start: Floats, end: Floats, width: float, colour: Rgb) -> None:
        """Draw a straight line."""
        (x, y), (p, q) = start.tolist(), end.tolist()
        length, half = hypot(p - x, q - y), width * self.ratio / 2
        if length > 0.0:
            u, v = (y - q) / length * half, (p - x) / length * half
            corners = [x - u, y - v, p - u, q - v, p + u, q + v, x + u, y + v]
            self._shapes.append((corners, colour))

    def rectangle(self, box: Box, colour: Rgb) -> None:
        """Fill a rectangle: left, bottom, right, top."""
        left, bottom, right, top = map(float, box)
        corners = [left, bottom, right, bottom, right, top, left, top]
        self._shapes.append((corners, colour))

    def framed(self, box: Box, colour: Rgb) -> None:
        """Draw a sheet of paper with a thin rim, for a text to be put on."""
        self.rectangle(box, colour)
        rim = 1.2 * self.ratio * np.array([1.0, 1.0, -1.0, -1.0])
        self.rectangle(np.add(box, rim), self.theme.paper)

    def disc(self, centre: Floats, radius: float, colour: Rgb) -> None:
        """Fill a circle."""
        self._shapes.append(((centre + radius * _CIRCLE).ravel().tolist(), colour))

    def write(self, left: float, bottom: float, *texts: Text) -> list[float]:
        """Write texts side by side, on the background; return their box."""
        sizes, pad = [self.measure(text) for text in texts], 3.0 * self.ratio
        high = max(height for _, height in sizes)
        wide = sum(width + self.ratio for width, _ in sizes)
        box = [left, bottom, left + wide, bottom + high]
        self.paint(np.add(box, [-pad, -pad, pad, pad]))
        for text, (width, height) in zip(texts, sizes, strict=True):
            self.put(text, left, bottom + (high - height) / 2)
            left += width + self.ratio
        return box

    def paint(self, *boxes: Floats) -> None:
        """Draw the background over what is there; a gradient in strips."""
        look = self.theme
        for left, bottom, right, top in boxes:
            count = 1 if self._plain else int((top - bottom) / (8 * self.ratio)) + 1
            for low, high in pairwise(np.linspace(bottom, top, count + 1).tolist()):
                share = 0.5 if self._plain else (low + high) / 2 / self.size[1]
                colour = blended(look.background_low, look.background_high, share)
                self.rectangle((left, low, right, high), colour)

    def finish(self) -> None:
        """Hand everything over, unless it is as it was."""
        if (self._shapes, self._texts) == self._shown:
            return
        self._shown = self._shapes, self._texts
        corners = [np.reshape(flat, (-1, 2)) for flat, _ in self._shapes]
        counts = [len(each) for each in corners]
        points = np.pad(np.concatenate([np.empty((0, 2)), *corners]), ((0, 0), (0, 1)))
        inks = np.array([ink for _, ink in self._shapes], np.uint8).reshape(-1, 3)
        cells = np.cumsum([0, *counts]), np.arange(len(points))
        self._mesh.load(points, cells, inks)
        while len(self._actors) < len(self._texts):
            self._actors.append(actor := require_pyvista().Text())
            actor.GetPositionCoordinate().SetCoordinateSystemToDisplay()
            self._all.AddPart(actor)
        for k, actor in enumerate(self._actors):  # some may be left over
            actor.SetVisibility(k < len(self._texts))
        for actor, (text, at) in zip(self._actors, self._texts, strict=False):
            _style(actor.GetTextProperty(), *text[1:4])
            actor.GetTextProperty().SetColor(*(c / 255 for c in text.colour))
            actor.SetInput(text.words)
            actor.SetPosition(at[0] - _bounds(*text[:4])[0], at[1])


def _style(style: Any, size: int, bold: bool, font: str) -> None:
    """Set the font of a text."""
    style.SetFontFamily(_FONT_FILE if font else _ARIAL)
    style.SetFontFile(font or None)
    style.SetFontSize(size)
    style.SetBold(bold)


@lru_cache(maxsize=8192)
def _bounds(words: str, size: int, bold: bool, font: str) -> tuple[int, ...]:
    """Return the first and last column and row of a text about where it starts."""
    from vtkmodules.vtkRenderingCore import vtkTextRenderer

    style, box = require_pyvista()._vtk.vtkTextProperty(), [0, -1, 0, -1]
    _style(style, size, bold, font)
    if words:
        vtkTextRenderer.GetInstance().GetBoundingBox(style, words, box, _DPI)
    return tuple(box)
