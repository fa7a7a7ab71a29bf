"""The tracker of two bodies of which one or both are compounds."""

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sim.body import Body
from sim.compound.body import Compound
from sim.compound.overlap import SNUG, Group, RestHull, WayOut, box_gaps, way_out
from sim.compound.state import CompoundState, Found, Near, Party, turned
from sim.contact import PairState, Work
from sim.kernels import layout
from sim.kernels.order import comes_after
from sim.pose import Pose
from sim.tracking.buffers import floats
from sim.tracking.pair import PairTracker, closest
from sim.tracking.regime import next_regime, thresholds

Member = Body | Compound


class CompoundTracker:
    """Track the closest features of two bodies that are sets of pieces.

    Parameters
    ----------
    a, b : Body or Compound
        Two different bodies.
    contact_distance, release_distance : float, optional
        As for ``PairTracker``; the rest size of a compound is that of its surface, or
        of all its pieces.
    parallel_tolerance : float
        As for ``PairTracker``.

    Notes
    -----
    One ``PairTracker`` for every two pieces that ever came near, made when they do and
    warm from then on; the pieces that are farther apart by their boxes than the nearest
    pair is are passed over.  The answer is that of the union: apart, the least over all
    pairs, and its bounds; overlapping, see ``sim.compound.overlap``.

    Kept between frames: those trackers, which pair of pieces was nearest, the regime.
    Cost: bounding boxes of all pieces, then one update per near pair.
    """

    def __init__(
        self,
        a: Member,
        b: Member,
        *,
        contact_distance: float | None = None,
        release_distance: float | None = None,
        parallel_tolerance: float = 1e-12,
    ) -> None:
        for body in (a, b):
            if not isinstance(body, Body | Compound):
                raise TypeError(
                    f"a tracker needs two bodies, sim.Compound or sim.Body, got "
                    f"{type(body).__name__}"
                )
        if a is b:
            raise ValueError(f"body '{a.name}' cannot be tracked against itself")
        self.a = a
        self.b = b
        self.next_frame = 0
        ends = thresholds(a, b, contact_distance, release_distance)
        self._contact, self._release = ends
        self._tolerance = parallel_tolerance
        self._pieces = (pieces_of(a), pieces_of(b))
        self._trackers: dict[tuple[int, int], PairTracker] = {}
        self._hulls: tuple[RestHull, RestHull] | None = None
        self._nearest: tuple[int, int] | None = None
        self._state: CompoundState | None = None

    @property
    def contact_distance(self) -> float:
        """At this distance or less the pair is in contact."""
        return self._contact

    @property
    def release_distance(self) -> float:
        """Beyond this distance the contact ends."""
        return self._release

    @property
    def state(self) -> CompoundState | None:
        """The last answer, or None before the first."""
        return self._state

    def reset(self) -> None:
        """Forget the last frame: the next update starts cold."""
        self._state = None
        self._nearest = None
        self._trackers.clear()

    @property
    def next_region(self) -> int:
        """Always 0: the contacts of pieces are not gathered into regions."""
        return 0

    def resume(self, state: PairState, next_region: int = 0) -> None:
        """Go on after a state of this pair: all that it leaves is its regime."""
        self.reset()
        self._state = cast(CompoundState, state)

    def update(self, exact: bool = False) -> CompoundState:
        """Answer for the present positions and poses.

        Parameters
        ----------
        exact : bool
            As for ``PairTracker.update``, for every pair of pieces.

        Raises
        ------
        ValueError
            If a coordinate that is met is not finite, or a transform mirrors.
        """
        frame = self.next_frame
        for body in (self.a, self.b):
            if isinstance(body, Compound):
                body.settle(frame)
        mirrored = self._mirrored()
        origin = (self.b if mirrored else self.a).pose.translation
        groups = group_of(self.a, origin), group_of(self.b, origin)
        nears, lower = self._look(groups, frame, exact)
        if mirrored:
            nears = [turned(near) for near in nears]
            groups = groups[1], groups[0]
        nears.sort(key=lambda near: near[:2])
        if any(near.state.distance < 0.0 for near in nears):
            found = self._overlapping(groups, nears, mirrored)
        else:
            found = self._apart(nears, lower, mirrored)
        if mirrored:
            found = found.swapped()
        return self._keep(found, nears, mirrored, frame)

    def _look(
        self, groups: tuple[Group, Group], frame: int, exact: bool
    ) -> tuple[list[Near], float]:
        """Answer for every two pieces that may carry the answer.

        Returns them, and a lower bound of the distance of all others.
        """
        gaps = box_gaps(*groups)
        columns = gaps.shape[1]
        nears: list[Near] = []
        upper = np.inf
        floor = np.inf
        for i, j in self._in_order(gaps.ravel(), columns):
            if gaps[i, j] > max(upper, self._contact):
                floor = float(gaps[i, j])
                break
            tracker = self._tracker(i, j)
            tracker.next_frame = frame
            state = tracker.update(exact)
            nears.append(Near(i, j, state))
            upper = min(upper, state.upper)
        # last frame's nearest may be too far now: nothing may depend on it
        reach = max(upper, self._contact)
        return [near for near in nears if not gaps[near[:2]] > reach], floor

    def _in_order(
        self, gaps: NDArray[np.float64], columns: int
    ) -> Iterator[tuple[int, int]]:
        """List the pairs of pieces: last frame's nearest, then by their boxes."""
        if self._nearest is not None:
            yield self._nearest
        for k in np.argsort(gaps, kind="stable").tolist():
            pair = divmod(k, columns)
            if pair != self._nearest:
                yield pair

    def _tracker(self, i: int, j: int) -> PairTracker:
        if (i, j) not in self._trackers:
            self._trackers[i, j] = PairTracker(
                self._pieces[0][i],
                self._pieces[1][j],
                contact_distance=self._contact,
                release_distance=self._release,
                parallel_tolerance=self._tolerance,
            )
        return self._trackers[i, j]

    def _apart(self, nears: list[Near], floor: float, mirrored: bool) -> Found:
        """Take the least over all pairs of pieces, which is the union's distance."""
        carrier = min(nears, key=lambda near: near.state.distance)
        state = carrier.state
        upper = max(min(near.state.upper for near in nears), state.distance)
        lowest = min(nears, key=lambda near: near.state.lower)
        lower = min(lowest.state.lower, floor)
        found = self._found(carrier, mirrored, nears)._replace(
            lower=min(lower, state.distance),
            upper=upper,
            unique=state.unique and self._is_single(carrier, nears),
        )
        return (
            found
            if _certifies(found)
            else found._replace(
                reason=lowest.state.reason
                or "the bounds of two pairs of pieces do not meet"
            )
        )

    def _overlapping(
        self, groups: tuple[Group, Group], nears: list[Near], mirrored: bool
    ) -> Found:
        """Bound the overlap: by the deepest pair of pieces and by the way out."""
        inside = [near for near in nears if near.state.distance < 0.0]
        inside.sort(key=lambda near: near.state.distance)
        size = max(_reach(groups), *(near.state.size for near in inside))
        ways = [
            WayOut(near.state.depth, near.state.numbers.normal, *near[:2])
            for near in inside
        ]
        way = way_out(*groups, ways, size, lambda: self._both_hulls(mirrored))
        carrier = next(
            (n for n, w in zip(inside, ways, strict=False) if w == way), None
        )
        if carrier is None:
            carrier = self._where_they_part(way, nears[0].state.frame, mirrored)
        size = max(size, carrier.state.size)
        lower = -way.length - (layout.ALLOWANCE + SNUG) * size
        if carrier.state.distance == -way.length:
            lower = min(lower, carrier.state.lower)
        upper = min(near.state.upper for near in inside)
        found = self._found(carrier, mirrored, nears)._replace(
            distance=-way.length,
            lower=lower,
            upper=max(upper, -way.length),
            size=size,
        )
        return (
            found
            if _certifies(found)
            else found._replace(
                reason="overlap of bodies in pieces: distance is the shortest way "
                "out that was found, upper the deepest pair of pieces"
            )
        )

    def _is_single(self, carrier: Near, nears: list[Near]) -> bool:
        """Say whether no other two pieces are as near somewhere else."""
        state = carrier.state
        level = self._tolerance * state.size
        for near in nears:
            other = near.state
            if other.distance <= state.distance + level:
                off = np.abs(other.point_a - state.point_a).max()
                off = max(off, np.abs(other.point_b - state.point_b).max())
                if off > level:
                    return False
        return True

    def _both_hulls(self, mirrored: bool) -> tuple[RestHull, RestHull]:
        """Return the hulls at rest in kernel order, made when first asked for."""
        if self._hulls is None:
            a, b = (
                RestHull(x.rest_points if isinstance(x, Compound) else x.mesh.points)
                for x in (self.a, self.b)
            )
            self._hulls = a, b
        a, b = self._hulls
        return (b, a) if mirrored else (a, b)

    def _where_they_part(self, way: WayOut, frame: int, mirrored: bool) -> Near:
        """Name the closest features of two pieces after B took the way out."""
        one, other = (self._pieces[1], self._pieces[0]) if mirrored else self._pieces
        a, b = one[way.piece_a], other[way.piece_b]
        step = np.array([way.length * x for x in way.normal])
        moved = Body(b.mesh, name=b.name)
        moved.points = b.positions
        moved.pose = Pose(b.pose.linear, b.pose.translation + step)
        n = closest(a, moved, contact_distance=self._contact).numbers
        x, y, z = n.point_a
        nx, ny, nz = way.normal
        d = -way.length
        corners = np.array(n.corners).reshape(-1, 2, 3)
        corners[:, 1] -= step
        numbers = n._replace(
            distance=d,
            normal=way.normal,
            point_b=(x + d * nx, y + d * ny, z + d * nz),
            corners=tuple(corners.ravel().tolist()),
            proof="search",
        )
        state = PairState(numbers, "penetrating", frame, a, b)
        return Near(way.piece_a, way.piece_b, state)

    def _found(self, carrier: Near, mirrored: bool, nears: list[Near]) -> Found:
        state = carrier.state
        parties = party_of(self.a), party_of(self.b)
        work = [near.state.work for near in nears]
        return Found(
            distance=state.distance,
            lower=state.lower,
            upper=state.upper,
            size=state.size,
            carrier=carrier,
            unique=state.unique,
            proof=state.proof,
            reason="",
            work=Work(*(sum(counts) for counts in zip(*work, strict=True))),
            parties=(parties[1], parties[0]) if mirrored else parties,
            tolerance=self._tolerance,
        )

    def _keep(
        self, found: Found, nears: list[Near], mirrored: bool, frame: int
    ) -> CompoundState:
        before = "separated" if self._state is None else self._state.regime
        regime = next_regime(before, found, self._contact, self._release)
        if mirrored:
            nears = sorted((turned(n) for n in nears), key=lambda near: near[:2])
        touching = tuple(n for n in nears if n.state.distance <= self._contact)
        bodies = cast("tuple[Body, Body]", (self.a, self.b))
        self._state = CompoundState(found, touching, regime, frame, bodies)
        self._nearest = found.carrier[:2]
        self.next_frame = frame + 1
        return self._state

    def _mirrored(self) -> bool:
        """Say whether B comes first by a rule on numbers, as in ``PairTracker``."""
        a, b = self.a, self.b
        counts = [
            (x.mesh.n_vertices, len(p))
            for x, p in zip((a, b), self._pieces, strict=True)
        ]
        if counts[0] != counts[1]:
            return counts[0] > counts[1]
        return comes_after(
            floats(np.ascontiguousarray(a.positions)),
            floats(a.transform),
            floats(np.ascontiguousarray(b.positions)),
            floats(b.transform),
            a.mesh.n_vertices,
        )


def pieces_of(body: Member) -> tuple[Body, ...]:
    """Return the pieces of a body; a body without is its own only piece."""
    return body.pieces if isinstance(body, Compound) else (body,)


def party_of(body: Member) -> Party:
    """Keep where a body is, as far as names are decoded from it."""
    return Party(body, body.shot() if isinstance(body, Compound) else None)


def group_of(body: Member, origin: NDArray[np.float64]) -> Group:
    """Lay out the pieces of a body relative to an origin."""
    pose = Pose(body.pose.linear, body.pose.translation - origin)
    if isinstance(body, Compound):
        return Group.of(pose.apply(body.stack), body.start.vertex[:-1])
    return Group.of(pose.apply(body.positions), np.zeros(1, np.intp))


def _reach(groups: tuple[Group, Group]) -> float:
    """Return the largest coordinate."""
    return max(float(np.abs(x).max()) for g in groups for x in (g.low, g.high))


def _certifies(found: Found) -> bool:
    wanted = layout.RELATIVE * abs(found.distance) + layout.ABSOLUTE * found.size
    return found.upper - found.lower <= wanted
