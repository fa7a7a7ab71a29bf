from fractions import Fraction

import numpy as np
import pytest

from wingedge.primitives.segment_segment import closest

CASES = {
    "crossing": ((-1, 0, 0), (1, 0, 0), (0, -1, 2), (0, 1, 2), (0.5, 0.5, 4)),
    "end to inside": ((-2, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 1, 0), (1, 0.5, 1)),
    "end to end": ((0, 0, 0), (1, 0, 0), (2, 0, 0), (5, 1, 0), (1, 0, 1)),
    "touching": ((0, 0, 0), (2, 0, 0), (1, 0, 0), (1, 5, 0), (0.5, 0, 0)),
    "collinear apart": ((0, 0, 0), (1, 0, 0), (3, 0, 0), (4, 0, 0), (1, 0, 4)),
    "point to segment": ((1, 1, 0), (1, 1, 0), (0, 0, 0), (4, 0, 0), (0, 0.25, 1)),
    "two points": ((1, 1, 1), (1, 1, 1), (1, 1, 3), (1, 1, 3), (0, 0, 4)),
}


@pytest.mark.parametrize("name", CASES)
def test_textbook_cases_both_ways_round(name):
    p0, p1, q0, q1, (s, t, square) = CASES[name]
    near = closest([p0], [p1], [q0], [q1])
    assert near.distance_sq.tolist() == [square]
    if p0 != p1:
        assert near.s.tolist() == [s]
    if q0 != q1:
        assert near.t.tolist() == [t]
    back = closest([q0], [q1], [p0], [p1])
    assert back.distance_sq.tolist() == [square]
    gap = near.point_q - near.point_p
    assert (gap @ gap.T).tolist() == [[square]]


def test_parallel_overlapping_segments_answer_with_an_end():
    near = closest((0, 0, 0), (4, 0, 0), (1, 0, 1), (9, 0, 1))
    assert near.distance_sq == 1
    assert near.s in (0, 1) or near.t in (0, 1)


def exact_sq(a, b, c, d):
    """The squared distance in rational numbers."""

    def sub(u, v):
        return [x - y for x, y in zip(u, v, strict=True)]

    def dot(u, v):
        return sum(x * y for x, y in zip(u, v, strict=True))

    def foot(p, u, v):
        step, r = sub(v, u), sub(p, u)
        t = min(max(dot(r, step) / dot(step, step), 0), 1) if any(step) else 0
        gap = [x - t * y for x, y in zip(r, step, strict=True)]
        return dot(gap, gap)

    a, b, c, d = ([Fraction(float(x)) for x in v] for v in (a, b, c, d))
    best = min(foot(a, c, d), foot(b, c, d), foot(c, a, b), foot(d, a, b))
    u, v, r = sub(b, a), sub(d, c), sub(c, a)
    uu, uv, vv, ur, vr = dot(u, u), dot(u, v), dot(v, v), dot(u, r), dot(v, r)
    det = uu * vv - uv * uv
    if det:
        s, t = (ur * vv - vr * uv) / det, (ur * uv - vr * uu) / det
        if 0 <= s <= 1 and 0 <= t <= 1:
            gap = [s * x - t * y - z for x, y, z in zip(u, v, r, strict=True)]
            best = min(best, dot(gap, gap))
    return best


def cloud(kind, n=150):
    rng = np.random.default_rng(len(kind))
    a, b, c, d = rng.normal(size=(4, n, 3))
    tiny = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-17, -3, (n, 1))
    if kind == "integers":
        a, b, c, d = rng.integers(-2, 3, size=(4, n, 3)).astype(float)
    elif kind == "nearly parallel":
        d = c + (b - a) * rng.uniform(-1, 1, (n, 1)) + tiny
    elif kind == "contact":
        c = c - (c + d) / 2 + (a + b) / 2
        d = a + b - c + tiny
    return a, b, c, d


@pytest.mark.parametrize("kind", ["random", "integers", "nearly parallel", "contact"])
def test_distances_are_exact_to_rounding(kind):
    a, b, c, d = cloud(kind)
    near = closest(a, b, c, d)
    for k in range(len(a)):
        exact = float(exact_sq(a[k], b[k], c[k], d[k])) ** 0.5
        assert near.distance_sq[k] ** 0.5 == pytest.approx(exact, abs=5e-15)
    assert np.abs(a + near.s[:, None] * (b - a) - near.point_p).max() < 5e-15
    assert np.abs(c + near.t[:, None] * (d - c) - near.point_q).max() < 5e-15
    assert ((near.s >= 0) & (near.s <= 1) & (near.t >= 0) & (near.t <= 1)).all()


def test_shapes_broadcast_and_nothing_is_aliased():
    p = np.array([[0.0, 0, 1], [9, 9, 9]])
    near = closest(p, p + 1, (0, 0, 0), (1, 0, 0))
    assert near.point_p.shape == near.point_q.shape == (2, 3)
    assert not np.shares_memory(near.point_p, p)


def test_what_is_not_finite_is_refused_by_name():
    with pytest.raises(ValueError, match=r"q1\[1\]\[2\] is nan"):
        closest((0, 0, 0), (1, 0, 0), (0, 1, 0), [(0, 1, 1), (0, 1, np.nan)])


def test_one_query_answers_with_numbers():
    near = closest((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1))
    assert (near.distance_sq, near.s, near.t) == (1, 0, 0)
    assert near.point_p.shape == (3,)
