"""Separate two bodies by planes between their convex pieces, two by two.

A plane that has one convex piece on either side stays between them as long as neither
crosses it, however far they move along it.  That is what lets a body slide fast, and
never through.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import Vec
from sim.body.body import Body
from sim.kernels.regions.triangles import cross_inside, foot, frame_of
from sim.kernels.segments import perpendicular
from sim.kernels.vector import along, back, cross, dot, minus
from sim.result.state import PairState
from sim.tracking.region_tracker import TOLERANCE, RegionTracker
from wingedge import WingedEdgeMesh
from wingedge.columns import Vector, columns

Triangle = Sequence[Vec]
Way = tuple[Vec, Vec, tuple[int, ...], tuple[int, ...]]

_ALL = (0, 1, 2)


class TriangleDistance(NamedTuple):
    """The nearest points of two triangles, in the frame of their corners."""

    distance: float
    normal: Vec | None  # unit, from A to B; None where they meet
    stop: Vec  # on B
    corners_a: tuple[int, ...]  # which corners of A carry its point: 1, 2 or all 3
    corners_b: tuple[int, ...]


def nearest_of(a: Triangle, b: Triangle) -> TriangleDistance:
    """Find the nearest points of two triangles that do not cross.

    Of equals the first: a corner over the other triangle, two sides, a corner beside a
    side, which counts as one over the triangle.  A triangle without area is its longest
    side.  The normal is taken from the points: it only proposes a plane, and planes are
    measured.  Cost: the 33 tests of ``regions.triangles.compare``, 0.1 ms.
    """
    least, best = float("inf"), None
    for found in _ways(a, b):
        square = dot(found[0], found[0])
        if square < least:
            least, best = square, found
    assert best is not None
    (x, y, z), stop, one, two = best
    size = sqrt(least)
    normal = (x / size, y / size, z / size) if size > 0.0 else None
    return TriangleDistance(size, normal, stop, one, two)


def _ways(a: Triangle, b: Triangle) -> Iterator[Way]:
    """Yield ways from A to B, where each ends, and the corners that carry its ends."""
    frame_a, frame_b = frame_of(*a), frame_of(*b)
    for k in range(3):
        inside, w, _, _ = foot(a[k], *frame_b)
        if inside:
            yield w, along(a[k], 1.0, w), (k,), _ALL
    for k in range(3):
        inside, w, _, _ = foot(b[k], *frame_a)
        if inside:
            yield back(w), b[k], _ALL, (k,)
    for i in range(3):
        d = minus(a[(i + 1) % 3], a[i])
        for j in range(3):
            e = minus(b[(j + 1) % 3], b[j])
            inside, s, w = cross_inside(a[i], d, b[j], e)
            if inside:
                start = along(a[i], s, d)
                yield w, along(start, 1.0, w), (i, (i + 1) % 3), (j, (j + 1) % 3)
    for k in range(3):
        for j in range(3):
            _, w = perpendicular(a[k], b[j], b[(j + 1) % 3])
            yield back(w), minus(a[k], w), (k,), _ALL
            _, w = perpendicular(b[k], a[j], a[(j + 1) % 3])
            yield w, b[k], _ALL, (k,)


Float = np.float64
Column = NDArray[Float]
Ids = NDArray[np.intp]

# What a height along a unit normal is off by, per unit of size: two products of three
# terms and a difference, some 10 roundings of 2**-53 each.
ALLOWANCE = 2.0**-48

# Of a proven distance, what the plane across it must show: less, and the bodies are
# not on two sides of one plane.
_SHOWN = 0.5


class PlaneHeights(NamedTuple):
    """A unit normal, from the body to the obstacle, and heights along it."""

    normal: Vec
    body: Column  # (V,) of the body's vertices
    floor: Column  # (P,) the lowest height of each piece of the obstacle
    gap: Column  # (P,) between the two pieces of each pair; negative: not apart


class SeparatingPlanes:
    """One obstacle as the body sees it from where it is: pairs of convex pieces.

    Of two convex bodies there is one pair, the bodies themselves.  Of others, where
    no plane parts them as wholes, the pairs of triangles that are within ``reach``;
    what is not listed is farther apart than that.

    All positions are relative to the body's translation: far from the origin nothing
    is lost but what the world itself loses.
    """

    def __init__(self, state: PairState, swept: float, finder: "NearTriangles") -> None:
        body, obstacle = state.a, state.b
        self.state = state
        self.overlaps = state.distance < 0.0
        self.reach = float("inf")
        self.body = relative(body, body)
        self.obstacle = relative(obstacle, body)
        largest = max(
            max(float(np.abs(c).max()) for c in v) for v in (self.body, self.obstacle)
        )
        self.allowance = ALLOWANCE * largest
        self.normal = vec(state.normal)
        self.pieces_a: Ids | None = None
        self.pieces_b: Ids | None = None
        self._planes: dict[Vec, PlaneHeights] = {}
        self._finder = finder
        if self.overlaps:
            return
        gap = float(self.plane(self.normal).gap[0])
        if gap >= _SHOWN * state.lower - 2.0 * self.allowance:
            return
        self.reach = finder.reach(swept, state.lower)
        pieces = finder.near(self.normal)
        self.pieces_a, self.pieces_b = pieces
        self._planes.clear()

    @property
    def whole(self) -> bool:
        """Whether the bodies are one pair of convex pieces."""
        return self.pieces_a is None

    def near(self) -> tuple[Ids, Ids]:
        """Return the corners of the pairs of triangles that are near, (P, 3) twice."""
        if self.pieces_a is not None and self.pieces_b is not None:
            return self.pieces_a, self.pieces_b
        self._finder.reach(0.0, 0.0)
        return self._finder.near(self.normal)

    def plane(self, normal: Vec) -> PlaneHeights:
        """Return the heights along a unit normal, measured once."""
        known = self._planes.get(normal)
        if known is None:
            body, floor = height(normal, self.body), height(normal, self.obstacle)
            if self.pieces_b is None:
                low = floor.min(keepdims=True)
            else:
                low = floor[self.pieces_b].min(axis=1)
            gap = low - self.tops(body) - self.allowance
            known = self._planes[normal] = PlaneHeights(normal, body, low, gap)
        return known

    def tops(self, heights: Column) -> Column:
        """Return the greatest height of the body's piece of each pair, (P,)."""
        if self.pieces_a is None:
            highest: Column = heights.max(keepdims=True)
            return highest
        top: Column = heights[self.pieces_a].max(axis=1)
        return top

    def corners(self, pair: int) -> list[int]:
        """Return the body's vertices that belong to a pair; all if it is whole."""
        if self.pieces_a is None:
            return list(range(len(self.body[0])))
        corners: list[int] = self.pieces_a[pair].tolist()
        return corners

    def own_normals(self, pair: int) -> Iterator[Vec]:
        """Yield normals that may part a pair: of its triangles, and of their distance.

        In this order, as the first two cost next to nothing; the last one parts any
        pair that is apart.
        """
        if self.pieces_a is None or self.pieces_b is None:
            yield self.normal
            return
        a, b = self.pieces_a[pair].tolist(), self.pieces_b[pair].tolist()
        for corners, points, sign in ((b, self.obstacle, -1.0), (a, self.body, 1.0)):
            n = facet(points, corners, sign)
            if n is not None:
                yield n
        yield self.measure(a, b).normal or self.normal

    def measure(self, a: Sequence[int], b: Sequence[int]) -> TriangleDistance:
        """Measure a triangle of the body and one of the obstacle, by their corners."""
        one, two = (
            [vec(c[k] for c in points) for k in corners]
            for points, corners in ((self.body, a), (self.obstacle, b))
        )
        return nearest_of(one, two)


