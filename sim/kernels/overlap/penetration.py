"""Bodies that touch or overlap: the axis of least overlap, and the proof of it.

Expanding polytope: Cameron (1997), DOI 10.1109/ROBOT.1997.606761; van den Bergen
(2003), "Collision Detection in Interactive 3D Environments".  Our deviations: the
triangle that is looked at is the one with the least signed height, so the origin may
lie outside at first and exact touch needs no case of its own; the polytope is kept as
ids and proved again in the next frame; the answer is measured from the features that
the axis names, by the expressions of ``answer``, never from the polytope.
"""

from sim.kernels.closest.outline import across
from sim.kernels.language import Vec, kernel
from sim.kernels.overlap.polytope import (
    BLUR,
    DISTANCE,
    FINAL,
    FREE,
    HEIGHT,
    OPEN,
    PLANE,
    SLIVER,
    Polytope,
    add_vertex,
    distance_of,
    level,
    make_tetrahedron,
    outward,
    put_vertex,
)
from sim.kernels.vector import back, cross, dot, minus, point, pull, unit
from sim.kernels.walk.gjk import difference, proven_support, seed
from sim.kernels.walk.support import climb
from sim.kernels.workspace import BodyView, Workspace, origin_of

INFINITE = float("inf")
CLOSED = 0  # no triangle nearer than the final ones is open
FULL = 1  # out of room: bounds, but no proof that they meet
BROKEN = 2  # flat, or rounding tore the surface

FLAT = 1e-13  # a tetrahedron lower than this, per unit of reach, has no inside
HIGHER = 2.0 * 2.220446049250313e-16  # a support this little beyond, per unit of reach
EQUAL = 8.0 * 2.220446049250313e-16  # depths this near, per unit of reach, are a tie


@kernel
def stretch(
    a: BodyView, b: BodyView, m: Vec, from_a: int, from_b: int, pair: Workspace
) -> tuple[int, int]:
    """Return the vertices of both bodies whose difference B - A is farthest along m."""
    da = pull(a.pose, back(m))
    db = pull(b.pose, m)
    result = pair.result
    va, _ = climb(a, from_a, da, result)
    vb, _ = climb(b, from_b, db, result)
    return proven_support(a, va, da, result), proven_support(b, vb, db, result)


@kernel
def refresh(a: BodyView, b: BodyView, origin: Vec, hull: Polytope) -> float:
    """Compute the remembered polytope anew from its ids; return its reach.

    Negative where it no longer holds the origin: it is of no more use.
    """
    reach = 0.0
    for v in range(hull.filled[0]):
        va = hull.ids[2 * v]
        vb = hull.ids[2 * v + 1]
        w, far = difference(a, b, origin, va, vb)
        put_vertex(hull, v, w, va, vb)
        reach = max(reach, far)
    for f in range(hull.filled[1]):
        if hull.state[f] != FREE:
            hull.state[f] = OPEN
            level(hull, f, reach)
    return reach if encloses(hull) else -1.0


@kernel
def widen(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    v: int,
    m: Vec,
    best: tuple[float, float],
    pair: Workspace,
) -> tuple[float, float]:
    """Make the extreme difference along a line vertex v, if it gains more than so far.

    Gain is the way from vertex 0 along ``m``.  Returns the better gain and the reach;
    ``best`` are those so far.
    """
    hull = pair.hull
    gain, reach = best
    for turn in range(2):
        d = m if turn == 0 else back(m)
        va, vb = stretch(a, b, d, hull.ids[0], hull.ids[1], pair)
        w, far = difference(a, b, origin, va, vb)
        reach = max(reach, far)
        way = dot(minus(w, point(hull.points, 0)), d)
        if way > gain:
            gain = way
            put_vertex(hull, v, w, va, vb)
    return gain, reach


