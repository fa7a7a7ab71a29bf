import subprocess  # of sim.story.file.recorder, sim.story.file.rows
import sys

import numpy as np
import pytest

from sim import Body, Pose, Recording, RecordingError, World, motion, scenes
from sim.story.compare import first_difference
from sim.table import Table
from wingedge import shapes

KILLED = """
import os, signal, sys
from sim import scenes
world = scenes.load(sys.argv[2])
with world.record(sys.argv[1]):
    for frame in world.run(int(sys.argv[3])):
        pass
    os.kill(os.getpid(), signal.SIGKILL)
"""


def record(path, world, n, **options):
    with world.record(path, **options):
        list(world.run(n))


def check_same(one, other):
    with Recording.open(one) as first, Recording.open(other) as second:
        assert first_difference(first, second) is None
        assert first.digest == second.digest


def of_four():
    """Pairs that leave the margin and come back."""
    bodies = [Body(shapes.box(), name=name) for name in "abcd"]
    script = {
        "a": motion.linear((1.5, 0.1, 0.0), start=(-4.0, 0.0, 0.0)),
        "c": motion.linear((0.0, 0.0, 2.0), start=(0.2, 0.0, -6.0)),
        "d": motion.stack(
            motion.spin((0.1, 0.2, 1.0), 3.0),
            motion.linear((0.0, 0.4, 0.0), start=(0.0, -2.0, 0.0)),
        ),
    }
    return World(bodies, motion=script, dt=0.1, margin=0.3, ignore=[("c", "b")])


def of_hulls():
    holed = np.ones((3, 3, 2), bool)
    holed[1, 1, 1] = False
    cup = Body(shapes.polycube(holed), name="cup", convexity="hull")
    ball = Body(shapes.box(0.8), name="ball")
    fall = motion.linear((0.2, 0.1, -2.0), start=(0.1, 0.2, 2.6))
    return World(
        [cup, ball],
        motion={"ball": fall, "cup": motion.spin((0.1, 0.2, 1.0), 1.0)},
        deform={"cup": lambda rest, t: rest * (1.0, 1.0 + 0.2 * t, 1.0)},
    )


LENGTHS = {"tip": 60, "spin": 30, "pass_through": 60, "arch": 45, "knead": 36}
LENGTHS |= {"wring": 45, of_four: 60, of_hulls: 50}


@pytest.mark.parametrize(
    "made", LENGTHS, ids=lambda made: getattr(made, "__name__", made)
)
def test_the_story_over_the_seam_is_the_story_of_an_unbroken_run(tmp_path, made):
    def world():
        return scenes.load(made) if isinstance(made, str) else made()

    whole, parts = tmp_path / "whole.vtkhdf", tmp_path / "parts.vtkhdf"
    length = LENGTHS[made]
    record(whole, world(), length)
    for n in (0, length // 3, 1, length - length // 3 - 1):
        record(parts, world(), n, resume=True)
    check_same(whole, parts)
    with Recording.open(whole) as one, Recording.open(parts) as other:
        costs = [[s.work for f in file for s in f.pairs] for file in (one, other)]
        assert made != "spin" or costs[0] != costs[1], "they are in no digest"
        assert made != of_four or {len(frame.pairs) for frame in one} > {0, 1}
        if made == of_hulls:
            rows = Table.stacked(frame.table() for frame in other)
            assert other.table().to_csv() == rows.to_csv()
            *_, frame = world().run(40)
            live, kept = frame.pairs[0], other[39].pairs[0]
            assert (kept.hulls[0] == live.hulls[0]).all()
            assert kept.hulls[1] is live.hulls[1] is None


def test_what_a_kill_left_is_resumed(tmp_path):
    whole, parts = tmp_path / "whole.vtkhdf", tmp_path / "parts.vtkhdf"
    record(whole, scenes.load("tip"), 60)
    command = [sys.executable, "-c", KILLED, str(parts), "tip", "45"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == -9
    record(parts, scenes.load("tip"), 15, resume=True)
    check_same(whole, parts)
    assert {path.name for path in tmp_path.iterdir()} == {whole.name, parts.name}


def test_a_resumed_body_is_where_it_was_and_as_open(tmp_path):
    path = tmp_path / "run.vtkhdf"
    for k in range(3):
        ball = Body(shapes.icosphere(1), name="ball")
        world = World([ball, Body(shapes.box(), name="box")])
        with world.record(path, resume=True, notes={f"part {k}": k}):
            assert world.index == 2 * k
            assert ball.is_open == (k > 1)
            assert ball.pose.translation[0] == float(k)
            ball.pose = Pose(None, (k + 1.0, 0.0, 0.0))
            if k:
                ball.points[0] *= 1.1
            list(world.run(2))
    with Recording.open(path) as recording:
        assert recording.notes == {"part 0": 0, "part 1": 1, "part 2": 2}
        assert recording.replay().digest == recording.digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dt": 0.1}, "its dt is"),
        ({"margin": 1.0}, "its margin is None, not 1.0"),
        ({"mesh": shapes.box(1.5)}, "body 'a' has another mesh"),
        ({"convexity": "trust"}, "body 'a' was made with other options"),
        ({"name": "z"}, "its bodies are a, b, not z, b"),
    ],
)
def test_another_run_is_refused_and_nothing_has_changed(tmp_path, change, words):
    def world(*, mesh=None, name="a", convexity="surface", **options):
        first = Body(mesh or shapes.box(), name=name, convexity=convexity)
        second = Body(shapes.box(), name="b", pose=Pose(None, (3.0, 0.0, 0.0)))
        return World([first, second], **options)

    path = tmp_path / "run.vtkhdf"
    record(path, world(), 3)
    before = path.read_bytes()
    other = world(**change)
    with pytest.raises(RecordingError, match="is of another run") as caught:
        record(path, other, 1, resume=True)
    assert words in str(caught.value)
    assert path.read_bytes() == before
    assert other.index == 0
    assert [file.name for file in tmp_path.iterdir()] == ["run.vtkhdf"]


def test_a_world_that_is_elsewhere_is_refused(tmp_path):
    path = tmp_path / "run.vtkhdf"
    record(path, scenes.load("tip"), 10)
    world = scenes.load("tip")
    list(world.run(4))
    with pytest.raises(RecordingError, match=r"by a world that was stepped to frame 4"):
        record(path, world, 1, resume=True)
