"""Boxes over the true surface of a body, fitted anew in every frame that needs them.

The topology of the tree is ids (``tree.Tree``); everything computed from positions is
written here before it is read.  The boxes stand in a frame whose first axis is the
direction in which the bodies are apart, where boxes of two surfaces that face each
other are thin (van den Bergen 1997 refits likewise, in body axes).

Whatever lies lower along it than the other body's nearest vertex, by more than the
distance wanted, is left out: a tenth of the leaves wake and are fitted as a rule.
"""

from sim.kernels.closest.outline import across
from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.vector import (
    back,
    dot,
    farther,
    least,
    minus,
    most,
    place,
    plus,
    point,
    put,
)
from sim.kernels.walk.support import LOWEST, height
from sim.kernels.workspace import BOX, BodyView, Tree

NOWHERE = 1e300  # the box of a sleeping node lies beyond everything


@kernel
def place_all(points: Floats, pose: Floats, origin: Vec, tree: Tree) -> float:
    """Move all vertices to the pair's frame; return their reach.

    The reach is the largest coordinate, or not a number where one is not finite.
    """
    low = high = total = 0.0
    for v in range(tree.size):
        p = place(points, pose, origin, v)
        put(tree.placed, 3 * v, p)
        total += (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2])
        high = max(high, p[0], p[1], p[2])
        low = min(low, p[0], p[1], p[2])
    return max(high, -low) + total


@kernel
def turn(tree: Tree, i: int, n: Vec, u: Vec, t: Vec) -> float:
    """Write the placed point at a place along three axes; return its height."""
    p = (tree.placed[i], tree.placed[i + 1], tree.placed[i + 2])
    h = dot(p, n)
    tree.turned[i] = h
    tree.turned[i + 1] = dot(p, u)
    tree.turned[i + 2] = dot(p, t)
    return h


@kernel
def refit(tree: Tree, n: Vec) -> None:
    """Fit every box to the placed vertices, the first axis along ``n``.  Cost: O(V)."""
    u, t = across(n)
    for v in range(tree.size):
        turn(tree, 3 * v, n, u, t)
    for leaf in range(tree.leaves):
        fit_leaf(tree, leaf)
    for k in range(tree.leaves - 1):
        merge(tree.boxes, tree.leaves - 2 - k)


@kernel
def fit_leaf(tree: Tree, leaf: int) -> None:
    """Fit the box of a leaf to its turned vertices."""
    boxes = tree.boxes
    turned = tree.turned
    first = tree.vertex_start[leaf]
    low = point(turned, tree.vertex[first])
    high = low
    for k in range(first + 1, tree.vertex_start[leaf + 1]):
        p = point(turned, tree.vertex[k])
        low = least(low, p)
        high = most(high, p)
    at = BOX * (tree.leaves - 1 + leaf)
    put(boxes, at, low)
    put(boxes, at + 3, high)


@kernel
def merge(boxes: Floats, node: int) -> None:
    """Fit the box of a node around those of its two children."""
    k = 4 * node + 2
    put(boxes, BOX * node, least(point(boxes, k), point(boxes, k + 2)))
    put(boxes, BOX * node + 3, most(point(boxes, k + 1), point(boxes, k + 3)))


@kernel
def gaps(low: Vec, high: Vec, bottom: Vec, top: Vec) -> Vec:
    """Return how far two boxes are apart along each axis; below 0 they overlap."""
    return most(minus(bottom, high), minus(low, top))


@kernel
def squared(gap: Vec, pad: float) -> float:
    """Return the squared distance of two boxes so far apart along each axis.

    Each gap is shortened by ``pad`` first, what turning may have rounded, so that it is
    a lower bound of the squared distance of what is inside.
    """
    x, y, z = minus(gap, (pad, pad, pad))
    square = 0.0
    if x > 0.0:
        square = x * x
    if y > 0.0:
        square += y * y
    if z > 0.0:
        square += z * z
    return square


@kernel
def gaps_to(low: Vec, high: Vec, boxes: Floats, node: int) -> Vec:
    """Return how far a box and that of a node are apart along each axis."""
    return gaps(low, high, point(boxes, 2 * node), point(boxes, 2 * node + 1))


@kernel
def box_apart(low: Vec, high: Vec, boxes: Floats, node: int, pad: float) -> float:
    """Return a lower bound of the squared distance of a box and a node."""
    return squared(gaps_to(low, high, boxes, node), pad)


@kernel
def enters(p: Vec, q: Vec, off: float, boxes: Floats, node: int) -> bool:
    """Say whether a segment gets farther than ``off`` into the box of a node."""
    off_it = (off, off, off)
    gap = gaps_to(plus(least(p, q), off_it), minus(most(p, q), off_it), boxes, node)
    return gap[0] < 0.0 and gap[1] < 0.0 and gap[2] < 0.0


