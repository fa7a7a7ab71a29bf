"""Draw flat shapes of the plane in layers, seen straight from above."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from viewer.arrays import Floats
from viewer.drawing.skin import coloured_actor
from viewer.gl import require_pyvista
from viewer.theme import Rgb

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
