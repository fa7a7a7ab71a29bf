import contextlib
import gc
import os
import threading

import pytest

from sim import Body, PairTracker, Pose, set_engine
from sim.engine import build, policy
from sim.engine.policy import ENGINE, Engine
from wingedge import shapes

NO_LLVM = "import sys; sys.modules['llvmlite'] = None\n"
# Forks again and again while a thread loads; tells how every other process ended.
FORKS = """
import os, sys, time
from sim import Body, PairTracker
from sim.engine.policy import ENGINE
from wingedge import shapes
ENGINE.choose("auto")
for k in range(20):
    ENGINE.wait()
    ENGINE._loaded = ENGINE.compiled = ENGINE._key = None
    ENGINE.is_waiting = True
    ENGINE.spend(1.0)
    time.sleep(0.003 * k)
    child = os.fork()
    if not child:
        PairTracker(Body(shapes.box()), Body(shapes.box())).update()
        sys.exit(ENGINE.try_out() or 0 if k % 5 == 0 else 0)  # it can load, too
    end = time.monotonic() + 60.0
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        time.sleep(0.005)
        if time.monotonic() > end:
            os.kill(child, 9)
            sys.exit(f"fork {k} hangs")
    print(ended[1])
"""
EAGER = """
from sim.engine import policy
policy.COMPILING = policy.LOADING = policy.ENGINE._wanted = 1e-9
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
    assert (ENGINE.compiled, ENGINE.is_waiting) == (None, False)
    set_engine("auto")
    assert ENGINE.mode == "auto"
    for name in ["fast", "", "Python"]:
        with pytest.raises(ValueError, match="is not one of auto, python, compiled"):
            set_engine(name)


@pytest.mark.parametrize("enabled", [True, False])
def test_imports_aside_leave_the_collector_as_it_was(enabled):
    before = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        with contextlib.suppress(KeyError), policy.uncollected():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == enabled
    finally:
        gc.enable() if before else gc.disable()


@pytest.mark.compiled
def test_auto_looks_for_compiled_code_when_enough_time_was_spent():
    set_engine("compiled")  # now there is a file
    engine = Engine()
    engine.spend(0.9 * policy.LOADING)
    engine.wait()
    assert engine.compiled is None
    engine.spend(0.2 * policy.LOADING)
    engine.wait()
    assert engine.compiled is not None
    assert not engine.is_waiting


@pytest.mark.compiled
def test_auto_compiles_only_when_that_is_worth_it(monkeypatch, tmp_path):
    monkeypatch.setenv("WINGEDGE_CACHE", str(tmp_path))
    engine = Engine()
    engine.spend(policy.LOADING)
    engine.wait()
    assert engine.compiled is None
    assert engine.is_waiting
    assert list(tmp_path.iterdir()) == []
    asked = []
    monkeypatch.setattr(build, "compile_aside", asked.append)
    engine.spend(0.9 * (policy.COMPILING - policy.LOADING))
    assert asked == []
    engine.expect(policy.COMPILING)
    engine.wait()
    assert asked == [build.fingerprint()]


@pytest.mark.compiled
def test_compiling_aside_lets_the_program_go_on(monkeypatch, tmp_path):
    payload = build.compiled(build.fingerprint())
    monkeypatch.setenv("WINGEDGE_CACHE", str(tmp_path))
    engine = Engine()
    gate = threading.Event()

    def slow(key):
        gate.wait()
        return payload

    monkeypatch.setattr(build, "compile_aside", slow)
    engine.spend(policy.COMPILING)
    engine.wait()
    engine.spend(policy.COMPILING)
    assert engine.is_waiting  # and this line is reached
    gate.set()
    engine.wait()
    assert not engine.is_waiting


def test_python_is_not_overtaken_by_what_was_under_way(monkeypatch):
    engine = Engine()
    monkeypatch.setattr(engine, "_get", lambda compiling: None)
    engine.mode = "python"
    engine._loaded = {}
    engine._take()
    assert engine.compiled is None


def test_without_llvmlite_everything_is_interpreted_and_asking_says_what_to_install(
    run, program
):
    plain = run(program, 200, WINGEDGE_ENGINE="python").stdout.split()
    done = run(NO_LLVM + EAGER + program, 200)
    assert done.stderr == ""
    digest, compiled, *reason = done.stdout.split()
    assert (digest, compiled) == (plain[0], "False")
    assert "wingedge[compiled]" in " ".join(reason)
    done = run(NO_LLVM + "import sim; sim.set_engine('compiled')")
    assert "RuntimeError: the compiled engine cannot be had" in done.stderr
    assert "pip install 'wingedge[compiled]'" in done.stderr


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
    said = run(NO_LLVM + code, WINGEDGE_ENGINE="compiled").stdout
    assert said.count("refused: the compiled engine cannot be had") == 2


def test_an_unknown_engine_in_the_environment_is_named(run, program):
    done = run(program, 1, WINGEDGE_ENGINE="turbo")
    assert "ValueError" in done.stderr
    assert "WINGEDGE_ENGINE is 'turbo'" in done.stderr


@pytest.mark.compiled
def test_an_unwritable_folder_costs_time_and_nothing_else(run, tmp_path, program):
    occupied = tmp_path / "file"
    occupied.touch()
    plain = run(program, 50, WINGEDGE_ENGINE="python").stdout.split()
    done = run(program, 50, WINGEDGE_ENGINE="compiled", WINGEDGE_CACHE=str(occupied))
    assert done.stdout.split() == [plain[0], "True"]


@pytest.mark.compiled
def test_a_compiler_that_dies_leaves_the_kernels_interpreted(run, tmp_path, program):
    broken = "import sim.engine.build as b; b.CHILD = 'import os; os._exit(3)'\n"
    cache = str(tmp_path / "empty")
    plain = run(program, 50, WINGEDGE_ENGINE="python").stdout.split()
    twice = EAGER + broken + program
    done = run(twice, 50, WINGEDGE_CACHE=cache)
    digest, compiled, *reason = done.stdout.split()
    assert (digest, compiled) == (plain[0], "False")
    assert "exit status 3" in " ".join(reason)
    asked = run(broken + "import sim; sim.set_engine('compiled')", WINGEDGE_CACHE=cache)
    assert "RuntimeError" in asked.stderr
    assert "exit status 3" in asked.stderr


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


@pytest.mark.compiled
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_that_is_forked_while_the_engine_loads_ends(run):
    """It hung at its exit: the lock of a thread that it does not have was never free.

    8 of 8 forks during the first second of a program did, as ``multiprocessing`` does.
    """
    build.compiled(build.fingerprint())  # there, so that it is loaded, not compiled
    done = run(FORKS)
    assert (done.stdout.split(), done.stderr) == (["0"] * 20, "")
