"""sim.between.passage, sim.kernels.between.advancement: ``PairTracker.advance``."""

from fractions import Fraction
from itertools import pairwise
from unittest.mock import Mock

import numpy as np
import pytest
from stories.sweeps import drawn

from sim import Body, PairTracker, Pose, set_engine, verify_passage
from sim.between.passage import Instant
from wingedge import convex_hull, shapes


def at(x, y=0.0, z=0.0):
    return Pose(None, (x, y, z))


def pair(mesh_a, mesh_b, start, **options):
    a = Body(mesh_a, name="a", **options)
    b = Body(mesh_b, name="b", pose=start, **options)
    return PairTracker(a, b)


def boxes(start):
    return pair(shapes.box(), shapes.box(), start)


def sweeps(first, count, family="both"):
    """Random pairs that come near each other while every vertex moves."""
    for k in range(first, first + count):
        told = drawn(family, k)
        yield told.begun(), told.ends()


BOXES = {  # from, to, the distance; when they touch and part, the reason
    "meet": (at(3), at(0), 0.0, 2 / 3, None, ""),  # two apart, and three on the way
    "pass through": (at(4), at(-4), 0.0, 3 / 8, 5 / 8, ""),
    "come near": (at(3), at(0), 0.5, 1 / 2, None, ""),
    "start": (at(1), at(3), 0.0, None, 0.0, "at the start"),
    "slide level": (at(3, 1), at(-3, 1), 0.0, 1 / 3, 2 / 3, "graze"),  # the gap is 0
    "come to rest": (at(3), at(1), 0.0, 1.0, None, "graze"),
    "come to rest near": (at(3), at(1.5 + 2e-15), 0.5, 1.0, None, "graze"),
}


@pytest.mark.parametrize("case", BOXES)
def test_boxes_touch_and_part_when_they_do(case):
    start, end, distance, *times, reason = BOXES[case]
    tracker = boxes(start)
    passage = tracker.advance(pose_b=end, distance=distance)
    assert reason in passage.reason
    assert bool(reason) == bool(passage.reason)
    for instant, t in zip((passage.touch, passage.parting), times, strict=True):
        assert (instant is None) == (t is None)
        if t is not None:
            assert instant.lower <= t <= instant.upper <= instant.lower + 1e-8
            assert reason or instant.upper <= instant.lower + 1e-9
            assert reason or instant.state.distance == pytest.approx(distance, abs=1e-8)
    if case == "meet":
        assert passage.touch.state.kind == "FF"


def test_a_miss_is_proven_by_planes_that_cover_the_frame():
    tracker = boxes(at(4, 1.5))
    passage = tracker.advance(pose_b=at(-4, 1.5))
    assert passage.touch is None
    assert passage.parting is None
    assert not passage.reason
    spans = [(plane.start, plane.end) for plane in passage.proof]
    assert spans[0][0] == 0
    assert spans[-1][1] == 1
    assert all(p[1] == q[0] for p, q in pairwise(spans))
    for plane in passage.proof:
        for t in (plane.start, plane.end):
            n = [Fraction(x) for x in plane.normal.tolist()]
            shift = [4 - 8 * Fraction(t), Fraction(3, 2), Fraction(0)]
            gap = sum(x * y - abs(x) for x, y in zip(n, shift, strict=True))
            assert gap > 0


def test_a_plane_that_does_not_part_proves_nothing_and_no_miss_is_a_touch():
    tracker = boxes(at(4, 1.5))
    passage = tracker.advance(pose_b=at(-4, 1.5))
    assert verify_passage(passage, tracker.a, tracker.b)
    ending = passage._there
    for k in range(len(ending.planes)):
        for column, value in ((0, np.nan), (1, 2.0), (slice(2, 8), (0, 0, 1, 0, 0, 1))):
            planes = ending.planes.copy()
            planes[k, column] = value
            vars(passage)["_there"] = ending._replace(planes=planes)
            assert not verify_passage(passage, tracker.a, tracker.b)
    vars(passage)["_there"] = ending
    vars(passage)["touch"] = Instant(passage, 0.5, 0.5 + 2e-10)
    assert verify_passage(passage, tracker.a, tracker.b).answer == "no"


def test_the_tracker_ends_as_after_an_update():
    for (tracker, ends), (other, _) in zip(sweeps(5, 10), sweeps(5, 10), strict=True):
        passage = tracker.advance(**ends)
        for name, end in ends.items():
            what, side = name.split("_")
            setattr(getattr(other, side), what, end)
        expected = other.update()
        assert passage.state is tracker.state
        assert tracker.state.numbers == expected.numbers
        assert tracker.state.frame == expected.frame


def test_the_least_distance_is_proven_and_seen():
    tracker = boxes(at(4, 1.5))
    nearest = tracker.advance(pose_b=at(-4, 1.5)).nearest
    assert nearest.lower <= 0.5 <= nearest.upper + 1e-15
    missed = 0
    for tracker, ends in sweeps(31, 9, "bend"):
        passage = tracker.advance(**ends)
        nearest = passage.nearest
        seen = min(passage.at(t).distance for t in np.linspace(0, 1, 41))
        if passage.touch is not None:
            assert nearest[:2] == (0.0, 0.0)
            continue
        missed += 1
        assert nearest.lower <= seen
        assert nearest.upper <= seen + 1e-12
        assert nearest.upper - nearest.lower <= 2e-9 * seen
        assert passage.at(nearest.when).distance == pytest.approx(nearest.upper)
    assert missed > 1


