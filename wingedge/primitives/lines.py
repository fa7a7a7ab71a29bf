"""Lines from a point, towards another or in a direction, and triangles they pass."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.exact.orientation import orientation, product_sign
from wingedge.exact.polynomials import normal, volume
from wingedge.exact.ratios import ratios

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]

WITHIN = 2.0**-45  # of the size over the length of the step: how far t may be off


class Lines(NamedTuple):
    """Rays ``start + t direction``, t >= 0, or segments from start to end, t in [0, 1].

    The step of a segment is a difference that may not be a float, so it is taken inside
    of every polynomial.
    """

    start: Floats  # (3, n)
    other: Floats  # (3, n) the direction of a ray, the end of a segment
    endless: bool

    @property
    def step(self) -> Floats:
        """Return how far t = 1 is, (3, n), rounded."""
        return self.other if self.endless else self.other - self.start

    def of(self, row: Any) -> "Lines":
        """Take some of the lines."""
        return Lines(self.start[:, row], self.other[:, row], self.endless)

    def turn(self, *v: Any) -> Any:
        """Span the volume by the step and two points: below 0 where u v pass left.

        ``v``: start, other, u, v, coordinate by coordinate. Left as seen along the
        step, with v above u.
        """
        px, py, pz, *_ = v
        ux, uy, uz = v[6] - px, v[7] - py, v[8] - pz
        vx, vy, vz = v[9] - px, v[10] - py, v[11] - pz
        dx, dy, dz = self._step(*v[:6])
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        return dx * x + dy * y + dz * z

    def rise(self, *v: Any) -> Any:
        """Multiply the step by a triangle's normal: below 0 where it looks against it.

        ``v``: start, other, then the three corners.
        """
        dx, dy, dz = self._step(*v[:6])
        x, y, z = normal(*v[6:])
        return dx * x + dy * y + dz * z

    def depth(self, *v: Any) -> Any:
        """Measure how far the start is below a triangle's plane; arguments of rise."""
        return -volume(*v[6:], *v[:3])

    def turns(self, u: Floats, v: Floats) -> Signs:
        """Find the signs of `turn` for points (3, ..., n)."""
        start = self.start.reshape(3, *(1,) * (u.ndim - 2), -1)
        steps = self.step.reshape(start.shape), u - start, v - start
        return product_sign(steps, self.turn, *self.start, *self.other, *u, *v)

    def rises(self, corners: Floats) -> Signs:
        """Find the signs of `rise` for triangles (3 corners, 3, n)."""
        a, b, c = corners
        steps = self.step, b - a, c - a
        flat = corners.reshape(9, -1)
        return product_sign(steps, self.rise, *self.start, *self.other, *flat)

    def starts(self, corners: Floats) -> Signs:
        """Find whether starts are above (1), in (0) or below (-1) planes."""
        a, b, c = corners
        return orientation(a, b, c, self.start)

    def ends(self, corners: Floats) -> Signs:
        """Find whether ends are above (1), in (0) or below (-1) planes; of segments."""
        a, b, c = corners
        return orientation(a, b, c, self.other)

    def crossing(self, corners: Floats) -> Floats:
        """Find t where lines cross the planes of triangles (3 corners, 3, n).

        Not outside of the line: what is beyond an end counts as that end.
        """
        largest = np.maximum(np.abs(corners).max(axis=(0, 1)), self._reach())
        long = np.abs(self.step).max(axis=0)
        (t,) = ratios(
            lambda *v: (self.depth(*v), self.rise(*v)),
            *self.start,
            *self.other,
            *corners.reshape(9, -1),
            within=WITHIN * largest / np.where(long > 0, long, 1.0),
        )
        t = np.maximum(t, 0.0)
        if not self.endless:
            t = np.where(self.ends(corners) == 0, 1.0, np.minimum(t, 1.0))
        return np.where(self.starts(corners) == 0, 0.0, t)

    def rough(self, corners: Floats) -> Floats:
        """Find t where lines cross the planes of triangles, as floats take it."""
        v = *self.start, *self.other, *corners.reshape(9, -1)
        out: Floats = self.depth(*v) / self.rise(*v)
        return out

    def at(self, t: Floats) -> Floats:
        """Return the points at t, (3, n); at 0 and 1 the start and the end."""
        point = self.start + t * self.step
        if self.endless:
            return point
        near_end = self.other + (1.0 - t) * (self.start - self.other)
        return np.where(t <= 0.5, point, near_end)

    def _reach(self) -> Floats:
        reach = np.abs(self.start)
        if not self.endless:
            reach = np.maximum(reach, np.abs(self.other))
        out: Floats = reach.max(axis=0)
        return out

    def _step(self, *v: Any) -> tuple[Any, Any, Any]:
        px, py, pz, wx, wy, wz = v
        return (wx, wy, wz) if self.endless else (wx - px, wy - py, wz - pz)
