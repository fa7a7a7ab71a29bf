"""Decide about points of the plane, given as two columns, without rounding.

Every sign is that of exact arithmetic on the floats as stored (wingedge.signs);
which side is which follows Redpoll's 60, section 2-23, whose y axis points up.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import Column
from wingedge.primitives.point_line import Point, Sign
from wingedge.signs import area, sign


def ahead(p: Point, a: Point, b: Point) -> Sign:
    """Tell whether p is ahead of a, as seen looking from a to b: 1, or -1 behind.

    0 level with a, and everywhere where a and b are one point.
    """
    return sign(_progress, *p, *a, *b)


def near_piece(
    at_end: NDArray[np.bool_], p: Point, a: Point, b: Point, radius: Column
) -> NDArray[np.bool_]:
    """Tell whether p is no further than radius from a, or else from the line a b."""
    beyond = sign_where(at_end, _beyond_point, *p, *a, radius)
    beyond |= sign_where(~at_end, _beyond_line, *p, *a, *b, radius)
    return np.asarray(beyond <= 0)


def near_segment(p: Point, a: Point, b: Point, radius: Column) -> NDArray[np.bool_]:
    """Tell whether p is no further than radius from the segment a b."""
    at_a, at_b = ahead(p, a, b) <= 0, ahead(p, b, a) <= 0
    start, end = pick(at_a, a, b), pick(at_a, b, a)
    return near_piece(at_a | at_b, p, start, end, radius)


def on_segment(p: Point, a: Point, b: Point, side_of_p: Sign) -> NDArray[np.bool_]:
    """Tell whether p is on the segment a b, given its side of the line."""
    in_box = np.asarray(side_of_p == 0)
    for x, u, v in zip(p, a, b, strict=True):
        in_box = in_box & (np.minimum(u, v) <= x) & (x <= np.maximum(u, v))
    return in_box


def sign_where(
    where: NDArray[np.bool_], polynomial: Callable[..., Any], *variables: Column
) -> Sign:
    """Find the sign of a polynomial where the condition holds; 0 elsewhere.

    A zero costs a hundred times what another sign costs, so none is found in vain.
    """
    here, *columns = np.broadcast_arrays(where, *variables)
    out = np.zeros(here.shape, dtype=np.int8)
    out[here] = sign(polynomial, *(x[here] for x in columns))
    return out


def pick(where: NDArray[np.bool_], a: Point, b: Point) -> Point:
    """Take a where the condition holds, b elsewhere."""
    return np.where(where, a[0], b[0]), np.where(where, a[1], b[1])


def together(*corners: Point) -> Point:
    """Join points of one shape along a new first axis."""
    x, y = map(np.stack, zip(*corners, strict=True))
    return x, y


def _progress(px: Any, py: Any, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    return (px - ax) * (bx - ax) + (py - ay) * (by - ay)


def _beyond_point(px: Any, py: Any, ax: Any, ay: Any, r: Any) -> Any:
    x, y = px - ax, py - ay
    return x * x + y * y - r * r


def _beyond_line(px: Any, py: Any, ax: Any, ay: Any, bx: Any, by: Any, r: Any) -> Any:
    twice, x, y = area(ax, ay, px, py, bx, by), bx - ax, by - ay
    return twice * twice - r * r * (x * x + y * y)
