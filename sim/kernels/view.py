"""The buffers of one body of a pair: positions, topology and scratch."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel


class BodyView(NamedTuple):
    """The flat buffers of one body in a pair.

    Topology belongs to the mesh and is shared; scratch belongs to the pair: two
    bodies on one mesh must not write on each other's.  V, E, F count
    vertices, edges, faces.
    """

    points: Floats  # 3 V, body frame
    pose: Floats  # 12, the (3, 4) affine map
    spread: float  # no vertex is farther out, squared; below 0: ask all vertices
    size: int  # V
    whole: int  # 1: rings prove nothing, scan all vertices
    sag: Floats  # 3: how far its hull reaches beyond it; below 0: not asked yet
    blunt: int  # 1: where rings prove, what lies beside an edge proves it
    start: Ints  # V + 1, rings as CSR, counter-clockwise
    star: Ints  # 2 E neighbours
    star_edge: Ints  # 2 E edges to them
    star_face: Ints  # 2 E faces left of the way to them
    corner_start: Ints  # F + 1, faces as CSR
    corner_vertex: Ints  # 2 E
    beyond: Ints  # 2 E, per corner the vertex beyond the side that leaves it
    flank: Ints  # 2 E, per edge the vertices after it in its left and right face
    mark: Ints  # V + 1 scratch: members of the level part
    members: Ints  # V scratch
    edges: Ints  # E scratch
    faces: Ints  # F scratch
    successor: Ints  # V scratch
    leaving: Ints  # V scratch
    rim_vertex: Ints  # 2 V scratch
    rim_edge: Ints  # 2 V scratch
    corners: Floats  # 6 V scratch


@kernel
def origin_of(a: BodyView, b: BodyView) -> Vec:
    """Return the second translation relative to the first.

    Far from the origin this is subtracted before anything else is computed.
    """
    p = a.pose
    q = b.pose
    return (q[3] - p[3], q[7] - p[7], q[11] - p[11])
