"""The main job on real bodies: a robot finger comes down onto a squashed soap."""

from pathlib import Path

import pytest

from sim import Recording, World, exhaustive

pytestmark = pytest.mark.real_data


@pytest.mark.slow
def test_the_finger_comes_down_onto_the_soap_and_never_through(
    finger_on_soap: World, tmp_path: Path
):
    path = tmp_path / "finger.vtkhdf"
    regimes, events = [], []
    with finger_on_soap.record(path):
        for frame in finger_on_soap.run(500):
            state = frame.pair("finger", "soap")
            truth = exhaustive(state.a, state.b)
            assert abs(state.distance - truth.distance) <= (
                1e-9 * abs(truth.distance) + 1e-13 * truth.size
            )
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
