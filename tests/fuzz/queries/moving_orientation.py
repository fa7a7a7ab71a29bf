"""Four points that move: through one plane, within one, and back to the same side."""

from fractions import Fraction

import numpy as np

from queries import _moving
from queries._exact import height, wrong_rows
from queries._moving import at, at_root, interpolated, isolated, placed
from wingedge.primitives.moving_orientation import roots as ask


def draw(rng, n, kind):
    return _moving.draw(rng, n, kind, _aimed)


def _aimed(rng, start, end):
    """Let them be in one plane at two times, to rounding: what is lost heals."""
    t = np.sort(rng.uniform(0.05, 0.95, (2, len(start), 1)), axis=0)
    sides = []
    for s in t:
        corners = (1 - s)[:, None] * start[:, :3] + s[:, None] * end[:, :3]
        weights = rng.normal(size=(len(start), 3, 1))
        weights[:, 2] = 1 - weights[:, 0] - weights[:, 1]
        sides.append((weights * corners).sum(axis=1))
    step = (sides[1] - sides[0]) / (t[1] - t[0])
    start[:, 3] = sides[0] - t[0] * step
    return np.concatenate([end[:, :3], (start[:, 3] + step)[:, None]], 1)


def wrong(*arguments):
    """Compare with the roots of Sturm chains and signs between them."""
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(start, end, found, lower, upper, sign, at_start, at_end):
    x = _moving.whole(start, end)
    volume = interpolated([height(*placed(x, t)) for t in range(4)])
    spans = [(*span, at_root(volume, *span)) for span in isolated(volume or [1])]
    inside = [s for s in spans if s[2]([0, 1]) > 0 and s[2]([1, -1]) > 0]
    points = [low for low, *_ in inside[:1]] + [high for _, high, _ in inside]
    if not inside:
        points = [Fraction(1, 2)]
    signs = [at(t)(volume) for t in points]
    n = len(inside)
    return (
        found == n
        and [at_start, at_end] == [at(Fraction(k))(volume) for k in (0, 1)]
        and sign.tolist() == signs + [0] * (4 - len(signs))
        and bool(np.isnan([lower[n:], upper[n:]]).all())
        and all(map(_moving.held, (s[2] for s in inside), lower, upper))
    )
