"""Segments and planes: in the plane, ends on it, no length, no normal, far, tiny."""

from fractions import Fraction

import numpy as np

from wingedge.primitives.segment_plane import hit as ask
from wingedge.primitives.segment_plane import plane

OFF = 7e-14


def draw(rng, n, kind):
    """Draw segment ends, normals and offsets."""
    s, e, normal = rng.normal(size=(3, n, 3))
    offset = rng.normal(size=n)
    if kind == "random":
        return s, e, normal, offset
    which = np.arange(n)[:, None] % 6
    grid = rng.integers(-2, 3, size=(3, n, 3)).astype(float)
    whole = rng.integers(-2, 3, n).astype(float)
    axis = grid.copy()
    axis[2] = np.eye(3)[rng.integers(0, 3, n)]
    bent = np.array([s, e, (s - e)[:, [1, 0, 2]] * [1, -1, 0]])
    reach = bent[2][:, 0] * s[:, 0] + bent[2][:, 1] * s[:, 1]
    reach = reach * (1 + rng.integers(-2, 3, n) * 2.0**-52)
    far = grid + 2.0**40
    scale = rng.choice([2.0**-350, 2.0**300, 2.0**-1070])
    tiny = grid * [[[scale]], [[scale]], [[1.0]]]
    line = grid * rng.integers(0, 2, (3, n, 1))
    drawn = (grid, axis, bent, far, tiny, line)
    offsets = (whole, whole, reach, whole + 2.0**40, whole * scale, whole)
    s, e, normal = (np.choose(which, [x[k] for x in drawn]) for k in range(3))
    return s, e, normal, np.choose(which[:, 0], offsets)


def wrong(*arguments):
    """Compare with rational arithmetic; the planes of the ends and normals as well."""
    answer, triangles = ask(*arguments), plane(*arguments[:3])
    return np.array(
        [
            _hit_wrong([x[k] for x in answer], *(x[k] for x in arguments))
            or _plane_wrong(
                triangles.normal[k], triangles.offset[k], *(x[k] for x in arguments[:3])
            )
            for k in range(len(arguments[0]))
        ]
    )


def _hit_wrong(answer, s, e, n, c):
    hit, case, t, point, *heights = answer
    limit = Fraction(c)
    true = [_dot(x, n) - limit for x in (s, e)]
    for x, height, truth in zip((s, e), heights, true, strict=True):
        room = 1e-15 * (_dot(map(abs, x), map(abs, n)) + abs(limit)) + Fraction(5e-324)
        if np.sign(height) != (truth > 0) - (truth < 0) or abs(height - truth) > room:
            return True
    product = true[0] * true[1]
    if case != ("A" if product > 0 else "B" if product == 0 else "C"):
        return True
    if hit != (product <= 0):
        return True
    if product > 0:
        return not np.isnan([t, *point]).all()
    time = true[0] / (true[0] - true[1]) if true[0] else Fraction(0)
    off = [
        abs(Fraction(z) - Fraction(x) - time * (Fraction(y) - Fraction(x)))
        for x, y, z in zip(s, e, point, strict=True)
    ]
    room = OFF * np.abs(e - s).max() + 1e-15 * np.abs([s, e]).max() + 1e-322
    return abs(Fraction(t) - time) > OFF or max(off) > room


def _plane_wrong(normal, offset, a, b, c):
    e, f = ([Fraction(x) - Fraction(y) for x, y in zip(v, a, strict=True)]
            for v in (b, c))  # fmt: skip
    true = [e[k - 2] * f[k - 1] - e[k - 1] * f[k - 2] for k in range(3)]
    if not any(true):
        return any(normal) or offset != 0
    along, square = _dot(normal, true), _dot(normal, normal)
    reach = sum(float(x) * float(y) for x, y in zip(normal, a, strict=True))
    return (
        along <= 0
        or 1 - along**2 / (_dot(true, true) * square) > Fraction(2e-11) ** 2
        or abs(square - 1) > 1e-15
        or abs(offset - reach) > 1e-15 * np.abs(a).sum() + 1e-322
    )


def _dot(u, v):
    return sum(Fraction(x) * Fraction(y) for x, y in zip(u, v, strict=True))
