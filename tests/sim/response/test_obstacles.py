import numpy as np
import pytest

from sim import Body, Pose
from sim.response import Index, Obstacles
from sim.response.obstacles import obstacles_of
from wingedge import shapes

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_triangles_of_several_things_follow_each_other_and_say_what_they_are_of():
    box = shapes.box(2.0)
    both = Obstacles([TRIANGLE], box)
    assert both.triangles.shape == (13, 3, 3)
    assert both.source[0].tolist() == [0, 0]
    assert both.source[1:, 0].tolist() == [1] * 12
    assert both.source[1:, 1].tolist() == np.repeat(np.arange(6), 2).tolist()
    assert (both.triangles[1:] == box.points[box.fan.vertex]).all()


def test_a_body_is_taken_where_it_is_now_and_does_not_move_the_copy():
    body = Body(shapes.box(2.0), pose=Pose(np.eye(3) * 2, (1, 2, 3)))
    taken = Obstacles(body)
    assert taken.triangles.max(axis=(0, 1)).tolist() == [3, 4, 5]
    body.points[...] = 0
    assert taken.triangles.max(axis=(0, 1)).tolist() == [3, 4, 5]
    assert not taken.triangles.flags.writeable


def test_near_lists_what_a_box_touches_in_order():
    rng = np.random.default_rng(1)
    room = Obstacles(rng.normal(size=(200, 3, 3)))
    for _ in range(20):
        low = rng.normal(size=3)
        high = low + rng.uniform(0, 1, 3)
        found = room.near(low, high)
        truth = []
        for k, triangle in enumerate(room.triangles):
            if (triangle.min(axis=0) <= high).all():
                truth += [k] if (triangle.max(axis=0) >= low).all() else []
        assert found.tolist() == truth
    assert Obstacles([TRIANGLE]).near((1, 0, 0), (2, 1, 1)).tolist() == [0]
    assert Obstacles([TRIANGLE]).near((1.1, 0, 0), (2, 1, 1)).tolist() == []


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (TRIANGLE, 1),
        ([TRIANGLE, TRIANGLE], 2),
        (np.zeros((0, 3, 3)), 0),
        ([], 0),
        ([np.array([TRIANGLE]), np.array([TRIANGLE, TRIANGLE])], 3),
        (shapes.tetrahedron(), 4),
        ([shapes.tetrahedron(), Body(shapes.box())], 16),
        ((np.array([TRIANGLE]), shapes.tetrahedron()), 5),
    ],
)
def test_what_a_caller_may_give(given, count):
    taken = obstacles_of(given)
    assert isinstance(taken, Index)
    assert len(taken.triangles) == count


def test_an_index_is_passed_on_as_it_is():
    room = Obstacles([TRIANGLE])
    assert obstacles_of(room) is room


def test_what_is_no_obstacle_is_named():
    with pytest.raises(ValueError, match=r"obstacle 1 has shape \(2, 3\)"):
        Obstacles([TRIANGLE], np.zeros((2, 3)))
    with pytest.raises(TypeError, match="obstacle 0 is a str"):
        Obstacles("wall")
    bad = np.array([TRIANGLE, TRIANGLE], float)
    bad[1, 2, 0] = np.nan
    with pytest.raises(ValueError, match="obstacle 0: triangle 1"):
        Obstacles(bad)
