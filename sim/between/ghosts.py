"""Bodies like those of a pair, put where these are on their way."""

from __future__ import annotations

from sim.between.moves import Ending, Move, speed_of
from sim.body.body import Body
from sim.body.pose import Pose
from sim.kernels.between.chain import FREE, MET, STEP, UNDECIDED
from sim.result.state import PairState
from sim.tracking.pair import PairTracker
from wingedge.mesh import WingedEdgeMesh

WORK = 400  # answers to one question, at most


class Ghosts:
    """Two bodies like those of a pair, to be put where these are on their way."""

    def __init__(self, a: Body, b: Body, contact: float, release: float) -> None:
        self._bodies = tuple(ghost_of(x.mesh, x.name, x.convexity) for x in (a, b))
        self._tracker = PairTracker(
            *self._bodies, contact_distance=contact, release_distance=release
        )

    def put(self, moves: tuple[Move, Move], t: float) -> None:
        """Put both bodies where they are at a time."""
        for body, move in zip(self._bodies, moves, strict=True):
            points, matrix = move.at(t)
            body.points = points
            body.pose = Pose.from_matrix(matrix)

    def answer(self, moves: tuple[Move, Move], t: float) -> PairState:
        """Answer for these bodies themselves, from cold; they stay there."""
        self.put(moves, t)
        self._tracker.reset()
        return self._tracker.update()

    def at(
        self, moves: tuple[Move, Move], t: float, frame: int, pair: tuple[Body, Body]
    ) -> PairState:
        """Answer for a pair like these as it is at a time, from cold."""
        found, (a, b) = self.answer(moves, t), pair
        editions, hulls = (a.edition, b.edition), found.hulls
        return PairState(found.numbers, found.regime, frame, a, b, editions, (), hulls)

    def first_near(
        self, moves: tuple[Move, Move], level: float, hulls: Ending
    ) -> Ending:
        """Return when a hull and a surface are first as near as a level.

        From when two hulls are.  No vertex is faster than ``speed``, so bodies that
        are d apart stay so for d / speed: a slow way, undecided after ``WORK`` answers.
        """
        speed = speed_of(moves)
        t, until, step = hulls.lower, hulls.lower, STEP
        for _ in range(WORK):
            self.put(moves, until)
            state = self._tracker.update()
            gains = (state.lower - level) / speed
            if state.upper <= level:
                if until == t:
                    break
                return hulls._replace(ended=MET, lower=t, upper=until)
            if gains > STEP and until - gains <= t:  # free since t, and for a while
                t = until = until + gains
                step = STEP
                if t >= 1.0:
                    return hulls._replace(ended=FREE, lower=1.0)
            elif until == 1.0:
                break
            else:  # within rounding of the level: look a little later
                until = min(1.0, t + step)
                step *= 4.0
        return hulls._replace(ended=UNDECIDED, lower=t, upper=1.0)


def ghost_of(mesh: WingedEdgeMesh, name: str, convexity: str) -> Body:
    """Return a body that answers like one of this convexity, and refuses nothing."""
    answered = "surface" if convexity == "raise" else convexity
    return Body(mesh, name=name, convexity=answered)
