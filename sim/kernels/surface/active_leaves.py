"""Boxes over those parts of two surfaces that may come within a distance.

Along the direction in which two bodies are apart, whatever lies lower than the other
body's nearest vertex by more than the distance wanted cannot come within it.  That is
all but a tenth of the vertices as a rule: only the leaves with one of the others wake,
are placed, turned and fitted with boxes.
"""

from sim.kernels.closest.outline import across
from sim.kernels.language import Vec, kernel
from sim.kernels.surface.boxes import BOX, Tree, fit_leaf, merge, turn
from sim.kernels.vector import farther, place, put
from sim.kernels.walk.support import LOWEST
from sim.kernels.workspace import BodyView

NOWHERE = 1e300  # the box of a sleeping node lies beyond everything


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
