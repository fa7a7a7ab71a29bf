"""The main job on real bodies: a robot finger comes down onto a squashed soap."""

from pathlib import Path

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, Recording, World, exhaustive
from wingedge import read

pytestmark = pytest.mark.real_data

FRAMES = 500
DOWN = np.array([0.0, 0.0, -1.0])


def squashed(rest, t):
    """Squash by 30 % along z and shear along x, as time goes from 0 to 1."""
    s = 1.0 - 0.3 * t
    x, y, z = rest.T
    return np.stack([x / s + 0.3 * t * z, y / s, s * z], axis=1)


@pytest.fixture(scope="module")
def finger_on_soap(real_data: Path) -> World:
    """Return a world in which the finger never sinks by more than the gap."""
    finger = Body(read(real_data / "convex/bullet3__index3.stl"), name="finger")
    soap = Body(
        read(real_data / "convex/pybullet-URDF-models__soap_collision.obj"), name="soap"
    )
    turn = Pose.rigid((0.6, 0.1, -0.2, 1.0)).linear
    at = np.array([0.004, -0.003, 0.06])
    guide = PairTracker(finger, soap)

    def sink(t: float) -> Pose:
        # The soap's next shape is in place already: its motion is asked for first.
        nonlocal at
        finger.pose = Pose(turn, at)
        gap = guide.update().distance
        at = at + DOWN * min(0.75 * max(gap, 0.0), 2e-4)
        return Pose(turn, at)

    return World(
        [soap, finger],
        motion={"finger": sink},
        deform={"soap": lambda rest, t: squashed(rest, min(1.0, t))},
        dt=1.0 / FRAMES,
    )


@pytest.mark.slow
def test_the_finger_comes_down_onto_the_soap_and_never_through(
    finger_on_soap: World, tmp_path: Path
):
    path = tmp_path / "finger.vtkhdf"
    regimes, events = [], []
    with finger_on_soap.record(path):
        for frame in finger_on_soap.run(FRAMES):
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
        assert len(recording) == FRAMES
        assert [str(e) for e in recording.events] == [str(e) for e in events]
        with recording.replay() as again:
            assert again.digest == recording.digest
            assert again.story_digest == recording.story_digest
