"""Whether a point lies inside a closed surface: by what a ray along an axis crosses."""

from sim.kernels.closest.outline import across
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.surface.boxes import BOX, Tree, turn
from sim.kernels.surface.piercing import corners, ids_at, sign_of_volume
from sim.kernels.vector import point, put, turn_of


@kernel
def put_point(tree: Tree, x: Vec, n: Vec) -> None:
    """Write a point behind the vertices, turned to a first axis like these."""
    u, t = across(n)
    put(tree.placed, 3 * tree.size, x)
    turn(tree, 3 * tree.size, n, u, t)


@kernel
def winding_of_leaf(
    tree: Tree, leaf: int, x: Vec, i: int, xi: float, xj: float
) -> tuple[bool, int]:
    """Return how often a leaf winds around a point, by a ray along a turned axis.

    ``i`` is the axis that follows that of the ray, ``xi`` and ``xj`` are the turned
    coordinates of the point along the two others.  Says False where the ray runs along
    a triangle, or begins on one, to rounding.
    """
    j = (i + 1) % 3
    points = tree.turned
    count = 0
    for t in range(tree.triangle_start[leaf], tree.triangle_start[leaf + 1]):
        a = 3 * tree.triangle[3 * t]
        b = 3 * tree.triangle[3 * t + 1]
        c = 3 * tree.triangle[3 * t + 2]
        au = points[a + i] - xi
        av = points[a + j] - xj
        bu = points[b + i] - xi
        bv = points[b + j] - xj
        cu = points[c + i] - xi
        cv = points[c + j] - xj
        turns = turn_of(au, av, bu, bv) + turn_of(bu, bv, cu, cv)
        turns += turn_of(cu, cv, au, av)
        if turns != 0:
            p, q, r = corners(tree, ids_at(tree, t))
            ahead = sign_of_volume(p, q, r, x)
            if ahead == 0:
                return False, 0
            if ahead * turns > 0:
                count += turns
    return True, count


@kernel
def winding_along(a: Tree, v: int, b: Tree, i: int, stack: Ints) -> tuple[bool, int]:
    """Return the same of all of B for a point of A, by boxes."""
    j = (i + 1) % 3
    x = point(a.placed, v)
    xi = a.turned[3 * v + i]
    xj = a.turned[3 * v + j]
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
        sure, count = winding_of_leaf(b, leaf, x, i, xi, xj)
        if not sure:
            return False, 0
        total += count
    return True, total


@kernel
def is_within(a: Tree, v: int, b: Tree, sense: int, stack: Ints) -> int:
    """Say whether B winds around a point of A: 1 inside, -1 outside, 0 unsure.

    ``sense`` is the orientation of B, whose boxes are all fitted.  ``v`` is a vertex,
    or the point behind them.
    """
    for i in range(3):
        sure, count = winding_along(a, v, b, i, stack)
        if sure and sense != 0:
            return 1 if sense * count > 0 else -1
    return 0
