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

    The cost is that of a few array operations, however many there are.
    """

    def __init__(self) -> None:
        self._balls, self._tubes, self._arrows = _Kind(), _Kind(), _Kind()

    def spheres(self, centres: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add one ball around each of (k, 3) centres."""
        middle = np.asarray(centres, dtype=np.float64).reshape(-1, 3)
        self._balls.add(middle, radius, colour)

    def tubes(self, segments: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add one open tube along each of (m, 2, 3) segments."""
        ends = np.asarray(segments, dtype=np.float64).reshape(-1, 2, 3)
        self._tubes.add(ends, radius, colour)

    def arrow(
        self, start: ArrayLike, end: ArrayLike, radius: float, colour: Rgb
    ) -> None:
        """Add an arrow; its head is a cone of a quarter of the length."""
        ends = np.array([[start, end]], dtype=np.float64)
        self._arrows.add(ends, radius, colour)

    def solid(self, detail: Detail = FINE) -> Solid:
        """Build everything: balls, tubes, then arrows.

        As long as their numbers stay the same, ``triangles`` is the same array.
        """
        kinds = self._balls, self._tubes, self._arrows
        counts = len(kinds[0].radii), len(kinds[1].radii), len(kinds[2].radii)
        if not any(counts):
            return joined([])
        points, normals = [], []
        if self._balls.at:
            ball = _ball(detail.ball)[0]
            radii = np.array(self._balls.radii)[:, None, None]
            points.append(np.concatenate(self._balls.at)[:, None] + radii * ball)
            normals.append(np.broadcast_to(ball, points[-1].shape))
        for kind, build in ((self._tubes, _tubes), (self._arrows, _arrows)):
            if kind.at:
                axes = _Axes.of(np.concatenate(kind.at), np.array(kind.radii))
                built, shaded = build(axes, detail)
                points.append(built)
                normals.append(shaded)
        tones = [np.array(kind.tones, np.uint8).reshape(-1, 3) for kind in kinds]
        repeats = np.repeat(_per_piece(detail), counts)
        return Solid(
            np.concatenate([p.reshape(-1, 3) for p in points]),
            np.concatenate([n.reshape(-1, 3) for n in normals]),
            _triangles(*counts, detail),
            np.repeat(np.concatenate(tones), repeats, axis=0),
        )


class _Kind:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self) -> None:
        self.at: list[Floats] = []
        self.radii: list[float] = []
        self.tones: list[Rgb] = []

    def add(self, at: Floats, radius: float, colour: Rgb) -> None:
        count = len(at)
        if count:
            self.at.append(at)
            self.radii += [radius] * count
            self.tones += [colour] * count


def spheres(centres: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build one ball around each of (k, 3) centres."""
    pieces = Pieces()
    pieces.spheres(centres, radius, colour)
    return pieces.solid()


def tubes(segments: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build one open tube along each of (m, 2, 3) segments."""
    pieces = Pieces()
    pieces.tubes(segments, radius, colour)
    return pieces.solid()


def arrow(start: ArrayLike, end: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build an arrow; its head is a cone of a quarter of the length."""
    pieces = Pieces()
    pieces.arrow(start, end, radius, colour)
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


class _Axes(NamedTuple):
    """Straight pieces: where they start, and three directions of each."""

    start: Floats  # (n, 1, 3)
    along: Floats  # (n, 3, 3) rows: to the tip, and two across it, radii long
    unit: Floats  # (n, 3, 3) the same, all of length 1
    length: Floats  # (n,)
    radius: Floats  # (n,)

    @classmethod
    def of(cls, ends: Floats, radius: Floats) -> "_Axes":
        axis = ends[:, 1] - ends[:, 0]
        length = np.sqrt((axis * axis).sum(axis=1))
        # a segment of no length gets any axis: its tube has no extent
        some = length[:, None] > 0
        unit = np.where(some, axis / np.where(some, length[:, None], 1.0), _UPWARD)
        u = _cross(unit, _BASIS[np.argmin(np.abs(unit), axis=1)])
        u /= np.sqrt((u * u).sum(axis=1, keepdims=True))
        v = _cross(unit, u)
        thick = radius[:, None]
        along = np.stack([axis, thick * u, thick * v], axis=1)
        units = np.stack([unit, u, v], axis=1)
        return cls(ends[:, :1], along, units, length, radius)


def _tubes(axes: _Axes, detail: Detail) -> tuple[Floats, Floats]:
    """Return points and normals of open tubes, (n, 2 sides, 3) each."""
    sides = detail.sides
    points = axes.start + _profile((0.0, 1.0), (1.0, 1.0), sides) @ axes.along
    return points, _profile((0.0, 0.0), (1.0, 1.0), sides) @ axes.unit


def _arrows(axes: _Axes, detail: Detail) -> tuple[Floats, Floats]:
    """Return points and normals: shaft, back of the head, and head of every arrow."""
    sides, neck, wide = detail.sides, 1.0 - _HEAD_LENGTH, _HEAD_RADIUS
    places, radii = (0.0, neck, neck, neck, neck, 1.0), (1.0, 1.0, 0.0, wide, wide, 0.0)
    points = axes.start + _profile(places, radii, sides) @ axes.along
    back = (0.0, 0.0, -1.0, -1.0)
    shaft = _profile(back, (1.0, 1.0, 0.0, 0.0), sides) @ axes.unit
    length = np.where(axes.length > 0, axes.length, 1.0)
    slope = wide * axes.radius / (_HEAD_LENGTH * length)  # of the head: to the tip
    tilt = 1.0 / np.sqrt(1.0 + slope * slope)
    scaled = axes.unit * np.stack([slope * tilt, tilt, tilt], axis=1)[:, :, None]
    head = _profile((1.0, 1.0), (1.0, 1.0), sides) @ scaled
    return points, np.concatenate([shaft, head], axis=1)


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
