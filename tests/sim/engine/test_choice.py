"""sim.engine.library, sim.calls: whatever fails is slower and nothing else."""

import os

import pytest

from sim import Body, PairTracker, Pose, set_engine
from sim.engine.library import ENGINE
from wingedge import shapes

NONE = """
from sim.engine import library
def none():
    raise library.NoCompiledKernels("none came with it")
library.linked = none
"""


def states(tracker, body, frames):
    for k in frames:
        body.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0 + 0.01 * k), (0.0, 0.2, 2.2))
        yield tracker.update().numbers


@pytest.mark.compiled
def test_an_engine_may_change_between_two_frames():
    a, b, c = Body(shapes.box()), Body(shapes.box()), Body(shapes.box())
    tracker, other = PairTracker(a, b), PairTracker(a, c)
    set_engine("python")
    expected = list(states(other, c, range(40)))
    found = []
    for k in range(40):
        set_engine("compiled" if k % 3 else "python")
        assert (ENGINE.compiled is None) == (k % 3 == 0)
        found += states(tracker, b, [k])
    assert found == expected


def test_there_are_three_engines_two_of_them_always():
    set_engine("python")
    assert ENGINE.compiled is None
    set_engine("auto")
    assert ENGINE.mode == "auto"
    for name in ["fast", "", "Python"]:
        with pytest.raises(ValueError, match="is not one of auto, python, compiled"):
            set_engine(name)


@pytest.mark.compiled
def test_auto_takes_the_machine_code_from_the_first_frame_on(run, program):
    auto = run(program, 50, WINGEDGE_ENGINE="auto").stdout.split()
    plain = run(program, 50, WINGEDGE_ENGINE="python").stdout.split()
    assert (auto[0], auto[1:], plain[1:]) == (plain[0], ["True"], ["False"])


def test_without_machine_code_everything_is_interpreted(run, program):
    plain = run(program, 200, WINGEDGE_ENGINE="python").stdout.split()
    done = run(NONE + program, 200)
    digest, compiled, *reason = done.stdout.split()
    assert (digest, compiled) == (plain[0], "False")
    assert "none came with it" in " ".join(reason)
    assert done.stderr == "", "a short program hears nothing"


def test_after_two_seconds_of_interpreted_work_one_line_says_so(run):
    code = """
from sim import Body, PairTracker, Pose, set_engine
from sim.engine.library import ENGINE, PATIENCE
from wingedge import shapes
a, b = Body(shapes.icosphere(2)), Body(shapes.icosphere(2))
tracker = PairTracker(a, b)
def work():
    b.pose = Pose(None, (0.0, 0.0, 3.0 + b.pose.translation[2] % 1.0))
    tracker.reset()
    tracker.update()
set_engine("python")
work()
assert ENGINE.worked == 0.0, "it was asked for"
set_engine("auto")
while ENGINE.worked <= PATIENCE:
    work()
    print("at work", flush=True)
for _ in range(20):
    work()
"""
    done = run(NONE + code)
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert "kernels are interpreted, some 100 times slower: none came with it" in line
    assert "python -m sim.engine.link" in line


def test_asking_for_machine_code_that_is_not_there_says_why(run):
    done = run(NONE + "import sim; sim.set_engine('compiled')")
    assert "RuntimeError: the compiled engine cannot be had: none came" in done.stderr


@pytest.mark.compiled
def test_the_environment_chooses_until_the_program_does(run, program):
    assert run(program, 3, WINGEDGE_ENGINE="compiled").stdout.split()[1] == "True"
    chosen = "import sim; sim.set_engine('python')\n" + program
    assert run(chosen, 3, WINGEDGE_ENGINE="compiled").stdout.split()[1] == "False"


def test_an_environment_that_cannot_be_obeyed_is_said_every_time(run):
    code = """
from sim import Body, PairTracker
from wingedge import shapes
for _ in range(2):
    try:
        PairTracker(Body(shapes.box()), Body(shapes.box()))
    except RuntimeError as error:
        print("refused:", error)
"""
    said = run(NONE + code, WINGEDGE_ENGINE="compiled").stdout
    assert said.count("refused: the compiled engine cannot be had") == 2


def test_an_unknown_engine_in_the_environment_is_named(run, program):
    done = run(program, 1, WINGEDGE_ENGINE="turbo")
    assert "ValueError" in done.stderr
    assert "WINGEDGE_ENGINE is 'turbo'" in done.stderr


@pytest.mark.compiled
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_keeps_its_engine(run, program):
    code = (
        "import os, sim; sim.set_engine('compiled')\n"
        "pid = os.fork()\nif pid: os.waitpid(pid, 0)\n" + program
    )
    lines = run(code, 20).stdout.split("\n")
    assert lines[0] == lines[1]
    assert lines[0].split()[1] == "True"
