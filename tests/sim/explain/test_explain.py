import numpy as np  # of sim.explain.explain, sim.explain.notes
import pytest

from sim import Body, PairTracker, Pose
from sim.explain.explain import Trail
from wingedge import Feature, WingedEdgeMesh, shapes

PAIRS = [
    (shapes.icosphere(3), shapes.icosphere(2)),
    (shapes.box(), shapes.icosphere(3)),
    (shapes.random_hull(1, 300), shapes.random_hull(2, 60)),
    (shapes.grid_box(4), shapes.cylinder(24)),
    (shapes.needle(), shapes.plate()),
]
IDS = ["spheres", "box-sphere", "hulls", "flats", "thin"]


def tumbling(a: Body, b: Body, frames: int) -> list[Pose]:
    reach = sum(np.ptp(body.mesh.points, axis=0).max() for body in (a, b))
    turn = np.array([0.1, 0.2, -0.3, 1.0])
    spin = np.array([0.01, -0.02, 0.015, 0.0])
    at = np.array([0.7, 0.3, 0.1]) * reach
    return [Pose.rigid(turn + k * spin, at * (1.0 - 0.002 * k)) for k in range(frames)]


def led(a: Body, b: Body, *places: tuple[float, float, float]) -> PairTracker:
    """Track bodies, the second of which is led from place to place."""
    tracker = PairTracker(a, b)
    for place in places:
        b.pose = Pose(translation=place)
        tracker.update()
    return tracker


@pytest.mark.parametrize(("mesh_a", "mesh_b"), PAIRS, ids=IDS)
def test_vertices_that_were_not_visited_may_be_nan(mesh_a, mesh_b):
    a, b = Body(mesh_a), Body(mesh_b)
    clean, poisoned = PairTracker(a, b), PairTracker(a, b)
    visited = 0
    poses = tumbling(a, b, 80)
    for pose in poses:
        b.pose = pose
        state = clean.update()
        seen = clean.explain()
        kept = [body._points.copy() for body in (a, b)]
        for body, ids in ((a, seen.visited_a), (b, seen.visited_b)):
            hidden = np.ones(body.mesh.n_vertices, bool)
            hidden[ids] = False
            body._points[hidden] = np.nan
        assert poisoned.update().numbers == state.numbers
        for body, points in zip((a, b), kept, strict=True):
            body._points[...] = points
        visited += len(seen.visited_a) + len(seen.visited_b)
    if mesh_a.n_vertices > 500:
        assert visited / len(poses) < 0.1 * (mesh_a.n_vertices + mesh_b.n_vertices)


def test_of_bodies_as_large_as_each_other_the_order_is_read_too():
    """Which one the kernel takes first depends on coordinates: they were read."""
    a, b = Body(shapes.icosphere(2)), Body(shapes.icosphere(2))
    told = led(a, b, *[(3.0, 0.1, 0.2)] * 2).explain()
    assert 0 in told.visited_a
    assert 0 in told.visited_b
    assert len(told.visited_a) + len(told.visited_b) < 40


def test_explaining_changes_nothing_and_a_trail_is_read_only():
    a, b = Body(shapes.icosphere(2)), Body(shapes.prism(6))
    quiet, told = PairTracker(a, b), PairTracker(a, b)
    for pose in tumbling(a, b, 30):
        b.pose = pose
        told.update()
        told.explain()
        assert told.state.numbers == quiet.update().numbers
    tracker = PairTracker(Body(shapes.box()), Body(shapes.box()))
    with pytest.raises(ValueError, match=r"call update\(\) first"):
        tracker.explain()
    trail = Trail(memoryview(np.zeros(9)))
    assert trail[4] == 0.0
    assert trail.visited.tolist() == [False, True, False]
    assert np.asarray(trail).shape == (9,)
    assert trail.visited.all()


