"""Whether two small nodes are too far apart to matter, along a way of their own.

Boxes that all stand in one frame are loose where a surface is tilted against it.  Of
the leaves whose boxes are near, nine in ten are parted along the way between the
middles of their own boxes, at a tenth of the cost of testing all pairs of features (a
separating direction as in Gilbert, Johnson, Keerthi 1988, DOI 10.1109/56.2083, after
one guess).
"""

from math import sqrt

from sim.kernels.language import kernel
from sim.kernels.surface.boxes import BOX
from sim.kernels.surface.slab import NOWHERE
from sim.kernels.surface.tree import Tree
from sim.kernels.surface.tree_search import LIMIT, PAD, TreeSearch


@kernel
def are_far(a: Tree, i: int, b: Tree, j: int, search: TreeSearch) -> bool:
    """Say whether node i of A and node j of B are seen to be farther than the limit.

    Never where they are not: turning and the heights have rounded less than twice the
    pad.
    """
    p = BOX * i
    q = BOX * j
    x = (b.boxes[q] + b.boxes[q + 3]) - (a.boxes[p] + a.boxes[p + 3])
    y = (b.boxes[q + 1] + b.boxes[q + 4]) - (a.boxes[p + 1] + a.boxes[p + 4])
    z = (b.boxes[q + 2] + b.boxes[q + 5]) - (a.boxes[p + 2] + a.boxes[p + 5])
    first = a.leaves - 1
    high = -NOWHERE
    begin, end = leaves_below(a, i)
    for leaf in range(begin, end):
        if a.awake[first + leaf] == 1:
            for k in range(a.vertex_start[leaf], a.vertex_start[leaf + 1]):
                v = 3 * a.vertex[k]
                high = max(
                    high, a.turned[v] * x + a.turned[v + 1] * y + a.turned[v + 2] * z
                )
    far = sqrt(search.state[LIMIT]) + 2.0 * search.state[PAD]
    high += far * sqrt(x * x + y * y + z * z)
    first = b.leaves - 1
    begin, end = leaves_below(b, j)
    for leaf in range(begin, end):
        if b.awake[first + leaf] == 1:
            for k in range(b.vertex_start[leaf], b.vertex_start[leaf + 1]):
                v = 3 * b.vertex[k]
                if (
                    not b.turned[v] * x + b.turned[v + 1] * y + b.turned[v + 2] * z
                    > high
                ):
                    return False
    return True


@kernel
def leaves_below(tree: Tree, node: int) -> tuple[int, int]:
    """Return the first leaf below a node, and the one after the last."""
    first = tree.leaves - 1
    low = node
    high = node
    while low < first:
        low = 2 * low + 1
        high = 2 * high + 2
    return low - first, high - first + 1
