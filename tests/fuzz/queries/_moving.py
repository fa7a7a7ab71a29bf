"""First meetings of pieces that move straight, by Sturm chains and Tarski queries.

Shares nothing with the primitives: polynomials are interpolated from whole positions at
whole times, their roots counted by Sturm chains, and the sign of one at a root of
another is a Tarski query. Pieces in one plane are asked at all roots and between them.
"""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import gcd

import numpy as np

from queries._draw import points
from queries._exact import dot, height, subtract, wrong_rows

CELL = Fraction(1, 2**40)


def draw(rng, n, kind, ways):
    """Draw n motions; ``ways`` moves the second piece so that they meet at a time."""
    drawn = points(rng, n, kind, 8)[0].reshape(2, 4, n, 3)
    start, end = np.moveaxis(drawn, 1, 2)
    if kind == "random":
        aimed = rng.random(n) < 0.5
        return start, np.where(aimed[:, None, None], ways(rng, start, end), end)
    size = rng.integers(1, 4, (n, 1, 1))
    grid = rng.integers(-size, size + 1, (2, n, 4, 3)).astype(float)
    shared = grid.copy()
    shared[0, :, 3] = shared[0, :, 0]  # one vertex of both, at the start
    resting = grid.copy()
    resting[1] = resting[0]
    resting[1, :, 0] += rng.integers(-1, 2, (n, 3))
    shifted = grid.copy()  # edges stay parallel to themselves
    shifted[1] = grid[0] + grid[1, :, :1]
    shifted[1, :, 0] = grid[1, :, 1]
    grazing = grid.copy()
    grazing[0, :, 0] = 2 * rng.integers(-2, 3, (n, 3)) + grazing[1, :, 3] * [1, 1, 0]
    grazing[1, :, 0, 2] = -grazing[0, :, 0, 2]
    start, end = free = rng.normal(size=(2, n, 4, 3))
    closing = np.array([start, start[:, ::-1]])  # needles that turn about
    closing[:, :, 3] = closing[:, :, 2] + (closing[:, :, 1] - closing[:, :, 2]) / 2**40
    aside = np.stack([start, ways(rng, start, end)]) + np.array([2.0**30, 3, 0])
    planar = free.copy()  # one plane, of floats that are no lattice
    planar[..., 2] = planar[..., 0] * 0.5 - planar[..., 1] * 0.25
    forms = [np.moveaxis(drawn, 1, 2)] * 3
    forms += [grid, shared, resting, shifted, grazing, closing, aside, planar]
    which = rng.integers(0, len(forms), n)[:, None, None]
    return tuple(np.choose(which, [form[k] for form in forms]) for k in range(2))


def judge(inside, ask):
    """Compare with signs at the roots of Sturm chains."""

    def wrong(*arguments):
        return wrong_rows(partial(right, inside), arguments, ask(*arguments))

    return wrong


def right(inside, start, end, hit, lower, upper):
    """Tell whether an answer is the true one."""
    x = whole(start, end)
    when = first(inside, x)
    if when is None or not hit:
        return hit == (when is not None) and bool(np.isnan([lower, upper]).all())
    return held(when, lower, upper)


def held(when, lower, upper):
    """Tell whether a time is held by its cell of the grid, or is on it."""
    low, high = Fraction(float(lower)), Fraction(float(upper))
    on_grid = [-low.numerator, low.denominator], [high.numerator, -high.denominator]
    signs = [when(polynomial) for polynomial in on_grid]
    if low == high:
        return signs == [0, 0] and (low / CELL).denominator == 1
    return signs == [1, 1] and high - low == CELL and (low / CELL).denominator == 1


def whole(*ends):
    """Count floats in their common unit: two lists of four points."""
    numbers = [Fraction(float(x)) for end in ends for x in np.ravel(end)]
    unit = max(x.denominator for x in numbers)
    flat = [int(x * unit) for x in numbers]
    return [[flat[k : k + 3] for k in range(m, m + 12, 3)] for m in (0, 12)]


def first(inside, x):
    """Find the first time: a function from polynomials to their sign at it, or None.

    ``inside``: formulas, and their degrees, that tell whether the pieces meet where
    their points are in one plane, then of each vertex whether it is on an edge.
    """

    def along(formula, degree):
        return interpolated([formula(*placed(x, t)) for t in range(degree + 1)])

    def meet(sign):
        (normal, *parts), *edges = inside
        if sign(along(*normal)):
            return all(sign(along(*part)) >= 0 for part in parts)
        return any(on_edge(lambda f: sign(along(*f)), edge) for edge in edges)

    def in_time(signs):
        return signs([0, 1]) >= 0 and signs([1, -1]) >= 0

    volume = along(height, 3)
    if volume:
        times = (at_root(volume, *span) for span in isolated(volume))
        return next((t for t in times if in_time(t) and meet(t)), None)
    asked = {tuple(along(*one)) for some in inside for one in some} - {()}
    asked |= {(0, 1), (1, -1)}
    spans = sorted(
        (*narrowed(list(p), *span), p) for p in asked for span in isolated(list(p))
    )
    times = [at_root(list(p), low, high) for low, high, p in spans]
    found = next((t for t in times if in_time(t) and meet(t)), None)
    for (_, low, _), (high, _, _) in pairwise(spans):
        between = at((low + high) / 2)
        if low < high and in_time(between) and meet(between):
            assert found, "they meet between roots, and at none"
            assert found([-(low + high).numerator, 2 * (low + high).denominator]) < 0
            break
    return found


