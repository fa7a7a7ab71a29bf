"""Define the queries of every index over triangles, and answer them by all triangles.

An index says which triangles cannot matter; the primitives decide among the others.
Which triangle a segment meets first is found in order of their boxes, exactly in ties.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import cross, dot, subtract
from wingedge.exact import first_common, integer_points
from wingedge.primitives import arguments, point_triangle, segment_triangle
from wingedge.spatial.triangles import (
    Floats,
    Longs,
    Pairs,
    TriangleSet,
    entries,
    joined,
    unique,
    without,
)

HIT_PAIRS = 2**14  # tried at a time
ROUND = 4  # triangles of a segment that are tried first; then twice as many, ...
# Times of `segment_triangle.hit` are within 6e-14: below twice that, and the rounding
# of the difference, two of them do not tell which is first.
UNSURE = 1.3e-13


def exact_time(t: float, start: Floats, end: Floats, corners: Floats) -> Fraction:
    """Return the time whose rounded value is t, of a segment that meets a triangle.

    Parameters: ``t``: as `segment_triangle.hit` gave it; 0 is exact; ``start``, ``end``
    (3,); ``corners`` (3, 3).
    """
    if t == 0.0:
        return Fraction(0)
    s, e, a, b, c = integer_points(start, end, *corners)
    normal = cross(subtract(b, a), subtract(c, a))
    rate = dot(normal, subtract(e, s))
    if rate != 0:
        return Fraction(int(dot(normal, subtract(a, s))), int(rate))
    # in one plane, and not inside at the start: the first point on an edge
    shared = [first_common(s, e, u, v) for u, v in ((a, b), (b, c), (c, a))]
    return min(times[0] for times in shared if times)


QUERIES = 256  # at a time, which bounds the memory of a batch
NEAREST_PAIRS = 2**16  # measured at a time: what fits into the cache


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


def _none(kind: type[Found], n: int) -> Found:
    """Return the answers to so many queries of an empty set."""
    triangle, tested = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    return kind(triangle, np.full(n, np.inf), np.full((n, 3), np.nan), tested)


class TriangleIndex(ABC):
    """Answer queries about a set of triangles at one set of positions.

    Every index gives the answers of `BruteForce`, to the bit: it only says which
    triangles cannot matter, and `point_triangle.closest` and `segment_triangle.hit`
    decide among the others. Nothing follows the triangles when they move: build anew.

    Raises ValueError: a shape, a number that is not finite, a row of ``points`` that
    does not exist.

    Parameters
    ----------
    points : (T, 3, 3) or (V, 3) array_like
        Corners of triangles, or positions if ``faces`` is given; one frame, any unit.
        Copied. Triangles of no area are the segments and points that they are.
    faces : (T, 3) array_like of int, optional
        Rows of ``points``: the corners of every triangle, as in ``mesh.fan.vertex``.
    """

    def __init__(self, points: ArrayLike, faces: ArrayLike | None = None) -> None:
        self._set = TriangleSet(points, faces)

    def __len__(self) -> int:
        """Return the number of triangles."""
        return len(self._set)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} triangles>"

    @property
    def triangles(self) -> Floats:
        """The corners, (T, 3, 3), as given; read-only."""
        return self._set.triangles

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the index takes beside the triangles themselves."""
        return 0

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
        if not len(self):
            return np.zeros(0, np.intp)
        triangle = self._meeting(self._set.scaled(low), self._set.scaled(high))
        meets = (self._set.lowest[triangle] <= high).all(axis=1)
        meets &= (self._set.highest[triangle] >= low).all(axis=1)
        return np.unique(triangle[meets])

    def within(self, center: ArrayLike, radius: float) -> Longs:
        """List the triangles at distance <= radius, sorted.

        The distance is that of `nearest`: the nearest triangle is within it, always.

        Parameters
        ----------
        center : (3,) array_like
        radius : float
            A length, not negative.
        """
        p = self._set.queries(center=center)
        (limit,) = arguments.lengths(radius=radius)
        if p.ndim != 1 or limit.ndim:
            raise ValueError(f"center, radius: expected one ball, got {p.shape} points")
        if not len(self):
            return np.zeros(0, np.intp)
        p = p[None]
        reach = self._set.scaled(limit[None]) + self._set.slack(p)
        query, triangle = unique(self._around(p, reach), len(self))
        distance, _ = self._measure(p, query, triangle)
        return np.asarray(triangle[self._set.restored(distance) <= limit])

    def nearest(self, p: ArrayLike) -> NearestTriangle:
        """Find the triangle nearest to each point; of equal ones the lowest number.

        Raises ValueError: numbers that are not finite, or 2^400 times those of the
        triangles.

        Parameters
        ----------
        p : (..., 3) array_like
            Query points. Many at once cost a tenth to a hundredth each of what one
            does alone.
        """
        found = self._batched(NearestTriangle, self._nearest, self._set.queries(p=p))
        return found._replace(distance=self._set.restored(found.distance))

    def _batched(
        self, kind: type[Found], answer: Callable[..., Found], *points: Floats
    ) -> Found:
        """Answer for points (..., 3) so many at a time."""
        shape = points[0].shape[:-1]
        flat = [p.reshape(-1, 3) for p in points]
        n, size = len(flat[0]), self._batch()
        out = _none(kind, n)
        for k in range(0, n if len(self) else 0, size):
            found = answer(*(p[k : k + size] for p in flat))
            for whole, part in zip(out, found, strict=True):
                whole[k : k + size] = part
        triangle, number, point, tested = out
        return kind(
            triangle.reshape(shape),
            number.reshape(shape),
            self._set.restored(point).reshape(*shape, 3),
            tested.reshape(shape),
        )

    def _nearest(self, p: Floats) -> NearestTriangle:
        """Measure some that are likely to be close, then all that may be as close."""
        n = len(self)
        likely = unique(self._some(p), n)
        distance, point = self._measure(p, *likely)
        reach = np.full(len(p), np.inf)
        np.minimum.at(reach, likely[0], distance)
        rest = self._around(p, reach + self._set.slack(p))
        query, triangle = without(unique(rest, n), likely, n)
        if len(query):
            more, points = self._measure(p, query, triangle)
            distance = np.concatenate([distance, more])
            point = np.concatenate([point, points])
        query, triangle = joined(likely, (query, triangle))
        order = np.lexsort((triangle, distance, query))
        first = order[np.searchsorted(query[order], np.arange(len(p)))]
        tested = np.bincount(query, minlength=len(p))
        return NearestTriangle(triangle[first], distance[first], point[first], tested)

    def first_hit(self, start: ArrayLike, end: ArrayLike) -> FirstHit:
        """Find the triangle that each segment meets first; of equal ones the lowest.

        Whether and in which order triangles are met is exact; touching counts.

        Raises ValueError: numbers that are not finite, or 2^400 times those of the
        triangles.

        Parameters
        ----------
        start, end : (..., 3) array_like
            Ends of segments; shapes broadcast. A segment of no length is its point.
        """
        first, last = self._set.queries(start=start), self._set.queries(end=end)
        both = np.broadcast_arrays(first, last)
        return self._batched(FirstHit, self._first_hits, *both)

    def _entered(
        self, start: Floats, end: Floats, query: Longs, triangle: Longs
    ) -> Floats:
        """Say where segments enter the boxes of triangles; inf where they miss."""
        low, high = self._set.lower[triangle], self._set.upper[triangle]
        slack = self._set.slack(start, end)[query]
        return entries(start[query], end[query], low, high, slack)

    def _measure(
        self, p: Floats, query: Longs, triangle: Longs
    ) -> tuple[Floats, Floats]:
        """Measure distances and nearest points of pairs, scaled."""
        distance, point = np.empty(len(query)), np.empty((len(query), 3))
        for k in range(0, len(query), NEAREST_PAIRS):
            part = slice(k, k + NEAREST_PAIRS)
            found = point_triangle.closest(
                p[query[part]], *self._set.corners(triangle[part])
            )
            distance[part], point[part] = np.sqrt(found.distance_sq), found.point
        return distance, point

    def _first_hits(self, start: Floats, end: Floats) -> FirstHit:
        """Try triangles on segments, those first whose boxes are entered first."""
        query, triangle = unique(self._along(start, end), len(self))
        enter = self._entered(start, end, query, triangle)
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
            for part in (now[k : k + HIT_PAIRS] for k in range(0, len(now), HIT_PAIRS)):
                found = segment_triangle.hit(
                    start[query[part]],
                    end[query[part]],
                    *self._set.corners(triangle[part]),
                )
                hit = part[found.hit]
                t[hit], point[hit] = found.t[found.hit], found.point[found.hit]
            np.minimum.at(least, query[now], t[now])
            tested += np.bincount(query[now], minlength=len(start))
            done, size = done + size, 2 * size
        answer = _none(FirstHit, len(start))
        answer.tested[:] = tested
        near = np.flatnonzero(np.isfinite(t) & (t <= least[query] + UNSURE))
        near = near[np.lexsort((triangle[near], query[near]))]
        for row, first, n in zip(
            *np.unique(query[near], return_index=True, return_counts=True), strict=True
        ):
            tied = near[first : first + n]
            best = tied[0]
            if n > 1:  # the first in time, of equal ones the lowest
                corners = np.stack(self._set.corners(triangle[tied]), axis=1)
                times = [
                    exact_time(float(t[pair]), start[row], end[row], corners_of_pair)
                    for pair, corners_of_pair in zip(tied, corners, strict=True)
                ]
                best = tied[times.index(min(times))]
            answer.triangle[row], answer.t[row] = triangle[best], t[best]
            answer.point[row] = point[best]
        return answer

    def _batch(self) -> int:
        """Return how many queries to answer at a time."""
        return QUERIES

    # What an index has to know.  All in scaled units; a triangle may be given twice.

    @abstractmethod
    def _meeting(self, lower: Floats, upper: Floats) -> Longs:
        """Give all triangles whose boxes meet a box, and others perhaps."""

    @abstractmethod
    def _some(self, p: Floats) -> Pairs:
        """Give for each point some triangles that are likely to be close."""

    @abstractmethod
    def _around(self, p: Floats, reach: Floats) -> Pairs:
        """Give all triangles within reach of points, and others perhaps."""

    @abstractmethod
    def _along(self, start: Floats, end: Floats) -> Pairs:
        """Give all triangles that segments hit, and others perhaps."""


BRUTE_PAIRS = 2**17  # of a point and a triangle at a time: what fits into the cache


class BruteForce(TriangleIndex):
    """Try every triangle: nothing to build, nothing to rebuild.

    The judge of the others; see docs/many_triangles.md. Cost: O(T) a query, some 1 us a
    triangle for `nearest` and 5 us for `first_hit`.
    """

    def _batch(self) -> int:
        return max(1, BRUTE_PAIRS // max(1, len(self)))

    def _meeting(self, lower: Floats, upper: Floats) -> Longs:
        return np.arange(len(self))

    def _some(self, p: Floats) -> Pairs:
        none = np.zeros(0, np.intp)
        return none, none

    def _around(self, p: Floats, reach: Floats) -> Pairs:
        return self._every(len(p))

    def _along(self, start: Floats, end: Floats) -> Pairs:
        return self._every(len(start))

    def _entered(
        self, start: Floats, end: Floats, query: Longs, triangle: Longs
    ) -> Floats:
        return np.zeros(len(query))

    def _every(self, n: int) -> Pairs:
        return np.repeat(np.arange(n), len(self)), np.tile(np.arange(len(self)), n)
