"""wingedge.primitives.disk_triangle: Redpoll's 60, section 2-23, printed and ours.

The demo at its end (Code1, figures 13 to 15) has tests of its own.
"""

from fractions import Fraction

import numpy as np
import pytest

from wingedge.primitives import disk_triangle, point_line, point_segment

A, B, C = 0, 1, 2
TABLE = {  # i_vi, as printed
    1: (A, B, C),
    2: (C, A, B),
    3: (A, B, -1),
    4: (B, C, A),
    5: (B, C, -1),
    6: (C, A, -1),
    7: (-1, -1, -1),
}
# clockwise, as the article asks, with corners of its demo at scale 2
TRIANGLE = np.array([(0.0, 0.0), (1.6, 3.6), (4.8, 0.0)])
IN_REGION = {  # a center in each region of figures 6 and 7
    1: (1.5, 5.0),
    2: (-1.0, -0.5),
    3: (-1.0, 1.0),
    4: (6.0, -0.5),
    5: (5.0, 3.0),
    6: (2.0, -2.0),
    7: (2.0, 1.0),
}


def predicate(p, a, b):
    """The article's a_x b_y - a_y b_x, with a = AP and b = AB."""
    (ax, ay), (bx, by) = np.subtract(p, a), np.subtract(b, a)
    return ax * by - ay * bx


def square_distance(p, a, b):
    """The article's ComputeSqrDistance_Point_Segment, as written."""
    p, a, b = (np.array(x, dtype=float) for x in (p, a, b))
    ab, ap = b - a, p - a
    dot1 = ap @ ab
    if dot1 < 0.0:
        return ap @ ap
    dot2 = ab @ ab
    if dot1 > dot2:
        return (p - b) @ (p - b)
    with np.errstate(invalid="ignore"):
        return ap @ ap - (dot1 * dot1) / dot2


def collision_test(t, r, corners):
    """The article's CollisionTest_Disk_Triangle, as written: hit and region."""
    k = 0
    for bit, first, second in ((4, A, B), (2, B, C), (1, C, A)):
        if predicate(t, corners[first], corners[second]) >= 0.0:
            k += bit
    if k == 7:
        return True, k
    i0, i1, i2 = TABLE.get(k, (0, 0, 0))  # an int[,] of C# is filled with 0
    hit = square_distance(t, corners[i0], corners[i1]) <= r * r
    if not hit and i2 != -1:
        hit = square_distance(t, corners[i1], corners[i2]) <= r * r
    return bool(hit), k


def test_figures_3_to_7_the_regions_are_told_by_the_sides_of_the_lines():
    lines = (A, B), (B, C), (C, A)
    for line in lines:
        first, second = (TRIANGLE[k] for k in line)
        third = TRIANGLE[3 - sum(line)]
        assert point_line.side(third, first, second) == 1
        assert point_line.side(first + second - third, first, second) == -1
    for region, center in IN_REGION.items():
        assert disk_triangle.meet(center, 1.0, *TRIANGLE).region == region
        assert collision_test(center, 1.0, TRIANGLE)[1] == region
        right = [
            point_line.side(center, TRIANGLE[a], TRIANGLE[b]) > 0 for a, b in lines
        ]
        assert right == [bool(region & bit) for bit in (4, 2, 1)]
    center = np.random.default_rng(1).normal(2, 3, (2000, 2))
    found = disk_triangle.meet(center, 1.0, *TRIANGLE)
    assert set(found.region.tolist()) == set(range(1, 8))


def of_region(region):
    """Every feature that is nearest to a center in a region, of 400 triangles."""
    rng = np.random.default_rng(2)
    corners = rng.normal(size=(3, 400, 1, 2))
    found = disk_triangle.meet(rng.normal(0, 4, (400, 200, 2)), 1.0, *corners)
    clockwise = point_line.side(corners[2], corners[0], corners[1]) > 0
    return set(found.feature[clockwise & (found.region == region)].tolist())


