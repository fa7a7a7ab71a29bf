"""Whether two surfaces of any shape overlap, and how deep their vertices lie."""

from typing import NamedTuple

import numpy as np

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
from wingedge.primitives import point_triangle, segment_triangle


class Deepest(NamedTuple):
    """The vertex of one body that lies deepest inside the other."""

    depth: float  # 0 where no vertex lies inside
    vertex: int
    triangle: int
    point: Vec  # on the surface of the other body
    at: Vec  # the vertex


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
    """Say whether a point lies inside a closed surface of any shape, and how deep.

    By the sign of the angle-weighted pseudonormal at the nearest feature: Baerentzen
    and Aanaes (2005), DOI 10.1109/TVCG.2005.49.  Cost: O(F).
    """
    corners = surface.points[surface.triangles]
    p = np.array(point)
    hit = point_triangle.closest(p[None], corners[:, 0], corners[:, 1], corners[:, 2])
    k = int(hit.distance_sq.argmin())
    if not hit.distance_sq[k] > depth * depth:
        return False
    return _is_behind(p - hit.point[k], surface, k, hit.weights[k])


def _is_behind(gap: Points, surface: Surface, triangle: int, weights: Points) -> bool:
    """Say on which side of its nearest feature a point is, by the gap from there."""
    at = surface.triangles[triangle][weights > 0.0]
    sharing = np.ones(len(surface.triangles), bool)
    for v in at.tolist():
        sharing &= (surface.triangles == v).any(axis=1)
    around = surface.triangles[sharing]
    n = _pseudonormal(surface.points, around, at)
    return float(gap[0] * n[0] + gap[1] * n[1] + gap[2] * n[2]) < 0.0


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
    square, triangle, point, weights = _nearest_points(a.points[maybe], b)
    # The farthest from the surface first: the first inside is the deepest.
    for k in np.argsort(-square, kind="stable").tolist():
        at = a.points[maybe[k]]
        if square[k] > 0.0 and _is_behind(
            at - point[k], b, int(triangle[k]), weights[k]
        ):
            depth = float(np.sqrt(square[k]))
            (px, py, pz), (x, y, z) = point[k].tolist(), at.tolist()
            return Deepest(
                depth, int(maybe[k]), int(triangle[k]), (px, py, pz), (x, y, z)
            )
    return Deepest(0.0, -1, -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def _nearest_points(
    points: Points, surface: Surface
) -> tuple[Points, Ids, Points, Points]:
    """Return squares of distances, triangles, points and weights on the surface."""
    corners = surface.points[surface.triangles]
    u, v, w = corners[:, 0], corners[:, 1], corners[:, 2]
    square, triangle = np.empty(len(points)), np.empty(len(points), np.int64)
    at, weights = np.empty((len(points), 3)), np.empty((len(points), 3))
    step = max(1, BLOCK // (8 * len(corners)))
    for start in range(0, len(points), step):
        part = slice(start, start + step)
        hit = point_triangle.closest(points[part, None], u, v, w)
        k = hit.distance_sq.argmin(axis=1)
        rows = np.arange(len(k))
        square[part], triangle[part] = hit.distance_sq[rows, k], k
        at[part], weights[part] = hit.point[rows, k], hit.weights[rows, k]
    return square, triangle, at, weights


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
