"""A body as the checker sees it: placed vertices, what follows, and what it crosses."""

from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.proof.triangle_gap import (
    along,
    from_surface,
    from_triangles,
    near_pairs,
    windings,
)
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge.exact import point_triangle_square
from wingedge.features import Feature
from wingedge.mesh import corners_of

Array = NDArray[np.float64]
Ids = NDArray[np.integer]

CONVEX = 1e-9  # per unit of size: dents up to here count as none
AREA = 1e-6  # of the area: how far that of a convex surface may be off its hull's
FLAT = 1e-13  # per unit of size: a body that is no thicker has no inside
BLOCK = 1 << 22  # numbers computed at once


class Solid:
    """A body relative to an ``origin``, its coordinates times a ``unit``."""

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

    def moved(self, shift: Array) -> "Solid":
        """Return the body elsewhere, (3,) away."""
        other = Solid(self.body, np.zeros(3), self.unit)
        other.origin, other.x = self.origin + shift, self.x + shift
        return other

    @cached_property
    def triangles(self) -> Array:
        """The surface that the body stands for, (T, 3, 3)."""
        if not self.hulled:
            out: Array = self.x[self.corners]
            return out
        out, hull = self.x[self._hull.simplices], self._hull
        normals = np.cross(out[:, 1] - out[:, 0], out[:, 2] - out[:, 0])
        inward = along(normals, hull.equations[:, :3]) < 0.0  # Qhull orients none
        out[inward] = out[inward, ::-1]
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
        """How deep the surface lies below its convex hull, at least; 0 where trusted.

        Infinite where it covers the hull more than once.  Of every triangle the least,
        over the planes of the hull, of its deepest corner.
        """
        if self.hulled or self.sense == 0.0 or self.body.convexity == "trust":
            return 0.0
        hull, x = self._hull, self._local
        u, v, w = (x[self.corners[:, k]] for k in range(3))
        area = 0.5 * float(np.linalg.norm(np.cross(v - u, w - u), axis=1).sum())
        depth = np.full(len(self.corners), np.inf)
        step = max(1, BLOCK // (3 * len(self.corners)))
        for k in range(0, len(hull.equations), step):
            part = hull.equations[k : k + step]
            below = -(x @ part[:, :3].T + part[:, 3])  # (V, planes)
            depth = np.minimum(depth, below[self.corners].max(axis=1).min(axis=1))
        deepest = float(depth.max())
        if abs(area - hull.area) > AREA * area + 4.0 * deepest:
            return np.inf
        return deepest * self._extent

    @property
    def convex(self) -> bool:
        """Whether an overlap is one of a convex body: by its shape, or on its word."""
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
        return np.array(corners_of(self.mesh, feature))

    def fans_of(self, parts: tuple[Feature, ...]) -> Ids:
        """Return the triangles of parts, (k, 3); of an edge or a vertex, flat."""
        loops = [self.vertices_of(part) for part in parts]
        loops = [ids if len(ids) > 2 else ids[[0, -1, -1]] for ids in loops]
        fans = [(x[0], *x[k : k + 2]) for x in loops for k in range(1, len(x) - 1)]
        return np.array(fans)

    def off(self, p: Array, parts: tuple[Feature, ...], wide: float = 0.0) -> float:
        """Return the distance of a point from parts; exactly where beyond ``wide``.

        The plane of a narrow face has few digits.
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
            inside = boxed[abs(windings(points[boxed], self.triangles)) > 0.5]
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


LEVEL = 1e-9  # sine below which two planes are one
LITTLE = 1e-6  # of the width: triangles that share no more lie beside each other


def check_apart(a: Solid, b: Solid, slack: float, *, touching: bool) -> None:
    """Prove that two solids share no inside, beyond what ``slack`` may hide.

    Where they touch an edge may come in through a corner or along a face, and surfaces
    may lie on each other: then the middles of all parts of all edges are asked, and all
    faces that lie in one plane.
    """
    s, t = a.triangles, b.triangles
    for i, j, _ in near_pairs(s, t, slack):
        if _cuts(s[i], t[j], slack) or _cuts(t[j], s[i], slack):
            raise FalseAnswer("the surfaces cross")
        if touching:
            if _share_side(a, b, i, j, slack):
                raise FalseAnswer("the bodies lie on the same side of a common face")
            for own, other, solid in ((s[i], t[j], b), (t[j], s[i], a)):
                inside = solid.depths(_middles(own, other, slack))
                if inside.max(initial=0.0) > 8.0 * slack:
                    raise FalseAnswer("an edge of a body runs inside the other")
    if max(a.depths(b.x).max(), b.depths(a.x).max()) > 8.0 * slack:
        raise FalseAnswer("a vertex of a body lies inside the other")


def crosses_itself(solid: Solid, slack: float) -> bool:
    """Say whether a side of one triangle of a surface passes through another one."""
    t = solid.triangles
    return any(_cuts(t[i], t[j], slack) for i, j, _ in near_pairs(t, t, slack))


def _cuts(s: Array, t: Array, slack: float) -> bool:
    """Say whether a side of a triangle passes through the one that goes with it."""
    return any(_pierces(s[:, k], s[:, k - 1], t, slack).any() for k in range(3))


def _pierces(p: Array, q: Array, t: Array, slack: float) -> NDArray[np.bool_]:
    """Say which segments pass through which triangles, beyond rounding."""
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    area = np.linalg.norm(n, axis=1)
    widest = sum(np.linalg.norm(t[:, k] - t[:, k - 1], axis=1) for k in range(3))
    found = area > 0.0
    area = np.where(found, area, 1.0)
    margin = slack * (1.0 + widest * widest / area)
    above = along(p - t[:, 0], n) / area
    below = along(q - t[:, 0], n) / area
    found &= (np.minimum(above, below) < -margin) & (np.maximum(above, below) > margin)
    d = q - p
    sides = []
    for k in range(3):
        e = t[:, k] - t[:, k - 1]
        c = np.cross(d, e)
        wide = np.linalg.norm(c, axis=1)
        wide = np.where(wide > 0.0, wide, np.inf)
        gap = along(t[:, k] - p, c) / wide
        around = np.linalg.norm(d, axis=1) * np.linalg.norm(e, axis=1) / wide
        sides.append((gap, slack * (1.0 + 4.0 * around)))
    left = np.logical_and.reduce([gap > limit for gap, limit in sides])
    right = np.logical_and.reduce([gap < -limit for gap, limit in sides])
    out: NDArray[np.bool_] = found & (left | right)
    return out


def _middles(s: Array, t: Array, slack: float) -> Array:
    """Return the middles of the parts into which planes cut the sides of triangles.

    The planes are those of the other triangles, and those upright on their sides.
    """
    found = []
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    planes = [(t[:, 0], n)]
    planes += [(t[:, k], np.cross(n, t[:, k] - t[:, k - 1])) for k in range(3)]
    for k in range(3):
        p, q = s[:, k], s[:, k - 1]
        sides = np.concatenate([p, q], axis=1)
        cuts = []
        for at, way in planes:
            above, below = along(p - at, way), along(q - at, way)
            with np.errstate(divide="ignore", invalid="ignore"):
                cuts.append(above / (above - below))
        cut = np.stack(cuts, axis=1)
        cut = np.where((cut > 0.0) & (cut < 1.0), cut, 0.0)
        _, owner = np.unique(sides, axis=0, return_inverse=True)
        owner = owner.reshape(-1)
        for number in range(int(owner.max()) + 1):
            own = np.flatnonzero(owner == number)
            ends = np.unique(np.concatenate([[0.0, 1.0], cut[own].ravel()]))
            e = q[own[0]] - p[own[0]]
            long = np.diff(ends) * float(np.linalg.norm(e)) > 4.0 * slack
            found.append(p[own[0]] + (0.5 * (ends[1:] + ends[:-1]))[long, None] * e)
    return np.concatenate(found) if found else np.zeros((0, 3))


def _share_side(a: Solid, b: Solid, i: Ids, j: Ids, slack: float) -> bool:
    """Say whether triangles of one plane overlap that face the same way."""
    s, t = a.triangles[i], b.triangles[j]
    m, n = (np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]) for x in (s, t))
    lm, ln = np.linalg.norm(m, axis=1), np.linalg.norm(n, axis=1)
    sense = (1.0 if a.hulled else a.sense) * (1.0 if b.hulled else b.sense)
    level = np.linalg.norm(np.cross(m, n), axis=1) <= LEVEL * lm * ln
    level &= (lm * ln > 0.0) & (sense * along(m, n) > 0.0)
    lm = np.where(lm > 0.0, lm, 1.0)
    for k in range(3):
        level &= np.abs(along(t[:, k] - s[:, 0], m)) <= 8.0 * slack * lm
    s, t, m = s[level], t[level], m[level] / lm[level, None]
    apart = np.zeros(len(s), bool)
    for x in (s, t):
        for k in range(3):  # across a side of either they share next to nothing
            way = np.cross(m, x[:, k] - x[:, k - 1])
            way /= np.linalg.norm(way, axis=1)[:, None]
            one, other = (np.einsum("pkx,px->pk", y, way) for y in (s, t))
            common = np.minimum(one.max(axis=1), other.max(axis=1))
            common -= np.maximum(one.min(axis=1), other.min(axis=1))
            least = np.minimum(np.ptp(one, axis=1), np.ptp(other, axis=1))
            apart |= common <= LITTLE * least + 8.0 * slack
    return bool((~apart).any())
