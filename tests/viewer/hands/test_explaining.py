import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.window.sheets import reasons
from wingedge import Feature, shapes


@pytest.fixture
def frame(world):
    return world.step()


def vertex_at(body, place):
    away = ((body.world_points() - place) ** 2).sum(axis=1)
    return Feature("vertex", int(np.argmin(away)))


def test_of_every_pair_of_a_body_it_is_said_whether_a_feature_is_the_closest(frame):
    top = vertex_at(frame.body("box"), (0.5, -0.5, 1.6))
    first, second = reasons(frame, "box", top)
    named = frame.pair("box", "table").feature_a
    assert first == f"not the closest to table: 1 behind {named}"
    assert second.startswith("not the closest to ball: ")


def test_the_closest_feature_is_told_to_be_it_and_of_a_level_part_the_others(frame):
    feature = frame.pair("box", "table").feature_a
    assert reasons(frame, "box", feature)[0] == (
        "the closest to table: separated, distance 0.1"
    )
    parts = frame.pair("table", "box").parts_a
    told = reasons(frame, "table", parts[3])
    assert told[1] == f"level with 15 more, as {parts[0]}"
    assert told[2].startswith("the closest to ball: ") or "ball" in told[2]


def test_bodies_that_overlap_are_told_too_and_one_alone_nothing():
    a = Body(shapes.box(), name="a")
    b = Body(shapes.box(), name="b", pose=Pose(None, (0.8, 0.1, 0.05)))
    both = World([a, b]).step()
    (told,) = reasons(both, "a", vertex_at(both.body("a"), (-0.5, 0.5, 0.5)))
    assert told.startswith("not the closest to b: 1 behind f")
    told = reasons(World([a]).step(), "a", Feature("edge", 3))
    assert told == ["no other body is reported near it"]
