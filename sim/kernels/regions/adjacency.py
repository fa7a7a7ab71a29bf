"""The triangles of a surface and which of them are neighbours."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel


class Adjacency(NamedTuple):
    """The triangles of a body, and where its vertices are in this frame.

    Every face is the fan from its first corner; its inner diagonals connect triangles
    as edges do.  Ids belong to the mesh and are shared, ``placed`` belongs to the pair.
    V, F, T, S count vertices, faces, triangles and segments (edges, then diagonals).
    """

    size: int  # V
    triangles: int  # T
    corner: Ints  # 3 T vertices, counter-clockwise from outside
    side: Ints  # 3 T: the segment that leaves each corner
    beyond: Ints  # 3 T: the triangle on its other side
    ends: Ints  # 2 S vertices
    face: Ints  # T: the face that a triangle is part of
    edges: int  # segments below this number are edges of the same number
    placed: Floats  # 3 V scratch: positions in the pair's frame, those of its tree


@kernel
def point_of(web: Adjacency, v: int) -> Vec:
    """Return where a vertex is in this frame."""
    i = 3 * v
    return (web.placed[i], web.placed[i + 1], web.placed[i + 2])