class NearTriangles:
    """Find the triangles of two bodies that are near; lays them out once."""

    def __init__(self, body: Body, obstacle: Body, gap: float) -> None:
        self._pair = body, obstacle
        self._gap = gap
        self._reach = 0.0
        self._tracker: RegionTracker | None = None

    def reach(self, swept: float, lower: float) -> float:
        """Choose how far to look: as far as the body goes, within reason.

        A power of two at least as large as ``swept`` and a gap; no more than four
        times the distance or an eighth of the body's size, whatever is larger, so that
        a long way through a crowded place is gone in several looks.
        """
        x, y, z = (float(np.ptp(c)) for c in columns(self._pair[0].positions))
        most = max(4.0 * lower, 0.125 * max(x, y, z), 4.0 * self._gap)
        wanted = min(swept + 2.0 * self._gap, most)
        _, exponent = np.frexp(wanted)
        reach = float(np.ldexp(1.0, int(exponent)))
        if self._tracker is None or not reach <= self._reach <= 8.0 * reach:
            self._tracker = RegionTracker(*self._pair, reach, TOLERANCE)
            self._reach = reach
        return self._reach

    def near(self, axis: Vec) -> tuple[Ids, Ids]:
        """Return the corners of the pairs of triangles within reach, (P, 3) twice."""
        body, obstacle = self._pair
        assert self._tracker is not None
        found = [region.faces for region in self._tracker.follow(axis)]
        faces = np.concatenate([np.zeros((0, 2), np.int32), *found])
        rows_a, rows_b = both(body.mesh, faces[:, 0], obstacle.mesh, faces[:, 1])
        a = body.mesh.fan.vertex[rows_a].astype(np.intp)
        return a, obstacle.mesh.fan.vertex[rows_b].astype(np.intp)


