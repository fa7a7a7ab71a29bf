"""The closest pair of features in two leaves: vertices, segments and triangles.

Every vertex and segment is tested by the one leaf that owns it: vertex against the
inside of a triangle, vertex against a segment with its ends, segment against segment
between their ends.  With each measured once, all pairs of features are covered
(4.75 cheap tests per pair of triangles, against 15).  Positions are the placed ones;
the turned boxes only rule out.
"""

from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.surface.boxes import box_apart, box_of, enters, gaps, squared
from sim.kernels.surface.piercing import COORDINATE, corners, ids_at, pierces
from sim.kernels.surface.ties import on_segment, take
from sim.kernels.vector import (
    NEARLY_PARALLEL,
    along,
    cross,
    crossing,
    dot,
    least,
    minus,
    miss_each_other,
    mixed,
    most,
    perpendicular,
    point,
    reach_of,
)
from sim.kernels.workspace import SHORTLIST, Tree, TreeSearch

NARROW = 1e-3  # of a side: how high over it a triangle is that counts as narrow


@kernel
def put_right(
    x: Vec, a: Vec, d: Vec, e: Vec, at_b: float, at_c: float
) -> tuple[float, float, float]:
    """Improve the weights of a foot in a narrow triangle, which lose its narrowness.

    Once more from what is left of the way to the point, along one side and across it;
    the weights stay those of a point of the triangle.  Sides run from ``a``.
    """
    dd = dot(d, d)
    k = dot(d, e) / dd
    f = along(e, -k, d)
    more = dot(f, d) / dd
    k += more
    f = along(f, -more, d)
    ff = dot(f, f)
    for _ in range(2):
        r = minus(x, along(along(a, at_b, d), at_c, e))
        at_b += dot(r, d) / dd
        if ff > 0.0:
            t = dot(r, f) / ff
            at_c += t
            at_b -= t * k
    at_b = max(0.0, at_b)
    at_c = max(0.0, at_c)
    total = max(1.0, at_b + at_c)
    at_b /= total
    at_c /= total
    return max(0.0, 1.0 - at_b - at_c), at_b, at_c


@kernel
def over_inside(x: Vec, a: Vec, b: Vec, c: Vec) -> tuple[bool, Vec]:
    """Say whether a point lies over the inside of a triangle, and over which point.

    The foot is a convex combination of the corners, so it lies on the triangle however
    thin that is.
    """
    u = minus(a, x)
    v = minus(b, x)
    w = minus(c, x)
    n = cross(minus(b, a), minus(c, a))
    at_a = dot(cross(v, w), n)
    if not at_a > 0.0:
        return False, x
    at_b = dot(cross(w, u), n)
    if not at_b > 0.0:
        return False, x
    at_c = dot(cross(u, v), n)
    if not at_c > 0.0:
        return False, x
    total = at_a + at_b + at_c
    at_a /= total
    at_b /= total
    at_c /= total
    d = minus(b, a)
    e = minus(c, a)
    # Whatever the angle here: most needles have two right ones and a sharp one.
    longest = max(dot(d, d), dot(e, e))
    if dot(n, n) < NARROW * NARROW * longest * longest:
        at_a, at_b, at_c = put_right(x, a, d, e, at_b, at_c)
    return True, along(mixed(at_a, a, at_b, b), at_c, c)


@kernel
def between(p0: Vec, p1: Vec, q0: Vec, q1: Vec) -> tuple[bool, Vec, Vec]:
    """Say whether two segments are nearest between their ends; return the points."""
    d = minus(p1, p0)
    e = minus(q1, q0)
    if miss_each_other(d, e, minus(q0, p0)):
        return False, p0, q0
    meet, s, _, w, sine = crossing(p0, q0, d, e)
    p = along(p0, s, d)
    if not meet:
        return False, p, p
    if sine <= NEARLY_PARALLEL:
        # The way across nearly parallel lines is rounding: measure from the point.
        _, w = perpendicular(p, q0, q1)
        return True, p, minus(p, w)
    return True, p, along(p, 1.0, w)


@kernel
def segments_apart(p: Vec, q: Vec, turned: Floats, r: int, s: int, pad: float) -> float:
    """Return a lower bound of the squared distance of two segments: of their boxes."""
    x, y = point(turned, r), point(turned, s)
    return squared(gaps(least(p, q), most(p, q), least(x, y), most(x, y)), pad)


