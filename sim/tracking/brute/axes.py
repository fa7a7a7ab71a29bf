"""The best separating axis of two convex bodies, by trying every one.

For convex polyhedra the signed distance in overlap is the greatest gap over all face
normals and all cross products of edges (Gottschalk 1996; Cameron, Culley 1986,
DOI 10.1109/ROBOT.1986.1087645): each axis is a face of the Minkowski difference.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.result.answer import Vec
from sim.tracking.brute.surface import Points, Surface, cross_rows, dot_rows, unit_rows

BLOCK = 1 << 19
ARC = 1e-9  # slack of the arc test: it may let more through, never less


class Axis(NamedTuple):
    """A direction from A to B, the gap along it, and the two supports."""

    gap: float
    normal: Vec
    support_a: int
    support_b: int


def gap_along(a: Points, b: Points, n: Vec) -> Axis:
    """Return the gap of two point sets along a unit direction; < 0 is overlap."""
    ha, hb = dot_rows(a, n), dot_rows(b, n)
    i, j = int(ha.argmax()), int(hb.argmin())
    return Axis(float(hb[j]) - float(ha[i]), n, i, j)


def best_axis(a: Surface, b: Surface) -> Axis:
    """Find the axis of the greatest gap over all faces and all pairs of edges.

    Every candidate is measured by both full supports, so one that is no face of the
    difference can only be too low.  Cost: O(F V + E_a E_b).
    """
    normals, gaps = _every_axis(a, b)
    x, y, z = normals[int(gaps.argmax())].tolist()
    return gap_along(a.points, b.points, (x, y, z))


def tied_axes(a: Surface, b: Surface, band: float) -> Points:
    """List the unit axes whose gap is within ``band`` of the greatest, (k, 3)."""
    normals, gaps = _every_axis(a, b)
    tied: Points = normals[gaps >= gaps.max() - band]
    return tied


def _every_axis(a: Surface, b: Surface) -> tuple[Points, Points]:
    """Return all axes and the gap along each; -inf along one that is no direction."""
    m, n = a.normals(), -b.normals()
    x, y = (side.points[np.unique(side.triangles)] for side in (a, b))
    normals = np.concatenate([m, n, *_edge_axes(a, b, m[a.hinge], n[b.hinge])])
    if not normals.any():
        normals = _axes_of_lines(a, b)
    gaps = np.full(len(normals), -np.inf)
    rows = max(1, BLOCK // (len(x) + len(y)))
    for k in range(0, len(normals), rows):
        some = normals[k : k + rows, None]
        high = dot_rows(some, x[None]).max(axis=1)
        low = dot_rows(some, y[None]).min(axis=1)
        gaps[k : k + rows] = low - high
    gaps[dot_rows(normals, normals) < 0.5] = -np.inf
    return normals, gaps


def _axes_of_lines(a: Surface, b: Surface) -> Points:
    """Return axes for bodies that collapsed to lines or points: none has a face."""
    edges, frame = (a.edges(), b.edges()), np.eye(3)
    lines = [own[int(dot_rows(own, own).argmax())] for own in edges]
    across = [cross_rows(line, axis) for line in lines for axis in frame]
    some = unit_rows(np.array([cross_rows(*lines), *across, *frame]))
    return np.concatenate([some, -some])


def _edge_axes(a: Surface, b: Surface, m: Points, n: Points) -> list[Points]:
    """Return the cross products of the edge pairs whose Gauss arcs meet."""
    ea, eb = (unit_rows(x.edges()) for x in (a, b))
    (a1, a2), (b1, b2) = (x.swapaxes(0, 1) for x in (m, n))
    rows = max(1, BLOCK // max(1, len(eb)))
    found = []
    for k in range(0, len(ea), rows):
        e, p, q = ea[k : k + rows, None], a1[k : k + rows, None], a2[k : k + rows, None]
        # The plane of each arc (its edge is the normal) must part the ends of the
        # other arc.
        i, j = np.nonzero(
            _parted(dot_rows(e, b1[None]), dot_rows(e, b2[None]))
            & _parted(dot_rows(p, eb[None]), dot_rows(q, eb[None]))
        )
        i += k
        n = cross_rows(ea[i], eb[j])
        # However small the angle: all edges of two needles are nearly parallel.
        keep = dot_rows(n, n) > 0.0
        i, j, n = i[keep], j[keep], unit_rows(n[keep])
        on_a = dot_rows(n, a1[i] + a2[i])
        n = np.where((on_a < 0.0)[:, None], -n, n)
        on_b = dot_rows(n, b1[j] + b2[j])
        # A two-sided sheet has no side of its own: both directions are tried.
        unsure = (np.abs(on_a) <= ARC) | (np.abs(on_b) <= ARC)
        found += [n[(on_b > 0.0) | unsure], -n[unsure]]
    return found


def _parted(u: Points, v: Points) -> NDArray[np.bool_]:
    out: NDArray[np.bool_] = (np.minimum(u, v) <= ARC) & (np.maximum(u, v) >= -ARC)
    return out
