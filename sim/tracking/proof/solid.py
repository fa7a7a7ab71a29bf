"""One of the two bodies as the checker sees it: placed vertices, and what follows."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import UnprovenAnswer
from wingedge import Feature

Array = NDArray[np.float64]
Ids = NDArray[np.integer]

CONVEX = 1e-9  # per unit of size: dents up to here count as none
AREA = 1e-6  # of the area: how far that of a convex surface may be off its hull's
FLAT = 1e-13  # per unit of size: a body that is no thicker has no inside
BLOCK = 1 << 22  # numbers computed at once


class Solid:
    """A body, placed relative to an origin in some unit of length.

    Parameters
    ----------
    body : Body
    origin : (3,)
        What all coordinates are relative to.
    unit : float
        A power of two that brings all coordinates near to one.
    """

    def __init__(self, body: Body, origin: Array, unit: float) -> None:
        self.body = body
        self.mesh = body.mesh
        self.hulled = body.convexity == "hull"
        shift = body.transform[:, 3] - origin
        linear = body.transform[:, :3]
        self.origin: Array = shift * unit
        self.x: Array = (body.positions @ linear.T + shift) * unit
        self.corners: Ids = self.mesh.fan.vertex

    @property
    def reach(self) -> float:
        """The largest coordinate, that of its own origin too."""
        return max(float(np.abs(self.x).max()), float(np.abs(self.origin).max()))

    @cached_property
    def triangles(self) -> Array:
        """The surface that the body stands for, (T, 3, 3)."""
        ids = self._hull.simplices if self.hulled else self.corners
        out: Array = self.x[ids]
        return out

    @cached_property
    def sense(self) -> float:
        """1 where the faces look outward, -1 inside-out, 0 where there is no inside."""
        u, v, w = (self._local[self.corners[:, k]] for k in range(3))
        areas = np.cross(v - u, w - u)
        volume = float((u * areas).sum())
        inside = abs(volume) > FLAT * float(np.linalg.norm(areas, axis=1).sum())
        return float(np.sign(volume)) if inside else 0.0

    @cached_property
    def dent(self) -> float:
        """How deep the surface lies below its convex hull, at most; 0 for a hull.

        Infinite where it covers the hull more than once.  Of every triangle the least,
        over the planes of the hull, of its deepest corner.
        """
        if self.hulled or self.sense == 0.0:
            return 0.0
        planes = self._hull.equations
        depth = np.full(len(self.corners), np.inf)
        step = max(1, BLOCK // len(self.x))
        for k in range(0, len(planes), step):
            part = planes[k : k + step]
            below = -(self._local @ part[:, :3].T + part[:, 3])  # (V, planes)
            depth = np.minimum(depth, below[self.corners].max(axis=1).min(axis=1))
        u, v, w = (self._local[self.corners[:, k]] for k in range(3))
        area = 0.5 * np.linalg.norm(np.cross(v - u, w - u), axis=1).sum()
        if abs(area - self._hull.area) > AREA * area + 4.0 * float(depth.max()):
            return np.inf
        return float(depth.max()) * self._extent

    @property
    def dents(self) -> float:
        """What an overlap with the body may be less than one with its hull."""
        return 0.0 if self.body.convexity in ("flag", "trust") else self.dent

    @property
    def convex(self) -> bool:
        """Whether an overlap is one of a convex body: by its shape, or on its word."""
        if self.body.convexity in ("flag", "trust"):
            return True
        reach = float(np.abs(self.x).max())
        return self.dent <= CONVEX * 2.0 * self._extent + 1e-14 * reach

    @cached_property
    def _extent(self) -> float:
        return float(np.abs(self.x - self.x.mean(axis=0)).max())

    @cached_property
    def _local(self) -> Array:
        out: Array = (self.x - self.x.mean(axis=0)) / self._extent
        return out

    @cached_property
    def _hull(self):  # type: ignore[no-untyped-def]  # scipy has no type for it
        from scipy.spatial import ConvexHull, QhullError

        try:
            return ConvexHull(self._local)
        except QhullError:
            name = self.body.name
            raise UnprovenAnswer(f"body '{name}' is too flat to have a hull") from None

    def vertices_of(self, feature: Feature) -> Ids:
        """List the vertices of a feature, in their order around a face."""
        if feature.kind == "vertex":
            return np.array([feature.index])
        if feature.kind == "edge":
            ends: Ids = self.mesh.edge_vertices[feature.index]
            return ends
        if feature.kind == "lid":
            return np.array(feature.vertices)
        return self.mesh.face_vertices(feature.index)

    def fan_of(self, feature: Feature) -> Ids:
        """Return the triangles of a feature, (k, 3); of an edge or a vertex, flat."""
        ids = self.vertices_of(feature)
        if len(ids) < 3:
            return np.array([[ids[0], ids[-1], ids[-1]]])
        return np.array([[ids[0], ids[k], ids[k + 1]] for k in range(1, len(ids) - 1)])

    def holds(self, points: Array, near: float) -> NDArray[np.bool_]:
        """Say which points lie inside, farther than ``near`` from the surface."""
        low, high = self.x.min(axis=0), self.x.max(axis=0)
        found: NDArray[np.bool_] = ((points > low) & (points < high)).all(axis=1)
        for k in np.flatnonzero(found):
            corners = self.triangles - points[k]
            off = from_triangles(np.zeros((1, 3)), corners).min()
            found[k] = off > near and abs(_winding(corners)) > np.pi
        return found

    def depths(self, points: Array) -> Array:
        """Return how far inside each point lies; 0 outside."""
        found = np.zeros(len(points))
        for k in np.flatnonzero(self.holds(points, 0.0)):
            found[k] = from_triangles(points[k][None], self.triangles).min()
        return found


def _winding(corners: Array) -> float:
    """Return half the solid angle of triangles as seen from the origin, with sign."""
    u, v, w = (corners[:, k] for k in range(3))
    lu, lv, lw = (np.linalg.norm(c, axis=1) for c in (u, v, w))
    top = (u * np.cross(v, w)).sum(axis=1)
    low = lu * lv * lw + (u * v).sum(axis=1) * lw
    low = low + (v * w).sum(axis=1) * lu + (w * u).sum(axis=1) * lv
    return float(np.arctan2(top, low).sum())
