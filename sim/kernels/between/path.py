"""Bodies on their way from one frame to the next, every vertex going straight.

In exact arithmetic ``x(t) = (1 - t) x0 + t x1``, t in [0, 1], of the placed vertices x0
and x1.  Along a fixed direction n the gap ``min_j n . b_j(t) - max_i n . a_i(t)`` is a
minimum of straight lines: concave, for any shape.  So a plane that parts two bodies at
two times parts them at every time between.  Along one that turns straight the heights
are quadratics in t, and the gap no less than the least of three coefficients.
"""

from typing import NamedTuple

from sim.kernels.audit.hinges import Hinges
from sim.kernels.language import Floats, Ints, Record, Vec, kernel, record
from sim.kernels.layout import ALLOWANCE
from sim.kernels.limits import map_of
from sim.kernels.vector import back, dot, farther, mixed, place, pull, put
from sim.kernels.walk.support import height
from sim.kernels.workspace import BodyView

TURNING = 0  # the map changes, positions stay
BENDING = 1  # positions change, the linear part of the map stays
BOTH = 2


class Path(NamedTuple):
    """One body on its way."""

    view: BodyView  # where it is at one time: scratch, its translation left out
    facing: tuple[BodyView, ...]  # the same, and with faces the other way round
    scanned: BodyView  # and the same where rings prove nothing
    start: Floats  # 3 V, body frame; placed but for the translation where it is BOTH
    end: Floats  # 3 V
    start_map: Floats  # 12; of no turn where positions are placed
    end_map: Floats  # 12
    start_height: Floats  # V scratch: along the plane, outward of this body
    end_height: Floats  # V scratch
    way: Ints  # 2: TURNING, BENDING or BOTH; 1 once it was settled which
    reach: Floats  # 1: a bound of the coordinates, the translation left out
    hinges: Hinges  # of the positions in the view; none: it is known to be convex


@record
class PlaneGap(Record):
    """A direction from A to B, and the gap of the bodies along it."""

    normal: Vec
    start: float  # height of the second origin over the first along it, at the start
    end: float
    first: int  # the highest vertex of A, at the time asked last
    second: int  # the lowest of B
    gap: float  # along it, at that time
    allowance: float  # read: the rounding of a gap
    from_gap: float  # of the line that these two follow, at the start
    to_gap: float  # and at the end


@kernel
def blend(t: float, start: float, end: float) -> float:
    """Return what lies between two numbers; exact at both ends."""
    return (1.0 - t) * start + t * end


@kernel
def shift_of(a: Floats, b: Floats) -> Vec:
    """Return the translation of one map relative to another."""
    return (b[3] - a[3], b[7] - a[7], b[11] - a[11])


@kernel
def settle(path: Path) -> None:
    """Bound a body and see how it moves, once for all questions.  Cost: O(V).

    One that bends and turns is placed at both ends: from then on it only bends.
    """
    if path.way[1] == 1:
        return
    path.way[1] = 1
    size = path.view.size
    first = reach_of(path.start, size, path.start_map)
    path.reach[0] = max(first, reach_of(path.end, size, path.end_map))
    turns = 0
    for k in range(12):
        if k % 4 < 3 and path.start_map[k] != path.end_map[k]:
            turns = 1
    if path.way[0] == BENDING and turns == 1:
        path.way[0] = BOTH
        put_placed(path.start, size, path.start_map)
        put_placed(path.end, size, path.end_map)


@kernel
def put_placed(points: Floats, count: int, flat: Floats) -> None:
    """Place vertices where they are, their translation left out; the map turns none."""
    here = (0.0, 0.0, 0.0)
    for v in range(count):
        put(points, 3 * v, place(points, flat, here, v))
    for k in range(12):
        if k % 4 < 3:
            flat[k] = 1.0 if k % 5 == 0 else 0.0


@kernel
def put_time(path: Path, t: float) -> None:
    """Put a body where it is at a time, its translation left out.  Cost: O(V)."""
    turning = path.way[0] == TURNING
    for k in range(12):
        if k % 4 < 3:
            m = path.start_map[k]
            path.view.pose[k] = blend(t, m, path.end_map[k]) if turning else m
    if not turning:
        blend_all(path.start, path.end, 3 * path.view.size, t, path.view.points)


@kernel
def blend_all(start: Floats, end: Floats, n: int, t: float, between: Floats) -> None:
    """Write what lies between two arrays of numbers."""
    s = 1.0 - t
    for k in range(n):
        between[k] = s * start[k] + t * end[k]


@kernel
def facing_of(path: Path) -> int:
    """Say which view has its faces outward: the second where the map mirrors."""
    return 0 if map_of(path.view.pose, 0)[0] >= 0.0 else 1


@kernel
def project(path: Path, d: Vec, e: Vec, t: float) -> int:
    """Write the heights of all vertices along a body-frame direction at each end.

    Returns the first that is highest at a time.  Cost: O(V), one pass.
    """
    s = 1.0 - t
    best = 0.0
    top = -1
    for v in range(path.view.size):
        low = height(path.start, v, d)
        high = height(path.end, v, e)
        path.start_height[v] = low
        path.end_height[v] = high
        h = s * low + t * high
        if top < 0 or h > best:
            best = h
            top = v
    return top


