"""Spheres at and moving towards triangles: grazing, in overlap, flat, far, tiny."""

from fractions import Fraction
from itertools import combinations, product
from math import isqrt

import numpy as np

from queries._exact import dot, subtract
from wingedge.primitives.sphere_triangle import sweep as ask
from wingedge.primitives.sphere_triangle import touch

OFF = 2e-14  # of the extent around the start


def draw(rng, n, kind):
    """Draw centres before and after, radii, and three corners each."""
    s, e, a, b, c = rng.normal(size=(5, n, 3))
    r = np.abs(rng.normal(size=n)) * 0.3
    if kind == "random":
        through = rng.dirichlet([1, 1, 1], (n, 1)) @ np.stack([a, b, c], 1)
        e = np.where(rng.random((n, 1)) < 0.5, e, 2 * through[:, 0] - s)
        return s, e, r, a, b, c
    which = np.arange(n)[:, None] % 7
    grid = rng.integers(-3, 4, size=(5, n, 3)).astype(float)
    grid[1] = np.where(rng.random((n, 1)) < 0.1, grid[0], grid[1])
    flat = grid * np.where(np.arange(5)[:, None, None] < 2, 1, [1, 1, 0])
    line = grid.copy()
    line[2:] = rng.integers(-2, 3, size=(3, n, 1)) * rng.integers(-1, 2, size=(n, 3))
    needle = np.array([s, e, a, b, a + (b - a) * 0.5 + (c - a) * 2.0**-40])
    needle[1] = needle[2] + needle[3] - s
    far = grid + np.array([2.0**40, 3, 0])
    scale = rng.choice([2.0**-350, 2.0**300, 2.0**-1070])
    share = rng.dirichlet([1, 1, 1], n)
    near = np.array([s, e, a, b, c])
    near[0] = share[:, :1] * a + share[:, 1:2] * b + share[:, 2:] * c
    near[0] += (s - near[0]) * 10.0 ** rng.uniform(-17, 10, (n, 1))
    near[1] = near[0] + (a - near[0]) * rng.uniform(0, 2, (n, 1))
    drawn = (grid, flat, line, needle, far, grid * scale, near)
    small = 10.0 ** rng.uniform(-17, 0, n)
    whole = rng.integers(0, 4, n).astype(float)
    radii = (whole, whole, whole, r, whole, whole * scale, r * small)
    s, e, a, b, c = (np.choose(which, [x[k] for x in drawn]) for k in range(5))
    return s, e, np.choose(which[:, 0], radii), a, b, c


def wrong(*arguments):
    """Compare with the least of all pairs of pieces in rational numbers."""
    s, _, r, *corners = arguments
    still, moving = touch(s, r, *corners), ask(*arguments)
    return np.array(
        [
            _still_wrong([x[k] for x in still], *(x[k] for x in (s, r, *corners)))
            or _moving_wrong([x[k] for x in moving], *(x[k] for x in arguments))
            for k in range(len(s))
        ]
    )


def _still_wrong(answer, s, r, *corners):
    hit, overlap, surface, distance, point, normal = answer
    square, nearest = _least([s], corners)
    limit = Fraction(r) ** 2
    outside = any(_least([s], [v])[0] >= limit for v in corners)
    sign = (square > limit) - (square < limit)
    if (hit, overlap, surface) != (sign <= 0, sign < 0, sign <= 0 and outside):
        return True
    room = OFF * _extent(s, r, *corners)
    exact = [Fraction(x) for x in normal]
    if square:
        along = dot(_minus(s, nearest), exact)
        cosine_sq = along**2 / (square * dot(exact, exact))
        crooked = along <= 0 or 1 - cosine_sq > Fraction(2e-8) ** 2
    else:
        edges = [_minus(corners[k], corners[0]) for k in (1, 2)]
        crooked = max(abs(dot(normal, e)) for e in edges) > room
    return bool(
        np.sign(distance) != sign
        or abs(Fraction(distance) - Fraction(_root(square)) + Fraction(r)) > room
        or _off(point, nearest) > room + 3e-16 * np.abs(s).max()
        or abs(dot(normal, normal) - 1) > 1e-15
        or crooked
    )


