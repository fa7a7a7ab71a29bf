"""Boxes over the true surface of a body, fitted anew in every frame that needs them.

The topology of the tree is ids (``tree.Tree``); everything computed from positions is
written here before it is read.  The boxes stand in a frame whose first axis is the
direction in which the bodies are apart, where boxes of two surfaces that face each
other are thin (van den Bergen 1997 refits likewise, in body axes).
"""

from typing import NamedTuple

from sim.kernels.closest.outline import across
from sim.kernels.language import Floats, Ints, Record, Vec, kernel, record
from sim.kernels.vector import back, dot, least, minus, most, plus, point, put
from sim.kernels.walk.support import height


class Tree(NamedTuple):
    """The triangles of a body in leaves, and room for this frame's boxes.

    A full binary tree in heap order: node i has the children 2 i + 1 and 2 i + 2, and
    the last ``leaves`` nodes are the leaves.  Ids belong to the mesh and are shared;
    the scratch belongs to the pair and is written anew in every frame that reads it.
    Every vertex and every segment (edges and the inner diagonals of fans) is owned by
    one leaf.  V, T, S count vertices, triangles and segments.
    """

    leaves: int  # a power of two
    size: int  # V
    triangle_start: Ints  # leaves + 1
    triangle: Ints  # 3 T corners, leaf by leaf
    number: Ints  # T the triangle's place in the mesh's fan
    vertex_start: Ints  # leaves + 1
    vertex: Ints  # the corners of each leaf's triangles, once per leaf
    own_start: Ints  # leaves + 1
    own: Ints  # V vertices, each in one leaf
    segment_start: Ints  # leaves + 1
    segment: Ints  # 2 S ends, each segment in one leaf
    leaf_of: Ints  # V the leaf that owns a vertex
    leaf_start: Ints  # V + 1
    leaf: Ints  # the leaves that each vertex is in
    placed: Floats  # 3 V scratch: positions in the pair's frame; 3 more: any point
    turned: Floats  # 3 V + 3 scratch: the same in a frame whose first axis is chosen
    boxes: Floats  # 6 (2 leaves - 1) scratch: least and greatest turned coordinates
    heights: Floats  # V scratch: along the chosen axis
    awake: Ints  # 2 leaves - 1 scratch: 1 for nodes with a box


BOX = 6  # floats of a box: least x y z, greatest x y z


@kernel
def place_all(points: Floats, pose: Floats, origin: Vec, tree: Tree) -> float:
    """Move all vertices to the pair's frame; return their reach.

    The reach is the largest coordinate, or not a number where one is not finite.
    Each has the bits of ``vector.place``.
    """
    placed = tree.placed
    a, b, c, d = pose[0], pose[1], pose[2], pose[4]
    e, f, g, h, i = pose[5], pose[6], pose[8], pose[9], pose[10]
    ox, oy, oz = origin
    low = 0.0
    high = 0.0
    total = 0.0
    for v in range(tree.size):
        k = 3 * v
        x, y, z = points[k], points[k + 1], points[k + 2]
        px = a * x + b * y + c * z + ox
        py = d * x + e * y + f * z + oy
        pz = g * x + h * y + i * z + oz
        placed[k] = px
        placed[k + 1] = py
        placed[k + 2] = pz
        total += (px - px) + (py - py) + (pz - pz)
        high = max(high, px, py, pz)
        low = min(low, px, py, pz)
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


@record
class Progress(Record):
    """Where a search stands.

    Read before they are written: ``leaf_a``, ``leaf_b``, ids from the frame before.
    """

    square: float  # of the least distance so far
    limit: float  # squared distance beyond which nothing can matter any more
    tie: float  # distances this near to the least are equal to it
    pad: float  # what turning a coordinate may have rounded
    left_out: float  # the least squared distance of a tie that the list had no room for
    ties: int  # how many pairs are in the list; some may be stale until ``drop_stale``
    leaf_a: int  # the leaves that hold the nearest pair; -1 before the first
    leaf_b: int
    here_a: int  # the leaves that are being tested
    here_b: int
    pierced: int  # 1 where an edge of one surface goes through a triangle of the other
    short_a: int  # how many segments are shortlisted
    short_b: int
    others: int  # 1 where another place of the two surfaces is as near


KEY = 6  # ints that name a pair: up to three vertices of A, three of B, else -1
TIE_ROOM = 64
NEW = TIE_ROOM + 1  # where a pair stands that is not in the list
KEPT = 32  # vertices of a part that is to be kept among equals
SHORTLIST = 64  # ints: the ends of the segments of a leaf, for A and for B


class TreeSearch(NamedTuple):
    """The buffers of one search over a pair of trees.

    Read before it is written: ``kept``, ids from the frame before.
    """

    stack: Ints  # two nodes per entry
    below: Floats  # per entry the squared distance of their boxes
    state: Progress
    best: Ints  # KEY: the nearest pair
    kept: Ints  # 2 KEPT: vertices of A and of B to stay at among equals, or -1
    ties: Ints  # KEY (NEW + 1): the equally near, the least of them, by their names
    squares: Floats  # NEW + 1: their squared distances
    away: Ints  # NEW + 1: 1 for what is not at ``kept``
    shortlist: Ints  # 2 SHORTLIST
    pair_only: int = 0  # 1: a pair that tells its normal is enough, no more is proven
