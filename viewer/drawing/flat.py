"""Flat quads in pixels, on top of everything: one actor for whatever is written."""

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.gl import require_pyvista
from viewer.theme import Rgb

Floats = NDArray[np.float64]

_LEAST = 256  # quads that there is room for


class Ink(NamedTuple):
    """Quads in pixels, with the part of an image that is on each; the first below."""

    corners: Floats  # (n, 8) x and y of four corners, lower left first
    sources: NDArray[np.float32]  # (n, 8) the same in the image
    tints: NDArray[np.uint32]  # (n,) times the colour of the image, see `packed`


@lru_cache(maxsize=1024)
def packed(colour: Rgb) -> int:
    """Return a colour as one number whose bytes in memory are red, green, blue, 255."""
    return int.from_bytes((*colour, 255), sys.byteorder)


class Flat:
    """Draw coloured quads with pieces of an image on them.

    Parameters
    ----------
    renderer : vtkRenderer
    """

    def __init__(self, renderer: Any) -> None:
        self._pyvista = require_pyvista()
        vtk = self._pyvista._vtk
        where = vtk.vtkCoordinate()
        where.SetCoordinateSystemToDisplay()
        self._mapper = vtk.vtkPolyDataMapper2D()
        self._mapper.SetTransformCoordinate(where)
        self._mapper.SetScalarModeToUsePointData()
        self._mapper.SetColorModeToDirectScalars()
        self._texture = vtk.vtkTexture()
        self._texture.InterpolateOff()
        self._texture.SetColorModeToDirectScalars()
        textured = vtk.vtkTextActor.__base__  # pyvista names no vtkTexturedActor2D
        self._actor = textured()
        self._actor.SetMapper(self._mapper)
        self._actor.SetTexture(self._texture)
        self._actor.SetVisibility(False)
        renderer.AddViewProp(self._actor)
        self._shown = False
        self._used = 0
        self._points = np.empty((0, 3))
        self._size = np.ones(2, np.float32)
        self._data: Any = None

    def paint(self, image: NDArray[np.uint8]) -> None:
        """Take this (height, width, 4) image, lowest row first."""
        height, width, _ = image.shape
        data = self._pyvista.ImageData(dimensions=(width, height, 1))
        pixels = self._pyvista.convert_array(image.reshape(-1, 4).copy(), name="rgba")
        data.GetPointData().SetScalars(pixels)
        self._texture.SetInputData(data)
        self._size = np.array([width, height], np.float32)

    def show(self, quads: Sequence[Ink]) -> None:
        """Draw these quads and no others, the first ones below."""
        count = sum(len(ink.tints) for ink in quads)
        if self._shown != (count > 0):
            self._shown = count > 0
            self._actor.SetVisibility(self._shown)
        if not count:
            return
        if 4 * count > len(self._points):
            self._make_room(max(_LEAST, 2 * count))
        end = 4 * count
        corners = np.concatenate([ink.corners for ink in quads])
        self._points[:end, :2] = corners.reshape(-1, 2)
        self._points[end : 4 * self._used] = 0.0  # quads without extent
        self._used = count
        sources = np.concatenate([ink.sources for ink in quads])
        np.divide(sources.reshape(-1, 2), self._size, out=self._coordinates[:end])
        tints = np.concatenate([ink.tints for ink in quads])
        self._tones[:end].reshape(-1, 4)[...] = tints[:, None]
        told = self._data.GetPointData()
        told.GetScalars().Modified()
        told.GetTCoords().Modified()
        self._data.GetPoints().GetData().Modified()
        self._data.GetPoints().Modified()

    def _make_room(self, quads: int) -> None:
        """Make room for so many quads; those that are not used have no extent."""
        self._points = np.zeros((4 * quads, 3))
        self._coordinates = np.zeros((4 * quads, 2), np.float32)
        self._tones = np.zeros(4 * quads, np.uint32)
        colours = self._tones.view(np.uint8).reshape(-1, 4)
        self._used = 0
        corners = np.arange(4 * quads, dtype=np.int64).reshape(-1, 4)
        self._data = self._pyvista.PolyData()
        self._data.points = self._points
        self._data.faces = np.insert(corners, 0, 4, axis=1).ravel()
        convert = self._pyvista.convert_array
        told = self._data.GetPointData()
        told.SetScalars(convert(colours, name="colour"))
        told.SetTCoords(convert(self._coordinates, name="source"))
        self._mapper.SetInputData(self._data)
