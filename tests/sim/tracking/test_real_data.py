from itertools import pairwise  # of sim.tracking.pair, sim.tracking.fallback
from pathlib import Path

import pytest
from stories.recorded import Listed, soft_cubes

from sim import PairState, PairTracker, Recording, World, exhaustive

pytestmark = pytest.mark.real_data


def test_the_finger_comes_down_onto_the_soap_and_never_through(
    finger_on_soap: World, tmp_path: Path
):
    path = tmp_path / "finger.vtkhdf"
    regimes, events = [], []
    with finger_on_soap.record(path):
        for frame in finger_on_soap.run(500):
            state = frame.pair("finger", "soap")
            if frame.index % 4 == 0 or frame.events:  # the oracle takes seconds for ten
                truth = exhaustive(state.a, state.b)
                within = 1e-9 * abs(truth.distance) + 1e-13 * truth.size
                assert abs(state.distance - truth.distance) <= within
            assert state.certified
            assert state.distance >= 0.0
            regimes.append(state.regime)
            events += frame.events
    assert regimes[0] == "separated"
    assert regimes[-1] == "contact"
    assert "penetrating" not in regimes
    assert events[0].kind == "begin"
    with Recording.open(path) as recording:
        assert len(recording) == 500
        assert [str(e) for e in recording.events] == [str(e) for e in events]
        with recording.replay() as again:
            assert again.digest == recording.digest
            assert again.story_digest == recording.story_digest


def test_two_soft_cubes_are_in_one_contact_with_one_identity(real_data: Path):
    story, _ = soft_cubes(real_data)
    one, two = story.bodies()
    tracker = PairTracker(one, two, contact_distance=1.1e-5**0.5, regions=True)
    touched = []
    for _ in story.play(one, two):
        found = tracker.update()
        (region,) = found.regions
        assert region.identity == 0
        assert region.distance == pytest.approx(found.distance, rel=1e-9)
        touched.append((found.kind, found.feature_a, found.feature_b))
    assert sum(a != b for a, b in pairwise(touched)) == 13


def corners(state: PairState, side: str) -> frozenset[int]:
    body = getattr(state, side)
    kind, index = getattr(state, f"feature_{side}")
    if kind == "vertex":
        return frozenset([index])
    if kind == "edge":
        return frozenset(body.mesh.edge_vertices[index].tolist())
    return frozenset(body.mesh.face_vertices(index).tolist())


def test_soft_cubes_are_as_far_apart_as_their_simulation_says(real_data: Path):
    story, listed = soft_cubes(real_data)
    a, b = story.bodies()
    tracker = PairTracker(a, b)
    kinds = set()
    for frame in story.play(a, b):
        state = tracker.update()
        nearest: Listed = min(listed[frame], key=lambda pair: pair.distance)
        assert abs(state.distance - nearest.distance) <= 1e-12
        assert state.distance > 0.0, "a false penetration"
        assert state.certified
        assert state.unique
        assert (corners(state, "a"), corners(state, "b")) == nearest[:2]
        kinds.add(state.kind)
    assert frame == 445
    assert kinds == {"EE", "FV", "VF"}
