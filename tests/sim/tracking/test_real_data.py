import json
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sim import Body, PairTracker, Recording, World, exhaustive
from wingedge import WingedEdgeMesh

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
    path = real_data / "sequences/ipc_cube_cube/friction_cube_cube.zip"
    with zipfile.ZipFile(path) as archive:
        states = [
            json.loads(archive.read(f"friction_data_{k}.json")) for k in range(446)
        ]
    cube = "156 162 185 312 327 413 437 478 481 576 587 726"
    faces = [[int(v) - 1 for v in face] for face in cube.split(" ")]
    mesh = WingedEdgeMesh.from_faces(np.array(states[0]["V_lagged"])[:8], faces)
    one, two = Body(mesh, name="one"), Body(mesh, name="two")
    reach = states[0]["dhat_squared"] ** 0.5
    tracker = PairTracker(one, two, contact_distance=reach, regions=True)
    touched = []
    for state in states:
        points = np.array(state["V_lagged"])
        one.points, two.points = points[:8], points[8:]
        found = tracker.update()
        (region,) = found.regions
        assert region.identity == 0
        assert region.distance == pytest.approx(found.distance, rel=1e-9)
        touched.append((found.kind, found.feature_a, found.feature_b))
    assert sum(a != b for a, b in pairwise(touched)) == 13
