"""wingedge.primitives.segment_sphere: Elekibear (2021), sphere and segment; ours.

The functions below are the article's, as written, with numpy's floats: they divide by
zero as JavaScript does. ``line_v`` is the vector from the start to the end.
"""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from wingedge.primitives import line_sphere, segment_sphere

ORIGIN = (0.0, 0.0, 0.0)


def steps(ball_p, ball_r, line_p, line_v):
    """The lines that both functions share: a, b, c and d."""
    r = np.float64(ball_r)
    xa, ya, za = np.subtract(line_p, ball_p, dtype=float)
    vx, vy, vz = np.array(line_v, dtype=float)
    a = vx * vx + vy * vy + vz * vz
    b = 2.0 * (vx * xa + vy * ya + vz * za)
    c = xa * xa + ya * ya + za * za - r * r
    d = b * b - 4.0 * a * c
    return a, b, c, d


def both(a, b, d):
    """The two values of t."""
    d = np.sqrt(d)
    with np.errstate(all="ignore"):
        return (-b + d) / (2.0 * a), (-b - d) / (2.0 * a)


def check_ball_col_line(ball_p, ball_r, line_p, line_v):
    a, b, _, d = steps(ball_p, ball_r, line_p, line_v)
    if d < 0:
        return False
    t1, t2 = both(a, b, d)
    t = 2.0
    if 0.0 <= t1 <= 1.0 and t1 < t:
        t = t1
    if 0.0 <= t2 <= 1.0 and t2 < t:
        t = t2
    return not t > 1.0


def check_ball_col_straight_line(ball_p, ball_r, line_p, line_v):
    *_, d = steps(ball_p, ball_r, line_p, line_v)
    return d >= 0


def ours(ball_p, ball_r, line_p, line_v):
    return segment_sphere.hit(line_p, np.add(line_p, line_v), ball_p, ball_r)


def ours_straight(ball_p, ball_r, line_p, line_v):
    return line_sphere.hit(line_p, line_v, ball_p, ball_r)


@pytest.fixture(scope="module")
def general():
    rng = np.random.default_rng(0)
    ball, start, way = rng.normal(size=(3, 500, 3))
    return ball, np.abs(rng.normal(size=500)), start, way


def test_both_functions_as_written_agree_with_ours_step_by_step(general):
    segment, line = ours(*general), ours_straight(*general)
    for k, one in enumerate(zip(*general, strict=True)):
        a, b, _, d = steps(*one)
        assert segment.surface[k] == check_ball_col_line(*one)
        assert line.hit[k] == check_ball_col_straight_line(*one)
        if d > 0:
            times = both(a, b, d)
            assert line.t[k] == pytest.approx(times[::-1], abs=1e-9)
            if segment.surface[k]:
                nearest = min(t for t in times if 0 <= t <= 1)
                assert segment.t[k, 0] == pytest.approx(nearest, abs=1e-9)
    assert 0.05 < segment.surface.mean() < line.hit.mean() < 0.9


def test_steps_b_c_and_d_tell_where_the_start_is_and_how_many_points_there_are():
    across = ORIGIN, 1, (0, 0.5, 0), (3, 0, 4)
    assert steps(*across)[1] == 0  # the start is nearest to the centre
    answer = ours_straight(*across)
    assert answer.t[0] == pytest.approx(-answer.t[1], rel=1e-15)
    for x, sign in ((0.5, -1), (1.0, 0), (2.0, 1)):
        assert np.sign(steps(ORIGIN, 1, (x, 0, 0), (1, 0, 0))[2]) == sign
        answer = ours(ORIGIN, 1, (x, 0, 0), (0, 0, 0))
        assert (answer.hit, answer.surface) == (sign <= 0, sign == 0)
    for height, n_points in ((0.5, 2), (1.0, 1), (1.5, 0)):
        line = ORIGIN, 1, (-5, height, 0), (1, 0, 0)
        assert np.sign(steps(*line)[3]) == n_points - 1
        assert ours_straight(*line).n_points == n_points


def test_a_segment_wholly_inside_as_written_is_no_collision():
    """Ours tells the ball, which is met, from its surface, which is not."""
    inside = (ORIGIN, 1, (-0.5, 0, 0), (1, 0, 0))
    assert not check_ball_col_line(*inside)
    answer = ours(*inside)
    assert (answer.hit, answer.surface) == (True, False)


@pytest.mark.parametrize(
    ("x", "ball", "surface"),
    [(0.5, True, False), (1.0, True, True), (2.0, False, False)],
)
def test_a_way_of_no_length_as_written_divides_by_zero(x, ball, surface):
    still = (ORIGIN, 1, (x, 0, 0), (0, 0, 0))
    a, b, _, d = steps(*still)
    assert a == 0
    assert not np.isfinite(both(a, b, d)).any()
    assert not check_ball_col_line(*still)
    assert check_ball_col_straight_line(*still)
    answer, line = ours(*still), ours_straight(*still)
    assert (answer.hit, answer.surface) == (ball, surface)
    assert (line.hit, line.n_points) == (ball, surface)


def test_a_tangent_as_commented_is_no_collision_and_as_coded_is_one():
    """The comment beside d < 0 reads "0 or less"; ours counts it, as one point."""
    tangent = (ORIGIN, 1, (-5, 1, 0), (10, 0, 0))
    *_, d = steps(*tangent)
    assert d == 0
    assert check_ball_col_line(*tangent)
    answer = ours(*tangent)
    assert (answer.hit, answer.n_points, answer.t[0]) == (True, 1, 0.5)
    assert answer.point[0].tolist() == answer.normal[0].tolist() == [0, 1, 0]


@pytest.mark.parametrize("radius", [np.nextafter(5, 0), 5.0, np.nextafter(5, 9)])
def test_a_far_start_as_written_cannot_tell_a_tangent_from_a_miss(radius):
    """From 2^40 away d is 0 for a radius one step below, at and above the tangent."""
    far = (ORIGIN, radius, (-(2.0**40), 3, 4), (1, 0, 0))
    *_, d = steps(*far)
    assert d == 0
    assert ours_straight(*far).n_points == 1 + np.sign(radius - 5)


def test_the_nearer_root_as_written_loses_its_digits():
    """Just outside the ball -b - sqrt(d) is a difference of nearly equal numbers."""
    ball, r, start, way = ORIGIN, 0.1, (-0.1 - 1e-12, 0.0, 0.0), (0.3, 0.1, 0.0)
    a, b, _, d = steps(ball, r, start, way)
    with localcontext() as context:
        context.prec = 60
        x, vx, vy = Decimal(start[0]), Decimal(way[0]), Decimal(way[1])
        half, square = x * vx, vx * vx + vy * vy
        rest = half * half - square * (x * x - Decimal(r) ** 2)
        truth = float((-half - rest.sqrt()) / square)
    assert abs(both(a, b, d)[1] / truth - 1) > 1e-6
    answer = line_sphere.hit(start, way, ball, r)
    assert abs(answer.t[0] / truth - 1) < 1e-10


def test_the_functions_answer_yes_or_no_and_ours_where_and_which_way():
    answer = ours(ORIGIN, 5, (3, 4, 0), (-6, -8, 0))
    assert answer.t.tolist() == [0, 1]
    assert answer.point.tolist() == [[3, 4, 0], [-3, -4, 0]]
    answer = ours(ORIGIN, 1, (-3, 0, 0), (4, 0, 0))
    assert answer.t.tolist() == [0.5, 1]
    assert answer.point.tolist() == [[-1, 0, 0], [1, 0, 0]]
    assert answer.normal.tolist() == [[-1, 0, 0], [1, 0, 0]]
