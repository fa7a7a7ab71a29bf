"""How the vertices of a piece follow the surface that the piece is a part of.

A vertex at the place of a surface vertex is that vertex.  Any other is bound to the
corners of the surface triangle nearest to it at rest and to one vertex off the plane of
that triangle, by the four weights that sum to 1 and give its place at rest: where the
surface moves affinely, the piece moves with it exactly.  Ids and weights come from rest
positions alone, which never change.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.brute.surface import cross_rows, dot_rows, unit_rows
from wingedge import WingedEdgeMesh
from wingedge.primitives import point_triangle

Float = np.float64
Points = NDArray[Float]
Ids = NDArray[np.intp]
BLOCK = 1 << 18  # point-triangle pairs that are measured at once
FLAT = 1e-6  # a triangle lower than this, per unit of its length, spans no plane


class Binding(NamedTuple):
    """What the N vertices of all pieces follow.

    ``rest[v] + sum_k weights[v, k] (x[ids[v, k]] - surface_rest[ids[v, k]])``: at rest
    that is their place to the bit.
    """

    vertex: Ids  # (N,) the surface vertex at the same place, else -1
    loose: Ids  # (M,) the vertices at no surface vertex
    ids: Ids  # (M, 4) surface vertices
    weights: Points  # (M, 4) sum 1; some may be negative

    def place(self, rest: Points, surface_rest: Points, surface: Points) -> Points:
        """Return where the vertices are, (N, 3), for positions of the surface."""
        out: Points = np.where(
            self.vertex[:, None] >= 0, surface[self.vertex], rest
        ).astype(Float)
        step = surface - surface_rest
        moved = rest[self.loose]
        for k in range(4):
            moved = moved + self.weights[:, k, None] * step[self.ids[:, k]]
        out[self.loose] = moved
        return out

    def only(self, ids: Ids) -> "Binding":
        """Return what some vertices follow, ascending."""
        loose = np.nonzero(self.vertex[ids] < 0)[0]
        rows = np.searchsorted(self.loose, ids[loose])
        return Binding(self.vertex[ids], loose, self.ids[rows], self.weights[rows])


def bind(points: Points, surface: WingedEdgeMesh) -> Binding:
    """Bind the rest positions of pieces, (N, 3), to a surface.

    Cost: O(M T), 0.2 us per pair of a loose vertex and a triangle; done once.
    """
    place = {p: v for v, p in reversed(list(enumerate(map(tuple, surface.points))))}
    vertex = np.array([place.get(tuple(p), -1) for p in points], np.intp)
    loose = np.nonzero(vertex < 0)[0]
    corners = np.zeros((len(loose), 4), np.intp)
    triangles = _solid_triangles(surface)
    if len(loose):
        near = triangles[nearest_triangles(points[loose], surface.points[triangles])]
        corners[:, :3] = near
        corners[:, 3] = _off_plane(near, surface.points)
    weights = _affine_weights(points[loose], surface.points[corners])
    return Binding(vertex, loose, corners, weights)


def follow_all(count: int) -> Binding:
    """Bind pieces without a surface: the vertices are their own surface."""
    none = np.zeros((0, 4))
    return Binding(np.arange(count), np.arange(0), none.astype(np.intp), none)


def nearest_triangles(points: Points, corners: Points) -> Ids:
    """Find the triangle, (T, 3, 3), nearest to each point; the lowest among equals."""
    found = np.zeros(len(points), np.intp)
    rows = max(1, BLOCK // len(corners))
    a, b, c = (corners[None, :, k] for k in range(3))
    for k in range(0, len(points), rows):
        part = points[k : k + rows, None]
        hit = point_triangle.closest(part, a, b, c)
        found[k : k + rows] = hit.distance_sq.argmin(axis=1)
    return found


def _solid_triangles(surface: WingedEdgeMesh) -> Ids:
    """List the triangles that span a plane; all of them where none does."""
    every = surface.fan.vertex.astype(np.intp)
    a, b, c = (surface.points[every[:, k]] for k in range(3))
    n = cross_rows(b - a, c - a)
    longest = np.maximum(dot_rows(b - a, b - a), dot_rows(c - a, c - a))
    longest = np.maximum(longest, dot_rows(c - b, c - b))
    good = dot_rows(n, n) > FLAT * FLAT * longest * longest
    return every[good] if good.any() else every


def _off_plane(triangles: Ids, points: Points) -> Ids:
    """Choose for each triangle the vertex farthest from its plane."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    n = unit_rows(cross_rows(b - a, c - a))
    found = np.zeros(len(triangles), np.intp)
    for k in range(len(triangles)):
        x, y, z = n[k].tolist()
        d = points - a[k]
        found[k] = np.abs(d[:, 0] * x + d[:, 1] * y + d[:, 2] * z).argmax()
    return found


def _affine_weights(p: Points, corners: Points) -> Points:
    """Return the weights of four corners, (M, 4, 3), that give a point."""
    a, b, c, d = (corners[:, k] for k in range(4))
    e, f, g, q = b - a, c - a, d - a, p - a
    volume = dot_rows(cross_rows(e, f), g)
    volume = np.where(volume != 0.0, volume, 1.0)  # a flat surface: nothing to follow
    wb = dot_rows(cross_rows(q, f), g) / volume
    wc = dot_rows(cross_rows(e, q), g) / volume
    wd = dot_rows(cross_rows(e, f), q) / volume
    return np.stack([1.0 - wb - wc - wd, wb, wc, wd], axis=1)
