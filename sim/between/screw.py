"""Two bodies on a screw: turning about an axis and going along it, both steadily.

The way from pose to pose is halved again and again, each piece a straight chord.  On a
chord no vertex is farther from its place on the screw than ``chord`` says, so planes
that part the chords by that much more part the bodies.  Halving takes quaternions and
square roots alone: the same bits everywhere.
"""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np

from sim.between.moves import Array, Ending, Move, placed
from sim.between.paths import SURE, PairPaths
from sim.body.body import Body
from sim.body.pose import Pose, product
from sim.kernels.between.chain import FREE, MET, PROOF, UNDECIDED, WITHIN
from sim.result.state import PairState

Quaternion = tuple[float, float, float, float]  # x y z w
RIGID = 1e-9  # how far a rotation may be from one, as ``Pose.rigid`` allows
ROUNDING = 64.0 * 2.0**-52  # of the size: by how much halving may be off
DEPTH = 31  # halvings at most: pieces of 4.7e-10 of a frame
WORK = 4000  # pieces that one question may ask about
STILL: Quaternion = (0.0, 0.0, 0.0, 1.0)


class Place(NamedTuple):
    """Where a body is at one time on its screw."""

    turn: Quaternion  # since the start
    matrix: Array  # (3, 4)
    points: Array  # (V, 3), body frame


class Piece(NamedTuple):
    """A part of the way, from place to place, of both bodies."""

    start: float
    end: float
    places: tuple[tuple[Place, Place], ...]

    @property
    def moves(self) -> tuple[Move, Move]:
        """The straight moves from place to place."""
        a, b = (Move(p.points, q.points, p.matrix, q.matrix) for p, q in self.places)
        return a, b

    def turned(self) -> Piece:
        """Return the way back."""
        back = tuple((q, p) for p, q in self.places)
        return Piece(1.0 - self.end, 1.0 - self.start, back)

    def halves(self) -> tuple[Piece, Piece]:
        """Return both halves."""
        t = 0.5 * (self.start + self.end)
        mids = [halfway(p, q) for p, q in self.places]
        ways = list(zip(self.places, mids, strict=True))
        first = tuple((p, m) for (p, _), m in ways)
        second = tuple((m, q) for (_, q), m in ways)
        return Piece(self.start, t, first), Piece(t, self.end, second)