@kernel
def spread(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> float:
    """Start a polytope: a wide tetrahedron of differences; return its reach.

    Negative where there is none: the difference is flat.
    """
    hull = pair.hull
    hull.filled[0] = 0
    hull.filled[1] = 0
    va, vb = pair.simplex[1], pair.simplex[5]
    w, reach = difference(a, b, origin, va, vb)
    put_vertex(hull, 0, w, va, vb)
    gain, reach = widen(a, b, origin, 1, (1.0, 0.0, 0.0), (0.0, reach), pair)
    gain, reach = widen(a, b, origin, 1, (0.0, 1.0, 0.0), (gain, reach), pair)
    gain, reach = widen(a, b, origin, 1, (0.0, 0.0, 1.0), (gain, reach), pair)
    if not gain > FLAT * reach:
        return -1.0
    e = minus(point(hull.points, 1), point(hull.points, 0))
    s, t = across(unit(e))
    gain, reach = widen(a, b, origin, 2, s, (0.0, reach), pair)
    gain, reach = widen(a, b, origin, 2, t, (gain, reach), pair)
    if not gain > FLAT * reach:
        return -1.0
    m = unit(cross(e, minus(point(hull.points, 2), point(hull.points, 0))))
    gain, reach = widen(a, b, origin, 3, m, (0.0, reach), pair)
    if not gain > FLAT * reach:
        return -1.0
    make_tetrahedron(hull, reach)
    return reach


@kernel
def nearest_open(hull: Polytope, reach: float) -> int:
    """Return the nearest triangle that is still to be looked at; -1 if there is none.

    Those clearly farther than the nearest final one need no look.
    """
    while True:
        best = -1
        least = INFINITE
        limit = INFINITE
        for f in range(hull.filled[1]):
            d = hull.planes[PLANE * f + DISTANCE]
            if hull.state[f] == OPEN and (best < 0 or d < least):
                best = f
                least = d
            elif hull.state[f] == FINAL:
                limit = min(limit, d)
        if best < 0 or least > limit + EQUAL * reach:
            return -1
        if not distance_of(hull, best) > least:
            return best


@kernel
def has_vertex(hull: Polytope, va: int, vb: int) -> bool:
    """Say whether a difference is a vertex of the polytope already."""
    for v in range(hull.filled[0]):
        if hull.ids[2 * v] == va and hull.ids[2 * v + 1] == vb:
            return True
    return False


@kernel
def expand(
    a: BodyView, b: BodyView, origin: Vec, reach: float, pair: Workspace
) -> tuple[int, float]:
    """Grow the polytope until its nearest triangles are faces of the difference.

    Returns how it ended, and the reach; below 0 there is none.
    """
    hull = pair.hull
    while reach >= 0.0:
        f = nearest_open(hull, reach)
        if f < 0:
            return CLOSED, reach
        m = outward(hull, f)
        v = hull.corners[3 * f]
        va, vb = stretch(a, b, m, hull.ids[2 * v], hull.ids[2 * v + 1], pair)
        w, far = difference(a, b, origin, va, vb)
        beyond = dot(m, w) - hull.planes[PLANE * f + HEIGHT]
        if beyond <= HIGHER * reach:
            hull.state[f] = FINAL
            continue
        if has_vertex(hull, va, vb):
            if hull.filled[2] == 0 and beyond > hull.planes[PLANE * f + BLUR]:
                return BROKEN, reach  # last frame's, no longer convex
            hull.state[f] = FINAL
            continue
        if hull.filled[0] >= hull.room or hull.filled[1] + 2 > 3 * hull.room:
            return FULL, reach
        reach = max(reach, far)
        if not add_vertex(hull, f, w, va, vb, reach):
            break
    return BROKEN, reach


@kernel
def nearest(hull: Polytope, first: int, last: int) -> tuple[int, float]:
    """Return the nearest triangle from one state up to another, and how far it is."""
    while True:
        best = -1
        least = INFINITE
        for f in range(hull.filled[1]):
            d = hull.planes[PLANE * f + DISTANCE]
            if first <= hull.state[f] <= last and (best < 0 or d < least):
                best = f
                least = d
        if best < 0 or not distance_of(hull, best) > least:
            return best, least


@kernel
def inner_radius(hull: Polytope) -> float:
    """Return how far the nearest triangle is, a proven depth; negative: outside."""
    _, least = nearest(hull, OPEN, SLIVER)
    return least


@kernel
def encloses(hull: Polytope) -> bool:
    """Say whether the origin lies on the inner side of every triangle."""
    for f in range(hull.filled[1]):
        i = PLANE * f
        outside = hull.planes[i + DISTANCE] < -hull.planes[i + BLUR]
        if outside and hull.state[f] != FREE:
            return False
    return True


@kernel
def hulls_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Find the nearest faces of the difference of two hulls; return how it ended.

    For bodies of any shape: a support is scanned for where rings prove none.
    """
    origin = origin_of(a, b)
    seed(a, b, origin, pair)
    ended, _ = expand(a, b, origin, spread(a, b, origin, pair), pair)
    for f in range(pair.hull.filled[1]):
        distance_of(pair.hull, f)
    return ended