def facet(points: Vector, corners: list[int], sign: float) -> Vec | None:
    """Return the unit normal of a triangle, outwards for sign 1; None if it is flat."""
    p, q, r = (vec(c[k] for c in points) for k in corners)
    x, y, z = cross(minus(q, p), minus(r, p))
    size = sqrt(x * x + y * y + z * z)
    if not 0.0 < size < float("inf"):
        return None
    s = sign / size
    return s * x, s * y, s * z


def both(
    mesh_a: WingedEdgeMesh,
    faces_a: NDArray[np.int32],
    mesh_b: WingedEdgeMesh,
    faces_b: NDArray[np.int32],
) -> tuple[Ids, Ids]:
    """Pair the triangles of each face of A with those of the face of B beside it."""
    first_a, count_a = fans(mesh_a, faces_a)
    first_b, count_b = fans(mesh_b, faces_b)
    each = count_a * count_b
    row = np.repeat(np.arange(len(each)), each)
    place = np.arange(len(row)) - np.repeat(np.cumsum(each) - each, each)
    return first_a[row] + place // count_b[row], first_b[row] + place % count_b[row]


def fans(mesh: WingedEdgeMesh, faces: NDArray[np.int32]) -> tuple[Ids, Ids]:
    """Return the first row in ``mesh.fan`` of each face, and how many there are."""
    first = np.searchsorted(mesh.fan.face, faces)
    return first, np.searchsorted(mesh.fan.face, faces, side="right") - first


def relative(body: Body, to: Body) -> Vector:
    """Return a body's positions in the world, from the translation of another."""
    m, o = body.transform.tolist(), to.transform[:, 3].tolist()
    x, y, z = columns(body.positions)
    one, two, three = (
        m[i][0] * x + m[i][1] * y + m[i][2] * z + (m[i][3] - o[i]) for i in range(3)
    )
    return one, two, three


def height(normal: Vec, points: Vector) -> Column:
    """Return the heights of points along a normal."""
    out: Column = normal[0] * points[0] + normal[1] * points[1] + normal[2] * points[2]
    return out


def vec(values: Iterable[float]) -> Vec:
    """Return three numbers as plain floats."""
    x, y, z = map(float, values)
    return x, y, z
