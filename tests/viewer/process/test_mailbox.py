import os  # of viewer.process
import subprocess

import pytest

from sim import Body, Pose, World, scenes
from sim.story.compare import difference
from viewer.process import put, take
from wingedge import shapes
from wingedge.edits import split_edge

# Every number of a message, and all that it holds, says which message it is.
PUTTING = """
import sys
from pathlib import Path
import numpy as np
from viewer.process import put
print("ready", flush=True)
for number in range(1, int(sys.argv[2]) + 1):
    said = [number, np.full(9000, float(number)), "said" * (number % 4096)]
    put(Path(sys.argv[1]), said)
sys.stdin.read()
"""


def test_of_ten_thousand_messages_of_another_process_none_is_torn(start, tmp_path):
    writer = start(PUTTING, tmp_path / "a", 10_000, options={"stdin": subprocess.PIPE})
    assert writer.stdout.readline() == "ready\n"
    seen = [0]
    while seen[-1] < 10_000:
        if (message := take(tmp_path / "a")) is None:
            assert writer.poll() is None, "the writer died"
            continue
        number, floats, words = message
        assert floats.min() == floats.max() == number > seen[-1]
        assert words == "said" * (number % 4096)
        seen.append(number)
    writer.communicate(timeout=60)
    assert len(seen) > 20


def few_of_many():
    bodies = [
        Body(shapes.box(), name=f"b{k}", pose=Pose(None, (1.3 * k, 0, 0)))
        for k in range(5)
    ]
    away = {"b2": lambda t: Pose(None, (2.6, 0.0, 3.0 * t))}
    return World(bodies, motion=away, margin=0.5, dt=0.1)


MADE = {"few": few_of_many, **dict.fromkeys(("demo", "squeeze", "stack", "vault"))}


@pytest.mark.parametrize("name", MADE)
def test_every_frame_is_the_same_bit_for_bit_and_what_stays_is_the_same(name, tmp_path):
    path, last = tmp_path / "a", None
    assert take(path) is None
    for frame in (MADE[name] or (lambda: scenes.load(name)))().run(45):
        put(path, frame)
        same = take(path)
        assert take(path) is None
        assert difference(frame, same) == ""
        assert list(map(repr, frame.pairs)) == list(map(repr, same.pairs))
        assert [e.path for e in frame.events] == [e.path for e in same.events]
        for now, then in zip(same.bodies, last.bodies if last else (), strict=False):
            assert now.mesh is then.mesh
            for one, other in zip(same.pairs, last.pairs, strict=False):
                assert (one.a is other.a) == (one.a.name == other.a.name)
        last = same


def test_a_body_may_get_another_mesh(tmp_path):
    jelly = Body(shapes.box(), name="jelly")
    world, path = World([jelly]), tmp_path / "a"
    for _ in range(5):
        put(path, frame := world.step())
        assert difference(frame, take(path)) == ""
        jelly.replace(*split_edge(jelly.mesh, 0))


def test_where_a_file_that_is_read_cannot_be_replaced_it_is_tried_again(
    monkeypatch, tmp_path
):
    tries, replace = [], os.replace

    def busy(*given):
        tries.append(given)
        if len(tries) < 4:
            raise PermissionError
        replace(*given)

    monkeypatch.setattr(os, "replace", busy)
    put(tmp_path / "a", "said")
    assert len(tries) == 4
    assert take(tmp_path / "a") == "said"
