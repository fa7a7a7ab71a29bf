"""Two triangles: crossing, coplanar, hinged, touching, needles, of no area.

The judge clips one triangle, as a polygon in rational numbers, by the half-spaces that
bound the other: what is left is all that they have in common.
"""

from fractions import Fraction

import numpy as np

from queries._exact import bounds, clip, cross, dot, least, subtract
from wingedge.primitives.triangle_triangle import closest, meet

OFF = 5e-15  # per unit of size, in a distance
OFF_POINT = 1e-13  # in an end of the common segment


def ask(*corners):
    return meet(*corners), closest(*corners)


def draw(rng, n, kind):
    a, b, c, p, q, r = rng.normal(size=(6, n, 3))
    if kind == "random":
        return a, b, c, p / 2, q / 2, r / 2
    which = np.arange(n)[:, None] % 9
    tiny = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-17, -3, (n, 1))
    share = rng.dirichlet([1, 1, 1], n)
    inside = sum(share[:, [k]] * v for k, v in enumerate((a, b, c)))
    inner = a + rng.uniform(size=(n, 1)) * (b - a)
    grid = rng.integers(-1, 3, size=(6, n, 3)).astype(float)
    flat = grid * (1, 1, 0) + (0, 0, 1)
    tilted = flat[..., [0, 1, 1]] * (1, 1, 0) + flat[..., [2, 0, 0]] * (0, 0, 1)
    u, d, v, w = grid[:4]
    v = np.where(rng.random((n, 1)) < 0.5, u + d / 2 + w / 4, v)
    forms = [
        grid,
        flat,  # in one plane
        tilted[..., [1, 2, 0]],
        (a, b, c, b, a, r),  # one edge in common
        (a, b, c, inside, q, r),  # a corner on the face, nearly
        (a, b, c, inner, inner + tiny, r),  # a needle at an edge
        (u, u + 2 * d, u + d, v, v - w, grid[4]),  # no area
        (a, b, c, a + tiny, b + tiny[:, ::-1], c - tiny),  # hardly any angle
        (1e5 + a, 1e5 + b, 1e5 + c, 1e5 + inside, 1e5 + q, 1e5 + r),  # far away
    ]
    return tuple(
        np.select([which == k for k in range(9)], [form[i] for form in forms])
        for i in range(6)
    )


def wrong(*corners):
    """Compare both answers with what is common, and with the true distance."""
    found, near = ask(*corners)
    size = np.abs(np.concatenate(corners, axis=1)).max(axis=1)
    off = (near.distance == 0) != found.hit
    gap = np.sqrt(((near.point_a - near.point_b) ** 2).sum(axis=1))
    off |= np.abs(gap - near.distance) > OFF * size
    for point, weights, three in (
        (near.point_a, near.weights_a, corners[:3]),
        (near.point_b, near.weights_b, corners[3:]),
    ):
        placed = sum(weights[:, [k]] * v for k, v in enumerate(three))
        off |= np.abs(placed - point).max(axis=1) > OFF_POINT * size
        off |= (weights < 0).any(axis=1)
    for k, row in enumerate(zip(*corners, strict=True)):
        ends = (found.start[k], found.end[k])
        off[k] |= _is_wrong(row, found.kind[k], ends, near.distance[k], size[k])
    return off


def _is_wrong(row, kind, ends, distance, size):
    row, unit = _in_integers(row)
    a, b = row[:3], row[3:]
    common = clip(a, bounds(b))
    if not common:
        apart = float(least(a, b)[0] / unit**2) ** 0.5
        return kind != "apart" or abs(apart - distance) > OFF * size
    middle = [Fraction(sum(x), len(common)) for x in zip(*common, strict=True)]
    inner = _is_inner(middle, a) and _is_inner(middle, b)
    one_plane = _is_flat(row)
    true = ("overlapping" if one_plane else "crossing") if inner else "touching"
    if kind != true or one_plane:
        return kind != true or not np.isnan(ends).all()
    true_ends = np.array(
        [[float(x / unit) for x in p] for p in (min(common), max(common))]
    )
    off = min(np.abs(true_ends - ends).max(), np.abs(true_ends - ends[::-1]).max())
    return not off <= OFF_POINT * size


def _in_integers(row):
    """Multiply coordinates by the power of two that makes integers of them."""
    exact = [[Fraction(float(x)) for x in v] for v in row]
    unit = Fraction(max(x.denominator for v in exact for x in v))
    return [[int(x * unit) for x in v] for v in exact], unit


def _is_inner(p, corners):
    """Tell whether a point of a triangle is on none of its sides."""
    a, b, c = corners
    n = cross(subtract(b, a), subtract(c, a))
    if any(n):
        return all(
            dot(cross(n, subtract(v, u)), subtract(p, u)) > 0
            for u, v in ((a, b), (b, c), (c, a))
        )
    return min(corners) == max(corners) or min(corners) < p < max(corners)


def _is_flat(points):
    steps = [subtract(p, points[0]) for p in points[1:]]
    first = next((s for s in steps if any(s)), None)
    if first is None:
        return True
    n = next((m for m in (cross(first, s) for s in steps) if any(m)), None)
    return n is None or all(dot(n, s) == 0 for s in steps)
