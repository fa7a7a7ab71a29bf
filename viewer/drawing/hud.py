"""Write texts and draw flat shapes on top of a scene, placed in pixels."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import hypot
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme as sizes
from viewer.drawing.camera import NO_BORDER, Border, View, project
from viewer.drawing.markers import Pen
from viewer.drawing.skin import ColouredMesh
from viewer.drawing.words import fitting, readable
from viewer.gl import require_pyvista
from viewer.theme import Ink, Rgb, Theme, blended
from wingedge.tables import Floats

Box = list[float]  # left, bottom, right, top

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

    @property
    def ink(self) -> NDArray[np.intp]:
        """Corners of what is drawn of it: left and bottom, right and top, (2, 2)."""
        drawn = np.argwhere(self.letters)[:, ::-1]
        if not len(drawn):
            return np.zeros((2, 2), np.intp)
        return np.stack([drawn.min(axis=0), drawn.max(axis=0) + 1])


class Hud:
    """Draw texts and flat shapes on top of everything; begin a frame, add, finish.

    ``ratio`` pixels here make one of the finished picture. All of it is one mesh: texts
    are parts of one texture, which stays while they are the same; above shapes.
    """

    def __init__(self, renderer: Any, ratio: float, theme: Theme) -> None:
        from vtkmodules.vtkRenderingCore import vtkTexturedActor2D

        self.theme = theme
        self._ratio = ratio
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
        self._corners: list[list[float]] = []  # of polygons: x, y, x, y, ...
        self._inks: list[Ink] = []
        self._texts: list[tuple[Text, tuple[int, int]]] = []

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> Text:
        """Prepare a text; `measure` says how large it is, `put` shows it."""
        words, font = readable(words)
        return Text(words, round(size * self._ratio), bold, font, colour)

    def fit(
        self,
        words: str,
        size: int,
        colour: Rgb,
        room: float,
        names: Iterable[str] = (),
        *,
        bold: bool = False,
    ) -> Text:
        """Prepare a text no wider than this: names get shorter, then its end is cut."""

        def fits(line: str) -> bool:
            return self.measure(self.text(line, size, colour, bold=bold))[0] <= room

        return self.text(fitting(words, names, fits), size, colour, bold=bold)

    def measure(self, text: Text) -> tuple[float, float]:
        """Return width and height of a prepared text in pixels."""
        height, width = text.letters.shape
        return float(width), float(height)

    def put(self, text: Text, left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        if text.words:
            self._texts.append((text, (round(left), round(bottom))))

    def sign(self, text: Text, centre: Floats) -> None:
        """Show a prepared sign with its ink around a place."""
        self.put(text, *(centre - text.ink.mean(axis=0)))

    def line(self, start: Floats, end: Floats, width: float, colour: Rgb) -> None:
        """Draw a straight line."""
        (x, y), (p, q) = start.tolist(), end.tolist()
        length, half = hypot(p - x, q - y), width * self._ratio / 2
        if length > 0.0:
            u, v = (y - q) / length * half, (p - x) / length * half
            self._add([x - u, y - v, p - u, q - v, p + u, q + v, x + u, y + v], colour)

    def rectangle(self, box: Sequence[float] | Floats, colour: Rgb) -> None:
        """Fill a rectangle: left, bottom, right, top."""
        left, bottom, right, top = map(float, box)
        self._add([left, bottom, right, bottom, right, top, left, top], colour)

    def framed(self, box: Sequence[float] | Floats, colour: Rgb) -> None:
        """Draw a sheet of paper with a thin rim, for a text to be put on."""
        rim = 1.2 * self._ratio
        left, bottom, right, top = box
        self.rectangle(box, colour)
        inner = [left + rim, bottom + rim, right - rim, top - rim]
        self.rectangle(inner, self.theme.paper)

    def disc(self, centre: Floats, radius: float, colour: Rgb) -> None:
        """Fill a circle."""
        self.polygon(centre + radius * _CIRCLE, colour)

    def polygon(self, corners: Floats, colour: Ink) -> None:
        """Fill a convex polygon of (n, 2) corners."""
        self._add(corners.ravel().tolist(), colour)

    def finish(self) -> bool:
        """Hand everything over; tell whether anything is not as it was."""
        shown = self._corners, self._inks, self._texts
        if shown == self._shown:
            return False
        self._shown = shown
        self._letter()
        flat = [np.reshape(corners, (-1, 2)) for corners in self._corners]
        counts = *map(len, flat), *(4 for _ in self._texts)
        inks = [*self._inks, *(text.colour for text, _ in self._texts)]
        written = [at + _CORNERS * self.measure(text) for text, at in self._texts]
        places = [self._lettered[text[:4]] for text, _ in self._texts]
        points, blank = np.zeros((sum(counts), 3)), np.zeros((sum(map(len, flat)), 2))
        points[:, :2] = np.concatenate([np.empty((0, 2)), *flat, *written])
        tones = np.array([(*ink, 255)[:4] for ink in inks], np.uint8).reshape(-1, 4)
        parts = np.concatenate([blank, *places]).astype(np.float32)
        colours = np.repeat(tones, np.array(counts, np.intp), axis=0)
        self._mesh.load(points, _fans(counts), colours, ("TCOORDS", parts))
        return True

    def _letter(self) -> None:
        """Lay all texts one above the other into the texture, above a full pixel."""
        wanted = {text[:4]: text.letters for text, _ in self._texts}
        if self._lettered and wanted.keys() == self._lettered.keys():
            return
        sides = [letters.shape for letters in wanted.values()]
        starts = 1 + np.cumsum([0, *(height for height, _ in sides)])
        size = max((width for _, width in sides), default=1), int(starts[-1])
        image = np.full((*size[::-1], 4), 255, np.uint8)
        for low, (high, wide), letters in zip(
            starts, sides, wanted.values(), strict=False
        ):
            image[low : low + high, :wide, 3] = letters
        self._lettered = {
            key: (_CORNERS * (wide, high) + (0, low)) / size
            for key, (high, wide), low in zip(wanted, sides, starts, strict=False)
        }
        pyvista = require_pyvista()
        data = pyvista._vtk.vtkImageData()
        data.SetDimensions(*size, 1)
        scalars = pyvista.convert_array(image.reshape(-1, 4), deep=True)
        data.GetPointData().SetScalars(scalars)
        self._texture.SetInputData(data)

    def _add(self, corners: list[float], colour: Ink) -> None:
        self._corners.append(corners)
        self._inks.append(colour)


@lru_cache(maxsize=256)
def _fans(counts: tuple[int, ...]) -> NDArray[np.int64]:
    """Return polygons of so many corners as triangles."""
    inner = np.array(counts, np.intp) - 2
    first = np.repeat(np.cumsum(counts) - counts, inner).astype(np.int64)
    step = np.arange(len(first)) - np.repeat(np.cumsum(inner) - inner, inner)
    return np.stack([first, first + step + 1, first + step + 2], axis=1)


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
    extent = [0, 0]
    if not words or not vtkTextRenderer.GetInstance().RenderString(
        style, words, data, extent, _DPI
    ):
        return np.zeros((0, 0), np.uint8)
    wide, high, _ = data.GetDimensions()
    tones = np.asarray(pyvista.convert_array(data.GetPointData().GetScalars()))
    return tones.reshape(high, wide, 4)[: extent[1], : extent[0], 3].copy()


class Canvas(NamedTuple):
    """What the texts of one picture share."""

    hud: Hud
    pen: Pen
    view: View
    size: tuple[int, int]  # pixels that are drawn
    ratio: float  # of those, per pixel of the finished picture
    free: Border = NO_BORDER  # pixels along the sides that are somebody else's
    plain: bool = False  # whether the background has one colour

    def project(self, points: Floats) -> Floats:
        """Return where (n, 3) points land, (n, 2) pixels."""
        return project(points, self.view, self.size)

    def clear(self, box: Box) -> None:
        """Fill a low box with the background: a text on it is read on any body."""
        look, pad = self.hud.theme, 3.0 * self.ratio
        share = 0.5 if self.plain else (box[1] + box[3]) / 2 / self.size[1]
        colour = blended(look.background_low, look.background_high, share)
        around = [box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad]
        self.hud.rectangle(around, colour)

    def write(self, words: Text, left: float, bottom: float) -> Box:
        """Write a text where bodies may be; return its box."""
        width, height = self.hud.measure(words)
        box = [left, bottom, left + width, bottom + height]
        self.clear(box)
        self.hud.put(words, left, bottom)
        return box

    def label(self, text: Text, box: Floats, anchor: Floats, end: Floats) -> None:
        """Write a text on a sheet of paper, with a leader from what it names."""
        hud, pad, ink = self.hud, sizes.PADDING * self.ratio, text.colour
        hud.line(anchor, end, 1.4, ink)
        hud.disc(anchor, 2.6 * self.ratio, ink)
        hud.framed(box, ink)
        hud.put(text, float(box[0]) + pad, float(box[1]) + pad)
