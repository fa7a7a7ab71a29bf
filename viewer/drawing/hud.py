"""Write texts and draw flat shapes on top of a scene, placed in pixels."""

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.drawing.skin import ColouredMesh, cells_of
from viewer.drawing.words import cut, readable
from viewer.gl import require_pyvista
from viewer.theme import Rgb, Theme
from wingedge.tables import Floats

Box = Sequence[float] | Floats  # left, bottom, right, top

_TURN = np.arange(20) * (2 * np.pi / 20)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
_DPI = 72  # a point of a font is a pixel
_FONT_FILE = 4  # of VTK: a font is a file
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])


class Text(NamedTuple):
    """A text that is laid out."""

    words: str
    size: int  # pixels
    bold: bool
    font: str  # a file; empty: VTK's own
    colour: Rgb

    @property
    def letters(self) -> NDArray[np.uint8]:
        """How much of each pixel it covers, (height, width), the lowest row first."""
        return _letters(*self[:4])


class Hud:
    """Draw texts and flat shapes on top of everything; begin a frame, add, finish.

    ``ratio`` pixels here make one of the finished picture. All of it is one mesh: texts
    are parts of one texture, which stays while they are the same; above shapes.
    """

    def __init__(self, renderer: Any, ratio: float, theme: Theme) -> None:
        from vtkmodules.vtkRenderingCore import vtkTexturedActor2D

        self.theme, self._ratio = theme, ratio
        vtk = require_pyvista()._vtk
        where, mapper = vtk.vtkCoordinate(), vtk.vtkPolyDataMapper2D()
        where.SetCoordinateSystemToDisplay()
        mapper.SetTransformCoordinate(where)
        actor, self._texture = vtkTexturedActor2D(), vtk.vtkTexture()
        actor.SetTexture(self._texture)
        self._mesh = ColouredMesh(actor, mapper)
        renderer.AddViewProp(actor)
        self._shown: object = None
        self._lettered: dict[Any, Floats] = {}  # corners of a text in the texture
        self.begin()

    def begin(self) -> None:
        """Forget what was written in the last frame."""
        self._shapes: list[tuple[list[float], Rgb]] = []  # convex: x, y, x, y, ...
        self._texts: list[tuple[Text, tuple[int, int]]] = []

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> Text:
        """Prepare a text; `measure` says how large it is, `put` shows it."""
        words, font = readable(words)
        return Text(words, round(size * self._ratio), bold, font, colour)

    def fit(self, text: Text, room: float) -> Text:
        """Make a text no wider than this: its end is cut."""

        def fits(line: str) -> bool:
            return self.measure(text._replace(words=line))[0] <= room

        return text._replace(words=cut(text.words, fits))

    def measure(self, text: Text) -> tuple[float, float]:
        """Return width and height of a prepared text in pixels."""
        height, width = text.letters.shape
        return float(width), float(height)

    def put(self, text: Text, left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        if text.words:
            self._texts.append((text, (round(left), round(bottom))))

    def line(self, start: Floats, end: Floats, width: float, colour: Rgb) -> None:
        """Draw a straight line."""
        (x, y), (p, q) = start.tolist(), end.tolist()
        length, half = hypot(p - x, q - y), width * self._ratio / 2
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
        rim = 1.2 * self._ratio * np.array([1.0, 1.0, -1.0, -1.0])
        self.rectangle(np.add(box, rim), self.theme.paper)

    def disc(self, centre: Floats, radius: float, colour: Rgb) -> None:
        """Fill a circle."""
        self._shapes.append(((centre + radius * _CIRCLE).ravel().tolist(), colour))

    def finish(self) -> bool:
        """Hand everything over; tell whether anything is not as it was."""
        if (self._shapes, self._texts) == self._shown:
            return False
        self._shown = self._shapes, self._texts
        self._letter()
        # corners as fans of triangles, their places in the texture, colours
        shapes = [np.reshape(corners, (-1, 2)) for corners, _ in self._shapes]
        places = [at + _CORNERS * self.measure(text) for text, at in self._texts]
        points = [flat[_fan(len(flat))] for flat in (*shapes, *places)]
        parts = [np.zeros((len(flat), 2))[_fan(len(flat))] for flat in shapes]
        parts += [self._lettered[text[:4]][_fan(4)] for text, _ in self._texts]
        inks = [ink for _, ink in self._shapes] + [t.colour for t, _ in self._texts]
        corners = np.concatenate([np.empty((0, 2)), *points])
        tones = np.full((len(corners), 4), 255, np.uint8)
        counts = [len(some) for some in points]
        tones[:, :3] = np.repeat(np.reshape(inks, (-1, 3)), counts, axis=0)
        where = np.concatenate([np.empty((0, 2)), *parts]).astype(np.float32)
        own = cells_of(np.arange(len(corners)).reshape(-1, 3))
        flat = np.pad(corners, ((0, 0), (0, 1)))
        self._mesh.load(flat, own, tones, where, "TCOORDS")
        return True

    def _letter(self) -> None:
        """Lay all texts one above the other into the texture, above a full pixel."""
        wanted = {text[:4]: text.letters for text, _ in self._texts}
        if self._lettered and wanted.keys() == self._lettered.keys():
            return
        wide = max(1, *(mask.shape[1] for mask in wanted.values()), 1)
        size, low = (wide, 1 + sum(map(len, wanted.values()))), 1
        image = np.full((*size[::-1], 4), 255, np.uint8)
        self._lettered = {}
        for key, mask in wanted.items():
            image[low : low + len(mask), : mask.shape[1], 3] = mask
            corners = _CORNERS * mask.shape[::-1] + (0, low)
            self._lettered[key] = corners / size
            low += len(mask)
        pyvista = require_pyvista()
        data = pyvista._vtk.vtkImageData()
        data.SetDimensions(*size, 1)
        scalars = pyvista.convert_array(image.reshape(-1, 4), deep=True)
        data.GetPointData().SetScalars(scalars)
        self._texture.SetInputData(data)


@lru_cache
def _fan(corners: int) -> NDArray[np.intp]:
    """Return the corners of a polygon as those of its triangles, (3 t,)."""
    return np.array([(0, k, k + 1) for k in range(1, corners - 1)]).ravel()


@lru_cache(maxsize=8192)
def _letters(words: str, size: int, bold: bool, font: str) -> NDArray[np.uint8]:
    """Return how much of each pixel a text covers, (h, w), the lowest row first."""
    from vtkmodules.vtkRenderingCore import vtkTextRenderer

    pyvista = require_pyvista()
    style, data = pyvista._vtk.vtkTextProperty(), pyvista._vtk.vtkImageData()
    style.SetFontFamilyToArial()
    if font:
        style.SetFontFamily(_FONT_FILE)
        style.SetFontFile(font)
    style.SetFontSize(size)
    style.SetBold(bold)
    style.SetJustificationToLeft()
    style.SetVerticalJustificationToBottom()
    extent, renderer = [0, 0], vtkTextRenderer.GetInstance()
    if not words or not renderer.RenderString(style, words, data, extent, _DPI):
        return np.zeros((0, 0), np.uint8)
    wide, high, _ = data.GetDimensions()
    tones = np.asarray(pyvista.convert_array(data.GetPointData().GetScalars()))
    return tones.reshape(high, wide, 4)[: extent[1], : extent[0], 3].copy()
