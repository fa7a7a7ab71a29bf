import numpy as np  # of sim.response.obstacles, sim.response.walk
import pytest

from sim import Body
from sim.response import Index, push_off, slide, stop_short
from sim.response.obstacles import obstacles_of
from sim.response.walk import nearest
from wingedge import shapes

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


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
