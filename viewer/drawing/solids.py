"""Build balls, tubes and arrows as triangles with normals.

Each is one shape, moved and stretched: real geometry looks the same on every renderer,
keeps its size in pixels, and all of it is one mesh that is drawn in one go.
"""

from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.theme import Rgb
from wingedge import shapes
from wingedge.tables import Floats

Radii = float | list[float]  # one for all, or for each
Colours = Rgb | list[Rgb]

HEAD_LENGTH = 0.28  # of an arrow
HEAD_RADIUS = 2.6  # shaft radii


class Solid(NamedTuple):
    """A coloured triangle mesh; several are joined into one before drawing."""

    points: Floats  # (n, 3) world
    normals: Floats  # (n, 3) unit
    triangles: NDArray[np.int64]  # (t, 3)
    colours: NDArray[np.uint8]  # (n, 3)


_NONE = np.empty((0, 3))
_NOTHING = Solid(_NONE, _NONE, _NONE.astype(np.int64), _NONE.astype(np.uint8))


class Detail(NamedTuple):
    """How round things are."""

    ball: int  # how often the sides of an icosahedron are divided
    cap: int  # the same of what rounds the end of a tube
    sides: int  # of a tube


FINE = Detail(2, 2, 14)
LIVE = Detail(1, 0, 8)  # a fifth of the triangles; half a pixel from round


