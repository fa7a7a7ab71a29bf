"""Whether points lie inside a closed surface, by a ray; how deep vertices do."""

from typing import NamedTuple

from sim.kernels.closest.outline import across
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.surface.boxes import box_apart, gaps_to, place_all, refit, turn
from sim.kernels.surface.pairs import over_inside
from sim.kernels.surface.piercing import (
    COORDINATE,
    corner,
    corners,
    ids_at,
    orientation,
    sign_of_volume,
)
from sim.kernels.vector import HERE, dot, minus, perpendicular, point, put, turn_of
from sim.kernels.workspace import BOX, BodyView, Tree, TreeSearch, origin_of

INFINITE = float("inf")
UP = (0.0, 0.0, 1.0)  # any axis will do: a vertex may leave on every side
NEARLY = 1.0 - 1e-12  # what is less deep than this share of the deepest is not as deep
PAD = 64.0 * 2.220446049250313e-16  # per unit of reach: a turned coordinate is off


class Deep(NamedTuple):
    """The vertex of each body that lies deepest inside the other: A's, then B's."""

    depth: Floats  # 2: 0 where no vertex lies inside
    vertex: Ints  # 2
    triangle: Ints  # 2: of the other body's fan, where that vertex would come out
    exit: Floats  # 6: the point there


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
            ahead = sign_of_volume(p, q, r, x, COORDINATE)
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


@kernel
def on_triangle(x: Vec, tree: Tree, t: int) -> tuple[float, Vec]:
    """Return the squared distance of a triangle and its nearest point."""
    a, b, c = corners(tree, ids_at(tree, t))
    over, foot = over_inside(x, a, b, c)
    best = INFINITE
    if over:
        w = minus(x, foot)
        return dot(w, w), foot
    for k in range(3):
        _, w = perpendicular(x, corner(tree, t, k), corner(tree, t, (k + 1) % 3))
        square = dot(w, w)
        if square < best:
            best = square
            foot = minus(x, w)
    return best, foot


@kernel
def nearest_to(
    a: Tree, v: int, b: Tree, enough: float, best: float, pad: float, stack: Ints
) -> tuple[float, int, Vec]:
    """Find the triangle of B within ``best`` that is nearest to a vertex of A.

    Returns the squared distance, its place in the leaves, of equals that of the first
    by number, and the point there.  Gives up, with a smaller squared distance, once
    that is ``enough`` or less.
    """
    x = point(a.placed, v)
    y = point(a.turned, v)
    stack[0] = 0
    top = 1
    nearest = 0
    at = x
    while top > 0 and best > enough:
        top -= 1
        node = stack[top]
        if box_apart(y, y, b.boxes, node, pad) > best:
            continue
        if node < b.leaves - 1:
            one = 2 * node + 1
            two = one + 1
            d_one = box_apart(y, y, b.boxes, one, pad)
            d_two = box_apart(y, y, b.boxes, two, pad)
            stack[top] = two if d_one <= d_two else one
            stack[top + 1] = one if d_one <= d_two else two
            top += 2
            continue
        leaf = node - (b.leaves - 1)
        for t in range(b.triangle_start[leaf], b.triangle_start[leaf + 1]):
            square, foot = on_triangle(x, b, t)
            if square < best or (square == best and b.number[t] < b.number[nearest]):
                best = square
                nearest = t
                at = foot
    return best, nearest, at


@kernel
def deepest_of(
    a: Tree, b: Tree, pad: float, k: int, deep: Deep, search: TreeSearch
) -> None:
    """Find the vertex of A deepest inside B; the lowest of equals.

    None lies deeper than in the box of B, or than it is far from any vertex of B.  The
    one that may lie deepest in the box is asked first: of those that lie less deep than
    it does no more needs to be known.  The others leaf by leaf: what was nearest to one
    is near to the next.
    """
    deep.depth[k] = 0.0
    deep.vertex[k] = -1
    deep.triangle[k] = -1
    sense = orientation(b)
    first = 0
    most = -INFINITE
    for v in range(a.size):
        depth = depth_in_box(a, v, b, pad)
        if depth > most:
            first = v
            most = depth
    square = 0.0
    guess = 0
    for i in range(a.size + 1):
        v = first if i == 0 else a.own[i - 1]
        most = depth_in_box(a, v, b, pad)
        x = point(a.placed, v)
        w = minus(x, point(b.placed, guess))
        enough = square * NEARLY
        if most < 0.0 or most * most < square or dot(w, w) <= enough:
            continue
        found, t, at = nearest_to(a, v, b, enough, INFINITE, pad, search.stack)
        guess = b.triangle[3 * t]
        deeper = found > square or (found == square and v < deep.vertex[k])
        if not deeper or found > most * most:
            continue
        if is_within(a, v, b, sense, search.stack) == 1:
            square = found
            deep.depth[k] = found
            deep.vertex[k] = v
            deep.triangle[k] = b.number[t]
            put(deep.exit, 3 * k, at)


@kernel
def depth_in_box(a: Tree, v: int, b: Tree, pad: float) -> float:
    """Return how far inside the box of B a vertex of A is at most, or less than 0."""
    p = point(a.turned, v)
    gap = gaps_to(p, p, b.boxes, 0)
    return 2.0 * pad - max(gap[0], gap[1], gap[2])


@kernel
def deepest_frame(
    a: BodyView, b: BodyView, ta: Tree, tb: Tree, search: TreeSearch, deep: Deep
) -> int:
    """Find the deepest vertex of each body in the other, depths squared; return 0.

    ``deep.exit`` begins with a unit vector along which they share little, any will do.
    """
    axis = (deep.exit[0], deep.exit[1], deep.exit[2])
    origin = origin_of(a, b)
    reach = place_all(a.points, a.pose, HERE, ta)
    reach = max(reach, place_all(b.points, b.pose, origin, tb))
    refit(ta, axis)
    refit(tb, axis)
    deepest_of(ta, tb, PAD * reach, 0, deep, search)
    deepest_of(tb, ta, PAD * reach, 1, deep, search)
    return 0
