"""The tracker of two bodies of which one or both are compounds."""

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sim.body import Body
from sim.compound.answer import Case, answer
from sim.compound.body import Compound
from sim.compound.overlap import Group, RestHull, box_gaps
from sim.compound.state import CompoundState, Found, Near, Party, turned
from sim.contact import PairState
from sim.kernels.order import comes_after
from sim.pose import Pose
from sim.tracking.buffers import floats
from sim.tracking.options import check_options
from sim.tracking.pair import PairTracker
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
                    f"a tracker of compounds needs two of sim.Compound or sim.Body, "
                    f"got {type(body).__name__}"
                )
        if a is b:
            raise ValueError(f"body '{a.name}' cannot be tracked against itself")
        check_options(parallel_tolerance, "certified", (None, False, False))
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

    def resume(self, state: PairState) -> None:
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
        # a coordinate that is not finite is near everything, so that it is met
        with np.errstate(invalid="ignore", over="ignore"):
            groups = group_of(self.a, origin), group_of(self.b, origin)
            gaps = box_gaps(*groups)
        nears, floor = self._look(gaps, frame, exact)
        if mirrored:
            nears = [turned(near) for near in nears]
            groups = groups[1], groups[0]
        nears.sort(key=lambda near: near[:2])
        parties = party_of(self.a), party_of(self.b)
        if mirrored:
            parties = parties[1], parties[0]
        case = Case(nears, floor, groups, parties, self._tolerance)
        found = answer(case, lambda: self._both_hulls(mirrored))
        if mirrored:
            found = found.swapped()
        return self._keep(found, nears, mirrored, frame)

    def _look(
        self, gaps: NDArray[np.float64], frame: int, exact: bool
    ) -> tuple[list[Near], float]:
        """Answer for every two pieces that may carry the answer.

        Returns them, and a lower bound of the distance of all others.
        """
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
    """Return the pieces of a body, settled or not; one without is its own only one."""
    return body._pieces if isinstance(body, Compound) else (body,)


def party_of(body: Member) -> Party:
    """Keep where a body is, as far as names are decoded from it."""
    return Party(body, body.shot() if isinstance(body, Compound) else None)


def group_of(body: Member, origin: NDArray[np.float64]) -> Group:
    """Lay out the pieces of a body relative to an origin."""
    pose = Pose(body.pose.linear, body.pose.translation - origin)
    if isinstance(body, Compound):
        return Group.of(pose.apply(body.stack), body.start.vertex[:-1])
    return Group.of(pose.apply(body.positions), np.zeros(1, np.intp))
