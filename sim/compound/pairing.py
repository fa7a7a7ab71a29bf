"""Which pieces of two bodies are near each other, and the answers for them."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.compound.body import Compound
from sim.compound.overlap import Group, RestHull, box_gaps
from sim.compound.state import Near
from sim.result.answer import Vec
from sim.tracking.pair import PairTracker

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
            contact, release, tolerance = self._options
            self.trackers[i, j] = PairTracker(
                a,
                b,
                contact_distance=contact,
                release_distance=release,
                parallel_tolerance=tolerance,
            )
        return self.trackers[i, j]


class Shadow:
    """The second body once more, to be put where it would be after a translation."""

    def __init__(self, first: Member, second: Member, options: Options) -> None:
        self._second = second
        self._ghost: Member = (
            Compound([piece.mesh for piece in second.pieces], name=second.name)
            if isinstance(second, Compound)
            else Body(
                second.mesh,
                name=second.name,
                convexity="hull" if second.convexity == "hull" else "surface",
            )
        )
        self.pairing = Pairing(first, self._ghost, options)

    def look(self, step: Vec) -> tuple[list[Near], float]:
        """Answer for the pieces near each other after a translation, as ``Pairing``."""
        ghost, second = self._ghost, self._second
        now = second.stack if isinstance(second, Compound) else second.positions
        if not np.array_equal(ghost.positions, now):
            ghost.points = now
        if isinstance(ghost, Compound):
            ghost.settle()
        pose = second.pose
        ghost.pose = Pose(pose.linear, pose.translation + np.array(step))
        pairing = self.pairing
        groups = pairing.groups(pairing.a.transform[:, 3])
        return pairing.look(groups, 0, False)


class DepthTools:
    """What an overlap may need beside the pieces; made when it is first asked for."""

    def __init__(self, first: Member, second: Member, options: Options) -> None:
        self._bodies = first, second
        self._options = options

    @cached_property
    def hulls(self) -> tuple[RestHull, RestHull]:
        """The hulls of the two bodies at rest."""
        a, b = (
            RestHull(x.rest_points if isinstance(x, Compound) else x.mesh.points)
            for x in self._bodies
        )
        return a, b

    @cached_property
    def shadow(self) -> Shadow:
        """The second body once more."""
        return Shadow(*self._bodies, self._options)

    @property
    def pairing(self) -> Pairing | None:
        """The trackers of the shadow's pieces, where there are any."""
        made: Shadow | None = self.__dict__.get("shadow")
        return None if made is None else made.pairing


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
