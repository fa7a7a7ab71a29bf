"""Where lines first and last meet triangles, found by looking at all of them; exact."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.exact.signs import Bounded
from wingedge.mesh import Ints
from wingedge.primitives.lines import Lines

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Triple = tuple[Fraction, Fraction, Fraction]

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

    Parameters
    ----------
    vertices : (3, V) float64
    triangles : (T, 3) int
        Any winding; one of no area is the segment or the point that it is.
    lines : Lines

    Notes
    -----
    Of triangles met at the same place, first is one that looks against the line, last
    one that looks along it; then the lowest number. Floats with error bounds tell most
    pairs; those within rounding are clipped in rational numbers. Cost: O(V + T) for
    each line, 10 to 50 ns per triangle, and 100 us for each pair within rounding.
    """
    n = lines.start.shape[1]
    out = Scan(
        np.full(n, -1, np.int32),
        np.full(n, -1, np.int32),
        np.full(n, np.inf),
        np.full(n, np.inf),
    )
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


class _Met(NamedTuple):
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


def _met(corners: Floats, lines: Lines) -> _Met:
    """Tell which lines meet their triangles (axis, corner, k), and where."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        start = [Bounded(x) for x in lines.start]
        other = [Bounded(x) for x in lines.other]
        corner = [[Bounded(x) for x in corners[:, j]] for j in range(3)]
        around = np.stack(
            [
                _sure(lines.turn(*start, *other, *corner[j], *corner[j - 2]))
                for j in range(3)
            ]
        )
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
        low[some] = high[some] = lines.of(some).crossing(
            corners[:, :, some].swapaxes(0, 1)
        )
    hit = within.copy()
    for k in np.nonzero(~within & ~away)[0]:
        span, looks = _span(corners[:, :, k].T, lines.of([k]))
        if span is not None:
            hit[k], low[k], high[k], rise[k] = True, *map(_float, span), looks
    pair = np.nonzero(hit)[0]
    return _Met(pair, low[pair], high[pair], rise[pair].astype(np.int8))


def _sure(value: Bounded) -> NDArray[np.int8]:
    """Return the signs that rounding leaves no doubt about, else 0."""
    sure = (np.abs(value.value) > value.off) & np.isfinite(value.off)
    signs: NDArray[np.int8] = np.where(sure, np.sign(value.value), 0).astype(np.int8)
    return signs


def _span(corners: Floats, line: Lines) -> tuple[tuple[Fraction, Fraction] | None, int]:
    """Find the range of t in which a line is in a triangle, in rational numbers."""
    a, b, c = (_exact(v) for v in corners)
    p, other = _exact(line.start[:, 0]), _exact(line.other[:, 0])
    d = other if line.endless else _minus(other, p)
    n = _times(_minus(b, a), _minus(c, a))
    rise = _by(n, d)
    bounds: list[tuple[Triple, Triple]] = []  # of normals and points: n (x - q) >= 0
    if any(n):
        bounds += [(n, a), (_turned(n), a)]
        bounds += [(_times(n, _minus(v, u)), u) for u, v in ((a, b), (b, c), (c, a))]
    else:
        u, v = min(a, b, c), max(a, b, c)
        along = _minus(v, u)
        axes = [(Fraction(i), Fraction(j), Fraction(k)) for i, j, k in np.eye(3)]
        across = [_times(along, axis) for axis in axes] if any(along) else axes
        bounds += [(m, u) for m in across] + [(_turned(m), u) for m in across]
        bounds += [(along, u), (_turned(along), v)]
    low, high = Fraction(0), None if line.endless else Fraction(1)
    for m, q in bounds:
        height, climb = _by(m, _minus(p, q)), _by(m, d)
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


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")


def _exact(v: Floats) -> Triple:
    x, y, z = (Fraction(float(x)) for x in v)
    return x, y, z


def _minus(a: Triple, b: Triple) -> Triple:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _turned(a: Triple) -> Triple:
    return -a[0], -a[1], -a[2]


def _times(a: Triple, b: Triple) -> Triple:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _by(a: Triple, b: Triple) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
