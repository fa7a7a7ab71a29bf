"""Search a tree of boxes in flat arrays for many queries at once.

The tree says which triangles cannot matter; the primitives decide among the others.
Which triangle a segment meets first is decided exactly in ties.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.positions import LARGEST, SMALLEST
from wingedge.primitives import arguments, point_triangle, segment_triangle
from wingedge.spatial.boxes import (
    SLACK,
    Box,
    Floats,
    Longs,
    entries,
    exact_time,
    gaps,
    heights,
)
from wingedge.tables import frozen, ranges

QUERIES = 256  # at a time, which bounds the memory of a batch
LISTED = 2**20  # triangles for a batch where each query meets the longest list
TRIED = 2**14  # pairs at a time: what fits into the cache
# Times of `segment_triangle.hit` are within 6e-14: below twice that, and the rounding
# of the difference, two of them do not tell which is first.
UNSURE = 1.3e-13


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


Pairs = tuple[Longs, Longs]  # queries, and triangles to try on them


class TriangleIndex(ABC):
    """Answer queries about a set of triangles at one set of positions.

    Every tree gives the same answers, to the bit: those of trying all triangles. Build
    anew after a deformation; two deforming bodies are better left to `sim.PairTracker`,
    which keeps nothing that was computed from positions: see docs/articles.md.

    Raises ValueError: a shape, a number that is not finite, a row of ``points`` that
    does not exist, a coordinate beyond 1e50, triangles smaller than 1e-50.

    Parameters: ``points`` (T, 3, 3) or (V, 3): corners of triangles, or positions if
    ``faces`` is given; one frame, any unit. Copied. Triangles of no area are the
    segments and points that they are; ``faces`` (T, 3): rows of ``points``: the corners
    of every triangle, as in ``mesh.fan.vertex``; ``capacity``: a node with more
    triangles than this is divided; ``max_depth``: how often at most; left out, what the
    class says.
    """

    # Nodes in order of their depth; the children of a node follow one another. Every
    # triangle is in one leaf. The box of a node holds its triangles, also along the
    # normal of the plane that divided the node above, where planes divide.
    max_depth: int
    _oblique = False

    def __init__(
        self,
        points: ArrayLike,
        faces: ArrayLike | None = None,
        *,
        capacity: int = 12,
        max_depth: int | None = None,
    ) -> None:
        self.triangles = frozen(_triangles(points, faces))  # (T, 3, 3), as given
        self._corners = self.triangles.transpose(1, 0, 2)
        self._sides = self._corners.min(axis=0), self._corners.max(axis=0)
        self._largest = float(np.abs(self.triangles).max(initial=0.0))
        max_depth = self.max_depth if max_depth is None else max_depth
        if capacity < 1 or max_depth < 0:
            raise ValueError(
                f"capacity, max_depth: expected at least 1 and 0, got {capacity} and "
                f"{max_depth}"
            )
        levels = list(self._levels(capacity, max_depth))
        self.depth = len(levels) - 1  # how many times the root was divided
        whole = map(np.concatenate, zip(*levels, strict=True))
        self._lower, self._upper, self._normal, children, count, self._held = whole
        self._children, self._count = children, count
        self._child = 1 + np.cumsum(children) - children  # the first one
        self._first = np.cumsum(count) - count  # where a leaf begins

    def __len__(self) -> int:
        """Return the number of triangles."""
        return len(self.triangles)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} triangles>"

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the index takes beside the triangles themselves."""
        own = (a for a in vars(self).values() if isinstance(a, np.ndarray))
        return sum(a.nbytes for a in own if a.base is None) - self.triangles.nbytes

    @property
    def n_nodes(self) -> int:
        """The number of nodes, leaves included."""
        return len(self._child)

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

    def within(self, center: ArrayLike, radius: float) -> Longs:
        """List the triangles at distance <= radius, sorted.

        The distance is that of `nearest`: the nearest triangle is within it, always.

        Parameters: ``center`` (3,); ``radius``: a length, not negative.
        """
        p = _places(center=center)
        (limit,) = arguments.lengths(radius=radius)
        if p.ndim != 1 or limit.ndim:
            raise ValueError(f"center, radius: expected one ball, got {p.shape} points")
        p = p[None]
        query, triangle = self._search(partial(gaps, p), limit + self._slack(p))
        return np.sort(triangle[self._measured(p, query, triangle)[0] <= limit])

    def nearest(self, p: ArrayLike) -> NearestTriangle:
        """Find the triangle nearest to each point; of equal ones the lowest number.

        Parameters: ``p`` (..., 3). Many at once cost a tenth to a hundredth each of
        what one does alone.
        """
        return NearestTriangle(*self._batched(self._nearest, _places(p=p)))

    def first_hit(self, start: ArrayLike, end: ArrayLike) -> FirstHit:
        """Find the triangle that each segment meets first; of equal ones the lowest.

        Whether and in which order triangles are met is exact; touching counts.

        Parameters: ``start``, ``end`` (..., 3): ends of segments; shapes broadcast. One
        of no length is its point.
        """
        both = np.broadcast_arrays(_places(start=start), _places(end=end))
        return FirstHit(*self._batched(self._first_hits, *both))

    def _batched(self, answer: Callable[..., Any], *points: Floats) -> Iterator[Any]:
        """Answer for points (..., 3) so many at a time."""
        shape, n = points[0].shape[:-1], points[0].size // 3
        # a set that no division helps is one long list
        size = max(1, min(QUERIES, LISTED // (1 + int(self._count.max()))))
        parts = [
            answer(*(p.reshape(-1, 3)[k : k + size] for p in points))
            for k in range(0, max(n, 1), size)
        ]
        for column in map(np.concatenate, zip(*parts, strict=True)):
            yield column.reshape(shape + column.shape[1:])

    def _nearest(self, p: Floats) -> tuple[Any, ...]:
        """Measure those of one leaf, then all that may be as close."""
        gap, slack, limit = (partial(gaps, p), self._slack(p), np.full(len(p), np.inf))
        ask = partial(self._measured, p)
        leaf = self._search(gap, limit, straight=True)
        np.minimum.at(limit, leaf[0], ask(*leaf)[0])
        return _first(len(p), self._search(gap, limit + slack), ask)

    def _measured(
        self, p: Floats, query: Longs, triangle: Longs
    ) -> tuple[Floats, Floats]:
        """Measure distances and nearest points of pairs."""
        found = point_triangle.closest(p[query], *self._corners[:, triangle])
        return np.sqrt(found.distance_sq), found.point

    def _first_hits(self, start: Floats, end: Floats) -> tuple[Any, ...]:
        """Try triangles on segments that enter their boxes."""

        def hit(query: Longs, triangle: Longs) -> tuple[Floats, Floats]:
            corners = self._corners[:, triangle]
            found = segment_triangle.hit(start[query], end[query], *corners)
            return np.where(found.hit, found.t, np.inf), found.point

        def time(t: float, query: int, triangle: int) -> Any:
            corners = self._corners[:, triangle]
            return exact_time(t, start[query], end[query], corners)

        enter = partial(entries, start, end, self._slack(start, end))
        pairs = self._search(enter, np.ones(len(start)))
        return _first(len(start), pairs, hit, time)

    def _search(
        self,
        bound: Callable[[Longs, Box], Floats],
        limit: Floats,
        straight: bool = False,
    ) -> Pairs:
        """Go down from the root where bounds are within the limits of queries.

        ``straight``: each query to one leaf, always where the bound is least;
        of equal ones the smallest.
        """
        query, node = np.arange(len(limit)), np.zeros(len(limit), np.intp)
        found = [(query[:0], node[:0])]
        while len(self) and len(query):
            box = self._box(node)
            value = bound(query, box)
            keep = np.flatnonzero(value <= limit[query])
            if straight:
                order = np.lexsort(((box.upper - box.lower).max(axis=1), value, query))
                keep = order[np.unique(query[order], return_index=True)[1]]
            query, node = query[keep], node[keep]
            held, children = self._count[node], self._children[node]
            place = ranges(self._first[node], held)
            found.append((np.repeat(query, held), self._held[place]))
            query, node = (
                np.repeat(query, children),
                ranges(self._child[node], children),
            )
        query, triangle = map(np.concatenate, zip(*found, strict=True))
        near = bound(query, self._box_of(triangle)) <= limit[query]
        return query[near], triangle[near]

    def _slack(self, *points: Floats) -> Floats:
        """Return what rounding may take from a distance or height of (N, 3) points."""
        size: Floats = np.abs(np.stack(points)).max(axis=(0, 2), initial=self._largest)
        return SLACK * size

    def _box_of(self, triangle: Longs) -> Box:
        return Box(*(side[triangle] for side in self._sides))

    def _box(self, node: Longs) -> Box:
        normal = self._normal[node] if self._oblique else None
        return Box(self._lower[node], self._upper[node], normal)

    def _levels(self, capacity: int, max_depth: int) -> Iterator[tuple[Any, ...]]:
        """Divide all nodes of one depth at once, depth after depth."""
        normal = np.zeros((1, 3))
        node, triangle = np.zeros(len(self), np.intp), np.arange(len(self))
        for depth in range(max_depth + 1):
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
            large, part = (count > capacity) & (depth < max_depth), 0 * node
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

        Parameters: ``triangle``, ``node`` (K,): entries, sorted by node; each
        node has one or more.
        """


def _places(**named: ArrayLike) -> Floats:
    """Check the one array of query points that is named."""
    arguments.points(3, **named)
    ((name, given),) = named.items()
    p = np.asarray(given, np.float64)
    if np.abs(p).max(initial=0.0) > LARGEST:
        raise ValueError(f"{name}: a coordinate is beyond {LARGEST:g}; scale all down")
    return p


def _triangles(points: ArrayLike, faces: ArrayLike | None) -> Floats:
    array = np.array(points, dtype=np.float64, order="C")
    rows = None if faces is None else np.asarray(faces)
    if rows is not None and rows.size:
        if array.ndim != 2 or array.shape[1] != 3:
            raise ValueError(f"points: expected positions (V, 3), got {array.shape}")
        if rows.ndim != 2 or rows.shape[1] != 3 or rows.dtype.kind not in "iu":
            raise ValueError(
                f"faces: expected whole numbers (T, 3), got {rows.dtype} {rows.shape}; "
                f"polygons as triangles are mesh.fan.vertex"
            )
        for row, k in np.argwhere((rows < 0) | (rows >= len(array))):
            raise ValueError(
                f"faces[{row}][{k}] is {rows[row, k]}: points has {len(array)} rows"
            )
        array = array[rows]
    elif rows is not None or array.size == 0:
        array = np.zeros((0, 3, 3))
    if array.ndim != 3 or array.shape[1:] != (3, 3):
        raise ValueError(
            f"points: expected triangles (T, 3, 3), or positions (V, 3) with faces; "
            f"got {array.shape}"
        )
    if 0.0 < np.abs(_places(triangles=array)).max(initial=0.0) < SMALLEST:
        raise ValueError(f"triangles: all are below {SMALLEST:g}; scale them up")
    return array


def _first(
    n: int,
    pairs: Pairs,
    ask: Callable[[Longs, Longs], tuple[Floats, Floats]],
    exact: Callable[[Any, Any, Any], Any] | None = None,
) -> tuple[Longs, Floats, Floats, Longs]:
    """Choose of each query the triangle of the least value; of equal ones the lowest.

    ``exact`` tells what values are that floats cannot tell apart.
    """
    query, triangle = pairs
    pieces = [slice(k, k + TRIED) for k in range(0, len(query) + 1, TRIED)]
    asked = [ask(query[some], triangle[some]) for some in pieces]
    value, point = map(np.concatenate, zip(*asked, strict=True))
    found = np.full(n, -1), np.full(n, np.inf), np.full((n, 3), np.nan)
    tested = np.bincount(query, minlength=n)
    near = np.flatnonzero(np.isfinite(value))
    near = near[np.lexsort((triangle[near], value[near], query[near]))]
    rows, first = np.unique(query[near], return_index=True)
    best = near[first]
    if exact is not None:
        for k, some in enumerate(np.split(near, first[1:])[: len(rows)]):
            some = some[value[some] <= value[best[k]] + UNSURE]
            if len(some) > 1:
                times = [
                    (exact(value[j], rows[k], triangle[j]), triangle[j], j)
                    for j in some
                ]
                best[k] = min(times)[2]
    for out, values in zip(found, (triangle, value, point), strict=True):
        out[rows] = values[best]
    return *found, tested
