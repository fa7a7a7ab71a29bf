import numpy as np  # of wingedge.primitives.segment_sphere

from wingedge.primitives.segment_sphere import hit

ORIGIN = (0.0, 0, 0)


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
