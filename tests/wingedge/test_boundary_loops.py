import numpy as np
import pytest

from wingedge.coplanar import crossing

TRIANGLE = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])


@pytest.mark.parametrize(
    ("tail", "tip", "crosses"),
    [
        ((1, 1), (1.5, 1), True),  # inside
        ((-1, 1), (5, 1), True),  # through
        ((-1, 1), (1, 1), True),  # into it
        ((0, 0), (4, 0), False),  # along a side
        ((1, 0), (2, 0), False),
        ((4, 0), (0, 4), False),
        ((-1, -1), (5, -1), False),  # beside
        ((3, 3), (5, 1), False),
        ((0, 0), (-3, -1), False),  # from a corner outward
        ((0, 0), (2, 2), True),  # from a corner inward
    ],
)
def test_a_segment_crosses_the_inside_or_not(tail, tip, crosses):
    for a, b in ((tail, tip), (tip, tail)):
        ends = np.array([a], float), np.array([b], float)
        assert crossing(TRIANGLE, *ends).tolist() == [crosses]
        assert crossing(TRIANGLE[::-1][:, ::-1], *(e[:, ::-1] for e in ends)) == [
            crosses
        ]
