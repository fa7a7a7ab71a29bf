import sys  # of sim.world, sim.scripts
import threading
from contextlib import suppress

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, Recording, World, deform, exhaustive, motion
from wingedge import edits, shapes

SOURCES = (
    "sim/world.py",
    "sim/scripts.py",
    "laws/runner.py",
    "body/body.py",
    "body/judged.py",
)


def two(**options):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    fall = motion.linear((0.0, 0.0, -3.0), start=(0.0, 0.0, 2.0))
    return World([ball, table], **{"motion": {"ball": fall}, **options})


def crowd(**options):
    """Build nine prisms on their way through each other."""
    bodies, scripts = [], {}
    for k in range(9):
        name = f"ball{k}"
        start = (k % 3 * 3.0, k // 3 * 3.0, 0.3 * k)
        bodies.append(Body(shapes.prism(5 + k % 2), name=name))
        speed = (3.0 - start[0], 2.0 - start[1], 0.2)
        scripts[name] = motion.stack(
            motion.spin((1.0, k, 2.0), 1.0), motion.linear(speed, start=start)
        )
    return World(bodies, **{"motion": scripts, "dt": 0.05, **options})


def told(frames):
    return [str(event) for frame in frames for event in frame.events]


def bits(frame):
    return [(s.a.name, s.b.name, s.regime, s.numbers) for s in frame.pairs]


def test_the_first_frame_is_at_time_zero_and_a_run_goes_on_as_it_is_asked_for():
    world = two(dt=0.25)
    frames = [world.step(), *world.run(2)]
    assert [(f.index, f.time) for f in frames] == [(0, 0.0), (1, 0.25), (2, 0.5)]
    assert (world.index, world.time) == (3, 0.75)
    assert world.body("ball").pose == Pose(None, (0.0, 0.0, 0.5))
    world, other = two(), two()
    parts = [*world.run(10), *world.run(0), world.step(), *world.run(9)]
    assert [f.index for f in parts] == list(range(20))
    assert told(parts) == told(other.run(20))
    world = two()
    run = world.run(5)
    assert world.index == 0
    next(run)
    assert world.index == 1


def test_numbers_of_frames_and_names_are_checked_and_one_body_has_no_pairs():
    for n in [-1, 1.5, True, "3"]:
        with pytest.raises(ValueError, match="number of frames"):
            two().run(n)
    for name in ["", "a/b", "a\nb", "a -> b"]:
        with pytest.raises(ValueError, match="cannot be called"):
            World([Body(shapes.box(), name=name)])
    for count in [0, 1]:
        world = World([Body(shapes.box()) for _ in range(count)])
        assert [frame.pairs for frame in world.run(2)] == [(), ()]


def test_a_body_without_a_script_stays_and_pairs_may_be_ignored():
    world = two(motion={})
    first = world.step().pairs[0].distance
    world.body("ball").transform[:, 3] = (0.0, 0.0, 5.0)
    assert world.step().pairs[0].distance == pytest.approx(first + 5.0, abs=1.1)
    bodies = [Body(shapes.box(), name=name) for name in "abc"]
    world = World(bodies, ignore=[("b", "a")])
    assert world.ignores("a", "b")
    assert world.ignores("b", "a")
    assert not world.ignores("a", "c")
    with pytest.raises(ValueError, match="there is no body 'd'"):
        world.ignores("a", "d")


def test_a_deformation_is_copied_and_gets_the_rest_shape_read_only():
    mine = shapes.icosphere(1).points * 0.5
    world = two(deform={"ball": lambda rest, t: mine})
    frame = world.step()
    body = world.body("ball")
    assert not body.is_open
    assert not np.shares_memory(body.positions, mine)
    assert np.array_equal(frame.body("ball").points, mine)
    seen = []
    world = two(deform={"ball": lambda rest, t: seen.append((rest, t)) or rest})
    list(world.run(2))
    assert all(rest is world.body("ball").mesh.points for rest, _ in seen)
    assert not seen[0][0].flags.writeable
    assert [t for _, t in seen] == [0.0, 1 / 60]


class Stop(Exception):
    pass


@pytest.mark.parametrize("script", ["motion", "deform"])
def test_what_a_script_raises_itself_goes_through_unchanged(script):
    def stop(*arguments):
        raise Stop("enough")

    with pytest.raises(Stop, match="enough") as raised:
        two(**{script: {"ball": stop}}).step()
    assert type(raised.value) is Stop
    assert str(raised.value) == "enough"
    assert raised.value.__notes__ == [f"raised by {script}['ball'] for frame 0, time 0"]


def test_a_frame_that_failed_can_be_asked_for_again():
    trouble = [ValueError("not now")]

    def hesitate(t):
        if t > 0.1 and trouble:
            raise trouble.pop()
        return fall(t)

    fall = motion.linear((0.0, 0.0, -3.0), start=(0.0, 0.0, 2.0))
    world, other = two(motion={"ball": hesitate}), two()
    frames = []
    while len(frames) < 20:
        try:
            frames.append(world.step())
        except ValueError:
            assert world.index == len(frames) == 7
    expected = list(other.run(20))
    assert told(frames) == told(expected) != []
    assert list(map(bits, frames)) == list(map(bits, expected))


def test_pairs_come_in_the_order_of_the_bodies_and_are_as_the_oracle_says():
    world = crowd(ignore=[("ball8", "ball0"), ("ball1", "ball2")])
    pairs = [(s.a.name, s.b.name) for s in world.step().pairs]
    every = [(f"ball{i}", f"ball{j}") for i in range(9) for j in range(i + 1, 9)]
    left_out = {("ball0", "ball8"), ("ball1", "ball2")}
    assert pairs == [pair for pair in every if pair not in left_out]
    for frame in crowd().run(8):
        for state in frame.pairs:
            if frame.index == 7:
                truth = exhaustive(state.a, state.b)
                slack = 1e-9 * abs(truth.distance) + 1e-13 * truth.size
                assert abs(state.distance - truth.distance) <= slack


def test_threads_leave_nothing_behind_when_one_of_them_fails():
    world = crowd(threads=4)
    world.step()
    world.body("ball4").points[5, 0] = np.nan
    with pytest.raises(ValueError, match="'ball4', frame 1: vertex v5"):
        world.step()
    before = world.body("ball3").positions.copy()
    assert world.index == 1
    assert np.array_equal(world.body("ball3").positions, before)
    del world
    assert threading.active_count() < 20


@pytest.mark.parametrize("margin", [0.0, 0.2, 1.0])
def test_a_margin_leaves_out_what_is_farther_and_changes_nothing_else(margin):
    every, near = list(crowd().run(40)), list(crowd(margin=margin).run(40))
    assert told(near) == told(every) != []
    for frame, full in zip(near, every, strict=True):
        assert [s.distance for s in frame.pairs] == [
            s.distance for s in full.pairs if s.distance <= margin
        ]
    assert sum(len(f.pairs) for f in near) < sum(len(f.pairs) for f in every)


def test_a_contact_ends_even_if_its_bodies_jump_far_apart():
    way = motion.waypoints((0.0, 1.0), [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
    jump = lambda t: way(t) if t < 3.0 else Pose(None, (500.0, 0.0, 0.0))  # noqa: E731
    a = Body(shapes.box(), name="a")
    b = Body(shapes.box(), name="b", pose=Pose(None, (1.0, 0.0, 0.0)))
    world = World([a, b], motion={"a": jump}, dt=1.0, margin=0.1)
    frames = list(world.run(6))
    assert told(frames) == ["0 begin a/b FF f5 f4", "3 end a/b FF f5 f4"]
    assert [len(frame.pairs) for frame in frames] == [1, 1, 1, 0, 0, 0]
    (end,) = frames[3].events
    assert end.state.distance == 498.0


def test_a_margin_does_not_hide_a_contact_and_holding_twice_is_holding_once():
    world = two(margin=0.0, contact_distance=0.3)
    assert told(world.run(30)) == told(two(contact_distance=0.3).run(30)) != []
    world = two()
    for name in ("table", "ball", "table"):
        world.hold(name)
    assert world.held == ("ball", "table")
    world.let_go("table")
    assert world.held == ("ball",)


def kneaded():
    return two(deform={"ball": deform.scale(lambda t: 1.0 + 0.1 * t)})


def test_a_held_body_is_where_and_what_the_caller_makes_it():
    world = kneaded()
    world.step()
    world.hold("ball")
    assert world.held == ("ball",)
    body = world.body("ball")
    body.pose = Pose(None, (0.0, 0.0, 1.4))
    body.points = 0.5 * body.mesh.points
    frame = world.step()
    assert frame.body("ball").pose == Pose(None, (0.0, 0.0, 1.4))
    assert (frame.body("ball").points == 0.5 * body.mesh.points).all()
    assert frame.pair("ball", "table").distance == exhaustive(*world.bodies).distance
    assert (frame.index, frame.time) == (1, 1 / 60)


def test_a_script_that_stood_still_goes_on_where_it_was():
    world, free = kneaded(), kneaded()
    before = [*world.run(5)]
    world.hold("ball")
    world.body("ball").pose = Pose(None, (9.0, 0.0, 9.0))
    held = [*world.run(7)]
    world.let_go("ball")
    after = [*world.run(5)]
    unheld = [*free.run(10)]
    assert [f.index for f in before + held + after] == list(range(17))
    assert all(f.body("ball").pose.translation[0] == 9.0 for f in held)
    for mine, other in zip(before + after, unheld, strict=True):
        assert mine.body("ball").pose == other.body("ball").pose
        assert (mine.body("ball").points == other.body("ball").points).all()


def test_what_cannot_be_held_or_let_go_is_named():
    world = two()
    with pytest.raises(KeyError, match=r"no body 'bal'; it has ball, table"):
        world.hold("bal")
    with pytest.raises(KeyError, match="no body 'bal'"):
        world.let_go("bal")
    with pytest.raises(ValueError, match="'ball' is not held; held is no body"):
        world.let_go("ball")
    world.hold("table")
    with pytest.raises(ValueError, match="'ball' is not held; held is table"):
        world.let_go("ball")
    assert world.held == ("table",)


def test_a_frame_that_failed_is_no_frame_in_which_a_script_stood_still():
    world = kneaded()
    world.step()
    world.hold("ball")
    body = world.body("ball")
    body.points[3] = np.nan
    with pytest.raises(ValueError, match="vertex v3"):
        world.step()
    body.points[...] = body.mesh.points
    world.step()
    world.let_go("ball")
    assert world.step().body("ball").pose == Pose(None, (0.0, 0.0, 2.0 - 3.0 / 60))


def test_a_recording_with_a_held_body_is_resumed_as_if_it_had_not_been_left(tmp_path):
    def handled(world, first, last):
        world.hold("ball")
        for k in range(first, last):
            body = world.body("ball")
            x, y, _ = body.pose.translation
            body.pose = Pose(None, (x + 0.05, y, max(1.3, 2.0 - 0.1 * k)))
            body.points = body.mesh.points * (1.0 - 0.01 * k)
            world.step()

    whole, parts = tmp_path / "whole.vtkhdf", tmp_path / "parts.vtkhdf"
    world = kneaded()
    with world.record(whole):
        handled(world, 0, 16)
    for first, last in ((0, 9), (9, 16)):
        world = kneaded()
        with world.record(parts, resume=True):
            handled(world, first, last)
    with Recording.open(whole) as one, Recording.open(parts) as other:
        assert one.digest == other.digest
        assert one.replay().digest == one.digest
        assert [str(event) for event in one.events] != []


@pytest.mark.parametrize("word", ["surface", "hull"])
def test_poses_are_one_array_that_bodies_and_their_trackers_share(word):
    ball = Body(shapes.icosphere(1), name="ball", convexity=word)
    tools = ball, Body(shapes.box(), name="box")
    tracker = PairTracker(*tools, regions=word == "surface", contact_distance=3.0)
    tracker.update()
    world = World(tools)
    world.poses[0, :, 3] = (0.0, 0.0, 3.0)
    assert tools[0].pose.translation.tolist() == [0.0, 0.0, 3.0]
    frame = world.step()
    state = tracker.update()
    assert frame.pairs.distance.tolist() == [state.distance] == [1.5]
    assert [region.distance for region in state.regions] == [1.5] * (
        tracker._regions is not None
    )
    tools[0].pose = Pose(None, (0.0, 0.0, 4.0))
    assert world.poses[0, 2, 3] == 4.0
    assert frame.body("ball").pose.translation.tolist() == [0.0, 0.0, 3.0], "as it was"
    assert world.step().pairs.distance.tolist() == [tracker.update().distance]


def test_a_pose_that_is_none_is_named_with_its_frame_and_can_be_put_right():
    world = two(motion={})
    before = world.step()
    good = world.poses.copy()
    for wrong, why in ((np.nan, "not finite"), (0.0, "determinant 0"), (1e70, "limit")):
        world.poses[0, 0, :3] = wrong
        with pytest.raises(ValueError, match=rf"body 'ball'.*{why}"):
            world.step()
        world.poses[...] = good
    assert world.step().pairs.numbers.tolist() == before.pairs.numbers.tolist()


def test_bodies_are_of_the_world_that_was_made_last():
    """A cell of a notebook may be run again; the world of before says what happened."""
    ball, table = Body(shapes.icosphere(1), name="ball"), Body(shapes.box(), name="box")
    first = World([ball, table])
    first.step()
    second = World([ball, table])
    second.poses[0, 2, 3] = 3.0
    assert second.step().pairs[0].distance > 1.0
    with pytest.raises(ValueError, match="body 'ball' was given to another world"):
        first.step()
    assert World([ball, table]).step().pairs[0].distance > 1.0


def dent(body):
    body.points = body.mesh.points * np.where(np.arange(42) == 0, 0.1, 1.0)[:, None]


def dent_openly(body):
    body.points[0] *= 0.1


def split(body):
    body.replace(*edits.split_edge(body.mesh, 7))
    body.points *= 1.1


@pytest.mark.parametrize("change", [dent, dent_openly, split])
def test_what_changes_a_body_after_frames_without_a_change_is_noticed(change):
    """Its proof, its snapshot, its mesh; a ball looks into the dent."""
    ball, other = Body(shapes.icosphere(1), name="ball"), Body(shapes.box(), name="box")
    world = World([ball, other], margin=9.0)
    tip = ball.mesh.points[0].copy()
    for _ in range(3):
        other.pose = Pose(translation=2.0 * tip)
        world.step()
    change(ball)
    alone = PairTracker(ball, other)
    for _ in range(3):  # a tracker of the pair answers at first
        frame, state = world.step(), alone.update()
        assert frame.pairs.distance[0] == pytest.approx(state.distance, abs=1e-14)
    assert frame.body("ball").points.tolist() == ball.positions.tolist()
    assert frame.body("ball").mesh is ball.mesh
    assert frame.pairs[0].mesh_a is ball.mesh


def test_whole_numbers_of_numpy_are_whole_numbers():
    world = World([Body(shapes.box()), Body(shapes.box())], threads=np.int32(1))
    assert len(list(world.run(np.int64(3)))) == 3
    with pytest.raises(ValueError, match=r"threads=2\.5 must be a whole number"):
        World([], threads=2.5)


def shown(frame):
    answer = frame.pairs[0]
    return answer.proof, answer.distance, frame.body("ball").pose.translation[2]


def kept(rest, t):
    return rest


def narrow(rest, t):  # numbers of another type: they are looked at in Python
    return rest.astype(np.float32)


class Sinking:
    """A law: the ball goes down."""

    def advance(self, bodies, frame, dt):
        x, y, z = bodies["ball"].pose.translation
        return {"ball": Pose(None, (x, y, z - 0.25))}

    state = dict

    def restore(self, arrays):
        assert not arrays


@pytest.mark.parametrize(
    "options",
    [
        {"deform": {"ball": kept}},
        {"deform": {"ball": narrow}},
        {"motion": {}, "law": Sinking()},
    ],
    ids=["kept", "narrow", "law"],
)
def test_a_step_is_what_it_was_after_an_interrupt_of_it_at_any_line(options):
    """The world was "being made already"; positions that stay counted as new ones.

    Bodies were put back by a law though the frame was taken.
    """
    alone = [shown(frame) for frame in two(**options).run(3)]
    at, seen = 0, 1
    while seen >= at:
        at, seen = at + 1, 0
        world = two(**options)
        world.step()

        def trace(frame, event, arg, at=at):
            nonlocal seen
            counts = event in ("line", "call")
            seen += counts and frame.f_code.co_filename.endswith(SOURCES)
            if counts and seen == at:
                raise KeyboardInterrupt
            return trace

        with suppress(KeyboardInterrupt):
            sys.settrace(trace)
            world.step()
        sys.settrace(None)
        again = [shown(frame) for frame in world.run(3 - world.index)]
        assert again == alone[-len(again) :], f"line {at}"
    assert at > 50


def test_a_world_of_a_million_pairs_warns_and_says_what_leaves_out_far_ones():
    mesh = shapes.tetrahedron()
    bodies = [Body(mesh, name=f"b{k}") for k in range(1500)]
    with pytest.warns(UserWarning, match=r"for 1124250 pairs; margin=LENGTH"):
        World(bodies)
    World(bodies, margin=0.1)
