"""A point and a triangle that move: through it, in its plane, grazing, flat."""

import numpy as np

from queries import _moving
from queries._exact import cross, dot, subtract
from wingedge.primitives.moving_point_triangle import hit as ask


def draw(rng, n, kind):
    return _moving.draw(rng, n, kind, _aimed)


def _aimed(rng, start, end):
    """Let the point be in the triangle at some time, to rounding."""
    t = rng.uniform(0.05, 0.95, (len(start), 1))
    corners = (1 - t)[:, None] * start[:, 1:] + t[:, None] * end[:, 1:]
    weights = rng.dirichlet([1, 1, 1], len(start))
    there = (weights[:, :, None] * corners).sum(axis=1)
    return np.concatenate(
        [((there - (1 - t) * start[:, 0]) / t)[:, None], end[:, 1:]], 1
    )


def _normal(a, b, c):
    return cross(subtract(b, a), subtract(c, a))


def _square(_, *corners):
    return dot(_normal(*corners), _normal(*corners))


def _weight(k):
    """Weigh a corner: times the square of the normal."""

    def weight(p, *corners):
        turned = _normal(p, corners[k - 2], corners[k - 1])
        return dot(_normal(*corners), turned)

    return weight


INSIDE = (
    ((_square, 4), *((_weight(k), 4) for k in range(3))),
    *(_moving.edge(0, k, k % 3 + 1) for k in (1, 2, 3)),
)

wrong = _moving.judge(INSIDE, ask)
