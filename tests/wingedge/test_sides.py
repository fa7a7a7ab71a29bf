import numpy as np

from wingedge.columns import columns
from wingedge.signs import side

A, B, C = (columns(p) for p in [(0.0, 0, 0), (4.0, 0, 0), (0.0, 4, 0)])


def test_the_sign_is_positive_below_and_zero_on_the_plane_or_within_rounding():
    for height, expected in [(1, -1), (-1, 1), (0, 0)]:
        assert side(A, B, C, columns((1.0, 1, height))) == expected
        assert side(A, C, B, columns((1.0, 1, height))) == -expected
    heights = np.array([1e-9, 1e-14, 1e-15, 0, -1e-15, -1e-14, -1e-9])
    points = np.stack([np.ones(7), np.ones(7), heights], axis=1)
    assert side(A, B, C, columns(points)).tolist() == [-1, 0, 0, 0, 0, 0, 1]
    assert side(A, B, A, columns((1.0, 1, 1))) == 0
