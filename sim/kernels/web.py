"""The true surface of one body as triangles that know their neighbours."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel


class Web(NamedTuple):
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
    placed: Floats  # 3 V scratch: positions in the pair's frame


@kernel
def point_of(web: Web, v: int) -> Vec:
    """Return where a vertex is in this frame."""
    i = 3 * v
    return (web.placed[i], web.placed[i + 1], web.placed[i + 2])


@kernel
def place_web(points: Floats, pose: Floats, origin: Vec, web: Web) -> float:
    """Move all vertices to the pair's frame; return their reach.

    The reach is the largest coordinate, or not a number where one is not finite.  Each
    vertex has the bits of ``vector.place``.
    """
    placed = web.placed
    a, b, c, d = pose[0], pose[1], pose[2], pose[4]
    e, f, g, h, i = pose[5], pose[6], pose[8], pose[9], pose[10]
    ox, oy, oz = origin
    low = 0.0
    high = 0.0
    total = 0.0
    for v in range(web.size):
        k = 3 * v
        x = points[k]
        y = points[k + 1]
        z = points[k + 2]
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
