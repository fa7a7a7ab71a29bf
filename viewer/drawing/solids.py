"""Build spheres, tubes, arrows and rings as triangles with normals.

Real geometry instead of point and line primitives: it looks the same on every
renderer, keeps its size in pixels, and all of it is one mesh that is drawn in one go.
"""

from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.theme import Rgb
from wingedge import shapes
from wingedge.tables import Floats

Radii = float | list[float]  # one for all, or for each
Colours = Rgb | list[Rgb]

HEAD_LENGTH = 0.28  # of an arrow
HEAD_RADIUS = 2.6  # shaft radii
_UPWARD = np.array([0.0, 0.0, 1.0])
_ROUND = 32  # steps around a ring
_THIN = theme.TUBE_RADIUS / theme.HALO_RADIUS  # of a ring, how thick it is


class Solid(NamedTuple):
    """A coloured triangle mesh; several are joined into one before drawing."""

    points: Floats  # (n, 3) world
    normals: Floats  # (n, 3) unit
    triangles: NDArray[np.int64]  # (t, 3)
    colours: NDArray[np.uint8]  # (n, 3)


class Detail(NamedTuple):
    """How round things are."""

    ball: int  # how often the sides of an icosahedron are divided
    cap: int  # the same of what rounds the end of a tube
    sides: int  # of a tube


FINE = Detail(2, 2, 14)
LIVE = Detail(1, 0, 8)  # a fifth of the triangles; half a pixel from round


class SolidBuilder:
    """Balls, tubes, arrows and rings, collected first and built all at once.

    Radius and colour are one for all that are added together, or one for each.
    """

    def __init__(self) -> None:
        self.balls, self.caps = Batch(), Batch()
        self.straight, self.arrowed, self.ringed = Batch(), Batch(), Batch()

    def spheres(self, centres: Floats, radius: Radii, colour: Colours) -> None:
        """Add one ball around each of (k, 3) centres."""
        self.balls.add(centres, radius, colour)

    def tubes(self, segments: Floats, radius: Radii, colour: Colours) -> None:
        """Add one open tube along each of (m, 2, 3) segments."""
        self.straight.add(segments, radius, colour)

    def rods(self, segments: Floats, radius: float, colour: Colours) -> None:
        """Add a tube with round ends along each of (m, 2, 3) segments."""
        self.straight.add(segments, radius, colour)
        self.caps.add(segments.reshape(-1, 3), radius, colour)

    def arrows(self, segments: Floats, radius: Radii, colour: Colours) -> None:
        """Add an arrow along each of (m, 2, 3) segments."""
        self.arrowed.add(segments, radius, colour)

    def rings(self, segments: Floats, radius: Radii, colour: Colours) -> None:
        """Add a ring around the start of each of (m, 2, 3) radii, across it."""
        self.ringed.add(segments, radius, colour)

    def solid(self, detail: Detail = FINE) -> Solid:
        """Build everything: balls, ends of rods, tubes, arrows, then rings.

        Arrays of triangles and colours stay the same ones while they would be equal.
        """
        round_ = self.balls, self.caps
        straight = self.straight, self.arrowed, self.ringed
        kinds = *round_, *straight
        counts = tuple(len(kind.radii) for kind in kinds)
        if not any(counts):
            none = np.empty((0, 3))
            return Solid(none, none, none.astype(np.int64), none.astype(np.uint8))
        each = _per_piece(detail)
        ends = [0, *accumulate(n * k for n, k in zip(counts, each, strict=True))]
        points, normals = np.empty((2, ends[-1], 3))

        def room(k: int) -> tuple[Floats, Floats]:
            """Return where points and normals of a kind go, (n, points, 3) each."""
            to, shape = slice(ends[k], ends[k + 1]), (counts[k], each[k], 3)
            return points[to].reshape(shape), normals[to].reshape(shape)

        for k, (kind, level) in enumerate(zip(round_, detail[:2], strict=True)):
            if counts[k]:
                places, shading = room(k)
                shading[...] = _ball(level)[0]
                np.multiply(np.array(kind.radii)[:, None, None], shading, out=places)
                places += np.concatenate(kind.at)[:, None]
        if sum(counts[2:]):
            axes = _Axes(
                np.concatenate([at for kind in straight for at in kind.at]),
                np.array([r for kind in straight for r in kind.radii]),
            )
            first = 0
            for k, build in enumerate((_tubes, _arrows, _rings), 2):
                if counts[k]:
                    build(axes, slice(first, first + counts[k]), detail, *room(k))
                first += counts[k]
        tones = bytes(chain.from_iterable([kind.tones for kind in kinds]))
        return Solid(
            points, normals, _triangles(counts, detail), _colours(tones, counts, detail)
        )


