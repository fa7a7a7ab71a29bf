"""sim.result.state, sim.progress: values travel by pickle, and as copies."""

import copy
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Thread

import numpy as np
import pytest

import sim
import wingedge
from sim import (
    Body,
    PairTracker,
    Pose,
    Recording,
    Story,
    World,
    deform,
    exhaustive,
    laws,
    motion,
    verify,
)
from sim.body.body import CONVEXITY
from wingedge import edits, shapes


def press(**options):
    """Make a ball that is pressed into a table, and is squashed."""
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box(2.0), name="table")
    down = motion.press((0.0, 0.1, 2.2), (0.0, 0.0, 1.6), down=0.2, hold=0.1, up=0.2)
    return World(
        [ball, table],
        motion={"ball": motion.stack(motion.spin((0.1, 0.2, 1.0), 2.0), down)},
        deform={"ball": deform.squash(motion.ramp([0.0, 0.5], [0.0, 0.3]))},
        contact_distance=0.05,
        **options,
    )


def told(world, n):
    """Return all that a run says, to the bit."""
    return [
        (
            frame.index,
            frame.pairs.distance.tobytes(),
            frame.pairs.point_a.tobytes(),
            frame.pairs.normal.tobytes(),
            *map(repr, frame.events),
        )
        for frame in world.run(n)
    ]


def pickled(value):
    return pickle.loads(pickle.dumps(value))


def values(tmp_path):
    """Make one of every public kind of value."""
    world = press()
    with world.record(tmp_path / "run.vtkhdf") as path:
        frames = list(world.run(40))
    tracker = PairTracker(*world.bodies)
    state = tracker.update()
    events = [event for frame in frames for event in frame.events]
    return {
        "Body": world.bodies[0],
        "Event": events[0],
        "Frame": frames[-1],
        "PairState": state,
        "PairTracker": tracker,
        "Pose": Pose(None, (1.0, 2.0, 3.0)),
        "Recording": Recording.open(path),
        "Story": Story.of(frames),
        "World": world,
        "Table": frames[-1].table(),
        "Feature": wingedge.Feature("face", 3),
        "WingedEdgeMesh": world.bodies[0].mesh,
        "Track": tracker.track(poses_a=[Pose(), Pose()]),
        "Passage": tracker.advance(pose_b=Pose(None, (0.0, 0.0, 5.0))),
        "ConvexityReport": wingedge.convexity(world.bodies[0].mesh),
        "MeshError": wingedge.MeshError("edge 12"),
        "ConvexityError": wingedge.ConvexityError("edge 12"),
        "RecordingError": sim.RecordingError("cut off"),
        "motion": [
            motion.still(),
            motion.linear((1.0, 0.0, 0.0)),
            motion.ramp([0.0, 1.0], [0.0, 2.0]),
            motion.waypoints([0.0, 1.0], [(0, 0, 0), (1, 0, 0)]),
            motion.press((0, 0, 1), (0, 0, 0)),
            motion.turn((0, 0, 1), motion.ramp([0.0, 1.0], [0.0, 2.0])),
            motion.spin((0, 0, 1), 1.0),
            motion.stack(motion.still(), motion.spin((0, 0, 1), 1.0)),
        ],
        "deform": [
            deform.affine(np.eye(3)),
            deform.dent(0.1, at=(0, 0, 1), radius=0.3),
            deform.twist(0.2),
            deform.keyframes([0.0, 1.0], [np.zeros((8, 3)), np.ones((8, 3))]),
            deform.stack(deform.squash(0.1), deform.bend(0.2)),
        ],
    }


def test_every_public_class_is_among_the_values_that_travel(tmp_path):
    have = values(tmp_path)
    for package in (sim, wingedge):
        public = {n for n in package.__all__ if isinstance(getattr(package, n), type)}
        assert public <= have.keys(), package


def kinds_of_bodies():
    """Make what is answered about bodies of every kind, after every option."""
    box = shapes.box()
    for kind, handed_out in product(CONVEXITY, (False, True)):
        a, b = (Body(box, name=name, convexity=kind) for name in "ab")
        tracker = PairTracker(a, b, contact_distance=0.1, regions=kind != "hull")
        b.pose = Pose(None, (1.05, 0.0, 0.0))
        touching = tracker.update()
        held = a.points if handed_out else None
        yield a, tracker, touching, touching.contacts, touching.regions
        yield touching.replace(distance=0.5, feature_a=wingedge.Feature("vertex", 0))
        yield a.cover(), a.audit(), a.losses(1.5 * box.points), tracker.explain()
        passage = tracker.advance(pose_b=Pose(None, (0.4, 0.1, 0.0)))
        yield passage, passage.touch, passage.nearest, passage.events, tracker.state
        yield exhaustive(a, b), verify(tracker.state, a, b), passage.proof
        a.replace(*edits.split_edge(box, 0))
        yield held, a, tracker, tracker.update()
    paper = PairTracker(a, Body(box), strategy="paper")
    yield paper.update(), paper
    world = World([Body(box)], law=laws.Affine())
    yield list(world.run(3)), world, world.law.state()


