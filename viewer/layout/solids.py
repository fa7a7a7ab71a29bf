"""Spheres, tubes and arrows as triangles with normals; no pyvista here.

Real geometry instead of point and line primitives: it looks the same on every
renderer, keeps its size in pixels, and all of it is one mesh that is drawn in one go.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.theme import Rgb
from wingedge import shapes

Floats = NDArray[np.float64]

_SIDES = 14
_HEAD_LENGTH = 0.28  # of an arrow
_HEAD_RADIUS = 2.6  # shaft radii


class Solid(NamedTuple):
    """A coloured triangle mesh; several are joined into one before drawing."""

    points: Floats  # (n, 3) world
    normals: Floats  # (n, 3) unit
    triangles: NDArray[np.int64]  # (t, 3)
    colours: NDArray[np.uint8]  # (n, 3)


def spheres(centres: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build one ball around each of (k, 3) centres."""
    middle = np.asarray(centres, dtype=np.float64).reshape(-1, 3)
    ball, triangles = _ball()
    points = middle[:, None] + radius * ball
    normals = np.broadcast_to(ball, points.shape)
    return _solid(points, normals, triangles, colour)


def tubes(segments: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build one open tube along each of (m, 2, 3) segments."""
    ends = np.asarray(segments, dtype=np.float64).reshape(-1, 2, 3)
    return _turned(ends, [(0.0, radius), (1.0, radius)], 0.0, colour)


def arrow(start: ArrayLike, end: ArrayLike, radius: float, colour: Rgb) -> Solid:
    """Build an arrow; its head is a cone of a quarter of the length."""
    ends = np.array([[start, end]], dtype=np.float64)
    neck, wide = 1.0 - _HEAD_LENGTH, _HEAD_RADIUS * radius
    length = float(np.sqrt(((ends[0, 1] - ends[0, 0]) ** 2).sum())) or 1.0
    slope = wide / (_HEAD_LENGTH * length)
    shaft = _turned(ends, [(0.0, radius), (neck, radius)], 0.0, colour)
    back = _turned(ends, [(neck, 0.0), (neck, wide)], None, colour)
    head = _turned(ends, [(neck, wide), (1.0, 0.0)], slope, colour)
    return joined([shaft, back, head])


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


@cache
def _ball() -> tuple[Floats, NDArray[np.int64]]:
    mesh = shapes.icosphere(2)
    return np.array(mesh.points), mesh.fan.vertex.astype(np.int64)


def _turned(
    ends: Floats,
    profile: list[tuple[float, float]],
    slope: float | None,
    colour: Rgb,
) -> Solid:
    """Turn a straight profile of (position along the axis, radius) about each axis.

    ``slope`` tilts the normals towards the tip; None makes them look back.
    """
    axis = ends[:, 1] - ends[:, 0]
    length = np.sqrt((axis * axis).sum(axis=1, keepdims=True))
    # a segment of no length gets any axis: its tube has no extent
    unit = np.where(length > 0, axis / np.where(length > 0, length, 1.0), [0, 0, 1])
    u = np.cross(unit, np.eye(3)[np.argmin(np.abs(unit), axis=1)])
    u /= np.sqrt((u * u).sum(axis=1, keepdims=True))
    v = np.cross(unit, u)
    turn = np.arange(_SIDES) * (2 * np.pi / _SIDES)
    around = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    spoke = around[:, :1] * u[:, None] + around[:, 1:] * v[:, None]  # (m, sides, 3)
    rings = [
        (ends[:, :1] + t * axis[:, None]) + radius * spoke for t, radius in profile
    ]
    points = np.concatenate(rings, axis=1)
    if slope is None:
        normals = np.broadcast_to(-unit[:, None], points.shape)
    else:
        tilted = (spoke + slope * unit[:, None]) / np.sqrt(1.0 + slope * slope)
        normals = np.concatenate([tilted, tilted], axis=1)
    i = np.arange(_SIDES)
    j = (i + 1) % _SIDES
    triangles = np.concatenate(
        [
            np.stack([i, j, j + _SIDES], axis=1),
            np.stack([i, j + _SIDES, i + _SIDES], axis=1),
        ]
    )
    return _solid(points, normals, triangles, colour)


def _solid(
    points: Floats, normals: Floats, triangles: NDArray[np.int64], colour: Rgb
) -> Solid:
    copies, per_copy = points.shape[:2]
    offset = per_copy * np.arange(copies)[:, None, None]
    return Solid(
        points.reshape(-1, 3),
        np.ascontiguousarray(normals).reshape(-1, 3),
        (triangles[None] + offset).reshape(-1, 3),
        np.tile(np.array(colour, dtype=np.uint8), (copies * per_copy, 1)),
    )
