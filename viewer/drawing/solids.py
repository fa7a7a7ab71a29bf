"""Build balls, tubes and arrows as triangles with normals.

Each is one shape, moved and stretched: real geometry looks the same on every renderer,
keeps its size in pixels, and all of it is one mesh that is drawn in one go.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge import shapes
from wingedge.tables import Floats

HEAD_LENGTH = 0.28  # of an arrow
HEAD_RADIUS = 2.6  # shaft radii


class Solid(NamedTuple):
    """A coloured triangle mesh."""

    points: Floats  # (n, 3) world
    normals: Floats  # (n, 3) unit
    triangles: NDArray[np.int64]  # (t, 3)
    colours: NDArray[np.uint8]  # (n, 3)


_NOTHING = Solid(
    *(np.empty((0, 3), kind) for kind in (float, float, np.int64, np.uint8))
)

# how often the sides of an icosahedron are divided, and how many sides a tube has
FINE = 2, 14
LIVE = 1, 8  # a fifth of the triangles; half a pixel from round


class Batch:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self) -> None:
        self.at: list[Floats] = []
        self.radii: list[Floats] = []
        self.tones: list[NDArray[np.uint8]] = []

    def add(self, at: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Take more, with one radius and one colour or one for each."""
        self.at.append(at)
        self.radii.append(np.broadcast_to(np.asarray(radius, float), len(at)))
        tones = np.broadcast_to(np.asarray(colour, np.uint8), (len(at), 3))
        self.tones.append(tones)

    def arrays(self, *shape: int) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return places, (n, *shape), radii and colours, (n, 3)."""
        at = np.concatenate([np.empty((0, *shape)), *self.at])
        inks = np.concatenate([np.empty((0, 3), np.uint8), *self.tones])
        return at, np.concatenate([np.empty(0), *self.radii]), inks


class SolidBuilder:
    """Balls, tubes and arrows, collected first and built all at once.

    Radius and colour are one for all that are added together, or one for each.
    """

    def __init__(self) -> None:
        self.balls, self.straight, self.arrowed = Batch(), Batch(), Batch()

    def spheres(self, centres: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Add one ball around each of (k, 3) centres."""
        self.balls.add(centres, radius, colour)

    def tubes(self, segments: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Add one open tube along each of (m, 2, 3) segments."""
        self.straight.add(segments, radius, colour)

    def rods(self, segments: Floats, radius: float, colour: ArrayLike) -> None:
        """Add a tube with round ends along each of (m, 2, 3) segments."""
        self.straight.add(segments, radius, colour)
        self.balls.add(np.unique(segments.reshape(-1, 3), axis=0), radius, colour)

    def arrows(self, segments: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Add an arrow along each of (m, 2, 3) segments."""
        self.arrowed.add(segments, radius, colour)

    def segments(self) -> Floats:
        """Return the middle lines of everything, (m, 2, 3); those of balls are points.

        What is written beside must not cover them.
        """
        dots = [np.stack([at, at], axis=1) for at in self.balls.at]
        every = *self.straight.at, *self.arrowed.at, *dots
        return np.concatenate([np.empty((0, 2, 3)), *every])

    def solid(self, detail: tuple[int, int] = FINE) -> Solid:
        """Build everything: balls, tubes, then arrows."""
        kinds = (
            self.balls.arrays(3),
            self.straight.arrays(2, 3),
            self.arrowed.arrays(2, 3),
        )
        parts, first = [_NOTHING], 0
        for (at, radius, tones), shape in zip(kinds, _shapes(detail), strict=True):
            start, axes = _placed(at, radius[:, None])
            places = np.matmul(shape.points, axes) + start[:, None]
            # across its axes a shape is stretched: normals by the inverse
            long = np.maximum((axes * axes).sum(axis=2, keepdims=True), 1e-300)
            shading = np.matmul(shape.normals, axes / long)
            size = np.sqrt((shading * shading).sum(axis=2, keepdims=True))
            shading /= np.maximum(size, 1e-300)
            corners = first + len(shape.points) * np.arange(len(at))[:, None, None]
            part = Solid(
                places.reshape(-1, 3),
                shading.reshape(-1, 3),
                (corners + shape.triangles).reshape(-1, 3),
                np.repeat(tones, len(shape.points), axis=0),
            )
            parts.append(part)
            first += len(part.points)
        return Solid(*map(np.concatenate, zip(*parts, strict=True)))


def _placed(at: Floats, radius: Floats) -> tuple[Floats, Floats]:
    """Return where pieces start, (n, 3), and their axes as rows, (n, 3, 3)."""
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


@lru_cache
def _shapes(detail: tuple[int, int]) -> tuple[Solid, ...]:
    """Return a ball, a tube, an arrow: along x from 0 to 1, of radius 1 across."""
    neck, wide, ball = 1.0 - HEAD_LENGTH, HEAD_RADIUS, shapes.icosphere(detail[0])
    # lines that are turned about x: of both ends (x, r)
    tube = [[(0.0, 1.0), (1.0, 1.0)]]
    shaft, back = [(0.0, 1.0), (neck, 1.0)], [(neck, 0.0), (neck, wide)]
    arrow = [shaft, back, [(neck, wide), (1.0, 0.0)]]
    points, corners = np.array(ball.points), ball.fan.vertex.astype(np.int64)
    round_ball = Solid(points, points, corners, _NOTHING.colours)
    return round_ball, *(_turned(detail[1], np.array(x)) for x in (tube, arrow))


def _turned(sides: int, lines: Floats) -> Solid:
    """Turn lines about x, (n, 2, 2): two ends, each x and r; the normal is to the left.

    Every line has corners of its own: where two meet is an edge.
    """
    turn, first = np.arange(sides) * (2 * np.pi / sides), np.arange(sides)
    spokes = np.stack([np.zeros(sides), np.cos(turn), np.sin(turn)], axis=1)
    way = np.repeat(lines[:, 1:] - lines[:, :1], 2, axis=1)
    flat = np.stack([lines, way[..., ::-1] * (-1.0, 1.0)])  # places, normals
    swept = flat[..., None, 1:] * spokes + flat[..., None, :1] * np.eye(3)[0]
    after = (first + 1) % sides
    strip = [(first, after, after + sides), (first, after + sides, first + sides)]
    between = np.concatenate([np.stack(each, axis=1) for each in strip])
    triangles = between + 2 * sides * np.arange(len(lines))[:, None, None]
    places, shading = swept.reshape(2, -1, 3)
    return Solid(places, shading, triangles.reshape(-1, 3), _NOTHING.colours)