def test_a_map_that_mirrors_on_the_way_changes_nothing():
    """Half a turn, straight: the body is flat at t = 0.5, and rings prove nothing."""
    tracker = pair(shapes.icosphere(), shapes.box(), at(3))
    half = np.diag([-1.0, -1.0, 1.0])
    passage = tracker.advance(pose_b=Pose(half, (-3, 0.2, 0.1)))
    assert passage.touch is not None
    assert passage.parting is not None
    assert verify_passage(passage, tracker.a, tracker.b)


def test_a_body_far_along_any_axis_rounds_alike():
    for k in range(3):
        tracker = boxes(at(*np.roll((3.0, 0.0, 0.0), k)))
        for body in (tracker.a, tracker.b):
            body.points += 1e6 * np.roll((0.0, 1.0, 0.0), k)
        touch = tracker.advance(pose_b=at(0)).touch
        assert touch.upper - touch.lower == pytest.approx(3.8e-8, rel=0.1)


def test_a_ball_that_moves_inside_a_notch_does_not_touch():
    """Its hull meets that of the block: only the surfaces can tell, and no plane."""
    u = shapes.u_block()
    ball = convex_hull(np.array(shapes.icosphere().points) * 0.1)
    low, high = u.points.min(axis=0), u.points.max(axis=0)
    middle = (low + high) / 2
    for axis in range(3):
        start = middle.copy()
        start[axis] = high[axis] + 0.5
        tracker = pair(u, ball, Pose(None, start))
        passage = tracker.advance(pose_b=Pose(None, middle))
        if min(passage.at(t).distance for t in np.linspace(0, 1, 9)) > 0.05:
            break
    else:
        pytest.fail("the block has no notch")
    hulls = pair(u, ball, Pose(None, start), convexity="hull")
    assert hulls.advance(pose_b=Pose(None, middle)).touch is not None
    assert passage.touch is None
    assert not passage.reason
    assert verify_passage(passage, tracker.a, tracker.b).answer == "cannot say"
    still = tracker.advance(pose_b=Pose(None, middle))
    assert (still.touch, still.reason) == (None, "")


@pytest.mark.parametrize(
    ("ends", "error", "says"),
    [
        ({"pose_b": np.eye(3)}, TypeError, "sim.Pose"),
        ({"points_b": np.zeros((3, 3))}, ValueError, "shape"),
        ({"points_b": np.full((8, 3), np.nan)}, ValueError, "finite"),
        ({"pose_b": at(0), "distance": -1.0}, ValueError, "distance"),
        ({}, ValueError, "nothing moves"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_moves(ends, error, says):
    tracker = boxes(at(3))
    with pytest.raises(error, match=says):
        tracker.advance(**ends)
    assert tracker.b.pose == at(3)
    assert tracker.state is None


def test_positions_that_a_body_refuses_leave_the_pair_where_it_was():
    tracker = pair(shapes.box(), shapes.box(), at(3), convexity="raise")
    dented = tracker.b.positions.copy()
    dented[0] *= 0.1
    with pytest.raises(ValueError, match="convex"):
        tracker.advance(pose_b=at(0), points_b=dented)
    assert tracker.b.pose == at(3)
    assert tracker.b.positions.tolist() == shapes.box().points.tolist()


def test_an_interrupt_leaves_the_pair_where_it_was(monkeypatch):
    """It stood at the end of the way, and the next try told no touch on it."""
    tracker = boxes(at(3))
    monkeypatch.setattr(tracker, "update", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        tracker.advance(pose_b=at(0))
    assert tracker.b.pose == at(3)


def test_both_engines_find_the_same_bits():
    found = []
    for engine in ("python", "compiled"):
        set_engine(engine)
        try:
            for tracker, ends in sweeps(21, 3):
                passage = tracker.advance(**ends)
                times = [
                    (x.lower, x.upper) if x else None
                    for x in (passage.touch, passage.parting)
                ]
                planes = [(p.start, p.end, *p.normal) for p in passage.proof]
                found.append((engine, times, planes))
        finally:
            set_engine("auto")
    half = len(found) // 2
    assert [x[1:] for x in found[:half]] == [x[1:] for x in found[half:]]


@pytest.mark.parametrize("name", ["star", "l_block"])
def test_a_dented_body_that_stands_for_its_hull_touches_at_a_moment(name):
    """Rings of dents led beside the hull: it touched some time within half a frame."""
    mesh = dict(shapes.zoo(non_convex=True))[name]
    for seed in range(1, 11):
        rng = np.random.default_rng(seed)
        start = Pose.rigid(rng.normal(size=4), (2.5, *rng.normal(size=2) * 0.5))
        a, b = Body(shapes.box()), Body(mesh, convexity="hull", pose=start)
        tracker = PairTracker(a, b)
        tracker.update()
        end = Pose(start.linear, (-0.5, *rng.normal(size=2) * 0.5))
        passage = tracker.advance(pose_b=end)
        assert passage.touch.upper - passage.touch.lower < 1e-8
        assert verify_passage(passage, a, b).answer != "no"


def test_a_scene_scaled_by_a_power_of_two_has_the_same_times():
    touched = 0
    for k in range(13, 19):
        way, found = drawn("both", k), []
        for by in (1.0, 2.0**-40):
            points = [[x * by for x in own] for own in way.points]
            poses = [[Pose(p.linear, p.translation * by) for p in w] for w in way.poses]
            told, _ = way._replace(points=points, poses=poses).passage()
            found.append([i and (i.lower, i.upper) for i in (told.touch, told.parting)])
        assert found[0] == found[1]
        touched += found[0][0] is not None
    assert touched > 2
