"""None"""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from sim.planar.disk import DiskTriangleTracker
from sim.planar.walk import FACE, find, measure, touches
from wingedge import Feature
from wingedge.primitives import disk_triangle

TRIANGLE = ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))


def told(tracker, centers):
    return [str(e) for center in centers for e in tracker.update(center).events]


def test_a_contact_begins_penetrates_separates_and_ends_with_hysteresis():
    tracker = DiskTriangleTracker(1.0, TRIANGLE, contact_distance=0.125)
    heights = (-2.0, -1.125, -1.0625, -0.875, -1.0, -1.25, -1.375, -1.0625)
    assert told(tracker, [(1.0, y) for y in heights]) == [
        "1 begin disk/triangle VE v0 e2(2-0)",
        "3 penetrate disk/triangle VE v0 e2(2-0)",
        "4 separate disk/triangle VE v0 e2(2-0)",
        "6 end disk/triangle VE v0 e2(2-0)",
        "7 begin disk/triangle VE v0 e2(2-0)",
    ]
    tracker.reset()
    heights = (-1.1875, -1.125, -1.1875, -1.25, -1.26, -1.1875)
    regimes = [tracker.update((1.0, y)).regime for y in heights]
    assert regimes == ["separated", *["contact"] * 3, *["separated"] * 2]


def test_a_change_names_the_old_feature_the_new_and_the_way_between():
    tracker = DiskTriangleTracker(1.0, TRIANGLE, contact_distance=0.5)
    tracker.update((-1.0, -0.3))
    (event,) = tracker.update((0.5, -1.0)).events
    assert str(event) == "1 change disk/triangle VV v0 v0 -> VE v0 e2(2-0)"
    assert event.path == (
        (Feature("vertex", 0),),
        (Feature("vertex", 0), Feature("edge", 2)),
    )
    (event,) = tracker.update((0.9, 0.4)).events[:1]
    assert event.path[1] == (Feature("edge", 2), Feature("face", 0))
    tracker.update((0.0, 0.0))
    event = tracker.update((2.4, 0.0)).events[-1]
    assert event.path[1] == tuple(
        Feature(*f) for f in (("vertex", 0), ("edge", 2), ("vertex", 2))
    )


def test_the_tracker_answers_as_the_primitive_in_every_frame_of_a_moving_scene():
    rng = np.random.default_rng(11)
    tracker = DiskTriangleTracker(0.75, TRIANGLE)
    center, corners = np.array([-2.0, 1.0]), np.array(TRIANGLE)
    steps = 0
    for _ in range(600):
        center = center + rng.choice([-0.125, 0.0, 0.125], 2) - center / 64
        corners = corners + rng.choice([-0.0625, 0.0, 0.0625], (3, 2))
        state = tracker.update(center, corners)
        want = disk_triangle.meet(center, 0.75, *corners)
        assert str(state.feature_b) == want.feature
        assert (state.region, state.hit) == (want.region, want.hit)
        if state.feature_b.kind != "face":
            assert state.distance == pytest.approx(
                float(want.distance) - 0.75, abs=1e-14
            )
            assert state.point_b == pytest.approx(want.point.tolist(), abs=1e-14)
        steps += state.work.steps
    assert steps < 600


def test_points_lie_on_rim_and_triangle_also_where_it_turns_over_or_collapses():
    tracker = DiskTriangleTracker(1.0, TRIANGLE)
    for center in ((-3.0, 2.0), (1.0, 0.5), (1.0, -0.5), (5.0, 5.0)):
        state = tracker.update(center)
        (ax, ay), (bx, by), (nx, ny) = state.point_a, state.point_b, state.normal
        assert np.hypot(ax - center[0], ay - center[1]) == pytest.approx(1.0)
        assert (bx, by) == pytest.approx(
            (ax + state.distance * nx, ay + state.distance * ny), abs=1e-14
        )
    tracker = DiskTriangleTracker(1.0, TRIANGLE)
    a, b, c = TRIANGLE
    found = [
        tracker.update((-4.0, 0.0), corners)
        for corners in (TRIANGLE, (a, c, b), (a, a, c), (a, a, a), TRIANGLE)
    ]
    assert [state.region for state in found] == [3, 3, 0, 0, 3]
    assert [str(state.feature_b) for state in found] == ["v0"] * 5
    assert {state.distance for state in found} == {3.0}


def test_history_does_not_touch_the_answer_and_reset_forgets_it():
    tracker = DiskTriangleTracker(1.0, TRIANGLE)
    for center in ((3.0, 3.0), (1.0, 0.2), (-2.0, -2.0), (0.5, 1.9)):
        warm = tracker.update(center)
        cold = DiskTriangleTracker(1.0, TRIANGLE).update(center)
        same = {"frame": 0, "work": cold.work, "events": (), "regime": ""}
        assert warm._replace(**same) == cold._replace(**same)
    tracker.reset()
    assert tracker.state is None
    assert tracker.update((9.0, 9.0)).frame == 0


def test_what_is_no_point_is_named_and_nothing_is_lost():
    for center, corners, words in [
        ((np.nan, 0.0), TRIANGLE, "center"),
        ((1.0,), TRIANGLE, "center"),
        ((1.0, 2.0, 3.0), TRIANGLE, "center"),
        ((0.0, 0.0), TRIANGLE[:2], "3 points of the plane, got 2"),
        ((0.0, 0.0), (*TRIANGLE[:2], (np.inf, 0.0)), r"corners\[2\]"),
    ]:
        tracker = DiskTriangleTracker(1.0, TRIANGLE)
        before = tracker.update((-1.0, 0.0))
        with pytest.raises(ValueError, match=words):
            tracker.update(center, corners)
        assert tracker.state is before
        assert tracker.update((-1.0, 0.0)).frame == 1


