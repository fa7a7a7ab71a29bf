"""Text, leaders and swatches on top of a scene, placed in pixels."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.gl import require_pyvista
from viewer.layout.camera import NO_BORDER, Border, View, project
from viewer.layout.labels import Places
from viewer.theme import Rgb, Theme

Floats = NDArray[np.float64]
Box = list[float]  # left, bottom, right, top

_REMEMBERED = 4096  # texts whose extents are known
_TURN = np.arange(20) * (2 * np.pi / 20)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)


class Hud:
    """Draw texts and flat shapes; begin a frame, add, finish.

    Parameters
    ----------
    renderer : pyvista Renderer
        Draws on top of everything else.
    ratio : float
        Pixels here per pixel of the finished picture.
    theme : Theme
        The colours of paper and ink.
    """

    def __init__(self, renderer: Any, ratio: float, theme: Theme) -> None:
        self.theme = theme
        self._pyvista = require_pyvista()
        self._renderer = renderer
        self._ratio = ratio
        self._texts: list[Text] = []
        self._used = 0
        self._extents: dict[tuple[object, ...], Extent] = {}
        self._shapes = _Shapes(self._pyvista, renderer)

    def begin(self) -> None:
        """Forget what was written in the last frame."""
        self._used = 0
        self._shapes.clear()

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> "Text":
        """Prepare a text; `measure` says how large it is, `put` shows it.

        A text that was the same in the last frame, in the same place among all, costs
        nothing.
        """
        if self._used == len(self._texts):
            actor = self._pyvista._vtk.vtkTextActor()
            self._renderer.AddViewProp(actor)
            self._texts.append(Text(actor))
        text = self._texts[self._used]
        self._used += 1
        text.write(words, round(size * self._ratio), colour, bold)
        return text

    def measure(self, text: "Text") -> tuple[float, float]:
        """Return width and height of a prepared text in pixels."""
        found = self._extent(text)
        return found.width, found.height

    def put(self, text: "Text", left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        found = self._extent(text)
        text.move(round(left - found.left), round(bottom - found.bottom))

    def _extent(self, text: "Text") -> "Extent":
        known = self._extents.get(text.shape)
        if known is None:
            if len(self._extents) >= _REMEMBERED:
                self._extents.clear()
            known = text.extent(self._renderer)
            self._extents[text.shape] = known
        return known

    def line(self, start: Floats, end: Floats, width: float, colour: Rgb) -> None:
        """Draw a straight line."""
        along = np.asarray(end, dtype=np.float64) - start
        length = float(np.hypot(*along))
        if length == 0.0:
            return
        side = np.array([-along[1], along[0]]) / length * width * self._ratio / 2
        self._shapes.add(
            np.stack([start - side, end - side, end + side, start + side]), colour
        )

    def rectangle(self, box: Sequence[float] | Floats, colour: Rgb) -> None:
        """Fill a rectangle: left, bottom, right, top."""
        left, bottom, right, top = box
        corners = [[left, bottom], [right, bottom], [right, top], [left, top]]
        self._shapes.add(np.array(corners), colour)

    def rectangles(self, boxes: Floats, colour: Rgb) -> None:
        """Fill (n, 4) rectangles: left, bottom, right, top."""
        self._shapes.extend(
            boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2), colour
        )

    def framed(self, box: Sequence[float] | Floats, colour: Rgb) -> None:
        """Draw a sheet of paper with a thin rim, for a text to be put on."""
        rim = 1.2 * self._ratio
        left, bottom, right, top = box
        self.rectangle(box, colour)
        self.rectangle(
            [left + rim, bottom + rim, right - rim, top - rim], self.theme.paper
        )

    def disc(self, centre: Floats, radius: float, colour: Rgb) -> None:
        """Fill a circle."""
        self._shapes.add(centre + radius * _CIRCLE, colour)

    def polygon(self, corners: Floats, colour: Rgb) -> None:
        """Fill a convex polygon of (n, 2) corners."""
        self._shapes.add(corners, colour)

    def finish(self) -> None:
        """Hide what was not used again and hand the shapes over."""
        for text in self._texts[self._used :]:
            text.hide()
        self._shapes.show()


class Extent(NamedTuple):
    """How large a text is, and where it lies about its own place; pixels."""

    width: float
    height: float
    left: float
    bottom: float


class Text:
    """A text on the screen; only what is new is said to VTK.

    Attributes
    ----------
    shape : tuple
        What its extent depends on.
    """

    def __init__(self, actor: Any) -> None:
        self._actor = actor
        self._style = actor.GetTextProperty()
        self._style.SetFontFamilyToArial()
        self._style.SetJustificationToLeft()
        self._style.SetVerticalJustificationToBottom()
        self._colour: Rgb | None = None
        self._at: tuple[int, int] | None = None
        self._shown = True
        self.shape: tuple[object, ...] = ()

    def write(self, words: str, size: int, colour: Rgb, bold: bool) -> None:
        """Become this text."""
        if self.shape != (words, size, bold):
            self.shape = (words, size, bold)
            self._style.SetFontSize(size)
            self._style.SetBold(bold)
            self._actor.SetInput(words)
        if self._colour != colour:
            self._colour = colour
            self._style.SetColor(*_floats(colour))
        if not self._shown:
            self._shown = True
            self._actor.SetVisibility(True)

    def reword(self, words: str) -> None:
        """Say something else in the same letters."""
        self.shape = (words, *self.shape[1:])
        self._actor.SetInput(words)

    def move(self, left: int, bottom: int) -> None:
        """Stand here."""
        if self._at != (left, bottom):
            self._at = left, bottom
            self._actor.SetPosition(left, bottom)

    def hide(self) -> None:
        """Be there no longer."""
        if self._shown:
            self._shown = False
            self._actor.SetVisibility(False)

    def extent(self, renderer: Any) -> Extent:
        """Measure the text."""
        area = [0.0, 0.0, 0.0, 0.0]
        self.move(0, 0)
        self._actor.GetBoundingBox(renderer, area)
        left, right, bottom, top = area
        return Extent(right - left + 1, top - bottom + 1, left, bottom)


class _Shapes:
    """Flat convex polygons in pixels, all in one actor."""

    def __init__(self, pyvista: Any, renderer: Any) -> None:
        self._pyvista = pyvista
        self._mapper = pyvista._vtk.vtkPolyDataMapper2D()
        where = pyvista._vtk.vtkCoordinate()
        where.SetCoordinateSystemToDisplay()
        self._mapper.SetTransformCoordinate(where)
        self._mapper.SetScalarModeToUseCellData()
        self._mapper.SetColorModeToDirectScalars()
        self._actor = pyvista._vtk.vtkActor2D()
        self._actor.SetMapper(self._mapper)
        renderer.AddViewProp(self._actor)
        self._shown = True
        self._sizes: list[int] = []
        self._inked: list[Rgb] = []
        self._points = np.empty((0, 3))
        self._tints = np.empty((0, 3), np.uint8)
        self._data: Any = None
        self.clear()

    def clear(self) -> None:
        self._polygons: list[Floats] = []
        self._colours: list[Rgb] = []

    def add(self, corners: Floats, colour: Rgb) -> None:
        self._polygons.append(corners)
        self._colours.append(colour)

    def extend(self, polygons: Floats, colour: Rgb) -> None:
        self._polygons += list(polygons)
        self._colours += [colour] * len(polygons)

    def show(self) -> None:
        if self._shown != bool(self._polygons):
            self._shown = bool(self._polygons)
            self._actor.SetVisibility(self._shown)
        if not self._shown:
            return
        sizes = [len(polygon) for polygon in self._polygons]
        flat = np.concatenate(self._polygons)
        if sizes != self._sizes:
            self._lay_out(sizes)
        if not np.array_equal(flat, self._points[:, :2]):
            self._points[:, :2] = flat
            self._data.GetPoints().GetData().Modified()
            self._data.GetPoints().Modified()
        if self._colours != self._inked:
            self._inked = self._colours
            self._tints[...] = self._colours
            self._data.GetCellData().GetScalars().Modified()

    def _lay_out(self, sizes: list[int]) -> None:
        """Make room for polygons of so many corners each."""
        self._sizes = sizes
        self._inked = []
        self._points = np.zeros((sum(sizes), 3))
        self._tints = np.zeros((len(sizes), 3), np.uint8)
        faces, start = [], 0
        for size in sizes:
            faces += [size, *range(start, start + size)]
            start += size
        self._data = self._pyvista.PolyData()
        self._data.points = self._points
        self._data.faces = np.array(faces)
        tints = self._pyvista.convert_array(self._tints, name="colour")
        self._data.GetCellData().SetScalars(tints)
        self._mapper.SetInputData(self._data)


class Canvas(NamedTuple):
    """What the texts of one picture share."""

    hud: Hud
    view: View
    size: tuple[int, int]  # pixels that are drawn
    ratio: float  # of those, per pixel of the finished picture
    places: Places  # where texts were
    free: Border = NO_BORDER  # pixels along the sides that are somebody else's
    plain: bool = False  # whether the background has one colour

    def project(self, points: Floats) -> Floats:
        """Return where (n, 3) points land, (n, 2) pixels."""
        return project(points, self.view, self.size)

    def clear(self, box: Box) -> None:
        """Fill a low box with the background: a text on it is read on any body."""
        look, pad = self.hud.theme, 3.0 * self.ratio
        share = (box[1] + box[3]) / 2 / self.size[1]
        colour = look.background if self.plain else look.background_at(share)
        around = [box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad]
        self.hud.rectangle(around, colour)


def _floats(colour: Rgb) -> tuple[float, float, float]:
    r, g, b = colour
    return r / 255, g / 255, b / 255
