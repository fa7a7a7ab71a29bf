"""A tree of boxes in flat arrays, searched for many queries at once."""

from abc import abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.spatial.boxes import entries, gaps
from wingedge.spatial.index import TriangleIndex
from wingedge.spatial.pairs import Longs, Pairs, joined, spread
from wingedge.spatial.soup import Floats

Bools = NDArray[np.bool_]

# What one more entry per triangle must take from the list that an entry is on, on
# average, as a share: copies that shorten nothing would double at every depth.
PRICE = 0.35
LISTED = (
    2**20
)  # triangles for all queries of a batch, where each meets the longest list


class BoxTree(TriangleIndex):
    """Nodes in order of their depth; the children of a node follow one another.

    A triangle lies in every leaf whose region its answers may fall into, so often in
    several. `_build` of a subclass fills the arrays by calling `_level`.
    """

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
        faces: ArrayLike | None,
        capacity: int,
        max_depth: int,
    ) -> None:
        super().__init__(points, faces)
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
            np.minimum.reduceat(self._soup.lower[triangle], first),
            np.maximum.reduceat(self._soup.upper[triangle], first),
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
        low, high = self._soup.lower[triangle], self._soup.upper[triangle]
        keep = gaps(p[query], low, high) <= reach[query]
        return query[keep], triangle[keep]

    def _reaches(self, p: Floats, reach: Floats, node: Longs) -> Bools:
        """Tell whether nodes may hold something within reach of points."""
        return np.asarray(gaps(p, self._lower[node], self._upper[node]) <= reach)

    def _along(self, start: Floats, end: Floats) -> Pairs:
        slack = self._soup.slack(start, end)
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

    Parameters
    ----------
    count, entries : (n,)
        How many triangles a node lists, and its parts together.
    squares : (n,)
        The squares of what each part lists, added: an entry chosen at random is on a
        list of ``squares / entries``.
    """
    lists = np.maximum(entries, 1.0) * np.maximum(count, 1.0)
    gain = 1.0 - squares / lists
    extra = entries / np.maximum(count, 1.0) - 1.0
    return gain, gain >= PRICE * extra
