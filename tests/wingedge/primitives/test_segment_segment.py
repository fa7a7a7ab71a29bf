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
