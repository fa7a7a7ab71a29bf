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
        self._balls: list[tuple[Floats, float, Rgb]] = []
        self._tubes: list[tuple[Floats, float, Rgb]] = []
        self._arrows: list[tuple[Floats, float, Rgb]] = []

    def spheres(self, centres: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add one ball around each of (k, 3) centres."""
        middle = np.asarray(centres, dtype=np.float64).reshape(-1, 3)
        if len(middle):
            self._balls.append((middle, radius, colour))

    def tubes(self, segments: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add one open tube along each of (m, 2, 3) segments."""
        ends = np.asarray(segments, dtype=np.float64).reshape(-1, 2, 3)
        if len(ends):
            self._tubes.append((ends, radius, colour))

    def arrow(
        self, start: ArrayLike, end: ArrayLike, radius: float, colour: Rgb
    ) -> None:
        """Add an arrow; its head is a cone of a quarter of the length."""
        ends = np.array([[start, end]], dtype=np.float64)
        self._arrows.append((ends, radius, colour))

    def solid(self, detail: Detail = FINE) -> Solid:
        """Build everything: balls, tubes, then arrows.

        As long as their numbers stay the same, ``triangles`` is the same array.
        """
        balls, tubes, arrows = self._balls, self._tubes, self._arrows
        counts = tuple(
            sum(len(at) for at, _, _ in kind) for kind in (balls, tubes, arrows)
        )
        if not any(counts):
            return joined([])
        points, normals = [], []
        ball, _ = _ball(detail.ball)
        if balls:
            centres, radii = _gathered(balls)
            points.append(centres[:, None] + radii[:, None, None] * ball)
            normals.append(np.broadcast_to(ball, points[-1].shape))
        if tubes:
            ends, radii = _gathered(tubes)
            _turn(points, normals, ends, [(0.0, radii), (1.0, radii)], 0.0, detail)
        if arrows:
            ends, radii = _gathered(arrows)
            _arrows(points, normals, ends, radii, detail)
        colours = [
            np.repeat(
                np.array([colour for _, _, colour in kind], np.uint8),
                [len(at) * each for at, _, _ in kind],
                axis=0,
            )
            for kind, each in zip(
                (balls, tubes, arrows), _per_piece(detail), strict=True
            )
            if kind
        ]
        return Solid(
            np.concatenate([p.reshape(-1, 3) for p in points]),
            np.concatenate([n.reshape(-1, 3) for n in normals]),
            _triangles(*counts, detail),
            np.concatenate(colours),
        )


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


def _gathered(pieces: list[tuple[Floats, float, Rgb]]) -> tuple[Floats, Floats]:
    """Return where all pieces of a kind are, and the radius of each, (n,)."""
    radii = np.repeat([r for _, r, _ in pieces], [len(at) for at, _, _ in pieces])
    return np.concatenate([at for at, _, _ in pieces]), radii


def _arrows(
    points: list[Floats],
    normals: list[Floats],
    ends: Floats,
    radii: Floats,
    detail: Detail,
) -> None:
    """Add shaft, back of the head and head of every arrow."""
    neck, wide, none = 1.0 - _HEAD_LENGTH, _HEAD_RADIUS * radii, 0.0 * radii
    length = np.sqrt(((ends[:, 1] - ends[:, 0]) ** 2).sum(axis=1))
    slope = wide / (_HEAD_LENGTH * np.where(length > 0, length, 1.0))
    built: list[Floats] = []
    shaded: list[Floats] = []
    _turn(built, shaded, ends, [(0.0, radii), (neck, radii)], 0.0, detail)
    _turn(built, shaded, ends, [(neck, none), (neck, wide)], None, detail)
    head = slope[:, None, None]
    _turn(built, shaded, ends, [(neck, wide), (1.0, none)], head, detail)
    points.append(np.concatenate(built, axis=1))  # of an arrow all three together
    normals.append(np.concatenate(shaded, axis=1))


def _turn(
    points: list[Floats],
    normals: list[Floats],
    ends: Floats,
    profile: list[tuple[float, Floats]],
    slope: float | Floats | None,
    detail: Detail,
) -> None:
    """Turn a straight profile of (position along the axis, radii) about each axis.

    ``slope`` tilts the normals towards the tip; None makes them look back.
    """
    axis = ends[:, 1] - ends[:, 0]
    length = np.sqrt((axis * axis).sum(axis=1, keepdims=True))
    # a segment of no length gets any axis: its tube has no extent
    unit = np.where(length > 0, axis / np.where(length > 0, length, 1.0), [0, 0, 1])
    u = _cross(unit, np.eye(3)[np.argmin(np.abs(unit), axis=1)])
    u /= np.sqrt((u * u).sum(axis=1, keepdims=True))
    v = _cross(unit, u)
    around = _circle(detail.sides)
    spoke = around[:, :1] * u[:, None] + around[:, 1:] * v[:, None]  # (m, sides, 3)
    rings = [
        (ends[:, :1] + t * axis[:, None]) + radii[:, None, None] * spoke
        for t, radii in profile
    ]
    points.append(np.concatenate(rings, axis=1))
    if slope is None:
        normals.append(np.broadcast_to(-unit[:, None], points[-1].shape))
    else:
        tilted = (spoke + slope * unit[:, None]) / np.sqrt(1.0 + slope * slope)
        normals.append(np.concatenate([tilted, tilted], axis=1))


def _cross(a: Floats, b: Floats) -> Floats:
    # np.cross takes 10 times as long for a few vectors
    (x, y, z), (p, q, r) = a.T, b.T
    return np.stack([y * r - z * q, z * p - x * r, x * q - y * p], axis=1)


@lru_cache
def _circle(sides: int) -> Floats:
    turn = np.arange(sides) * (2 * np.pi / sides)
    return np.stack([np.cos(turn), np.sin(turn)], axis=-1)


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
