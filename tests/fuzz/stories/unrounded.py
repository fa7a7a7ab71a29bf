"""The truth about two surfaces of any shape without any rounding.

What ``brute`` measures in float64 is measured here in integers: points and poses are
binary fractions, so all placed coordinates have a common unit.  Floats only say where
to look, by bounds that hold for triangles without width too.  Cost: below a second for
small bodies, minutes for large ones that coincide, so the judge asks here only where it
doubts an answer.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from stories import brute, lattice
from stories.brute import Array, Solid, Truth, blocks, corners_of
from stories.lattice import Ratio, Triangle, Whole

TRIFLE = 1e-9  # per unit of size: more than floats err where nothing is narrow
NARROW = 1e-3  # height of a triangle to its side, sine of an angle: below it they do
NEAR = 1e-2  # per unit of size: farther away a winding number in floats holds
Pair = tuple[str, tuple[int, ...], tuple[int, ...]]
Ints = NDArray[np.intp]


class Exact:
    """A closed surface whose points are integers, beside its rounded self."""

    def __init__(self, rounded: Solid, at: list[Whole]) -> None:
        self.rounded = rounded
        self.at = at
        self.ids: list[list[int]] = rounded.triangles.tolist()
        self.ends: list[list[int]] = rounded.segments.tolist()
        self.triangles: list[Triangle] = [(at[i], at[j], at[k]) for i, j, k in self.ids]

    def holds(self, p: Whole) -> bool:
        return lattice.winds(p, self.triangles) != 0


def truth(a: Solid, b: Solid) -> Truth:
    size = float(max(np.abs(a.points).max(), np.abs(b.points).max()))
    one, other, _, unit = placed(a, b)
    square, pair = _least_square(one, other, size)
    hits = [*_pierces(one, other, size), *_pierces(other, one, size)]
    pierced = max((lattice.root(hit, unit) for hit in hits), default=0.0)
    deep = max(_deepest(one, other, unit, size), _deepest(other, one, unit, size))
    contained = pierced == 0.0 and deep > 0.0
    return Truth(lattice.root(square, unit), pierced, contained, deep, size, pair)


def share_interior(a: Solid, b: Solid, size: float) -> bool:
    for one, other in ((a, b), (b, a)):
        spots = brute.spots_under(one, size)
        maybe = brute.distances(spots, other) < NEAR * size
        maybe |= brute.winding(spots, other) > 0.5
        x, y, points, unit = placed(one, other, spots[maybe])
        for p in points:
            off = lattice.least(lattice.point_triangle(p, t) for t in y.triangles)
            deep = lattice.root(off, unit) > 0.5 * brute.DEEP * size
            if deep and y.holds(p) and x.holds(p):
                return True
    return False


def placed(
    a: Solid, b: Solid, spots: Array | None = None
) -> tuple[Exact, Exact, list[Whole], Fraction]:
    """Return both bodies and free points on one lattice, and its unit."""
    free = [] if spots is None else _fractions(spots)
    sets, unit = lattice.in_common(_stored(a), _stored(b), free)
    return Exact(a, sets[0]), Exact(b, sets[1]), sets[2], unit


def _stored(solid: Solid) -> list[list[Fraction]]:
    """Return the points as the body's own numbers put them, or as they were given."""
    if solid.stored is None:
        return _fractions(solid.points)
    positions, transform, origin = solid.stored
    rows, start = _fractions(transform), _fractions(origin[None])[0]
    return [
        [
            row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + (row[3] - start[k])
            for k, row in enumerate(rows)
        ]
        for p in _fractions(positions)
    ]


def _fractions(rows: Array) -> list[list[Fraction]]:
    return [[Fraction(x) for x in row] for row in rows.tolist()]


def _least_square(a: Exact, b: Exact, size: float) -> tuple[Ratio, Pair]:
    reach = brute.least_distance(a.rounded, b.rounded)[0] + TRIFLE * size
    best: tuple[Ratio, Pair] | None = None

    def offer(square: Ratio | None, pair: Pair) -> None:
        nonlocal best
        if square and (best is None or lattice.less(square, best[0])):
            best = square, pair

    for name, one, other in (("VF", a, b), ("FV", b, a)):
        for i, j in _faces_within(one.rounded.points, other.rounded, reach, size):
            square = lattice.point_triangle(one.at[i], other.triangles[j])
            found = (i,), tuple(other.ids[j])
            offer(square, (name, *(found if name == "VF" else found[::-1])))
    for i, j in _edges_within(a.rounded, b.rounded, reach, size):
        (p, q), (r, s) = a.ends[i], b.ends[j]
        square = lattice.segment_segment(a.at[p], a.at[q], b.at[r], b.at[s])
        offer(square, ("EE", (p, q), (r, s)))
    assert best is not None
    return best


