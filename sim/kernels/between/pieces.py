"""Two pieces of surfaces that go straight: when they are first as near as a level.

A point and a triangle, or two segments: four points, convex, so a chain of planes
decides (``chain``); each plane is bounded by two lines at most six of which there are,
so its end is known at once.  Whatever direction is tried, what it proves is proven.
"""

from typing import NamedTuple

from sim.kernels.between.chain import STEP
from sim.kernels.between.path import blend, blend_all
from sim.kernels.language import Floats, Record, Vec, kernel, record
from sim.kernels.segments import crossing, end_to_segment, perpendicular
from sim.kernels.surface.pairs import over_inside, point
from sim.kernels.vector import along, back, cross, dot, length, minus

APART = 0  # farther than the level, for as long as is asked
NEAR = 1  # at most the level at ``upper``
GRAZE = 2  # within rounding of it, or through each other, until ``upper``
"""What is known of two pieces from ``lower`` on."""

PLANES = 1000  # of one pair of pieces, at most
SLOW = 8  # after which directions that turn are tried, too
TRIES = 40  # later times that are looked at: to the end of the frame, doubling


@record
class Approach(Record):
    """What is asked about two surfaces on their way, and of two pieces of them."""

    level: float  # read: the distance that is asked about
    since: float  # read: farther apart until then
    horizon: float  # what happens later does not matter
    allowance: float  # the rounding of a gap
    near: float  # the level, and what boxes may have rounded
    normal: Vec  # read: the first axis of all boxes
    lower: float  # of the pieces asked last
    upper: float
    speed: float  # by which they close
    pairs: int  # of pieces that were asked
    most: int  # read: pairs that may be asked
    places: int  # where surfaces may be near: how many are kept


class Pieces(NamedTuple):
    """Four points: of the first piece, then of the second."""

    start: Floats  # 12
    end: Floats  # 12
    here: Floats  # 12 scratch: at one time


@kernel
def direction(points: Floats, split: int) -> tuple[float, Vec]:
    """Return how far two pieces are apart, and a direction that parts them well.

    Of a triangle its normal, of two segments what is across both, of an end the way to
    it, which ``perpendicular`` keeps across the other: where pieces nearly touch, the
    way between two points alone is rounding.
    """
    a = point(points, 0)
    b = point(points, 1)
    c = point(points, 2)
    d = point(points, 3)
    if split == 2:
        e = minus(b, a)
        f = minus(d, c)
        meet, _, way, _ = crossing(a, c, e, f)
        if not meet:
            _, _, way = end_to_segment(a, b, c, d)
            return length(way), way
        f = along(f, -dot(e, f) / dot(e, e), e)  # so the cross is so of both, however
        f = along(f, -dot(e, f) / dot(e, e), e)  # nearly parallel they are
        n = cross(e, f)
        return length(way), n if dot(n, way) >= 0.0 else back(n)
    over, foot = over_inside(a, b, c, d)
    if over:
        way = minus(foot, a)
        n = cross(minus(c, b), minus(d, b))
        return length(way), n if dot(n, way) >= 0.0 else back(n)
    _, way = perpendicular(a, b, c)
    _, other = perpendicular(a, c, d)
    if dot(other, other) < dot(way, way):
        way = other
    _, other = perpendicular(a, d, b)
    if dot(other, other) < dot(way, way):
        way = other
    return length(way), back(way)


@kernel
def clear_along(
    pieces: Pieces, split: int, n: Vec, t: float, clear: float, found: Approach
) -> float:
    """Return until when two pieces are ``clear`` apart along a direction; -1: not at t.

    Rounding is in ``clear``: of the heights, and of the times at which lines fall
    below it, by the slopes that they can have.
    """
    until = 1.0
    for i in range(split):
        for j in range(split, 4):
            from_gap = dot(n, minus(point(pieces.start, j), point(pieces.start, i)))
            to_gap = dot(n, minus(point(pieces.end, j), point(pieces.end, i)))
            if not blend(t, from_gap, to_gap) >= clear:
                return -1.0
            if to_gap < clear:
                fall = from_gap - to_gap
                root = 1.0
                if fall > 0.0:
                    root = max(t, (from_gap - clear) / fall)
                if root < until:
                    until = root
                    found.speed = fall
    return until


@kernel
def clear_at(
    pieces: Pieces, split: int, t: float, clear: float, found: Approach
) -> tuple[float, Vec, float]:
    """Part two pieces at a time; return until when, along what, and their distance."""
    blend_all(pieces.start, pieces.end, 12, t, pieces.here)
    d, n = direction(pieces.here, split)
    size = length(n)
    if not size > 0.0:
        return -1.0, n, d
    n = (n[0] / size, n[1] / size, n[2] / size)
    return clear_along(pieces, split, n, t, clear, found), n, d


@kernel
def approach(pieces: Pieces, split: int, t: float, found: Approach) -> int:
    """Take two pieces forward from a time; say what comes, and when.

    APART: nothing before the horizon.  Else ``found.lower``: farther until then, and
    ``found.upper``.
    """
    found.pairs += 1
    clear = found.level + 2.0 * found.allowance
    ahead = 0.0
    for k in range(PLANES):
        until, n, _ = clear_at(pieces, split, t, clear, found)
        if until >= found.horizon:
            return APART
        gain = until - t
        if k >= SLOW and gain > 0.0:
            later = min(1.0, t + max(ahead, 2.0 * gain))
            if turns(pieces, split, t, n, later, found):
                ahead = 2.0 * (later - t)
                t = later
                if t >= found.horizon:
                    return APART
                continue
            ahead = 0.5 * (later - t)
        t = max(t, until)
        if gain * found.speed > found.allowance:
            continue
        ended = pass_by(pieces, split, t, found)
        t = found.lower
        if ended != APART or t >= found.horizon:
            return ended
    found.lower = t
    found.upper = 1.0
    return GRAZE


@kernel
def turns(
    pieces: Pieces, split: int, t: float, n: Vec, later: float, found: Approach
) -> bool:
    """Say whether a direction that turns parts two pieces from one time to a later one.

    Straight from ``n`` to one that parts them then, so never longer than 1: the gap of
    two points along it is a quadratic, whose Bernstein coefficients tell.  A direction
    that stands loses what segments turn, and gains little where they come near slowly.
    """
    clear = found.level + 2.0 * found.allowance
    speed = found.speed
    until, m, _ = clear_at(pieces, split, later, clear, found)
    found.speed = speed
    if until < later:
        return False
    for i in range(split):
        for j in range(split, 4):
            s = minus(point(pieces.start, j), point(pieces.start, i))
            e = minus(point(pieces.end, j), point(pieces.end, i))
            after = blend(later, dot(n, s), dot(n, e))
            if not 0.5 * (after + blend(t, dot(m, s), dot(m, e))) >= clear:
                return False
    return True


@kernel
def pass_by(pieces: Pieces, split: int, t: float, found: Approach) -> int:
    """Look a little later than a time until which two pieces are apart.

    APART: they are until ``found.lower``, later than that.
    """
    clear = found.level + 2.0 * found.allowance
    found.lower = t
    step = STEP
    for _ in range(TRIES):
        until = min(1.0, t + step)
        later, n, d = clear_at(pieces, split, until, clear, found)
        found.upper = until
        if d <= found.level - found.allowance:
            return NEAR
        if later >= until:
            half = found.level + found.allowance
            if clear_along(pieces, split, n, t, half, found) >= t:
                found.lower = until
                return APART
            return GRAZE
        if until == 1.0:
            return GRAZE
        step *= 2.0
    return GRAZE
