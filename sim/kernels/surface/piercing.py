"""Whether a segment goes through a triangle, and where triangles look.

Signs of volumes count only beyond what rounding can account for, in the determinant
(Shewchuk 1997, orient3d) and in the coordinates: surfaces that touch do not pierce.
"""

from sim.kernels.exact import FINE, fine_dot, fine_minus, fine_normal
from sim.kernels.language import Vec, kernel
from sim.kernels.surface.ties import Key, key_of
from sim.kernels.vector import cross, dot, minus, point, reach_of
from sim.kernels.workspace import Tree

ROUNDOFF = 8.0 * 1.1102230246251565e-16  # of a determinant: Shewchuk (1997), orient3d
COORDINATE = 4e-15  # of the largest one: what passes less far through touches
FLAT = 1e-12  # of what its terms add up to: a volume below it has no sign


@kernel
def sign_of_volume(a: Vec, b: Vec, c: Vec, d: Vec, blur: float) -> int:
    """Return the sign of the volume of four points; 0 where rounding could make it.

    What the coordinates may be off, ``blur`` per unit of the largest, moves the volume
    by that times its derivatives, the areas across: of nearly parallel edges they are
    as small as the volume is, so what counts is how far apart the two lines are.
    """
    u = minus(a, d)
    v = minus(b, d)
    w = minus(c, d)
    across_u, spread_u = areas(v, w)
    across_v, spread_v = areas(w, u)
    across_w, spread_w = areas(u, v)
    volume = dot(u, across_u)
    unsure = ROUNDOFF * dot((abs(u[0]), abs(u[1]), abs(u[2])), spread_u)
    moved = total(across_u) + total(across_v) + total(across_w)
    moved += ROUNDOFF * (total(spread_u) + total(spread_v) + total(spread_w))
    off = blur * max(reach_of(a, b), reach_of(c, d))
    limit = off * (moved + off * (total(u) + total(v) + total(w)))
    limit = max(limit, FINE / ROUNDOFF * unsure)
    if abs(volume) + unsure <= limit:
        return 0
    if abs(volume) <= limit + unsure:
        volume = fine_dot(fine_normal(d, b, c), fine_minus(a, d))[0]
    if volume > limit:
        return 1
    return -1 if volume < -limit else 0


@kernel
def areas(v: Vec, w: Vec) -> tuple[Vec, Vec]:
    """Return the vector product, and what its terms add up to without their signs."""
    return cross(v, w), (
        abs(v[1] * w[2]) + abs(v[2] * w[1]),
        abs(v[2] * w[0]) + abs(v[0] * w[2]),
        abs(v[0] * w[1]) + abs(v[1] * w[0]),
    )


@kernel
def total(a: Vec) -> float:
    """Add up the components of a vector without their signs."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@kernel
def pierces(p: Vec, q: Vec, a: Vec, b: Vec, c: Vec, blur: float) -> bool:
    """Say whether a segment crosses a triangle, wherever coordinates are so far off."""
    u = minus(p, a)
    v = minus(q, a)
    n, spread = areas(minus(b, a), minus(c, a))
    most = max(spread[0], spread[1], spread[2])
    slack = 2.0 * ROUNDOFF * (total(u) + total(v)) * most
    if min(dot(u, n), dot(v, n)) > slack or max(dot(u, n), dot(v, n)) < -slack:
        return False  # both ends lie on one side: most do, and this is cheaper to tell
    below = sign_of_volume(a, b, c, p, blur)
    if below == 0 or below * sign_of_volume(a, b, c, q, blur) >= 0:
        return False
    first = sign_of_volume(p, q, a, b, blur)
    return (
        first != 0
        and first == sign_of_volume(p, q, b, c, blur)
        and first == sign_of_volume(p, q, c, a, blur)
    )


@kernel
def orientation(tree: Tree) -> int:
    """Return 1 for a body whose triangles look outward, -1 inside out, 0 collapsed."""
    at = point(tree.placed, 0)
    volume = 0.0
    size = 0.0
    for t in range(tree.triangle_start[tree.leaves]):
        a, b, c = corners(tree, ids_at(tree, t))
        one = dot(minus(a, at), cross(minus(b, at), minus(c, at)))
        volume += one
        size += abs(one)
    if not abs(volume) > FLAT * size:
        return 0
    return 1 if volume > 0.0 else -1


@kernel
def corner(tree: Tree, t: int, k: int) -> Vec:
    """Return a placed corner of a triangle, by its place in the leaves."""
    return point(tree.placed, tree.triangle[3 * t + k])


@kernel
def ids_at(tree: Tree, t: int) -> Key:
    """Return what names a triangle, by its place in the leaves."""
    return key_of(tree.triangle, 3 * t)


@kernel
def corners(tree: Tree, ids: Key) -> tuple[Vec, Vec, Vec]:
    """Return the placed corners of a triangle."""
    placed = tree.placed
    return point(placed, ids[0]), point(placed, ids[1]), point(placed, ids[2])


@kernel
def across_triangle(tree: Tree, ids: Key) -> Vec:
    """Return the normal of a triangle, as long as it comes.

    To the side from which it runs to the left.
    """
    a, b, c = corners(tree, ids)
    return cross(minus(b, a), minus(c, a))


@kernel
def shared(tree: Tree, t: int, v: int, w: int, last: int) -> tuple[int, int]:
    """Return how many corners of a triangle are among three vertices, and another."""
    count = 0
    rest = -1
    for k in range(3):
        u = tree.triangle[3 * t + k]
        if u != v and u != w and u != last:
            rest = u
        else:
            count += 1
    return count, rest
