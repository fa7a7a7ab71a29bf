"""Tell whether two turned rectangles of the plane meet, by their separating axes."""

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
from wingedge.primitives.disk_rectangle import beyond_of
from wingedge.primitives.plane import sign_where
from wingedge.primitives.point_line import Point
from wingedge.signs import sign


class RectangleSeparation(NamedTuple):
    """Whether rectangles meet, and along which of their four axes they are apart most.

    Moving b by ``-separation * normal`` makes two that overlap touch, and no shorter
    way does; two that are apart are ``separation`` apart along the normal, and may be
    further apart from corner to corner.
    """

    hit: NDArray[np.bool_]  # (N,) exact; touching counts
    separation: NDArray[np.float64]  # (N,) > 0 apart, 0 touching, < 0 minus the depth
    normal: NDArray[np.float64]  # (N, 2) unit, from a to b, along that axis
    axis: NDArray[np.int8]  # (N,) its number: 0 and 1 along and across a, 2 and 3 of b


def meet(
    middle_a: ArrayLike,
    half_a: ArrayLike,
    middle_b: ArrayLike,
    half_b: ArrayLike,
    axis_a: ArrayLike = (1.0, 0.0),
    axis_b: ArrayLike = (1.0, 0.0),
) -> RectangleSeparation:
    """Tell whether rectangles meet, and how far they are apart or in each other.

    Parameters
    ----------
    middle_a, middle_b : (..., 2) array_like
        Their centers, x to the right and y up; all shapes broadcast.
    half_a, half_b : (..., 2) array_like
        Half the length of each along its axis, and across. Where one is 0 it is a
        segment, where both are a point.
    axis_a, axis_b : (..., 2) array_like
        Directions of their first sides, of any length but 0; the second are a quarter
        turn counter-clockwise. Left out, the sides are along x and y.

    Notes
    -----
    Two convex polygons are apart if and only if they are along the normal of a side.
    ``hit`` is exact for rectangles whose sides have exactly these directions, which
    axes of floats divided by their lengths have not: the inequality is squared until
    no root is left. Of axes that serve equally, as rounded, the first is reported,
    and of two ways along one, that of the axis. ``separation`` is right within 2e-15
    of the largest coordinate or half. Cost: 10 us in bulk, up to 2 ms in exact touch.
    """
    lengths(half_a=half_a, half_b=half_b)
    a, g, b, h, u, w = broadcast(
        *points(2, middle_a=middle_a, half_a=half_a, middle_b=middle_b, half_b=half_b),
        *directions(2, axis_a=axis_a, axis_b=axis_b),
    )
    apart = _apart(a, g, b, h, u, w)
    hit = np.asarray(~apart.any(axis=-1))
    gaps, normals = _gaps(a, g, b, h, u, w)
    which = np.argmax(np.where(apart | hit[..., None], gaps, -np.inf), axis=-1)
    gap, nx, ny = (
        np.take_along_axis(x, which[..., None], axis=-1)[..., 0]
        for x in (gaps, *normals)
    )
    separation = np.where(hit, np.minimum(gap, 0.0), np.maximum(gap, 0.0))
    (separation,) = shift([separation], exponent(*a, *g, *b, *h))
    return unboxed(
        RectangleSeparation(
            hit,
            separation,
            np.stack([nx, ny], axis=-1),
            np.asarray(which, dtype=np.int8),
        )
    )


def _gaps(
    a: Point, g: Point, b: Point, h: Point, u: Point, w: Point
) -> tuple[Column, Point]:
    """Find the gaps along the four axes, scaled, and the ways from a to b."""
    k = exponent(*a, *g, *b, *h)
    ax, ay, gx, gy, bx, by, hx, hy = shift((*a, *g, *b, *h), -k)
    (ux, uy), (wx, wy) = unit(u), unit(w)
    along, across = np.abs(ux * wx + uy * wy), np.abs(ux * wy - uy * wx)
    reach = _four(
        gx + (hx * along + hy * across),
        gy + (hx * across + hy * along),
        hx + (gx * along + gy * across),
        hy + (gx * across + gy * along),
    )
    x, y = _four(ux, -uy, wx, -wy), _four(uy, ux, wy, wx)
    way = _four(bx - ax) * x + _four(by - ay) * y
    turn = np.where(way < 0, -1.0, 1.0)
    return np.abs(way) - reach, (x * turn, y * turn)


def _apart(
    a: Point, g: Point, b: Point, h: Point, u: Point, w: Point
) -> NDArray[np.bool_]:
    """Tell along which of the four axes they are apart, exactly."""
    along, across = sign(_dot, *u, *w), sign(_cross, *u, *w)
    # with every axis: its own half, and those of the other along it and across
    own = _four(g[0], g[1], h[0], h[1])
    first = _four(h[0], h[1], g[0], g[1])
    second = _four(h[1], h[0], g[1], g[0])
    axis = _four(u[0], -u[1], w[0], -w[1]), _four(u[1], u[0], w[1], w[0])
    other = _four(w[0], -w[1], u[0], -u[1]), _four(w[1], w[0], u[1], u[0])
    base = *(_four(x) for x in (*a, *b)), *axis
    # u and v of the one turned alike against those of the other: the same two signs
    turned = _four(across, across, -across, -across)
    signs = (_four(along).astype(np.float64), turned.astype(np.float64))
    every = (*base, *other, own, first, second, *signs)
    beyond = sign(beyond_of, *base[2:4], *base[:2], *axis, own) > 0
    rest = sign_where(beyond, _rest, *every)
    unsure = rest > 0
    return np.asarray(sign_where(unsure, _rest_and_root, *every) > 0)


def _four(*columns: Any) -> Any:
    """Join columns along a last axis of four; one is repeated."""
    return np.stack(columns * (4 // len(columns)), axis=-1)


def _dot(ux: Any, uy: Any, wx: Any, wy: Any) -> Any:
    return ux * wx + uy * wy


def _cross(ux: Any, uy: Any, wx: Any, wy: Any) -> Any:
    return ux * wy - uy * wx


def _terms(*v: Any) -> tuple[Any, Any]:
    """Find what decides between (way / |u| - own) |u| |w| and the reach of the other.

    The first squared, less the reach squared, is E - root of F: E and F are returned.
    """
    ax, ay, bx, by, ux, uy, wx, wy, own, first, second, along, across = v
    way = _dot(bx - ax, by - ay, ux, uy)
    reach = first * along * _dot(ux, uy, wx, wy)
    reach = reach + second * across * _cross(ux, uy, wx, wy)
    u_sq, w_sq = _dot(ux, uy, ux, uy), _dot(wx, wy, wx, wy)
    own_sq, mixed = own * own * u_sq, way * w_sq
    even = w_sq * (way * way + own_sq) - reach * reach
    return even, 4 * mixed * mixed * own_sq


def _rest(*variables: Any) -> Any:
    return _terms(*variables)[0]


def _rest_and_root(*variables: Any) -> Any:
    even, root_sq = _terms(*variables)
    return even * even - root_sq
