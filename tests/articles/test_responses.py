"""sim.response.walk: Yamazaki (2002), "Triangle with Vector", eq. 13, 19-25 and 5.4.

The formulas as printed are kept here; where one is wrong, it fails and ours does not.
"""

import numpy as np
import pytest

from sim import response
from wingedge import shapes
from wingedge.primitives import segment_triangle

N, D = np.array([0.0, 0.0, 1.0]), 0.0  # the plane z = 0, front above
FLOOR = np.array([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]])


def printed_stop(start, t_c, v_d, epsilon):
    n = np.linalg.norm(t_c * v_d)
    return start + (n - epsilon) * (t_c * v_d) / n


def printed_push(v_c, epsilon):
    return epsilon * N + v_c


def printed_slide(v_e, epsilon):
    m_0 = D - N @ v_e
    return v_e + (m_0 + epsilon) * N


def test_eq_13_epsilon_is_a_thousandth():
    assert response.EPSILON == 0.001


def test_eq_19_and_20_stop_short_of_the_plane_by_epsilon():
    start, end = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, -3.0])
    ours = response.stop_short(start, end, 0.5)
    assert ours == pytest.approx(printed_stop(start, 0.5, end - start, 0.001))
    assert ours == pytest.approx([1.0, 2.0, 0.001])


def test_eq_20_as_printed_moves_backwards_within_epsilon_and_ours_stays():
    start, end = np.array([0.0, 0.0, 0.0004]), np.array([0.0, 0.0, -1.0])
    t_c = 0.0004 / 1.0004
    printed = printed_stop(start, t_c, end - start, 0.001)
    assert printed[2] == pytest.approx(0.001)  # up, though it was to go down
    assert response.stop_short(start, end, t_c).tolist() == start.tolist()


def test_eq_20_as_printed_divides_by_zero_at_the_start_and_ours_stays():
    start, end = np.zeros(3), np.array([0.0, 0.0, -1.0])
    with np.errstate(invalid="ignore"):
        assert np.isnan(printed_stop(start, 0.0, end - start, 0.001)).all()
    assert response.stop_short(start, end, 0.0).tolist() == [0.0, 0.0, 0.0]


def test_eq_20_as_printed_keeps_less_than_epsilon_at_a_flat_angle_and_a_move_all():
    start, end = np.array([-5.0, 0.0, 0.05]), np.array([5.0, 0.0, -0.05])
    printed = printed_stop(start, 0.5, end - start, 0.001)
    assert printed[2] < 0.00002
    ours = response.move_point(start, end, FLOOR, response="stop", epsilon=0.001)
    assert ours.end[2] == pytest.approx(0.001, abs=1e-13)


def test_eq_21_lifts_the_point_met_off_the_plane():
    v_c = np.array([1.0, 2.0, 0.0])
    ours = response.push_off(v_c, N, side=1)
    assert ours.tolist() == printed_push(v_c, 0.001).tolist()
    out = response.move_point(
        (0, 0, 2), (2, 1, -2), FLOOR, response="push", epsilon=0.001
    )
    assert out.end == pytest.approx([1.0, 0.5, 0.001], abs=1e-12)


def test_eq_21_as_printed_puts_what_comes_from_behind_through_and_ours_does_not():
    start, end = np.array([0.0, 0.0, -2.0]), np.array([0.0, 0.0, 2.0])
    met = segment_triangle.hit(start, end, *FLOOR)
    assert printed_push(met.point, 0.001)[2] > 0  # it came from below
    assert response.push_off(met.point, N, met.side)[2] == -0.001
    out = response.move_point(start, end, FLOOR, response="push", epsilon=0.001)
    assert out.end[2] == pytest.approx(-0.001, abs=1e-12)


