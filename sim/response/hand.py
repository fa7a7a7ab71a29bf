"""Move a held body to where a hand wants it, as far as the obstacles allow.

Yokoyama et al. want a body to be moved under the constraints of its contacts, and end
their contact test with the normals of these constraints (sections 1 and 4).
"""

from collections.abc import Iterable, Iterator, Sequence
from math import tan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import check_above_zero, check_vector
from sim.body.body import Body
from sim.body.pose import Pose, product
from sim.response.walk import ESCAPE, FREE, PUSH, SLIDE, STOP, nearest
from sim.result.state import PairState, Region
from sim.tracking.options import rest_size, thresholds
from sim.tracking.pair import PairTracker
from wingedge import Feature, convexity

Floats = NDArray[np.float64]

# Parts of the gap: where the body is kept, how near it may come while it slides, what
# is too short a way to be gone, and after what a way what was met may be in the way.
_AIM, _LEAST, _SETTLED, _NEAR = 0.5, 0.25, 2.0**-6, 4.0
_TURN, _FAR = 0.25, 4.0  # as 2 tan(t/2): of one step; what a farther turn counts as
_CUTS = 12  # contacts that a step is turned off before anything moves
_TRIES, _SHORT = 4, 0.875  # at a part of a turn: another part has other chords
_RIGID = 1e-9  # as Pose.rigid
_PARALLEL = 2.0**-10  # what holds back along less different directions is one


class Held(NamedTuple):
    """One contact that constrains the body; world frame."""

    obstacle: Body
    kind: str  # "VF" "FV" "EE" ..., the body's letter first
    feature: Feature  # of the body
    on: Feature  # of the obstacle
    point: Floats  # (3,) on the obstacle
    normal: Floats  # (3,) unit, from the body to the obstacle
    distance: float


class Drag(NamedTuple):
    """What became of one motion of a hand; a value, world frame.

    ``pushed`` and ``moved`` are shifts of the pivot: first the body was pushed out of
    what had come into it, then it moved.  ``left`` and ``left_turn`` say what the hand
    still wants: a shift of the pivot, and a vector about which to turn, 2 tan(t/2)
    long (of small turns, radians).
    """

    response: str  # "free" "slide" "rest" "push" "stop" "escape"
    pose: Pose  # where the body is now
    iterations: int  # looks at the obstacles
    pushed: Floats  # (3,)
    moved: Floats  # (3,)
    left: Floats  # (3,)
    left_turn: Floats  # (3,)
    contacts: tuple[Held, ...]  # the closest of each obstacle first
    reason: str = ""  # why it stopped


class TurnFrame(NamedTuple):
    """About what the body turns; a turn is counted as the angle times the arm."""

    pivot: Floats  # (3,) in the world
    axis: Floats  # (3,) unit
    arm: float  # no vertex is farther from the pivot; 0: it does not turn


class HalfSpace(NamedTuple):
    """A half-space of steps, (shift, turn), that one contact allows."""

    held: Held
    row: Floats  # (4,) how fast a step closes the gap
    room: float  # how far it is open


