import pytest  # of viewer.sources

from sim import Body, Pose, closest
from viewer.sources import frame_of
from wingedge import shapes


@pytest.fixture
def pair():
    a = Body(shapes.box(1.0), name="a")
    return a, Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (1.5, 0.0, 0.0)))


def test_an_answer_is_shown_with_its_two_bodies_each_once(pair):
    state = closest(*pair)
    frame = frame_of(state)
    assert frame.pairs == (state,)
    assert [body.name for body in frame.bodies] == ["a", "b"]
    assert frame.body("b").world_points()[:, 0].min() == 1.0
    frame = frame_of([*pair, closest(*pair)])
    assert [body.name for body in frame.bodies] == ["a", "b"]
    frame = frame_of(pair[0])
    assert frame_of(frame) is frame


def test_meshes_get_names():
    box = Body(shapes.box(1.0), name="c")
    frame = frame_of([shapes.box(1.0), shapes.icosphere(1), box])
    assert [body.name for body in frame.bodies] == ["mesh", "mesh1", "c"]