@kernel
def shortlist(a: Tree, i: int, b: Tree, j: int, at: int, search: TreeSearch) -> int:
    """List the segments that leaf i owns, those that the box of leaf j may reach.

    Writes their ends from a place on; returns how many.
    """
    state = search.state
    node = b.leaves - 1 + j
    short = 0
    for k in range(a.segment_start[i], a.segment_start[i + 1]):
        v = a.segment[2 * k]
        w = a.segment[2 * k + 1]
        p, q = point(a.turned, v), point(a.turned, w)
        low, high = least(p, q), most(p, q)
        if box_apart(low, high, b.boxes, node, state.pad) <= state.limit:
            search.shortlist[at + 2 * short] = v
            search.shortlist[at + 2 * short + 1] = w
            short += 1
    return short


@kernel
def vertices_against(
    a: Tree, i: int, b: Tree, j: int, flip: int, search: TreeSearch
) -> None:
    """Test the vertices that leaf i owns against leaf j.

    Against its triangles and the segments of it that are shortlisted.  ``flip`` is 1
    where the first tree is B's.
    """
    state = search.state
    at = 0 if flip == 1 else SHORTLIST
    short = search.state.short_a if flip == 1 else search.state.short_b
    node = b.leaves - 1 + j
    for k in range(a.own_start[i], a.own_start[i + 1]):
        v = a.own[k]
        p = point(a.turned, v)
        if box_apart(p, p, b.boxes, node, state.pad) > state.limit:
            continue
        x = point(a.placed, v)
        for t in range(b.triangle_start[j], b.triangle_start[j + 1]):
            ids = ids_at(b, t)
            c0, c1, c2 = corners(b, ids)
            over, foot = over_inside(x, c0, c1, c2)
            if over:
                w = minus(x, foot)
                take(dot(w, w), (v, -1, -1), ids, flip, search)
        for m in range(short):
            tail = search.shortlist[at + 2 * m]
            tip = search.shortlist[at + 2 * m + 1]
            if segments_apart(p, p, b.turned, tail, tip, state.pad) > state.limit:
                continue
            s, w = perpendicular(x, point(b.placed, tail), point(b.placed, tip))
            end = on_segment(tail, tip, s)
            take(dot(w, w), (v, -1, -1), end, flip, search)


@kernel
def segments_against(a: Tree, b: Tree, search: TreeSearch) -> None:
    """Test the shortlisted segments of A against those of B."""
    state = search.state
    listed_ends = search.shortlist
    for k in range(search.state.short_a):
        v = listed_ends[2 * k]
        w = listed_ends[2 * k + 1]
        p0 = point(a.placed, v)
        p1 = point(a.placed, w)
        x, y = point(a.turned, v), point(a.turned, w)
        for m in range(search.state.short_b):
            r = listed_ends[SHORTLIST + 2 * m]
            s = listed_ends[SHORTLIST + 2 * m + 1]
            if segments_apart(x, y, b.turned, r, s, state.pad) > state.limit:
                continue
            meet, p, q = between(p0, p1, point(b.placed, r), point(b.placed, s))
            if meet:
                way = minus(q, p)
                take(dot(way, way), (v, w, -1), (r, s, -1), 0, search)


@kernel
def segments_pierce(a: Tree, i: int, b: Tree, j: int, search: TreeSearch) -> bool:
    """Say whether a segment that leaf i owns goes through a triangle of leaf j.

    Only if it still does wherever each moves by COORDINATE, unless exactly asked: so
    most are ruled out by boxes, where surfaces touch by heights along the first axis.
    """
    blur = COORDINATE if search.state.pierced == 0 else 0.0
    for k in range(a.segment_start[i], a.segment_start[i + 1]):
        v = a.segment[2 * k]
        w = a.segment[2 * k + 1]
        p = point(a.placed, v)
        q = point(a.placed, w)
        off = blur * reach_of(p, p) if blur > 0.0 else -search.state.pad
        x, y = point(a.turned, v), point(a.turned, w)
        if not enters(x, y, off, b.boxes, b.leaves - 1 + j):
            continue
        for t in range(b.triangle_start[j], b.triangle_start[j + 1]):
            c0, c1, c2 = corners(b, ids_at(b, t))
            low, high = box_of(c0, c1, c2)
            gap = gaps(least(p, q), most(p, q), low, high)
            # Nothing is rounded there: what it refuses has no point in common.
            meets = gap[0] <= 0.0 and gap[1] <= 0.0 and gap[2] <= 0.0
            if meets and pierces(p, q, c0, c1, c2, blur):
                return True
    return False


@kernel
def test_leaves(a: Tree, i: int, b: Tree, j: int, search: TreeSearch) -> None:
    """Test every pair of features that leaf i of A and leaf j of B own."""
    search.state.here_a = i
    search.state.here_b = j
    search.state.short_a = shortlist(a, i, b, j, 0, search)
    search.state.short_b = shortlist(b, j, a, i, SHORTLIST, search)
    vertices_against(b, j, a, i, 1, search)
    vertices_against(a, i, b, j, 0, search)
    segments_against(a, b, search)
