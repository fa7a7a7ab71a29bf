from fractions import Fraction

from wingedge.exact.signs import area, normal, volume


def test_left_of_a_line_the_area_is_positive():
    assert area(0, 0, 2, 0, 1, 3) == 6
    assert area(0, 0, 2, 0, 1, -3) == -6
    assert area(0, 0, 2, 0, 5, 0) == 0


def test_a_normal_points_to_where_corners_run_counter_clockwise():
    assert normal(1, 1, 1, 3, 1, 1, 1, 4, 1) == (0, 0, 6)


def test_above_a_triangle_the_volume_is_positive():
    assert volume(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 2) == 2
    assert volume(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, -2) == -2


def test_rational_numbers_stay_rational():
    third = Fraction(1, 3)
    assert volume(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, third) == third
