import itertools
from math import sqrt

import numpy as np
import pytest

from sim.engine.bound import floats, ints
from sim.kernels.regions import triangles
from sim.kernels.regions.triangles import (
    NEAR,
    PAIR,
    Adjacency,
    compare,
    foot,
    frame_of,
    pierces,
)
from sim.kernels.segments import miss_each_other
from wingedge.primitives import point_triangle, segment_segment, segment_triangle

FAR = 1e9


def web(points):
    """Two triangles (0, 1, 2) and (2, 1, 3) that share the side from 1 to 2."""
    count = 1 if len(points) == 3 else 2
    corner = [0, 1, 2, 2, 1, 3][: 3 * count]
    side = [0, 1, 2, 1, 3, 4][: 3 * count]
    beyond = [0, 1, 0, 0, 1, 1][: 3 * count]
    tables = (corner, side, beyond, [0, 1, 1, 2, 2, 0, 1, 3, 3, 2], [0, 1])
    ids = [ints(np.array(table, np.int32)) for table in tables]
    placed = floats(np.ascontiguousarray(points, float))
    return Adjacency(len(points), count, *ids, 5, placed)


def run(p, q, f=0, g=0, slack=0.0):
    near = np.zeros(NEAR)
    code = compare(web(p), web(q), f, g, FAR, slack, floats(near))
    return code, near


def from_side(x, y, corners):
    if segment_triangle.pierces(x, y, *corners).any():
        return 0.0
    squares = [
        point_triangle.closest(end, *corners).distance_sq.item() for end in (x, y)
    ]
    for i in range(3):
        hit = segment_segment.closest(x, y, corners[i], corners[(i + 1) % 3])
        squares.append(hit.distance_sq.item())
    return sqrt(min(squares))


def triangles_of(kind, rng):
    p, q = rng.normal(size=(2, 3, 3))
    if kind == "apart":
        q += 3.0 * rng.normal(size=3)
    elif kind == "parallel":
        p[:, 2], q[:, 2] = 0.0, 0.25
    elif kind == "level":
        p[:, 2] = q[:, 2] = 0.0
    elif kind == "needle":
        p[2] = p[0] + 0.3 * (p[1] - p[0]) + 1e-7 * rng.normal(size=3)
    elif kind == "collapsed":
        p[2] = p[1]
    elif kind == "touching":
        q[0] = 0.3 * p[0] + 0.3 * p[1] + 0.4 * p[2]
    return p, q


KINDS = ["any", "apart", "parallel", "level", "needle", "collapsed", "touching"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_side_is_as_far_away_as_the_primitives_say(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    codes = set()
    for _ in range(25):
        p, q = triangles_of(kind, rng)
        code, near = run(p, q)
        codes.add(code)
        expected = [from_side(p[k], p[(k + 1) % 3], q) for k in range(3)]
        expected += [from_side(q[k], q[(k + 1) % 3], p) for k in range(3)]
        assert np.sqrt(near[:PAIR]) == pytest.approx(expected, rel=1e-9, abs=1e-14)
        assert near[PAIR] == near[:PAIR].min()
    assert len(codes) > 3 or kind == "touching"


def test_what_two_triangles_share_has_the_same_bits_in_both():
    rng = np.random.default_rng(7)
    for _ in range(40):
        p, q = rng.normal(size=(2, 4, 3))
        q += 1.5
        near = {
            (f, g): run(p, q, f, g)[1] for f, g in itertools.product(range(2), repeat=2)
        }
        for g in range(2):
            assert near[0, g][1] == near[1, g][0]  # the side from 1 to 2, of A
        for f in range(2):
            assert near[f, 0][4] == near[f, 1][3]  # and of B


def test_a_segment_pierces_only_beyond_doubt():
    for tail, tip, expected in [
        ((0.2, 0.2, 1.0), (0.2, 0.2, -1.0), True),
        ((0.2, 0.2, 1.0), (0.2, 0.2, 0.0), False),  # ends on it
        ((0.0, 0.2, 1.0), (0.0, 0.2, -1.0), False),  # through a side
        ((0.7, 0.7, 1.0), (0.7, 0.7, -1.0), False),  # past it
        ((0.2, 0.2, 1e-17), (0.3, 0.2, -1e-17), False),  # in its plane but for rounding
    ]:
        corners = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
        through, f = pierces(tail, tip, *corners, 1e-15)
        assert through is expected
        if through:
            assert f == 0.5


def test_codes_sides_and_feet_are_what_they_say_either_way():
    assert triangles.CORNER_A < triangles.CORNER_B < triangles.SIDES
    tip = np.array([(0.2, 0.2, 0.1), (3.0, 0.2, 4.0), (0.2, 3.0, 4.0)])
    flat = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    assert run(tip, flat)[0] == triangles.CORNER_A
    assert run(flat, tip)[0] == triangles.CORNER_B
    through = np.array([(0.2, 0.2, 1.0), (0.2, 0.2, -1.0), (0.3, 0.3, 2.0)])
    first = triangles.PIERCED_B, triangles.PIERCED_A
    assert run(through, flat)[0] - first[0] in range(3)
    assert run(flat, through)[0] - first[1] in range(3)
    rng = np.random.default_rng(8)
    for kind in KINDS:
        p, q = triangles_of(kind, rng)
        _, near = run(p, q)
        _, back = run(q, p)
        assert near[:6] == pytest.approx(np.roll(back[:6], 3), rel=1e-9, abs=1e-30)
    p, q = np.array([0.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0])
    r = np.array([0.5, 1e-9, 0.0])
    frame = frame_of(tuple(p), tuple(q), tuple(r))
    inside, way, _, _ = foot((0.5, 4e-10, 0.25), *frame)
    assert inside
    assert way == pytest.approx((0.0, 0.0, -0.25), abs=1e-16)
    outside, _, _, _ = foot((0.5, 1.1e-9, 0.25), *frame)
    assert not outside


def test_no_segments_that_come_closest_inside_both_are_passed_over():
    """Skew, nearly parallel, short and long, meeting at ends: the quick look agrees."""
    rng = np.random.default_rng(5)
    met = passed = 0
    for k in range(20000):
        p, d, q = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-3.0, 3.0, (3, 1))
        e = d * rng.uniform(-2.0, 2.0) + 10.0 ** rng.uniform(-16.0, 2.0) * rng.normal(
            size=3
        )
        if k % 3:  # a point of one beside a point of the other, often at an end
            s, t = rng.choice([0.0, 1e-15, 0.3, 1.0 - 1e-15, 1.0], 2)
            q = p + s * d - t * e + 10.0 ** rng.uniform(-12.0, 1.0) * np.cross(d, e)
        lines = [tuple(x.tolist()) for x in (p, d, q, e)]
        inside = triangles.cross_inside(*lines)[0]
        beside = miss_each_other(*lines[1::2], tuple((q - p).tolist()))
        assert not (inside and beside)
        met, passed = met + inside, passed + beside
    assert met > 1000
    assert passed > 3000
