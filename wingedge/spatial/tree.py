"""Search a tree of boxes in flat arrays for many queries at once.

The tree says which triangles cannot matter; the primitives decide among the others.
Which triangle a segment meets first is found in order of their boxes, exactly in ties.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.primitives import arguments, point_triangle, segment_triangle
from wingedge.spatial.triangles import (
    Box,
    Floats,
    Longs,
    TriangleSet,
    entries,
    exact_time,
    gaps,
    heights,
)
from wingedge.tables import ranges

QUERIES = 256  # at a time, which bounds the memory of a batch
LISTED = 2**20  # triangles for a batch where each query meets the longest list
TRIED = 2**14  # pairs at a time: what fits into the cache
ROUND = 12  # triangles of a query that are tried first; then twice as many, ...
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


Found = TypeVar("Found", NearestTriangle, FirstHit)


class TriangleIndex(ABC):
    """Answer queries about a set of triangles at one set of positions.

    Every tree gives the same answers, to the bit: those of trying all triangles. Build
    anew after a deformation; two deforming bodies are better left to `sim.PairTracker`,
    which keeps nothing that was computed from positions: see docs/articles.md.

    Raises ValueError: a shape, a number that is not finite, a row of ``points`` that
    does not exist, a query 2^400 times as far as the triangles.

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
        self._set = TriangleSet(points, faces)
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

        def apart(_: Longs, box: Box) -> Floats:
            beside = (box.lower[:, :3] > b) | (box.upper[:, :3] < a)
            return np.asarray(beside.any(axis=1), np.float64)

        triangle = self._search(apart, np.zeros(1))[1]
        corners = self._set.triangles[triangle]
        beside = (corners.min(axis=1) > high) | (corners.max(axis=1) < low)
        return np.sort(triangle[~beside.any(axis=1)])

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
        beyond = np.nextafter(limit[None], np.inf)  # distances round, denormal ones too
        reach = self._set.scaled(beyond) + self._set.slack(p)
        query, triangle, _ = self._search(partial(gaps, p), reach)
        distance = self._set.scaled(self._measured(p, query, triangle)[0], 1)
        return np.sort(triangle[distance <= limit])

    def nearest(self, p: ArrayLike) -> NearestTriangle:
        """Find the triangle nearest to each point; of equal ones the lowest number.

        Parameters: ``p`` (..., 3). Many at once cost a tenth to a hundredth each of
        what one does alone.
        """
        found = self._batched(NearestTriangle, self._nearest, self._set.queries(p=p))
        return found._replace(distance=self._set.scaled(found.distance, 1))

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
        self, kind: type[Found], answer: Callable[..., None], *points: Floats
    ) -> Found:
        """Answer for points (..., 3) so many at a time."""
        shape, n = points[0].shape[:-1], points[0].size // 3
        far, none = np.full(n, np.inf), np.full((n, 3), np.nan)
        out = kind(np.full(n, -1), far, none, np.zeros(n, int))
        # a set that no division helps is one long list
        size = max(1, min(QUERIES, LISTED // (1 + int(self._count.max()))))
        for k in range(0, n if len(self) else 0, size):
            part = slice(k, k + size)
            rows = (p.reshape(-1, 3)[part] for p in points)
            answer(kind._make(x[part] for x in out), *rows)
        out.point[...] = self._set.scaled(out.point, 1)
        return kind._make(x.reshape(shape + x.shape[1:]) for x in out)

    def _nearest(self, out: NearestTriangle, p: Floats) -> None:
        """Measure those of one leaf, then all that may be as close."""
        gap, ask = partial(gaps, p), partial(self._measured, p)
        slack = self._set.slack(p)

        def as_is(distance: float, *_: int) -> float:
            return distance

        leaf = self._search(gap, out.distance, straight=True)
        self._choose(out, leaf, slack, ask, as_is)
        query, triangle, least = self._search(gap, out.distance + slack)
        asked, pairs = leaf[0] * len(self) + leaf[1], query * len(self) + triangle
        new = ~np.isin(pairs, asked)
        rest = query[new], triangle[new], least[new]
        self._choose(out, rest, slack, ask, as_is)

    def _measured(
        self, p: Floats, query: Longs, triangle: Longs
    ) -> tuple[Floats, Floats]:
        """Measure distances and nearest points of pairs, scaled."""
        found = point_triangle.closest(p[query], *self._set.corners(triangle))
        return np.sqrt(found.distance_sq), found.point

    def _first_hits(self, out: FirstHit, start: Floats, end: Floats) -> None:
        """Try triangles on segments, those first whose boxes are entered first."""

        def hit(query: Longs, triangle: Longs) -> tuple[Floats, Floats]:
            corners = self._set.corners(triangle)
            found = segment_triangle.hit(start[query], end[query], *corners)
            return np.where(found.hit, found.t, np.inf), found.point

        def time(t: float, query: int, triangle: int) -> Fraction:
            corners = (x[0] for x in self._set.corners(np.array([triangle])))
            return exact_time(t, start[query], end[query], [*corners])

        enter = partial(entries, start, end, self._set.slack(start, end))
        pairs = self._search(enter, np.ones(len(start)))
        self._choose(out, pairs, np.full(len(start), UNSURE), hit, time)

    def _choose(
        self,
        out: Found,
        pairs: tuple[Longs, Longs, Floats],
        doubt: Floats,
        ask: Callable[[Longs, Longs], tuple[Floats, Floats]],
        exact: Callable[[Any, Any, Any], Any],
    ) -> None:
        """Ask about pairs, of the least bounds first, while they may be the first.

        Of those that are as near, less ``doubt``, the least is the first, or that which
        ``exact`` says; of equal ones the lowest.
        """
        order = np.lexsort((pairs[2], pairs[0]))
        query, triangle, bound = pairs[0][order], pairs[1][order], pairs[2][order]
        rank = np.arange(len(query)) - np.searchsorted(query, query)
        value, point = np.full(len(query), np.inf), np.empty((len(query), 3))
        least = out[1].copy()
        done, size = 0, ROUND
        while done <= rank.max(initial=-1):
            turn = (rank >= done) & (rank < done + size)
            now = np.flatnonzero(turn & (bound <= (least + doubt)[query]))
            for part in (now[k : k + TRIED] for k in range(0, len(now), TRIED)):
                value[part], point[part] = ask(query[part], triangle[part])
            np.minimum.at(least, query[now], value[now])
            out.tested[...] += np.bincount(query[now], minlength=len(least))
            done, size = done + size, 2 * size
        near = np.flatnonzero(np.isfinite(value) & (value <= (least + doubt)[query]))
        near = near[np.lexsort((triangle[near], value[near], query[near]))]
        rows, first, count = np.unique(
            query[near], return_index=True, return_counts=True
        )
        best = near[first]
        for k in np.flatnonzero(count > 1):
            tied = near[first[k] : first[k] + count[k]]
            times = [(exact(value[j], rows[k], triangle[j]), triangle[j]) for j in tied]
            best[k] = tied[times.index(min(times))]
        old = out[1][rows]
        better = (value[best] == old) & (triangle[best] < out.triangle[rows])
        better |= value[best] < old
        rows, best = rows[better], best[better]
        out.triangle[rows], out[1][rows] = triangle[best], value[best]
        out.point[rows] = point[best]

    def _search(
        self,
        bound: Callable[[Longs, Box], Floats],
        limit: Floats,
        straight: bool = False,
    ) -> tuple[Longs, Longs, Floats]:
        """Go down from the root where bounds are within the limits of queries.

        ``straight``: each query to one leaf, always where the bound is least. Returns
        queries, triangles to try on them, and the bounds of these.
        """
        query, node = np.arange(len(limit)), np.zeros(len(limit), np.intp)
        found = [(query[:0], node[:0])]
        while len(self) and len(query):
            value = bound(query, self._box(node))
            keep = np.flatnonzero(value <= limit[query])
            if straight:
                order = np.lexsort((value, query))
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
        value = bound(query, self._set.box(triangle))
        near = value <= limit[query]
        return query[near], triangle[near], value[near]

    def _box(self, node: Longs) -> Box:
        normal = self._normal[node] if self._oblique else None
        return Box(self._lower[node], self._upper[node], normal)

    def _levels(self, capacity: int, max_depth: int) -> Iterator[tuple[Any, ...]]:
        """Divide all nodes of one depth at once, depth after depth."""
        normal = np.zeros((1, 3))
        node, triangle = np.zeros(len(self), np.intp), np.arange(len(self))
        for depth in range(max_depth + 1):
            count = np.bincount(node, minlength=1)
            lower, upper, _ = self._set.box(triangle)
            if self._oblique:
                high = heights(self._set.corners(triangle), normal[node])
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

        Parameters: ``triangle``, ``node`` (K,): entries, sorted by node, and in scaled
        units; each node has one or more.
        """