TIP = WingedEdgeMesh.from_faces(
    [[0, 0, 0], [1, 0, 1], [-0.5, 0.8, 1], [-0.5, -0.8, 1]],
    [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
)
TOP = Feature("face", 1)


def tip_beyond_an_edge(flip=False):
    """Move a tip over the top of a crate to 0.03 beyond its +x side, 0.2 above."""
    a, b = Body(shapes.box(), name="crate"), Body(TIP, name="tip")
    tracker = PairTracker(b, a) if flip else PairTracker(a, b)
    for x in (0.4, 0.53):
        b.pose = Pose(None, (x, 0.1, 0.7))
        tracker.update()
    return tracker, a.mesh


@pytest.mark.parametrize("flip", [False, True])
def test_one_step_with_its_loss_and_its_culprit(flip):
    tracker, box = tip_beyond_an_edge(flip)
    told = tracker.explain()
    first, last = told.steps
    crate, tip = ("b", "a") if flip else ("a", "b")
    assert getattr(first, f"feature_{crate}") == TOP
    assert getattr(first, f"feature_{tip}") == Feature("vertex", 0)
    assert (first.test, first.owner, first.won) == ("beside", crate, False)
    assert first.loss == pytest.approx(0.03, abs=1e-15)
    edge = first.culprit
    assert box.points[box.edge_vertices[edge.index], 0].tolist() == [0.5, 0.5]
    assert getattr(last, f"feature_{crate}") == edge
    assert (last.test, last.loss, last.culprit) == ("certified", 0.0, None)
    assert last.won


def test_the_text_of_one_step():
    tracker, _ = tip_beyond_an_edge()
    lines = str(tracker.explain()).splitlines()
    assert lines[:3] == [
        "frame 1: started from FV f1 v0",
        "  FV f1 v0: lost by 0.03: v0 lies beyond e5(5-7) of f1",
        "  EV e5(5-7) v0: holds; certified by ring",
    ]
    assert lines[3].startswith("  read 5 of 8 vertices of crate and 4 of 4 of tip;")


@pytest.mark.parametrize("flip", [False, True])
def test_a_neighbour_that_stands_higher(flip):
    """A box with a sloping bottom, above a larger one; the slope turns over.

    v0 is lowest, then v1, by the slope 0.1 across its width.
    """
    a, b = Body(shapes.box((4.0, 4.0, 1.0))), Body(shapes.box())
    tracker = PairTracker(b, a) if flip else PairTracker(a, b)
    for slope in (0.1, -0.1):
        linear = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [slope, 0.25, 1.0]]
        b.pose = Pose(linear, (0.0, 0.0, 2.0))
        tracker.update()
    steps = tracker.explain().steps
    moving = "a" if flip else "b"
    tests = [f"support of {moving}", "level", "certified"]
    assert [t.test for t in steps] == tests
    assert [t.owner for t in steps] == [moving, moving, ""]
    assert [t.culprit for t in steps[:2]] == [Feature("vertex", 1)] * 2
    assert [t.loss for t in steps] == pytest.approx([0.1, 0.1, 0.0], abs=1e-15)
    parts = [getattr(t, f"feature_{moving}").kind for t in steps]
    assert parts == ["vertex", "edge", "vertex"]
    assert "v1 stands higher than v0" in steps[0].text
    assert "is not level along the normal of f1: its end v1 is nearer" in steps[1].text


def test_a_neighbour_that_is_level():
    tracker = PairTracker(Body(shapes.box((4.0, 4.0, 1.0))), b := Body(shapes.box()))
    for linear in ([[1, 0, 0], [0, 1, 0], [-0.1, 0.25, 1]], None):  # v1, then all
        b.pose = Pose(linear, (0.0, 0.0, 2.0))
        tracker.update()
    assert "v0 is level with v1" in tracker.explain().steps[0].text


def test_level_parts_that_do_not_overlap():
    """A small box slides off the top of a large one, flat on flat."""
    a, b = Body(shapes.box((2.0, 2.0, 1.0))), Body(shapes.box((0.5, 0.5, 0.5)))
    first = led(a, b, (0.9, 0.1, 1.0), (1.3, 0.1, 1.0)).explain().steps[0]
    assert (first.test, first.feature_a) == ("overlap", TOP)
    assert first.feature_b.kind == "face"
    assert first.loss == pytest.approx(0.05, abs=1e-8)


def test_an_overlap_tells_the_axes_that_were_measured():
    a, b = Body(shapes.box()), Body(shapes.box())
    tracker = PairTracker(a, b)
    for x in (1.5, 0.9, 0.85, 0.8):  # from apart, from cold, from last polytope twice
        b.pose = Pose(None, (x, 0.1, 0.2))
        state = tracker.update()
        told = tracker.explain()
        if x < 1.0:
            walked = any(t.test == "meeting" for t in told.steps)
            assert walked == (x == 0.9), "last frame's polytope needs no walk"
            axis, last = told.steps[-2:]
            assert (axis.test, last.test, last.won) == ("axis", "certified", True)
            assert f"overlap along this axis {state.depth:.6g}" in axis.text
            assert last.text.endswith("certified by epa")
            assert (last.feature_a, last.feature_b) == told.after


@pytest.mark.parametrize("strategy", ["certified", "paper"])
@pytest.mark.parametrize(("mesh_a", "mesh_b"), PAIRS, ids=IDS)
def test_the_steps_are_a_chain_that_ends_at_the_answer(mesh_a, mesh_b, strategy):
    a, b = Body(mesh_a), Body(mesh_b)
    tracker = PairTracker(a, b, strategy=strategy)
    reach = max(np.ptp(mesh.points, axis=0).max() for mesh in (mesh_a, mesh_b))
    for pose in tumbling(a, b, 60)[::4]:
        b.pose = pose
        state = tracker.update()
        told = tracker.explain()
        last = told.steps[-1]
        assert last.won
        assert (last.feature_a, last.feature_b) == (state.feature_a, state.feature_b)
        for step in told.steps[:-1]:
            assert not step.won
            assert 0.0 <= step.loss < 10.0 * reach
            assert (step.culprit is None) == (step.owner == "")
        assert len(str(told).splitlines()) == len(told.steps) + 2
