"""A convex cover of positions that have moved: repaired by flips, and proved.

The proof: seen from an inner point all triangles face outward and cover the sphere of
directions once (*star-shaped*), no edge is reflex (*locally convex*), and no vertex
lies above the triangle that it is seen through.  Then the triangles bound the convex
hull.  Flips alone prove nothing: started from a surface that is not star-shaped they
end anywhere.

The repair: an edge that is reflex is flipped; where it cannot be, one of its ends lies
inside the tetrahedron of the eye and its three neighbours, so it is no vertex of the
hull and is removed.  A flip makes the surface larger and a removed vertex never comes
back, so this ends, and it ends locally convex.  Then vertices above the surface are put
onto it.
"""

from sim.kernels.audit.verdict import range_of
from sim.kernels.cover.triangulation import (
    BLUR,
    DEAD,
    EXTENT,
    EYE,
    FACES,
    FLAT,
    FLIPS,
    INSERTIONS,
    QUEUED,
    REMOVALS,
    VOLUME,
    HullMesh,
    before,
    bend,
    eye_of,
    flip,
    height,
    insert,
    pop,
    push,
    remove,
    rename,
    tidy,
    turn,
)
from sim.kernels.exact import ROUNDING, fine_side, side_of
from sim.kernels.language import Vec, kernel
from sim.kernels.vector import HERE, cross, dot, minus, plus, put
from sim.kernels.walk.simplex import corner

# How a repair ends.
KEPT = 0  # the connectivity holds as it is
FLIPPED = 1
LOST = 2  # not star-shaped: what was remembered is of no use here
UNFINITE = 3
UNCLEAR = 4  # inner: a ray that counts how often all is covered meets an edge

DIRECTIONS = 4
PATIENCE = 64  # changes per vertex before a repair is given up


@kernel
def measure(c: HullMesh) -> bool:
    """Choose the eye among the vertices on the cover, and measure the body.

    False where a coordinate is not finite.
    """
    low, high, total = range_of(c.points, c.size)
    sum = HERE
    used = 0
    for v in range(c.size):
        if c.at[v] >= 0:
            used += 1
            sum = plus(sum, corner(c.points, v))
    rest = total[0] + total[1] + total[2]
    if rest - rest != 0.0 or used == 0:
        return False
    put(c.row, EYE, (sum[0] / used, sum[1] / used, sum[2] / used))
    extent = minus(high, low)
    put(c.row, EXTENT, extent)
    c.row[BLUR] = ROUNDING * extent[0] * extent[1] * extent[2]
    return True


@kernel
def survey(c: HullMesh, direction: int) -> int:
    """Look at all triangles and edges once; push the edges that are reflex.

    Returns KEPT where the surface is star-shaped, LOST where it is not, UNCLEAR where
    the ray that counts met an edge.
    """
    p = c.points
    blur = c.row[BLUR]
    o = eye_of(c)
    ray = aim(c, direction)
    # A direction across the ray: triangles on one side of it cannot meet the ray.
    across_x = ray[1] - o[1]
    across_y = o[0] - ray[0]
    doubt = 1e-12 * c.row[EXTENT] * c.row[EXTENT + 1]
    covered = 0
    flat = 0
    volume = 0.0
    for f in range(c.counts[FACES]):
        h = 3 * f
        a = corner(p, c.corner[h])
        b = corner(p, c.corner[h + 1])
        d = corner(p, c.corner[h + 2])
        u = minus(b, a)
        v = minus(d, a)
        n = cross(u, v)
        depth = dot(n, minus(a, o))
        if depth <= blur and side_of(a, b, d, o, blur, c.expansion) >= 0:
            return LOST
        volume += depth
        beside = (a[0] - o[0]) * across_x + (a[1] - o[1]) * across_y
        beside_b = beside + u[0] * across_x + u[1] * across_y
        beside_d = beside + v[0] * across_x + v[1] * across_y
        if (
            min(beside, beside_b, beside_d) <= doubt
            and max(beside, beside_b, beside_d) >= -doubt
        ):
            seen = meets(c, a, b, d, o, ray)
            if seen < 0:
                return UNCLEAR
            covered += seen
        for s in range(3):
            t = c.twin[h + s]
            if h + s < t:
                e = corner(p, c.corner[before(t)])
                rise = dot(n, minus(e, a))
                if rise >= -blur:
                    side = 1
                    if rise <= blur:
                        side = fine_side(a, b, d, e, c.expansion)
                    if side > 0:
                        push(c, h + s)
                    elif side == 0:
                        flat += 1
    c.row[VOLUME] = volume
    c.counts[FLAT] = flat
    return KEPT if covered == 1 else LOST


@kernel
def aim(c: HullMesh, direction: int) -> Vec:
    """Return a point some way from the eye: the ray through it counts."""
    x = 1.0 - 0.61803 * direction
    y = 0.37113 + 0.41421 * direction
    z = 0.21731 - 0.23607 * direction
    o = eye_of(c)
    return (
        o[0] + x * c.row[EXTENT],
        o[1] + y * c.row[EXTENT + 1],
        o[2] + z * c.row[EXTENT + 2],
    )