class ScrewPaths:
    """What ``PairPaths`` answers of straight ways, of two bodies on their screws.

    Parameters: ``paths``: the buffers of the pair; ``bodies``, ``moves``: where they
    start and end.  Raises ValueError if a move is no rigid motion.
    """

    def __init__(
        self, paths: PairPaths, moves: tuple[Move, Move], bodies: tuple[Body, Body]
    ) -> None:
        self._paths = paths
        names = (body.name for body in bodies)
        self._whole = Piece(0.0, 1.0, tuple(map(screw_of, moves, names)))
        self._solid = all(body.convexity in SURE for body in bodies) or all(
            move.start is move.end and body.verdict().convex
            for body, move in zip(bodies, moves, strict=True)
        )
        self._slack = sum(slack_of(*places) for places in self._whole.places)
        self.ends = paths.ends

    @property
    def allowance(self) -> float:
        """By how much rounding may turn a gap."""
        return self._paths.allowance + self._slack

    def load(self, moves: tuple[Move, Move]) -> None:
        """Do nothing: pieces are loaded when they are asked about."""

    def at(self, t: float, frame: int) -> PairState:
        """Answer for the bodies as they are at a time on their screws, from cold."""
        piece = self._whole
        for _ in range(DEPTH):
            if t in (piece.start, piece.end):
                break
            first, second = piece.halves()
            piece = first if t <= first.end else second
        part = (t - piece.start) / (piece.end - piece.start)
        return self._paths.ghosts.at(piece.moves, part, frame)

    def first(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Ask when the bodies are first, or ``back``: last, as near as a level.

        Pieces on which they are not proven apart are halved, the earlier half first.
        The last ones answer for the bodies where they end.
        """
        whole = self._whole.turned() if back else self._whole
        ending = self._follow(whole, level, normal)
        return ending.turned() if back else ending

    def _follow(self, whole: Piece, level: float, normal: Array | None) -> Ending:
        ask = partial(self._paths.seek, normal=normal)
        self._paths.load(whole.moves)
        found = ask(level)
        if found.ended == WITHIN:
            return found
        planes: list[Array] = []
        updates, left = found.updates, [whole]
        since: float | None = None  # from when on nothing is known
        for _ in range(WORK):
            piece = left.pop()
            moves, wide = piece.moves, piece.end - piece.start
            self._paths.load(moves)
            clear = level + self._slack + sum(chord_of(*both) for both in piece.places)
            found = ask(clear)
            updates += found.updates
            if found.ended == FREE:
                if since is not None:  # near for a while, and apart again: a graze
                    found = found._replace(ended=UNDECIDED, upper=piece.start)
                    break
                planes.append(_of_frame(found.planes, piece))
                if len(found.planes):
                    ask = partial(self._paths.seek, normal=found.planes[-1, 5:])
            elif wide > 0.5**DEPTH:
                left += piece.halves()[::-1]
                continue
            else:
                if since is None:
                    since = piece.start + wide * found.lower
                    planes.append(_of_frame(found.planes, piece))
                is_near = self._near(moves, level)
                found = found._replace(
                    ended=MET if is_near else UNDECIDED,
                    upper=piece.end,
                    speed=found.speed / wide,
                )
                if is_near:
                    break
            if not left:
                break
        else:
            since = left[-1].start if since is None else since
            found = found._replace(ended=UNDECIDED, upper=1.0)
        proof = np.vstack([*planes, np.empty((0, PROOF))])
        lower = 1.0 if since is None else since
        return found._replace(lower=lower, planes=proof, updates=updates)

    def _near(self, moves: tuple[Move, Move], level: float) -> bool:
        """Say whether the bodies are within a level at the end of a piece.

        Surfaces that pierce each other are found by exact signs, but the upper bound of
        their distance is rounding.
        """
        state = self._paths.ghosts.at(moves, 1.0, 0)
        pierced = not self._solid and state.regime == "penetrating"
        return state.upper <= level or (pierced and state.distance < 0.0)


def _of_frame(planes: Array, piece: Piece) -> Array:
    """Return the planes of a piece with the times of the frame."""
    found = planes.copy()
    found[:, :2] = piece.start + (piece.end - piece.start) * planes[:, :2]
    return found


def screw_of(move: Move, name: str) -> tuple[Place, Place]:
    """Return both ends of a screw.

    Raises ValueError if the map of the end is not that of the start, turned and moved.
    """
    start, end = move.start_map[:, :3], move.end_map[:, :3]
    turn = product(end, inverse(start))
    off = float(np.abs(product(turn, turn.T) - np.eye(3)).max())
    if not off <= RIGID:
        raise ValueError(
            f"body '{name}': its pose changes by more than a rotation ({off:.2g}), and "
            f"no screw takes it there; leave out path='screw', or give points_{name}"
        )
    first = Place(STILL, move.start_map, move.start)
    return first, Place(quaternion_of(turn), move.end_map, move.end)


def halfway(p: Place, q: Place) -> Place:
    """Return where a body is in the middle of a part of its screw.

    An arc rises over the middle of its chord w by tan(angle / 4) / 2 times w, across
    the axis; the quaternion of half the turn has both.
    """
    x, y, z, w = half_turn(p.turn, q.turn)
    a, b = p.matrix[:, 3], q.matrix[:, 3]
    u, way = np.array([x, y, z]) / w, b - a
    middle = 0.5 * (a + b) - 0.5 * crossed(u, way)
    turn = unit(times((x, y, z, w), p.turn))
    step = Pose.rigid((x, y, z, w)).linear
    linear = product(step, p.matrix[:, :3])
    points = p.points if p.points is q.points else 0.5 * (p.points + q.points)
    return Place(turn, np.column_stack([linear, middle]), points)


def chord_of(p: Place, q: Place) -> float:
    """Bound how far a body on the chord is from its place on the screw at that time.

    The second derivative of a vertex r from the axis is r angle^2, and points that
    move in the body's frame add twice angle times their way; an eighth of it counts.
    """
    x, y, z, w = half_turn(p.turn, q.turn)
    sine = sqrt(x * x + y * y + z * z)
    if sine == 0.0:
        return 0.0
    u = np.array([x, y, z])
    farthest = 0.0
    for points in (p.points, q.points)[: 1 if p.points is q.points else 2]:
        ways = placed(points, q.matrix[:, :3] - p.matrix[:, :3])
        ways += q.matrix[:, 3] - p.matrix[:, 3]
        farthest = max(farthest, longest(crossed(u, ways)))
    bent = longest(placed(q.points - p.points, p.matrix[:, :3]))
    return float(0.5 * farthest / (w * w * w) + bent * sine / w)


def slack_of(p: Place, q: Place) -> float:
    """Bound by how much the halving of a screw may be off."""
    linear = product(Pose.rigid(q.turn).linear, p.matrix[:, :3])
    off = longest(placed(q.points, linear - q.matrix[:, :3]))
    size = max(
        longest(placed(x.points, x.matrix[:, :3]) + x.matrix[:, 3]) for x in (p, q)
    )
    return off + ROUNDING * size


def longest(ways: Array) -> float:
    """Return the length of the longest of many vectors, (n, 3)."""
    return sqrt(float((ways * ways).sum(axis=1).max()))


def crossed(u: Array, ways: Array) -> Array:
    """Return the cross products of a vector with others, in a fixed order."""
    x, y, z = ways[..., 0], ways[..., 1], ways[..., 2]
    return np.stack(
        [u[1] * z - u[2] * y, u[2] * x - u[0] * z, u[0] * y - u[1] * x], axis=-1
    )


def inverse(m: Array) -> Array:
    """Invert a (3, 3) matrix, in a fixed order."""
    rows = [crossed(m[(k + 1) % 3], m[(k + 2) % 3]) for k in range(3)]
    det = m[0, 0] * rows[0][0] + m[0, 1] * rows[0][1] + m[0, 2] * rows[0][2]
    found: Array = np.stack(rows, axis=-1) / det
    return found


def half_turn(p: Quaternion, q: Quaternion) -> Quaternion:
    """Return half of the shorter turn from one to the other; of half a turn either."""
    x, y, z, w = times(q, (-p[0], -p[1], -p[2], p[3]))
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    return unit((x, y, z, w + sqrt(x * x + y * y + z * z + w * w)))


def times(p: Quaternion, q: Quaternion) -> Quaternion:
    """Multiply: first ``q``, then ``p``."""
    a, b, c, d = p
    x, y, z, w = q
    return (
        d * x + a * w + b * z - c * y,
        d * y - a * z + b * w + c * x,
        d * z + a * y - b * x + c * w,
        d * w - a * x - b * y - c * z,
    )


def unit(q: Quaternion) -> Quaternion:
    """Return a quaternion of length 1."""
    x, y, z, w = q
    n = sqrt(x * x + y * y + z * z + w * w)
    return x / n, y / n, z / n, w / n


def quaternion_of(m: Array) -> Quaternion:
    """Return the turn of a rotation; by its greatest component, so nothing cancels."""
    (a, b, c), (d, e, f), (g, h, i) = m.tolist()
    rows = (
        (1.0 + a - e - i, d + b, c + g, h - f),
        (d + b, 1.0 - a + e - i, h + f, c - g),
        (c + g, h + f, 1.0 - a - e + i, d - b),
        (h - f, c - g, d - b, 1.0 + a + e + i),
    )
    return unit(max(enumerate(rows), key=lambda row: row[1][row[0]])[1])
