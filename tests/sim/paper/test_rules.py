import numpy as np  # of sim.paper.contact_tests, sim.tracking.tried
import pytest
from stories import story

from sim import Body, PairTracker, Pose, closest, verify
from sim.events.changes import events_between
from sim.paper import AGAIN, REASON
from sim.result.answers import PairAnswers
from sim.story.file.rows import pack, unpack
from sim.story.file.states import decode, encode
from wingedge import Feature, WingedEdgeMesh, neighbours, shapes

TIP = WingedEdgeMesh.from_faces(
    [[0, 0, 0], [1, 0, 1], [-0.5, 0.8, 1], [-0.5, -0.8, 1]],
    [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
)
HAIR = 0.001
NO_HULLS = None, None


def tracked(a, b, at=0.002, **options):
    return PairTracker(
        a, b, contact_distance=at, release_distance=at, strategy="paper", **options
    )


def elements(tracker, side):
    return [getattr(t, f"feature_{side}") for t in tracker.explain().steps]


def floor_and_tip():
    """Put a tip over the top of a gridded box: 4 x 4 cells of 0.25, f16 to f31."""
    a, b = Body(shapes.grid_box(4), name="floor"), Body(TIP, name="tip")

    def to(x, y=0.1, gap=HAIR):
        b.pose = Pose(None, (x, y, 0.5 + gap))

    return a, b, to


def test_the_rules_hold_for_either_body():
    a, b, to = floor_and_tip()
    tracker = tracked(b, a)
    for x in (-0.01, 0.01):
        to(x)
        state = tracker.update()
    assert (state.kind, state.feature_b) == ("VF", Feature("face", 26))
    assert state.distance == pytest.approx(HAIR, abs=1e-15)
    assert state.normal.tolist() == [0.0, 0.0, -1.0]
    assert verify(state, b, a)
    order = [Feature("face", 25), *neighbours(a.mesh, Feature("face", 25))]
    assert elements(tracker, "b") == order[: order.index(state.feature_b) + 1]


def test_the_range_is_a_number_of_steps():
    """Two cells in one frame are too far for one step, not for two."""
    missed = []
    for steps in (1, 2):
        a, b, to = floor_and_tip()
        tracker = tracked(a, b, search_range=steps)
        for x in (-0.3, 0.2):
            to(x)
            state = tracker.update()
        missed.append(state.feature_a != Feature("face", 26))
        assert state.work.steps > 9
    assert missed == [True, False]


def test_apart_one_step_is_taken_unless_more_are_asked_for():
    there = {}
    for repeat in (False, True):
        a, b, to = floor_and_tip()
        tracker = tracked(a, b, repeat=repeat)
        for x in (-0.4, 0.4):
            to(x, gap=0.3)
            state = tracker.update()
        there[repeat] = state.distance
        assert len(tracker.explain().steps) == (4 if repeat else 1)
    assert there[True] == pytest.approx(0.3, abs=1e-15)
    # Two cells on, at x = 0: the tip is 0.4 beside it.
    assert there[False] > 0.3


def test_the_voronoi_criterion_refuses_an_edge_that_is_passed_by():
    """The same tip: the edge passes its test, and the face beyond is nearer."""
    a, b, to = floor_and_tip()
    tracker = tracked(a, b, at=0.02, voronoi=True)
    for x in (-0.005, 0.005):
        to(x)
        state = tracker.update()
    assert state.kind == "FV"
    assert state.distance == closest(a, b).distance
    refused = [t for t in tracker.explain().steps if t.test == "voronoi"]
    assert refused
    assert all(t.loss > 0.0 for t in refused)
    assert refused[0].text.endswith("is nearer")
    assert state.work.fallbacks == 0, (
        "found among the neighbours: no need to start anew"
    )


def test_what_the_voronoi_criterion_refuses_altogether_is_compared_anew():
    """Two cells in one frame: the step ends too soon, and the criterion says so."""
    a, b, to = floor_and_tip()
    tracker = tracked(a, b, voronoi=True)
    for x, again in ((-0.4, 1), (0.4, 1), (0.39, 0)):
        to(x, gap=0.3)
        state = tracker.update()
        assert state.work.fallbacks == again
        assert state.distance == pytest.approx(0.3, abs=1e-15)
        assert not state.certified
    to(-0.4, gap=0.3)
    assert tracker.update().reason == REASON + AGAIN


OPTIONS = [{}, {"vertex_rule": True, "repeat": True}, {"voronoi": True}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("family", ["tumbling", "affine", "small/twist"])
def test_never_certified_and_the_bounds_are_true(family, options):
    tale = story(family, 7)
    a, b = tale.bodies()
    tracker = PairTracker(a, b, strategy="paper", **options)
    for _ in tale.play(a, b):
        state, truth = tracker.update(), closest(a, b)
        assert not state.certified
        assert state.proof == "none"
        assert state.reason.startswith(REASON)
        assert np.isfinite([state.lower, state.upper]).all()
        assert state.lower <= truth.lower
        assert truth.upper <= state.upper + 1e-9 * state.upper
        assert state.lower <= state.distance <= state.upper
        to_b = state.point_a + state.distance * state.normal
        np.testing.assert_allclose(state.point_b, to_b, atol=1e-14)
        steps = tracker.explain().steps
        assert steps[-1].feature_a == state.feature_a
        assert steps[-1].feature_b == state.feature_b


def test_a_depth_is_not_taken_for_a_bound():
    """The tip is 0.01 deep, but nearer to the side, where it leaves sooner."""
    a, b, to = floor_and_tip()
    tracker = tracked(a, b, at=0.02)
    for gap in (HAIR, -0.01):
        to(0.4995, gap=gap)
        state = tracker.update()
    truth = closest(a, b)
    assert state.kind == "FV"
    assert state.distance == pytest.approx(-0.01, abs=1e-15)
    assert -0.008 < truth.distance < 0.0
    assert state.lower < truth.lower
    assert truth.upper < state.upper
    assert state.regime == "penetrating"
    assert verify(state, a, b)


def test_states_make_events_and_rows_like_any_other():
    a, b, to = floor_and_tip()
    tracker = tracked(a, b)
    lines, last = [], None
    for x, gap in ((-0.01, 0.3), (-0.01, HAIR), (0.01, HAIR), (0.01, 0.3)):
        to(x, gap=gap)
        state = tracker.update()
        lines += [str(event) for event in events_between(last, state, 0)]
        rows = encode(PairAnswers.of([state], [(0, 1)]), np.array([True]))
        (back,) = decode([unpack(pack(rows))], (state.a, state.b), [NO_HULLS])
        assert (back.numbers, back.regime) == (state.numbers, state.regime)
        last = state
    assert lines == [
        "1 begin floor/tip FV f25 v0",
        "2 change floor/tip FV f25 v0 -> FV f26 v0",
        "3 end floor/tip FV f26 v0",
    ]


def test_touching_bodies_have_a_normal():
    a, b, to = floor_and_tip()
    to(-0.1, gap=0.0)
    for first, second, z in ((a, b, 1.0), (b, a, -1.0)):
        tracker = tracked(first, second)
        for _ in range(2):
            state = tracker.update()
            assert (state.distance, state.normal.tolist()) == (0.0, [0.0, 0.0, z])
    box = Body(shapes.box(), pose=Pose(None, (1.0, 1.0, 1.0)))
    corner = tracked(Body(shapes.box()), box).update()
    assert (corner.kind, corner.distance) == ("VV", 0.0)
    np.testing.assert_allclose(corner.normal, [3**-0.5] * 3, atol=1e-15)


def test_what_is_not_finite_or_an_option_elsewhere_is_refused():
    a, b, to = floor_and_tip()
    tracker = tracked(a, b)
    to(-0.1)
    kept = tracker.update()
    b.points[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"'tip'.*v3"):
        tracker.update()
    assert tracker.state is kept
    a, b, _ = floor_and_tip()
    flags = ({name: True} for name in ("vertex_rule", "repeat", "voronoi"))
    for option in ({"search_range": 2}, *flags):
        with pytest.raises(ValueError, match="options of strategy='paper'"):
            PairTracker(a, b, **option)
    with pytest.raises(ValueError, match="not one of certified, paper"):
        PairTracker(a, b, strategy="literal")
