"""Which pieces of two bodies are near each other, and how far the unions must part.

The depth of an overlap is the least translation that separates.  One that separates the
unions separates every pair of pieces, so it is at least the depth of the deepest pair;
and it is at most any translation that leaves every pair apart.  Where the two meet,
which is the rule for a shallow overlap, the depth is proven.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.compound.body import Compound
from sim.compound.state import Near
from sim.result.answer import Vec
from sim.tracking.pair import PairTracker, closest
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


def rest_hull(rest: Points) -> Body | None:
    """Return the hull of a body at rest as a body; None for a flat one.

    Put to where its vertices are, it only proposes a direction, which is measured on
    the pieces themselves: where the body deformed and this is its hull no more, the
    direction is poorer, never wrong.
    """
    try:
        return Body(convex_hull(rest), convexity="trust")
    except MeshError:
        return None


def way_out(
    a: Group, b: Group, deepest: list[WayOut], size: float, tools: "DepthTools"
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
    one, other = tools.hulls
    if one is not None and other is not None:
        # positions have narrower limits of magnitude than where a pose may put them
        _, power = np.frexp(max(np.abs(group.points).max() for group in (a, b)))
        for hull, group in ((one, a), (other, b)):
            hull.points = np.ldexp(group.points[hull.mesh.source_vertices], -power)
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


Member = Body | Compound
ROOMY, COARSE = 1e55, 1e-55  # well within the limits of magnitude


class Options(NamedTuple):
    """What the tracker of every two pieces is told."""

    contact_distance: float
    release_distance: float
    parallel_tolerance: float


class Pairing:
    """The pieces of two bodies, and one tracker for every two that ever came near."""

    def __init__(self, a: Member, b: Member, options: Options) -> None:
        self.a = a
        self.b = b
        self.trackers: dict[tuple[int, int], PairTracker] = {}
        self.nearest: tuple[int, int] | None = None
        self._options = options
        self._pieces = pieces_of(a), pieces_of(b)

    def forget(self) -> None:
        """Start cold."""
        self.nearest = None
        self.trackers.clear()

    def resume(self) -> None:
        """Make all buffers anew: an interrupt may have left them in the middle."""
        for tracker in self.trackers.values():
            tracker.resume(tracker.state)

    def groups(self, origin: NDArray[np.float64]) -> tuple[Group, Group]:
        """Lay out the pieces of both relative to an origin."""
        return group_of(self.a, origin), group_of(self.b, origin)

    def check_placed(self, groups: tuple[Group, Group], frame: int) -> None:
        """Raise ``ValueError`` for a piece that is placed beyond the limits."""
        for body, group in zip((self.a, self.b), groups, strict=True):
            with np.errstate(invalid="ignore"):
                wide = (group.high - group.low).max()
                reach = np.maximum(-group.low, group.high).max()
                reach += np.abs(body.transform[:, 3]).max()
            if not (reach < ROOMY and wide > COARSE):
                for piece in pieces_of(body):
                    piece.check_placed(frame)

    def look(
        self, groups: tuple[Group, Group], frame: int, exact: bool
    ) -> tuple[list[Near], float]:
        """Answer for every two pieces that may carry the answer.

        Returns them in order, and a lower bound of the distance of all others.
        """
        gaps = box_gaps(*groups)
        nears: list[Near] = []
        upper = np.inf
        floor = np.inf
        contact = self._options.contact_distance
        for i, j in self._in_order(gaps):
            if gaps[i, j] > max(upper, contact):
                floor = float(gaps[i, j])
                break
            tracker = self._tracker(i, j)
            tracker.next_frame = frame
            state = tracker.update(exact)
            nears.append(Near(i, j, state))
            upper = min(upper, state.upper)
        # last frame's nearest may be too far now: nothing may depend on it
        reach = max(upper, contact)
        nears = [near for near in nears if not gaps[near[:2]] > reach]
        nears.sort(key=lambda near: near[:2])
        return nears, floor

    def _in_order(self, gaps: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
        """List the pairs of pieces: last frame's nearest, then by their boxes."""
        if self.nearest is not None:
            yield self.nearest
        for k in np.argsort(gaps, axis=None, kind="stable").tolist():
            pair = divmod(k, gaps.shape[1])
            if pair != self.nearest:
                yield pair

    def _tracker(self, i: int, j: int) -> PairTracker:
        if (i, j) not in self.trackers:
            a, b = self._pieces[0][i], self._pieces[1][j]
            self.trackers[i, j] = PairTracker(a, b, **self._options._asdict())
        return self.trackers[i, j]


class DepthTools:
    """What an overlap may need beside the pieces; made when it is first asked for."""

    def __init__(self, first: Member, second: Member, options: Options) -> None:
        self._bodies = first, second
        self._options = options

    @cached_property
    def hulls(self) -> tuple[Body | None, Body | None]:
        """The hulls of the two bodies at rest."""
        a, b = (
            rest_hull(x.rest_points if isinstance(x, Compound) else x.mesh.points)
            for x in self._bodies
        )
        return a, b

    @cached_property
    def shadow(self) -> Pairing:
        """The first body and the second once more, to be put where it would be."""
        first, second = self._bodies
        ghost: Member
        if isinstance(second, Compound):
            ghost = Compound([piece.mesh for piece in second.pieces], name=second.name)
        else:
            kind = "hull" if second.convexity == "hull" else "surface"
            ghost = Body(second.mesh, name=second.name, convexity=kind)
        return Pairing(first, ghost, self._options)

    def look(self, step: Vec) -> tuple[list[Near], float]:
        """Answer for the pieces near each other after a translation, as ``Pairing``."""
        second, pairing = self._bodies[1], self.shadow
        ghost = pairing.b
        now = second.stack if isinstance(second, Compound) else second.positions
        if not np.array_equal(ghost.positions, now):
            ghost.points = now
        if isinstance(ghost, Compound):
            ghost.settle()
        pose = second.pose
        ghost.pose = Pose(pose.linear, pose.translation + np.array(step))
        return pairing.look(pairing.groups(pairing.a.transform[:, 3]), 0, False)

    def resume(self) -> None:
        """Make the buffers of the shadow's pieces anew, where there are any."""
        if "shadow" in vars(self):
            self.shadow.resume()


def pieces_of(body: Member) -> tuple[Body, ...]:
    """Return the pieces of a body, settled or not; one without is its own only one."""
    return body._pieces if isinstance(body, Compound) else (body,)


def group_of(body: Member, origin: NDArray[np.float64]) -> Group:
    """Lay out the pieces of a body relative to an origin."""
    m = body.transform
    if isinstance(body, Compound):
        points, first = body.stack, body.start.vertex[:-1]
    else:
        points, first = body.positions, np.zeros(1, np.intp)
    x, y, z = points.T
    placed = np.empty_like(points)
    # a coordinate that is not finite is near everything, so that it is met
    with np.errstate(invalid="ignore", over="ignore"):
        for i in range(3):
            at = m[i, 3] - origin[i]
            placed[:, i] = m[i, 0] * x + m[i, 1] * y + m[i, 2] * z + at
        return Group.of(placed, first)
