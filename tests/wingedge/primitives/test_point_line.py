import numpy as np

from wingedge.primitives.point_line import side


def test_the_side_of_a_line_is_right_where_floats_are_wrong_or_end():
    for p, expected in [((1, 0), 1), ((-1, 0), -1), ((0, 5), 0), ((0, 0), 0)]:
        assert side(p, (0, 0), (0, 2)) == expected
        assert side(p, (0, 2), (0, 0)) == -expected
    # Half a bit off the line through (12, 12) and (24, 24) rounds to 0.
    p = [(0.5, np.nextafter(0.5, 1)), (0.5, 0.5), (0.5, np.nextafter(0.5, 0))]
    assert side(p, (12, 12), (24, 24)).tolist() == [-1, 0, 1]
    (x, y), a, b = p[0], 12.0, 24.0
    assert (x - a) * (b - a) - (y - a) * (b - a) == 0
    assert side([(1, 2), (0, 0), (-3, 1)], (0, 0), (0, 0)).tolist() == [0, 0, 0]
    for scale in [5e-324, 1e-200, 1e200, 1e308]:
        assert side((scale, 0), (0, 0), (0, scale)) == 1
        assert side((scale, scale), (0, 0), (-scale, -scale)) == 0
