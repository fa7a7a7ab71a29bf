"""Search trees of boxes in flat arrays for many queries at once; divide by octants."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import columns, length
from wingedge.spatial.index import TriangleIndex
from wingedge.spatial.triangles import (
    Floats,
    Longs,
    Pairs,
    entries,
    gaps,
    joined,
    spread,
)

if TYPE_CHECKING:
    from scipy.spatial import cKDTree  # noqa: F401

Bools = NDArray[np.bool_]

# What one more entry per triangle must take from the list that an entry is on, on
# average, as a share: copies that shorten nothing would double at every depth.
PRICE = 0.35
# Triangles for all queries of a batch, where each meets the longest list.
LISTED = 2**20


class BoxTree(TriangleIndex):
    """Nodes in order of their depth; the children of a node follow one another.

    A triangle lies in every leaf whose region its answers may fall into, so often in
    several. `_build` of a subclass fills the arrays by calling `_level`.
    """

    max_depth: int  # of nodes, if not told otherwise
    _lower: Floats  # (n, 3) of a box around what counts in the node
    _upper: Floats
    _child: Longs  # (n,) the first child
    _children: Longs  # (n,) how many; a leaf has none
    _first: Longs  # (n,) where a leaf begins in _held
    _count: Longs  # (n,)
    _held: Longs  # triangles of all leaves

    def __init__(
        self,
        points: ArrayLike,
        faces: ArrayLike | None = None,
        *,
        capacity: int = 12,
        max_depth: int | None = None,
    ) -> None:
        super().__init__(points, faces)
        max_depth = self.max_depth if max_depth is None else max_depth
        if capacity < 1 or max_depth < 0:
            raise ValueError(
                f"capacity, max_depth: expected at least 1 and 0, got {capacity} and "
                f"{max_depth}"
            )
        self._levels: list[tuple[Floats, Floats, Longs, Longs, Longs]] = []
        if len(self):
            self._build(capacity, max_depth)
        else:
            point, one = np.zeros((1, 3)), np.zeros(1, np.intp)
            self._level(point, point, one, one, np.zeros(0, np.intp))
        self._finish()

    @abstractmethod
    def _build(self, capacity: int, max_depth: int) -> None:
        """Divide the triangles, and tell `_level` of every depth."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the index takes beside the triangles themselves."""
        arrays = (value for value in vars(self).values())
        return sum(a.nbytes for a in arrays if isinstance(a, np.ndarray))

    @property
    def n_nodes(self) -> int:
        """The number of nodes, leaves included."""
        return len(self._child)

    @property
    def depth(self) -> int:
        """How many times the root was divided."""
        return self._depth

    def _bounds(self, triangle: Longs, count: Longs) -> tuple[Floats, Floats]:
        """Return the boxes of nodes, which hold so many of the triangles in a row."""
        first = np.cumsum(count) - count
        return (
            np.minimum.reduceat(self._set.lower[triangle], first),
            np.maximum.reduceat(self._set.upper[triangle], first),
        )

    def _batch(self) -> int:
        # a set that no division helps is one long list
        longest = int(self._count.max(initial=1))
        return max(1, min(super()._batch(), LISTED // longest))

    def _level(
        self, lower: Floats, upper: Floats, children: Longs, count: Longs, held: Longs
    ) -> None:
        """Add the nodes of one depth; ``held`` lists the triangles of its leaves."""
        self._levels.append((lower, upper, children, count, held))

    def _finish(self) -> None:
        """Join the levels into the arrays."""
        lower, upper, children, count, held = zip(*self._levels, strict=True)
        self._lower, self._upper = np.concatenate(lower), np.concatenate(upper)
        self._children, self._count = np.concatenate(children), np.concatenate(count)
        self._held = np.concatenate(held)
        self._child = 1 + np.cumsum(self._children) - self._children
        self._first = np.cumsum(self._count) - self._count
        self._depth = len(self._levels) - 1
        del self._levels

    def _search(self, n: int, meets: Callable[[Longs, Longs], Bools]) -> Pairs:
        """Go down from the root where ``meets(query, node)``; give what leaves hold."""
        query, node = np.arange(n), np.zeros(n, np.intp)
        found: list[Pairs] = []
        while len(query):
            keep = meets(query, node)
            query, node = query[keep], node[keep]
            which, place = spread(self._first[node], self._count[node])
            found.append((query[which], self._held[place]))
            which, child = spread(self._child[node], self._children[node])
            query, node = query[which], child
        return joined(*found)

    def _meeting(self, lower: Floats, upper: Floats) -> Longs:
        def meets(query: Longs, node: Longs) -> Bools:
            apart = (self._lower[node] > upper) | (self._upper[node] < lower)
            return np.asarray(~apart.any(axis=1))

        return self._search(1, meets)[1]

    def _some(self, p: Floats) -> Pairs:
        """Go down to the nearest child until a leaf."""
        node = np.zeros(len(p), np.intp)
        query = np.arange(len(p))
        while len(query):
            query = query[self._children[node[query]] > 0]
            which, child = spread(self._child[node[query]], self._children[node[query]])
            order = np.lexsort((self._apart(p[query[which]], child), which))
            node[query] = child[order[np.searchsorted(which, np.arange(len(query)))]]
        which, place = spread(self._first[node], self._count[node])
        return which, self._held[place]

    def _apart(self, p: Floats, node: Longs) -> Floats:
        """Say how little nodes suit points; they go down to the one of least."""
        return gaps(p, self._lower[node], self._upper[node])

    def _around(self, p: Floats, reach: Floats) -> Pairs:
        query, triangle = self._search(
            len(p), lambda query, node: self._reaches(p[query], reach[query], node)
        )
        low, high = self._set.lower[triangle], self._set.upper[triangle]
        keep = gaps(p[query], low, high) <= reach[query]
        return query[keep], triangle[keep]

    def _reaches(self, p: Floats, reach: Floats, node: Longs) -> Bools:
        """Tell whether nodes may hold something within reach of points."""
        return np.asarray(gaps(p, self._lower[node], self._upper[node]) <= reach)

    def _along(self, start: Floats, end: Floats) -> Pairs:
        slack = self._set.slack(start, end)
        return self._search(
            len(start),
            lambda query, node: self._passes(
                start[query], end[query], slack[query], node
            ),
        )

    def _passes(self, start: Floats, end: Floats, slack: Floats, node: Longs) -> Bools:
        """Tell whether segments may pass through nodes."""
        enter = entries(start, end, self._lower[node], self._upper[node], slack)
        return np.asarray(np.isfinite(enter))


def shortening(count: Longs, entries: Longs, squares: Floats) -> tuple[Floats, Bools]:
    """Say how much shorter lists get by dividing nodes, and whether it is worth it.

    Parameters: ``count``, ``entries`` (n,): how many triangles a node lists, and its
    parts together; ``squares`` (n,): the squares of what each part lists, added: an
    entry chosen at random is on a list of ``squares / entries``.
    """
    lists = np.maximum(entries, 1.0) * np.maximum(count, 1.0)
    gain = 1.0 - squares / lists
    extra = entries / np.maximum(count, 1.0) - 1.0
    return gain, gain >= PRICE * extra


class Octree(BoxTree):
    """Find triangles by eight-fold division of a cube.

    A triangle is listed in every leaf cube that its box meets. By the box and not by
    the triangle: comparisons alone decide, without rounding, and a leaf knows exactly
    which boxes it holds. A cube stays whole where dividing it would list triangles more
    often without making the lists shorter; identical triangles end that way.

    Cost: O(T depth) to build, 10 to 20 us and 140 bytes a triangle; a query looks at
    O(log T) cubes where triangles are small and evenly spread.

    Build anew after a deformation. Two deforming bodies are better left to
    `sim.PairTracker`, which keeps nothing that was computed from positions: see
    docs/many_triangles.md.

    After Meagher (1982), Geometric modeling using octree encoding.

    Parameters
    ----------
    points, faces
        As for every `TriangleIndex`.
    capacity : int
        A cube with more triangles than this, 12 if left out, is divided.
    max_depth : int
        How often at most, 16 if left out; also what stops at triangles that all share
        one point.
    """

    max_depth = 16

    def _build(self, capacity: int, max_depth: int) -> None:
        """Divide all cubes of one depth at once, depth after depth."""
        low, high = self._set.lower, self._set.upper
        corner = low.min(axis=0)[None]
        side = float((high.max(axis=0) - corner[0]).max())
        cell_low, cell_high = corner, corner + side
        cell_high = np.maximum(cell_high, high.max(axis=0))  # rounding of the sum
        node = np.zeros(len(self), np.intp)
        triangle = np.arange(len(self))
        for depth in range(max_depth + 1):
            n = len(cell_low)
            count = np.bincount(node, minlength=n)
            lower, upper = self._bounds(triangle, count)
            lower, upper = np.maximum(lower, cell_low), np.minimum(upper, cell_high)

            middle = cell_low + 0.5 * (cell_high - cell_low)
            divide = (count > capacity) & (depth < max_depth)
            divide &= (middle > cell_low).any(axis=1)
            pair, octant = self._halves(node, triangle, middle, divide)
            entries = np.bincount(node[pair] * 8 + octant, minlength=8 * n)
            entries = entries.reshape(n, 8)
            squares = (entries * entries).sum(axis=1)
            divide &= shortening(count, entries.sum(axis=1), squares)[1]
            keep = divide[node[pair]]
            pair, octant = pair[keep], octant[keep]

            code = node[pair] * 8 + octant
            order = np.argsort(code, kind="stable")
            code, pair = code[order], pair[order]
            cells, new_node = np.unique(code, return_inverse=True)
            children = np.bincount(cells // 8, minlength=n)
            stays = ~divide[node]
            self._level(
                lower, upper, children, np.where(divide, 0, count), triangle[stays]
            )
            if not len(cells):
                return
            parent = cells // 8
            top = (cells[:, None] >> np.array([2, 1, 0])) & 1 == 1
            cell_low, cell_high = (
                np.where(top, middle[parent], cell_low[parent]),
                np.where(top, cell_high[parent], middle[parent]),
            )
            node, triangle = new_node, triangle[pair]

    def _halves(
        self, node: Longs, triangle: Longs, middle: Floats, divide: Bools
    ) -> tuple[Longs, Longs]:
        """List which entries go into which of the eight parts of their cubes."""
        entry = np.nonzero(divide[node])[0]
        below = self._set.lower[triangle[entry]] <= middle[node[entry]]
        above = self._set.upper[triangle[entry]] >= middle[node[entry]]
        octant = np.zeros(len(entry), np.intp)
        for axis in range(3):
            # an entry that lies on both sides is listed twice from here on
            both = below[:, axis].astype(np.intp) + above[:, axis]
            which, half = spread(np.where(below[:, axis], 0, 1), both)
            entry, octant = entry[which], octant[which] * 2 + half
            below, above = below[which], above[which]
        return entry, octant


BALLS = 64  # along a segment, at most
NODE = 48  # bytes of a node of scipy's tree and the number of one of its points


class KDTree(TriangleIndex):
    """Find triangles by `scipy.spatial.cKDTree` over the middles of their boxes.

    Parameters: ``points``, ``faces``: as for every `TriangleIndex`.

    A point stands for a triangle, so each needs the radius of a ball that holds it. One
    tree is built for every octave of radii that occurs: a single large triangle would
    otherwise widen every search. Segments are covered by a row of balls, at most 64;
    boxes by one ball: both are crude for long ones.

    Cost: O(T log T) to build, the fastest of the trees; needs scipy, imported here.
    """

    def __init__(self, points: ArrayLike, faces: ArrayLike | None = None) -> None:
        super().__init__(points, faces)
        from scipy.spatial import cKDTree

        low, high = self._set.lower, self._set.upper
        middle = 0.5 * low + 0.5 * high
        half = np.maximum(high - middle, middle - low)
        radius = length(columns(half)) + self._set.slack(middle)
        octave = np.frexp(radius)[1]
        self._groups: list[tuple[cKDTree, float, Longs]] = []
        for k in np.unique(octave):
            members = np.nonzero(octave == k)[0]
            tree = cKDTree(middle[members])
            self._groups.append((tree, float(radius[members].max()), members))

    @property
    def nbytes(self) -> int:
        """Bytes of memory beside the triangles, scipy's nodes estimated."""
        return sum(
            tree.data.nbytes + members.nbytes + len(members) * NODE
            for tree, _, members in self._groups
        )

    def _meeting(self, lower: Floats, upper: Floats) -> Longs:
        # a box may be infinite here, by scaling; a ball around it need not be
        lower = np.maximum(lower, self._set.lower.min(axis=0, initial=1.0))
        upper = np.minimum(upper, self._set.upper.max(axis=0, initial=-1.0))
        if (lower > upper).any():
            return np.zeros(0, np.intp)
        middle = (0.5 * lower + 0.5 * upper)[None]
        half = np.maximum(upper - middle, middle - lower)
        reach = length(columns(half)) + self._set.slack(middle)
        return self._balls(middle, reach)[1]

    def _some(self, p: Floats) -> Pairs:
        near = [members[tree.query(p)[1]] for tree, _, members in self._groups]
        query = np.tile(np.arange(len(p)), len(near))
        return query, np.concatenate([np.zeros(0, np.intp), *near])

    def _around(self, p: Floats, reach: Floats) -> Pairs:
        return self._balls(p, reach)

    def _along(self, start: Floats, end: Floats) -> Pairs:
        step = end - start
        size = length(columns(step))
        largest = max((radius for _, radius, _ in self._groups), default=1.0)
        count = np.ceil(np.minimum(size / (2.0 * largest), BALLS)).astype(np.intp)
        count = np.maximum(count, 1)
        query, k = spread(np.zeros(len(count), np.intp), count)
        t = (k + 0.5) / count[query]
        middle = start[query] + t[:, None] * step[query]
        slack = self._set.slack(start, end)
        return self._balls(middle, (0.5 * size / count + slack)[query], query)

    def _balls(
        self, middle: Floats, reach: Floats, query: Longs | None = None
    ) -> Pairs:
        """Give the triangles whose balls meet others."""
        queries, triangles = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        for tree, radius, members in self._groups:
            lists = tree.query_ball_point(middle, reach + radius)
            counts = np.fromiter(map(len, lists), np.intp, len(lists))
            found = np.concatenate([np.zeros(0, np.intp), *map(np.asarray, lists)])
            triangles.append(members[found.astype(np.intp)])
            queries.append(np.repeat(np.arange(len(lists)), counts))
        ball, triangle = np.concatenate(queries), np.concatenate(triangles)
        return (ball if query is None else query[ball]), triangle
