"""Other engines beside ours: every disagreement is somebody's, and never ours."""

from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pytest

from sim import Body, Pose, World, closest, crosscheck, scenes
from sim.peers import crosscheck as module
from sim.peers.crosscheck import ENGINES, PairCheck
from sim.peers.engines import PeerDistance
from sim.peers.report import AGREE, OURS, THEIRS, TIE, UNANSWERED, UNDECIDED, CrossCheck
from sim.peers.times import compare_times
from wingedge import shapes


def is_there(name):
    try:
        return bool(version(ENGINES[name].package))
    except PackageNotFoundError:
        return False


THERE = [name for name in ENGINES if is_there(name)]
needs_all = pytest.mark.skipif(
    len(THERE) < len(ENGINES), reason=f"of the extra 'bridges' only {THERE} are there"
)


@needs_all
@pytest.mark.parametrize("name", scenes.names())
def test_in_every_scene_every_disagreement_is_attributed_and_none_is_ours(name):
    world = scenes.load(name)
    found = crosscheck(world, THERE, scenes.length(name))
    assert len(found) >= scenes.length(name)
    assert [str(row) for row in found if row.verdict in (OURS, UNDECIDED)] == []
    for row in found.disagreements:
        assert row.verdict in (THEIRS, TIE), row
        assert row.what == "time" or row.certified


def boxes(gap, name="b"):
    a = Body(shapes.box(), name="a")
    return a, Body(shapes.box(), name=name, pose=Pose(None, (1.0 + gap, 0.1, 0.2)))


class Says:
    """An engine that says what it is told to."""

    name, resolution = "parrot", 1e-13

    def __init__(self, distance, solid=True):
        self.answer = PeerDistance(distance, solid)

    def distance(self, a, b):
        if self.answer.distance is None:
            raise RuntimeError("no answer")
        return self.answer


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
        (0.5, float("nan"), True, UNANSWERED),
        (0.5, None, True, UNANSWERED),
    ],
)
@pytest.mark.parametrize("rational", [False, True])
def test_another_engine_is_judged_by_what_is_proven(
    gap, says, solid, verdict, rational
):
    state = closest(*boxes(gap), exact=True)
    (row,) = PairCheck(state, rational=rational).compare(Says(says, solid))
    assert row.verdict == verdict
    assert row.exact is rational
    assert row.lower <= row.ours <= row.upper or row.what == "crossing"


@pytest.mark.parametrize("rational", [False, True])
def test_an_answer_of_ours_that_is_wrong_is_called_so(rational):
    state = closest(*boxes(0.5), exact=True)
    wrong = state.replace(distance=0.6, lower=0.6, upper=0.6)
    (row,) = PairCheck(wrong, rational=rational).compare(Says(0.5))
    assert row.verdict == OURS
    assert row.lower - 1e-12 <= 0.5 <= row.upper + 1e-12
    (agreed,) = PairCheck(state, rational=rational).compare(Says(0.5))
    assert agreed.verdict == AGREE


def test_one_body_inside_another_is_no_fault_of_an_engine_of_surfaces():
    room, bead = Body(shapes.box(4.0), name="room"), Body(shapes.box(), name="bead")
    case = PairCheck(closest(room, bead, exact=True), rational=False)
    assert case.state.distance == -2.5
    verdicts = [case.compare(Says(d, False))[0].verdict for d in (1.5, 1.4)]
    assert verdicts == [AGREE, THEIRS]


def found_time(found):
    (time,) = (row.theirs for row in found if row.what == "time")
    return time


@needs_all
def test_names_and_times_are_asked_of_ipctk():
    a, b = boxes(0.0, "b")
    b = Body(shapes.icosphere(1), name="b")
    way = [Pose(None, (x, 0.1, 0.05)) for x in (2.5, 1.9, 1.2, 2.0)]
    world = World([a, b], motion={"b": lambda t: way[int(t)]}, dt=1.0)
    found = crosscheck(world, "ipctk", 4)
    told = [(row.frame, row.what, row.verdict) for row in found if row.what != "names"]
    assert told == [
        (0, "distance", AGREE),
        (1, "distance", AGREE),
        (2, "crossing", AGREE),
        (2, "time", AGREE),
        (3, "distance", AGREE),
    ]
    names = [row for row in found if row.what == "names"]
    assert [row.frame for row in names] == [0, 1, 3]
    assert {row.verdict for row in names} == {AGREE}
    table = found.table()
    assert len(table) == len(found)
    assert table["frame"].tolist() == [row.frame for row in found]
    (place, *_) = np.flatnonzero(table["what"] == "names")
    assert np.isnan(table["ours"][place])
    assert table["names_ours"][place] == names[0].ours
    assert table["theirs"][table["what"] == "time"].tolist() == [found_time(found)]
    (when,) = (row for row in found if row.what == "time")
    assert when.lower == pytest.approx(0.4 / 0.7, abs=0.02)
    assert when.ours - 1e-3 <= when.theirs <= when.upper


