"""Recorded deformations: what other programs computed, and brute force on a slice."""

from pathlib import Path

import pytest
from stories.recorded import Listed, soft_cubes

from sim import PairState, PairTracker

pytestmark = pytest.mark.real_data


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
