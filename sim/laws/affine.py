"""Bodies that move and deform by affine maps, and never touch: affine body dynamics."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import fsum
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.arguments import check_number, check_vector, check_vectors
from sim.body.body import Body
from sim.body.pose import Pose
from sim.frame import Frame
from sim.laws.clear import Clearance, Pair
from sim.laws.contacts import Forces, Repulsion, joined, resist
from sim.laws.equations import carried, gradient_of, newton_step
from sim.laws.runner import Bodies
from sim.laws.shapes import Array, BodyTables, Ids, Mask, Masses, check_known, dot
from sim.scripts import check_names
from sim.tracking.options import check_length

NONE: Mapping[str, ArrayLike] = MappingProxyType({})
TOLERANCE = 1e-11  # of a size: a Newton step that is shorter has arrived
ROUNDING = 1e-8  # of a size: or below it no longer shrinks
UNSEEN = 2.0**-51  # of a place: a last step that is shorter everywhere is rounding
NEWTON = 90  # steps: what is not there then waits where it is
NEARER = 0.1  # of a gap: so much of it a script leaves in one Newton step
SLIP = 1e-3  # sizes a second
TIGHT, WAIT = 0.1, 20  # after so many steps so short, two bodies in the way wait


class Affine:
    """Let bodies fall, bounce, rest and slide: 12 numbers a body, no contact passed.

    Implicit Euler on affine body dynamics (Lan, Kaufman, Li, Jiang, Yang 2022) with
    a barrier between all features within ``contact_distance`` and lagged friction (Li
    et al. 2020).  On its straight way from frame to frame every body is proven clear of
    every other by planes.  See docs/laws.md for equations, figures and limits.

    Parameters: ``density``: mass per volume; ``kappa``: stiffness [energy per volume]:
    the energy is ``kappa V |A'A - I|^2``; ``gravity``: acceleration; ``friction``:
    Coulomb's coefficient, of all pairs; ``fixed``: bodies that stay where they are;
    ``velocity``, ``spin``: at the start: of the centre of mass, and angular [1 / time],
    in the world; ``contact_distance``: features nearer than this repel each other (that
    of the world should be no smaller, or it misses rests); 1e-3 of the size of the
    smallest body if left out; ``stiffness``: four times the energy of the barrier at
    half of it; by weight, speed at the start and ``kappa`` if left out; ``ignore``:
    pairs that do not see each other.

    Examples
    --------
    >>> from sim import Body, Pose, World, laws
    >>> from wingedge import shapes
    >>> box = Body(shapes.box(1.0), name="box", pose=Pose(None, (0.0, 0.0, 1.02)))
    >>> ground = Body(shapes.box((9.0, 9.0, 1.0)), name="ground")
    >>> world = World([box, ground], law=laws.Affine(fixed=["ground"]))
    >>> [str(event) for frame in world.run(10) for event in frame.events]
    ['4 begin box/ground FF f0 f1']
    """

    def __init__(
        self,
        *,
        density: float | Mapping[str, float] = 1000.0,
        kappa: float | Mapping[str, float] = 1e6,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        friction: float = 0.0,
        fixed: Iterable[str] = (),
        velocity: Mapping[str, ArrayLike] = NONE,
        spin: Mapping[str, ArrayLike] = NONE,
        contact_distance: float | None = None,
        stiffness: float | None = None,
        ignore: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._options: dict[str, Any] = locals() | {
            "velocity": check_vectors("velocity", velocity),
            "spin": check_vectors("spin", spin),
            "ignore": check_names(ignore),
        }
        del self._options["self"]
        if isinstance(fixed, str):
            raise TypeError(f"fixed={fixed!r} is one name; write fixed=[{fixed!r}]")
        self._options["fixed"] = tuple(fixed)
        self._gravity = np.array(check_vector("gravity", gravity))
        self._friction = check_number("friction", friction)
        if self._friction < 0.0:
            raise ValueError(f"friction={friction!r} must be 0 or more")
        for what in ("contact_distance", "stiffness"):
            value = self._options[what]
            if value is not None and not check_length(what, value) > 0.0:
                raise ValueError(f"{what}=0 keeps nothing apart; it must be above 0")
        self._reach = 0.0
        self._v = np.zeros((0, 3, 4))  # how fast the maps change
        self._bodies: tuple[Body, ...] = ()
        self._forces: Array | None = None  # (B, 3) of contacts, in the last frame

    def state(self) -> dict[str, Array]:
        """Return how fast the maps of all bodies change, ``velocity`` (B, 3, 4).

        And ``forces`` (B, 3) of contacts on each, with friction, which nothing needs.
        """
        known = {} if self._forces is None else {"forces": self._forces}
        return {"velocity": self._v.copy(), **known}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on with these velocities."""
        self._v, forces = np.array(arrays["velocity"]), arrays.get("forces")
        self._forces = None if forces is None else np.array(forces)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Affine, **self._options), (), self.state()

    __setstate__ = restore

    # -- the bodies ------------------------------------------------------------

    def _lay_out(self, bodies: Sequence[Body]) -> None:
        """Lay out bodies, once."""
        given, names = self._options, [body.name for body in bodies]
        unseen = [name for pair in given["ignore"] for name in pair]
        check_known({**given, "ignore": unseen}, names)
        self._bodies = tuple(bodies)
        self._tables = BodyTables(self._bodies)
        self._reach = given["contact_distance"] or 1e-3 * float(self._tables.size.min())
        self._fixed = np.array([name in given["fixed"] for name in names])
        self._free = ~self._fixed  # in this step
        pairs = (sorted(map(names.index, pair)) for pair in given["ignore"])
        self._ignored = [i * len(names) + j for i, j in pairs]
        self._clearance = Clearance(self._bodies, self._tables, self._reach)
        self._weigh()
        self._repulsion = self._repel()
        if len(self._v) != len(names):
            self._v = self._masses.speeds(self._bodies, given)

    def _weigh(self) -> None:
        """Find mass, stiffness and the strength of the barrier of all bodies."""
        size, given = self._tables.size, self._options
        self._masses = masses = Masses(self._bodies, given)
        fall = np.sqrt(dot(self._gravity, self._gravity))
        starts = map(np.array, given["velocity"].values())
        fast = max((float(dot(v, v)) for v in starts), default=0.0)
        energy = masses.mass[:, 3, 3] * (fall * size + fast)
        energy += 10.0 * masses.elastic * self._reach / size
        if given["stiffness"] is not None:
            energy[:] = given["stiffness"]
        energy[self._fixed] = np.inf
        self._barrier = energy

    def _repel(self) -> Repulsion:
        return Repulsion(self._tables, self._parts, self._reach, self._barrier)

    def _parts(
        self, i: Ids, j: Ids, held: Mask | None = None, moves: Mask | None = None
    ) -> Mask:
        """Say which pairs of bodies the law keeps apart in this step.

        Or which it does not, where a hand moves one that is ``held``.  If it is said
        who ``moves``, only pairs of these: the way of two that wait is known.
        """
        both = ~(self._fixed[i] & self._fixed[j])
        both &= ~np.isin(i * len(self._bodies) + j, self._ignored)
        if moves is not None:
            both &= moves[i] | moves[j]
        kept = self._free[i] | self._free[j]
        seen: Mask = both & (kept if held is None else (held[i] | held[j]) & ~kept)
        return seen

    # -- a step ----------------------------------------------------------------

    def advance(
        self, bodies: Bodies, frame: Frame | None, dt: float
    ) -> dict[str, Pose]:
        """Return the poses of all free bodies after a time ``dt``.

        Parameters: ``bodies``: those of the world, in its order; ``frame``: the last
        one, None before the first: nothing moves; ``dt``: the time to the next.

        Raises RuntimeError if a step does not converge; says how far it came.
        """
        if not bodies:
            return {}
        if self._bodies != tuple(bodies):
            self._lay_out(bodies)
        led, jumped, held = (
            np.array([body.name in names for body in bodies])
            for names in (bodies.prescribed, bodies.cut, bodies.held)
        )
        self._free = free = ~(led | self._fixed)
        news = self._tables.update(self._bodies)
        if any(free[k] for k in news):
            self._weigh()
        if news:
            self._repulsion = self._repel()
        now = np.array([body.transform for body in bodies]).reshape(-1, 3, 4)
        if frame is None:
            self._clearance.begin(now, {})
            self._clearance.refuse(now, self._parts)
            p = self._repulsion.at(now)[1]
            self._forces = -gradient_of(p, len(now))[:, :, 3]
            return {}
        start, bent = now.copy(), {}
        for k in np.flatnonzero(led & ~jumped).tolist():
            start[k], points = frame.bodies[k].pose.matrix, frame.bodies[k].points
            if not np.array_equal(points, bodies[k].positions):
                bent[k] = points
        self._clearance.begin(start, bent)
        if (held := held & ~jumped).any():
            self._clearance.refuse(now, partial(self._parts, held=held), led=True)
        aim = start + dt * self._v
        aim[:, :, 3] += dt * dt * self._gravity
        rest: Array = np.where(self._fixed[:, None, None], 0.0, now - start)
        way = np.where(free[:, None, None], aim - start, rest)
        self._repulsion.begin(self._tables.furthest(way), free.tobytes())
        contacts, p, _ = self._repulsion.at(start)
        if not min(contacts.distance, default=1.0) > 0.0:
            self._clearance.refuse(start, self._parts)
        end = now
        if free.any():
            end, p = self._solve(start, aim, rest, dt)
        self._v = self._speeds((end - start) / dt, dt * self._gravity, p)
        self._forces = -gradient_of(p, len(now))[:, :, 3]
        return {
            b.name: Pose.from_matrix(end[k]) for k, b in enumerate(bodies) if free[k]
        }

    def _speeds(self, ways: Array, fall: Array, p: Forces) -> Array:
        """Return the speeds of maps after a step; ``ways``: how far they came, by time.

        The centre of a free body on which no force acts has its old velocity and that
        of its ``fall``: rounded places say less of it.
        """
        v, alone = ways.copy(), self._free.copy()
        alone[p.a] = alone[p.b] = False
        now, last = map(self._masses.centres, (v, self._v))
        v[alone, :, 3] += (last + fall - now)[alone]
        return v

    def _solve(
        self, start: Array, aim: Array, rest: Array, dt: float
    ) -> tuple[Array, Forces]:
        """Minimize the energy of a step by projected Newton; return also the forces.

        Where two bodies stay in each other's way, as those that would pass each other
        closely within the step, they go as far as is proven, and wait for the others.

        ``aim``: where maps would go by themselves; ``rest``: how far others are led.
        """
        (contacts, _, force), q = self._repulsion.at(start), start
        size = float(self._tables.size.min())
        slip, goal = SLIP * size * dt, TOLERANCE * size

        def at(q: Array) -> tuple[Forces, Array]:
            """Return the forces at maps, and the derivatives of the energy."""
            p = self._repulsion.at(q)[1]
            if self._friction > 0.0:
                p = joined(p, resist(contacts, self._friction * force, q - start, slip))
            return p, self._masses.gradient(q, aim, dt) + gradient_of(p, len(q))

        free, moves = self._free.copy(), ~self._fixed  # and waits for none
        meet = partial(self._parts, moves=moves)
        (p, gradient), moved, tight = at(q), np.inf, 0
        for _ in range(NEWTON):
            led_on = rest.any()  # by a script: energy says nothing
            ahead = gradient + carried(p, rest) if led_on else gradient
            step = newton_step(self._masses, q, dt, free, p, ahead)
            if step is None:
                raise self._failed(start, "no solution", moved, goal)
            step += rest
            last, moved = moved, float(self._tables.furthest(step).max())
            if moved <= goal or 0.5 * last <= moved <= ROUNDING * size:
                way, place = self._tables.placed(step), self._tables.placed(q)
                seen = (dot(way, way) > UNSEEN * UNSEEN * dot(place, place)).any()
                if seen and self._clearance.cut(q, q + step, meet)[0] == 1.0:
                    q = q + step
                return q, at(q)[0]
            share, gap = 1.0, self._gap(q) if led_on else 0.0
            if not led_on:
                step *= self._repulsion.share(step, gradient * step, p)
            pair: Pair | None = None
            fall = fsum((gradient * step)[free].ravel())
            while share > 0.0:
                trial = q + share * step
                cut, blocked = self._clearance.cut(q, trial, meet)
                pair = blocked or pair
                if cut == 1.0:
                    p, gradient = at(trial)
                    rise = fsum((gradient * step)[free].ravel())
                    arrived = rise <= -0.5 * fall or share * moved <= goal
                    if self._gap(trial) >= NEARER * gap if led_on else arrived:
                        break
                    cut = 0.5 if led_on else min(max(fall / (fall - rise), 0.1), 0.5)
                share *= cut
                if share * moved < (ROUNDING * goal if pair is None else goal):
                    share = 0.0
            tight = tight + 1 if pair is not None and share < TIGHT else 0
            if share > 0.0:
                q = trial
                rest = (1.0 - share) * rest
            if share == 0.0 or tight == WAIT:
                if pair is None or rest.any() or not free[[*pair]].any():
                    names = " and ".join(self._bodies[k].name for k in pair or ())
                    why = f"no shorter step is free {names and 'for ' + names}".rstrip()
                    raise self._failed(start, why, moved, goal)
                free[[*pair]] = moves[[*pair]] = False
                moved, tight = np.inf, 0
                p, gradient = at(q)
                if not free.any():
                    return q, p
        if rest.any():
            raise self._failed(start, f"{NEWTON} steps were not enough", moved, goal)
        return q, p

    def _gap(self, q: Array) -> float:
        """Return the least distance of features at maps, or the barrier's reach."""
        return float(min(self._repulsion.at(q)[0].distance, default=self._reach))

    def _failed(self, start: Array, why: str, moved: float, goal: float) -> Exception:
        self._clearance.refuse(start, self._parts)
        return RuntimeError(
            f"the step did not converge ({why}): the last Newton step was {moved:.3g} "
            f"long, and {goal:.3g} is asked for; take a shorter dt or a larger "
            "contact_distance, or a larger kappa if a body is pressed flat"
        )
