"""wingedge.primitives.segment_segment_2d: Marupeke, no. 10, as printed, and ours.

The article gives a segment as a start S and a vector v; v without a number is S2 - S1.
"""

import numpy as np
import pytest

from wingedge.primitives.segment_segment_2d import meet

EPS = 0.00001


def cross(v1, v2):
    """The article's D3DXVec2Cross."""
    return v1[..., 0] * v2[..., 1] - v1[..., 1] * v2[..., 0]


def col_segments(s1, v1, s2, v2):
    """The article's ColSegments, as written: hit, t1, t2, position."""
    s1, v1, s2, v2 = (np.array(x, dtype=float) for x in (s1, v1, s2, v2))
    v = s2 - s1
    crs_v1_v2 = cross(v1, v2)
    if crs_v1_v2 == 0.0:
        return False, None, None, None
    t1 = cross(v, v2) / crs_v1_v2
    t2 = cross(v, v1) / crs_v1_v2
    if t1 + EPS < 0 or t1 - EPS > 1 or t2 + EPS < 0 or t2 - EPS > 1:
        return False, t1, t2, None
    return True, t1, t2, s1 + v1 * t1


def ours(s1, v1, s2, v2, **keywords):
    s1, v1, s2, v2 = (np.array(x, dtype=float) for x in (s1, v1, s2, v2))
    return meet(s1, s1 + v1, s2, s2 + v2, **keywords)


@pytest.fixture(scope="module")
def general():
    return np.random.default_rng(1).normal(size=(4, 1500, 2))


def test_struct_segment_is_a_start_and_a_vector_that_is_as_long_as_it():
    found = ours((1, 2), (4, 0), (3, 0), (0, 8))
    assert (found.s, found.t) == (0.5, 0.25)
    assert found.point.tolist() == [3, 2]


def test_equations_of_t1_t2_and_the_point_and_the_condition_of_a_hit(general):
    s1, v1, s2, v2 = general
    found, v = ours(*general), s2 - s1
    t1, t2 = cross(v, v2) / cross(v1, v2), cross(v, v1) / cross(v1, v2)
    inside = (t1 >= 0) & (t1 <= 1) & (t2 >= 0) & (t2 <= 1)
    assert (found.hit == inside).all()
    crossing = found.kind == "crossing"
    assert crossing.sum() > 50
    for start, step, t, truth in ((s1, v1, found.s, t1), (s2, v2, found.t, t2)):
        assert t[crossing] == pytest.approx(truth[crossing], abs=1e-12)
        point = (start + t[:, None] * step)[crossing]
        assert found.point[crossing] == pytest.approx(point, abs=1e-14)


def test_function_colsegments_and_its_three_outputs(general):
    for row in general.transpose(1, 0, 2)[:300]:
        hit, t1, t2, position = col_segments(*row)
        found = ours(*row)
        assert found.hit == hit
        if hit:
            assert (found.s, found.t) == pytest.approx((t1, t2), abs=1e-12)
            assert found.point == pytest.approx(position, abs=1e-12)


def test_case_of_parallel_lines_is_no_hit():
    beside = ((0, 0), (4, 2), (0, 1), (2, 1))
    assert col_segments(*beside)[0] is False
    assert (ours(*beside).hit, ours(*beside).kind) == (False, "apart")


@pytest.mark.parametrize("way", [1, -1], ids=["one way", "opposite ways"])
def test_defect_collinear_segments_that_overlap_are_missed(way):
    on_line = ((0, 0), (4, 2), (2 if way > 0 else 6, 1 if way > 0 else 3))
    v2 = (4 * way, 2 * way)
    assert col_segments(*on_line, v2)[0] is False
    found = ours(*on_line, v2)
    assert (found.hit, found.kind) == (True, "overlap")
    assert found.s_range.tolist() == [0.5, 1]
    assert found.t_range.tolist() == ([0, 0.5] if way > 0 else [1, 0.5])
    assert found.ends.tolist() == [[2, 1], [4, 2]]


def test_defect_eps_0_00001_is_a_part_of_the_segment_and_no_length():
    """5 m beside a segment of 1000 km hits, 0.1 mm beside one of 1 m does not."""
    far = ((0, 0), (1e6, 0), (1e6 + 5, -1), (0, 2))
    near = ((0, 0), (1, 0), (1.0001, -1), (0, 2))
    assert col_segments(*far)[0] is True
    assert col_segments(*near)[0] is False
    assert not ours(*far).hit
    assert not ours(*far, tolerance=0.01).hit
    assert ours(*near, tolerance=0.01).hit
    assert ours(*far).distance == 5


def test_defect_a_segment_of_no_length_never_hits():
    for s2, kind in [((2, 1), "touching"), ((0, 0), "touching"), ((2, 2), "apart")]:
        query = ((0, 0), (4, 2), s2, (0, 0))
        assert col_segments(*query)[0] is False
        assert ours(*query).kind == kind
        same = ((1, 1), (0, 0), (1, 1), (0, 0))
        assert col_segments(*same)[0] is False
        assert ours(*same).hit


def test_defect_the_cross_product_rounds_to_0_where_segments_cross():
    """The lines part by 4 in 2^60; the segments cross half-way."""
    a = 2.0**30
    query = ((0, 0), (a + 1, a + 3), (1, 1), (a - 1, a + 1))
    assert col_segments(*query)[0] is False
    found = ours(*query)
    assert (found.hit, found.kind) == (True, "crossing")