@pytest.mark.parametrize("row", TABLE)
def test_table_i_vi_row(row):
    """The features of a region: of 5 and 2 those of figures 8 and 9."""
    used = {f"v{v}" for v in path_of(row)} | {f"e{k}" for k in edges_of(row)}
    assert of_region(row) == (used or {"f0"})


def test_constants_a_b_c_number_the_corners_0_1_2():
    for k, corner in enumerate(TRIANGLE):
        assert disk_triangle.meet(corner, 0.0, *TRIANGLE).feature == f"v{k}"
    assert (A, B, C) == (0, 1, 2)


def squares(p, corners):
    """The exact squared distances from the edges AB, BC, CA."""
    out = []
    for k in range(3):
        (ax, ay), (bx, by) = corners[k], corners[(k + 1) % 3]
        dx, dy, x, y = bx - ax, by - ay, p[0] - ax, p[1] - ay
        t = min(max(Fraction(x * dx + y * dy, dx * dx + dy * dy), 0), 1)
        out.append((x - t * dx) ** 2 + (y - t * dy) ** 2)
    return out


def test_claim_the_edges_of_a_row_hold_the_nearest_point_also_of_obtuse_triangles():
    """The claim is right, by brute force in rational numbers, and no edge is spare."""
    rng = np.random.default_rng(3)
    edges = {row: edges_of(row) for row in range(1, 7)}
    needed = {row: set() for row in edges}
    obtuse = 0
    for corners in rng.integers(0, 7, (60, 3, 2)).tolist():
        area = predicate(corners[2], corners[0], corners[1])
        if area == 0:
            continue
        if area < 0:
            corners[1], corners[2] = corners[2], corners[1]
        obtuse += is_obtuse(corners)
        for center in rng.integers(-9, 16, (40, 2)).tolist():
            row = collision_test(center, 1.0, corners)[1]
            if row != 7:
                far = squares(center, corners)
                nearest = {k for k in range(3) if far[k] == min(far)}
                assert nearest & edges[row]
                needed[row] |= nearest if len(nearest) == 1 else set()
    assert obtuse > 20
    assert needed == edges


def edges_of(row):
    return set(path_of(row)[:-1])


def path_of(row):
    return [v for v in TABLE[row] if v != -1]


def is_obtuse(corners):
    *others, longest = sorted(
        (corners[k][0] - corners[k - 1][0]) ** 2
        + (corners[k][1] - corners[k - 1][1]) ** 2
        for k in range(3)
    )
    return longest > sum(others)


def test_figures_10_and_11_the_predicate_of_right_and_left():
    for p, sign in (((3, 0), 1), ((-1, 2), -1), ((1, 1), 0)):
        assert np.sign(predicate(p, (0, 0), (2, 2))) == sign
        assert point_line.side(p, (0, 0), (2, 2)) == sign


def test_code_collisiontest_disk_triangle_agrees_on_clockwise_triangles():
    rng = np.random.default_rng(4)
    corners, t = rng.normal(size=(3, 500, 2)), rng.normal(0, 2, (500, 2))
    r = rng.exponential(size=500)
    clockwise = point_line.side(corners[2], corners[0], corners[1]) > 0
    corners = np.where(clockwise[:, None], corners, corners[::-1])
    found = disk_triangle.meet(t, r, *corners)
    written = [collision_test(t[k], r[k], corners[:, k]) for k in range(500)]
    assert list(zip(found.hit, found.region, strict=True)) == written
    assert 100 < found.hit.sum() < 400


def test_code_greater_or_equal_counts_what_is_on_a_line_as_right_of_it():
    on_ab = (TRIANGLE[A] + TRIANGLE[B]) / 2
    assert collision_test(on_ab, 0.0, TRIANGLE) == (True, 7)
    found = disk_triangle.meet(on_ab, 0.0, *TRIANGLE)
    assert (found.hit, found.region, found.feature) == (True, 7, "e0")


