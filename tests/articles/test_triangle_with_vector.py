"""wingedge.primitives.segment_plane: Yamazaki (2002), "Triangle with Vector", 1-18.

The functions below are the article's formulas as written; eq. 19-25, what to do after a
hit, are in ``test_responses.py``.
"""

import numpy as np
import pytest

from wingedge.primitives.segment_plane import hit as hit_plane
from wingedge.primitives.segment_plane import plane
from wingedge.primitives.segment_triangle import hit

EPSILON = 0.001


def equation_3(v0, v1, v2):
    return v1 - v0, v2 - v1, v0 - v2


def equation_8(v0, v1, v2):
    e0, e1, _ = equation_3(v0, v1, v2)
    across = np.cross(e0, e1)
    return across / np.sqrt(across @ across)


def equation_9(v0, v1, v2):
    return equation_8(v0, v1, v2) @ v0


def equation_10(start, corners):
    """Also eq. 11, of the end. The article calls c of eq. 9 d from here on."""
    return equation_8(*corners) @ start - equation_9(*corners)


def equation_12(start, end, corners):
    product = equation_10(start, corners) * equation_10(end, corners)
    return "A" if product > 0 else "B" if product == 0 else "C"


def equation_16(start, end, corners):
    n = equation_8(*corners)
    return (equation_9(*corners) - n @ start) / (n @ (end - start))


def equation_17(point, corners):
    n = equation_8(*corners)
    return [
        n @ np.cross(corners[(k + 1) % 3] - corners[k], point - corners[k])
        for k in range(3)
    ]


def equation_18(point, corners):
    s0, s1, s2 = equation_17(point, corners)
    return not (s0 * s1 < 0 or s0 * s2 < 0)


@pytest.fixture(scope="module")
def general():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 400, 3))
    x[1] = 2 * (x[2] + x[3] + x[4]) / 3 - x[0] + rng.normal(size=(400, 3)) * 0.3
    return x


@pytest.fixture
def corners():
    return np.array([(0.0, 0, 0), (4.0, 0, 0), (0.0, 4, 0)])


def test_equations_1_to_18_as_written_are_what_plane_and_hit_answer(general):
    answer, (normal, offset) = hit(*general), plane(*general[2:])
    reached = hit_plane(*general[:2], normal, offset)
    assert answer.hit.sum() > 100
    for k, (start, end, *corners) in enumerate(general.swapaxes(0, 1)):
        assert normal[k] == pytest.approx(equation_8(*corners), abs=1e-12)
        assert offset[k] == pytest.approx(equation_9(*corners), abs=1e-12)
        assert np.abs(corners @ normal[k] - offset[k]).max() < 1e-13  # eq. 4
        heights = [equation_10(x, corners) for x in (start, end)]
        ours = [reached.start_height[k], reached.end_height[k]]
        assert ours == pytest.approx(heights, abs=1e-11)
        assert answer.case[k] == equation_12(start, end, corners)
        if reached.hit[k]:
            assert answer.hit[k] == equation_18(reached.point[k], corners)
        if not answer.hit[k]:
            continue
        t, point = answer.t[k], answer.point[k]
        assert t == pytest.approx(equation_16(start, end, corners), abs=1e-11)
        assert point == pytest.approx(t * (end - start) + start, abs=1e-13)  # eq. 1
        assert abs(normal[k] @ point - offset[k]) < 1e-13  # eq. 15
        products = np.array(equation_17(point, corners))
        shares = products / products.sum()
        assert answer.weights[k, [2, 0, 1]] == pytest.approx(shares, abs=1e-9)


def test_equations_1_to_17_and_figure_1_of_one_triangle(corners):
    answer = hit((0.1, 0.3, 0.7), (0.3, 0.1, 0.0), *corners)
    assert (answer.t, answer.point.tolist()) == (1, [0.3, 0.1, 0])  # eq. 1, to the bit
    edges = equation_3(*corners)
    assert np.sum(edges, axis=0).tolist() == [0, 0, 0]
    for k in range(3):
        x, y, _ = corners[k] + edges[k] / 4
        weights = hit((x, y, 1), (x, y, -1), *corners).weights
        assert np.roll(weights, -k).tolist() == [0.75, 0.25, 0]
    for side, height in ((0, 0.0), (1, 0.25), (-1, -0.25)):  # eq. 5, 6, 7
        point = np.array([1, 1, height])
        assert np.sign(equation_10(point, corners)) == side
        assert hit(point, (1, 1, 9), *corners).side == side
        assert hit_plane(point, (1, 1, 9), *plane(*corners)).start_height == height
    answer = hit_plane((1, 1, 3), (5, 9, -1), *plane(*corners))  # eq. 14
    assert (answer.t, answer.point.tolist()) == (0.75, [4, 7, 0])
    assert (np.array(equation_17(np.array([1.0, 1, 0]), corners)) > 0).all()
    for outside in ((-1.0, 1, 0), (1.0, -1, 0), (3.0, 3, 0)):
        products = equation_17(np.array(outside), corners)
        assert min(products) < 0 < max(products)
        assert not hit((*outside[:2], 1), (*outside[:2], -1), *corners).hit