def test_figure_2_and_eq_22_to_25_shift_the_end_to_just_above_the_plane():
    start, end = np.array([0.0, 0.0, 1.0]), np.array([3.0, 1.0, -2.0])
    printed = printed_slide(end, 0.001)
    assert printed == pytest.approx([3.0, 1.0, 0.001], abs=1e-15)
    assert response.slide(end, N, D).tolist() == printed.tolist()
    out = response.move_point(start, end, FLOOR, epsilon=0.001)
    assert out.response == "slide"
    assert out.end == pytest.approx(printed, abs=1e-12)
    assert out.left == pytest.approx([0, 0, -2.001], abs=1e-12)  # minus m N of eq. 23


def test_eq_24_the_foot_of_the_end_lies_on_the_plane():
    rng = np.random.default_rng(2)
    normal = rng.normal(size=3)
    feet = response.slide(rng.normal(size=(50, 3)) - 9 * normal, normal, 0.3, 0.0)
    assert feet @ normal == pytest.approx(np.full(50, 0.3), abs=1e-13)


def test_eq_25_as_printed_puts_what_comes_from_behind_through_and_ours_does_not():
    start, end = np.array([0.0, 0.0, -1.0]), np.array([3.0, 1.0, 2.0])
    assert printed_slide(end, 0.001)[2] > 0
    ours = response.slide(end, N, D, side=-1)
    assert ours == pytest.approx([3.0, 1.0, -0.001], abs=1e-15)
    out = response.move_point(start, end, FLOOR, epsilon=0.001)
    assert out.end == pytest.approx([3.0, 1.0, -0.001], abs=1e-12)


def test_section_5_1_what_stops_on_the_plane_passes_it_at_the_next_step():
    """Unless case B, an end on the plane, counts as a hit; or it stops short of it."""
    start, step = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -2.0])
    first = segment_triangle.hit(start, start + step, *FLOOR)
    assert first.case == "C"
    second = segment_triangle.hit(first.point, first.point + step, *FLOOR)
    assert second.case == "B"
    strict = (first.point @ N - D) * ((first.point + step) @ N - D) < 0
    assert not strict  # case C alone: the point goes on, and is through
    assert second.hit  # case B as well: it does not
    here = start
    for _ in range(100):
        out = response.move_point(here, here + step, FLOOR)
        here = out.end
        assert here[2] > 0
    here = first.point  # on the plane, from another program: in front of it
    assert response.move_point(here, here + step, FLOOR).end[2] > 0


def test_section_5_4_3_one_correction_ends_inside_the_next_wall_and_the_loop_does_not():
    """The end is shifted off the floor, and lies behind the wall then."""
    wall = np.array([[2.0, -9.0, -9.0], [2.0, 9.0, -9.0], [2.0, 0.0, 9.0]])
    start, end = (0.0, 0.0, 1.0), (4.0, 1.0, -1.0)
    assert response.slide(end, N, D)[0] > 2
    out = response.move_point(start, end, [FLOOR[None], wall[None]], epsilon=0.001)
    assert out.response == "slide"
    assert out.end == pytest.approx([1.999, 1.0, 0.001], abs=1e-12)
    assert [contact.triangle for contact in out.contacts] in ([0, 1], [1, 0])


def test_section_5_4_3_the_loop_ends_where_walls_would_turn_it_for_ever():
    """After so many turns it escapes, and falls back to stopping where it is."""
    bowl = shapes.icosphere(3, 4.0)
    out = response.move_sphere((0, 0, 0), (900, 500, 300), 0.5, bowl, iterations=10)
    assert (out.response, out.iterations) == ("escape", 10)
    assert np.linalg.norm(out.end) < 3.5
    assert np.linalg.norm(out.left) > 0


def test_section_6_a_point_comes_to_the_wall_and_a_sphere_keeps_its_distance():
    start, end = (0.0, 0.0, 2.0), (1.0, 0.0, -2.0)
    point = response.move_point(start, end, FLOOR)
    sphere = response.move_sphere(start, end, 0.5, FLOOR)
    assert 0 < point.end[2] < 1e-4
    assert sphere.end[2] > 0.5
