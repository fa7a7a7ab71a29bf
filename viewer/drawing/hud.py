"""Write texts and draw flat shapes on top of a scene, placed in pixels."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
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


class Text(NamedTuple):
    """A text that is laid out."""

    words: str
    size: int  # pixels
    colour: Rgb
    bold: bool
    font: str  # a file; empty: VTK's own
    extent: tuple[int, int, int, int]  # left, right, bottom, top about its place


class Hud:
    """Draw texts and flat shapes on top of everything; begin a frame, add, finish.

    ``ratio`` pixels here make one of the finished picture. Texts are a pool: one that
    was there in the last frame is moved, others take over what is no longer needed.
    """

    def __init__(self, renderer: Any, ratio: float, theme: Theme) -> None:
        from vtkmodules.vtkRenderingCore import vtkPropAssembly

        self.theme = theme
        self._ratio = ratio
        self._pyvista = require_pyvista()
        vtk = self._pyvista._vtk
        where = vtk.vtkCoordinate()
        where.SetCoordinateSystemToDisplay()
        mapper = vtk.vtkPolyDataMapper2D()
        mapper.SetTransformCoordinate(where)
        self._flat = ColouredMesh(vtk.vtkActor2D(), mapper)
        self._all = vtkPropAssembly()  # what is added later lies above
        self._all.AddPart(self._flat.actor)
        renderer.AddViewProp(self._all)
        self._written: dict[tuple[Text, int], Any] = {}
        self._spare: list[Any] = []
        self._shown: object = None
        self.begin()

    def begin(self) -> None:
        """Forget what was written in the last frame."""
        self._corners: list[list[float]] = []  # of polygons: x, y, x, y, ...
        self._inks: list[Ink] = []
        self._texts: list[tuple[Text, tuple[int, int]]] = []

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> Text:
        """Prepare a text; `measure` says how large it is, `put` shows it."""
        words, font = readable(words)
        high = round(size * self._ratio)
        extent = _extent(words, high, bold, font)
        return Text(words, high, colour, bold, font, extent)

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
        left, right, bottom, top = text.extent
        return (right - left + 1.0, top - bottom + 1.0) if text.words else (0.0, 0.0)

    def put(self, text: Text, left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        if text.words:
            at = round(left - text.extent[0]), round(bottom - text.extent[2])
            self._texts.append((text, at))

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
        self._lay_shapes()
        counts: Counter[Text] = Counter()
        wanted: dict[tuple[Text, int], tuple[int, int]] = {}
        for text, at in self._texts:
            wanted[text, counts[text]] = at
            counts[text] += 1
        for key in self._written.keys() - wanted:
            self._spare.append(self._written.pop(key))
        for key, at in wanted.items():
            if key not in self._written:
                actor = self._spare.pop() if self._spare else self._blank()
                self._written[key] = _filled(actor, key[0])
            self._written[key].SetPosition(*at)
        for actor in self._spare:
            actor.SetVisibility(False)
        return True

    def _blank(self) -> Any:
        actor = self._pyvista._vtk.vtkTextActor()
        # as shapes: a renderer may begin anywhere in its window
        actor.GetPositionCoordinate().SetCoordinateSystemToDisplay()
        self._all.AddPart(actor)
        return actor

    def _add(self, corners: list[float], colour: Ink) -> None:
        self._corners.append(corners)
        self._inks.append(colour)

    def _lay_shapes(self) -> None:
        self._flat.actor.SetVisibility(len(self._inks) > 0)
        if self._inks:
            counts = tuple(len(corners) // 2 for corners in self._corners)
            points = np.zeros((sum(counts), 3))
            points[:, :2] = np.concatenate(self._corners).reshape(-1, 2)
            inks = np.array([(*ink, 255)[:4] for ink in self._inks], np.uint8)
            self._flat.load(points, _fans(counts), np.repeat(inks, counts, axis=0))


@lru_cache(maxsize=256)
def _fans(counts: tuple[int, ...]) -> NDArray[np.int64]:
    """Return polygons of so many corners as triangles."""
    inner = np.array(counts) - 2
    first = np.repeat(np.cumsum(counts) - counts, inner)
    step = np.arange(len(first)) - np.repeat(np.cumsum(inner) - inner, inner)
    return np.stack([first, first + step + 1, first + step + 2], axis=1)


def _filled(actor: Any, text: Text) -> Any:
    """Show a text with an actor of VTK."""
    actor.SetInput(text.words)
    style = actor.GetTextProperty()
    _set(style, text.size, text.bold, text.font)
    style.SetColor(*(tone / 255 for tone in text.colour))
    actor.SetVisibility(True)
    return actor


def _set(style: Any, size: int, bold: bool, font: str) -> None:
    """Make a property of VTK that of a text."""
    style.SetFontFamilyToArial()
    if font:
        style.SetFontFamily(_FONT_FILE)
        style.SetFontFile(font)
    style.SetFontSize(size)
    style.SetBold(bold)
    style.SetJustificationToLeft()
    style.SetVerticalJustificationToBottom()


@lru_cache(maxsize=8192)
def _extent(words: str, size: int, bold: bool, font: str) -> tuple[int, int, int, int]:
    """Return how far a text goes to left, right, down and up, in pixels."""
    style, renderer = _measuring()
    found = [0, 0, 0, 0]
    _set(style, size, bold, font)
    renderer.GetBoundingBox(style, words, found, _DPI)
    left, right, bottom, top = found
    return left, right, bottom, top


@cache
def _measuring() -> tuple[Any, Any]:
    """Return VTK's property of a text, and what measures one."""
    from vtkmodules.vtkRenderingCore import vtkTextRenderer

    return require_pyvista()._vtk.vtkTextProperty(), vtkTextRenderer.GetInstance()


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
