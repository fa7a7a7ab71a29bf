import numpy as np

from wingedge.primitives.point_segment import closest
from wingedge.primitives.segment_segment_2d import meet

P = ((0.0, 0.0), (4.0, 0.0))


def test_a_tolerance_is_a_length_and_leaves_crossings_and_overlaps_what_they_are():
    q = ((5000.0, 2.0), (5000.0, 9.0))
    for end in ((1e4, 0), (1e7, 0)):
        just, less = (
            meet((0, 0), end, *q, tolerance=x) for x in (2.0, np.nextafter(2.0, 0))
        )
        assert (just.kind, just.hit, just.distance) == ("touching", True, 2)
        assert (less.kind, less.hit, less.distance) == ("apart", False, 2)
        assert just.point.tolist() == [5000, 0]
    assert meet(*P, (7, 4), (9, 9), tolerance=5.0).kind == "touching"
    assert meet(*P, (1, -1), (1, 3), tolerance=9.0).kind == "crossing"
    assert meet(*P, (1, 0), (9, 0), tolerance=9.0).kind == "overlap"
    assert meet(*P, (1, 1), (9, 1), tolerance=1.0).kind == "touching"


def test_an_end_a_bit_beside_the_line_does_not_touch():
    """Floats find all three on one line: the products round to the same number."""
    tip = (0.5, 0.5)
    off = (0.5, np.nextafter(0.5, 1))
    assert meet((0, 0), (24, 24), tip, (0, 24)).kind == "touching"
    assert meet((0, 0), (24, 24), off, (0, 24)).kind == "apart"
    assert meet((0, 0), (24, 24), off, (24, 0)).kind == "crossing"


def test_an_end_that_only_rounding_puts_on_the_other_is_not_the_common_point():
    """Both start at one point; p ends beside q, at what rounds to distance 0."""
    rng = np.random.default_rng(12)
    start, far = rng.normal(size=(2, 400, 2))
    beside = start + rng.uniform(0.2, 0.8, (400, 1)) * (far - start)
    found = meet(beside, start, start, far)
    rounded = (closest(beside, start, far).distance == 0) & (found.kind == "touching")
    assert rounded.sum() > 20
    assert (found.s[rounded] == 1).all()
    assert (found.t[rounded] == 0).all()
    assert (found.point[rounded] == start[rounded]).all()


def test_a_crossing_of_almost_parallel_segments_is_on_both():
    """The lines are 1e-16 apart in direction; the short one ends where they cross."""
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(2, 4000, 2))
    c, d = (
        a + (b - a) * rng.uniform(size=(4000, 1)) + rng.normal(size=(4000, 2)) * 1e-16
        for _ in range(2)
    )
    found = meet(a, b, c, d)
    crossing = found.kind == "crossing"
    assert crossing.sum() > 100
    for v, w, at in ((a, b, found.s), (c, d, found.t)):
        off = v + at[:, None] * (w - v) - found.point
        assert np.abs(off[crossing]).max() < 1e-15
    assert found.distance[crossing].max() == 0
