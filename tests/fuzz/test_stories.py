"""A slice of the long fuzzing runs: every family of stories, judged frame by frame."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stories import DEGENERATE, FAMILIES, FRAMES, judge, story
from stories.bits import KINDS
from stories.deforming import told
from stories.placing import anchor, facing

from sim import Body, PairState, PairTracker, Pose, exhaustive, set_engine
from wingedge import shapes

ZOO = dict(shapes.zoo())
# Stories in which the tracker once failed, and how.
FAILED_ONCE = {
    "coincident:1": "a touching answer had its point off its feature",
    "sliding:1": "EF after a slide, EE from cold: both named themselves",
    "spinning:1": "the cold walk fell back to a search: proof and bound differed",
    "teleporting:1": "FV warm, EV cold at a gap of 1e-14",
    "off_centre:3": "bounds left out the rounding of L p + t",
    "nearly_parallel:1000018": "an axis of nearly parallel edges proved an overlap",
    "needles:7000004": "a point stood 4e-8 beside a face of a needle",
    "teleporting:22000005": "a sliver of the polytope counted as far as its sides",
    "shallow:5": "differences level but for their last bits tore the polytope",
    "nearly_parallel:101000003": "edges along each other had a normal of their own",
    "nearly_parallel:521": "the rim of a face was named, since the face was uneven",
    "crumpled:31000037": "bodies apart: the side of one that crosses itself decided",
    "teleporting:11000014": "exact rationals left the points where floats had them",
}
ORACLE = "oracle wrong"  # float64 enumeration, overruled by exact rationals
quaternions = st.tuples(*[st.integers(-4, 4)] * 4).filter(any)
offsets = st.tuples(*[st.integers(-12, 12)] * 3)
stretches = st.tuples(*[st.sampled_from((0.5, 0.8, 1.0, 1.3, 2.0))] * 3)
steps = st.lists(
    st.tuples(quaternions, offsets, st.none() | stretches), min_size=2, max_size=8
)
# near, in each other, found by a search, rough
STORIES = [("dent", 3), ("swell", 5), ("wave", 487), ("jitter", 47)]


def faults_of(family: str, seed: int, *, exact: bool) -> list[str]:
    told = story(family, seed)
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    found = []
    for frame in told.play(a, b):
        judged = judge(tracker, exact=exact, cold=True, proved=frame % 3 == 0)
        found += [
            f"{family}:{seed}:{frame} {fault}"
            for fault in judged.faults
            if fault != ORACLE
        ]
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_every_frame_of_a_story_is_right_certified_and_proved_again(family):
    assert faults_of(family, 1, exact=False) == []


@pytest.mark.parametrize("family", ["overlapping", "twins", "contained", "coincident"])
def test_every_overlap_is_certified_when_it_is_asked_for(family):
    assert faults_of(family, 1, exact=True) == []


@pytest.mark.parametrize("case", FAILED_ONCE)
def test_a_story_that_failed_once_holds(case):
    family, seed = case.split(":")
    assert faults_of(family, int(seed), exact=True) == []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_always_tells_the_same_story(family):
    one, two = story(family, 3), story(family, 3)
    assert len(one.steps) == FRAMES
    assert one.a.points.tobytes() == two.a.points.tobytes()
    for step, again in zip(one.steps, two.steps, strict=True):
        assert (step.pose_a, step.pose_b) == (again.pose_a, again.pose_b)
        assert np.array_equal(step.points_b, again.points_b)


def test_degenerate_stories_touch_as_well_as_part_and_overlap():
    seen = set()
    for family in DEGENERATE:
        told = story(family, 1)
        a, b = told.bodies()
        for frame in told.play(a, b):
            if frame % 12 == 0:
                d = exhaustive(a, b)
                seen.add(np.sign(d.distance) * (abs(d.distance) > 4e-15 * d.size))
    assert seen == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("kind", ["VV", "VF", "EE", "EF", "FF"])
def test_facing_puts_features_at_the_gap_that_was_asked_for(kind):
    rng = np.random.default_rng(5)
    a_mesh, b_mesh = ZOO["prism"], ZOO["box"]
    p, q = anchor(a_mesh, kind[0], rng), anchor(b_mesh, kind[1], rng)
    a, b = Body(a_mesh), Body(b_mesh)
    for gap in (1e-3, 1e-12):
        b.pose = facing(a_mesh, b_mesh, p, q, gap, twist=0.3)
        assert exhaustive(a, b).distance == pytest.approx(gap, rel=1e-9, abs=1e-15)
    b.pose = facing(a_mesh, b_mesh, p, q, -1e-9, twist=0.3)
    # Another way out may be shorter than back along the anchor's normal.
    assert -1.000001e-9 < exhaustive(a, b).distance < -1e-11


class Liar(PairTracker):
    """A tracker whose answer is off by a given amount, and says it is certified."""

    off = 0.0

    def update(self, exact: bool = False) -> PairState:
        state = super().update(exact)
        told = ("distance", "lower", "upper")
        return state.replace(**{name: getattr(state, name) + self.off for name in told})


@pytest.mark.parametrize("at", [1.7, 0.5])
def test_the_judge_catches_a_certified_lie(at):
    pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (at, 0.1, 0.2))
    tracker = Liar(Body(ZOO["box"]), Body(ZOO["random_hull"], pose=pose))
    assert judge(tracker, cold=True).faults == ()
    tracker.off = 1e-8
    faults = judge(tracker).faults
    assert faults[0] == "certified and wrong"
    assert "outside its bounds" in faults
    tracker.off = 1e-15
    assert "wrong" not in judge(tracker).faults


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.sampled_from(sorted(ZOO)), st.sampled_from(sorted(ZOO)), steps)
def test_any_sequence_of_poses_and_deformations_is_right_and_certified(
    name_a, name_b, sequence
):
    a, b = Body(ZOO[name_a]), Body(ZOO[name_b])
    tracker = PairTracker(a, b)
    for quaternion, offset, stretch in sequence:
        b.pose = Pose.rigid(quaternion, np.array(offset) / 8.0)
        if stretch is not None:
            a.points = ZOO[name_a].points * np.array(stretch)
        judged = judge(tracker, proved=False)
        assert set(judged.faults) <= {ORACLE}, judged.text


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"audit"}))  # that is signs
def test_a_digest_hangs_on_every_coordinate_and_on_nothing_else(kind):
    def look(stretch: float) -> str:
        a, b = Body(shapes.l_block(), name="a"), Body(shapes.ring(), name="b")
        b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 0.4, 2.1))
        b.points = b.mesh.points * stretch
        return KINDS[kind](a, b, False)()

    one = look(1.0)
    assert look(1.0) == one
    assert look(np.nextafter(1.0, 2.0)) != one


@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("family", "seed"), STORIES)
def test_both_engines_give_the_same_bits_of_bodies_that_bend(family, seed, kind):
    story = told("small", family, seed)

    def run(engine: str) -> list[str]:
        set_engine(engine)
        a, b = story.bodies()
        look = KINDS[kind](a, b, False)
        return [look() for _ in islice(story.play(a, b), 0, 48, 6)]

    try:
        assert run("python") == run("compiled")
    finally:
        set_engine("auto")
