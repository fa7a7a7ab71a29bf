import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.window.reading import nearest_pair, reasons
from wingedge import Feature, shapes


@pytest.fixture
def frame(world):
    return world.step()


def vertex_at(body, place):
    away = ((body.world_points() - place) ** 2).sum(axis=1)
    return Feature("vertex", int(np.argmin(away)))


def test_a_vertex_on_top_is_as_much_too_far_as_the_box_is_high(frame):
    top = vertex_at(frame.body("box"), (-0.5, 0.5, 1.6))
    first, second, *rest = reasons(frame, "box", top)
    assert first.startswith("not the closest to table: that is f")
    assert second.startswith("1.1 from its f")
    assert second.endswith("; the answer is 0.1")
    assert rest == ["so 1 too far", "1 behind the closest point along the normal"]


def test_the_closest_feature_is_told_to_be_it_and_of_a_level_part_the_others(frame):
    feature = frame.pair("box", "table").feature_a
    assert reasons(frame, "box", feature)[0] == (
        "the closest to table, signed distance 0.1"
    )
    parts = frame.pair("table", "box").parts_a
    assert reasons(frame, "table", parts[3])[1].startswith("level with 15 more: f")


def test_bodies_that_overlap_are_explained_by_heights_and_one_alone_by_nothing(frame):
    a = Body(shapes.box(), name="a")
    b = Body(shapes.box(), name="b", pose=Pose(None, (0.8, 0.1, 0.05)))
    both = World([a, b]).step()
    words = reasons(both, "a", vertex_at(both.body("a"), (-0.5, 0.5, 0.5)))
    assert "the bodies overlap by 0.2" in words
    assert words[-1] == "1 behind the closest point along the normal"
    told = reasons(World([a]).step(), "a", Feature("edge", 3))
    assert told == ["no other body is reported near it"]
    for name, other in (("table", "box"), ("box", "table")):
        state = nearest_pair(frame, name)
        assert (state.a.name, state.b.name) == (name, other)
