"""Bodies that move and deform by affine maps, and never touch: affine body dynamics."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import check_number, check_vector, check_vectors
from sim.body.body import Body
from sim.body.pose import Pose
from sim.frame import Frame
from sim.laws.balance import Moment, measured, speeds, without_excess
from sim.laws.bulk import Bulk, check_known
from sim.laws.clear import ClearWay
from sim.laws.contacts import ContactSet, Grip, Pull, dot, near_contacts, repel
from sim.laws.equations import Equations, carried, gradient_of
from sim.laws.runner import Bodies
from sim.laws.shapes import BodyTables
from sim.scripts import check_names
from sim.tracking.options import check_length

Array = NDArray[np.float64]
Repelled = tuple[ContactSet, list[Pull], Array, Array]
NONE: Mapping[str, ArrayLike] = MappingProxyType({})
OPTIONS = (
    *("density", "kappa", "gravity", "friction", "fixed", "velocity", "spin"),
    *("contact_distance", "stiffness", "ignore"),
)
TOLERANCE = 1e-11  # of a size: a Newton step that is shorter has arrived
ROUNDING = 1e-8  # of a size: or below it no longer shrinks
UNSEEN = 2.0**-51  # of a place: a last step that is shorter everywhere is rounding
NEWTON = 200  # steps
HALVINGS = 60
NEARER = 0.1  # of a gap, which stays at least where a script closes it in one step
SLIP = 1e-3  # sizes a second
TIGHT, WAIT = 0.1, 20  # steps so short, so many, for a way is blocked: it is watched
BACK, WATCHED = (0.1, 0.3, 0.6), 16  # parts of the way to go back; times at most


class Affine:
    """Let bodies fall, bounce, rest and slide: 12 numbers a body, no contact passed.

    Implicit Euler on affine body dynamics (Lan, Kaufman, Li, Jiang, Yang 2022) with
    a barrier between all features within ``contact_distance`` and lagged friction (Li
    et al. 2020).  On its straight way from frame to frame every body is proven clear of
    every other by planes.  See docs/laws.md for equations, figures and limits.

    Parameters
    ----------
    density : float or mapping of name to float
        Mass per volume.
    kappa : float or mapping of name to float
        Stiffness [energy per volume]: the energy is ``kappa V |A'A - I|^2``.
    gravity : (3,)
        Acceleration.
    friction : float
        Coulomb's coefficient, of all pairs.
    fixed : iterable of names
        Bodies that stay where they are; those with scripts go where these say.
    velocity, spin : mapping of name to (3,)
        At the start: of the centre of mass, and angular [1 / time], in the world.
    contact_distance : float, optional
        Features nearer than this repel each other; 1e-3 of the size of the smallest
        body if left out.  That of the world should be no smaller, or it misses rests.
    stiffness : float, optional
        Energy of the barrier at half the distance is two thirds of this, roughly; left
        out it is chosen by weight, speed at the start and ``kappa``.
    ignore : iterable of pairs of names
        Pairs that do not see each other.

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
        if isinstance(fixed, str):
            raise TypeError(f"fixed={fixed!r} is one name; write fixed=[{fixed!r}]")
        fixed, ignore = tuple(fixed), check_names(ignore)
        velocity = check_vectors("velocity", velocity)
        spin = check_vectors("spin", spin)
        options = (density, kappa, gravity, friction, fixed, velocity, spin)
        self._given = (*options, contact_distance, stiffness, ignore)
        self._density = density
        self._kappa = kappa
        self._gravity = np.array(check_vector("gravity", gravity))
        self._friction = check_number("friction", friction)
        if self._friction < 0.0:
            raise ValueError(f"friction={friction!r} must be 0 or more")
        lengths = {"contact_distance": contact_distance, "stiffness": stiffness}
        for what, value in lengths.items():
            if value is not None and not check_length(what, value) > 0.0:
                raise ValueError(f"{what}=0 keeps nothing apart; it must be above 0")
        self._fixed = frozenset(fixed)
        self._start = velocity, spin
        self._asked = contact_distance
        self._reach = 0.0
        self._stiffness = stiffness
        self._ignored = {frozenset(pair) for pair in ignore}
        self._unseen = [name for pair in ignore for name in pair]
        self._v = np.zeros((0, 3, 4))  # how fast the maps change
        self._bodies: tuple[Body, ...] = ()
        self._equations: Equations | None = None
        self._seen: dict[str, Array] = {}  # what can be measured of the last frame
        self._watched: list[float] = []  # times of the way at which bodies repel, too

    def state(self) -> dict[str, Array]:
        """Return how fast the maps of all bodies change, ``velocity`` (B, 3, 4).

        And energies, momentum and forces (`sim.laws.balance.measured`), which frames
        and recordings keep, and nothing needs.
        """
        return {"velocity": self._v.copy(), **self._seen}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on with these velocities."""
        self._seen = {name: np.array(array) for name, array in arrays.items()}
        self._v = self._seen.pop("velocity")

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel with what it was made of and how fast bodies are."""
        return _made, (self._given, self.state())

    # -- the bodies ------------------------------------------------------------

    def _meet(self, bodies: Sequence[Body]) -> None:
        """Lay out bodies, once."""
        names = [body.name for body in bodies]
        self._bodies = tuple(bodies)
        self._tables = tables = BodyTables(self._bodies)
        size = tables.size
        count = len(names)
        self._reach = self._asked or 1e-3 * float(size.min())
        options = dict(zip(OPTIONS, self._given, strict=True))
        check_known({**options, "ignore": self._unseen}, names)
        self._held = np.array([name in self._fixed for name in names])
        i, j = np.triu_indices(count, 1)
        seen = ~(self._held[i] & self._held[j])
        if self._ignored:
            seen &= [
                frozenset((names[a], names[b])) not in self._ignored
                for a, b in zip(i, j, strict=True)
            ]
        self._pairs = np.stack([i[seen], j[seen]], axis=1)
        self._kept: tuple[bytes, Repelled] | None = None
        self._way = ClearWay(self._bodies, self._pairs, self._reach)
        self._weigh()
        if len(self._v) != count:
            self._v = self._bulk.speeds(self._bodies, *self._start)

    def _weigh(self) -> None:
        """Find mass, stiffness and the strength of the barrier of all bodies."""
        size = self._tables.size
        self._bulk = bulk = Bulk(self._bodies, self._density, self._kappa)
        fall = np.sqrt(dot(self._gravity, self._gravity))
        starts = map(np.array, self._start[0].values())
        fast = max((float(dot(v, v)) for v in starts), default=0.0)
        energy = bulk.mass[:, 3, 3] * (fall * size + fast)
        energy += 10.0 * bulk.elastic * self._reach / size
        if self._stiffness is not None:
            energy[:] = self._stiffness
        energy[self._held] = np.inf
        self._barrier = energy

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
            self._meet(bodies)
        led = np.array([body.name in bodies.prescribed for body in bodies])
        free = ~(led | self._held)
        news = self._tables.update(self._bodies)
        if news:
            self._kept = None
        if any(free[k] for k in news):
            self._weigh()
        now = self._maps()
        i, j = self._pairs.T
        self._way.pairs = self._pairs[free[i] | free[j]]
        self._way.begin(now, news)
        if frame is None:
            self._way.refuse_overlap(now)
            then = Moment(now, self._v, *self._repelled(now))
            self._seen = measured(self._bulk, self._gravity, then, free)
            return {}
        jumped = np.array([body.name in bodies.cut for body in bodies])
        start = now.copy()
        for k in np.flatnonzero(led & ~jumped).tolist():
            last = frame.bodies[k]
            start[k] = last.pose.matrix
            self._way.leave(k, start[k], last.points)
        held = np.array([body.name in bodies.held for body in bodies]) & ~jumped
        by_hand = (held[i] | held[j]) & ~(free[i] | free[j])
        self._way.refuse_hands(now, self._pairs[by_hand])
        before = Moment(start, self._v, *self._repelled(start))
        end, pulls = now, before.pulls
        if free.any():
            end, pulls = self._solve(before, now, free, dt)
        ways, fall = (end - start) / dt, dt * self._gravity
        v = speeds(self._bulk, fall, before, ways, pulls, free)
        led = (v != 0.0).any(axis=(1, 2))
        led[news] = True
        after = Moment(end, v, *self._repelled(end))
        led &= ~free
        self._v = without_excess(self._bulk, self._gravity, (before, after), free, led)
        after = after._replace(v=self._v, pulls=pulls)
        self._seen = measured(self._bulk, self._gravity, after, free)
        return {
            b.name: Pose.from_matrix(end[k]) for k, b in enumerate(bodies) if free[k]
        }

    def _maps(self) -> Array:
        return np.array([body.transform for body in self._bodies]).reshape(-1, 3, 4)

    def _repelled(self, q: Array) -> Repelled:
        """Return the contacts of bodies at maps, and what ``repel`` says of them.

        Those of the last maps are kept: a step begins where the last one ended.
        """
        asked = q.tobytes() + self._way.pairs.tobytes()
        if self._kept is None or self._kept[0] != asked:
            found = near_contacts(self._tables, q, self._way.pairs, self._reach)
            if not min(found.distance, default=1.0) > 0.0:
                self._way.refuse_overlap(q)
            said = repel(self._tables, q, found, self._reach, self._barrier)
            self._kept = asked, (found, *said)
        return self._kept[1]

    def _solve(
        self, before: Moment, led: Array, free: NDArray[np.bool_], dt: float
    ) -> tuple[Array, list[Pull]]:
        """Minimize the energy of a step by projected Newton; return also what pulls.

        ``led``: where bodies go that are not free.
        """
        start, found, pulls = before.q, before.contacts, [*before.pulls]
        if self._equations is None or not np.array_equal(free, self._equations.free):
            self._equations = Equations(free)
        aim = start + dt * self._v
        aim[:, :, 3] += dt * dt * self._gravity
        q = start.copy()
        size = float(self._tables.size.min())
        slip, goal = SLIP * size * dt, TOLERANCE * size
        rest: Array = np.where(free[:, None, None], 0.0, led - start)
        moved, tight, count = np.inf, 0, 0
        self._watched = []
        grip = None
        if self._friction > 0.0 and len(before.load):
            load = self._friction * before.load
            grip = Grip(found, found.r / found.distance[:, None], load)
            pulls.append(grip.resist(q, start, slip))
        gradient = self._gradient(q, aim, dt, pulls)
        while count < NEWTON:
            count += 1
            ahead = gradient + carried(pulls, rest) if rest.any() else gradient
            curved = (self._bulk.curvature(q, dt, full=full) for full in (True, False))
            steps = (self._equations.step(own, pulls, ahead) for own in curved)
            step = next((found for found in steps if found is not None), None)
            if step is None:
                raise self._failed(start, "no solution", moved, goal)
            step += rest
            way = self._tables.placed(step)
            last, moved = moved, float(np.sqrt(dot(way, way).max()))
            if moved <= goal or 0.5 * last <= moved <= ROUNDING * size:
                end = self._end(q, step)
                return end, self._pulls(end, start, grip, slip)
            share, when, gap = 1.0, 0.0, self._gap(q) if rest.any() else 0.0
            fall = self._along(gradient, step, free)
            for _ in range(HALVINGS):
                trial = q + share * step
                if share == 1.0:
                    trial[~free] = (q + rest)[~free]
                cut, until = self._way.cut(trial, standing=np.array_equal(q, start))
                when = until or when
                if cut == 1.0:
                    pulls = self._pulls(trial, start, grip, slip)
                    gradient = self._gradient(trial, aim, dt, pulls)
                    rise = self._along(gradient, step, free)
                    arrived = rise <= -0.5 * fall or share * moved <= goal
                    if led_on := rest.any():  # by a script: energy says nothing
                        arrived = self._gap(trial) >= NEARER * gap
                    if arrived:
                        break
                    cut = 0.5 if led_on else min(max(fall / (fall - rise), 0.1), 0.5)
                share *= cut
                if share * moved < ROUNDING * goal:
                    share = 0.0
                    break
            else:
                share = 0.0
            tight = tight + 1 if when > 0.0 and share < TIGHT else 0
            late = tight == WAIT or (tight and share == 0.0)
            if late and len(self._watched) < WATCHED:  # go on from farther off
                self._watched.append(when)
                moved, tight, count = np.inf, 0, 0
                ways = (q + part * (start - q) for part in BACK)
                q = next((x for x in ways if self._way.cut(x)[0] == 1.0), start.copy())
                rest = np.where(free[:, None, None], 0.0, led - q)
                pulls = self._pulls(q, start, grip, slip)
                gradient = self._gradient(q, aim, dt, pulls)
            elif share == 0.0:
                raise self._failed(start, "no shorter step is free", moved, goal)
            else:
                q = trial
                rest = (1.0 - share) * rest
        raise self._failed(start, f"{NEWTON} steps were not enough", moved, goal)

    def _end(self, q: Array, step: Array) -> Array:
        """Return where a last step leads; q where it is blocked, or rounding."""
        way, place = self._tables.placed(step), self._tables.placed(q)
        seen = dot(way, way) > UNSEEN * UNSEEN * dot(place, place)
        return q + step if seen.any() and self._way.cut(q + step)[0] == 1.0 else q

    def _gap(self, q: Array) -> float:
        """Return the least distance of what repels at maps, or how far that reaches."""
        return float(min(self._repelled(q)[0].distance, default=self._reach))

    def _failed(self, start: Array, why: str, moved: float, goal: float) -> Exception:
        self._way.refuse_overlap(start)
        return RuntimeError(
            f"the step did not converge ({why}): the last Newton step was {moved:.3g} "
            f"long, and {goal:.3g} is asked for; take a shorter dt or a larger "
            "contact_distance, or a larger kappa if a body is pressed flat"
        )

    def _along(self, gradient: Array, step: Array, free: NDArray[np.bool_]) -> float:
        return fsum((gradient * step)[free].ravel())

    def _pulls(
        self, q: Array, start: Array, grip: Grip | None, slip: float
    ) -> list[Pull]:
        found = [*self._repelled(q)[1]]
        for t in self._watched:
            pulls = self._repelled((1.0 - t) * start + t * q)[1]
            found += [pull.on_the_way(t) for pull in pulls]
        if grip is not None:
            found.append(grip.resist(q, start, slip))
        return found

    def _gradient(self, q: Array, aim: Array, dt: float, pulls: list[Pull]) -> Array:
        return self._bulk.gradient(q, aim, dt) + gradient_of(pulls, len(q))

    # -- what can be measured ----------------------------------------------------

    def energies(self) -> dict[str, float]:
        """Return kinetic, elastic, potential and contact energy of free bodies."""
        names = "kinetic", "elastic", "potential", "contact"
        return {name: float(self._seen.get(name, 0.0)) for name in names}

    def forces(self) -> dict[str, Array]:
        """Return the force of all contacts on each body, (3,), with friction."""
        names = (body.name for body in self._bodies)
        return dict(zip(names, self._seen["forces"].copy(), strict=True))

    def momentum(self) -> Array:
        """Return the linear momentum of the free bodies, (3,)."""
        return self._seen["momentum"].copy()


def _made(given: tuple[Any, ...], state: Mapping[str, Any]) -> Affine:
    law = Affine(**dict(zip(OPTIONS, given, strict=True)))
    law.restore(state)
    return law
