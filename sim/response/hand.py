"""Move a held body to where a hand wants it, as far as the obstacles allow.

Yokoyama et al. want a body to be moved under the constraints of its contacts, and end
their contact test with the normals of these constraints (sections 1 and 4).  This is
what is done with them.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from sim.arguments import Vec, check_above_zero, check_vector
from sim.body.body import Body
from sim.body.pose import Pose, product
from sim.kernels.vector import minus
from sim.response.guard import (
    Allowed,
    ContactPlane,
    Guard,
    Margins,
    RigidStep,
    TurnFrame,
    turn_between,
    turn_by,
)
from sim.response.holding import ESCAPE, FREE, PUSH, REST, SLIDE, STOP, Drag, Holding
from sim.response.separating import NearTriangles, SeparatingPlanes, vec
from sim.tracking.options import rest_size, thresholds
from sim.tracking.pair import PairTracker
from wingedge.columns import columns, length

LOOKS = 64  # at the obstacles in one motion, if not told otherwise

# Parts of the gap: where the body is kept, how near it may come while it slides, and
# what is too short a way to be gone.
_AIM, _LEAST, _SETTLED = 0.5, 0.25, 2.0**-6

# Angles, as 2 tan(t/2): of one step, and what a farther turn counts as.
_TURN, _FAR = 0.25, 4.0
_STILL: Vec = (0.0, 0.0, 0.0)


class Hand:
    """Move a body among obstacles: it slides along them, rests, and lets go.

    Raises ValueError if the gap is not a finite length above 0, or the body is its own
    obstacle.

    The normals of ``PairTracker`` are the constraints.  A step is projected on the
    planes that it would cross, one for each pair of convex pieces that it brings too
    near, and repeated from where it ends until nothing is left to be gone.  Every step
    is proven: a plane has the two pieces on its two sides before and after it, or they
    are farther apart than anything moves.  So nothing is passed through, however fast
    the hand and however thin the obstacle.

    Known from frame to frame is nothing but what the trackers know.  Bit for bit the
    same on every machine.  Cost: a look is one update of each tracker and O(V) of
    bodies that are near, some 0.1 ms; a steady slide takes two or three.

    Parameters
    ----------
    body : Body
        What is held; every move sets its ``pose``.
    obstacles : Body or sequence of Body
        What is in the way.  They may move and deform between the moves.
    gap : float, optional
        The body rests no farther from an obstacle than this, and never nearer than 0
        [length unit of the input]; 1e-3 of the rest size of the smaller body if left
        out.  It must be well above the rounding of the coordinates.
    pivot : (3,) array_like, optional
        Where the hand holds the body, body frame: it turns about this point.  The
        middle of its box if left out.
    looks : int
        How often the obstacles may be looked at in one move.
    """

    def __init__(
        self,
        body: Body,
        obstacles: Body | Sequence[Body],
        *,
        gap: float | None = None,
        pivot: ArrayLike | None = None,
        looks: int = LOOKS,
    ) -> None:
        others = [obstacles] if isinstance(obstacles, Body) else list(obstacles)
        usual = (thresholds(body, b, None, None)[0] for b in others)
        near = min(usual, default=1.0) if gap is None else check_above_zero("gap", gap)
        trackers = [
            PairTracker(
                body, b, contact_distance=near, parallel_tolerance=level(body, b, near)
            )
            for b in others
        ]
        if looks < 1:
            raise ValueError(f"looks={looks!r} must be 1 or more")
        self.body = body
        self.obstacles = tuple(others)
        self.trackers = tuple(trackers)
        self.gap = near
        self.looks = looks
        self._finders = [NearTriangles(body, b, near) for b in others]
        self._pivot = None if pivot is None else check_vector("pivot", pivot)
        self._holding = Holding(near)

    def move(self, step: ArrayLike) -> Drag:
        """Shift the body by a step, unturned, as far as it goes.

        Parameters: ``step`` (3,): world frame, of any length.
        """
        x, y, z = check_vector("step", step)
        pose = self.body.pose
        a, b, c = pose.translation.tolist()
        return self.move_to(Pose(pose.linear, (a + x, b + y, c + z)))

    def move_to(self, target: Pose) -> Drag:
        """Bring the body to a pose, or as near to it as it goes.

        A body that must turn turns about the pivot, towards the target and never away
        from it; the pivot gives way to a turn, and the turn to the obstacles.  If it
        needs no turn its orientation is held.

        Raises ValueError if the target is not the present pose turned and shifted, or a
        coordinate is not finite.
        """
        wanted, grip = self._wanted(target)
        settled = _SETTLED * min(self.gap, wanted.swept())
        views, looks, pushed = self._push_out(wanted.swept())
        inside = (view.state for view in views if view.overlaps)
        reason = next(
            (
                f"no room: '{s.a.name}' cannot be pushed out of '{s.b.name}', "
                f"{s.depth:.3g} deep"
                for s in inside
            ),
            "",
        )
        cuts: tuple[ContactPlane, ...] = ()
        began = self._pivot_at()
        gone = 0.0
        while reason == "":
            wanted, grip = self._wanted(target)
            if not wanted.swept() > 0.0:
                break
            part, grip = self._within_sight(views, wanted, grip)
            allowed = self._allowed(views, part, grip)
            if allowed is None:
                s = min((view.state for view in views), key=lambda s: s.distance)
                reason = (
                    f"no room: '{s.a.name}' is held on all sides, nearest by "
                    f"'{s.b.name}' at {s.distance:.3g}"
                )
                break
            cuts, step = allowed.cuts, allowed.step
            if cuts and step.swept() <= settled:
                if not allowed.exact:
                    reason = "no planes were found that let the body go on"
                break
            if looks == self.looks:
                reason = f"not at rest after {looks} looks at the obstacles"
                break
            self._go(step, grip, target if step == wanted else None)
            gone += step.swept()
            views = self._look(wanted.swept())
            looks += 1
        left, grip = self._wanted(target)
        response = FREE if left.swept() <= settled else SLIDE
        if reason != "":
            response = ESCAPE if looks == self.looks else STOP
        elif pushed != _STILL:
            response = PUSH
        elif response == SLIDE and gone <= settled:
            response = REST
        origin = vec(self.body.transform[:, 3])
        angle = left.turn / grip.arm
        return Drag(
            response,
            self.body.pose,
            looks,
            np.array(pushed),
            np.array(minus(self._pivot_at(), began)),
            np.array(left.shift),
            np.array([angle * u for u in grip.axis]) if grip.turns else np.zeros(3),
            self._holding.contacts(views, cuts, origin),
            reason,
        )

    def _look(self, swept: float) -> list[SeparatingPlanes]:
        """Look at all obstacles from where the body is now."""
        return [
            SeparatingPlanes(tracker.update(), swept, finder)
            for tracker, finder in zip(self.trackers, self._finders, strict=True)
        ]

    def _push_out(self, swept: float) -> tuple[list[SeparatingPlanes], int, Vec]:
        """Bring the body out of what has come into it, the shortest way."""
        start = self._pivot_at()
        still, grip = RigidStep(_STILL), TurnFrame(_STILL, _STILL, 1.0, False, 0.0)
        views = self._look(swept)
        looks, moved = 1, False
        while looks < self.looks and any(view.overlaps for view in views):
            allowed = self._allowed(views, still, grip)
            if allowed is None or not allowed.step.swept() > 0.0:
                break
            self._go(allowed.step, grip, None)
            moved = True
            views = self._look(swept)
            looks += 1
        pushed = minus(self._pivot_at(), start) if moved else _STILL
        return views, looks, pushed

    def _allowed(
        self, views: list[SeparatingPlanes], wanted: RigidStep, grip: TurnFrame
    ) -> Allowed | None:
        """Return the allowed step; where the usual gap does not fit, with a lesser.

        A step that is longer than the body is wide goes straight until it meets
        something: planes that are far away would lead it around.
        """
        if not views:
            return Allowed(wanted, (), True)
        usual = Margins(_AIM * self.gap, _LEAST * self.gap)
        guard = Guard(views, grip, usual)
        width = max((float(np.ptp(c)) for c in views[0].body), default=0.0)
        if 0.0 < width < wanted.swept():
            step = guard.straight(wanted)
            if step.swept() > self.gap:
                return Allowed(step, (), True)
        found = guard.allowed(wanted)
        if found is not None and 0.0 < width < found.step.swept():
            found = guard.allowed(wanted.scaled(width / wanted.swept()))
        if found is None:
            bare = Margins(_SETTLED * self.gap, 0.0, bare=True)
            found = Guard(views, grip, bare).allowed(wanted)
        return found

    def _wanted(self, target: Pose) -> tuple[RigidStep, TurnFrame]:
        """Return the whole way to the target, and how the body turns on it."""
        now = self.body.pose
        pivot = self._held_at()
        here = _turned(now, pivot)
        there = _turned(target, pivot)
        shift = [
            (t - n) + (b - a)
            for t, n, b, a in zip(
                vec(target.translation), vec(now.translation), there, here, strict=True
            )
        ]
        if now.linear.tolist() == target.linear.tolist():
            return RigidStep(vec(shift)), TurnFrame(here, _STILL, 1.0, False, 0.0)
        axis, angle = turn_between(now.linear, target.linear)
        # how far the farthest vertex is from the pivot, rounded up
        at = Pose(now.linear).apply(self.body.positions - np.array(pivot))
        far = float(length(columns(at)).max())
        arm = far * (1.0 + 2.0**-40) if far > 0.0 else self.gap
        turn = min(angle, _FAR) * arm
        return RigidStep(vec(shift), turn), TurnFrame(here, axis, arm, True, turn)

    def _within_sight(
        self, views: list[SeparatingPlanes], wanted: RigidStep, grip: TurnFrame
    ) -> tuple[RigidStep, TurnFrame]:
        """Shorten a step to what was looked at, and a turn to where it is straight."""
        nearest = min((view.state.lower for view in views), default=float("inf"))
        reach = min((view.reach for view in views), default=float("inf")) - self.gap
        if grip.turns:
            bend = sqrt(2.0 * max(self.gap, nearest) / grip.arm)
            grip = grip._replace(most=grip.arm * min(_TURN, bend))
        if wanted.swept() > reach:
            wanted = wanted.scaled(reach / wanted.swept())
        return wanted, grip

    def _go(self, step: RigidStep, grip: TurnFrame, target: Pose | None) -> None:
        """Move the body by an allowed step; to the target itself if that is all."""
        if target is not None:
            self.body.pose = target
            return
        now = self.body.pose
        linear, shift = now.linear, step.shift
        if step.turn != 0.0:
            linear = product(turn_by(grip.axis, step.turn / grip.arm), linear)
            after = _turned(Pose(linear), self._held_at())
            shift = vec(
                [v + (a - b) for v, a, b in zip(shift, grip.pivot, after, strict=True)]
            )
        at = [t + v for t, v in zip(now.translation.tolist(), shift, strict=True)]
        self.body.pose = Pose(linear, at)

    def _held_at(self) -> Vec:
        """Return the pivot in the body frame."""
        if self._pivot is not None:
            return self._pivot
        ends = ((c.min(), c.max()) for c in columns(self.body.positions))
        return vec([0.5 * (float(low) + float(high)) for low, high in ends])

    def _pivot_at(self) -> Vec:
        """Return the pivot in the world."""
        return vec(self.body.pose.apply(self._held_at()))


def _turned(pose: Pose, point: Vec) -> Vec:
    """Return where the linear part takes a point."""
    x, y, z = point
    return vec([row[0] * x + row[1] * y + row[2] * z for row in pose.linear.tolist()])


def level(a: Body, b: Body, gap: float) -> float:
    """Return how level parts must be that rest on each other, per unit of size.

    The normal of two surfaces that are not convex is that of their nearest points,
    which is off by the rounding of these over their distance: a part that is no more
    tilted than that is parallel.  Taken for tilted, it would touch with another corner
    in every frame.
    """
    rounding = 2.0**-48 * max(rest_size(a), rest_size(b)) / gap
    return min(max(1e-12, rounding), 1e-3)
