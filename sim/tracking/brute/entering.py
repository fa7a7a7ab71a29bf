"""Whether edges of one surface run inside another, where no single crossing is sure."""

import numpy as np

from sim.tracking.brute.nearest import BLOCK
from sim.tracking.brute.solid import depth_of
from sim.tracking.brute.surface import Points, Surface, dot_rows
from wingedge.primitives import point_triangle

BESIDE = 1e-6  # per unit of size: an edge may enter this far beside a triangle


def depth_of_edges(a: Surface, b: Surface, off: float, size: float) -> float:
    """Return how deep edges of A run inside B, 0 where none does.

    An edge that enters through a rim or a corner, to rounding, pierces none of the
    triangles there beyond doubt, yet it is inside a moment later.  Every place where it
    may pass a triangle by more than ``off``, or beside one, divides it; the middles of
    its parts are asked.  Cost: O(E_a F_b), and O(F_b) for every part.
    """
    return depth_of(_middles(a, b, off, size), b)


def _middles(a: Surface, b: Surface, off: float, size: float) -> Points:
    """Divide the edges of A where they may pass through B; return the middles."""
    corners = b.points[b.triangles]
    low, high = corners.min(axis=1) - off, corners.max(axis=1) + off
    ends = a.points[a.segments]
    found = []
    rows = max(1, BLOCK // max(1, len(corners)))
    for k in range(0, len(ends), rows):
        part = ends[k : k + rows]
        meet = np.ones((len(part), len(corners)), bool)
        for axis in range(3):
            meet &= part[:, None, :, axis].min(axis=2) <= high[None, :, axis]
            meet &= part[:, None, :, axis].max(axis=2) >= low[None, :, axis]
        i, t = np.nonzero(meet)
        tail, tip = part[i, 0], part[i, 1]
        one = dot_rows(tail - corners[t, 0], b.normals[t])
        two = dot_rows(tip - corners[t, 0], b.normals[t])
        apart = np.abs(one - two)
        passes = (np.maximum(np.abs(one), np.abs(two)) > off) & (apart > 0.0)
        share = np.clip(one[passes] / (one - two)[passes], 0.0, 1.0)
        i, t, tail, tip = i[passes], t[passes], tail[passes], tip[passes]
        at = tail + share[:, None] * (tip - tail)
        c = corners[t]
        near = point_triangle.closest(at, c[:, 0], c[:, 1], c[:, 2]).distance_sq
        kept = near <= (BESIDE * size) ** 2
        for edge in np.unique(i[kept]).tolist():
            cuts = np.unique([0.0, 1.0, *share[kept & (i == edge)].tolist()])
            half = 0.5 * (cuts[1:] + cuts[:-1])
            tail, tip = part[edge]
            found.append(tail + half[:, None] * (tip - tail))
    return np.concatenate(found) if found else np.empty((0, 3))
