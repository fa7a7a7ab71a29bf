import numpy as np  # of sim.response.obstacles, sim.response.walk
import pytest

from sim import Body, Pose
from sim.response import Index, Obstacles, push_off, slide, stop_short
from sim.response.obstacles import obstacles_of
from sim.response.walk import nearest
from wingedge import shapes

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_triangles_say_what_they_are_of_and_a_body_is_taken_where_it_is_now():
    box = shapes.box(2.0)
    both = Obstacles([TRIANGLE], box)
    assert both.triangles.shape == (13, 3, 3)
    assert both.source[0].tolist() == [0, 0]
    assert both.source[1:, 0].tolist() == [1] * 12
    assert both.source[1:, 1].tolist() == np.repeat(np.arange(6), 2).tolist()
    assert (both.triangles[1:] == box.points[box.fan.vertex]).all()
    body = Body(shapes.box(2.0), pose=Pose(np.eye(3) * 2, (1, 2, 3)))
    taken = Obstacles(body)
    assert taken.triangles.max(axis=(0, 1)).tolist() == [3, 4, 5]
    body.points[...] = 0
    assert taken.triangles.max(axis=(0, 1)).tolist() == [3, 4, 5]
    assert not taken.triangles.flags.writeable
    room = Obstacles([TRIANGLE])
    assert obstacles_of(room) is room


def test_what_a_caller_may_give():
    for given, count in [
        (TRIANGLE, 1),
        ([TRIANGLE, TRIANGLE], 2),
        (np.zeros((0, 3, 3)), 0),
        ([], 0),
        ([np.array([TRIANGLE]), np.array([TRIANGLE, TRIANGLE])], 3),
        (shapes.tetrahedron(), 4),
        ([shapes.tetrahedron(), Body(shapes.box())], 16),
        ((np.array([TRIANGLE]), shapes.tetrahedron()), 5),
    ]:
        taken = obstacles_of(given)
        assert isinstance(taken, Index)
        assert len(taken.triangles) == count


UP = (0.0, 0.0, 1.0)


def test_what_meets_nothing_within_epsilon_stays_and_shares_nothing():
    for t in [0.0, 1e-9, 0.1]:
        assert stop_short((1, 2, 3), (1, 2, 4), t, 0.1).tolist() == [1.0, 2.0, 3.0]
    for side in [1, -1]:
        assert slide((3, 0, 4 * side), UP, 0, 0.5, side).tolist() == [
            3.0,
            0.0,
            4.0 * side,
        ]
    start = np.zeros((4, 1, 3))
    end = np.ones((5, 3))
    out = stop_short(start, end, 0.0)
    assert out.shape == (4, 5, 3)
    assert not np.shares_memory(slide(end, UP, -9), end)
    assert stop_short((1, 2, 3), (1, 2, 3), 1.0).tolist() == [1.0, 2.0, 3.0]
    assert push_off((1, 2, 3), (0, 0, 0), 1).tolist() == [1.0, 2.0, 3.0]
    assert slide((1, 2, 3), (0, 0, 0), 7).tolist() == [1.0, 2.0, 3.0]


X, Y, Z = np.eye(3)


@pytest.mark.parametrize("seed", range(10))
def test_no_allowed_motion_is_nearer_to_the_one_wanted(seed):
    """The condition for the nearest point of a cone (Moreau 1962)."""
    rng = np.random.default_rng(seed)
    normals = rng.normal(size=(int(rng.integers(1, 12)), 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    wish = rng.normal(size=3)
    way = nearest(wish, normals, np.zeros(len(normals)))
    assert (normals @ way).max() <= 1e-14
    assert (wish - way) @ way == pytest.approx(0.0, abs=1e-13)
    around = np.concatenate([way + 0.1 * rng.normal(size=(4000, 3)), [2 * wish]])
    allowed = around[(around @ normals.T <= 0).all(axis=1)]
    assert (allowed @ (wish - way) <= 1e-12).all()
