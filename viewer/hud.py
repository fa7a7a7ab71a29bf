"""Text, leaders and swatches on top of a scene, placed in pixels."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.gl import require_pyvista
from viewer.layout.camera import NO_BORDER, Border, View, project
from viewer.theme import Rgb, Theme

Floats = NDArray[np.float64]
Box = list[float]  # left, bottom, right, top


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
        self._texts: list[Any] = []
        self._used = 0
        self._shapes = _Shapes(self._pyvista, renderer)

    def begin(self) -> None:
        """Forget what was written in the last frame."""
        self._used = 0
        self._shapes.clear()

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> Any:
        """Prepare a text; `measure` says how large it is, `put` shows it."""
        if self._used == len(self._texts):
            actor = self._pyvista._vtk.vtkTextActor()
            self._renderer.AddViewProp(actor)
            self._texts.append(actor)
        actor = self._texts[self._used]
        self._used += 1
        style = actor.GetTextProperty()
        style.SetFontFamilyToArial()
        style.SetFontSize(round(size * self._ratio))
        style.SetBold(bold)
        style.SetColor(*_floats(colour))
        style.SetJustificationToLeft()
        style.SetVerticalJustificationToBottom()
        actor.SetInput(words)
        actor.SetVisibility(True)
        return actor

    def measure(self, actor: Any) -> tuple[float, float]:
        """Return width and height of a prepared text in pixels."""
        area = [0.0, 0.0, 0.0, 0.0]
        actor.GetBoundingBox(self._renderer, area)
        return area[1] - area[0] + 1, area[3] - area[2] + 1

    def put(self, actor: Any, left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        area = [0.0, 0.0, 0.0, 0.0]
        actor.SetPosition(0, 0)
        actor.GetBoundingBox(self._renderer, area)
        actor.SetPosition(round(left - area[0]), round(bottom - area[2]))

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
        turn = np.arange(20) * (2 * np.pi / 20)
        rim = radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        self._shapes.add(centre + rim, colour)

    def polygon(self, corners: Floats, colour: Rgb) -> None:
        """Fill a convex polygon of (n, 2) corners."""
        self._shapes.add(corners, colour)

    def finish(self) -> None:
        """Hide what was not used again and hand the shapes over."""
        for actor in self._texts[self._used :]:
            actor.SetVisibility(False)
        self._shapes.show()


class _Shapes:
    """Flat convex polygons in pixels, all in one actor."""

    def __init__(self, pyvista: Any, renderer: Any) -> None:
        self._pyvista = pyvista
        self._mapper = pyvista._vtk.vtkPolyDataMapper2D()
        where = pyvista._vtk.vtkCoordinate()
        where.SetCoordinateSystemToDisplay()
        self._mapper.SetTransformCoordinate(where)
        self._actor = pyvista._vtk.vtkActor2D()
        self._actor.SetMapper(self._mapper)
        renderer.AddViewProp(self._actor)
        self.clear()

    def clear(self) -> None:
        self._polygons: list[Floats] = []
        self._colours: list[Rgb] = []

    def add(self, corners: Floats, colour: Rgb) -> None:
        self._polygons.append(corners)
        self._colours.append(colour)

    def show(self) -> None:
        self._actor.SetVisibility(bool(self._polygons))
        if not self._polygons:
            return
        flat = np.concatenate(self._polygons)
        points = np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)
        faces, start = [], 0
        for polygon in self._polygons:
            faces += [len(polygon), *range(start, start + len(polygon))]
            start += len(polygon)
        data = self._pyvista.PolyData(points, faces=np.array(faces))
        data.cell_data["colour"] = np.array(self._colours, dtype=np.uint8)
        data.GetCellData().SetActiveScalars("colour")
        self._mapper.SetInputData(data)
        self._mapper.SetScalarModeToUseCellData()
        self._mapper.SetColorModeToDirectScalars()


class Canvas(NamedTuple):
    """What the texts of one picture share."""

    hud: Hud
    view: View
    size: tuple[int, int]  # pixels that are drawn
    ratio: float  # of those, per pixel of the finished picture
    free: Border = NO_BORDER  # pixels along the sides that are somebody else's

    def project(self, points: Floats) -> Floats:
        """Return where (n, 3) points land, (n, 2) pixels."""
        return project(points, self.view, self.size)


def _floats(colour: Rgb) -> tuple[float, float, float]:
    r, g, b = colour
    return r / 255, g / 255, b / 255
