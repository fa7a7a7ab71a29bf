"""Spheres at and moving towards triangles: grazing, in overlap, flat, far, tiny."""

from fractions import Fraction

import numpy as np

from queries._draw import inside, lengths, points
from queries._exact import dot, least, less, on_way, root, wrong_rows
from wingedge.primitives.sphere_triangle import sweep as ask
from wingedge.primitives.sphere_triangle import touch

OFF = 2e-14  # of the extent around the start


def draw(rng, n, kind):
    (s, e, *corners), units = points(rng, n, kind, 5, apart=False)
    r, at = lengths(rng, units, 0.3), inside(rng, corners)
    if kind == "random":
        return s, np.where(rng.random((n, 1)) < 0.5, e, 2 * at - s), r, *corners
    beside = (units == 0.0) & (rng.random(n) < 0.7)  # by next to nothing or far
    near = at + (s - at) * 10.0 ** rng.uniform(-17, 10, (n, 1))
    ahead = near + (corners[0] - near) * rng.uniform(0, 2, (n, 1))
    s, e = (np.where(beside[:, None], x, y) for x, y in ((near, s), (ahead, e)))
    return s, e, np.where(beside, r * 10.0 ** rng.uniform(-17, 0, n), r), *corners


def wrong(*arguments):
    """Compare with the least of all pairs of pieces in rational numbers."""
    s, _, r, *corners = arguments
    still = touch(s, r, *corners)
    return wrong_rows(_still_right, (s, r, *corners), still) | wrong_rows(
        _moving_right, arguments, ask(*arguments)
    )


def _still_right(s, r, a, b, c, hit, overlap, surface, distance, point, normal):
    corners = a, b, c
    square, nearest = least([s], corners)
    limit = Fraction(r) ** 2
    outside = any(least([s], [v])[0] >= limit for v in corners)
    sign = (square > limit) - (square < limit)
    if (hit, overlap, surface) != (sign <= 0, sign < 0, sign <= 0 and outside):
        return False
    room = OFF * _extent(s, r, *corners)
    exact = [Fraction(x) for x in normal]
    if square:
        along = dot(less(s, nearest), exact)
        cosine_sq = along**2 / (square * dot(exact, exact))
        crooked = along <= 0 or 1 - cosine_sq > Fraction(2e-8) ** 2
    else:
        edges = [less(corners[k], corners[0]) for k in (1, 2)]
        crooked = max(abs(dot(normal, e)) for e in edges) > room
    return (
        np.sign(distance) == sign
        and abs(Fraction(distance) - root(square) + Fraction(r)) <= room
        and _off(point, nearest) <= room + 3e-16 * np.abs(s).max()
        and abs(dot(normal, normal) - 1) <= 1e-15
        and not crooked
    )


def _moving_right(s, e, r, a, b, c, hit, t, point, normal, feature):
    corners = a, b, c
    limit = Fraction(r) ** 2
    if hit != (least([s, e], corners)[0] <= limit):
        return False
    if not hit:
        return np.isnan([t, *point, *normal]).all() and feature == ""
    if (t == 0) != (least([s], corners)[0] <= limit):
        return False
    at = on_way(s, e, Fraction(t))
    room = OFF * _extent(s, r, e, *corners) + 3e-16 * np.abs(s).max()
    names = dict(zip("abc", corners, strict=True)) | {"face": None}
    piece = corners if feature == "face" else [names[k] for k in feature]
    if root(least([point], piece)[0]) > room or abs(dot(normal, normal) - 1) > 1e-15:
        return False
    if t == 0:
        return _off(point, least([s], corners)[1]) <= room
    reach = [Fraction(x) + Fraction(r) * Fraction(y)
             for x, y in zip(point, normal, strict=True)]  # fmt: skip
    return (
        abs(root(least([at], corners)[0]) - Fraction(r)) <= room
        and root(least([s, at], corners)[0]) >= r - room
        and _off(reach, at) <= room
    )


def _extent(origin, r, *others):
    return max(r, *(np.abs(p - origin).max() for p in others)) + 1e-305


def _off(point, truth):
    return max(abs(float(x)) for x in less(point, truth))
