"""Whether a closed surface winds around a point: by what a ray along an axis crosses.

For places where the nearest feature cannot tell: where a surface lies on itself, as the
fan of a polygon does that is not convex any more, two triangles are as near as each
other and look to opposite sides.
"""

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.surface.boxes import BOX, Tree
from sim.kernels.surface.piercing import corners, ids_at, is_outside, sign_of_volume
from sim.kernels.surface.ties import Key
from sim.kernels.vector import point, turn_of


@kernel
def winding_along(
    tree: Tree, points: Floats, leaf: int, x: Vec, i: int, xi: float, xj: float
) -> tuple[bool, int]:
    """Return how often a leaf, or all (-1), winds around a point, by a ray on an axis.

    ``points`` are the vertices in the axes of the ray, ``i`` is the axis that follows
    its own, ``xi`` and ``xj`` are the coordinates of the point along the two others.
    Says False where the ray runs along a triangle, or begins on one, to rounding.
    """
    j = (i + 1) % 3
    count = 0
    first = 0 if leaf < 0 else tree.triangle_start[leaf]
    for t in range(first, tree.triangle_start[tree.leaves if leaf < 0 else leaf + 1]):
        a = 3 * tree.triangle[3 * t]
        b = 3 * tree.triangle[3 * t + 1]
        c = 3 * tree.triangle[3 * t + 2]
        au = points[a + i] - xi
        av = points[a + j] - xj
        bu = points[b + i] - xi
        bv = points[b + j] - xj
        cu = points[c + i] - xi
        cv = points[c + j] - xj
        turn = turn_of(au, av, bu, bv) + turn_of(bu, bv, cu, cv)
        turn += turn_of(cu, cv, au, av)
        if turn != 0:
            p, q, r = corners(tree, ids_at(tree, t))
            ahead = sign_of_volume(p, q, r, x)
            if ahead == 0:
                return False, 0
            if ahead * turn > 0:
                count += turn
    return True, count


@kernel
def winding_through(a: Tree, b: Tree, i: int, stack: Ints) -> tuple[bool, int]:
    """Return the same of all of B for the point behind A's vertices, by boxes."""
    j = (i + 1) % 3
    x = point(a.placed, a.size)
    xi = a.turned[3 * a.size + i]
    xj = a.turned[3 * a.size + j]
    total = 0
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        at = BOX * node
        if not (
            b.boxes[at + i] <= xi <= b.boxes[at + i + 3]
            and b.boxes[at + j] <= xj <= b.boxes[at + j + 3]
        ):
            continue
        leaf = node - (b.leaves - 1)
        if leaf < 0:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        sure, count = winding_along(b, b.turned, leaf, x, i, xi, xj)
        if not sure:
            return False, 0
        total += count
    return True, total


@kernel
def is_within(tree: Tree, x: Vec, sense: int) -> int:
    """Say whether a surface winds around a point: 1 inside, -1 outside, 0 unsure.

    ``sense`` is the orientation of the surface.  Cost: O(F).
    """
    sure, count = winding_along(tree, tree.placed, -1, x, 1, x[1], x[2])
    if not sure:
        sure, count = winding_along(tree, tree.placed, -1, x, 2, x[2], x[0])
    if not sure:
        sure, count = winding_along(tree, tree.placed, -1, x, 0, x[0], x[1])
    return (1 if sense * count > 0 else -1) if sure else 0


@kernel
def side_of(tree: Tree, sense: int, ids: Key, n: Vec, x: Vec, twofold: bool) -> int:
    """Say on which side of a surface a point is: 1 outside, -1 inside, 0 unsure.

    By the feature that it is nearest to, ``n`` the unit vector to there, unless another
    one is as near (``twofold``) or that one cannot tell.
    """
    side = 0
    if not twofold:
        side = sense * is_outside(tree, ids, n)
    if side == 0 and sense != 0:
        side = -is_within(tree, x, sense)
    return side
