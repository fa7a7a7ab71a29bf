"""How far a body can fall until it rests on another: what leads a body over another."""

import numpy as np
from numpy.typing import NDArray

from sim.deform import Points
from wingedge import WingedEdgeMesh

Ids = NDArray[np.integer]

PARALLEL = 1e-9  # the sine, of the order of it, below which edges do not cross


def fall(upper: WingedEdgeMesh, p: Points, lower: WingedEdgeMesh, q: Points) -> float:
    """Return how far a body falls along -z until it touches another; inf if it misses.

    ``p`` and ``q`` are the positions of their vertices, one frame.  The least height
    over each other of a vertex and a face, a face and a vertex, two edges that cross
    seen from above; of any shapes, as long as the one is above the other.  Portable
    to the bit.  Cost: O(V F + E E) in numpy.
    """
    return min(
        _over_faces(p, q, lower.fan.vertex),
        _over_faces(q * _DOWN, p * _DOWN, upper.fan.vertex),
        _over_edges(p, upper.edge_vertices, q, lower.edge_vertices),
    )


_DOWN = np.array([1.0, 1.0, -1.0])


def _over_faces(p: Points, q: Points, triangles: Ids) -> float:
    """Return the least height of points over the triangles that they are above."""
    a, b, c = (q[triangles[:, k]] for k in range(3))
    x = p[:, None]
    u, v, w = _turned(x, b, c), _turned(x, c, a), _turned(x, a, b)
    whole = u + v + w
    within = (u * whole >= 0.0) & (v * whole >= 0.0) & (w * whole >= 0.0)
    within &= whole != 0.0
    weights = np.where(whole == 0.0, 1.0, whole)
    ground = (u * a[:, 2] + v * b[:, 2] + w * c[:, 2]) / weights
    return float(np.where(within, x[:, :, 2] - ground, np.inf).min())


def _over_edges(p: Points, e: Ids, q: Points, f: Ids) -> float:
    """Return the least height of edges over those that they cross, seen from above.

    Parallel ones are left out: where they lie over each other, a vertex does too.
    """
    a, b = p[e[:, 0], None], p[e[:, 1], None]
    c, d = q[f[:, 0]], q[f[:, 1]]
    at_a, at_b = _turned(a, c, d), _turned(b, c, d)
    at_c, at_d = _turned(c, a, b), _turned(d, a, b)
    across, over = at_a - at_b, at_c - at_d
    crossed = (at_a * at_b <= 0.0) & (at_c * at_d <= 0.0)
    crossed &= np.abs(across) > PARALLEL * _length(a, b) * _length(c, d)
    s = at_a / np.where(crossed, across, 1.0)
    t = at_c / np.where(crossed, over, 1.0)
    above = a[..., 2] + s * (b[..., 2] - a[..., 2])
    below = c[..., 2] + t * (d[..., 2] - c[..., 2])
    return float(np.where(crossed, above - below, np.inf).min())


def _length(a: Points, b: Points) -> Points:
    """Return a length seen from above: the sum of both coordinates'."""
    length: Points = np.abs(b[..., 0] - a[..., 0]) + np.abs(b[..., 1] - a[..., 1])
    return length


def _turned(x: Points, a: Points, b: Points) -> Points:
    """Return twice the area of a triangle seen from above, signed by its turn."""
    ax, ay = a[..., 0] - x[..., 0], a[..., 1] - x[..., 1]
    bx, by = b[..., 0] - x[..., 0], b[..., 1] - x[..., 1]
    area: Points = ax * by - ay * bx
    return area