class Steps:
    """An engine that calls a step of so much free."""

    name = "parrot"

    def __init__(self, step):
        self.step = step

    def free_until(self, *ways):
        return self.step


@pytest.mark.parametrize(
    ("end", "verdicts"),
    [
        ((0.5, 0.0, 0.0), {0.8 - 1e-4: AGREE, 0.5: THEIRS, 1.0: THEIRS}),  # touch: 0.8
        ((3.0, 3.0, 0.0), {1.0: AGREE, 0.5: THEIRS}),  # they pass
        ((1.5, 0.0, 0.0), {}),  # too short a way to meet: nobody is asked
    ],
)
def test_times_are_judged_by_the_proof_of_the_way(end, verdicts):
    way = (3.0, 0.0, 0.0), end
    motion = {"b": lambda t: Pose(None, way[int(t)])}
    last, now = World(boxes(2.0), motion=motion, dt=1.0).run(2)
    (state,) = now.pairs
    for step, verdict in verdicts.items():
        (row,) = compare_times(Steps(step), state, last, now)
        assert (row.what, row.theirs, row.verdict) == ("time", step, verdict)
    if not verdicts:
        assert compare_times(Steps(0.5), state, last, now) == []


@needs_all
def test_dented_bodies_are_given_to_other_engines_as_surfaces():
    w = scenes.load("dent")
    found = crosscheck(w, ["coal", "mujoco"], 40)
    last = [row for row in found if row.frame == 39]
    assert [row.verdict for row in last] == [AGREE, UNANSWERED]


def test_the_report_is_a_table_of_verdicts():
    case = PairCheck(closest(*boxes(0.5), exact=True), rational=False)
    rows = [r for d in (0.5, 0.7, float("nan")) for r in case.compare(Says(d))]
    found = CrossCheck(rows)
    assert (len(found), len(found.disagreements)) == (3, 1)
    assert found.count(THEIRS, what="distance") == 1
    assert found.worst(engine="parrot") == pytest.approx(0.2 / rows[1].size)
    header, line = str(found).splitlines()
    assert header.split()[:3] == ["engine", "asked", "agree"]
    assert line.split()[:8] == ["parrot", "distance", *"110010"]
    assert "parrot 0.7: theirs wrong" in str(found[1])


def test_what_cannot_be_asked_is_said(monkeypatch):
    world = World(boxes(0.5))
    with pytest.raises(ValueError, match="'bullet' is none of coal, fcl"):
        crosscheck(world, "bullet")
    with pytest.raises(ValueError, match=r"engine=\[\] names none; give one of coal"):
        crosscheck(world, [])
    with pytest.raises(TypeError, match="takes a World, which it steps, not 3"):
        crosscheck(3)
    monkeypatch.setattr(module.ENGINES["fcl"], "package", "no-such-package")
    with pytest.raises(ModuleNotFoundError, match="pip install no-such-package"):
        crosscheck(world, ["fcl"])
    assert world.index == 0


def test_a_sum_of_offs_never_hides_a_wrong_answer():
    case = PairCheck(closest(*boxes(-0.25), exact=True), rational=True)
    rows = case.compare(Says(-0.25)) + case.compare(Says(-0.3))
    assert [row.off for row in rows] == [0.0, pytest.approx(0.05)]
    assert np.isfinite(CrossCheck(rows).worst())


def test_two_answers_within_what_is_proven_are_a_tie():
    case = PairCheck(closest(*boxes(-0.25), exact=True), rational=False)
    case.truth = -0.3, -0.2  # as of dented bodies, whose bounds stay apart
    verdicts = [case.compare(Says(d))[0].verdict for d in (-0.28, -0.31, -0.19)]
    assert verdicts == [TIE, THEIRS, THEIRS]
