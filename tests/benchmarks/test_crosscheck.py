"""Other engines beside ours: every disagreement is somebody's, and never ours."""

import os
import subprocess
import sys
from math import nan

import pytest
from bench import installed
from crosscheck import (
    AGREE,
    ENGINES,
    OURS,
    THEIRS,
    TIE,
    UNANSWERED,
    PairCheck,
    check,
    compare_times,
    table,
)
from paper import ROOT

from sim import Body, Pose, World, closest, scenes
from wingedge import shapes

THERE = [name for name, kind in ENGINES.items() if installed(kind.package)]
needs_all = pytest.mark.skipif(
    len(THERE) < len(ENGINES), reason=f"of the other engines only {THERE} are there"
)


def boxes(gap, name="b"):
    a = Body(shapes.box(), name="a")
    return a, Body(shapes.box(), name=name, pose=Pose(None, (1.0 + gap, 0.1, 0.2)))


class Says:
    """An engine that says what it is told to."""

    name, resolution = "parrot", 1e-13

    def __init__(self, distance, solid=True):
        self.answer = distance, solid

    def distance(self, a, b):
        if self.answer[0] is None:
            raise RuntimeError("no answer")
        return self.answer

    def free_until(self, *ways):
        return self.answer[0]


@needs_all
def test_in_two_scenes_engines_are_asked_and_none_of_ours_is_wrong():
    command = [sys.executable, "benchmarks/crosscheck.py", "--scenes", "tip", "dent"]
    around = {**os.environ, "PYTHONSAFEPATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=around)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line[:2] == "| "]
    _, _, *counts = rows
    assert [row[0] for row in counts] == [f"| {name}" for name in (*THERE, "ipctk")]
    assert {row[5] for row in counts} == {"0"}, "ours wrong"
    assert int(counts[1][3]) > 0, "FCL is wrong in some frames of tip"
    asked = scenes.length("tip") + scenes.length("dent")
    assert {sum(map(int, row[2:7])) for row in counts[:4]} == {asked}


@needs_all
@pytest.mark.parametrize("rational", [False, True])
def test_a_wrong_answer_in_a_world_is_counted_as_wrong(rational, monkeypatch):
    world = World(boxes(0.5))
    (right,) = check(world, ["coal"], 1, rational=rational)
    monkeypatch.setattr(ENGINES["coal"], "distance", lambda *bodies: (0.6, True))
    (wrong,) = check(world, ["coal"], 1, rational=rational)
    assert (right.verdict, wrong.verdict) == (AGREE, THEIRS)
    assert wrong.off == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("gap", "says", "solid", "verdict"),
    [
        (0.5, 0.5, True, AGREE),
        (0.5, 0.5 + 1e-8, True, THEIRS),
        (0.5, 0.0, False, THEIRS),
        (-0.25, -0.25, True, AGREE),
        (-0.25, -0.3, True, THEIRS),
        (-0.25, 0.0, False, AGREE),
        (-0.25, 0.1, False, THEIRS),
        (0.5, nan, True, UNANSWERED),
        (0.5, None, True, UNANSWERED),
    ],
)
@pytest.mark.parametrize("rational", [False, True])
def test_another_engine_is_judged_by_what_is_proven(
    gap, says, solid, verdict, rational
):
    state = closest(*boxes(gap), exact=True)
    row = PairCheck(state, rational=rational).compare(Says(says, solid))
    assert row.verdict == verdict
    assert row.lower <= row.ours <= row.upper or row.what == "crossing"


@pytest.mark.parametrize("rational", [False, True])
def test_an_answer_of_ours_that_is_wrong_is_called_so(rational):
    state = closest(*boxes(0.5), exact=True)
    wrong = state.replace(distance=0.6, lower=0.6, upper=0.6)
    row = PairCheck(wrong, rational=rational).compare(Says(0.5))
    assert row.verdict == OURS
    assert row.lower - 1e-12 <= 0.5 <= row.upper + 1e-12
    assert table([row])[1] == ["parrot", "distance", *"00010", "0.0e+00"]


def test_one_body_inside_another_is_no_fault_of_an_engine_of_surfaces():
    room, bead = Body(shapes.box(4.0), name="room"), Body(shapes.box(), name="bead")
    case = PairCheck(closest(room, bead, exact=True))
    assert case.state.distance == -2.5
    verdicts = [case.compare(Says(d, False)).verdict for d in (1.5, 1.4)]
    assert verdicts == [AGREE, THEIRS]


def test_two_answers_within_what_is_proven_are_a_tie():
    case = PairCheck(closest(*boxes(-0.25), exact=True))
    case.truth = -0.3, -0.2  # as of dented bodies, whose bounds stay apart
    verdicts = [case.compare(Says(d)).verdict for d in (-0.28, -0.31, -0.19)]
    assert verdicts == [TIE, THEIRS, THEIRS]


@pytest.mark.parametrize(
    ("end", "verdicts"),
    [
        ((0.5, 0.0, 0.0), {0.8 - 1e-4: AGREE, 0.5: THEIRS, 1.0: THEIRS}),  # touch: 0.8
        ((3.0, 3.0, 0.0), {1.0: AGREE, 0.5: THEIRS}),  # they pass
        ((1.5, 0.0, 0.0), {}),  # too short a way to meet: nobody is asked
    ],
)
def test_times_are_judged_by_the_way_itself(end, verdicts):
    way = (3.0, 0.0, 0.0), end
    motion = {"b": lambda t: Pose(None, way[int(t)])}
    last, now = World(boxes(2.0), motion=motion, dt=1.0).run(2)
    case = PairCheck(now.pairs[0])
    for step, verdict in verdicts.items():
        (row,) = compare_times(Says(step), case, last, now)
        assert (row.what, row.theirs, row.verdict) == ("time", step, verdict)
    if not verdicts:
        assert [*compare_times(Says(0.5), case, last, now)] == []
