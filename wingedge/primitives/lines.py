"""Pass lines through triangles with exact signs, and scan all triangles for them."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import cross, dot, subtract
from wingedge.exact import divided, ratios
from wingedge.signs import Bounded, normal, orientation, product_sign, volume
from wingedge.tables import Ints

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


Indices = NDArray[np.intp]

BLOCK = 2**18  # pairs looked at together: bounds the memory to some 50 MB
SLACK = 2.0**-47  # what rounding makes of a vector product, of the product of the sizes


class Scan(NamedTuple):
    """The triangles that lines meet first and last, and where; -1, infinity if none."""

    first: Ints  # (n,)
    last: Ints  # (n,)
    t: Floats  # (n,)
    last_t: Floats  # (n,)


def scan(vertices: Floats, triangles: Ints, lines: Lines) -> Scan:
    """Look at all triangles for each line.

    Parameters: ``vertices`` (3, V); ``triangles`` (T, 3) int: any winding; one of no
    area is the segment or the point that it is.

    Of triangles met at the same place, first is one that looks against the line, last
    one that looks along it; then the lowest number. Floats with error bounds tell most
    pairs; those within rounding are clipped in rational numbers. Cost: O(V + T) for
    each line, 10 to 50 ns per triangle, and 100 us for each pair within rounding.
    """
    n = lines.start.shape[1]
    none, never = np.full((2, n), -1, np.int32), np.full((2, n), np.inf)
    out = Scan(*none, *never)
    block = max(1, BLOCK // len(triangles))
    for i in range(0, n, block):
        some = np.arange(i, min(i + block, n))
        row, triangle = _near(vertices, triangles, lines.of(some))
        row = some[row]
        met = _met(vertices[:, triangles[triangle].T], lines.of(row))
        row, triangle = row[met.pair], triangle[met.pair]
        for into, t, sense in ((out.first, met.low, 1), (out.last, met.high, -1)):
            # keys from the least important on
            order = np.lexsort((triangle, met.rise * sense, t * sense, row))
            head = order[np.diff(row[order], prepend=-1) > 0]
            into[row[head]] = triangle[head]
            (out.t if sense == 1 else out.last_t)[row[head]] = t[head]
    return out


class _Crossings(NamedTuple):
    pair: Indices  # (k,) which of the pairs meet
    low: Floats  # (k,) t where they begin to
    high: Floats  # (k,) and end
    rise: NDArray[np.int8]  # (k,) -1 where the triangle looks against the line


def _near(vertices: Floats, triangles: Ints, lines: Lines) -> tuple[Indices, Indices]:
    """List line and triangle of all pairs, but of those that are far off surely.

    The vector product of the step and the way to a vertex is 0 on the line; of three
    vertices that have it on one side, none is between.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        d = lines.step[:, :, None]
        r = vertices[:, None] - lines.start[:, :, None]
        size = np.abs(d).max(axis=0) * np.abs(r).max(axis=(0, 2))[:, None]
        off = SLACK * size + 2.0**-1000
        far = np.zeros((lines.start.shape[1], len(triangles)), np.bool_)
        for k in range(3):
            side = d[k - 2] * r[k - 1] - d[k - 1] * r[k - 2]
            above, below = side > off, side < -off
            for beside in (above, below):
                corner = [beside[:, triangles[:, j]] for j in range(3)]
                far |= corner[0] & corner[1] & corner[2]
        far &= np.isfinite(off)
    row, triangle = np.nonzero(~far)
    return row, triangle


def _met(corners: Floats, lines: Lines) -> _Crossings:
    """Tell which lines meet their triangles (axis, corner, k), and where."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        start = [Bounded(x) for x in lines.start]
        other = [Bounded(x) for x in lines.other]
        corner = [[Bounded(x) for x in corners[:, j]] for j in range(3)]
        sides = ((corner[j], corner[j - 2]) for j in range(3))
        turns = (lines.turn(*start, *other, *u, *v) for u, v in sides)
        around = np.stack(list(map(_sure, turns)))
        flat = [x for c in corner for x in c]
        depth = _sure(lines.depth(*start, *other, *flat))
        through = (around != 0).all(axis=0) & (np.abs(around.sum(axis=0)) == 3)
        rise = np.where(through, around[0], 0)
        # t >= 0 where depth and rise have one sign: the sum of the turns is the rise
        away = ((around > 0).any(axis=0) & (around < 0).any(axis=0)) | (
            rise * depth < 0
        )
        within = through & (rise * depth > 0)
        if not lines.endless:
            below = _sure(lines.depth(*other, *other, *flat))
            away |= rise * below > 0
            within &= rise * below < 0
    low, high = np.zeros(len(rise)), np.zeros(len(rise))
    some = np.nonzero(within)[0]
    if len(some):
        there = corners[:, :, some].swapaxes(0, 1)
        low[some] = high[some] = lines.of(some).crossing(there)
    hit = within.copy()
    for k in np.nonzero(~within & ~away)[0]:
        span, looks = _span(corners[:, :, k].T, lines.of([k]))
        if span is not None:
            ends = (divided(*t.as_integer_ratio()) for t in span)
            hit[k], low[k], high[k], rise[k] = True, *ends, looks
    pair = np.nonzero(hit)[0]
    return _Crossings(pair, low[pair], high[pair], rise[pair].astype(np.int8))


def _sure(value: Bounded) -> NDArray[np.int8]:
    """Return the signs that rounding leaves no doubt about, else 0."""
    sure = (np.abs(value.value) > value.off) & np.isfinite(value.off)
    signs: NDArray[np.int8] = np.where(sure, np.sign(value.value), 0).astype(np.int8)
    return signs


def _span(corners: Floats, line: Lines) -> tuple[tuple[Fraction, Fraction] | None, int]:
    """Find the range of t in which a line is in a triangle, in rational numbers."""
    a, b, c = (_exact(v) for v in corners)
    p, other = _exact(line.start[:, 0]), _exact(line.other[:, 0])
    d = other if line.endless else subtract(other, p)
    n = cross(subtract(b, a), subtract(c, a))
    rise = dot(n, d)
    bounds: list[tuple[Any, Any]] = []  # of normals and points: n (x - q) >= 0
    if any(n):
        bounds += [(n, a), (cross(subtract(c, a), subtract(b, a)), a)]
        bounds += [(cross(n, subtract(v, u)), u) for u, v in ((a, b), (b, c), (c, a))]
    else:
        u, v = min(a, b, c), max(a, b, c)
        along = subtract(v, u)
        axes = [_exact(axis) for axis in np.eye(3)]
        across = [cross(along, axis) for axis in axes] if any(along) else axes
        none = subtract(u, u)
        bounds += [(m, u) for m in across] + [(subtract(none, m), u) for m in across]
        bounds += [(along, u), (subtract(u, v), v)]
    low: Any = Fraction(0)
    high: Any = None if line.endless else Fraction(1)
    for m, q in bounds:
        height, climb = dot(m, subtract(p, q)), dot(m, d)
        if climb == 0:
            if height < 0:
                return None, 0
        elif climb > 0:
            low = max(low, -height / climb)
        else:
            high = -height / climb if high is None else min(high, -height / climb)
    if high is None or not any(d):
        high = low  # no step at all: the line is its start
    return ((low, high) if low <= high else None), (rise > 0) - (rise < 0)


def _exact(v: Floats) -> Any:
    return tuple(Fraction(float(x)) for x in v)