class Hand:
    """Move a body among obstacles: it slides along them, rests, and lets go.

    Raises ValueError if gap or looks is not above 0, or the body is its own obstacle.

    The contacts of ``PairTracker`` are the constraints, its regions where a body is not
    convex.  A step is projected on them, and gone as far as ``PairTracker.advance``
    proves free; what ends it there is a constraint, too.  So nothing is passed through,
    however fast the hand and however thin the obstacle.

    Cost: a look is one update of each tracker, and an ``advance`` of those that the
    step may reach; a steady slide takes two or three.

    Parameters: ``body``: what is held; every move sets its ``pose``.  ``obstacles``:
    what is in the way; they may move and deform between the moves.  ``gap``: the body
    rests no farther from an obstacle than this [length unit of the input], well above
    the rounding of the coordinates; 1e-3 of the rest size of the smaller body if left
    out.  ``pivot`` (3,): about which point it turns, body frame; the middle of its box
    if left out.  ``looks``: how often the obstacles may be looked at in one move.
    """

    def __init__(
        self,
        body: Body,
        obstacles: Body | Sequence[Body],
        *,
        gap: float | None = None,
        pivot: ArrayLike | None = None,
        looks: int = 64,
    ) -> None:
        others = [obstacles] if isinstance(obstacles, Body) else list(obstacles)
        usual = (thresholds(body, b, None, None)[0] for b in others)
        near = min(usual, default=1.0) if gap is None else check_above_zero("gap", gap)
        if looks < 1:
            raise ValueError(f"looks={looks!r} must be 1 or more")
        self.body, self.obstacles = body, tuple(others)
        self.trackers = tuple(tracker_of((body, b), near) for b in others)
        self.gap, self.looks = near, looks
        self._pivot = None if pivot is None else check_vector("pivot", pivot)

    def move(self, step: ArrayLike) -> Drag:
        """Shift the body by a step, unturned, as far as it goes.

        Parameters: ``step`` (3,): world frame, of any length.
        """
        shift, pose = np.array(check_vector("step", step)), self.body.pose
        return self.move_to(Pose(pose.linear, pose.translation + shift))

    def move_to(self, target: Pose) -> Drag:
        """Bring the body to a pose, or as near to it as it goes.

        A body that must turn turns about the pivot, towards the target and never away
        from it; the pivot gives way to a turn, and the turn to the obstacles.  If it
        needs no turn its orientation is held.

        Raises ValueError if the target is not the present pose turned and shifted, or a
        coordinate is not finite.
        """
        left, grip = self._wanted(target)
        start, settled = grip.pivot, _SETTLED * min(self.gap, swept(left))
        pushed, gone, reason, sides, looks = np.zeros(3), 0.0, "", list[HalfSpace](), 0
        while not reason:
            states, looks = [tracker.update() for tracker in self.trackers], looks + 1
            left, grip = self._wanted(target)
            found = [x for s in states for x in sides_of(s, grip, self.gap)]
            rows = [x.row for x in found]
            sides = [*found, *(x for x in sides if differs(x.row, rows))]
            inside = next((s for s in states if not s.lower > 0.0), None)
            wish, held = (left, grip) if inside is None else (0 * left, OUT)
            if inside is None and not left.any():
                break
            step, sides = self._allowed(states, wish, held, sides)
            if step is None:
                s = inside or min(states, key=lambda s: s.distance)
                how = f"is held on all sides, nearest by '{s.b.name}' at {s.distance:g}"
                if inside:
                    how = f"cannot be pushed out of '{s.b.name}', {s.depth:.3g} deep"
                reason = f"no room: '{self.body.name}' {how}"
            elif inside is None and sides and swept(step) <= settled:
                break
            elif looks == self.looks:
                reason = f"not at rest after {looks} looks at the obstacles"
            else:
                arrives = inside is None and np.array_equal(step, wish)
                self.body.pose = target if arrives else self._posed(step, held)
                gone += swept(step) if inside is None else 0.0
                pushed = pushed if inside is None else pushed + step[:3]
                near = sides if swept(step) <= _NEAR * self.gap else []
                sides = [x._replace(room=x.room - float(x.row @ step)) for x in near]
        word = FREE if swept(left) <= settled else SLIDE if gone > settled else "rest"
        if pushed.any():
            word = PUSH
        if reason:
            word = ESCAPE if looks == self.looks else STOP
        moved, turn = grip.pivot - start - pushed, left[3] * grip.axis
        turn = turn / grip.arm if grip.arm else turn
        contacts, pose = listed(sides, self.gap), self.body.pose
        return Drag(word, pose, looks, pushed, moved, left[:3], turn, contacts, reason)

    def _allowed(
        self,
        states: list[PairState],
        wish: Floats,
        grip: TurnFrame,
        sides: list[HalfSpace],
    ) -> tuple[Floats | None, list[HalfSpace]]:
        """Return the step that is allowed and proven, and the sides that turned it.

        None if there is no room at all, or none for the whole way out of an overlap.
        """
        out, settled = not wish.any(), _SETTLED * self.gap
        for _ in range(_CUTS):
            step = projected(wish, grip, sides, self.gap)
            if step is None or (sides and swept(step) <= settled):
                return step, sides
            share, cuts = self._free(states, step, grip)
            if share == 1.0 or (share * swept(step) > settled and not out):
                return share * step, sides
            sides = sides + cuts
        return None if out else 0 * wish, sides

    def _free(
        self, states: list[PairState], step: Floats, grip: TurnFrame
    ) -> tuple[float, list[HalfSpace]]:
        """Prove how much of a step is free, of 1; return it and what ends it."""
        here, share, cuts = self.body.pose, 1.0, list[HalfSpace]()
        for _ in range(_TRIES if step[3] else 1):
            first, pose = 1.0, self._posed(share * step, grip)
            for tracker, state in zip(self.trackers, states, strict=True):
                least = min(_LEAST * self.gap, 0.5 * state.lower)
                if not 0.0 < least >= state.lower - share * swept(step):
                    continue  # overlaps lead out, others are out of reach
                passage = tracker.advance(pose_a=pose, distance=least)
                self.body.pose, touch = here, passage.touch
                if touch is not None and touch.lower <= first:
                    first, made = touch.lower, share * touch.lower * step
                    met = sides_of(touch.state, grip, self.gap)
                    cuts = [x._replace(room=x.room + float(x.row @ made)) for x in met]
                elif touch is None and passage.reason:
                    first, cuts = 0.0, []
            share *= first
            if first == 1.0 or not step[3]:
                return share, cuts
            share *= _SHORT
        return 0.0, cuts

    def _wanted(self, target: Pose) -> tuple[Floats, TurnFrame]:
        """Return the whole way to the target, and how the body turns on it."""
        now, points, held = self.body.pose, self.body.positions, self._pivot
        if held is None:
            held = 0.5 * (points.min(axis=0) + points.max(axis=0))
        before, after = Pose(now.linear), Pose(target.linear)
        shift = target.translation - now.translation
        shift = shift + (after.apply(held) - before.apply(held))
        if now.linear.tolist() == target.linear.tolist():
            return np.append(shift, 0.0), OUT._replace(pivot=now.apply(held))
        axis, angle = turn_between(now.linear, target.linear)
        arm = float(np.linalg.norm(before.apply(points - held), axis=1).max())
        arm = arm or self.gap
        return np.append(shift, angle * arm), TurnFrame(now.apply(held), axis, arm)

    def _posed(self, step: Floats, grip: TurnFrame) -> Pose:
        """Return where a step brings the body."""
        now = self.body.pose
        if not step[3]:
            return Pose(now.linear, now.translation + step[:3])
        turn = Pose.rigid((*(0.5 * step[3] / grip.arm * grip.axis), 1.0))
        at = turn.apply(now.translation - grip.pivot) + grip.pivot + step[:3]
        return Pose(product(turn.linear, now.linear), at)