def _faces_within(
    points: Array, solid: Solid, reach: float, size: float
) -> Iterator[tuple[int, int]]:
    """Yield every point and triangle that may be within reach.

    A float distance is too large by rounding, and by less than the height of a triangle
    where it is so narrow that rounding decides on which side of it a foot lies.
    """
    corners = corners_of(solid)
    slack = _narrow(corners) + TRIFLE * size
    for part in blocks(len(points), len(solid.triangles)):
        square = brute.point_triangle(points[part, None], *(x[None] for x in corners))
        i, j = np.nonzero(np.sqrt(square) - slack <= reach)
        yield from zip((i + part.start).tolist(), j.tolist(), strict=True)


def _narrow(corners: tuple[Array, Array, Array]) -> Array:
    """Bound the height of every narrow triangle; 0 for the others."""
    u, v, w = corners
    twice = np.linalg.norm(np.cross(v - u, w - u), axis=1)
    longest = np.linalg.norm(np.stack([v - u, w - u, w - v]), axis=2).max(axis=0)
    height = twice / np.where(longest > 0.0, longest, 1.0)
    return np.where(height < NARROW * longest, NARROW * longest, 0.0)


def _edges_within(
    a: Solid, b: Solid, reach: float, size: float
) -> Iterator[tuple[int, int]]:
    """Yield every pair of segments whose insides may be within reach.

    Of nearly parallel ones rounding decides where they are nearest: not much nearer
    than an end of either.
    """
    ends_a, ends_b = a.points[a.segments], b.points[b.segments]
    for i, j in brute.near(ends_a, ends_b, reach + TRIFLE * size):
        p, q, r, s = ends_a[i, 0], ends_a[i, 1], ends_b[j, 0], ends_b[j, 1]
        square = brute.segment_segment(p, q, r, s)
        d, e = (np.linalg.norm(x, axis=1) for x in (q - p, s - r))
        across = np.linalg.norm(np.cross(q - p, s - r), axis=1)
        parallel = across <= NARROW * d * e
        by_ends = np.sqrt(
            np.minimum(
                np.minimum(brute.point_segment(p, r, s), brute.point_segment(q, r, s)),
                np.minimum(brute.point_segment(r, p, q), brute.point_segment(s, p, q)),
            )
        )
        lower = np.where(parallel, by_ends - NARROW * np.minimum(d, e), np.sqrt(square))
        kept = lower - TRIFLE * size <= reach
        yield from zip(i[kept].tolist(), j[kept].tolist(), strict=True)


def _pierces(a: Exact, b: Exact, size: float) -> Iterator[Ratio]:
    ends = a.rounded.points[a.rounded.segments]
    corners = np.stack(corners_of(b.rounded))
    low, high = corners.min(axis=0), corners.max(axis=0)
    u, v, w = corners
    normal = np.cross(v - u, w - u)
    wide = np.linalg.norm(v - u, axis=1) * np.linalg.norm(w - u, axis=1)
    for part in blocks(len(ends), len(u)):
        p, q = ends[part, 0], ends[part, 1]
        meet = np.ones((len(p), len(u)), bool)
        for k in range(3):
            bottom = np.minimum(p[:, k], q[:, k])[:, None] - TRIFLE * size
            top = np.maximum(p[:, k], q[:, k])[:, None] + TRIFLE * size
            meet &= (bottom <= high[:, k]) & (top >= low[:, k])
        i, j = np.nonzero(meet)
        hp, hq = (((x[i] - u[j]) * normal[j]).sum(axis=1) for x in (p, q))
        # Far more than rounding can turn, or ends on either side.
        unsure = TRIFLE * size * wide[j]
        kept = (np.minimum(hp, hq) <= unsure) & (np.maximum(hp, hq) >= -unsure)
        for edge, face in zip(
            (i[kept] + part.start).tolist(), j[kept].tolist(), strict=True
        ):
            tail, tip = a.ends[edge]
            hit = lattice.pierce(a.at[tail], a.at[tip], b.triangles[face])
            if hit:
                yield hit


def _deepest(a: Exact, b: Exact, unit: Fraction, size: float) -> float:
    points, solid = a.rounded.points, b.rounded
    pad = TRIFLE * size
    low, high = solid.points.min(axis=0) - pad, solid.points.max(axis=0) + pad
    maybe = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
    if not len(maybe):
        return 0.0
    off = brute.distances(points[maybe], solid)
    around = brute.winding(points[maybe], solid) > 0.5
    best = 0.0
    # In floats no vertex is nearer than it is: from the deepest down, until none is.
    for k in np.argsort(-off, kind="stable").tolist():
        if off[k] + pad <= best:
            break
        vertex = int(maybe[k])
        if off[k] > NEAR * size and not around[k]:
            continue
        near = _faces_within(points[[vertex]], solid, float(off[k]) + pad, size)
        square = lattice.least(
            lattice.point_triangle(a.at[vertex], b.triangles[j]) for _, j in near
        )
        depth = lattice.root(square, unit)
        if depth > best and b.holds(a.at[vertex]):
            best = depth
    return best
