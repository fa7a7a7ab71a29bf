"""The truth about two surfaces of any shape without any rounding.

What ``brute`` measures in float64 is measured here in integers: points and poses are
binary fractions, so all placed coordinates have a common unit.  Floats only say where
to look, by boxes around edges and triangles.  Cost: below a second for
small bodies, minutes for large ones that coincide, so the judge asks here only where it
doubts an answer.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from stories import brute, lattice
from stories.brute import Array, Solid, Truth, blocks
from stories.lattice import Ratio, Triangle, Whole

TRIFLE = 1e-9  # per unit of size: more than the place of a point is off
NEAR = 1e-2  # per unit of size: farther away a winding number in floats holds
Pair = tuple[str, tuple[int, ...], tuple[int, ...]]


class Exact:
    """A closed surface whose points are integers, beside its rounded self."""

    def __init__(self, rounded: Solid, at: list[Whole]) -> None:
        self.rounded = rounded
        self.at = at
        self.ids: list[list[int]] = rounded.triangles.tolist()
        self.ends: list[list[int]] = rounded.segments.tolist()
        self.corners = rounded.points[:, None]
        self.edges, self.faces = (rounded.points[k] for k in rounded[2:0:-1])
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
    reach = brute.least_distance(a.rounded, b.rounded)[0]
    best: tuple[Ratio, Pair] | None = None

    def offer(square: Ratio | None, pair: Pair) -> None:
        nonlocal best
        if square and (best is None or lattice.less(square, best[0])):
            best = square, pair

    for name, one, other in (("VF", a, b), ("FV", b, a)):
        for i, j in _within(one.corners, other.faces, reach, size):
            square = lattice.point_triangle(one.at[i], other.triangles[j])
            found = (i,), tuple(other.ids[j])
            offer(square, (name, *(found if name == "VF" else found[::-1])))
    for i, j in _within(a.edges, b.edges, reach, size):
        (p, q), (r, s) = a.ends[i], b.ends[j]
        square = lattice.segment_segment(a.at[p], a.at[q], b.at[r], b.at[s])
        offer(square, ("EE", (p, q), (r, s)))
    assert best is not None
    return best


def _within(
    one: Array, other: Array, reach: float, size: float
) -> Iterator[tuple[int, int]]:
    """Yield every pair of parts, (n, k, 3) and (m, l, 3), whose boxes are in reach."""
    low, high = other.min(axis=1), other.max(axis=1)
    for part in blocks(len(one), len(other)):
        bottom, top = one[part].min(axis=1)[:, None], one[part].max(axis=1)[:, None]
        gap = np.maximum(np.maximum(low - top, bottom - high), 0.0)
        near = np.linalg.norm(gap, axis=2) <= reach + 2.0 * TRIFLE * size
        i, j = np.nonzero(near)
        yield from zip((i + part.start).tolist(), j.tolist(), strict=True)


def _pierces(a: Exact, b: Exact, size: float) -> Iterator[Ratio]:
    for edge, face in _within(a.edges, b.faces, 0.0, size):
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
        near = _within(a.corners[[vertex]], b.faces, float(off[k]), size)
        square = lattice.least(
            lattice.point_triangle(a.at[vertex], b.triangles[j]) for _, j in near
        )
        depth = lattice.root(square, unit)
        if depth > best and b.holds(a.at[vertex]):
            best = depth
    return best
