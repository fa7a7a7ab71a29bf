"""Index triangles by balls around them, whose centres scipy finds."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from wingedge.spatial.index import TriangleIndex
from wingedge.spatial.triangles import Floats, Longs, Pairs, spread

if TYPE_CHECKING:
    from scipy.spatial import cKDTree  # noqa: F401

BALLS = 64  # along a segment, at most
LISTED = 48  # bytes of a node of scipy's tree and the number of one of its points


class KDTree(TriangleIndex):
    """Find triangles by `scipy.spatial.cKDTree` over the middles of their boxes.

    Parameters
    ----------
    points, faces
        As for every `TriangleIndex`.

    Notes
    -----
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
        x, y, z = half[:, 0], half[:, 1], half[:, 2]
        radius = np.sqrt(x * x + y * y + z * z) + self._set.slack(middle)
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
            tree.data.nbytes + members.nbytes + len(members) * LISTED
            for tree, _, members in self._groups
        )

    def _meeting(self, lower: Floats, upper: Floats) -> Longs:
        # a box may be infinite here, by scaling; a ball around it need not be
        lower = np.maximum(lower, self._set.lower.min(axis=0, initial=1.0))
        upper = np.minimum(upper, self._set.upper.max(axis=0, initial=-1.0))
        if (lower > upper).any():
            return np.zeros(0, np.intp)
        middle = (0.5 * lower + 0.5 * upper)[None]
        half = np.maximum(upper - middle, middle - lower)[0]
        x, y, z = half.tolist()
        reach = np.sqrt(x * x + y * y + z * z) + self._set.slack(middle)
        return self._balls(middle, np.atleast_1d(reach))[1]

    def _some(self, p: Floats) -> Pairs:
        near = [members[tree.query(p)[1]] for tree, _, members in self._groups]
        query = np.tile(np.arange(len(p)), len(near))
        return query, np.concatenate([np.zeros(0, np.intp), *near])

    def _around(self, p: Floats, reach: Floats) -> Pairs:
        return self._balls(p, reach)

    def _along(self, start: Floats, end: Floats) -> Pairs:
        step = end - start
        x, y, z = step[:, 0], step[:, 1], step[:, 2]
        size = np.sqrt(x * x + y * y + z * z)
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
