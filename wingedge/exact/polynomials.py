"""Polynomials of coordinates, for the functions of `signs` and `ratios`.

Each takes coordinates one by one and uses + - * only, so floats, floats with an error
bound and rational numbers do alike.
"""

from typing import Any


def area(*v: Any) -> Any:
    """Span the area from a by b and c, in the plane; left of a b it is positive."""
    ax, ay, bx, by, cx, cy = v
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def normal(*v: Any) -> tuple[Any, Any, Any]:
    """Multiply b - a by c - a: a b c run counter-clockwise seen from where it points.

    As long as twice the area.
    """
    ax, ay, az, bx, by, bz, cx, cy, cz = v
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


def volume(*v: Any) -> Any:
    """Span the volume from a by b, c and d; above a b c it is positive."""
    ax, ay, az, *_, dx, dy, dz = v
    x, y, z = normal(*v[:9])
    return x * (dx - ax) + y * (dy - ay) + z * (dz - az)