OUT = TurnFrame(np.zeros(3), np.zeros(3), 0.0)  # out of an overlap it does not turn


def swept(step: Floats) -> float:
    """Return a length that no point of the body moves farther than."""
    return float(np.linalg.norm(step[:3]) + abs(step[3]))


def differs(direction: Floats, others: Iterable[Floats]) -> bool:
    """Whether a direction is none of the others."""
    return all(np.linalg.norm(direction - x) > _PARALLEL for x in others)


def sides_of(state: PairState, grip: TurnFrame, gap: float) -> Iterator[HalfSpace]:
    """Yield what the contacts of a pair allow: of a patch, one for each corner."""
    if state.distance > 2.0 * gap:
        return
    pairs: list[PairState | Region] = [state]
    for near in pairs + [region for region in state.regions if region.distance > 0.0]:
        normal, corners = near.normal, [near.point_a]
        if grip.arm and near is state:
            corners = [contact.point_a for contact in state.contacts] or corners
        names = near.kind, near.feature_a, near.feature_b
        held = Held(state.b, *names, near.point_b, normal, near.distance)
        for corner in corners:
            rise = normal @ np.cross(grip.axis, corner - grip.pivot)
            row = np.append(normal, rise / (grip.arm or 1.0))
            yield HalfSpace(held, row, near.distance)


def projected(
    wish: Floats, grip: TurnFrame, sides: list[HalfSpace], gap: float
) -> Floats | None:
    """Project a step; where the usual gap does not fit, with half of the room."""
    rows, bounds = [x.row for x in sides], list[float]()
    if grip.arm:  # towards the target, and not too far
        rows = [*rows, np.eye(4)[3], -np.eye(4)[3]]
        bounds = [min(wish[3], _TURN * grip.arm), 0.0]
    n = 4 if grip.arm else 3
    for part in (np.inf, 0.5):
        rooms = [x.room - min(_AIM * gap, part * abs(x.room)) for x in sides]
        x = nearest(wish[:n], np.reshape(rows, (-1, 4))[:, :n], [*rooms, *bounds])
        if x is not None:
            return np.append(x, wish[n:])
    return None


def listed(sides: Iterable[HalfSpace], gap: float) -> tuple[Held, ...]:
    """List what holds the body: once for each obstacle and direction."""
    found: list[Held] = []
    for held, _, room in sides:
        others = [x.normal for x in found if x.obstacle is held.obstacle]
        if room <= gap and differs(held.normal, others):
            found.append(held._replace(distance=room))
    return tuple(found)


def tracker_of(pair: tuple[Body, Body], gap: float) -> PairTracker:
    """Make the tracker of a pair, with regions where one of them is not convex.

    The normal of surfaces is off by their rounding over their distance: what is no more
    tilted than that is level.
    """
    level = min(max(1e-12, 2.0**-48 * max(map(rest_size, pair)) / gap), 1e-3)
    dented = not all(convexity(b.mesh, b.positions).is_convex() for b in pair)
    dented = dented and all(b.convexity != "hull" for b in pair)
    return PairTracker(
        *pair, contact_distance=gap, parallel_tolerance=level, regions=dented
    )


def turn_between(start: Floats, end: Floats) -> tuple[Floats, float]:
    """Return the turn that takes one linear part to another: unit axis, 2 tan(t/2).

    Raises ValueError if ``end`` is not ``start`` turned: a hand does not deform.
    """
    from scipy.spatial.transform import Rotation

    turn = end @ np.linalg.inv(start)
    if np.abs(turn @ turn.T - np.eye(3)).max() > _RIGID:
        raise ValueError(
            "the target pose is not the body's pose turned and shifted: a hand does "
            "not stretch a body; set body.points, or body.pose before the move"
        )
    vector = Rotation.from_matrix(turn).as_rotvec()
    angle = float(np.linalg.norm(vector))
    return vector / (angle or 1.0), min(abs(2.0 * tan(0.5 * angle)), _FAR)
