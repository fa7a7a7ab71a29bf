"""One of the two bodies as the checker sees it: placed vertices, and what follows."""

from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.proof.triangle_gap import from_surface, from_triangles, windings
from sim.tracking.proof.verdict import UnprovenAnswer
from wingedge import Feature
from wingedge.exact import Point, placed, point_triangle_square

Array = NDArray[np.float64]
Ids = NDArray[np.integer]

CONVEX = 1e-9  # per unit of size: dents up to here count as none
AREA = 1e-6  # of the area: how far that of a convex surface may be off its hull's
CLEAR = 1e-3  # of the extent: a dent deeper than that is one, however deep others are
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
        self.body, self.unit = body, unit
        self.deepest: float | None = None  # vertex of this body or the other one
        self.mesh = body.mesh
        self.hulled = body.convexity == "hull"
        shift = body.transform[:, 3] - origin
        linear = body.transform[:, :3]
        self.origin: Array = shift * unit
        self.x: Array = (body.positions @ linear.T + shift) * unit
        self.corners: Ids = self.mesh.fan.vertex

    def exactly(self, vertex: int) -> Point:
        """Place a vertex without rounding, in the unit: not relative to the origin."""
        point = placed(self.body.transform, self.body.positions[vertex])
        return tuple(Fraction(self.unit) * x for x in point)

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
        """How deep the surface lies below its convex hull, at least; 0 for a hull.

        Infinite where it covers the hull more than once.  Of every triangle the least,
        over the planes of the hull, of its deepest corner.
        """
        if self.hulled or self.sense == 0.0:
            return 0.0
        hull, x = self._hull, self._local
        u, v, w = (x[self.corners[:, k]] for k in range(3))
        area = 0.5 * float(np.linalg.norm(np.cross(v - u, w - u), axis=1).sum())
        most = AREA * area
        for rest in (False, True):
            # What lies clearly below the hull is found at some of the triangles.
            corners = self.corners if rest else self.corners[:: 1 + len(x) // 64]
            depth = np.full(len(corners), np.inf)
            step = max(1, BLOCK // (3 * len(corners)))
            for k in range(0, len(hull.equations), step):
                part = hull.equations[k : k + step]
                ids, at = np.unique(corners, return_inverse=True)
                below = -(x[ids] @ part[:, :3].T + part[:, 3])  # (V, planes)
                at = at.reshape(-1, 3)
                depth = np.minimum(depth, below[at].max(axis=1).min(axis=1))
            deepest = float(depth.max())
            if deepest > CLEAR:
                break
        if abs(area - hull.area) > most + 4.0 * deepest:
            return np.inf
        return deepest * self._extent

    @property
    def dents(self) -> float:
        """What an overlap with the body may be less than one with its hull."""
        return 0.0 if self.body.convexity == "trust" else self.dent

    @property
    def convex(self) -> bool:
        """Whether an overlap is one of a convex body: by its shape, or on its word."""
        if self.body.convexity == "trust":
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

    def fans_of(self, parts: tuple[Feature, ...]) -> Ids:
        """Return the triangles of parts, (k, 3)."""
        return np.concatenate([self.fan_of(part) for part in parts])

    def off(self, p: Array, parts: tuple[Feature, ...], wide: float = 0.0) -> float:
        """Return the distance of a point from parts.

        In floats; where that is more than ``wide``, exactly: the plane of a narrow face
        has few digits.
        """
        fans = self.x[self.fans_of(parts)]
        off = float(from_triangles(p[None], fans).min())
        if off <= wide:
            return off
        return min(exactly_off(p, triangle) for triangle in fans)

    def depths(self, points: Array) -> Array:
        """Return how far inside each point lies; 0 outside."""
        found = np.zeros(len(points))
        low, high = self.x.min(axis=0), self.x.max(axis=0)
        boxed = np.flatnonzero(((points > low) & (points < high)).all(axis=1))
        if len(boxed):
            inside = boxed[windings(points[boxed], self.triangles) != 0.0]
            found[inside] = from_surface(points[inside], self.triangles)
        return found


def exactly_off(p: Array, triangle: Array) -> float:
    """Return the distance of a point from a triangle, rounded once."""
    points = (tuple(map(Fraction, q.tolist())) for q in (p, *triangle))
    return sqrt(point_triangle_square(*points))


def deepest(a: Solid, b: Solid) -> float:
    """Return how deep a vertex of one body lies in the other: so far it must move."""
    if a.deepest is None:
        a.deepest = max(float(a.depths(b.x).max()), float(b.depths(a.x).max()))
    return a.deepest
