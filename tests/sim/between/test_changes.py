"""Changes of the closest features between two frames: all of them, and when."""

from math import sqrt

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, World, set_engine
from sim.between.changes import OVERLAP
from sim.events.touch import Touch
from wingedge import convex_hull, shapes

FAR = 9.0  # so near that all count as in contact


def ball(rng, count):
    points = rng.normal(size=(count, 3))
    return convex_hull(points / np.linalg.norm(points, axis=1)[:, None])


def sweeps(seed, count):
    """Random pairs that pass by each other, turning or bending, or both."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        a, b = (ball(rng, n) for n in rng.integers(4, 61, 2))
        a, b = Body(shapes.box() if k % 4 == 0 else a, name="a"), Body(b, name="b")
        way = rng.normal(size=3)
        way *= rng.uniform(2.2, 3) / np.linalg.norm(way)
        b.pose = Pose(Rotation.random(rng=rng).as_matrix(), way)
        tracker = PairTracker(a, b, contact_distance=FAR)
        tracker.update()
        turned = Rotation.from_rotvec(rng.normal(size=3) * 0.5).as_matrix()
        end = Pose(turned @ b.pose.linear, way + 1.5 * rng.normal(size=3))
        ends = {"pose_b": end}
        if k % 3:
            bent = b.positions * rng.uniform(0.9, 1.1, size=3)
            ends["points_b"] = bent + 0.003 * rng.normal(size=bent.shape)
        if k % 3 == 1:
            ends["pose_b"] = Pose(b.pose.linear, end.translation)
        yield tracker, ends


def known_at(changes, t):
    """Return which features are told at a time; None while they change."""
    touch = changes.told[0].touch
    for one in changes.told[1:]:
        if one.when[0] <= t <= one.when[1]:
            return None
        touch = one.touch if one.when[1] < t else touch
    return touch


def seen(passage, times):
    """Answer for the bodies at many times, one after the other."""
    a, b = (Body(body.mesh) for body in (passage.state.a, passage.state.b))
    tracker = PairTracker(a, b)
    for t in times:
        for body, move in zip((a, b), passage.moves, strict=True):
            points, matrix = move.at(t)
            body.points, body.pose = points, Pose.from_matrix(matrix)
        yield tracker.update()


@pytest.mark.parametrize("seed", range(3))
def test_no_change_is_missed_and_none_is_invented(seed):
    """Against a subdivision of the frame, and on both sides of every change."""
    changed = proven = 0
    for tracker, ends in sweeps(seed, 10):
        passage = tracker.advance(**ends)
        changes = passage.changes
        assert changes.complete == passage.complete == (changes.reason == "")
        if changes.reason not in ("", OVERLAP):
            assert changes.reason.endswith("dented on the way")
            continue
        proven += 1
        changed += len(changes.events)
        beside = [
            (when[0] - 1e-9, when[1] + 1e-9)
            for when in (event.when for event in changes.events)
        ]
        times = sorted([*np.linspace(0, 1, 501)[1:-1].tolist(), *sum(beside, ())])
        for t, state in zip(times, seen(passage, times), strict=True):
            told = known_at(changes, t) if state.distance > 0 else None
            assert told in (None, Touch.of(state)), (t, told)
        for event in changes.events:
            assert event.when[1] - event.when[0] >= 0
            assert event.when[1] - event.when[0] <= 2.0**-40 or changes.reason
            assert event.path or event.jump
        assert list(passage.events) == list(changes.events)
    assert proven > 4
    assert changed > 20


def test_each_change_takes_few_updates():
    for tracker, ends in sweeps(7, 8):
        changes = tracker.advance(**ends).changes
        assert changes.updates <= 12 * (len(changes.events) + 1)


def round_the_end():
    """A tip that goes round the end of a ridge, which turns under it, and back.

    Its nearest point on the line of the ridge is at 0.1 - 2.2 t + 2.2 t^2.
    """
    low = [(x, y, -1.0) for x in (0.0, 1.0) for y in (-0.1, 0.1)]
    ridge = Body(convex_hull([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), *low]), name="ridge")
    over = [(0.5, 0.1, 2.0), (-0.4, 0.5, 2.0), (-0.3, -0.6, 2.2)]
    tip = Body(convex_hull([(0.0, 0.0, 0.0), *over]), name="tip")
    tip.pose = Pose(None, (0.1, -1.0, 3.0))
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return ridge, tip, Pose(quarter), Pose(None, (-1.0, 0.1, 3.0))


def test_a_change_that_is_taken_back_before_the_frame_ends_is_told():
    ridge, tip, turned, beside = round_the_end()
    tracker = PairTracker(ridge, tip, contact_distance=FAR)
    before = tracker.update()
    passage = tracker.advance(pose_a=turned, pose_b=beside)
    assert Touch.of(before) == Touch.of(passage.state)
    assert passage.complete
    whens = [(1.1 + side * sqrt(0.99)) / 2.2 for side in (-1, 1)]
    assert [event.after.kind for event in passage.events] == ["VV", "EV"]
    for event, t in zip(passage.events, whens, strict=True):
        assert event.when[0] - 1e-15 <= t <= event.when[1] + 1e-15
        assert len(event.path) == 2


def test_a_world_tells_it_only_where_it_looks_between_frames():
    told = []
    for between in (False, True):
        ridge, tip, turned, beside = round_the_end()
        world = World([ridge, tip], contact_distance=FAR, between=between)
        world.step()
        ridge.pose, tip.pose = turned, beside
        told.append(list(world.step().events))
    assert told[0] == []
    assert [event.kind for event in told[1]] == ["change", "change"]
    assert all(event.contact == 0 and event.time for event in told[1])
    assert told[1][0].when[1] < told[1][1].when[0]


def test_a_contact_begins_with_the_features_of_its_time():
    """They change before the frame ends: the story of frames names the last only."""
    found = 0
    for tracker, ends in sweeps(20, 12):
        first, last = tracker.state.distance, None
        passage = tracker.advance(**ends)
        last = passage.state.distance
        if passage.touch is not None or last >= first:
            continue
        near = PairTracker(tracker.a, tracker.b, contact_distance=(first + last) / 2)
        for body, move in zip((near.a, near.b), passage.moves, strict=True):
            body.points, body.pose = move.start.copy(), Pose.from_matrix(move.start_map)
        near.update()
        begin, *changes = near.advance(**ends).events
        assert begin.kind == "begin"
        assert {event.kind for event in changes} <= {"change"}
        names = [begin.after]
        for event in changes:
            assert event.when[0] >= begin.when[0]
            assert event.before == names[-1]
            names.append(event.after)
        assert names[-1] == Touch.of(near.state)
        found += len(changes)
    assert found > 3


def test_what_ends_at_once_is_not_proven():
    """A tip above the middle of a square roof: four faces are as near, for a moment."""
    roof = [(x, y, 0.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    tip = [(0.1, 0.2, 2.0), (-0.2, 0.1, 2.0), (0.05, -0.2, 2.0), (0.0, 0.0, 0.0)]
    roof, tip = (Body(convex_hull(x)) for x in ([*roof, (0.0, 0.0, 1.0)], tip))
    tip.pose = Pose(None, (-0.8, 0.03, 1.2))
    tracker = PairTracker(roof, tip, contact_distance=FAR)
    tracker.update()
    beside = tracker.advance(pose_b=Pose(None, (0.8, 0.05, 1.2)))
    assert beside.complete
    kinds = [event.after.kind for event in beside.events]
    assert kinds == ["EV", "VV", "EV", "FV"]
    tip.pose = Pose(None, (-0.8, 0.0, 1.2))
    tracker.update()
    over = tracker.advance(pose_b=Pose(None, (0.8, 0.0, 1.2)))
    assert [event.after.kind for event in over.events] == ["VV", "FV"]
    assert over.changes.reason == "several features changed at once"


def test_faces_that_are_level_to_within_rounding_are_not_proven():
    """Turned by a right angle in floats: a corner is the nearest, by 1e-16."""
    right = Rotation.from_euler("x", 90, degrees=True).as_matrix()
    tilted = Body(shapes.box(), pose=Pose(right, (0.1, 0.2, 1.5)))
    tracker = PairTracker(Body(shapes.box()), tilted, contact_distance=FAR)
    tracker.update()
    round_z = Rotation.from_euler("z", 30, degrees=True).as_matrix()
    passage = tracker.advance(pose_a=Pose(round_z))
    assert passage.events == ()
    assert "level to within rounding" in passage.changes.reason


def test_of_bodies_that_may_not_be_convex_nothing_is_proven():
    ball = shapes.icosphere(1)
    dented = np.array(ball.points)
    dented[0] *= 0.5
    beside = Pose(None, (3.0, 0.2, 0.1))
    for options, ends, why in (
        ({}, {"points_b": dented}, "dented on the way"),
        ({"convexity": "trust"}, {"points_b": dented}, ""),
        ({"convexity": "hull"}, {"pose_b": Pose(None, (3, 0, 0))}, "stands for its"),
    ):
        body = Body(ball, pose=beside, **options)
        tracker = PairTracker(Body(shapes.box()), body)
        tracker.update()
        changes = tracker.advance(**ends).changes
        assert why in changes.reason
        assert changes.complete == (why == "")
    tracker = PairTracker(Body(shapes.box()), Body(shapes.u_block(), pose=beside))
    tracker.update()
    assert "not shown" in tracker.advance(pose_b=Pose(None, (3, 0, 0))).changes.reason


def test_a_body_that_slides_over_another_changes_nothing_until_it_leaves():
    """Level faces: proven where both only shift, for no other features come nearer."""
    tracker = PairTracker(Body(shapes.box()), Body(shapes.box()), contact_distance=2)
    tracker.b.pose = Pose(None, (0.2, 0.1, 1.5))
    tracker.update()
    passage = tracker.advance(pose_b=Pose(None, (0.4, 0.3, 1.5)))
    assert passage.events == ()
    assert passage.complete
    passage = tracker.advance(pose_b=Pose(None, (1.4, 0.3, 1.5)))
    assert [event.after.kind for event in passage.events] == ["EE"]
    (event,) = passage.events
    assert event.when[0] <= 0.6 <= event.when[1]
    assert "as near" in passage.changes.reason


def test_bodies_that_rest_change_nothing():
    tracker = PairTracker(Body(shapes.box()), Body(shapes.box()), contact_distance=1)
    tracker.b.pose = Pose(None, (0.2, 0.1, 1.5))
    tracker.update()
    passage = tracker.advance(pose_b=tracker.b.pose)
    assert passage.complete
    assert passage.changes.updates == 0


def test_what_a_tracker_saw_elsewhere_is_not_taken_for_the_start():
    """Moved twice without an update between: the contact began in the second move."""
    tracker = PairTracker(Body(shapes.box()), Body(shapes.box()))
    tracker.b.pose = Pose(None, (1.0005, 0, 0))
    assert tracker.update().regime == "contact"
    tracker.b.pose = Pose(None, (3.0, 0.1, 0))  # nobody looks
    passage = tracker.advance(pose_b=Pose(None, (1.0005, 0.1, 0)))
    assert [event.kind for event in passage.events] == ["begin"]
    tracker.b.pose = Pose(None, (1.0015, 0.1, 0))  # still held, as nobody saw it leave
    passage = tracker.advance(pose_b=Pose(None, (3.0, 0.1, 0)))
    assert [event.kind for event in passage.events] == ["end"]


def test_half_a_turn_collapses_a_body_on_its_way_and_says_what_helps():
    def ends():
        yield Pose(None, (5.0, 0.0, 0.0))
        yield Pose(np.diag([-1.0, -1.0, 1.0]), (5.0, 0.0, 0.0))

    start, end = ends()
    tracker = PairTracker(Body(shapes.box()), Body(shapes.icosphere(1), pose=start))
    tracker.update()
    passage = tracker.advance(pose_b=end)
    assert passage.touch is None
    assert "t = 0.5" in passage.reason
    assert "path='screw'" in passage.reason
    assert "flat" in passage.changes.reason
    other = Body(shapes.icosphere(1), name="other", pose=start)
    world = World([Body(shapes.box(), name="box"), other], between=True)
    world.step()
    other.pose = end
    (event,) = world.step().events
    assert str(event) == "1 collapsed other"
    assert event.when == (0.5, 0.5)


@pytest.mark.parametrize(
    ("scale", "kind", "when"),
    [
        ((1, 1, -3), "inverted", 0.25),
        ((-1, -1, -3), "inverted", 0.25),  # flat again at 0.5
        ((1, 1, 0), "collapsed", 1.0),
        ((-1, -1, 0), "collapsed", 0.5),
    ],
)
def test_a_body_that_loses_its_volume_says_when(scale, kind, when):
    body = Body(shapes.icosphere(1), name="ball")
    world = World([body, Body(shapes.box(), name="box")], between=True, margin=0.0)
    world.step()
    body.points = body.positions * np.array(scale, float)
    told = {event.kind: event for event in world.step().events}
    lower, upper = told[kind].when
    assert lower <= when <= upper <= lower + 2.0**-40
    body.points = body.mesh.points
    told = {event.kind: event for event in world.step().events}
    back = told["upright" if kind == "inverted" else "expanded"]
    lower, upper = back.when
    assert lower <= upper <= lower + 2.0**-40


def test_both_engines_tell_the_same_changes():
    found = []
    for engine in ("python", "compiled"):
        set_engine(engine)
        try:
            for tracker, ends in sweeps(21, 3):
                changes = tracker.advance(**ends).changes
                found.append(
                    ([(str(e), e.when, e.path) for e in changes.events], changes[1:4])
                )
        finally:
            set_engine("auto")
    assert found[:3] == found[3:]


def test_time_turned_round_or_bodies_exchanged_change_at_the_same_times():
    changed = 0
    for tracker, ends in sweeps(13, 8):
        body = tracker.b
        start = {"pose_b": body.pose, "points_b": body.positions.copy()}
        there = tracker.advance(**ends)
        back = tracker.advance(**start)
        twin = PairTracker(body, tracker.a)
        other = twin.advance(
            pose_a=ends["pose_b"], points_a=ends.get("points_b", body.positions)
        )
        if not there.complete:
            continue
        changed += len(there.events)
        assert back.complete
        assert other.complete
        steps = [(e.before, e.after) for e in there.changes.events]
        assert steps == [(e.after, e.before) for e in back.changes.events[::-1]]
        sides = [(e.after.feature_a, e.after.feature_b) for e in there.changes.events]
        turned = [(e.after.feature_b, e.after.feature_a) for e in other.changes.events]
        assert sides == turned
        for one, two, three in zip(
            there.changes.events,
            back.changes.events[::-1],
            other.changes.events,
            strict=True,
        ):
            assert abs(one.when[0] + two.when[1] - 1) <= 2.0**-39
            assert one.when == three.when
    assert changed > 10