def _moving_wrong(answer, s, e, r, *corners):
    hit, t, point, normal, feature = answer
    limit = Fraction(r) ** 2
    if hit != (_least([s, e], corners)[0] <= limit):
        return True
    if not hit:
        return not np.isnan([t, *point, *normal]).all() or feature != ""
    if (t == 0) != (_least([s], corners)[0] <= limit):
        return True
    at = [Fraction(x) + Fraction(t) * (Fraction(y) - Fraction(x))
          for x, y in zip(s, e, strict=True)]  # fmt: skip
    room = OFF * _extent(s, r, e, *corners) + 3e-16 * np.abs(s).max()
    names = dict(zip("abc", corners, strict=True)) | {"face": None}
    piece = corners if feature == "face" else [names[k] for k in feature]
    if _root(_least([point], piece)[0]) > room or abs(dot(normal, normal) - 1) > 1e-15:
        return True
    if t == 0:
        return _off(point, _least([s], corners)[1]) > room
    reach = [Fraction(x) + Fraction(r) * Fraction(y)
             for x, y in zip(point, normal, strict=True)]  # fmt: skip
    return (
        abs(_root(_least([at], corners)[0]) - r) > room
        or _root(_least([s, at], corners)[0]) < r - room
        or _off(reach, at) > room
    )


def _least(ends, corners):
    """Find the square and the nearest point of a hull of points from that of others.

    On every pair of faces of the two, where the gap is square to both; in integers.
    """
    given = [[Fraction(x) for x in p] for p in (*ends, *corners)]
    unit = max(x.denominator for p in given for x in p)
    given = [[int(x * unit) for x in p] for p in given]
    ends, corners = given[: len(ends)], given[len(ends) :]
    best = None
    for one, other in product(_faces(ends), _faces(corners)):
        axes = [subtract(p, one[0]) for p in one[1:]]
        axes += [subtract(other[0], p) for p in other[1:]]
        gap = subtract(one[0], other[0])
        gram = [[dot(x, y) for y in axes] for x in axes]
        det = _det(gram)
        if not det:
            continue
        shares = []
        for k in range(len(axes)):
            swapped = [[*row[:k], -dot(axis, gap), *row[k + 1 :]]
                       for row, axis in zip(gram, axes, strict=True)]  # fmt: skip
            shares.append(_det(swapped))
        mine = shares[: len(one) - 1], shares[len(one) - 1 :]
        if min(shares, default=0) < 0 or max(map(sum, mine)) > det:
            continue
        gap = _moved([det * x for x in gap], shares, axes, 1)
        square = Fraction(dot(gap, gap), (det * unit) ** 2)
        if best is None or square < best[0]:
            point = [det * x for x in other[0]]
            point = _moved(point, mine[1], axes[len(one) - 1 :], -1)
            best = square, [Fraction(x, det * unit) for x in point]
            if not square:
                break
    return best


def _faces(corners):
    return [face for k in range(len(corners)) for face in combinations(corners, k + 1)]


def _moved(point, shares, axes, sign):
    for x, axis in zip(shares, axes, strict=True):
        point = [p + sign * x * y for p, y in zip(point, axis, strict=True)]
    return point


def _det(matrix):
    if not matrix:
        return 1
    return sum(
        (-1) ** k * matrix[0][k] * _det([row[:k] + row[k + 1 :] for row in matrix[1:]])
        for k in range(len(matrix))
    )


def _root(square):
    """Find a square root as a float, whatever the size."""
    square = Fraction(square)
    if not square:
        return 0.0
    shift = 2 * max(
        0, 160 - square.numerator.bit_length() + square.denominator.bit_length()
    )
    return float(Fraction(isqrt((square.numerator << shift) // square.denominator),
                          1 << (shift // 2)))  # fmt: skip


def _extent(origin, r, *others):
    return max(r, *(np.abs(p - origin).max() for p in others)) + 1e-305


def _off(point, truth):
    return max(abs(float(x)) for x in _minus(point, truth))


def _minus(u, v):
    return [Fraction(x) - Fraction(y) for x, y in zip(u, v, strict=True)]