@kernel
def meets(c: HullMesh, a: Vec, b: Vec, d: Vec, o: Vec, ray: Vec) -> int:
    """Say whether a ray from the eye meets a triangle (1) or not (0).

    -1 where it meets its rim.
    """
    blur = 64.0 * c.row[BLUR]  # the ray may end outside the body
    one = -side_of(a, b, ray, o, blur, c.expansion)
    two = -side_of(b, d, ray, o, blur, c.expansion)
    three = -side_of(d, a, ray, o, blur, c.expansion)
    if one < 0 or two < 0 or three < 0:
        return 0
    if one == 0 or two == 0 or three == 0:
        return -1
    return 1


@kernel
def look(c: HullMesh) -> int:
    """Look at all once, along another ray where one meets an edge."""
    status = UNCLEAR
    direction = 0
    while status == UNCLEAR and direction < DIRECTIONS:
        while c.counts[QUEUED] > 0:
            pop(c)
        status = survey(c, direction)
        direction += 1
    return status if status == KEPT else LOST


@kernel
def settle(c: HullMesh) -> bool:
    """Flip edges and remove vertices until no edge that was pushed is reflex.

    False where the surface broke on the way.
    """
    patience = PATIENCE * c.size
    while c.counts[QUEUED] > 0:
        h = pop(c)
        if c.corner[h] == DEAD:
            continue
        bent = bend(c, h)
        if bent <= 0:
            c.counts[FLAT] += 1 + bent
            continue
        patience -= 1
        if patience < 0:
            return False
        t = c.twin[h]
        tail = c.corner[h]
        tip = c.corner[t]
        left = c.corner[before(h)]
        right = c.corner[before(t)]
        if turn(c, tail, right, left) <= 0:
            if not remove(c, tail):
                return False
        elif turn(c, right, tip, left) <= 0:
            if not remove(c, tip):
                return False
        else:
            flip(c, h)
    return True


@kernel
def lift(c: HullMesh) -> bool:
    """Put every vertex that lies above the cover onto it; find the others below.

    The cover is convex, and stays so.  From triangle to triangle towards the ray
    through the vertex, the height over the plane rises, so the way ends.
    """
    for v in range(c.size):
        if c.at[v] >= 0:
            continue
        f = -1 - c.at[v]
        if f >= c.counts[FACES] or c.corner[3 * f] == DEAD:
            f = 0
            while c.corner[3 * f] == DEAD:
                f += 1
        patience = c.counts[FACES] + 8
        while True:
            i = c.corner[3 * f]
            j = c.corner[3 * f + 1]
            k = c.corner[3 * f + 2]
            if height(c, i, j, k, v) > 0:
                insert(c, v, f)
                if not settle(c):
                    return False
                break
            if turn(c, i, j, v) < 0:
                f = c.twin[3 * f] // 3
            elif turn(c, j, k, v) < 0:
                f = c.twin[3 * f + 1] // 3
            elif turn(c, k, i, v) < 0:
                f = c.twin[3 * f + 2] // 3
            else:
                c.at[v] = -1 - f
                for s in range(3):
                    w = c.corner[3 * f + s]
                    if w > v and corner(c.points, w) == corner(c.points, v):
                        rename(c, w, v)  # of equals the lowest, whatever was before
                        break
                break
            patience -= 1
            if patience < 0:
                return False
    return True


@kernel
def strip(c: HullMesh) -> bool:
    """Remove the vertices inside flat parts and straight edges of a convex cover.

    A vertex of the hull has three edges or more that bend.
    """
    for v in range(c.size):
        if c.at[v] >= 0:
            first = c.at[v]
            h = first
            sharp = 0
            again = True
            while again:
                if bend(c, h) < 0:
                    sharp += 1
                h = c.twin[before(h)]
                again = h != first
            if sharp < 3 and not (remove(c, v) and settle(c)):
                return False
    return True


@kernel
def comb(c: HullMesh) -> bool:
    """Make every flat part the fan from its lowest vertex, whatever it was before.

    All vertices are corners of their part, so each of these flips can be made; each
    lowers the sum over all edges of their lower end, so this ends.
    """
    for h in range(3 * c.counts[FACES]):
        if c.corner[h] != DEAD and h < c.twin[h] and bend(c, h) == 0:
            push(c, h)
    patience = PATIENCE * c.size
    while c.counts[QUEUED] > 0:
        h = pop(c)
        t = c.twin[h]
        ends = min(c.corner[h], c.corner[t])
        others = min(c.corner[before(h)], c.corner[before(t)])
        if others < ends and bend(c, h) == 0:
            patience -= 1
            if patience < 0:
                return False
            flip(c, h)
    return True


@kernel
def cover_frame(c: HullMesh) -> int:
    """Repair the cover for the present positions and prove it; return how it ended.

    What is remembered is looked at, all of it; flipped where it is reflex; raised to
    what lies above it.  Every change keeps the directions covered once, with triangles
    that face outward, and has the edges around it looked at again: so the proof of the
    first look holds for the last surface.
    """
    for k in range(FLIPS, INSERTIONS + 1):
        c.counts[k] = 0
    if not measure(c):
        return UNFINITE
    if look(c) != KEPT:
        return LOST
    if not (settle(c) and lift(c)):
        return LOST
    if c.counts[FLAT] > 0 and not (strip(c) and comb(c)):
        return LOST
    tidy(c)
    return FLIPPED if changes(c) > 0 else KEPT


@kernel
def changes(c: HullMesh) -> int:
    """Count what was done in this frame."""
    return c.counts[FLIPS] + c.counts[REMOVALS] + c.counts[INSERTIONS]
