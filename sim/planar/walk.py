"""Find the feature of a triangle nearest to a disk, with exact signs, and the distance.

The seven regions are those of Redpoll's 60, section 2-23: a bit for each of the lines
AB, BC, CA of a clockwise triangle, 4, 2, 1, set where the point is right of the line or
on it.  A point that moved a little has crossed none of them, or one, so the walk starts
in the last region and crosses the lines on whose other side the point is now; the
article's table then leaves one edge or two to look at, and the last one is looked at
first.  Every step is decided by the sign of a product of differences, in floats where
they are sure of it and in fractions where not, and what is found needs no further
proof: an edge with the point on its outer side, between its ends, or a corner that both
of its edges lead away from.
"""

from fractions import Fraction
from math import frexp, ldexp, sqrt
from typing import NamedTuple

from wingedge.primitives.disk_triangle import PATHS

Point = tuple[float, float]
Triangle = tuple[Point, Point, Point]

INSIDE = 7
FLAT = 0  # the region of every point where the triangle has no area
FACE = 6  # number of the face; corners are 0 to 2, edges 3 to 5
CLOCKWISE, MIRRORED = (0, 1, 2), (0, 2, 1)  # corners, in the order of the clock

# a difference, or a sum, of two products of differences is off by less than that part
# of the two (Shewchuk 1997: 3.4e-16), unless products are where floats end
_DOUBT = 2.0**-51
_SMALL = 2.0**-960


class WalkWork(NamedTuple):
    """Count what a walk cost."""

    steps: int = 0  # lines crossed since the last frame
    sides: int = 0  # lines that the point was compared with
    edges: int = 0  # edges looked at for the nearest point


class NearestFeature(NamedTuple):
    """Region of a point, and the feature nearest to it, in the caller's numbers."""

    region: int  # 1 to 7, 0 where the triangle has no area
    feature: int  # 0 to 2 corners, 3 to 5 edges AB, BC, CA, 6 the face
    winding: int  # 1 clockwise, -1 counter-clockwise, 0 no area
    work: WalkWork


def find(
    p: Point, triangle: Triangle, region: int = INSIDE, feature: int = -1
) -> NearestFeature:
    """Find the region of a point, and the smallest feature that is nearest to it.

    Parameters: ``p``: finite, y up; ``triangle``: any winding, a counter-clockwise one
    is named A C B for its region; all of one without area is looked at; ``region``,
    ``feature``: those of the last frame, with which the walk starts: they change its
    cost only.

    Cost: three lines and one or two edges, 4 to 7 us; 10 us more for every sign that is
    0, or nearly.
    """
    winding = turn(triangle[2], triangle[0], triangle[1])
    if not winding:
        return NearestFeature(FLAT, *_nearest_of_all(p, triangle))
    order = CLOCKWISE if winding > 0 else MIRRORED
    corners = tuple(triangle[k] for k in order)
    crossed, on = 0, []
    for k in range(3):
        side = turn(p, corners[k], corners[(k + 1) % 3])
        bit = 4 >> k
        if (side >= 0) != bool(region & bit):
            region ^= bit
            crossed += 1
        if side == 0:
            on.append(k)
    if region == INSIDE and not on:
        return NearestFeature(region, FACE, winding, WalkWork(crossed, 3, 0))
    # on the rim the edges that pass through the point take the place of the table
    first, middle, last = PATHS[region]
    edges = on if region == INSIDE else [first] if last < 0 else [first, middle]
    last_edge = edge_in(order, feature - 3) if 3 <= feature < FACE else -1
    if edges[-1] == last_edge:
        edges = edges[::-1]
    nearest, looked_at = _nearest(p, corners, edges)
    name = order[nearest] if nearest < 3 else 3 + edge_in(order, nearest - 3)
    return NearestFeature(region, name, winding, WalkWork(crossed, 3, looked_at))


def edge_in(order: tuple[int, ...], edge: int) -> int:
    """Translate the number of an edge to the order of the clock, or back."""
    return edge if order == CLOCKWISE else 2 - edge


def turn(p: Point, a: Point, b: Point) -> int:
    """Tell on which side of the line from a through b p lies: 1 right, -1 left.

    Exact; 0 on the line, and everywhere where a and b are one point.
    """
    x, y, u, v = p[0] - a[0], p[1] - a[1], b[0] - a[0], b[1] - a[1]
    sure = _sure(x * v, -(y * u))
    return sure or _sign(_exactly(p, a, b).turn)


def ahead(p: Point, a: Point, b: Point) -> int:
    """Tell whether p is ahead of a, looking from a to b: 1, -1 behind, 0 level with it.

    Exact; 0 everywhere where a and b are one point.
    """
    x, y, u, v = p[0] - a[0], p[1] - a[1], b[0] - a[0], b[1] - a[1]
    sure = _sure(x * u, y * v)
    return sure or _sign(_exactly(p, a, b).ahead)