def test_a_radius_is_a_length_and_distances_of_contact_are_checked():
    for radius in [-1.0, np.nan, np.inf]:
        with pytest.raises(ValueError, match="radius="):
            DiskTriangleTracker(radius, TRIANGLE)
    with pytest.raises(ValueError, match=r"release_distance 0\.1 is below"):
        DiskTriangleTracker(1.0, TRIANGLE, contact_distance=0.2, release_distance=0.1)
    for radius, limit in ((0.25, 0.0005), (100.0, 0.0024)):
        for factor, regime in ((0.99, "contact"), (1.01, "separated")):
            tracker = DiskTriangleTracker(radius, TRIANGLE)
            state = tracker.update((1.0, -radius - factor * limit))
            assert state.regime == regime


def measured(center, radius, triangle, last=-1):
    found = find(center, triangle)
    return found, measure(center, radius, triangle, found, last)


def root(x):
    with localcontext() as context:
        context.prec = 60
        return (Decimal(x.numerator) / Decimal(x.denominator)).sqrt()


def truth(center, radius, triangle, found):
    """The signed distance in 60 digits, by formulas of its own."""
    p = [Fraction(x) for x in center]
    corners = [[Fraction(x) for x in corner] for corner in triangle]

    def line_sq(k):
        (ax, ay), (bx, by) = corners[k], corners[(k + 1) % 3]
        normal = (ay - by, bx - ax)
        offset = normal[0] * (p[0] - ax) + normal[1] * (p[1] - ay)
        return offset**2 / (normal[0] ** 2 + normal[1] ** 2)

    if found.feature == FACE:
        return -root(min(map(line_sq, range(3)))) - Decimal(radius)
    if found.feature < 3:
        square = sum(
            (a - b) ** 2 for a, b in zip(corners[found.feature], p, strict=True)
        )
        return root(square) - Decimal(radius)
    return root(line_sq(found.feature - 3)) - Decimal(radius)


def scenes(n=400):
    rng = np.random.default_rng(5)
    for k in range(n):
        scale = float(2.0 ** rng.choice([-1000, -300, 0, 0, 0, 300, 1000]))
        whole, broken = rng.integers(-4, 5, 9).astype(float), rng.normal(size=9)
        numbers = whole if k % 2 else broken
        x = (numbers * scale).tolist()
        yield (x[0], x[1]), abs(x[2]), ((x[3], x[4]), (x[5], x[6]), (x[7], x[8]))


def test_distances_are_right_within_rounding_and_in_their_sign():
    for center, radius, triangle in scenes():
        found, got = measured(center, radius, triangle)
        want = truth(center, radius, triangle, found)
        size = max(
            radius,
            *(
                abs(c - q)
                for corner in triangle
                for c, q in zip(corner, center, strict=True)
            ),
        )
        error = abs(Decimal(got.distance) - want)
        assert error <= Decimal("1e-15") * Decimal(size), (center, radius, triangle)
        overlapping, touching = (
            got.distance < 0.0,
            touches(center, radius, triangle, found),
        )
        assert touching == bool(
            disk_triangle.meet(center, radius, *map(np.array, triangle)).hit
        )
        assert touching or not overlapping


def test_exact_touch_is_exactly_zero_also_at_an_oblique_edge():
    _, got = measured((-1.0, 0.0), 1.0, TRIANGLE)
    assert (got.distance, got.normal, got.point) == (0.0, (1.0, 0.0), (0.0, 0.0))
    for toward, sign in ((-2.0, 1), (0.0, -1)):
        center = (float(np.nextafter(-1.0, toward)), 0.0)
        _, got = measured(center, 1.0, TRIANGLE)
        assert np.sign(got.distance) == sign
    triangle = ((0.0, 0.0), (4.0, 3.0), (4.0, 0.0))  # 3, 4, 5
    found, got = measured((-1.0, 3.0), 3.0, triangle)
    assert found.feature == 3
    assert got.distance == 0.0
    _, got = measured((-1.0, 3.0), float(np.nextafter(3.0, 4.0)), triangle)
    assert got.distance <= 0.0
    assert touches((-1.0, 3.0), 3.0, triangle, found)
    assert not touches((-1.0, 3.0), float(np.nextafter(3.0, 0.0)), triangle, found)


def test_of_equal_edges_the_last_is_kept_and_a_point_has_a_normal():
    triangle = ((0.0, 0.0), (0.0, 3.0), (4.0, 0.0))
    center = (1.0, 1.0)  # the incentre, 1 from all three
    for last, chosen in ((-1, 0), (0, 0), (1, 1), (2, 2)):
        _, got = measured(center, 0.5, triangle, last)
        assert (got.exit, got.unique) == (chosen, False)
        assert got.distance == pytest.approx(-1.5, abs=1e-15)
    _, got = measured((1.0, float(np.nextafter(1.0, 0.0))), 0.5, triangle, 1)
    assert (got.exit, got.unique) == (2, True)
    _, got = measured((1.0, 1.0), 0.0, ((1.0, 1.0),) * 3)
    assert (got.distance, got.normal) == (0.0, (1.0, 0.0))
    _, got = measured((1.0, 1.0), 2.0, ((1.0, 1.0),) * 3)
    assert got.distance == -2.0