def on_edge(sign, edge):
    """Tell whether a point is on a segment, by what `edge` gives."""
    length, gap, off, begun, left = edge
    if not sign(length):
        return not sign(gap)
    return not sign(off) and sign(begun) >= 0 and sign(left) >= 0


def edge(i, j, k):
    """Give the formulas that tell whether point i is on the segment from j to k."""

    def way(*x):
        return dot(subtract(x[k], x[j]), subtract(x[k], x[j]))

    def gap(*x):
        return dot(subtract(x[i], x[j]), subtract(x[i], x[j]))

    def begun(*x):
        return dot(subtract(x[k], x[j]), subtract(x[i], x[j]))

    return (
        (way, 2),
        (gap, 2),
        (lambda *x: way(*x) * gap(*x) - begun(*x) ** 2, 4),
        (begun, 2),
        (lambda *x: way(*x) - begun(*x), 2),
    )


def placed(x, t):
    """Place the points at a whole time."""
    return [
        [a + t * (b - a) for a, b in zip(*p, strict=True)] for p in zip(*x, strict=True)
    ]


def interpolated(values):
    """Find the coefficients, times a factorial, of what has values at 0, 1, 2 ..."""
    out, basis, times = [0] * len(values), [1], 1
    for k in range(1, len(values)):
        times *= k
    scale = times
    for k in range(len(values)):
        for i, b in enumerate(basis):
            out[i] += values[0] * b * scale
        values = [b - a for a, b in pairwise(values)]
        scale //= k + 1
        basis = [a - k * b for a, b in zip([0, *basis], [*basis, 0], strict=True)]
    return trimmed(out)


def trimmed(p):
    while p and p[-1] == 0:
        p = p[:-1]
    common = gcd(*p) or 1
    return [x // common for x in p]


def chain(f, g):
    """List signed remainders, from f and g on."""
    out = [f]
    while g:
        out.append(g)
        rest = out[-2]
        while len(rest) >= len(g):
            up, top = len(rest) - len(g), rest[-1] if g[-1] > 0 else -rest[-1]
            rest = [x * abs(g[-1]) for x in rest]
            rest = [r - top * y for r, y in zip(rest, [0] * up + g, strict=True)][:-1]
        g = trimmed([-x for x in trimmed(rest)])
    return out


def value(p, t):
    """Evaluate at a fraction: a number of its sign."""
    out, power = 0, 1
    for c in reversed(p):
        out = out * t.numerator + c * power
        power *= t.denominator
    return out


def sign(x):
    return (x > 0) - (x < 0)


def changes(chained, t):
    signs = [s for s in (sign(value(p, t)) for p in chained) if s]
    return sum(a != b for a, b in pairwise(signs))


def slope(p):
    return trimmed([k * c for k, c in enumerate(p)][1:])


def isolated(f):
    """Part the roots from -1 to 2 or so by Sturm: in order, ends are no roots."""
    low, high = Fraction(-1), Fraction(2)
    while value(f, low) == 0:
        low -= Fraction(1, 3)
    while value(f, high) == 0:
        high += Fraction(1, 3)
    sturm, out, todo = chain(f, slope(f)), [], [(low, high)]
    while todo:
        low, high = todo.pop()
        count = changes(sturm, low) - changes(sturm, high)
        if count == 1:
            out.append((low, high))
        elif count:
            half = parting(f, low, high)
            todo += [(half, high), (low, half)]
    return out


def parting(f, low, high):
    half = (low + high) / 2
    while value(f, half) == 0:
        half = (half + high) / 2
    return half


def narrowed(f, low, high):
    """Halve what holds one root until it is narrow."""
    before, odd = sign(value(f, low)), sign(value(f, low)) != sign(value(f, high))
    sturm = [] if odd else chain(f, slope(f))
    while high - low > Fraction(1, 2**120):
        half = parting(f, low, high)
        early = sign(value(f, half)) == before
        if not odd:
            early = changes(sturm, low) == changes(sturm, half)
        low, high = (half, high) if early else (low, half)
    return low, high


def at_root(f, low, high):
    """Find signs at the one root of f between low and high (Tarski query)."""

    def ask(g):
        if not g:
            return 0
        product = [0] * (len(f) + len(g) - 2)
        for i, a in enumerate(slope(f)):
            for j, b in enumerate(g):
                product[i + j] += a * b
        chained = chain(f, trimmed(product))
        return changes(chained, low) - changes(chained, high)

    return ask


def at(t):
    """Find signs at a fraction."""
    return lambda p: sign(value(p, t)) if p else 0
