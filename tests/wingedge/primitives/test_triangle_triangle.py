import numpy as np
import pytest

from wingedge.primitives.triangle_triangle import closest, meet

A = (0, 0, 0), (4, 0, 0), (0, 4, 0)


def test_one_bit_or_a_billionth_of_an_angle_decides():
    up = np.nextafter(0.0, 1.0)
    for z, hit in ((0.0, True), (up, False), (-up, True)):
        assert meet(*A, (1, 1, z), (1, 1, 1), (2, 1, 1)).hit == hit
    assert meet(*A, (1, 1, up), (1, 1, 1), (2, 1, 1)).kind == "apart"
    assert closest(*A, (1, 1, up), (1, 1, 1), (2, 1, 1)).distance > 0
    b = (1, 1, -1e-9), (1, 3, 1e-9), (3, 1, -1e-9)
    found = meet((-9, -9, 0), (27, -9, 0), (-9, 27, 0), *b)
    ends = np.sort([found.start, found.end], axis=0)
    assert ends == pytest.approx(np.array([(1, 2, 0), (2, 2, 0)]), abs=1e-13)
    near = closest(*A, (1, 1, -1), (1, 1, 1), (5, 5, 1))
    assert near.point_a.tolist() == near.point_b.tolist() == [1.5, 1.5, 0]
