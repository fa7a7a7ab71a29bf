"""How far two unions of pieces must move apart, from both sides.

The depth of an overlap is the least translation that separates.  One that separates the
unions separates every pair of pieces, so it is at least the depth of the deepest pair;
and it is at most any translation that leaves every pair apart.  Where the two meet,
which is the rule for a shallow overlap, the depth is proven.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.answer import Vec
from sim.tracking.pair import closest
from wingedge import MeshError, convex_hull

Float = np.float64
Points = NDArray[Float]
TRIES = 16  # directions: those of the deepest pairs
SNUG = 1e-15  # per unit of size: pieces this deep in each other touch
CLEAR = 1e-14  # per unit of size: boxes this far apart are apart


class Group(NamedTuple):
    """The pieces of one body in one frame, relative to the origin of the pair."""

    points: Points  # (N, 3) every vertex of every piece
    first: NDArray[np.intp]  # (P,) where the vertices of each piece begin
    low: Points  # (P, 3)
    high: Points  # (P, 3)

    @classmethod
    def of(cls, points: Points, first: NDArray[np.intp]) -> "Group":
        """Bound every piece."""
        low = np.minimum.reduceat(points, first, axis=0)
        high = np.maximum.reduceat(points, first, axis=0)
        return cls(points, first, low, high)

    def heights(self, n: Vec) -> Points:
        """Return the height of every vertex along a direction."""
        p = self.points
        out: Points = p[:, 0] * n[0] + p[:, 1] * n[1] + p[:, 2] * n[2]
        return out


class WayOut(NamedTuple):
    """A translation of B that separates, and the pieces that touch after it."""

    length: float
    normal: Vec  # B moves along it
    piece_a: int
    piece_b: int


def box_gaps(a: Group, b: Group) -> Points:
    """Return a lower bound of the distance of every two pieces, (P, Q).

    By their boxes; 0 where they meet, or where a coordinate is not a number.
    """
    apart = np.maximum(a.low[:, None] - b.high[None], b.low[None] - a.high[:, None])
    gap = np.where(apart > 0.0, apart, 0.0)
    scale = np.maximum(np.abs(a.low), np.abs(a.high)).max(axis=1)[:, None]
    scale = scale + np.maximum(np.abs(b.low), np.abs(b.high)).max(axis=1)[None]
    x, y, z = gap[..., 0], gap[..., 1], gap[..., 2]
    length = np.sqrt(x * x + y * y + z * z) * (1.0 - 1e-15) - 4e-16 * scale
    return np.where(length > 0.0, length, 0.0)


class RestHull:
    """The hull of a body at rest, put to where its vertices are now.

    It only proposes a direction, which is measured on the pieces themselves: where the
    body deformed and this is its hull no more, the direction is poorer, never wrong.
    """

    def __init__(self, rest: Points) -> None:
        self._body: Body | None = None
        try:
            mesh = convex_hull(rest)
        except MeshError:  # flat: no direction is proposed
            return
        self._body = Body(mesh, convexity="trust")
        self._ids = mesh.source_vertices

    def at(self, group: Group, power: int) -> Body | None:
        """Return the hull as a body, ``2**power`` times smaller; None for a flat one.

        Positions have narrower limits of magnitude than where a pose may put them.
        """
        if self._body is not None:
            self._body.points = np.ldexp(group.points[self._ids], -power)
        return self._body


class Tools(Protocol):
    """What proposes a direction where the pieces prove no depth."""

    @property
    def hulls(self) -> tuple[RestHull, RestHull]:
        """The hulls of both bodies at rest."""


def way_out(
    a: Group,
    b: Group,
    deepest: list[WayOut],
    size: float,
    tools: Tools,
) -> WayOut:
    """Find the shortest way out along the normals of the pairs that overlap.

    ``deepest``: the ways out of single pairs, the longest first.  The way out of the
    unions along a normal begins there and is lengthened until every pair of pieces is
    apart, by their boxes or by their supports along it.  Where that proves no depth,
    the way out of the hulls is tried too, as for one surface.
    """
    proven = deepest[0].length + SNUG * size
    found = _lengthened(a, b, deepest[0], size, np.inf)
    for start in deepest[1:TRIES]:
        if found.length <= proven:
            return found
        way = _lengthened(a, b, start, size, found.length)
        found = min(found, way, key=lambda way: way.length)
    if found.length <= proven:
        return found
    _, power = np.frexp(max(np.abs(group.points).max() for group in (a, b)))
    one, other = (
        hull.at(group, power) for hull, group in zip(tools.hulls, (a, b), strict=True)
    )
    if one is not None and other is not None:
        start = WayOut(0.0, closest(one, other).numbers.normal, -1, -1)
        way = _lengthened(a, b, start, size, found.length)
        found = min(found, way, key=lambda way: way.length)
    return found


def _lengthened(a: Group, b: Group, start: WayOut, size: float, limit: float) -> WayOut:
    n = start.normal
    top = np.maximum.reduceat(a.heights(n), a.first)
    bottom = np.minimum.reduceat(b.heights(n), b.first)
    needed = top[:, None] - bottom[None]  # B must move so far along n
    way = start
    while way.length < limit:
        move = np.array([way.length * x for x in n])
        low, high = b.low + move, b.high + move
        gap = np.maximum(a.low[:, None] - high[None], low[None] - a.high[:, None])
        meet = (gap <= CLEAR * size).all(axis=2) & (needed > way.length + SNUG * size)
        if not meet.any():
            break
        left = np.where(meet, needed, np.inf)
        i, j = divmod(int(left.argmin()), left.shape[1])
        way = WayOut(float(left[i, j]), n, i, j)
    return way