def _nearest(p: Point, corners: tuple[Point, ...], edges: list[int]) -> tuple[int, int]:
    """Say which of one edge or two, with p outside, is nearest; how many were tried."""
    ends = []
    for looked_at, k in enumerate(edges, start=1):
        tip = (k + 1) % 3
        if ahead(p, corners[k], corners[tip]) <= 0:
            ends.append(k)
        elif ahead(p, corners[tip], corners[k]) <= 0:
            ends.append(tip)
        else:
            return 3 + k, looked_at
    # where two edges lead to two corners, the one that they do not share is nearer
    if len(set(ends)) > 1:
        k, m = edges
        shared = (k + 1) % 3 if (k + 1) % 3 == m else k
        ends.remove(shared)
    return ends[0], len(edges)


def _nearest_of_all(p: Point, triangle: Triangle) -> tuple[int, int, WalkWork]:
    """Look at all corners, then at all edges, of a triangle without area."""
    for k in range(3):
        others = (triangle[(k + 1) % 3], triangle[k - 1])
        if all(ahead(p, triangle[k], other) <= 0 for other in others):
            return k, 0, WalkWork(0, 0, 3)
    for k in range(3):
        a, b = _ends(triangle, k)
        if ahead(p, a, b) > 0 and ahead(p, b, a) > 0:
            return 3 + k, 0, WalkWork(0, 0, 3)
    raise AssertionError("a segment has a nearest point")  # pragma: no cover


def _sure(left: float, right: float) -> int:
    """Return the sign of a sum of two rounded products; 0 where it is in doubt."""
    total, size = left + right, abs(left) + abs(right)
    if size > _SMALL and abs(total) > _DOUBT * size:  # false where floats ran out
        return 1 if total > 0.0 else -1
    return 0


class _Exactly(NamedTuple):
    """A point against the line a b, without rounding."""

    turn: Fraction  # (p - a) x (b - a)
    ahead: Fraction  # (p - a) . (b - a)
    square: Fraction  # |b - a|^2


def _exactly(p: Point, a: Point, b: Point) -> _Exactly:
    (px, py), (ax, ay), (bx, by) = ((Fraction(x), Fraction(y)) for x, y in (p, a, b))
    x, y, u, v = px - ax, py - ay, bx - ax, by - ay
    return _Exactly(x * v - y * u, x * u + y * v, u * u + v * v)


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


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
    center: Point,
    radius: float,
    triangle: Triangle,
    found: NearestFeature,
    exit_edge: int = -1,
) -> Measured:
    """Measure a disk against the feature that is nearest to its centre.

    Parameters: ``found``: what `find` says of the centre; ``exit_edge``: the exit of
    the last frame, kept where several are equally near.

    Negative where they overlap: minus the least shift that separates. The sign is that
    of exact arithmetic; the number is right within 1e-15 of the largest coordinate
    relative to the centre.

    Everything is taken relative to the centre, and lengths are scaled by powers of two
    before they are squared, so scenes of any size are treated alike.
    """
    huge = max(radius, *(abs(x) for point in (center, *triangle) for x in point))
    if huge > _LARGE:  # differences may leave the floats: halve all, twice
        p, a, b, c = ((x / 4.0, y / 4.0) for x, y in (center, *triangle))
        small = measure(p, radius / 4.0, (a, b, c), found, exit_edge)
        x, y = small.point
        return small._replace(distance=4.0 * small.distance, point=(4.0 * x, 4.0 * y))
    near = tuple((x - center[0], y - center[1]) for x, y in triangle)
    size = max(radius, *(max(abs(x), abs(y)) for x, y in near))
    if found.feature < 3:
        distance, normal = _length(*near[found.feature])
        gap = Measured(distance, normal, triangle[found.feature], -1, True)
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


def touches(
    center: Point, radius: float, triangle: Triangle, found: NearestFeature
) -> bool:
    """Tell whether disk and triangle have a point in common; exact."""
    return _side(center, radius, triangle, found) <= 0


def _from_edge(center: Point, triangle: Triangle, edge: int, winding: int) -> Measured:
    """Measure to the line of an edge; negative on the inner side of a triangle."""
    (ax, ay), (bx, by) = _ends(triangle, edge)
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
        lines = {k: _exactly(center, *_ends(triangle, k)) for k in near}
        depth = {k: x.turn * x.turn / x.square for k, x in lines.items()}
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


def _side(
    center: Point, radius: float, triangle: Triangle, found: NearestFeature
) -> int:
    """Tell whether a disk is apart, 1, touches, 0, or overlaps, -1; exact."""
    feature = found.feature
    if feature == FACE:
        return -1
    r = Fraction(radius)
    if feature < 3:
        gap = _exactly(center, center, triangle[feature])
        return _sign(gap.square - r * r)
    line = _exactly(center, *_ends(triangle, feature - 3))
    return _sign(line.turn * line.turn - r * r * line.square)


def _ends(triangle: Triangle, edge: int) -> tuple[Point, Point]:
    return triangle[edge], triangle[(edge + 1) % 3]
