import numpy as np
import pytest

from sim.planar.disk import DiskTriangleTracker
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