@kernel
def box_of(p: Vec, q: Vec, r: Vec) -> tuple[Vec, Vec]:
    """Return the box around three points."""
    return least(p, least(q, r)), most(p, most(q, r))


@kernel
def girth(tree: Tree, node: int) -> float:
    """Return the sum of the sides of a box: which of two is the larger."""
    x, y, z = minus(point(tree.boxes, 2 * node + 1), point(tree.boxes, 2 * node))
    return x + y + z


@kernel
def nests(a: Tree, b: Tree, pad: float) -> bool:
    """Say whether all placed vertices of A lie in the box of those of B."""
    axis = (1.0, 0.0, 0.0)
    for _ in range(6):
        if top_along(a, axis) > top_along(b, axis) + pad:
            return False
        axis = (-axis[2], axis[0], axis[1])  # in six turns both ways along all three
    return True


@kernel
def are_parted(a: Tree, b: Tree, n: Vec, pad: float) -> bool:
    """Say whether all placed vertices of B lie higher along n than those of A."""
    return -top_along(b, back(n)) - top_along(a, n) > pad


@kernel
def top_along(tree: Tree, n: Vec) -> float:
    """Return the greatest height of the placed vertices."""
    high = height(tree.placed, 0, n)
    for v in range(tree.size):
        high = max(high, height(tree.placed, v, n))
    return high


@kernel
def reach_along(side: BodyView, origin: Vec, d: Vec, tree: Tree) -> tuple[float, float]:
    """Write the height of every vertex along a body-frame direction.

    Returns the greatest height and a bound on all coordinates in the pair's frame; the
    latter is not a number where a coordinate is not finite.  Cost: O(V).
    """
    points = side.points
    heights = tree.heights
    dx, dy, dz = d
    best = LOWEST
    mx = my = mz = 0.0
    bad = 0.0
    for v in range(side.size):
        i = 3 * v
        x = points[i]
        y = points[i + 1]
        z = points[i + 2]
        h = x * dx + y * dy + z * dz
        heights[v] = h
        if h > best:
            best = h
        elif not h > LOWEST:
            bad += h - h
        mx = max(mx, abs(x))
        my = max(my, abs(y))
        mz = max(mz, abs(z))
    # A height that is not a number is passed on: no maximum notices it.
    bad += (best - best) + (mx - mx) + (my - my) + (mz - mz)
    p = side.pose
    s = abs(p[0]) * mx + abs(p[1]) * my + abs(p[2]) * mz + abs(origin[0])
    t = abs(p[4]) * mx + abs(p[5]) * my + abs(p[6]) * mz + abs(origin[1])
    u = abs(p[8]) * mx + abs(p[9]) * my + abs(p[10]) * mz + abs(origin[2])
    return best + bad, farther(0.0, s, t, u) + bad


@kernel
def place_leaf(side: BodyView, origin: Vec, leaf: int, tree: Tree) -> None:
    """Place the vertices of a leaf; each gets the bits of ``vector.place``."""
    for k in range(tree.vertex_start[leaf], tree.vertex_start[leaf + 1]):
        v = tree.vertex[k]
        put(tree.placed, 3 * v, place(side.points, side.pose, origin, v))


@kernel
def fit(side: BodyView, origin: Vec, floor: float, n: Vec, tree: Tree) -> None:
    """Fit boxes over the leaves that reach a height, and over what holds them.

    Those have a vertex at the height or above it.
    """
    awake = tree.awake
    first = tree.leaves - 1
    last = 2 * first
    u, t = across(n)
    for node in range(last + 1):
        awake[node] = 0
    for v in range(tree.size):
        if tree.heights[v] >= floor:
            for k in range(tree.leaf_start[v], tree.leaf_start[v + 1]):
                awake[first + tree.leaf[k]] = 1
    for k in range(last + 1):
        node = last - k
        if node < first:
            one = 2 * node + 1
            awake[node] = max(awake[one], awake[one + 1])
            if awake[node] == 1:
                for child in range(one, one + 2):
                    if awake[child] == 0:
                        for i in range(BOX):
                            tree.boxes[BOX * child + i] = NOWHERE if i < 3 else -NOWHERE
                merge(tree.boxes, node)
        elif awake[node] == 1:
            leaf = node - first
            place_leaf(side, origin, leaf, tree)
            for m in range(tree.vertex_start[leaf], tree.vertex_start[leaf + 1]):
                turn(tree, 3 * tree.vertex[m], n, u, t)
            fit_leaf(tree, leaf)
