"""A tree of boxes over the triangles of one body: the table that the kernels share."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints


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
    awake: Ints  # 2 leaves scratch: 1 for nodes with a box, and how many in the end
    queue: Ints  # 2 leaves - 1 scratch: those nodes, children before parents