class Batch:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self) -> None:
        self.at: list[Floats] = []
        self.radii: list[float] = []
        self.tones: list[int] = []  # 3 for each

    def add(self, at: Floats, radius: Radii, colour: Colours) -> None:
        """Take more, with one radius and one colour or one for each."""
        count = len(at)
        if not count:
            return
        self.at.append(at)
        self.radii += radius if isinstance(radius, list) else [radius] * count
        if isinstance(colour, tuple):
            self.tones += colour * count
        else:
            self.tones += [tone for each in colour for tone in each]

    def arrays(self, *shape: int) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return places, (n, *shape), radii and colours, (n, 3)."""
        at = np.concatenate(self.at) if self.at else np.empty((0, *shape))
        inks = np.array(self.tones, np.uint8).reshape(-1, 3)
        return at, np.array(self.radii), inks


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
        unit = axis / length[:, None]
        unit[none] = _UPWARD
        # two directions across, without a branch: Duff et al., Building an Orthonormal
        # Basis, Revisited, JCGT 6(1), 2017
        x, y, z = unit.T
        sign = np.copysign(1.0, z)
        a = -1.0 / (sign + z)
        b = x * y * a
        u = 1.0 + sign * x * x * a, sign * b, -sign * x
        v = b, sign + y * y * a, -y
        self.units = np.array((unit.T, u, v)).transpose(2, 0, 1)
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


def _rings(
    axes: _Axes, of: slice, detail: Detail, points: Floats, normals: Floats
) -> None:
    """Write points and normals of rings, (n, 32 sides, 3) each."""
    places, shading = _ring(detail.sides)
    np.matmul(places, axes.along[of], out=points)
    points += axes.start[of]
    np.matmul(shading, axes.units[of], out=normals)


def _arrows(
    axes: _Axes, of: slice, detail: Detail, points: Floats, normals: Floats
) -> None:
    """Write points and normals: shaft, back of the head, and head of every arrow."""
    sides, neck, wide = detail.sides, 1.0 - HEAD_LENGTH, HEAD_RADIUS
    places, radii = (0.0, neck, neck, neck, neck, 1.0), (1.0, 1.0, 0.0, wide, wide, 0.0)
    np.matmul(_profile(places, radii, sides), axes.along[of], out=points)
    points += axes.start[of]
    back, first, units = (0.0, 0.0, -1.0, -1.0), 4 * sides, axes.units[of]
    shaft = _profile(back, (1.0, 1.0, 0.0, 0.0), sides)
    np.matmul(shaft, units, out=normals[:, :first])
    slope = wide / HEAD_LENGTH * axes.slopes[of, None]  # of the head: to the tip
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


@lru_cache
def _ring(sides: int) -> tuple[Floats, Floats]:
    """Return points and normals of a ring of radius 1 about the first axis."""
    round_, across = (np.arange(k) * (2 * np.pi / k) for k in (_ROUND, sides))
    spoke = np.stack([np.zeros(_ROUND), np.cos(round_), np.sin(round_)], axis=-1)
    out, up = np.cos(across)[:, None], -np.sin(across)[:, None]
    shading = spoke[:, None] * out + np.array([1.0, 0.0, 0.0]) * up
    points = spoke[:, None] + _THIN * shading
    return points.reshape(-1, 3), shading.reshape(-1, 3)


@lru_cache
def _per_piece(detail: Detail) -> tuple[int, int, int, int, int]:
    """Return the number of points of a ball, a cap, a tube, an arrow and a ring."""
    ball, cap = (len(_ball(level)[0]) for level in (detail.ball, detail.cap))
    sides = detail.sides
    return ball, cap, 2 * sides, 6 * sides, _ROUND * sides


@lru_cache(maxsize=64)
def _colours(
    tones: bytes, counts: tuple[int, ...], detail: Detail
) -> NDArray[np.uint8]:
    """Return the colours of all points; one read-only array for all frames."""
    each = np.frombuffer(tones, np.uint8).reshape(-1, 3)
    colours = np.repeat(each, np.repeat(_per_piece(detail), counts), axis=0)
    colours.setflags(write=False)
    return colours


@lru_cache(maxsize=256)
def _triangles(counts: tuple[int, ...], detail: Detail) -> NDArray[np.int64]:
    """Return the triangles of so many pieces; one read-only array for all frames."""
    sizes = _per_piece(detail)
    tube = _between(detail.sides, 2)
    arrow = np.concatenate([tube + k * sizes[2] for k in range(3)])
    ring = _between(detail.sides, _ROUND + 1)
    shapes = _ball(detail.ball)[1], _ball(detail.cap)[1], tube, arrow, ring
    found, start = [], 0
    for pieces, one, points in zip(counts, shapes, sizes, strict=True):
        offset = start + points * np.arange(pieces)[:, None, None]
        found.append((one[None] % points + offset).reshape(-1, 3))
        start += points * pieces
    triangles = np.concatenate(found)
    triangles.setflags(write=False)
    return triangles


def _between(sides: int, rows: int) -> NDArray[np.int64]:
    """Return the triangles between rows of so many points, each closed; (n, 3)."""
    i = np.arange(sides)
    j = (i + 1) % sides
    up, over = i + sides, j + sides
    strip = np.concatenate([np.stack([i, j, over], 1), np.stack([i, over, up], 1)])
    return np.concatenate([strip + k * sides for k in range(rows - 1)])
