"""Whether two leaves are too far apart to matter, along the way between their boxes.

Boxes in one frame are loose where the surface is tilted against it.  A direction that
suits the two leaves themselves is tight: most leaves whose boxes are near are parted by
the way between the middles of the boxes, at a tenth of the cost of testing all pairs of
their features (a separating direction, as in Gilbert, Johnson, Keerthi 1988, DOI
10.1109/56.2083, from one guess).
"""

from math import sqrt

from sim.kernels.language import kernel
from sim.kernels.surface.boxes import BOX
from sim.kernels.surface.hunt import LIMIT, PAD, Hunt
from sim.kernels.surface.tree import Tree


@kernel
def are_far(a: Tree, i: int, b: Tree, j: int, hunt: Hunt) -> bool:
    """Say whether leaf i of A and leaf j of B are seen to be farther than the limit.

    Never where they are not: turning and the heights have rounded less than twice the
    pad.
    """
    p = BOX * (a.leaves - 1 + i)
    q = BOX * (b.leaves - 1 + j)
    x = (b.boxes[q] + b.boxes[q + 3]) - (a.boxes[p] + a.boxes[p + 3])
    y = (b.boxes[q + 1] + b.boxes[q + 4]) - (a.boxes[p + 1] + a.boxes[p + 4])
    z = (b.boxes[q + 2] + b.boxes[q + 5]) - (a.boxes[p + 2] + a.boxes[p + 5])
    first = a.vertex_start[i]
    v = 3 * a.vertex[first]
    high = a.turned[v] * x + a.turned[v + 1] * y + a.turned[v + 2] * z
    for k in range(first + 1, a.vertex_start[i + 1]):
        v = 3 * a.vertex[k]
        high = max(high, a.turned[v] * x + a.turned[v + 1] * y + a.turned[v + 2] * z)
    far = sqrt(hunt.state[LIMIT]) + 2.0 * hunt.state[PAD]
    high += far * sqrt(x * x + y * y + z * z)
    for k in range(b.vertex_start[j], b.vertex_start[j + 1]):
        v = 3 * b.vertex[k]
        if not b.turned[v] * x + b.turned[v + 1] * y + b.turned[v + 2] * z > high:
            return False
    return True
