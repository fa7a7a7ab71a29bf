"""The best separating axis of two convex bodies, by trying every one.

For convex polyhedra the signed distance in overlap is the greatest gap over all face
normals and all cross products of edges (Gottschalk 1996; Cameron, Culley 1986,
DOI 10.1109/ROBOT.1986.1087645): each axis is a face of the Minkowski difference.
"""

from typing import NamedTuple

import numpy as np

from sim.contact import Vec
from sim.tracking.surface import (
    Points,
    Surface,
    cross_rows,
    dot_rows,
    heights,
    normals_of,
    unit_rows,
)

BLOCK = 1 << 19
PARALLEL = 1e-12  # sine squared; such edges add no axis of their own
ARC = 1e-9  # slack of the arc test: it may let more through, never less


class Axis(NamedTuple):
    """A direction from A to B, the gap along it, and the two supports."""

    gap: float
    normal: Vec
    support_a: int
    support_b: int


def gap_along(a: Points, b: Points, n: Vec) -> Axis:
    """Return the gap of two point sets along a unit direction; < 0 is overlap.

    A lower bound of the signed distance for any shapes and any direction.
    """
    ha, hb = heights(a, n), heights(b, n)
    i, j = int(ha.argmax()), int(hb.argmin())
    return Axis(float(hb[j]) - float(ha[i]), n, i, j)


def best_axis(a: Surface, b: Surface) -> Axis:
    """Find the axis of the greatest gap over all faces and all pairs of edges.

    Every candidate is measured by both full supports, so one that is no face of the
    difference can only be too low.  Cost: O(F V + E_a E_b).
    """
    na, nb = normals_of(a), normals_of(b)
    axes = [na, -nb]
    crossing = _edge_axes(a, na, b, nb)
    if len(crossing):
        axes.append(crossing)
    best: Axis | None = None
    for group in axes:
        group = group[dot_rows(group, group) > 0.5]
        rows = max(1, BLOCK // (len(a.points) + len(b.points)))
        for k in range(0, len(group), rows):
            some = group[k : k + rows]
            high = _all_heights(some, a.points).max(axis=1)
            low = _all_heights(some, b.points).min(axis=1)
            gaps = low - high
            top = int(gaps.argmax())
            if best is None or gaps[top] > best.gap:
                x, y, z = some[top].tolist()
                best = gap_along(a.points, b.points, (x, y, z))
    if best is None:
        raise ValueError("both bodies are without any area; there is no axis")
    return best


def _all_heights(axes: Points, points: Points) -> Points:
    """Return the height of every point along every axis, (axes, points)."""
    return dot_rows(axes[:, None], points[None])


def _edge_axes(a: Surface, na: Points, b: Surface, nb: Points) -> Points:
    """Return the cross products of the edge pairs whose Gauss arcs meet."""
    ea = unit_rows(a.points[a.segments[:, 1]] - a.points[a.segments[:, 0]])
    eb = unit_rows(b.points[b.segments[:, 1]] - b.points[b.segments[:, 0]])
    a1, a2 = na[a.hinge[:, 0]], na[a.hinge[:, 1]]
    b1, b2 = -nb[b.hinge[:, 0]], -nb[b.hinge[:, 1]]
    rows = max(1, BLOCK // max(1, len(eb)))
    found = []
    for k in range(0, len(ea), rows):
        e, p, q = ea[k : k + rows, None], a1[k : k + rows, None], a2[k : k + rows, None]
        # The plane of each arc must part the ends of the other (its edge is its
        # normal), and the arcs must lie on one hemisphere.
        u, v = dot_rows(e, b1[None]), dot_rows(e, b2[None])
        s, t = dot_rows(p, eb[None]), dot_rows(q, eb[None])
        meet = (np.minimum(u, v) <= ARC) & (np.maximum(u, v) >= -ARC)
        meet &= (np.minimum(s, t) <= ARC) & (np.maximum(s, t) >= -ARC)
        i, j = np.nonzero(meet)
        i += k
        n = cross_rows(ea[i], eb[j])
        keep = dot_rows(n, n) > PARALLEL
        i, j, n = i[keep], j[keep], unit_rows(n[keep])
        side = dot_rows(n, a1[i] + a2[i])
        n = np.where(side[:, None] < 0.0, -n, n)
        other = dot_rows(n, b1[j] + b2[j])
        # A two-sided sheet has no side of its own: both directions are tried.
        unsure = (np.abs(side) <= ARC) | (np.abs(other) <= ARC)
        found.append(n[(other > 0.0) | unsure])
        found.append(-n[unsure])
    return np.concatenate(found) if found else np.zeros((0, 3))
