"""Search a tree of boxes in flat arrays for many queries at once.

The tree says which triangles cannot matter; the primitives decide among the others.
Which triangle a segment meets first is found in order of their boxes, exactly in ties.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.primitives import arguments, point_triangle, segment_triangle
from wingedge.spatial.triangles import (
    Bools,
    Floats,
    Longs,
    Pairs,
    TriangleSet,
    entries,
    exact_time,
    gaps,
    spread,
    unique,
)

QUERIES = 256  # at a time, which bounds the memory of a batch
LISTED = 2**20  # triangles for a batch where each query meets the longest list
MEASURED = 2**16  # pairs for `nearest` at a time: what fits into the cache
TRIED = 2**14  # pairs for `first_hit` at a time
ROUND = 4  # triangles of a segment that are tried first; then twice as many, ...
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


# The nodes of one depth: their boxes, how many children each has, how many triangles
# each leaf lists, and those triangles.
Level = tuple[Floats, Floats, Longs, Longs, Longs]
Found = TypeVar("Found", NearestTriangle, FirstHit)


def _none(kind: type[Found], n: int) -> Found:
    """Return the answers to so many queries of an empty set."""
    triangle, tested = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    return kind(triangle, np.full(n, np.inf), np.full((n, 3), np.nan), tested)


class TriangleIndex(ABC):
    """Answer queries about a set of triangles at one set of positions.

    Every tree gives the same answers, to the bit: those of trying all triangles. Build
    anew after a deformation; two deforming bodies are better left to `sim.PairTracker`,
    which keeps nothing that was computed from positions: see docs/many_triangles.md.

    Raises ValueError: a shape, a number that is not finite, a row of ``points`` that
    does not exist, a query 2^400 times as far as the triangles.

    Parameters
    ----------
    points : (T, 3, 3) or (V, 3) array_like
        Corners of triangles, or positions if ``faces`` is given; one frame, any unit.
        Copied. Triangles of no area are the segments and points that they are.
    faces : (T, 3) array_like of int, optional
        Rows of ``points``: the corners of every triangle, as in ``mesh.fan.vertex``.
    capacity : int
        A node with more triangles than this is divided.
    max_depth : int, optional
        How often at most; left out, what the class says.
    """

    # Nodes in order of their depth; the children of a node follow one another.  A
    # triangle lies in every leaf into whose region it reaches.
    max_depth: int

    def __init__(
        self,
        points: ArrayLike,
        faces: ArrayLike | None = None,
        *,
        capacity: int = 12,
        max_depth: int | None = None,
    ) -> None:
        self._set = TriangleSet(points, faces)
        max_depth = self.max_depth if max_depth is None else max_depth
        if capacity < 1 or max_depth < 0:
            raise ValueError(
                f"capacity, max_depth: expected at least 1 and 0, got {capacity} and "
                f"{max_depth}"
            )
        point, one = np.zeros((1, 3)), np.zeros(1, np.intp)
        levels = [(point, point, one, one, one[:0])]  # over an empty set
        if len(self):
            levels = list(self._levels(capacity, max_depth))
        lower, upper, children, count, held = zip(*levels, strict=True)
        self._lower, self._upper = np.concatenate(lower), np.concatenate(upper)
        self._children, self._count = np.concatenate(children), np.concatenate(count)
        self._held = np.concatenate(held)  # triangles of all leaves
        self._child = 1 + np.cumsum(self._children) - self._children  # the first one
        self._first = np.cumsum(self._count) - self._count  # where a leaf begins
        self.depth = len(levels) - 1  # how many times the root was divided

    def __len__(self) -> int:
        """Return the number of triangles."""
        return len(self._set.triangles)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} triangles>"

    @property
    def triangles(self) -> Floats:
        """The corners, (T, 3, 3), as given; read-only."""
        return self._set.triangles

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the index takes beside the triangles themselves."""
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))

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
        a, b = self._set.scaled(low), self._set.scaled(high)

        def meets(_: Longs, node: Longs) -> Bools:
            apart = (self._lower[node] > b) | (self._upper[node] < a)
            return np.asarray(~apart.any(axis=1))

        triangle = self._search(1, meets)[1]
        apart = self._set.lowest[triangle] > high
        apart |= self._set.highest[triangle] < low
        return np.unique(triangle[~apart.any(axis=1)])

    def within(self, center: ArrayLike, radius: float) -> Longs:
        """List the triangles at distance <= radius, sorted.

        The distance is that of `nearest`: the nearest triangle is within it, always.

        Parameters: ``center`` (3,); ``radius``: a length, not negative.
        """
        p = self._set.queries(center=center)
        (limit,) = arguments.lengths(radius=radius)
        if p.ndim != 1 or limit.ndim:
            raise ValueError(f"center, radius: expected one ball, got {p.shape} points")
        p = p[None]
        reach = self._set.scaled(limit[None]) + self._set.slack(p)
        query, triangle = self._around(p, reach)
        distance, _ = self._measure(p, query, triangle)
        return np.asarray(triangle[self._set.restored(distance) <= limit])

    def nearest(self, p: ArrayLike) -> NearestTriangle:
        """Find the triangle nearest to each point; of equal ones the lowest number.

        Parameters: ``p`` (..., 3). Many at once cost a tenth to a hundredth each of
        what one does alone.
        """
        found = self._batched(NearestTriangle, self._nearest, self._set.queries(p=p))
        return found._replace(distance=self._set.restored(found.distance))

    def first_hit(self, start: ArrayLike, end: ArrayLike) -> FirstHit:
        """Find the triangle that each segment meets first; of equal ones the lowest.

        Whether and in which order triangles are met is exact; touching counts.

        Parameters: ``start``, ``end`` (..., 3): ends of segments; shapes broadcast. One
        of no length is its point.
        """
        first, last = self._set.queries(start=start), self._set.queries(end=end)
        both = np.broadcast_arrays(first, last)
        return self._batched(FirstHit, self._first_hits, *both)

    def _batched(
        self, kind: type[Found], answer: Callable[..., Found], *points: Floats
    ) -> Found:
        """Answer for points (..., 3) so many at a time."""
        shape = points[0].shape[:-1]
        flat = [p.reshape(-1, 3) for p in points]
        n = len(flat[0]) if len(self) else 0
        out = _none(kind, len(flat[0]))
        # a set that no division helps is one long list
        size = max(1, min(QUERIES, LISTED // int(self._count.max(initial=1))))
        for k in range(0, n, size):
            found = answer(*(p[k : k + size] for p in flat))
            for whole, part in zip(out, found, strict=True):
                whole[k : k + size] = part
        first, second, point, tested = out
        return kind(
            first.reshape(shape),
            second.reshape(shape),
            self._set.restored(point).reshape(*shape, 3),
            tested.reshape(shape),
        )

    def _nearest(self, p: Floats) -> NearestTriangle:
        """Measure those of one leaf, then all that may be as close."""
        node, query = np.zeros(len(p), np.intp), np.arange(len(p))
        while len(query := query[self._children[node[query]] > 0]):
            which, child = spread(self._child[node[query]], self._children[node[query]])
            order = np.lexsort((self._apart(p[query[which]], child), which))
            node[query] = child[order[np.searchsorted(which, np.arange(len(query)))]]
        query, place = spread(self._first[node], self._count[node])
        triangle = self._held[place]
        distance, point = self._measure(p, query, triangle)
        reach = np.full(len(p), np.inf)
        np.minimum.at(reach, query, distance)
        pairs = self._around(p, reach + self._set.slack(p))
        known = query * len(self) + triangle
        fresh = ~np.isin(pairs[0] * len(self) + pairs[1], known)
        if fresh.any():
            more = pairs[0][fresh], pairs[1][fresh]
            measured = distance, point, query, triangle
            distance, point, query, triangle = (
                np.concatenate(both)
                for both in zip(
                    measured, (*self._measure(p, *more), *more), strict=True
                )
            )
        order = np.lexsort((triangle, distance, query))
        first = order[np.searchsorted(query[order], np.arange(len(p)))]
        tested = np.bincount(query, minlength=len(p))
        return NearestTriangle(triangle[first], distance[first], point[first], tested)

    def _measure(self, p: Floats, query: Longs, triangle: Longs) -> tuple[Floats, ...]:
        """Measure distances and nearest points of pairs, scaled."""
        distance, point = np.empty(len(query)), np.empty((len(query), 3))
        for k in range(0, len(query), MEASURED):
            part = slice(k, k + MEASURED)
            corners = self._set.corners(triangle[part])
            found = point_triangle.closest(p[query[part]], *corners)
            distance[part], point[part] = np.sqrt(found.distance_sq), found.point
        return distance, point

    def _around(self, p: Floats, reach: Floats) -> Pairs:
        """List all triangles within reach of points once, and others perhaps."""

        def meets(query: Longs, node: Longs) -> Bools:
            near = gaps(p[query], self._lower[node], self._upper[node]) <= reach[query]
            return near & self._before(node, reach[query], p[query])

        query, triangle = self._search(len(p), meets)
        low, high = self._set.lower[triangle], self._set.upper[triangle]
        keep = gaps(p[query], low, high) <= reach[query]
        return unique((query[keep], triangle[keep]), len(self))

    def _first_hits(self, start: Floats, end: Floats) -> FirstHit:
        """Try triangles on segments, those first whose boxes are entered first."""
        slack = self._set.slack(start, end)

        def entered(query: Longs, lower: Floats, upper: Floats) -> Floats:
            return entries(start[query], end[query], lower, upper, slack[query])

        def meets(query: Longs, node: Longs) -> Bools:
            enter = entered(query, self._lower[node], self._upper[node])
            ends = start[query], end[query]
            return np.isfinite(enter) & self._before(node, slack[query], *ends)

        query, triangle = unique(self._search(len(start), meets), len(self))
        low, high = self._set.lower[triangle], self._set.upper[triangle]
        enter = entered(query, low, high)
        order = np.lexsort((enter, query))
        order = order[np.isfinite(enter[order])]
        query, triangle, enter = query[order], triangle[order], enter[order]
        rank = np.arange(len(query)) - np.searchsorted(query, query)
        t, point = np.full(len(query), np.inf), np.full((len(query), 3), np.nan)
        least, tested = np.full(len(start), np.inf), np.zeros(len(start), np.intp)
        done, size = 0, ROUND
        while done <= rank.max(initial=-1):
            turn = (rank >= done) & (rank < done + size)
            now = np.flatnonzero(turn & (enter <= least[query] + UNSURE))
            for part in (now[k : k + TRIED] for k in range(0, len(now), TRIED)):
                row, corners = query[part], self._set.corners(triangle[part])
                found = segment_triangle.hit(start[row], end[row], *corners)
                hit = part[found.hit]
                t[hit], point[hit] = found.t[found.hit], found.point[found.hit]
            np.minimum.at(least, query[now], t[now])
            tested += np.bincount(query[now], minlength=len(start))
            done, size = done + size, 2 * size
        answer = _none(FirstHit, len(start))._replace(tested=tested)
        near = np.flatnonzero(np.isfinite(t) & (t <= least[query] + UNSURE))
        near = near[np.lexsort((triangle[near], query[near]))]
        rows, first, count = np.unique(
            query[near], return_index=True, return_counts=True
        )
        for row, k, n in zip(rows, first, count, strict=True):
            tied = near[k : k + n]
            if n > 1:  # the first in time, of equal ones the lowest
                ends = start[row], end[row]
                times = [
                    exact_time(float(x), *ends, three)
                    for x, *three in zip(
                        t[tied], *self._set.corners(triangle[tied]), strict=True
                    )
                ]
                tied = tied[times.index(min(times)) :]
            answer.triangle[row], answer.t[row] = triangle[tied[0]], t[tied[0]]
            answer.point[row] = point[tied[0]]
        return answer

    def _search(self, n: int, meets: Callable[[Longs, Longs], Bools]) -> Pairs:
        """Go down from the root where ``meets(query, node)``; list what leaves hold."""
        query, node = np.arange(n), np.zeros(n, np.intp)
        queries, triangles = [], []
        while len(query):
            keep = meets(query, node)
            query, node = query[keep], node[keep]
            which, place = spread(self._first[node], self._count[node])
            queries.append(query[which])
            triangles.append(self._held[place])
            which, node = spread(self._child[node], self._children[node])
            query = query[which]
        return np.concatenate(queries), np.concatenate(triangles)

    def _levels(self, capacity: int, max_depth: int) -> Iterator[Level]:
        """Divide all nodes of one depth at once, depth after depth."""
        node, triangle = np.zeros(len(self), np.intp), np.arange(len(self))
        for depth in range(max_depth + 1):
            count = np.bincount(node)
            lower, upper = self._bounds(triangle, np.cumsum(count) - count)
            divide = (count > capacity) & (depth < max_depth)
            entry, part = self._split(node, triangle, count, divide)
            code = node[entry] * 8 + part
            order = np.argsort(code, kind="stable")
            cells, below = np.unique(code[order], return_inverse=True)
            parent, part = np.divmod(cells, 8)
            children = np.bincount(parent, minlength=len(count))
            leaf = children == 0
            yield lower, upper, children, np.where(leaf, count, 0), triangle[leaf[node]]
            if not len(cells):
                return
            self._enter(parent, part)
            node, triangle = below, triangle[entry[order]]

    def _bounds(self, triangle: Longs, first: Longs) -> tuple[Floats, Floats]:
        """Return the boxes of nodes, whose triangles begin so far on in the list."""
        return (
            np.minimum.reduceat(self._set.lower[triangle], first),
            np.maximum.reduceat(self._set.upper[triangle], first),
        )

    # What a rule of division has to know, in scaled units.

    @abstractmethod
    def _split(
        self, node: Longs, triangle: Longs, count: Longs, divide: Bools
    ) -> tuple[Longs, Longs]:
        """List which entries go into which part of their nodes, 0 to 7.

        Parameters: ``node``, ``triangle`` (K,): the entries, sorted by node; ``count``,
        ``divide`` (n,): how many a node has, and whether it may be divided.
        """

    @abstractmethod
    def _enter(self, parent: Longs, part: Longs) -> None:
        """Go on to these parts of the nodes of the last depth."""

    def _apart(self, p: Floats, node: Longs) -> Floats:
        """Say how little nodes suit points; they go down to the one of least."""
        return gaps(p, self._lower[node], self._upper[node])

    def _before(self, node: Longs, slack: Floats, *points: Floats) -> Bools:
        """Tell whether one of each row of points may be in the region of its node."""
        return np.ones(len(node), np.bool_)