@kernel
def highest(start: Floats, end: Floats, count: int, t: float) -> int:
    """Return the first highest of vertices that move straight."""
    s = 1.0 - t
    best = s * start[0] + t * end[0]
    top = 0
    for v in range(1, count):
        h = s * start[v] + t * end[v]
        if h > best:
            best = h
            top = v
    return top


@kernel
def reach_of(points: Floats, count: int, flat: Floats) -> float:
    """Bound the placed coordinates of a body, its translation left out."""
    x = y = z = 0.0  # one each: no step waits for the one before
    for v in range(count):
        i = 3 * v
        x = max(x, abs(points[i]))
        y = max(y, abs(points[i + 1]))
        z = max(z, abs(points[i + 2]))
    widest = 0.0
    for k in range(3):
        i = 4 * k
        widest = max(widest, abs(flat[i]) + abs(flat[i + 1]) + abs(flat[i + 2]))
    return max(x, y, z) * widest


@kernel
def allowance_of(a: Path, b: Path, level: float) -> float:
    """Bound the rounding of a gap between two bodies on their way.

    A height is a sum of nine products of a map, a direction and a position, blended:
    at most 7.8 units of 2^-52 of its terms, which ``reach_of`` bounds.
    """
    s = shift_of(a.start_map, b.start_map)
    e = shift_of(a.end_map, b.end_map)
    far = farther(farther(0.0, s[0], s[1], s[2]), e[0], e[1], e[2])
    return ALLOWANCE * (a.reach[0] + b.reach[0] + far + abs(level))


@kernel
def lay_plane(a: Path, b: Path, n: Vec, t: float, plane: PlaneGap) -> float:
    """Project both bodies at both ends to a direction; return the gap at a time."""
    plane.normal = n
    plane.start = dot(n, shift_of(a.start_map, b.start_map))
    plane.end = dot(n, shift_of(a.end_map, b.end_map))
    m = back(n)
    plane.first = project(a, pull(a.start_map, n), pull(a.end_map, n), t)
    plane.second = project(b, pull(b.start_map, m), pull(b.end_map, m), t)
    return gap_of(a, b, t, plane)


@kernel
def look_at(a: Path, b: Path, t: float, plane: PlaneGap) -> float:
    """Return the gap along a plane at a time, and note which vertices bound it."""
    plane.first = highest(a.start_height, a.end_height, a.view.size, t)
    plane.second = highest(b.start_height, b.end_height, b.view.size, t)
    return gap_of(a, b, t, plane)


@kernel
def gap_of(a: Path, b: Path, t: float, plane: PlaneGap) -> float:
    """Return the gap between the two vertices that bound it at a time."""
    i = plane.first
    j = plane.second
    high = blend(t, a.start_height[i], a.end_height[i])
    low = blend(t, b.start_height[j], b.end_height[j])
    plane.gap = blend(t, plane.start, plane.end) - low - high
    plane.from_gap = plane.start - b.start_height[j] - a.start_height[i]
    plane.to_gap = plane.end - b.end_height[j] - a.end_height[i]
    return plane.gap


@kernel
def turning_gap(
    a: Path, b: Path, t: float, n: Vec, until: float, m: Vec, plane: PlaneGap
) -> float:
    """Return the middle coefficient of the gap along a direction that turns.

    Straight from ``n`` at ``t`` to ``m`` at ``until``, so it is never longer than both.
    The height of a vertex at x is a quadratic in t, whose Bernstein coefficients are
    n.x(t), half of n.x(until) + m.x(t), and m.x(until); its gap is between the greatest
    of one body and the least of the other.  Heights of ``plane`` are written over.
    """
    first = mixed(1.0 - until, n, 1.0 - t, m)
    last = mixed(until, n, t, m)
    plane.start = dot(first, shift_of(a.start_map, b.start_map))
    plane.end = dot(last, shift_of(a.end_map, b.end_map))
    plane.first = project(a, pull(a.start_map, first), pull(a.end_map, last), 0.5)
    first = back(first)
    last = back(last)
    plane.second = project(b, pull(b.start_map, first), pull(b.end_map, last), 0.5)
    return gap_of(a, b, 0.5, plane)


ROOTS = 64  # steps to a root: as many vertices as bound the gap one after the other


@kernel
def root_of(plane: PlaneGap, level: float) -> float:
    """Return when the two vertices that bound a gap are a level apart; 1 at most."""
    fall = plane.from_gap - plane.to_gap
    if not fall > 0.0:
        return 1.0
    return min(1.0, (plane.from_gap - level - 0.5 * plane.allowance) / fall)


@kernel
def clear_until(a: Path, b: Path, t: float, level: float, plane: PlaneGap) -> float:
    """Return until when the gap is at least a level, if it is at time ``t``.

    Newton's method, from the two vertices that bound it at ``t``: the line of any two
    lies above the gap everywhere, so its root is not before that of the gap, and there
    the gap is at most the level.  Ends, since every step finds another pair of
    vertices; the roots are those of a level a little higher, so that rounding cannot
    miss it.
    """
    until = 2.0
    for _ in range(ROOTS):
        root = root_of(plane, level)
        if not t < root < until:
            return t
        until = root
        if look_at(a, b, until, plane) >= level:
            return until
    return t
