"""sim.between.told: changes between two frames, timed when that is read."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, World
from sim.between import told as way
from sim.events.touch import Touch
from wingedge import convex_hull, edits, shapes

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


@pytest.mark.parametrize("seed", range(3))
def test_a_change_lies_in_its_interval(seed):
    """The old features are the closest where it begins, and others where it ends."""
    timed = 0
    for tracker, ends in sweeps(seed, 10):
        before = Touch.of(tracker.state)
        passage = tracker.advance(**ends)
        told = Touch.of(passage.state)
        assert [(e.kind, e.before, e.after) for e in passage.events] == [
            ("change", before, told)
        ] * (before != told)
        for event in passage.events:
            if event.when == way.WHOLE:  # they overlap, and history chose the names
                assert passage.state.distance < 0
                continue
            lower, upper = event.when
            assert upper - lower == way.NARROW
            assert Touch.of(passage.at(lower)) == before != Touch.of(passage.at(upper))
            timed += 1
    assert timed > 5


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


def test_a_name_that_comes_and_goes_within_the_frame_is_not_told():
    ridge, tip, turned, beside = round_the_end()
    tracker = PairTracker(ridge, tip, contact_distance=FAR)
    before = tracker.update()
    passage = tracker.advance(pose_a=turned, pose_b=beside)
    assert Touch.of(passage.at(0.5)) != Touch.of(before) == Touch.of(passage.state)
    assert passage.events == ()


def slid(**options):
    """A ball that slides over a box, three frames; its last frame has a change."""
    box = Body(shapes.box(), name="box")
    body = Body(shapes.random_hull(7), name="ball", pose=Pose(None, (1.7, 0.3, 0.1)))
    world = World([box, body], contact_distance=2.0, between=True, **options)
    for place in ((1.7, 0.3, 0.1), (1.65, 0.5, 0.2), (1.6, 0.9, 0.33)):
        body.pose = Pose(None, place)
        frame = world.step()
    return world, frame


def test_an_event_answers_for_its_own_frame_however_late_it_is_read():
    """The bodies went on, bent, and one has another mesh."""
    world, frame = slid()
    (event,) = frame.events
    wanted = slid()[1].events[0].when
    body = world.body("ball")
    body.points = body.positions * 1.3
    body.pose = Pose(None, (9.0, 0.0, 0.0))
    world.step()
    body.replace(*edits.split_edge(body.mesh, 0))
    world.step()
    assert event.when == wanted


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
