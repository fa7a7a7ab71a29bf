"""Find the step nearest to a wanted one that crosses no separating plane.

A turn by the angle t about the unit axis u is named by the vector ``2 tan(t/2) u``: of
small turns, radians.  Rational, so the same bits on every machine.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import Vec
from sim.body.pose import Pose, determinant, product
from sim.kernels.vector import cross
from sim.response.projection import inner, nearest_allowed
from sim.response.separating import Column, SeparatingPlanes, height
from wingedge.columns import Vector

Float = np.float64
ORTHONORMAL = 1e-9  # as Pose.rigid


def turn_between(start: NDArray[Float], end: NDArray[Float]) -> tuple[Vec, float]:
    """Return the turn that takes one linear part to another: unit axis, 2 tan(t/2).

    Infinite for half a turn, 0 about x for none.

    Raises ValueError if ``end`` is not ``start`` turned: a hand does not deform.
    """
    turn = product(end, inverse(start))
    if np.abs(product(turn, turn.T) - np.eye(3)).max() > ORTHONORMAL:
        raise ValueError(
            "the target pose is not the body's pose turned and shifted: a hand does "
            "not stretch a body; set body.points, or body.pose before the move"
        )
    x, y, z, w = quaternion(turn)
    size = sqrt(x * x + y * y + z * z)
    if size == 0.0:
        return (1.0, 0.0, 0.0), 0.0
    angle = 2.0 * size / w if w > 0.0 else float("inf")
    return (x / size, y / size, z / size), angle


def turn_by(axis: Vec, angle: float) -> NDArray[Float]:
    """Return the rotation matrix about a unit axis, of the angle 2 atan(angle / 2)."""
    h = 0.5 * angle
    return Pose.rigid((h * axis[0], h * axis[1], h * axis[2], 1.0)).linear


def quaternion(turn: NDArray[Float]) -> tuple[float, float, float, float]:
    """Return x, y, z, w with w >= 0 of a rotation matrix (Shepperd 1978).

    Divides by the largest of the four, so no digits are lost at half turns.
    """
    (a, b, c), (d, e, f), (g, h, i) = turn.tolist()
    squares = (1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i)
    k = squares.index(max(squares))
    s = sqrt(squares[k])
    table = (
        (s, (b + d) / s, (c + g) / s, (h - f) / s),
        ((b + d) / s, s, (f + h) / s, (c - g) / s),
        ((c + g) / s, (f + h) / s, s, (d - b) / s),
        ((h - f) / s, (c - g) / s, (d - b) / s, s),
    )
    x, y, z, w = table[k]
    flip = -1.0 if w < 0.0 else 1.0
    return 0.5 * flip * x, 0.5 * flip * y, 0.5 * flip * z, 0.5 * flip * w


def inverse(linear: NDArray[Float]) -> NDArray[Float]:
    """Invert a (3, 3) matrix of positive determinant by its cofactors."""
    (a, b, c), (d, e, f), (g, h, i) = linear.tolist()
    det = determinant((a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0))
    cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    return np.array(cofactors, Float) / det


ROUNDS = 32  # planes that are added before a step is cut short instead
HALVINGS = 16  # of a step that no planes allow: 1e-5 of it is left
NORMALS = 32  # planes that other pairs may share

_LOOSE = 8.0  # allowances that a plane between touching pieces may seem crossed by


class RigidStep(NamedTuple):
    """A small motion: a shift of the pivot and a turn about it."""

    shift: Vec
    turn: float = 0.0  # length: the angle times ``arm``

    def swept(self) -> float:
        """Return a length that no point of the body moves farther than."""
        return sqrt(inner(self.shift, self.shift)) + abs(self.turn)

    def scaled(self, part: float) -> "RigidStep":
        """Return a part of the step."""
        x, y, z = self.shift
        return RigidStep((part * x, part * y, part * z), part * self.turn)


class TurnFrame(NamedTuple):
    """Pivot, axis and limit of a turn, relative to the body's translation."""

    pivot: Vec
    axis: Vec  # unit
    arm: float  # no vertex is farther from the pivot
    turns: bool  # whether it may turn at all
    most: float  # how far it may turn in one step, as ``RigidStep.turn``