def test_every_value_arrives_and_is_the_same(tmp_path):
    for name, value in [*values(tmp_path).items(), *enumerate(kinds_of_bodies())]:
        for back in (pickled(value), copy.deepcopy(value), copy.copy(value)):
            if name not in ("MeshError", "ConvexityError", "RecordingError"):
                assert repr(back) == repr(value), name


@pytest.mark.parametrize(
    "options",
    [{}, {"margin": 0.5}, {"regions": True}, {"between": True}, {"threads": 2}],
    ids=str,
)
def test_a_copy_of_a_world_steps_on_to_the_same_bits(options):
    world = press(**options)
    told(world, 17)  # in the middle of a contact
    others = copy.deepcopy(world), pickled(world)
    expected = told(world, 23)
    assert any(len(row) > 4 for row in expected), "nothing happened"
    for other in others:
        assert told(other, 23) == expected


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_has_positions_and_a_place_of_its_own(make):
    """A shallow copy shared both, so that a closed body was written to unseen."""
    one, there = Body(shapes.box(1.0)), Pose(None, (7.0, 0.0, 0.0))
    other = make(one)
    other.pose = there
    other.points[...] *= 3.0
    assert one.pose == Pose.identity()
    assert one.positions.max() == 0.5
    one.pose = Pose(None, (4.0, 5.0, 6.0))
    assert other.pose == there
    assert other.transform[:, 3].tolist() == [7.0, 0.0, 0.0]
    assert (other.mesh is one.mesh) == (make is copy.copy)
    world = press()
    expected = told(make(world), 20)
    assert told(world, 20) == expected


def test_a_world_that_is_recorded_says_why_it_is_not_copied(tmp_path):
    world = press()
    with (
        world.record(tmp_path / "run.vtkhdf"),
        pytest.raises(ValueError, match="being recorded"),
    ):
        copy.deepcopy(world)


def test_a_world_that_is_being_stepped_refuses_a_second_step():
    worlds = []

    def asks_again(t):
        if t > 0.0:
            worlds[0].step()
        return Pose()

    worlds.append(World([Body(shapes.box(), name="a")], motion={"a": asks_again}))
    worlds[0].step()
    with pytest.raises(RuntimeError, match="frame 1 of this world is being made"):
        worlds[0].step()


def test_two_threads_never_make_one_frame_twice():
    world, made, refused = press(), [], []

    def steps():
        for _ in range(60):
            try:
                made.append(world.step().index)
            except RuntimeError:
                refused.append(1)

    threads = [Thread(target=steps) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == list(range(len(made)))
    assert len(made) + len(refused) == 120


def test_two_worlds_in_two_threads_give_the_bits_of_one_after_the_other():
    options = {}, {"regions": True}, {"between": True}
    alone = [told(press(**some), 40) for some in options]
    with ThreadPoolExecutor(3) as pool:
        for _ in range(3):
            together = pool.map(lambda some: told(press(**some), 40), options)
            assert list(together) == alone


def test_a_run_has_a_length_and_says_when_nobody_went_through_it():
    run = press().run(5)
    assert len(run) == 5
    next(run)
    assert len(run) == 4 == len(list(run))
    assert len(run) == 0
    with pytest.warns(RuntimeWarning, match=r"world.run\(7\) was never gone through"):
        press().run(np.int64(7))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        press().run(0)


def test_a_recording_that_nobody_began_says_so(tmp_path):
    with pytest.warns(RuntimeWarning, match=r"with world.record\('run.vtkhdf'\): ..."):
        press().record("run.vtkhdf")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world = press()
        with world.record(tmp_path / "run.vtkhdf") as path:
            world.step()
        assert path.exists()


def test_a_copy_times_the_next_events_alike():
    """Its bodies that stayed had other arrays, and were thought to bend: last bits."""
    turn = (0.12573022, -0.13210486, 0.64042265, 0.10490012)
    table = Body(shapes.box(2.0), name="table", pose=Pose.rigid(turn))
    assert table.points.size  # handed out
    fall = motion.linear((-0.10713387, 0.07231901, -59.739), start=(0.1, 0.2, 3.0))
    ball = Body(shapes.icosphere(1), name="ball")
    world = World([ball, table], motion={"ball": fall}, between=True)
    world.step()
    found = [
        [event.when for event in w.step().events] for w in (copy.copy(world), world)
    ]
    assert found[0] == found[1] != []
