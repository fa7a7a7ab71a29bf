"""Scenes: the same worlds for everybody."""

import ast
import inspect

import numpy as np
import pytest

from sim import scenes, verify

KINDS = {"begin", "change", "penetrate", "separate", "end"}


def story(name):
    world = scenes.load(name)
    return [e for frame in world.run(scenes.length(name)) for e in frame.events]


def test_the_scenes_have_names():
    assert scenes.names()[0] == "demo"
    assert {"press", "slide", "tip", "spin", "pass_through"} <= set(scenes.names())
    assert {"face_on_face", "edge_on_edge"} <= set(scenes.names())


@pytest.mark.parametrize("call", [scenes.load, scenes.length])
def test_a_scene_that_is_not_there_is_named(call):
    with pytest.raises(ValueError, match="no scene 'rain'; there are demo, press"):
        call("rain")


@pytest.mark.parametrize("name", scenes.names())
def test_a_story_begins_and_ends(name):
    events = [event for event in story(name) if event.kind in KINDS]
    assert events[0].kind == "begin"
    assert events[-1].kind == "end"
    assert {event.contact for event in events} == {0}


@pytest.mark.parametrize("name", scenes.names())
def test_every_frame_is_certified_and_the_checker_agrees(name):
    world = scenes.load(name)
    for frame in world.run(scenes.length(name)):
        for state in frame.pairs:
            assert state.certified
            # all pairs of triangles again take the checker seconds
            if frame.index % (60 if state.proof == "search" else 10) == 0:
                assert verify(state, state.a, state.b)


@pytest.mark.parametrize("name", scenes.names())
def test_a_scene_is_the_same_every_time(name):
    one, other = scenes.load(name), scenes.load(name)
    for a, b in zip(one.run(30), other.run(30), strict=True):
        for p, q in zip(a.bodies, b.bodies, strict=True):
            assert np.array_equal(p.points, q.points)
            assert p.pose == q.pose
        assert [s.numbers for s in a.pairs] == [s.numbers for s in b.pairs]


def test_the_demo_tells_a_story():
    events = story("demo")
    kinds = [event.kind for event in events]
    assert 8 <= len(events) <= 25
    assert set(kinds) <= KINDS
    assert kinds.count("change") >= 5
    assert {e.a for e in events} == {"jelly"}
    assert {e.b for e in events} == {"table"}
    depth = max(event.state.depth for event in events)
    assert depth <= 0.01, "a tiny overlap at most"


def test_passing_through_penetrates_and_separates():
    kinds = [event.kind for event in story("pass_through")]
    assert kinds.index("penetrate") < kinds.index("separate")


def test_a_scene_uses_correctly_rounded_operations_only():
    tree = ast.parse(inspect.getsource(scenes))
    names = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    assert names.isdisjoint(
        {"sin", "cos", "tan", "exp", "dot", "norm", "sum", "random"}
    )
    assert not any(isinstance(n, ast.Pow) for n in ast.walk(tree))


@pytest.mark.parametrize("name", ["wring", "dent", "bend", "hop"])
def test_a_body_loses_its_convexity_in_contact_and_gets_it_back(name):
    world = scenes.load(name)
    body, convex, touching = world.bodies[0], [], []
    for frame in world.run(scenes.length(name)):
        convex.append(body.audit().is_convex())
        touching.append(frame.pairs[0].regime == "contact")
    assert convex[0]
    assert convex[-1] or name == "hop"
    lost = [
        in_contact and not c for c, in_contact in zip(convex, touching, strict=True)
    ]
    assert sum(lost) >= 5
