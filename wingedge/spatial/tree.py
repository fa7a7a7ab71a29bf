"""Search a tree of boxes in flat arrays for many queries at once.

The tree says which triangles cannot matter; the primitives decide among the others.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import columns, dot, length
from wingedge.positions import LARGEST, SMALLEST
from wingedge.primitives import arguments, point_triangle, segment_triangle
from wingedge.tables import frozen, ranges

Floats = NDArray[np.float64]
Longs = NDArray[np.intp]
Pairs = tuple[Longs, Longs]  # queries, and triangles to try on them

CAPACITY = 12  # a node with more triangles than this is divided
QUERIES = 256  # at a time, which bounds the memory of a batch
LISTED = 2**17  # triangles for a batch where each query meets the longest list
# Of the largest coordinate. What an index may drop is farther by more than this: 100
# times the rounding of a nearest point (2^-52, measured) and of a height over a plane.
SLACK = 2.0**-46
UNSURE = 1.3e-13  # twice what times of `segment_triangle.hit` may be off by


class NearestTriangle(NamedTuple):
    """The triangles nearest to points; -1, inf and NaN over an empty set."""

    triangle: NDArray[np.int64]  # (...)
    distance: Floats  # (...), unit of the input
    point: Floats  # (..., 3) on the triangle
    tested: NDArray[np.int64]  # (...) triangles whose distance was measured


class FirstHit(NamedTuple):
    """The triangles that segments hit first; -1, inf and NaN where there is none."""

    triangle: NDArray[np.int64]  # (...)
    t: Floats  # (...) in [0, 1] from start to end
    point: Floats  # (..., 3)
    tested: NDArray[np.int64]  # (...) triangles that were tried


class Box(NamedTuple):
    """Boxes along the axes and, where planes divide, along a normal: sides x y z h."""

    lower: Floats  # (K, 3), or (K, 4)
    upper: Floats
    normal: Floats | None = None  # (K, 3) unit, along which h counts

    def sides(self, p: Floats) -> Floats:
        """Return the coordinates of points (K, 3) along the sides."""
        if self.normal is None:
            return p
        return np.column_stack([p, heights(p, self.normal)])


def heights(points: Floats, normal: Floats) -> Floats:
    """Return how high points (..., K, 3) are along normals (K, 3)."""
    return dot(columns(points), columns(normal))


def gaps(points: Floats, query: Longs, box: Box) -> Floats:
    """Return how far points are from boxes at least, (K,)."""
    p = box.sides(points[query])
    beyond = np.maximum(np.maximum(box.lower - p, p - box.upper), 0.0)
    return np.asarray(np.maximum(length(columns(beyond)), beyond.max(axis=1)))


def entries(
    starts: Floats, ends: Floats, slack: Floats, query: Longs, box: Box
) -> Floats:
    """Return where segments enter boxes, in [0, 1]; inf where they do not.

    The boxes are grown by ``slack``, more than rounding takes from a difference of
    coordinates: so none is missed, or entered later than it is. Slabs after Kay and
    Kajiya (1986); what rounding may do to them: Ize (2013).
    """
    start, end = box.sides(starts[query]), box.sides(ends[query])
    step, room = end - start, slack[query, None]
    below, above = box.lower - room - start, box.upper + room - start
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        first, last = np.sort([below / step, above / step], axis=0)
    flat = step == 0
    enter = np.where(flat, 0.0, first).max(axis=1, initial=0.0)
    leave = np.where(flat, 1.0, last).min(axis=1, initial=1.0)
    beside = (flat & ((below > 0) | (above < 0))).any(axis=1)
    return np.where((enter <= leave) & ~beside, enter, np.inf)


class TriangleIndex(ABC):
    """Answer queries about a set of triangles at one set of positions.

    Every tree gives the same answers, to the bit: those of trying all triangles. Build
    anew after a deformation; two deforming bodies are better left to `sim.PairTracker`,
    which keeps nothing that was computed from positions: see docs/articles.md.

    Raises ValueError: a shape, a number that is not finite, a coordinate beyond 1e50,
    triangles smaller than 1e-50.

    Parameters: ``triangles`` (T, 3, 3): corners, one frame, any unit; of a mesh
    ``points[mesh.fan.vertex]``. Copied. Triangles of no area are the segments and
    points that they are.
    """

    # Nodes in order of their depth; the children of a node follow one another. The box
    # of a node holds its triangles, also along the normal that divided the node above.
    max_depth: int
    _oblique = False

    def __init__(self, triangles: ArrayLike) -> None:
        array = np.array(triangles, dtype=np.float64, order="C")
        array = array if array.size else np.zeros((0, 3, 3))
        if array.ndim != 3 or array.shape[1:] != (3, 3):
            raise ValueError(
                f"triangles: expected (T, 3, 3), got {array.shape}; of a mesh give "
                "points[mesh.fan.vertex]"
            )
        self._largest = float(np.abs(_places(triangles=array)).max(initial=0.0))
        if 0.0 < self._largest < SMALLEST:
            raise ValueError(f"triangles: all are below {SMALLEST:g}; scale them up")
        self.triangles = frozen(array)  # (T, 3, 3), as given
        self._corners = self.triangles.transpose(1, 0, 2)
        self._sides = self._corners.min(axis=0), self._corners.max(axis=0)
        levels = list(self._levels())
        whole = map(np.concatenate, zip(*levels, strict=True))
        self._lower, self._upper, self._normal, children, count, self._held = whole
        self._children, self._count = children, count
        self._child = 1 + np.cumsum(children) - children  # the first one
        self._first = np.cumsum(count) - count  # where a leaf begins

    def __len__(self) -> int:
        """Return the number of triangles."""
        return len(self.triangles)

    def near(self, lower: ArrayLike, upper: ArrayLike) -> Longs:
        """List the triangles whose own boxes meet a box, sorted.

        Parameters: ``lower``, ``upper`` (3,): corners of a closed box along the axes;
        touching counts. Exact.
        """
        arguments.points(3, lower=lower, upper=upper)
        low, high = np.asarray(lower, np.float64), np.asarray(upper, np.float64)
        if low.shape != (3,) or high.shape != (3,) or (low > high).any():
            raise ValueError(
                f"lower, upper: expected the two corners of one box, (3,) each, with "
                f"lower <= upper; got {low.tolist()} and {high.tolist()}"
            )

        def apart(_: Longs, box: Box) -> Floats:
            beside = (box.lower[:, :3] > high) | (box.upper[:, :3] < low)
            return np.asarray(beside.any(axis=1), np.float64)

        return np.sort(self._search(apart, np.zeros(1))[1])

    def nearest(self, p: ArrayLike) -> NearestTriangle:
        """Find the triangle nearest to each point; of equal ones the lowest number.

        Parameters: ``p`` (..., 3): points. Many at once cost a tenth to a hundredth
        each of what one does alone.
        """
        return NearestTriangle(*self._batched(self._nearest, _places(p=p)))

    def first_hit(self, start: ArrayLike, end: ArrayLike) -> FirstHit:
        """Find the triangle that each segment meets first; of equal ones the lowest.

        Whether triangles are met is exact; touching counts. Times closer than 1.3e-13
        are equal.

        Parameters: ``start``, ``end`` (..., 3): ends of segments; shapes broadcast. One
        of no length is its point.
        """
        both = np.broadcast_arrays(_places(start=start), _places(end=end))
        return FirstHit(*self._batched(self._first_hits, *both))

    def _batched(self, answer: Callable[..., Any], *points: Floats) -> Iterator[Any]:
        """Answer for points (..., 3) so many at a time."""
        shape, n = points[0].shape[:-1], points[0].size // 3
        size = max(1, min(QUERIES, LISTED // (1 + int(self._count.max()))))
        parts = [
            answer(*(p.reshape(-1, 3)[k : k + size] for p in points))
            for k in range(0, max(n, 1), size)
        ]
        for column in map(np.concatenate, zip(*parts, strict=True)):
            yield column.reshape(shape + column.shape[1:])

    def _nearest(self, p: Floats) -> tuple[Any, ...]:
        """Measure those of one leaf, then all that may be as close."""

        def measured(query: Longs, triangle: Longs) -> tuple[Floats, Floats]:
            found = point_triangle.closest(p[query], *self._corners[:, triangle])
            return np.sqrt(found.distance_sq), found.point

        gap, slack, limit = partial(gaps, p), self._slack(p), np.full(len(p), np.inf)
        leaf = self._search(gap, limit, straight=True)
        np.minimum.at(limit, leaf[0], measured(*leaf)[0])
        pairs = self._search(gap, limit + slack)
        return _first(len(p), pairs, measured(*pairs))

    def _first_hits(self, start: Floats, end: Floats) -> tuple[Any, ...]:
        """Try triangles on segments that enter their boxes."""
        enter = partial(entries, start, end, self._slack(start, end))
        query, triangle = self._search(enter, np.ones(len(start)))
        corners = self._corners[:, triangle]
        found = segment_triangle.hit(start[query], end[query], *corners)
        values = np.where(found.hit, found.t, np.inf), found.point
        return _first(len(start), (query, triangle), values, UNSURE)

    def _search(
        self,
        bound: Callable[[Longs, Box], Floats],
        limit: Floats,
        straight: bool = False,
    ) -> Pairs:
        """Go down from the root where bounds are within the limits of queries.

        ``straight``: each to one leaf, always where the bound is least; of equal ones
        the smallest.
        """
        query, node = np.arange(len(limit)), np.zeros(len(limit), np.intp)
        found = [(query[:0], node[:0])]
        while len(self) and len(query):
            normal = self._normal[node] if self._oblique else None
            box = Box(self._lower[node], self._upper[node], normal)
            value = bound(query, box)
            keep = np.flatnonzero(value <= limit[query])
            if straight:
                order = np.lexsort(((box.upper - box.lower).max(axis=1), value, query))
                keep = order[np.unique(query[order], return_index=True)[1]]
            query, node = query[keep], node[keep]
            held, children = self._count[node], self._children[node]
            place = ranges(self._first[node], held)
            found.append((np.repeat(query, held), self._held[place]))
            query = np.repeat(query, children)
            node = ranges(self._child[node], children)
        query, triangle = map(np.concatenate, zip(*found, strict=True))
        near = bound(query, self._box_of(triangle)) <= limit[query]
        return query[near], triangle[near]

    def _slack(self, *points: Floats) -> Floats:
        """Return what rounding may take from a distance or height of (N, 3) points."""
        size: Floats = np.abs(np.stack(points)).max(axis=(0, 2), initial=self._largest)
        return SLACK * size

    def _box_of(self, triangle: Longs) -> Box:
        return Box(*(side[triangle] for side in self._sides))

    def _levels(self) -> Iterator[tuple[Any, ...]]:
        """Divide all nodes of one depth at once, depth after depth."""
        normal = np.zeros((1, 3))
        node, triangle = np.zeros(len(self), np.intp), np.arange(len(self))
        for depth in range(self.max_depth + 1):
            count = np.bincount(node, minlength=1)
            lower, upper, _ = self._box_of(triangle)
            if self._oblique:
                high = heights(self._corners[:, triangle], normal[node])
                lower = np.column_stack([lower, high.min(axis=0)])
                upper = np.column_stack([upper, high.max(axis=0)])
            if len(self):
                first = np.cumsum(count) - count
                lower = np.minimum.reduceat(lower, first)
                upper = np.maximum.reduceat(upper, first)
            large, part = (count > CAPACITY) & (depth < self.max_depth), 0 * node
            among, normals = large[node], 0.0 * normal
            if among.any():
                few = (np.cumsum(large) - 1)[node[among]]
                part[among], normals[large] = self._split(triangle[among], few)
            cells, cell = np.unique(8 * node + part, return_inverse=True)
            children = np.bincount(cells // 8, minlength=1)
            leaf = children < 2
            children[leaf], count[~leaf] = 0, 0
            yield lower, upper, normal, children, count, triangle[leaf[node]]
            if leaf.all():
                return
            order = np.argsort(cell, kind="stable")
            order = order[~leaf[node[order]]]
            normal = normals[cells[~leaf[cells // 8]] // 8]
            node = np.unique(cell[order], return_inverse=True)[1]
            triangle = triangle[order]

    @abstractmethod
    def _split(self, triangle: Longs, node: Longs) -> tuple[Longs, Floats | float]:
        """Divide nodes: the part of each triangle, 0 to 7, and normals of planes.

        Parameters: ``triangle``, ``node`` (K,): entries, sorted by node.
        """


def _places(**named: ArrayLike) -> Floats:
    """Check the one array of points that is named."""
    arguments.points(3, **named)
    ((name, given),) = named.items()
    p = np.asarray(given, np.float64)
    if np.abs(p).max(initial=0.0) > LARGEST:
        raise ValueError(f"{name}: a coordinate is beyond {LARGEST:g}; scale all down")
    return p


def _first(
    n: int, pairs: Pairs, values: tuple[Floats, Floats], unsure: float = 0.0
) -> tuple[Longs, Floats, Floats, Longs]:
    """Choose of each query the lowest triangle whose value is the least, or so near."""
    (query, triangle), (value, point) = pairs, values
    found = np.full(n, -1), np.full(n, np.inf), np.full((n, 3), np.nan)
    least = found[1].copy()
    np.minimum.at(least, query, value)
    near = np.flatnonzero(np.isfinite(value) & (value <= least[query] + unsure))
    near = near[np.lexsort((triangle[near], query[near]))]
    rows, first = np.unique(query[near], return_index=True)
    for out, column in zip(found, (triangle, value, point), strict=True):
        out[rows] = column[near[first]]
    return *found, np.bincount(query, minlength=n)
