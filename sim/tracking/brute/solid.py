"""Whether two surfaces of any shape overlap, and how deep their vertices lie."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.contact import Vec
from sim.tracking.brute.nearest import BLOCK
from sim.tracking.brute.surface import (
    Ids,
    Points,
    Surface,
    cross_rows,
    dot_rows,
    unit_rows,
)
from sim.tracking.brute.winding import winding
from wingedge.primitives import point_triangle, segment_triangle

FOLDED = 1e-6  # per unit of distance: below this height a fold hides the side
PAD = 64.0 * 2.0**-52  # per unit of reach: distances this near are equal


class Deepest(NamedTuple):
    """The vertex of one body that lies deepest inside the other."""

    depth: float  # 0 where no vertex lies inside
    vertex: int
    triangle: int
    point: Vec  # on the surface of the other body
    at: Vec  # the vertex


class _Found(NamedTuple):
    """What of a surface is nearest to each of N points."""

    square: Points  # (N,) of the distance
    triangle: Ids  # (N,)
    point: Points  # (N, 3) on it
    weights: Points  # (N, 3) of its corners
    twofold: NDArray[np.bool_]  # (N,) another feature is as near


def surfaces_cross(a: Surface, b: Surface) -> bool:
    """Say whether an edge of one surface pierces a triangle of the other.

    Strictly beyond roundoff: exact touch is no crossing.
    """
    return _edges_pierce(a, b) or _edges_pierce(b, a)


def _edges_pierce(a: Surface, b: Surface) -> bool:
    low_a = np.minimum(a.points[a.segments[:, 0]], a.points[a.segments[:, 1]])
    high_a = np.maximum(a.points[a.segments[:, 0]], a.points[a.segments[:, 1]])
    corners = b.points[b.triangles]
    low_b, high_b = corners.min(axis=1), corners.max(axis=1)
    rows = max(1, BLOCK // max(1, len(corners)))
    for k in range(0, len(low_a), rows):
        part = slice(k, k + rows)
        meet = np.ones((len(low_a[part]), len(corners)), bool)
        for axis in range(3):
            meet &= low_a[part, None, axis] <= high_b[None, :, axis]
            meet &= high_a[part, None, axis] >= low_b[None, :, axis]
        i, t = np.nonzero(meet)
        if len(i) == 0:
            continue
        ends = a.points[a.segments[i + k]]
        if segment_triangle.pierces(
            ends[:, 0], ends[:, 1], corners[t, 0], corners[t, 1], corners[t, 2]
        ).any():
            return True
    return False


def lies_inside(point: Vec, surface: Surface, depth: float = 0.0) -> bool:
    """Say whether a point lies inside a closed surface, deeper than ``depth``."""
    return depth_of(np.array([point]), surface) > depth


def depth_of(points: Points, surface: Surface) -> float:
    """Return how deep the deepest of some points lies inside; 0 where none does.

    By the sign of the angle-weighted pseudonormal at the nearest feature: Baerentzen
    and Aanaes (2005), DOI 10.1109/TVCG.2005.49; where two features are as near, or the
    surface is folded onto itself, by rays.  Cost: O(F) per point.
    """
    found = _nearest_points(points, surface)
    for k in np.argsort(-found.square, kind="stable").tolist():
        if found.square[k] > 0.0 and _is_inside(points[k], surface, found, k):
            return float(np.sqrt(found.square[k]))
    return 0.0


def _is_inside(p: Points, surface: Surface, found: _Found, k: int) -> bool:
    """Say whether the k-th of some points lies inside."""
    gap = p - found.point[k]
    height = _height(gap, surface, int(found.triangle[k]), found.weights[k])
    least = FOLDED * float(np.sqrt(found.square[k]))
    if surface.collapsed or not (found.twofold[k] or abs(height) <= least):
        return height < 0.0
    turns = winding(p, surface)
    return height < 0.0 if turns is None else turns > 0


def _height(gap: Points, surface: Surface, triangle: int, weights: Points) -> float:
    """Return how far a point is along the normal of its nearest feature.

    ``gap`` leads there from the feature; the normal is as long as it comes.
    """
    at = surface.triangles[triangle][weights > 0.0]
    sharing = np.ones(len(surface.triangles), bool)
    for v in at.tolist():
        sharing &= (surface.triangles == v).any(axis=1)
    n = _pseudonormal(surface.points, surface.triangles[sharing], at)
    return float(gap[0] * n[0] + gap[1] * n[1] + gap[2] * n[2])


def _pseudonormal(points: Points, triangles: Ids, at: Ids) -> Points:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    n = unit_rows(cross_rows(b - a, c - a))
    if len(at) == 1:
        v = int(at[0])
        corner = (triangles == v).argmax(axis=1)
        rows = np.arange(len(triangles))
        u = unit_rows(points[triangles[rows, (corner + 1) % 3]] - points[v])
        w = unit_rows(points[triangles[rows, (corner + 2) % 3]] - points[v])
        angle = np.arccos(np.clip(dot_rows(u, w), -1.0, 1.0))
        n = n * angle[:, None]
    out: Points = n.sum(axis=0)
    return out


def deepest_vertex(a: Surface, b: Surface) -> Deepest:
    """Find the vertex of A deepest inside B; depth 0 where none lies inside.

    Only vertices within B's box can lie inside.  Cost: O(V_a F_b).
    """
    low, high = b.points.min(axis=0), b.points.max(axis=0)
    maybe = np.nonzero(((a.points >= low) & (a.points <= high)).all(axis=1))[0]
    found = _nearest_points(a.points[maybe], b)
    # The farthest from the surface first: the first inside is the deepest.
    for k in np.argsort(-found.square, kind="stable").tolist():
        at = a.points[maybe[k]]
        if found.square[k] > 0.0 and _is_inside(at, b, found, k):
            depth = float(np.sqrt(found.square[k]))
            (px, py, pz), (x, y, z) = found.point[k].tolist(), at.tolist()
            return Deepest(
                depth, int(maybe[k]), int(found.triangle[k]), (px, py, pz), (x, y, z)
            )
    return Deepest(0.0, -1, -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def _nearest_points(points: Points, surface: Surface) -> _Found:
    """Find what of a surface is nearest to each of some points."""
    corners = surface.points[surface.triangles]
    u, v, w = corners[:, 0], corners[:, 1], corners[:, 2]
    square, triangle = np.empty(len(points)), np.empty(len(points), np.int64)
    at, weights = np.empty((len(points), 3)), np.empty((len(points), 3))
    twofold = np.zeros(len(points), bool)
    step = max(1, BLOCK // (8 * len(corners)))
    pad = PAD * max(float(abs(surface.points).max()), float(abs(points).max(initial=0)))
    for start in range(0, len(points), step):
        part = slice(start, start + step)
        hit = point_triangle.closest(points[part, None], u, v, w)
        k = hit.distance_sq.argmin(axis=1)
        rows = np.arange(len(k))
        square[part], triangle[part] = hit.distance_sq[rows, k], k
        at[part], weights[part] = hit.point[rows, k], hit.weights[rows, k]
        equal = hit.distance_sq <= ((np.sqrt(square[part]) + pad) ** 2)[:, None]
        for i in np.flatnonzero(equal.sum(axis=1) > 1).tolist():
            shared = surface.triangles[k[i]][hit.weights[i, k[i]] > 0.0]
            ties = surface.triangles[equal[i]]
            same = (ties[:, :, None] == shared).any(axis=1).all(axis=1)
            twofold[start + i] = not same.all()
    return _Found(square, triangle, at, weights, twofold)


def interiors_share(a: Surface, b: Surface, size: float) -> bool:
    """Say whether points just under A's triangles lie inside B, or the reverse.

    What the strict crossing test cannot see: bodies whose edges run exactly along
    each other's faces, up to two copies of one body in one place.  A collapsed body
    has nothing under its triangles: points on it must lie well inside the other.
    """
    for one, other in ((a, b), (b, a)):
        low, high = other.points.min(axis=0), other.points.max(axis=0)
        corners = one.points[one.triangles]
        u, w = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        n = unit_rows(cross_rows(u, w))
        middle = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
        if one.collapsed:
            ends = one.points[one.segments]
            for x, y, z in [*middle.tolist(), *ends.mean(axis=1).tolist()]:
                if lies_inside((x, y, z), other, 1e-9 * size):
                    return True
            continue
        under = middle - 1e-6 * size * n
        maybe = under[((under > low) & (under < high)).all(axis=1)]
        for x, y, z in maybe.tolist():
            if lies_inside((x, y, z), other) and lies_inside((x, y, z), one):
                return True
    return False