def test_code_rr_the_square_of_the_radius_is_compared_but_not_rounded():
    """The root of 53, rounded down, has a square that rounds back up to 53."""
    t, r = (-2.0, -7.0), 7.280109889280518
    assert Fraction(r) ** 2 < 53 == r * r
    assert collision_test(t, r, TRIANGLE)[0]
    assert not disk_triangle.meet(t, r, *TRIANGLE).hit
    assert disk_triangle.meet(t, np.nextafter(r, 8), *TRIANGLE).hit
    assert disk_triangle.meet((-3.0, -4.0), 5.0, *TRIANGLE).hit


def test_figure_12_and_the_equations_of_the_squared_distance_and_of_the_ends():
    for place in ((-2, 3), (1, 2), (7, 1)):
        ends = (0.0, 0.0), (4.0, 0.0)
        found = point_segment.closest(place, *ends)
        assert found.distance_sq == square_distance(place, *ends)
        assert found.t == min(max(place[0] / 4, 0), 1)
    p, a, b = np.random.default_rng(5).normal(size=(3, 400, 2))
    ap, ab = p - a, b - a
    dot = (ap * ab).sum(1)
    square = (ap * ap).sum(1) - dot**2 / (ab * ab).sum(1)
    beside = (dot > 0) & (dot < (ab * ab).sum(1))
    found = point_segment.closest(p, a, b)
    assert beside.sum() > 30
    assert found.distance_sq[beside] == pytest.approx(square[beside], abs=1e-13)


def test_defect_a_triangle_scaled_past_zero_falls_into_row_0_of_the_table():
    """S held down to scale -1: the disk is in the middle of the mirrored triangle."""
    mirrored = TRIANGLE * (-1, 1)
    t, r = (-2.0, 1.0), 0.5
    assert collision_test(t, r, mirrored) == (False, 0)
    found = disk_triangle.meet(t, r, *mirrored)
    assert (found.hit, found.region, found.feature) == (True, 7, "f0")
    opposite = disk_triangle.meet((2.0, 1.0), r, *TRIANGLE)
    assert found.region == opposite.region


def test_defect_a_mirrored_triangle_has_other_regions_than_its_picture():
    """Seen in the mirror each center keeps its region, as B and C change names."""
    corners = TRIANGLE[[0, 2, 1]]
    wrong = 0
    for region, center in IN_REGION.items():
        wrong += collision_test(center, 1.0, corners)[1] != region
        assert disk_triangle.meet(center, 1.0, *corners).region == region
    assert wrong == 7


@pytest.mark.parametrize("scale", [(0, 0), (2, 0), (0, 2)], ids=str)
def test_defect_a_triangle_scaled_to_zero_is_hit_from_100_away(scale):
    flat = TRIANGLE / 2 * scale
    t = {(2, 0): (100.0, 0.0), (0, 2): (0.0, 100.0)}.get(scale, (60.0, 80.0))
    assert collision_test(t, 1.0, flat) == (True, 7)
    found = disk_triangle.meet(t, 1.0, *flat)
    assert (found.hit, found.region) == (False, 0)
    assert found.distance == pytest.approx(100 - np.abs(flat).max(), abs=0.1)


def test_defect_a_segment_of_no_length_is_0_over_0():
    assert np.isnan(square_distance((3, 4), (0, 0), (0, 0)))
    assert not square_distance((0, 0), (0, 0), (0, 0)) <= 1.0, "not even at its point"
    found = point_segment.closest([(3, 4), (0, 0)], (0, 0), (0, 0))
    assert found.distance_sq.tolist() == [25, 0]


def test_defect_the_difference_of_squares_loses_all_digits_and_turns_negative():
    rng = np.random.default_rng(6)
    worst = 0.0
    negative = 0
    for _ in range(300):
        a, b = rng.normal(size=(2, 2)) * 1000
        p = a + rng.uniform() * (b - a)
        written = square_distance(p, a, b)
        negative += written < 0
        found = point_segment.closest(p, a, b)
        assert 0 <= found.distance < 1e-12
        worst = max(worst, abs(written) ** 0.5)
    assert negative > 20
    assert worst > 1e-6
