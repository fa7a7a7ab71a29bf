"""Tell whether a disk and a turned rectangle of the plane meet, and where."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import Column
from wingedge.primitives.arguments import (
    broadcast,
    directions,
    exponent,
    lengths,
    points,
    shift,
    unboxed,
    unit,
)
from wingedge.primitives.plane import pick, sign_where
from wingedge.primitives.point_line import Point, Sign
from wingedge.signs import sign

MIDDLE = 4  # the region of what is inside


class DiskRectangleMeeting(NamedTuple):
    """Whether disks and rectangles meet; the nearest point of each rectangle."""

    hit: NDArray[np.bool_]  # (N,) exact; touching counts
    region: NDArray[np.int8]  # (N,) of the center, exact: 0 to 8, 4 is the rectangle
    point: NDArray[np.float64]  # (N, 2) of the rectangle, nearest to the disk's center
    distance: NDArray[np.float64]  # (N,) of the center from it; 0 inside


def meet(
    center: ArrayLike,
    radius: ArrayLike,
    middle: ArrayLike,
    half: ArrayLike,
    axis: ArrayLike = (1.0, 0.0),
) -> DiskRectangleMeeting:
    """Tell whether disks meet rectangles, and where those are nearest.

    Parameters
    ----------
    center, middle : (..., 2) array_like
        Centers of disks and of rectangles, x to the right and y up; shapes broadcast.
    radius : (...) array_like
        Lengths; a disk of radius 0 is its center.
    half : (..., 2) array_like
        Half the length of each rectangle along its axis, and across. Where one is 0 it
        is a segment, where both are a point.
    axis : (..., 2) array_like
        The direction of its first side, of any length but 0; the second is a quarter
        turn counter-clockwise from it.

    Notes
    -----
    Seen with the axis to the right, the lines of the sides part the plane into::

        6 | 7 | 8
        3 | 4 | 5        the sides themselves are 4, their extensions 1, 3, 5 and 7
        0 | 1 | 2

    ``hit`` and ``region`` are exact for the rectangle whose sides have exactly this
    direction, which an axis of floats divided by its length has not: lengths are
    compared by their squares, so that no root is taken. ``distance`` and ``point`` are
    right within 2e-15 of the largest coordinate or half. Cost: 1 us in bulk, up to
    0.2 ms in exact touch.
    """
    lengths(half=half)
    p, m, h, u, r = broadcast(
        *points(2, center=center, middle=middle, half=half),
        *directions(2, axis=axis),
        *lengths(radius=radius),
    )
    v = (-u[1], u[0])
    to_right, to_top = sign(along, *p, *m, *u), sign(along, *p, *m, *v)
    column = to_right * (sign(beyond_of, *p, *m, *u, h[0]) > 0)
    row = to_top * (sign(beyond_of, *p, *m, *v, h[1]) > 0)
    inside, at_corner = (column == 0) & (row == 0), (column != 0) & (row != 0)
    w, reach = pick(row == 0, u, v), np.where(row == 0, h[0], h[1])
    beside = ~inside & ~at_corner
    beyond = sign_where(beside, _beyond_by, *p, *m, *w, reach, r)
    beyond |= sign_where(at_corner, _corner_rest, *p, *m, *h, r)
    unsure = at_corner & (beyond > 0)
    facing = (to_right.astype(np.float64), to_top.astype(np.float64))
    mixed = sign_where(unsure, _beyond_corner, *p, *m, *u, *h, *facing, r)
    point, distance = _nearest(p, m, h, u, column, row)
    return unboxed(
        DiskRectangleMeeting(
            np.where(unsure, mixed, beyond) <= 0,
            (3 * row + column + MIDDLE).astype(np.int8),
            np.stack(pick(inside, p, point), axis=-1),
            distance,
        )
    )


def _nearest(
    p: Point, m: Point, h: Point, u: Point, column: Sign, row: Sign
) -> tuple[Point, Column]:
    """Find the nearest points of the rectangles, and the distances, 0 inside."""
    k = exponent(*p, *m, *h)
    px, py, mx, my, width, height = shift((*p, *m, *h), -k)
    ux, uy = unit(u)
    dx, dy = px - mx, py - my
    x, y = dx * ux + dy * uy, dy * ux - dx * uy
    near_x = np.where(column == 0, x, column * width)
    near_y = np.where(row == 0, y, row * height)
    gap_x, gap_y = x - near_x, y - near_y
    nearest = (mx + near_x * ux - near_y * uy, my + near_x * uy + near_y * ux)
    gap = np.sqrt(gap_x * gap_x + gap_y * gap_y)
    left, up, distance = shift((*nearest, gap), k)
    return (left, up), distance


def along(px: Any, py: Any, mx: Any, my: Any, ux: Any, uy: Any) -> Any:
    """Find the way from m to p along u, times the length of u."""
    return (px - mx) * ux + (py - my) * uy


def beyond_of(px: Any, py: Any, mx: Any, my: Any, ux: Any, uy: Any, h: Any) -> Any:
    """Compare the way along u with h times the length of u."""
    x = along(px, py, mx, my, ux, uy)
    return x * x - h * h * (ux * ux + uy * uy)


def _beyond_by(*v: Any) -> Any:
    px, py, mx, my, ux, uy, h, r = v
    return beyond_of(px, py, mx, my, ux, uy, h + r)


def _corner_rest(px: Any, py: Any, mx: Any, my: Any, w: Any, h: Any, r: Any) -> Any:
    """Take from |p - corner|^2 - r^2 the mixed terms, which have the root in them."""
    x, y = px - mx, py - my
    return x * x + y * y + w * w + h * h - r * r


def _beyond_corner(*v: Any) -> Any:
    """Compare the rest with the mixed terms, both squared."""
    px, py, mx, my, ux, uy, w, h, right, top, r = v
    rest = _corner_rest(px, py, mx, my, w, h, r)
    x, y = along(px, py, mx, my, ux, uy), along(px, py, mx, my, -uy, ux)
    mixed = right * x * w + top * y * h
    return rest * rest * (ux * ux + uy * uy) - 4 * mixed * mixed
