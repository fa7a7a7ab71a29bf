import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.window.reading import explain, nearest_pair, read_feature
from wingedge import Feature, neighbours, shapes


@pytest.fixture
def frame(world):
    return world.step()


def vertex_at(body, place):
    away = ((body.world_points() - place) ** 2).sum(axis=1)
    return Feature("vertex", int(np.argmin(away)))


def test_a_vertex_on_top_is_as_much_too_far_as_the_box_is_high(frame):
    box = frame.body("box")
    top = vertex_at(box, (-0.5, 0.5, 1.6))
    reading = read_feature(frame, "box", top)
    assert reading.partner == "table"
    assert reading.distance == pytest.approx(1.1)
    assert reading.answer == pytest.approx(0.1)
    assert reading.behind == pytest.approx(1.0)
    assert not reading.is_closest
    assert reading.neighbours == neighbours(box.mesh, top)
    assert reading.corners.tolist() == [[-0.5, 0.5, 1.6]]
    words = explain(reading)
    assert words[0].startswith("not the closest to table: that is f")
    assert "so 1 too far" in words
    assert words[-1] == "1 behind the closest point along the normal"


def test_the_closest_feature_is_told_to_be_it_and_of_a_level_part_the_others(frame):
    state = frame.pair("box", "table")
    reading = read_feature(frame, "box", state.feature_a)
    assert reading.is_closest
    assert reading.distance == pytest.approx(state.distance)
    assert explain(reading)[0] == "the closest to table, signed distance 0.1"
    state = frame.pair("table", "box")
    reading = read_feature(frame, "table", state.parts_a[3])
    assert reading.is_closest
    assert explain(reading)[1].startswith("level with 15 more: f")


@pytest.mark.parametrize("kind", ["vertex", "edge", "face"])
def test_distances_of_every_feature_are_never_below_the_answer(frame, kind):
    box = frame.body("box")
    count = {"vertex": 8, "edge": box.mesh.n_edges, "face": box.mesh.n_faces}[kind]
    for k in range(count):
        reading = read_feature(frame, "box", Feature(kind, k))
        low = reading.corners[:, 2].min() - 0.5
        assert reading.distance == pytest.approx(low)
        assert reading.onto.kind == "face"


def test_an_upright_edge_reaches_as_far_as_its_lower_end(frame):
    box = frame.body("box")
    ends = box.world_points()[box.mesh.edge_vertices]
    upright = np.flatnonzero(np.ptp(ends[:, :, 2], axis=1) > 0.9)
    assert len(upright) == 4
    for e in upright.tolist():
        reading = read_feature(frame, "box", Feature("edge", e))
        assert reading.behind == pytest.approx(0.0)
        assert reading.distance == pytest.approx(0.1)
        assert not reading.is_closest
        assert "as near" in explain(reading)[2]


def test_bodies_that_overlap_are_explained_by_heights():
    a = Body(shapes.box(), name="a")
    b = Body(shapes.box(), name="b", pose=Pose(None, (0.8, 0.1, 0.05)))
    frame = World([a, b]).step()
    far = vertex_at(frame.body("a"), (-0.5, 0.5, 0.5))
    words = explain(read_feature(frame, "a", far))
    assert "the bodies overlap by 0.2" in words
    assert words[-1] == "1 behind the closest point along the normal"


def test_a_body_alone_has_no_answer_and_a_feature_that_is_not_there_is_named(frame):
    alone = World([Body(shapes.box(), name="a")]).step()
    reading = read_feature(alone, "a", Feature("edge", 3))
    assert reading.partner is None
    assert np.isnan(reading.distance)
    assert explain(reading) == ["no other body is reported near it"]
    assert nearest_pair(alone, "a") is None
    assert nearest_pair(frame, "table").b.name == "box"
    assert nearest_pair(frame, "box").a.name == "box"
    with pytest.raises(IndexError, match="body 'box' has no v8"):
        read_feature(frame, "box", Feature("vertex", 8))
    with pytest.raises(IndexError, match="body 'box' has no e-1"):
        read_feature(frame, "box", Feature("edge", -1))
