"""The triangles of a surface and which of them are neighbours."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import cross, minus, unit


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


@kernel
def outward(triangles: Adjacency, t: int) -> Vec:
    """Return the unit normal of a triangle; zero where it has no area."""
    p = point_of(triangles, triangles.corner[3 * t])
    q = point_of(triangles, triangles.corner[3 * t + 1])
    r = point_of(triangles, triangles.corner[3 * t + 2])
    return unit(cross(minus(q, p), minus(r, p)))


@kernel
def boxes_apart(a: Adjacency, b: Adjacency, f: int, g: int) -> float:
    """Return how far the boxes around two triangles are apart along some axis."""
    gap = 0.0
    for axis in range(3):
        p = a.placed[3 * a.corner[3 * f] + axis]
        q = a.placed[3 * a.corner[3 * f + 1] + axis]
        r = a.placed[3 * a.corner[3 * f + 2] + axis]
        x = b.placed[3 * b.corner[3 * g] + axis]
        y = b.placed[3 * b.corner[3 * g + 1] + axis]
        z = b.placed[3 * b.corner[3 * g + 2] + axis]
        gap = max(gap, min(x, y, z) - max(p, q, r), min(p, q, r) - max(x, y, z))
    return gap
