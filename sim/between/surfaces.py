"""Bodies that are not convex on their way: when their surfaces are first near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.moves import Array, Ending, Move, speed_of, world_at
from sim.body.body import Body
from sim.body.pose import Pose
from sim.kernels.between.chain import FREE, MET, STEP, UNDECIDED
from sim.result.state import PairState
from sim.tracking.pair import PairTracker
from wingedge.primitives import moving_point_triangle, moving_segment_segment

FIRST_WINDOW = 1.0 / 64.0  # of a frame, in which features are asked first
BLOCK = 256  # pieces whose boxes are compared with all others at once
NARROW = 1e-9  # of a frame: an interval that holds the touch of two solids
WORK = 400  # answers to one question, at most
SURE = ("hull", "trust")  # what is convex by definition, or on the caller's word


class Ghosts:
    """Two bodies like those of a pair, to be put where these are on their way."""

    def __init__(self, a: Body, b: Body, contact: float, release: float) -> None:
        self._pair = a, b
        self._bodies = ghost_of(a), ghost_of(b)
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

    def at(self, moves: tuple[Move, Move], t: float, frame: int) -> PairState:
        """Answer for the bodies of the pair as they are at a time, from cold."""
        found = self.answer(moves, t)
        a, b = self._pair
        editions = (a.edition, b.edition)
        hulls = found.hulls
        return PairState(found.numbers, found.regime, frame, a, b, editions, (), hulls)

    def first_near(
        self, moves: tuple[Move, Move], level: float, hulls: Ending
    ) -> Ending:
        """Return when surfaces that are not convex are first as near as a level.

        From when their hulls are.  No vertex is faster than ``speed``, so surfaces that
        are d apart stay so for d / speed: a slow way, undecided after ``WORK`` answers.
        When surfaces touch, their features know exactly (``first_hit``).
        """
        speed = speed_of(moves)
        hit = first_hit(moves, self._pair, hulls.lower) if level == 0.0 else None
        t, until, step = hulls.lower, hulls.lower, STEP
        for _ in range(WORK):
            if hit is not None and t >= hit[0] - STEP:
                break
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
            elif until == 1.0 or hit is not None:
                break
            else:  # within rounding of the level: look a little later
                until = min(1.0, t + step)
                step *= 4.0
        if hit is not None:
            return hulls._replace(ended=MET, lower=min(t, hit[0]), upper=hit[1])
        return hulls._replace(ended=UNDECIDED, lower=t, upper=1.0)


def first_hit(
    moves: tuple[Move, Move], bodies: tuple[Body, Body], since: float
) -> tuple[float, float] | None:
    """Find when any vertex meets a face, or two edges meet, after a time.

    Exact for positions rounded at both ends of a window, and widened by what that may
    mean; in windows that grow, each with the pairs whose boxes meet on the way.
    """
    window = FIRST_WINDOW
    speed = speed_of(moves)
    a, b = (body.mesh for body in bodies)
    while since < 1.0:
        until = min(1.0, since + window)
        ends = [[world_at(move, t) for move in moves] for t in (since, until)]
        size = max(float(np.abs(p).max()) for both in ends for p in both)
        ids = [np.arange(mesh.n_vertices)[:, None] for mesh in (a, b)]
        sides: list[tuple[Any, Any, int, Callable[..., Any]]] = [
            (ids[0], b.fan[0], 0, moving_point_triangle.hit),
            (ids[1], a.fan[0], 1, moving_point_triangle.hit),
            (a.edge_vertices, b.edge_vertices, 0, moving_segment_segment.hit),
        ]
        times = []
        for one, other, k, hits in sides:
            before, after = ([both[k], both[1 - k]] for both in ends)
            rows = meeting_boxes(one, other, before, after)
            corners = [
                np.concatenate([p[one[rows[0]]], q[other[rows[1]]]], axis=1)
                for p, q in (before, after)
            ]
            found = hits(*corners)
            times += [*zip(found.lower[found.hit], found.upper[found.hit], strict=True)]
        if times:
            slack = max(0.25 * STEP, 64.0 * 2.0**-52 * size / speed)
            lower, upper = map(float, min(times))
            width = until - since
            return since + width * lower - slack, since + width * upper + slack
        since, window = until, 2.0 * window
    return None


def meeting_boxes(
    one: NDArray[np.int32],
    other: NDArray[np.int32],
    before: list[Array],
    after: list[Array],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the pairs of pieces of two bodies whose boxes meet on the way."""
    boxes = []
    for ids, k in ((one, 0), (other, 1)):
        places = np.concatenate([before[k][ids], after[k][ids]], axis=1)
        boxes.append((places.min(axis=1), places.max(axis=1)))
    (low, high), (least, most) = boxes
    rows: tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]] = [], []
    for k in range(0, len(low), BLOCK):
        part = slice(k, k + BLOCK)
        near = (low[part, None] <= most) & (least <= high[part, None])
        i, j = np.nonzero(near.all(axis=2))
        rows[0].append(i + k)
        rows[1].append(j)
    return np.concatenate(rows[0]), np.concatenate(rows[1])


def ghost_of(body: Body) -> Body:
    """Return a body of the same mesh that refuses nothing."""
    answered = "surface" if body.convexity == "raise" else body.convexity
    return Body(body.mesh, name=body.name, convexity=answered)
