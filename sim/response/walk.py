"""Move a sphere straight on until something is met, turn it, and go on."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.response.projection import HalfSpace, nearest
from sim.response.surroundings import Surroundings, TriangleDistances

Floats = NDArray[np.float64]

# The words for what became of a motion.
FREE = "free"  # nothing was in the way: the end is where it was to go
STOP = "stop"  # it came to rest; head on, in a corner, or as asked for
PUSH = "push"  # it came to rest, lifted off along the normal as asked for
SLIDE = "slide"  # it went on along what it met, and used the motion up
ESCAPE = "escape"  # too many iterations: it stopped where it had come to
OVERLAP = "overlap"  # it is nearer than epsilon, from the start: no room to be pushed


class ObstacleContact(NamedTuple):
    """One obstacle that stopped or turned the motion."""

    triangle: int  # its number among the obstacles' triangles
    t: float  # how much of the motion was made when it was met, in [0, 1]
    point: Floats  # (3,) on the triangle
    normal: Floats  # (3,) unit vector from the triangle to what moves


class Outcome(NamedTuple):
    """What became of a motion; a value, world frame, length unit of the input."""

    end: Floats  # (3,) where it is now
    response: str  # "free", "stop", "push", "slide", "escape" or "overlap"
    iterations: int  # straight pieces that were tried, pushes out of overlap included
    left: Floats  # (3,) what of the motion was not made: wanted end - end
    contacts: tuple[ObstacleContact, ...]  # in the order met, each triangle once
    path: Floats  # (K, 3) corners of the way it went, from the start to the end


# Past this there is nothing: everything is within 1 of the origin along each axis.
_SPAN = 8.0
# of the distance kept: how near it may come to others where it is too near to one
_LEAST = 0.125
# of one motion, out of what it begins in and what rounding took
_PUSHES = 8
# of a motion: what is left of one that was turned off it, if nothing but rounding is
_NOTHING = 2.0**-48


class _Leg(NamedTuple):
    """A straight piece: what it would be, how far it goes, and what ends it."""

    step: Floats  # (3,)
    t: float  # of the step
    by: list[int]  # rows of the triangles met; none: it goes all the way


class SphereMotion:
    """One motion among its surroundings, in their scale.

    ``keep`` is the distance kept from every triangle: radius and epsilon. A sphere of
    that radius stops where it touches. Whether it does is asked of one that is smaller
    by what rounding may be off, or by more where it begins nearer: what it passes or
    rests on, the next triangle of the same wall for one, does not catch it.
    """

    def __init__(self, around: Surroundings, start: Floats, keep: float) -> None:
        self.around = around
        self.view = around.view(start)
        self.keep = keep
        self.floor = self._reached()
        self.made, self.rest = 0.0, 1.0  # of the motion: done, and still to do
        self.path = [start]
        self.met: dict[int, ObstacleContact] = {}  # by row
        self.iterations = 0
        self.pushed, self.pushes = False, 0

    def slide(self, motion: Floats, limit: int) -> str:
        """Go as far as it goes, along what is met; return the word for it."""
        wish, turned, held = motion, False, set[int]()
        while self.iterations < limit:
            self.leave(limit - 1)
            self.iterations += 1
            view = self.view
            way, by = self._allowed(view, wish, held)
            self._note(view, by)
            turned |= bool(by)
            if not _length(way) > _NOTHING * _length(wish):
                return STOP if turned else FREE
            leg = self._leg(view, way, held)
            # what it touches on its rim is in the way only if the sweep says so
            unseen = set(leg.by) & set(self._touched(view).tolist()) - held
            if unseen:
                held |= unseen
                continue
            if (leg.by and leg.t == 0) or not self._go(leg, way):
                return STOP
            if not leg.by:
                return SLIDE if turned else FREE
            self._note(self.view, leg.by)
            wish, turned, held = way - leg.t * leg.step, True, set()
        return ESCAPE

    def stop(self, motion: Floats) -> tuple[str, _Leg]:
        """Go straight on until something is met; return the word, and the piece."""
        self.iterations += 1
        view = self.view
        way, by = self._allowed(view, motion, set())
        leg = _Leg(motion, 0.0, by) if by else self._leg(view, way)
        touched = set(leg.by) & set(self._touched(view).tolist())
        if touched:  # on its rim
            leg = _Leg(leg.step, 0.0, sorted(touched))
        elif not by and not self._go(leg, motion):
            return STOP, leg
        self._note(self.view, leg.by)
        return STOP if leg.by else FREE, leg

    def push(self, motion: Floats, radius: float, limit: int) -> str:
        """Go on until something is met, then to where eq. 21 lifts it off.

        That is over the point met by the bare sphere, which lies further on than where
        the distance kept stops it: it slides there.
        """
        start = self.view
        word, leg = self.stop(motion)
        if word == FREE:
            return FREE
        place = self._lifted(start, leg, radius)
        if place is not None:
            self.rest = 0.0  # lifting is no part of the motion
            self.slide(place - self.view.here, limit)
        return PUSH

    def leave(self, limit: int) -> None:
        """Go to where nothing is nearer than the distance kept, if there is room.

        The shortest way out of what is nearest, then of that and of what else is still
        too near; swept like any motion, so that it never leads through or nearer to
        anything. What rounding took is given back in the same way.
        """
        while self.iterations < limit and self.pushes < _PUSHES:
            view = self.view
            if not (view.distance < self.keep - 0.5 * self.off).any():
                return
            self.iterations += 1
            self.pushes += 1
            way, by = self._out(view)
            leg = self._leg(view, way)
            moved = leg.t * _length(leg.step)
            if moved <= 0.125 * self.off or not self._go(leg):
                self.pushes = _PUSHES
            elif moved > 8.0 * self.off:
                self._note(view, by)
                self.pushed = True

    @property
    def off(self) -> float:
        """What rounding may be off."""
        return self.around.rounding

    def _reached(self) -> Floats:
        """Return the distances that nothing may come nearer than from here on.

        The distance kept; where it is nearer to something already, that distance from
        everything, so that the next triangle of a wall that it is too near to is not in
        the way. Next to nothing is no measure: down to an eighth of the distance kept.
        """
        distance = self.view.distance
        common = max(float(distance.min()), _LEAST * self.keep)
        return np.minimum(min(self.keep, common), distance) - self.off

    def is_crowded(self) -> bool:
        """Tell whether something is nearer than the distance kept."""
        distance = self.view.distance
        return bool((distance < self.keep - 2.0 * self.off).any())

    def _touched(self, view: TriangleDistances) -> NDArray[np.intp]:
        return np.nonzero(view.distance <= self.keep + self.off)[0]

    def _allowed(
        self, view: TriangleDistances, wish: Floats, held: set[int]
    ) -> tuple[Floats, list[int]]:
        """Turn a motion off what it touches across, and off what is held against it."""
        near = self._touched(view)
        across = view.inside[near] | (view.distance[near] <= 2.0 * self.off)
        across |= np.isin(near, list(held))
        rows = near[across]
        normals = self.around.normals(view, rows, self.view.here)
        planes: list[HalfSpace] = [(tuple(n), 0.0) for n in normals.tolist()]
        size = _length(wish)
        factor = _SPAN / size if size > _SPAN else 1.0
        slack = min(0.125 * self.off, 2.0**-40 * size)
        found = nearest(tuple((factor * wish).tolist()), planes, slack)
        assert found is not None  # to stay is always allowed
        way, by = found
        if not by:
            return wish, []
        return np.array(way) / factor, rows[list(by)].tolist()

    def _out(self, view: TriangleDistances) -> tuple[Floats, list[int]]:
        """Find the shortest way out of what is too near; of no length if none is.

        What is nearest says in which half-space there is room; then what is in the way
        there, or nearest where that way ends, which replaces what it said before.
        """
        planes = dict[int, HalfSpace]()
        then, out, row = view, np.zeros(3), int(np.argmin(view.distance))
        for _ in range(12):
            normal = self.around.normals(then, np.array([row]), view.here)[0]
            nx, ny, nz = normal.tolist()
            x, y, z = (then.foot[row] - view.here).tolist()
            planes[row] = (nx, ny, nz), self.keep + (nx * x + ny * y + nz * z)
            halves = list(planes.values())
            found = nearest((0.0, 0.0, 0.0), halves, 0.125 * self.off)
            if found is None or _length(np.array(found[0])) > 4.0 * self.keep:
                return np.zeros(3), list(planes)
            out = np.array(found[0])
            leg = self._leg(view, out)
            then = self.around.view(view.here + leg.t * leg.step)
            near = then.distance.copy()
            if leg.by:  # on the way, what has been asked is no news
                near[list(planes)] = np.inf
            row = int(np.argmin(near))
            if near[row] >= self.keep - 0.25 * self.off:
                if not leg.by:
                    break
                row = leg.by[0]
        return out, list(planes)

    def _leg(
        self, view: TriangleDistances, way: Floats, turned: Iterable[int] = ()
    ) -> _Leg:
        """Find how far a straight way goes, and what ends it."""
        size = _length(way)
        step = way * (_SPAN / size) if size > _SPAN else way
        there = view.here + step
        # what the way was turned off is passed, unless by more than rounding does that
        guard = self.floor.copy()
        guard[list(turned)] -= 0.5 * self.off
        hit, t = self.around.sweep(view, there, guard)
        if not hit.any():
            return _Leg(way, 1.0, [])
        # it is met where the distance kept begins, unless that is where it is already
        apart = hit & (view.distance > self.keep + self.off)
        kept = np.where(apart, self.keep, -1.0)
        touch, at = self.around.sweep(view, there, kept)
        t = np.where(touch, np.minimum(at, t), t)
        first = t[hit].min()
        return _Leg(step, float(first), np.nonzero(hit & (t == first))[0].tolist())

    def _go(self, leg: _Leg, of: Floats | None = None) -> bool:
        """Make a piece of what is left to do, unless it would go through something."""
        there = self.view.here + leg.t * leg.step
        if self.around.crosses(self.view, there):
            return False
        self.view = self.around.view(there)
        self.floor = np.maximum(self.floor, self._reached())
        self.path.append(there)
        if of is not None and of.any():
            done = self.rest * (leg.t * _length(leg.step) / _length(of))
            self.made, self.rest = self.made + done, self.rest - done
        return True

    def _lifted(
        self, start: TriangleDistances, leg: _Leg, radius: float
    ) -> Floats | None:
        """Find the place of eq. 21: over the point met, at the distance kept."""
        radii = np.full(len(self.around), -1.0)
        radii[leg.by] = radius
        hit, t = self.around.sweep(start, start.here + leg.step, radii)
        if not hit.any():
            return None
        row = int(np.argmin(np.where(hit, t, 2.0)))
        view = self.around.view(start.here + t[row] * leg.step)
        normal = self.around.normals(view, np.array([row]), start.here)[0]
        place: Floats = view.foot[row] + self.keep * normal
        return place

    def _note(self, view: TriangleDistances, rows: list[int]) -> None:
        """Keep what was met, the first time that it is."""
        fresh = [row for row in rows if row not in self.met]
        if not fresh:
            return
        normals = self.around.normals(view, np.array(fresh), self.view.here)
        for row, normal in zip(fresh, normals, strict=True):
            self.met[row] = ObstacleContact(row, self.made, view.foot[row], normal)


def _length(a: Floats) -> float:
    """Return the length of a vector, also where its square overflows or vanishes."""
    x, y, z = (abs(v) for v in a.tolist())
    largest = max(x, y, z)
    if largest == 0:
        return 0.0
    x, y, z = x / largest, y / largest, z / largest
    return float(largest * np.sqrt(x * x + y * y + z * z))
