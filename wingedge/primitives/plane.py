"""Points of the plane as two columns, and what is decided about them without rounding.

Every sign is that of exact arithmetic on the floats as stored (wingedge.signs); which
side is which follows Redpoll's 60, section 2-23, whose y axis points up.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import Column
from wingedge.signs import sign

Point = tuple[Column, Column]
Sign = NDArray[np.int8]


def side(p: Point, a: Point, b: Point) -> Sign:
    """Tell on which side of the line from a through b p lies: 1 right, -1 left.

    0 on the line, and everywhere where a and b are one point.
    """
    return sign(_area, *p, *a, *b)


def ahead(p: Point, a: Point, b: Point) -> Sign:
    """Tell whether p is ahead of a, as seen looking from a to b: 1, or -1 behind.

    0 level with a, and everywhere where a and b are one point.
    """
    return sign(_progress, *p, *a, *b)


def near(p: Point, a: Point, radius: Column) -> NDArray[np.bool_]:
    """Tell whether p is no further than radius from a."""
    return np.asarray(sign(_beyond_point, *p, *a, radius) <= 0)


def near_line(p: Point, a: Point, b: Point, radius: Column) -> NDArray[np.bool_]:
    """Tell whether p is no further than radius from the line through a and b."""
    return np.asarray(sign(_beyond_line, *p, *a, *b, radius) <= 0)


def near_segment(p: Point, a: Point, b: Point, radius: Column) -> NDArray[np.bool_]:
    """Tell whether p is no further than radius from the segment a b."""
    at_a, at_b = ahead(p, a, b) <= 0, ahead(p, b, a) <= 0
    end = pick(at_a, a, b)
    return np.where(at_a | at_b, near(p, end, radius), near_line(p, a, b, radius))


def on_segment(p: Point, a: Point, b: Point, side_of_p: Sign) -> NDArray[np.bool_]:
    """Tell whether p is on the segment a b, given its side of the line."""
    in_box = np.asarray(side_of_p == 0)
    for x, u, v in zip(p, a, b, strict=True):
        in_box = in_box & (np.minimum(u, v) <= x) & (x <= np.maximum(u, v))
    return in_box


def pick(where: NDArray[np.bool_], a: Point, b: Point) -> Point:
    """Take a where the condition holds, b elsewhere."""
    return np.where(where, a[0], b[0]), np.where(where, a[1], b[1])


def _area(px: Any, py: Any, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    return (px - ax) * (by - ay) - (py - ay) * (bx - ax)


def _progress(px: Any, py: Any, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    return (px - ax) * (bx - ax) + (py - ay) * (by - ay)


def _beyond_point(px: Any, py: Any, ax: Any, ay: Any, r: Any) -> Any:
    x, y = px - ax, py - ay
    return x * x + y * y - r * r


def _beyond_line(px: Any, py: Any, ax: Any, ay: Any, bx: Any, by: Any, r: Any) -> Any:
    area, x, y = _area(px, py, ax, ay, bx, by), bx - ax, by - ay
    return area * area - r * r * (x * x + y * y)
