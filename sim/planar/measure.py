"""How far a disk is from the feature of a triangle that is nearest to its centre."""

from fractions import Fraction
from math import frexp, ldexp, sqrt
from typing import NamedTuple

from sim.planar.walk import FACE, Found, Point, Triangle

_ROUNDING = 2.0**-49  # of sizes; distances are off by less than this
_LARGE = 2.0**1020


class Measured(NamedTuple):
    """Signed distance, and where it is attained."""

    distance: float  # exactly 0.0 touching
    normal: Point  # unit, from the disk to the triangle
    point: Point  # of the triangle
    exit: int  # the edge that is crossed to come apart, -1 where the centre is outside
    unique: bool  # whether that is the only edge as near


def measure(
    center: Point, radius: float, triangle: Triangle, found: Found, exit_edge: int = -1
) -> Measured:
    """Measure a disk against the feature that is nearest to its centre.

    Parameters
    ----------
    center, radius, triangle
        Finite; the radius is not negative.
    found : Found
        What `sim.planar.walk.find` says of the centre.
    exit_edge : int
        The exit of the last frame, kept where several are equally near.

    Returns
    -------
    Measured
        Negative where they overlap: minus the least shift that separates. The sign is
        that of exact arithmetic; the number is right within 1e-15 of the largest
        coordinate relative to the centre.

    Notes
    -----
    Everything is taken relative to the centre, and lengths are scaled by powers of two
    before they are squared, so scenes of any size are treated alike.
    """
    huge = max(radius, *(abs(x) for point in (center, *triangle) for x in point))
    if huge > _LARGE:  # differences may leave the floats: halve all, twice
        quarter = [(x / 4.0, y / 4.0) for x, y in (center, *triangle)]
        small = measure(
            quarter[0],
            radius / 4.0,
            (quarter[1], quarter[2], quarter[3]),
            found,
            exit_edge,
        )
        x, y = small.point
        return small._replace(distance=4.0 * small.distance, point=(4.0 * x, 4.0 * y))
    near = tuple((x - center[0], y - center[1]) for x, y in triangle)
    size = max(radius, *(max(abs(x), abs(y)) for x, y in near))
    if found.feature < 3:
        gap = _from_corner(near[found.feature], triangle[found.feature])
    elif found.feature < FACE:
        gap = _from_edge(center, triangle, found.feature - 3, found.winding)
    else:
        gap = _from_inside(center, triangle, found.winding, size, exit_edge)
    distance = gap.distance - radius
    if abs(distance) <= _ROUNDING * size:
        sign = _side(center, radius, triangle, found)
        if (distance > 0.0) - (distance < 0.0) != sign:
            distance = 0.0
    return gap._replace(distance=distance)


def touches(center: Point, radius: float, triangle: Triangle, found: Found) -> bool:
    """Tell whether disk and triangle have a point in common; exact."""
    return _side(center, radius, triangle, found) <= 0


def _from_corner(near: Point, corner: Point) -> Measured:
    distance, normal = _length(*near)
    return Measured(distance, normal, corner, -1, True)


def _from_edge(center: Point, triangle: Triangle, edge: int, winding: int) -> Measured:
    """Measure to the line of an edge; negative on the inner side of a triangle."""
    (ax, ay), (bx, by) = triangle[edge], triangle[(edge + 1) % 3]
    _, (x, y) = _length(bx - ax, by - ay)
    off = (ax - center[0]) * y - (ay - center[1]) * x  # how far left of it we are
    if winding < 0 or (not winding and off < 0.0):
        off, x, y = -off, -x, -y
    normal = y + 0.0, 0.0 - x  # to the right, or to the inner side
    point = center[0] + off * normal[0], center[1] + off * normal[1]
    return Measured(off, normal, point, -1, True)


def _from_inside(
    center: Point, triangle: Triangle, winding: int, size: float, last: int
) -> Measured:
    """Measure to the nearest edge from inside; the last one where it is as near."""
    gaps = [_from_edge(center, triangle, edge, winding) for edge in range(3)]
    best = max(gap.distance for gap in gaps)
    near = [k for k in range(3) if best - gaps[k].distance <= _ROUNDING * size]
    if len(near) > 1:
        depth = {k: _depth_sq(center, triangle, k) for k in near}
        near = [k for k in near if depth[k] == min(depth.values())]
    chosen = last if last in near else near[0]
    return gaps[chosen]._replace(exit=chosen, unique=len(near) == 1)


def _length(x: float, y: float) -> tuple[float, Point]:
    """Return length and direction of a vector, right however small it is."""
    k = frexp(max(abs(x), abs(y)))[1]
    u, v = ldexp(x, -k), ldexp(y, -k)
    length = sqrt(u * u + v * v)
    if length == 0.0:  # the centre of the disk is the whole triangle
        return 0.0, (1.0, 0.0)
    return ldexp(length, k), (u / length, v / length)


def _depth_sq(center: Point, triangle: Triangle, edge: int) -> Fraction:
    """Return the exact square of the distance from a line."""
    area, square = _about_line(center, triangle, edge)
    return area * area / square


def _about_line(
    center: Point, triangle: Triangle, edge: int
) -> tuple[Fraction, Fraction]:
    """Return (center - a) x (b - a) and |b - a|^2 of an edge a b, exactly."""
    (px, py), (ax, ay), (bx, by) = (
        (Fraction(x), Fraction(y))
        for x, y in (center, triangle[edge], triangle[(edge + 1) % 3])
    )
    x, y = bx - ax, by - ay
    return (px - ax) * y - (py - ay) * x, x * x + y * y


def _side(center: Point, radius: float, triangle: Triangle, found: Found) -> int:
    """Tell whether a disk is apart, 1, touches, 0, or overlaps, -1; exact."""
    feature = found.feature
    if feature == FACE:
        return -1
    r = Fraction(radius)
    if feature < 3:
        x, y = (
            Fraction(q) - Fraction(p)
            for p, q in zip(center, triangle[feature], strict=True)
        )
        beyond = x * x + y * y - r * r
    else:
        area, square = _about_line(center, triangle, feature - 3)
        beyond = area * area - r * r * square
    return (beyond > 0) - (beyond < 0)