def test_equation_8_as_written_divides_by_zero_where_there_is_no_area(corners):
    flat = corners[[0, 1, 1]]
    with np.errstate(invalid="ignore"):
        assert np.isnan(equation_8(*flat)).all()
    assert plane(*flat).normal.tolist() == [0, 0, 0]
    assert hit((2, 0, 1), (2, 0, -1), *flat).t == 0.5


@pytest.mark.parametrize(
    ("start", "end", "case"),
    [
        ((1, 1, 2), (1, 1, 1), "A"),
        ((1, 1, -2), (1, 1, -1), "A"),
        ((1, 1, 2), (1, 1, 0), "B"),
        ((1, 1, 0), (1, 1, -2), "B"),
        ((1, 1, 0), (2, 1, 0), "B"),
        ((1, 1, 2), (1, 1, -1), "C"),
        ((1, 1, -2), (1, 1, 1), "C"),
    ],
)
def test_equation_12_the_three_cases(start, end, case, corners):
    assert equation_12(np.array(start), np.array(end), corners) == case
    assert hit(start, end, *corners).case == case
    assert hit_plane(start, end, *plane(*corners)).case == case
    assert hit(start, end, *corners).hit == (case != "A")


def test_equation_12_as_written_rounds_touching_ends_to_either_side():
    """An end half way between two corners is on the plane; N and d are rounded."""
    rng = np.random.default_rng(1)
    corners = rng.integers(-99, 99, size=(3, 200, 3)) / 4.0
    end = (corners[0] + corners[1]) / 2
    start = end + rng.normal(size=(200, 3))
    written = [equation_12(start[k], end[k], corners[:, k]) for k in range(200)]
    assert {"A", "B", "C"} == set(written)
    ours = hit(start, end, *corners)
    assert set(ours.case) == {"B"}
    assert ours.hit.all()
    assert (ours.t == 1).all()


def test_equation_13_epsilon_is_no_part_of_detection(corners):
    """Case B is a hit, as the article's first way out says: nothing slips through."""
    stopped = hit((1, 1, 1), (1, 1, -1), *corners).point
    assert hit(stopped, stopped - [0, 0, 1], *corners).t == 0
    assert not hit((1, 1, 1), (1, 1, EPSILON / 2), *corners).hit
    assert hit((1, 1, 1), (1, 1, EPSILON / 2), *corners).case == "A"


def test_equation_16_as_written_divides_by_zero_in_the_plane(corners):
    """Ours is the first point of the segment in the triangle."""
    start, end = np.array([-1.0, 1, 0]), np.array([9.0, 1, 0])
    with np.errstate(invalid="ignore"):
        assert np.isnan(equation_16(start, end, corners))
    answer = hit(start, end, *corners)
    assert (answer.hit, answer.case, answer.t) == (True, "B", 0.1)
    assert answer.point.tolist() == [0, 1, 0]
    assert not hit((-1, 9, 0), (9, 9, 0), *corners).hit


@pytest.mark.parametrize("x", [-3.0, 7.0, 1e6])
def test_equation_18_as_written_accepts_points_outside_where_s0_is_zero(x, corners):
    """In line with the first edge every product with s0 is 0, and none negative."""
    point = np.array([x, 0, 0])
    assert equation_17(point, corners)[0] == 0
    assert equation_18(point, corners)
    assert not hit((x, 0, 1), (x, 0, -1), *corners).hit


@pytest.mark.parametrize("turn", range(3))
def test_equation_18_ours_has_the_same_answer_from_whichever_corner(turn, corners):
    """As written the answer depends on which corner comes first."""
    rolled = np.roll(corners, -turn, axis=0)
    assert equation_18(np.array([7.0, 0, 0]), rolled) == (turn == 0)
    assert not hit((7, 0, 1), (7, 0, -1), *rolled).hit
    assert hit((2, 0, 1), (2, 0, -1), *rolled).hit
