"""Move a sphere straight on until something is met, turn it, and go on."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.response.obstacles import Obstacles
from wingedge.columns import columns
from wingedge.primitives import sphere_triangle
from wingedge.signs import sign, volume

Floats = NDArray[np.float64]

# what became of a motion, as ``move_sphere`` says
FREE, STOP, PUSH, SLIDE = "free", "stop", "push", "slide"
ESCAPE, OVERLAP = "escape", "overlap"


class ObstacleContact(NamedTuple):
    """One obstacle that stopped or turned the motion."""

    triangle: int  # its number among the obstacles' triangles
    t: float  # how much of the motion was made when it was met, in [0, 1]
    point: Floats  # (3,) on the triangle
    normal: Floats  # (3,) unit vector from the triangle to what moves


class Outcome(NamedTuple):
    """What became of a motion; a value, world frame, length unit of the input."""

    end: Floats  # (3,) where it is now
    response: str  # "free", "slide", "stop", "push", "escape" or "overlap"
    iterations: int  # straight pieces that were tried, pushes out of overlap included
    left: Floats  # (3,) what of the motion was not made: wanted end - end
    contacts: tuple[ObstacleContact, ...]  # in the order met, each triangle once
    path: Floats  # (K, 3) corners of the way it went, from the start to the end


ROUNDING = 2.0**-44  # what moving and measuring may be off, with room
_SPAN = 8.0  # past this there is nothing: everything is within 1 of the origin
_LEAST = 0.125  # of the distance kept: what is kept of others where it is too near one
_PUSHES = 8  # of one motion, out of what it begins in
_NOTHING = 2.0**-48  # of a motion: what is left if it was turned off but for rounding
_ROOMLESS = 1e-14  # of the residual, at most 1: 0, and no point is on the right sides


class SphereWalk:
    """One motion among triangles, in a unit in which all is within 1 of the origin.

    ``keep`` is the distance kept from every triangle: radius and epsilon.  Whether one
    is met is asked of a sphere smaller by ``ROUNDING``, or by more where it begins
    nearer: what it rests on, or the next triangle of that wall, does not catch it.
    Where is asked of the sphere itself.
    """

    def __init__(self, triangles: Floats, start: Floats, keep: float) -> None:
        self.corners = [np.ascontiguousarray(triangles[:, k]) for k in range(3)]
        self._within = Obstacles(triangles).near
        self.keep = keep
        self.made, self.rest = 0.0, 1.0  # of the motion: done, and still to do
        self.path: list[Floats] = []
        self.met: dict[int, ObstacleContact] = {}
        self.iterations, self.pushed = 0, False
        self._floor = np.zeros(len(triangles))  # the radii that are swept
        self._arrive(start)

    def _arrive(self, here: Floats) -> None:
        """Look at what is as near as the distance kept, or nearer, from a new place."""
        reach = self.keep + 4.0 * ROUNDING
        near = self._within(here - reach, here + reach)
        corners = (corner[near] for corner in self.corners)
        seen = sphere_triangle.touch(here, self.keep, *corners)
        on = seen.distance <= 2.0 * ROUNDING
        self.here, self.rows, self.gap = here, near[on], seen.distance[on]
        self.normal, self.foot = seen.normal[on], seen.point[on]
        self.path.append(here)
        # the distance kept; where it is nearer to something, that from everything, so
        # that the next triangle of a wall that it is too near to is not in the way
        common = max(self.keep + self.gap.min(initial=0.0), _LEAST * self.keep)
        least = np.full(len(self._floor), min(self.keep, common))
        least[self.rows] = np.minimum(least[self.rows], self.keep + self.gap)
        self._floor = np.maximum(self._floor, least - ROUNDING)

    def respond(self, how: str, motion: Floats, radius: float, limit: int) -> str:
        """Make a motion of a sphere of a bare radius; return the word for it."""
        self.leave(limit - 1)
        start = self.here
        if how == "slide":
            word = self.slide(motion, limit)
        else:  # straight on
            self.iterations += 1
            _, by = self._go(motion, counts=True)
            word = FREE if not by else STOP if how == "stop" else PUSH
        if word == PUSH:
            self.lift(start, motion, radius, limit)
        if (self.gap < -2.0 * ROUNDING).any():
            return OVERLAP
        return PUSH if word == FREE and self.pushed else word

    def slide(self, motion: Floats, limit: int) -> str:
        """Go as far as it goes, along what is met; return the word for it."""
        wish, held, turned = motion, set[int](), False
        while self.iterations < limit:
            self.iterations += 1
            on = np.isin(self.rows, list(held))
            way = nearest(wish, -self.normal[on], 0.0 * self.gap[on])
            if way is None or not hypot(*way) > _NOTHING * hypot(*wish):
                return STOP if turned else FREE
            t, by = self._go(way, counts=True)
            if not by:
                return SLIDE if turned else FREE
            if t == 0.0 and by <= held:
                return STOP
            turned = True
            wish = (1.0 - t) * way if t > 0.0 else wish
            held = (held | by) & set(self.rows.tolist())
        return ESCAPE

    def lift(self, start: Floats, motion: Floats, radius: float, limit: int) -> None:
        """Slide to over the point met by the bare sphere, where eq. 21 lifts it."""
        corners = (corner[list(self.met)] for corner in self.corners)
        end = start + _shortened(motion)
        bare = sphere_triangle.sweep(start, end, radius, *corners)
        if bare.hit.any():
            k = int(np.nanargmin(bare.t))
            self.rest = 0.0  # lifting is no part of the motion
            self.slide(bare.point[k] + self.keep * bare.normal[k] - self.here, limit)

    def leave(self, limit: int) -> None:
        """Go to where nothing is nearer than the distance kept, if there is room.

        The shortest way out of what is nearest, then of that and of what else is too
        near or in the way; swept like any motion, so that it leads through nothing.
        """
        held = set[int]()
        for _ in range(_PUSHES):
            if self.iterations >= limit or not (self.gap < -0.5 * ROUNDING).any():
                return
            self.iterations += 1
            held.add(int(self.rows[np.argmin(self.gap)]))
            on = np.isin(self.rows, list(held))
            out = nearest(np.zeros(3), -self.normal[on], self.gap[on])
            if out is None or hypot(*out) > 4.0 * self.keep:
                return
            t, by = self._go(out)
            if t * hypot(*out) > 8.0 * ROUNDING:
                self.pushed = True
                self._note(held | by)
            elif by <= held:
                return
            held |= by

    def _go(self, way: Floats, *, counts: bool = False) -> tuple[float, set[int]]:
        """Go along a way until something is met; return its share, and what was met."""
        t, by = self._sweep(_shortened(way))
        if by:
            t *= min(1.0, _SPAN / hypot(*way))
        if t > 0.0:
            self._arrive(self.here + t * way)
            if counts:
                self.made, self.rest = self.made + self.rest * t, self.rest * (1.0 - t)
        if counts:
            self._note(by)
        return t, by

    def _note(self, rows: set[int]) -> None:
        """Keep what was met, the first time that it is."""
        seen = zip(self.rows.tolist(), self.foot, self.normal, strict=True)
        for row, *rest in seen:
            if row in rows:
                self.met.setdefault(row, ObstacleContact(row, self.made, *rest))

    def _sweep(self, step: Floats) -> tuple[float, set[int]]:
        """Find how much of a step may be made, and which triangles end it."""
        here, there = self.here, self.here + step
        low, high = np.sort([here, there], axis=0)
        # what is touched and not approached is never met: a triangle is convex
        leaves = (self.normal @ step >= -(2.0**-48)) & (self.gap > ROUNDING - self.keep)
        rows = self._within(low - self.keep, high + self.keep)
        rows = np.setdiff1d(rows, self.rows[leaves])
        if not len(rows):
            return 1.0, set()
        corners = [corner[rows] for corner in self.corners]
        touched = np.isin(rows, self.rows)
        floor = self._floor[rows]
        radii = floor, np.full(len(rows), self.keep)
        on, began, t = sphere_triangle.first(here, there, radii, corners, touched)
        begun = np.flatnonzero(began)  # on them exactly: left to the front
        sides = (columns(corner[begun]) for corner in corners)
        on[begun] = sign(volume, *(x for c in sides for x in c), *columns(there)) < 0
        rows, t = rows[on], t[on]
        first = float(t.min(initial=1.0))
        return first, set(rows[t == first].tolist())


def _shortened(way: Floats) -> Floats:
    """Cut a way where there is nothing any more."""
    return way * min(1.0, _SPAN / max(hypot(*way), _SPAN))


def nearest(
    wish: Floats, rows: Sequence[Floats] | Floats, limits: Sequence[float] | Floats
) -> Floats | None:
    """Find the x nearest to ``wish`` where ``row . x <= limit`` in every row.

    The wish itself, to the bit, where that is so; None where there is no such point.

    Parameters: ``wish`` (d,); ``rows`` (n, d), of about unit length; ``limits`` (n,).
    Least distance programming by nonnegative least squares (Lawson and Hanson 1974).
    """
    from scipy.optimize import nnls

    sides = np.asarray(rows, float).reshape(-1, len(wish))
    over = sides @ wish - np.asarray(limits, float)
    scale = max(0.0, float(over.max(initial=0.0)))
    if not scale > 0.0:
        return wish
    matrix = np.vstack([-sides.T, over / scale])
    last = np.append(np.zeros(len(wish)), 1.0)
    shares, _ = nnls(matrix, last, maxiter=30 * len(last))
    residual = last - matrix @ shares
    if not residual[-1] > _ROOMLESS:
        return None
    on = shares > 0.0
    shift: Floats = np.linalg.lstsq(sides[on], -over[on])[0]
    return wish + shift