class Batch:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self) -> None:
        self.at: list[Floats] = []
        self.radii: list[float] = []
        self.tones: list[Rgb] = []

    def add(self, at: Floats, radius: Radii, colour: Colours) -> None:
        """Take more, with one radius and one colour or one for each."""
        if len(at):
            self.at.append(at)
            self.radii += radius if isinstance(radius, list) else [radius] * len(at)
            self.tones += colour if isinstance(colour, list) else [colour] * len(at)

    def arrays(self, *shape: int) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return places, (n, *shape), radii and colours, (n, 3)."""
        at = np.concatenate(self.at) if self.at else np.empty((0, *shape))
        inks = np.array(self.tones, np.uint8).reshape(-1, 3)
        return at, np.array(self.radii), inks


class SolidBuilder:
    """Balls, tubes and arrows, collected first and built all at once.

    Radius and colour are one for all that are added together, or one for each.
    """

    def __init__(self) -> None:
        self.balls, self.caps = Batch(), Batch()
        self.straight, self.arrowed = Batch(), Batch()

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

    def segments(self) -> Floats:
        """Return the middle lines of everything, (m, 2, 3); those of balls are points.

        What is written beside must not cover them.
        """
        lines = *self.straight.at, *self.arrowed.at
        dots = [np.stack([at, at], axis=1) for at in self.balls.at]
        return np.concatenate([np.empty((0, 2, 3)), *lines, *dots])

    def solid(self, detail: Detail = FINE) -> Solid:
        """Build everything: balls, ends of rods, tubes, then arrows.

        The array of triangles stays the same one while it would be equal.
        """
        kinds = self.balls, self.caps, self.straight, self.arrowed
        shapes_, counts = _shapes(detail), tuple(len(kind.radii) for kind in kinds)
        if not any(counts):
            return _NOTHING
        points, normals = [np.empty((0, 3))], [np.empty((0, 3))]
        for kind, shape, count in zip(kinds, shapes_, counts, strict=True):
            if count:
                start, axes = _placed(kind)
                places = np.matmul(shape.points, axes) + start[:, None]
                # across its axes a shape is stretched: normals by the inverse
                long = np.maximum((axes * axes).sum(axis=2, keepdims=True), 1e-300)
                shading = np.matmul(shape.normals, axes / long)
                size = np.sqrt((shading * shading).sum(axis=2, keepdims=True))
                points.append(places.reshape(-1, 3))
                normals.append((shading / np.maximum(size, 1e-300)).reshape(-1, 3))
        tones = list(chain.from_iterable(kind.tones for kind in kinds))
        each = np.repeat([len(shape.points) for shape in shapes_], counts)
        inks = np.repeat(np.array(tones, np.uint8).reshape(-1, 3), each, axis=0)
        triangles = _triangles(counts, detail)
        return Solid(np.concatenate(points), np.concatenate(normals), triangles, inks)


def _placed(kind: Batch) -> tuple[Floats, Floats]:
    """Return where pieces start, (n, 3), and their axes as rows, (n, 3, 3)."""
    at, radius = np.concatenate(kind.at), np.array(kind.radii)[:, None]
    if at.ndim == 2:
        return at, radius[:, :, None] * np.eye(3)
    axis = at[:, 1] - at[:, 0]
    length = np.sqrt((axis * axis).sum(axis=1, keepdims=True))
    # a segment of no length gets any axis: its tube has no extent
    none = length == 0.0
    x, y, z = np.where(none, (0.0, 0.0, 1.0), axis / np.where(none, 1.0, length)).T
    # two directions across, without a branch: Duff et al., Building an Orthonormal
    # Basis, Revisited, JCGT 6(1), 2017
    sign = np.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    u = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=1)
    v = np.stack([b, sign + y * y * a, -y], axis=1)
    return at[:, 0], np.stack([axis, radius * u, radius * v], axis=1)


class _Shape(NamedTuple):
    """A piece about the origin: along x from 0 to 1, of radius 1 across."""

    points: Floats
    normals: Floats
    triangles: NDArray[np.int64]


@lru_cache
def _shapes(detail: Detail) -> tuple[_Shape, ...]:
    """Return a ball, what rounds an end, a tube, an arrow."""
    neck, wide = 1.0 - HEAD_LENGTH, HEAD_RADIUS
    shaft = [((0.0, 1.0), (0.0, 1.0)), ((neck, 1.0), (0.0, 1.0))]
    back = [((neck, 0.0), (-1.0, 0.0)), ((neck, wide), (-1.0, 0.0))]
    head = [((neck, wide), (wide, HEAD_LENGTH)), ((1.0, 0.0), (wide, HEAD_LENGTH))]
    tube = [((0.0, 1.0), (0.0, 1.0)), ((1.0, 1.0), (0.0, 1.0))]
    return (
        *(_ball(level) for level in (detail.ball, detail.cap)),
        _turned(detail.sides, tube),
        _turned(detail.sides, shaft, back, head),
    )


def _ball(level: int) -> _Shape:
    mesh = shapes.icosphere(level)
    points = np.array(mesh.points)
    return _Shape(points, points, mesh.fan.vertex.astype(np.int64))


def _turned(
    sides: int, *lines: list[tuple[tuple[float, float], tuple[float, float]]]
) -> _Shape:
    """Turn lines about x; of each knot its place (x, r) and its normal (x, r)."""
    turn = np.arange(sides) * (2 * np.pi / sides)
    spokes = np.stack([np.zeros(sides), np.cos(turn), np.sin(turn)], axis=1)
    knots = np.array([knot for line in lines for knot in line])  # (k, 2, 2)
    x, r = knots[..., 0], knots[..., 1]
    places = r[..., None, None] * spokes + x[..., None, None] * np.eye(3)[0]
    first = np.arange(sides)
    after = (first + 1) % sides
    strip = [(first, after, after + sides), (first, after + sides, first + sides)]
    between = np.concatenate([np.stack(each, axis=1) for each in strip])
    last = np.cumsum([len(line) for line in lines]) - 1
    rows = np.setdiff1d(np.arange(len(knots)), last)  # with another one after them
    triangles = np.concatenate([between + sides * k for k in rows])
    return _Shape(places[:, 0].reshape(-1, 3), places[:, 1].reshape(-1, 3), triangles)


@lru_cache(maxsize=256)
def _triangles(counts: tuple[int, ...], detail: Detail) -> NDArray[np.int64]:
    """Return the triangles of so many pieces; one read-only array for all frames."""
    found, start = [np.empty((0, 3), np.int64)], 0
    for pieces, shape in zip(counts, _shapes(detail), strict=True):
        size = len(shape.points)
        offset = start + size * np.arange(pieces)[:, None, None]
        found.append((shape.triangles + offset).reshape(-1, 3))
        start += size * pieces
    triangles = np.concatenate(found)
    triangles.setflags(write=False)
    return triangles
