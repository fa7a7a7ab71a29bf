import numpy as np
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


@pytest.mark.parametrize("power", [-900, -500, 0, 500, 900])
def test_the_same_scene_in_another_unit_gives_the_same_bits(power):
    unit = 2.0**power
    start, end = np.array([0.1, 0.7, 0.9]), np.array([0.3, -0.4, -0.8])
    normal, offset, epsilon = np.array([0.3, 0.1, 0.9]), 0.01, 0.037
    small = stop_short(start, end, 0.43, epsilon)
    large = stop_short(start * unit, end * unit, 0.43, epsilon * unit)
    assert (large == small * unit).all()
    small = slide(end, normal, offset, epsilon, -1)
    large = slide(end * unit, normal, offset * unit, epsilon * unit, -1)
    assert (large == small * unit).all()


X, Y, Z = np.eye(3)


@pytest.mark.parametrize(
    ("wish", "rows", "limits", "found"),
    [
        (X - Z, [-X], [0.0], X - Z),  # nothing is in the way: to the bit
        (X - Z, [-np.array([0.6, 0.0, 0.8]), -Z], [0.0, 0.0], X),  # an obtuse corner
        (0 * X, [-Z, -X, -Y], [-0.5, -0.25, -0.125], [0.25, 0.125, 0.5]),
        (-X - Y - Z, [-X, -Y, -Z, -X], [0.0] * 4, 0 * X),  # twice the same
        (1e9 * X - Z, [-Z], [1e-3], 1e9 * X - 1e-3 * Z),
        (0 * X, [-Z, Z], [-0.5, 0.25], None),
    ],
)
def test_the_nearest_allowed_step_is_found_or_there_is_none(wish, rows, limits, found):
    step = nearest(wish, rows, limits)
    assert step is None if found is None else step == pytest.approx(found, abs=1e-15)


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
