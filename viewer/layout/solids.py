"""Spheres, tubes and arrows as triangles with normals; no pyvista here.

Real geometry instead of point and line primitives: it looks the same on every
renderer, keeps its size in pixels, and all of it is one mesh that is drawn in one go.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.theme import Rgb
from wingedge import shapes

Floats = NDArray[np.float64]
Radii = float | list[float]  # one for all, or for each
Colours = Rgb | list[Rgb]

_HEAD_LENGTH = 0.28  # of an arrow
_HEAD_RADIUS = 2.6  # shaft radii
_UPWARD = np.array([0.0, 0.0, 1.0])
_BASIS = np.eye(3)


class Solid(NamedTuple):
    """A coloured triangle mesh; several are joined into one before drawing."""

    points: Floats  # (n, 3) world
    normals: Floats  # (n, 3) unit
    triangles: NDArray[np.int64]  # (t, 3)
    colours: NDArray[np.uint8]  # (n, 3)


class Detail(NamedTuple):
    """How round things are."""

    ball: int  # how often the sides of an icosahedron are divided
    sides: int  # of a tube


FINE = Detail(2, 14)
LIVE = Detail(1, 8)  # a third of the triangles; half a pixel from round


class Pieces:
    """Balls, tubes and arrows, collected first and built all at once.

    The cost is that of a few array operations, however many there are.  Radius and
    colour are one for all that are added together, or one for each.
    """

    def __init__(self) -> None:
        self._balls, self._tubes, self._arrows = _Kind(), _Kind(), _Kind()

    def spheres(self, centres: Floats, radius: Radii, colour: Colours) -> None:
        """Add one ball around each of (k, 3) centres."""
        self._balls.add(centres, radius, colour)

    def tubes(self, segments: Floats, radius: Radii, colour: Colours) -> None:
        """Add one open tube along each of (m, 2, 3) segments."""
        self._tubes.add(segments, radius, colour)

    def arrows(self, segments: Floats, radius: Radii, colour: Colours) -> None:
        """Add an arrow along each of (m, 2, 3) segments.

        Its head is a cone of a quarter of the length.
        """
        self._arrows.add(segments, radius, colour)

    def solid(self, detail: Detail = FINE) -> Solid:
        """Build everything: balls, tubes, then arrows.

        As long as their numbers stay the same, ``triangles`` is the same array, and
        ``colours`` too where no colour changed.
        """
        kinds = self._balls, self._tubes, self._arrows
        balls, tubes, arrows = (len(kind.radii) for kind in kinds)
        each = _per_piece(detail)
        first = balls * each[0]
        second = first + tubes * each[1]
        points, normals = np.empty((2, second + arrows * each[2], 3))
        if balls:
            ball, shape = _ball(detail.ball)[0], (balls, each[0], 3)
            made = points[:first].reshape(shape)
            np.multiply(np.array(kinds[0].radii)[:, None, None], ball, out=made)
            made += np.concatenate(kinds[0].at)[:, None]
            normals[:first].reshape(shape)[...] = ball
        if tubes or arrows:
            ends = np.concatenate([*kinds[1].at, *kinds[2].at])
            axes = _Axes(ends, np.array([*kinds[1].radii, *kinds[2].radii]))
            shape = tubes, each[1], 3
            built = points[first:second].reshape(shape)
            shaded = normals[first:second].reshape(shape)
            _tubes(axes, slice(0, tubes), detail, built, shaded)
        if arrows:
            shape = arrows, each[2], 3
            built = points[second:].reshape(shape)
            shaded = normals[second:].reshape(shape)
            _arrows(axes, slice(tubes, None), detail, built, shaded)
        tones = bytes(kinds[0].tones + kinds[1].tones + kinds[2].tones)
        counts = balls, tubes, arrows
        return Solid(
            points,
            normals,
            _triangles(*counts, detail),
            _colours(tones, counts, detail),
        )


class _Kind:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self) -> None:
        self.at: list[Floats] = []
        self.radii: list[float] = []
        self.tones: list[int] = []  # 3 for each

    def add(self, at: Floats, radius: Radii, colour: Colours) -> None:
        count = len(at)
        if not count:
            return
        self.at.append(at)
        self.radii += radius if isinstance(radius, list) else [radius] * count
        if isinstance(colour, tuple):
            self.tones += colour * count
        else:
            self.tones += [tone for each in colour for tone in each]


def spheres(centres: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build one ball around each of (k, 3) centres."""
    pieces = Pieces()
    pieces.spheres(np.asarray(centres, np.float64).reshape(-1, 3), radius, colour)
    return pieces.solid()