class ContactPlane(NamedTuple):
    """A plane that holds the body back."""

    view: int
    pair: int
    normal: Vec


class Allowed(NamedTuple):
    """The step that is allowed, and what holds the rest of it back."""

    step: RigidStep
    cuts: tuple[ContactPlane, ...]
    exact: bool  # False: cut short, as no planes were found that allow more


class Margins(NamedTuple):
    """Least distances that the body keeps."""

    aim: float  # the distance that planes are kept at
    least: float  # the distance that is good enough
    bare: bool = False  # whether half of the present distance is enough, if it is less

    def kept(self, gap: float) -> float:
        """Return the distance to keep from what is this far away now."""
        return max(0.0, min(self.aim, 0.5 * gap)) if self.bare else self.aim


class Guard:
    """Find the allowed step for one look at the obstacles."""

    def __init__(
        self, views: Sequence[SeparatingPlanes], grip: TurnFrame, margins: Margins
    ) -> None:
        self.views = views
        self.grip = grip
        self.margins = margins
        self._normals: dict[Vec, None] = {}
        self._asked: set[tuple[int, int]] = set()
        self._rows: dict[tuple[int, int, Vec, int], tuple[list[float], float]] = {}

    def allowed(self, wanted: RigidStep) -> Allowed | None:
        """Return the step nearest to ``wanted`` that crosses no plane.

        None if the planes leave no room at all, which only overlaps and margins bring
        about.  Cutting planes: the step is projected on those that it was found to
        cross, until it crosses none.  Only those that matter are ever looked for.
        """
        self._begin(wanted)
        step = wanted
        for _ in range(ROUNDS):
            rows = [row for row, _ in self._rows.values()]
            limits = [limit for _, limit in self._rows.values()]
            start = [*wanted.shift, wanted.turn] if self.grip.turns else wanted.shift
            found = nearest_allowed(start, rows, limits)
            if found is None:
                return None
            x = found.x
            step = RigidStep((x[0], x[1], x[2]), x[3] if self.grip.turns else 0.0)
            if not self._cut(step):
                keys = list(self._rows)
                cuts = tuple(
                    ContactPlane(*keys[j][:3]) for j in found.active if keys[j][0] >= 0
                )
                return Allowed(step, cuts, True)
        cuts = tuple(ContactPlane(*key[:3]) for key in self._rows if key[0] >= 0)
        for _ in range(HALVINGS):
            step = step.scaled(0.5)
            if not self._cut(step, tell=False):
                return Allowed(step, cuts, False)
        return Allowed(RigidStep((0.0, 0.0, 0.0)), cuts, False)

    def straight(self, wanted: RigidStep) -> RigidStep:
        """Return the longest part of a step that crosses no plane, unprojected.

        Conservative: what it stops at may be a plane far from anything; from there
        another look finds a better one.
        """
        part = 1.0
        if wanted.turn > self.grip.most:
            part = self.grip.most / wanted.turn
        self._begin(wanted)
        way = [*wanted.shift, wanted.turn] if self.grip.turns else wanted.shift
        for _ in range(ROUNDS):
            if not self._cut(wanted.scaled(part)):
                return wanted.scaled(part)
            for key, (row, limit) in self._rows.items():
                rise = inner(row, way)
                if key[0] >= 0 and rise > 0.0:
                    part = min(part, max(0.0, limit) / rise)
        return RigidStep((0.0, 0.0, 0.0))

    def _begin(self, wanted: RigidStep) -> None:
        """Lay out what holds in any case: overlaps lead out, a turn ends at its end."""
        self._rows.clear()
        self._asked.clear()
        if self.grip.turns:
            for sign, end in ((1.0, min(wanted.turn, self.grip.most)), (-1.0, 0.0)):
                key = (-1, 0, (sign, 0.0, 0.0), 0)
                self._rows[key] = [0.0, 0.0, 0.0, sign], sign * end
        near = 4.0 * self.margins.aim
        for k, view in enumerate(self.views):
            if view.overlaps:
                limit = view.state.distance - self.margins.aim
                row = [*view.normal, 0.0] if self.grip.turns else [*view.normal]
                self._rows[k, 0, view.normal, 0] = row, limit
            elif view.state.lower <= near:
                self._normals[view.normal] = None

    def _cut(self, step: RigidStep, *, tell: bool = True) -> bool:
        """Add one plane for each obstacle that the step would meet; say if any."""
        moved = None if step.turn == 0.0 else self._turned(step)
        # how far the arcs of a turn leave their chords: arm angle^2 / 8
        sag = 0.125 * step.turn * step.turn / self.grip.arm
        met = False
        for k, view in enumerate(self.views):
            # so short that nothing is met, whatever the shapes
            short = view.state.lower - step.swept() >= self.margins.aim
            if view.overlaps or short:
                continue
            worst = self._worst(k, view, step, moved, sag)
            if worst is None:
                continue
            met = True
            if tell:
                self._add(k, view, *worst, step, moved)
        return met

    def _worst(
        self,
        k: int,
        view: SeparatingPlanes,
        step: RigidStep,
        moved: Vector | None,
        sag: float,
    ) -> tuple[int, Vec] | None:
        """Return the pair that comes too near and its best plane, if there is one."""
        best = self._score(view, view.normal, step, moved, sag)
        which = [view.normal] * len(best)

        def try_plane(n: Vec) -> None:
            score = self._score(view, n, step, moved, sag)
            for p in np.flatnonzero(score > best).tolist():
                which[p] = n
            np.maximum(best, score, out=best)

        for n in list(self._normals)[:NORMALS]:
            try_plane(n)
        while len(best):
            p = int(np.argmin(best))
            if best[p] >= self.margins.least:
                return None
            if view.whole or (k, p) in self._asked:
                return p, which[p]
            self._asked.add((k, p))
            for n in view.own_normals(p):
                try_plane(n)
                if best[p] >= self.margins.least:
                    break
            self._normals[which[p]] = None
        return None

    def _score(
        self,
        view: SeparatingPlanes,
        n: Vec,
        step: RigidStep,
        moved: Vector | None,
        sag: float,
    ) -> Column:
        """Return how far apart a plane keeps each pair, before, during and after."""
        plane = view.plane(n)
        if moved is None:
            gap = plane.gap - inner(n, step.shift)
        else:
            gap = plane.floor - view.tops(height(n, moved)) - view.allowance - sag
        loose = sag - _LOOSE * view.allowance
        score: Column = np.where(plane.gap >= loose, gap, -np.inf)
        return score

    def _add(
        self,
        k: int,
        view: SeparatingPlanes,
        p: int,
        n: Vec,
        step: RigidStep,
        moved: Vector | None,
    ) -> None:
        """Add the plane between a pair as a row, linear about the step that met it."""
        plane = view.plane(n)
        before = float(plane.gap[p])
        aim = self.margins.kept(before)
        if not self.grip.turns:
            self._rows[k, p, n, 0] = [*n], before - aim
            return
        heights = plane.body if moved is None else height(n, moved)
        corners = view.corners(p)
        i = corners[int(np.argmax(heights[corners]))]
        row = self._row(view, n, i)
        limit = float(plane.floor[p] - plane.body[i]) - view.allowance - aim
        known = self._rows.get((k, p, n, i))
        if known is not None and moved is not None:
            # met in spite of its row: an arc is no line
            room = float(plane.floor[p] - heights[i]) - view.allowance - aim
            limit = min(known[1], room + inner(row, [*step.shift, step.turn]))
        self._rows[k, p, n, i] = row, limit

    def _row(self, view: SeparatingPlanes, n: Vec, i: int) -> list[float]:
        """Return how fast a vertex rises along a normal, by shift and by turn."""
        x, y, z = view.body
        c, u = self.grip.pivot, self.grip.axis
        arm = (float(x[i]) - c[0], float(y[i]) - c[1], float(z[i]) - c[2])
        return [*n, inner(n, cross(u, arm)) / self.grip.arm]

    def _turned(self, step: RigidStep) -> Vector:
        """Return the body's vertices after a step."""
        grip = self.grip
        m = turn_by(grip.axis, step.turn / grip.arm).tolist()
        c, v = grip.pivot, step.shift
        x, y, z = (p - o for p, o in zip(self.views[0].body, c, strict=True))
        one, two, three = (
            m[i][0] * x + m[i][1] * y + m[i][2] * z + (c[i] + v[i]) for i in range(3)
        )
        return one, two, three
