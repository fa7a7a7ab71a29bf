import itertools
from math import sqrt

import numpy as np
import pytest

from sim.engine.bound import floats, ints
from sim.kernels.regions.triangles import (
    LIMIT,
    NEAR,
    PAIR,
    Adjacency,
    TrianglePair,
    compare,
)
from sim.kernels.surface.ties import feature, key_of
from sim.kernels.vector import crossing, miss_each_other
from sim.tracking.tree import make_tree
from wingedge import shapes
from wingedge.primitives import point_triangle, segment_segment, segment_triangle

FAR = 1e9


def web(points):
    """Two triangles (0, 1, 2) and (2, 1, 3) that share the side from 1 to 2."""
    count = 1 if len(points) == 3 else 2
    corner, beyond = np.array([[0, 1, 2, 2, 1, 3], [0, 1, 0, 0, 1, 1]], np.int32)
    tree = make_tree(shapes.box())
    tree = tree._replace(placed=floats(np.ascontiguousarray(points, float)))
    return Adjacency(count, ints(corner[: 3 * count]), ints(beyond), tree)


def run(p, q, f=0, g=0):
    near = np.zeros(NEAR)
    near[LIMIT] = FAR
    compared = TrianglePair(floats(near), ints(np.zeros(6, np.int32)))
    compare(web(p), web(q), f, g, compared)
    kinds = tuple(feature(key_of(compared.key, k)) for k in (0, 3))
    return kinds, near


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
    kinds = set()
    for _ in range(25):
        p, q = triangles_of(kind, rng)
        found, near = run(p, q)
        kinds.add(found)
        expected = [from_side(p[k], p[(k + 1) % 3], q) for k in range(3)]
        expected += [from_side(q[k], q[(k + 1) % 3], p) for k in range(3)]
        assert np.sqrt(near[:PAIR]) == pytest.approx(expected, rel=1e-9, abs=1e-14)
        assert near[PAIR] == near[:PAIR].min()
    assert len(kinds) > 2 or kind == "touching"


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


def test_what_comes_closest_is_what_it_is_said_to_be_either_way():
    tip = np.array([(0.2, 0.2, 0.1), (3.0, 0.2, 4.0), (0.2, 3.0, 4.0)])
    flat = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    through = np.array([(0.2, 0.2, 1.0), (0.2, 0.2, -1.0), (0.3, 0.3, 2.0)])
    for one, expected in ((tip, (1, 3)), (through, (2, 3))):
        assert run(one, flat)[0] == expected
        assert run(flat, one)[0] == expected[::-1]
    rng = np.random.default_rng(8)
    for kind in KINDS:
        p, q = triangles_of(kind, rng)
        _, near = run(p, q)
        _, back = run(q, p)
        assert near[:6] == pytest.approx(np.roll(back[:6], 3), rel=1e-9, abs=1e-30)


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
        meet, s, w, _ = crossing(lines[0], lines[2], lines[1], lines[3])
        t = (p + s * d + w - q) @ e
        inside = meet and 0.0 < s < 1.0 and 0.0 < t < e @ e
        beside = miss_each_other(*lines[1::2], tuple((q - p).tolist()))
        assert not (inside and beside)
        met, passed = met + inside, passed + beside
    assert met > 1000
    assert passed > 3000
