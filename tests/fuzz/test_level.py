"""The parts that answers name are those that are level, by their definition."""

import pytest
from stories import FAMILIES, story
from stories.level import fault_of_parts

from sim import PairTracker, scenes
from wingedge import Feature, neighbours


@pytest.mark.parametrize("name", scenes.names())
def test_the_parts_of_a_scene_are_level_and_whole(name):
    for frame in scenes.load(name).run(scenes.length(name)):
        if frame.index % 10 == 0:
            for state in frame.pairs:
                assert fault_of_parts(state) == ""


@pytest.mark.parametrize("family", FAMILIES)
def test_the_parts_of_a_story_are_level_and_whole(family):
    told = story(family, 1)
    tracker = PairTracker(*told.bodies())
    for frame in told.play(tracker.a, tracker.b):
        state = tracker.update()
        if frame % 5 == 0 and state.certified:
            assert fault_of_parts(state) == ""


def test_other_parts_are_found_out():
    for frame in scenes.load("face_on_face").run(30):
        state = frame.pairs[0]
    assert len(state.parts_a) > 1
    beside = neighbours(state.mesh_a, Feature("face", state.parts_a[0].index))
    face = next(f for f in beside if f.kind == "face" and f not in state.parts_a)
    for parts in (state.parts_a[:1], (*state.parts_a, face)):
        assert fault_of_parts(state.replace(parts_a=parts)) != ""
