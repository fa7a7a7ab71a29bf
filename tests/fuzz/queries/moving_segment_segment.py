"""Two segments that move: crossing, in one plane, on one line, resting, grazing."""

import numpy as np

from queries import _moving
from queries._exact import cross, dot, subtract
from wingedge.primitives.moving_segment_segment import hit as ask


def draw(rng, n, kind):
    return _moving.draw(rng, n, kind, _aimed)


def _aimed(rng, start, end):
    """Let the segments cross at some time, to rounding."""
    t = rng.uniform(0.05, 0.95, (len(start), 1))
    p, q, r, s = np.moveaxis((1 - t)[:, None] * start + t[:, None] * end, 1, 0)
    u, v = rng.random((2, len(start), 1))
    moved = end.copy()
    moved[:, :2] += ((r + v * (s - r) - p - u * (q - p)) / t)[:, None]
    return moved


def _normal(p, q, r, s):
    return cross(subtract(q, p), subtract(s, r))


def _square(*x):
    return dot(_normal(*x), _normal(*x))


def _on_one(p, q, r, s):
    """Place the point where they cross on the first: times the square of the normal."""
    return dot(cross(subtract(r, p), subtract(s, r)), _normal(p, q, r, s))


def _on_other(p, q, r, s):
    return dot(cross(subtract(r, p), subtract(q, p)), _normal(p, q, r, s))


INSIDE = (
    (
        (_square, 4),
        (_on_one, 4),
        (_on_other, 4),
        (lambda *x: _square(*x) - _on_one(*x), 4),
        (lambda *x: _square(*x) - _on_other(*x), 4),
    ),
    *(_moving.edge(*e) for e in ((0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1))),
)

wrong = _moving.judge(INSIDE, ask)
