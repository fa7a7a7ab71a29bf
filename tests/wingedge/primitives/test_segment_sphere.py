import numpy as np
import pytest

from wingedge.primitives import line_sphere
from wingedge.primitives.segment_sphere import hit

ORIGIN = (0.0, 0, 0)
# start, end, the ball is met, parameters of the surface
SEGMENTS = {
    "through": ((-5, 0, 0), (5, 0, 0), True, [0.4, 0.6]),
    "into": ((-3, 0, 0), (0, 0, 0), True, [2 / 3]),
    "out of": ((0, 0, 0), (4, 0, 0), True, [0.25]),
    "wholly inside": ((-0.5, 0, 0), (0.5, 0.1, 0), True, []),
    "wholly outside": ((-5, 2, 0), (5, 2, 0), False, []),
    "short of it": ((-5, 0, 0), (-2, 0, 0), False, []),
    "beyond it": ((2, 0, 0), (9, 0, 0), False, []),
    "tangent": ((-5, 1, 0), (5, 1, 0), True, [0.5]),
    "tangent at its end": ((-5, 1, 0), (0, 1, 0), True, [1]),
    "tangent at its start": ((0, 1, 0), (5, 1, 0), True, [0]),
    "tangent line, beyond": ((1, 1, 0), (5, 1, 0), False, []),
    "ends on it": ((-5, 0, 0), (-1, 0, 0), True, [1]),
    "ends on it, through": ((-5, 0, 0), (1, 0, 0), True, [2 / 3, 1]),
    "ends on it from inside": ((0, 0, 0), (0, 0, 1), True, [1]),
    "starts on it, leaves": ((1, 0, 0), (5, 0, 0), True, [0]),
    "starts on it, inwards": ((-1, 0, 0), (0, 0, 0), True, [0]),
    "starts on it, through": ((-1, 0, 0), (5, 0, 0), True, [0, 1 / 3]),
    "a chord": ((0, -1, 0), (0, 1, 0), True, [0, 1]),
    "a point outside": ((0, 2, 0), (0, 2, 0), False, []),
    "a point on it": ((0, 1, 0), (0, 1, 0), True, [0]),
    "a point inside": ((0, 0, 0), (0, 0, 0), True, []),
}


@pytest.mark.parametrize("name", SEGMENTS)
def test_the_ball_and_its_surface_are_told_apart(name):
    start, end, ball, t = SEGMENTS[name]
    answer = hit(start, end, ORIGIN, 1)
    assert (answer.hit, answer.surface, answer.n_points) == (ball, bool(t), len(t))
    assert answer.t[: len(t)] == pytest.approx(t, abs=1e-15)
    assert all((x in answer.t) == (x in t) for x in (0, 1))
    walked = np.outer(1 - np.array(t), start) + np.outer(t, end)
    assert answer.point[: len(t)] == pytest.approx(walked, abs=1e-15)
    assert answer.normal[: len(t)] == pytest.approx(walked, abs=1e-15)
    assert np.isnan(answer.t[len(t) :]).all()
    assert np.isnan(answer.point[len(t) :]).all()


@pytest.mark.parametrize("name", SEGMENTS)
def test_the_other_way_round_the_points_are_the_same_in_reverse(name):
    start, end, ball, t = SEGMENTS[name]
    answer = hit(end, start, ORIGIN, 1)
    assert (answer.hit, answer.n_points) == (ball, len(t))
    if start != end:
        turned = [1 - x for x in reversed(t)]
        assert answer.t[: len(t)] == pytest.approx(turned, abs=1e-15)


def test_one_ulp_decides_at_the_end_and_beside():
    almost = np.nextafter(-1.0, -2)
    assert not hit((-5, 0, 0), (almost, 0, 0), ORIGIN, 1).hit
    assert hit((-5, 0, 0), (-1, 0, 0), ORIGIN, 1).t[0] == 1
    assert hit((-0.5, 0, 0), (np.nextafter(1, 0), 0, 0), ORIGIN, 1).n_points == 0
    assert not hit((-5, 1, 0), (5, 1, 0), ORIGIN, np.nextafter(1, 0)).hit


def test_ends_in_floats_decide_where_their_difference_is_rounded():
    """(3 + 1e17, 0) - (1e17, 0) is 0 in floats for ends 1e17 apart from the other."""
    start, end = (-1e17, 1.0, 0), (3.0, 1.0, 0)
    assert np.subtract(end, start)[0] == 1e17
    assert hit(start, end, (3, 0, 0), 1).t[0] == 1
    assert hit(start, end, (3, 0, 0), 1).n_points == 1
    assert not hit(start, end, (np.nextafter(3, 4), 0, 0), 1).hit


def test_a_sphere_of_no_radius_is_its_centre():
    answer = hit((-1, 0, 0), (3, 0, 0), ORIGIN, 0)
    assert (answer.hit, answer.t[0], answer.n_points) == (True, 0.25, 1)
    assert answer.normal[0].tolist() == [-1, 0, 0]
    assert hit(ORIGIN, ORIGIN, ORIGIN, 0).n_points == 1
    assert not hit((-1, 1e-300, 0), (3, 1e-300, 0), ORIGIN, 0).hit


def test_a_segment_has_the_roots_of_its_line_between_0_and_1():
    rng = np.random.default_rng(4)
    s, v, c = rng.normal(size=(3, 3000, 3)) * 1024 // 1
    answer, line = hit(s, s + v, c, 900), line_sphere.hit(s, v, c, 900)
    kept = np.where((line.t >= 0) & (line.t <= 1), line.t, np.nan)
    kept = np.sort(kept, axis=1)
    assert {0, 1, 2} == set(answer.n_points)
    assert answer.t == pytest.approx(kept, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e150, 1e300])
def test_spheres_of_every_size_are_met_alike(size):
    answer = hit((-5 * size, 0, 0), (5 * size, 0, 0), ORIGIN, size)
    assert answer.t == pytest.approx([0.4, 0.6], abs=1e-15)
    assert hit((-5 * size, size, 0), (5 * size, size, 0), ORIGIN, size).n_points == 1


def test_one_query_and_many_have_the_same_bits():
    s, e, c = np.random.default_rng(2).normal(size=(3, 40, 3))
    many = hit(s, e, c, 1)
    for k in range(40):
        for one, all_ in zip(hit(s[k], e[k], c[k], 1), many, strict=True):
            assert one.shape == all_.shape[1:]
            np.testing.assert_array_equal(one, all_[k])


def test_shapes_broadcast_and_arguments_are_checked_by_name():
    s = np.array([[-5.0, 0, 0], [-5, 9, 0]])
    answer = hit(s[:, None], (5, 0, 0), ORIGIN, [1, 2, 9.5])
    assert answer.hit.shape == (2, 3)
    assert answer.point.shape == answer.normal.shape == (2, 3, 2, 3)
    assert hit(np.zeros((0, 3)), ORIGIN, ORIGIN, 1).t.shape == (0, 2)
    with pytest.raises(ValueError, match=r"end\[2\] is nan"):
        hit(ORIGIN, (0, 0, np.nan), ORIGIN, 1)
    with pytest.raises(ValueError, match=r"radius is -1.0"):
        hit(ORIGIN, ORIGIN, ORIGIN, -1)
