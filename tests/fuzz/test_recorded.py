"""Recorded deformations: what other programs computed, and brute force on a slice."""

from pathlib import Path

import pytest
from stories import brute
from stories.judge import bar, weigh
from stories.recorded import Listed, morph, partners, soft_cubes, sponge
from stories.story import Story

from sim import PairState, PairTracker, exhaustive

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


def amiss(story: Story, first: int, every: int) -> list[str]:
    a, b = story.bodies()
    tracker = PairTracker(a, b)
    known: dict[int, tuple] = {}
    found = []
    for frame in story.play(a, b):
        state = tracker.update()
        if frame % every != first:
            continue
        at = brute.solids(a, b, known)
        weighed = weigh(state, *at)
        faults = list(weighed.faults)
        oracle = exhaustive(a, b)
        if abs(state.distance - oracle.distance) > bar(oracle.distance, oracle.size):
            faults.append(f"the oracle says {oracle.distance}")
        found += [f"{story.family}:{frame} {fault}" for fault in faults]
    return found


def shortened(story: Story, first: int, last: int) -> Story:
    return story._replace(steps=story.steps[first:last])


@pytest.mark.parametrize(
    ("partner", "first"), [("table", 0), ("box", 200), ("ball", 500)]
)
def test_a_sponge_is_tracked_while_its_polygons_warp(real_data, partner, first):
    story = sponge(real_data, partners(0.3)[partner])
    assert len(story.steps) == 1001
    assert (story.a.n_vertices, story.a.n_faces) == (34, 32)
    assert amiss(shortened(story, first, first + 80), 3, 5) == []


@pytest.mark.parametrize("partner", ["table", "box", "ball"])
@pytest.mark.parametrize("name", ["AnimatedMorphCube", "AnimatedMorphSphere"])
def test_a_morph_is_tracked_from_key_frame_to_key_frame(real_data, name, partner):
    story = morph(real_data, name, partners(2.0)[partner])
    assert len(story.steps) == {"C": 127, "S": 217}[name[13]]
    assert amiss(shortened(story, 20, 100), 1, 6) == []