def tubes(segments: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build one open tube along each of (m, 2, 3) segments."""
    pieces = Pieces()
    pieces.tubes(np.asarray(segments, np.float64).reshape(-1, 2, 3), radius, colour)
    return pieces.solid()


def arrow(start: ArrayLike, end: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build an arrow; its head is a cone of a quarter of the length."""
    pieces = Pieces()
    pieces.arrows(np.array([[start, end]], np.float64), radius, colour)
    return pieces.solid()


def joined(solids: Sequence[Solid]) -> Solid:
    """Join solids into one."""
    solids = [solid for solid in solids if len(solid.points)]
    if not solids:
        none = np.empty((0, 3))
        return Solid(none, none, none.astype(np.int64), none.astype(np.uint8))
    count = [len(solid.points) for solid in solids]
    before = np.cumsum([0, *count[:-1]])
    triangles = [s.triangles + n for s, n in zip(solids, before, strict=True)]
    return Solid(
        np.concatenate([s.points for s in solids]),
        np.concatenate([s.normals for s in solids]),
        np.concatenate(triangles),
        np.concatenate([s.colours for s in solids]),
    )


@lru_cache
def _ball(level: int) -> tuple[Floats, NDArray[np.int64]]:
    mesh = shapes.icosphere(level)
    return np.array(mesh.points), mesh.fan.vertex.astype(np.int64)


class _Axes:
    """Straight pieces: where they start, and three directions of each."""

    def __init__(self, ends: Floats, radius: Floats) -> None:
        axis = ends[:, 1] - ends[:, 0]
        length = np.sqrt((axis * axis).sum(axis=1))
        # a segment of no length gets any axis: its tube has no extent
        none = length == 0.0
        length[none] = 1.0
        self.units = np.empty((len(ends), 3, 3))
        unit, u, v = self.units[:, 0], self.units[:, 1], self.units[:, 2]
        np.divide(axis, length[:, None], out=unit)
        unit[none] = _UPWARD
        u[...] = _cross(unit, _BASIS[np.abs(unit).argmin(axis=1)])
        u /= np.sqrt((u * u).sum(axis=1, keepdims=True))
        v[...] = _cross(unit, u)
        self.start = ends[:, :1]
        self.along = self.units * radius[:, None, None]
        self.along[:, 0] = axis
        self.slopes = radius / length


def _tubes(
    axes: _Axes, of: slice, detail: Detail, points: Floats, normals: Floats
) -> None:
    """Write points and normals of open tubes, (n, 2 sides, 3) each."""
    sides = detail.sides
    np.matmul(_profile((0.0, 1.0), (1.0, 1.0), sides), axes.along[of], out=points)
    points += axes.start[of]
    np.matmul(_profile((0.0, 0.0), (1.0, 1.0), sides), axes.units[of], out=normals)


def _arrows(
    axes: _Axes, of: slice, detail: Detail, points: Floats, normals: Floats
) -> None:
    """Write points and normals: shaft, back of the head, and head of every arrow."""
    sides, neck, wide = detail.sides, 1.0 - _HEAD_LENGTH, _HEAD_RADIUS
    places, radii = (0.0, neck, neck, neck, neck, 1.0), (1.0, 1.0, 0.0, wide, wide, 0.0)
    np.matmul(_profile(places, radii, sides), axes.along[of], out=points)
    points += axes.start[of]
    back, first, units = (0.0, 0.0, -1.0, -1.0), 4 * sides, axes.units[of]
    shaft = _profile(back, (1.0, 1.0, 0.0, 0.0), sides)
    np.matmul(shaft, units, out=normals[:, :first])
    slope = wide / _HEAD_LENGTH * axes.slopes[of, None]  # of the head: to the tip
    tilt = 1.0 / np.sqrt(1.0 + slope * slope)
    scaled = units * np.stack([slope * tilt, tilt, tilt], axis=1)
    head = _profile((1.0, 1.0), (1.0, 1.0), sides)
    np.matmul(head, scaled, out=normals[:, first:])


@lru_cache
def _profile(places: tuple[float, ...], radii: tuple[float, ...], sides: int) -> Floats:
    """Return rings as shares of the directions of an axis, (k sides, 3)."""
    turn = np.arange(sides) * (2 * np.pi / sides)
    spokes = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    rings = [
        np.column_stack([np.full(sides, place), radius * spokes])
        for place, radius in zip(places, radii, strict=True)
    ]
    return np.concatenate(rings)


def _cross(a: Floats, b: Floats) -> Floats:
    # np.cross takes 10 times as long for a few vectors
    (x, y, z), (p, q, r) = a.T, b.T
    return np.stack([y * r - z * q, z * p - x * r, x * q - y * p], axis=1)


def _per_piece(detail: Detail) -> tuple[int, int, int]:
    """Return the number of points of a ball, a tube and an arrow."""
    return len(_ball(detail.ball)[0]), 2 * detail.sides, 6 * detail.sides


@lru_cache(maxsize=64)
def _colours(
    tones: bytes, counts: tuple[int, int, int], detail: Detail
) -> NDArray[np.uint8]:
    """Return the colours of all points; one read-only array for all frames."""
    each = np.frombuffer(tones, np.uint8).reshape(-1, 3)
    colours = np.repeat(each, np.repeat(_per_piece(detail), counts), axis=0)
    colours.setflags(write=False)
    return colours


@lru_cache(maxsize=256)
def _triangles(
    balls: int, tubes: int, arrows: int, detail: Detail
) -> NDArray[np.int64]:
    """Return the triangles of so many pieces; one read-only array for all frames."""
    i = np.arange(detail.sides)
    j = (i + 1) % detail.sides
    up = i + detail.sides
    across = [np.stack([i, j, j + detail.sides], 1), np.stack([i, j + up[0], up], 1)]
    tube = np.concatenate(across)
    count = _per_piece(detail)
    arrow = np.concatenate([tube + k * count[1] for k in range(3)])
    found, start = [], 0
    for pieces, one, points in zip(
        (balls, tubes, arrows), (_ball(detail.ball)[1], tube, arrow), count, strict=True
    ):
        offset = start + points * np.arange(pieces)[:, None, None]
        found.append((one[None] + offset).reshape(-1, 3))
        start += points * pieces
    triangles = np.concatenate(found)
    triangles.setflags(write=False)
    return triangles
