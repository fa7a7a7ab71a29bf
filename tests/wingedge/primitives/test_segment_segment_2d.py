import numpy as np
import pytest

from wingedge.primitives.point_segment import closest
from wingedge.primitives.segment_segment_2d import meet

P = ((0.0, 0.0), (4.0, 0.0))
PLACES = {  # q, kind, s, t, point
    "across": (((1, -1), (1, 3)), "crossing", 0.25, 0.25, (1, 0)),
    "across, other way": (((1, 3), (1, -1)), "crossing", 0.25, 0.75, (1, 0)),
    "an end on p": (((2, 0), (2, 5)), "touching", 0.5, 0.0, (2, 0)),
    "p's end on it": (((4, -1), (4, 3)), "touching", 1.0, 0.25, (4, 0)),
    "end at end": (((-3, 3), (0, 0)), "touching", 0.0, 1.0, (0, 0)),
    "end at end on one line": (((4, 0), (6, 0)), "touching", 1.0, 0.0, (4, 0)),
    "one line, apart": (((5, 0), (7, 0)), "apart", 1.0, 0.0, (4, 0)),
    "parallel": (((-1, 2), (9, 2)), "apart", 0.0, 0.1, (0, 0)),
    "past the end": (((7, 4), (7, -4)), "apart", 1.0, 0.5, (4, 0)),
    "an end above": (((3, 1), (3, 9)), "apart", 0.75, 0.0, (3, 0)),
    "a point on p": (((1, 0), (1, 0)), "touching", 0.25, 0.0, (1, 0)),
    "a point above p": (((1, 2), (1, 2)), "apart", 0.25, 0.0, (1, 0)),
    "a point on p's line": (((9, 0), (9, 0)), "apart", 1.0, 0.0, (4, 0)),
}


@pytest.mark.parametrize("place", PLACES)
def test_how_and_where_two_segments_meet(place):
    q, kind, s, t, point = PLACES[place]
    found = meet(*P, *q)
    assert (found.kind, found.hit) == (kind, kind != "apart")
    assert (found.s, found.t) == (s, t)
    assert found.point.tolist() == list(point)
    other = np.add(q[0], np.multiply(t, np.subtract(*q[::-1])))
    assert found.distance == np.hypot(*np.subtract(point, other))
    assert found.s_range.tolist() == [s, s]
    assert found.t_range.tolist() == [t, t]
    assert found.ends.tolist() == [list(point)] * 2


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
