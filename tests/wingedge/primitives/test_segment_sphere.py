import numpy as np
import pytest

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


def test_one_ulp_decides_at_the_end_and_beside_and_so_do_the_ends_themselves():
    almost = np.nextafter(-1.0, -2)
    assert not hit((-5, 0, 0), (almost, 0, 0), ORIGIN, 1).hit
    assert hit((-5, 0, 0), (-1, 0, 0), ORIGIN, 1).t[0] == 1
    assert hit((-0.5, 0, 0), (np.nextafter(1, 0), 0, 0), ORIGIN, 1).n_points == 0
    assert not hit((-5, 1, 0), (5, 1, 0), ORIGIN, np.nextafter(1, 0)).hit
    # (3 + 1e17, 0) - (1e17, 0) is 0 in floats for ends 1e17 apart from the other.
    start, end = (-1e17, 1.0, 0), (3.0, 1.0, 0)
    assert np.subtract(end, start)[0] == 1e17
    assert hit(start, end, (3, 0, 0), 1).t[0] == 1
    assert hit(start, end, (3, 0, 0), 1).n_points == 1
    assert not hit(start, end, (np.nextafter(3, 4), 0, 0), 1).hit
