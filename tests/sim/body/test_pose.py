import pickle  # of sim.body.pose
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Pose
from sim.body.pose import check_matrix, product

QUARTER = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
SHEAR = [[2.0, 0.5, 0.0], [0.0, 1.0, -0.25], [4.0, 0.0, 1.0]]


def test_a_pose_maps_by_its_linear_part_then_its_translation_as_kernels_do():
    pose = Pose(QUARTER, (10.0, 20.0, 30.0))
    assert pose.apply((1.0, 2.0, 3.0)).tolist() == [8.0, 21.0, 33.0]
    grid = pose.apply(np.ones((2, 4, 3)))
    assert grid.shape == (2, 4, 3)
    assert grid[1, 2].tolist() == [9.0, 21.0, 31.0]
    rng = np.random.default_rng(1)
    pose = Pose(np.eye(3) + 0.3 * rng.normal(size=(3, 3)), rng.normal(size=3))
    points = rng.normal(size=(50, 3))
    moved = pose.apply(points)
    for p, q in zip(points.tolist(), moved.tolist(), strict=True):
        for row, x in zip(pose.matrix.tolist(), q, strict=True):
            assert x == row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]


def test_a_pose_cannot_be_changed_through_what_it_was_made_of_or_hands_out():
    linear, translation = np.array(QUARTER), np.zeros(3)
    pose = Pose(linear, translation)
    linear[0, 0] = 5.0
    translation[0] = 5.0
    assert pose == Pose(QUARTER)
    for array in (pose.matrix, pose.linear, pose.translation):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    assert not np.shares_memory(pose.apply(np.zeros((4, 3))), pose.matrix)


@pytest.mark.parametrize(
    "rotation",
    [
        QUARTER,
        np.array(QUARTER),
        (0.0, 0.0, 1.0, 1.0),
        (0, 0, -3, -3),
        Rotation.from_matrix(QUARTER),
    ],
    ids=["list", "array", "quaternion", "any length, any sign", "scipy"],
)
def test_a_rigid_motion_takes_a_rotation_in_any_form(rotation):
    pose = Pose.rigid(rotation, (1.0, 2.0, 3.0))
    assert np.allclose(pose.linear, QUARTER, atol=1e-15)
    assert pose.translation.tolist() == [1.0, 2.0, 3.0]


def test_a_rigid_motion_may_be_a_translation_alone_and_no_matrix_of_another_shape():
    assert Pose.rigid(None, (1.0, 2.0, 3.0)) == Pose(translation=(1.0, 2.0, 3.0))
    assert Pose.rigid() == Pose.identity()
    assert Pose.rigid((1.0 + 1e-10) * np.eye(3)).linear[0, 0] == 1.0 + 1e-10
    for shape in [(4, 3), (3, 3), (12,)]:
        with pytest.raises(ValueError, match=r"pose must have shape \(3, 4\)"):
            Pose.from_matrix(np.ones(shape))
    with pytest.raises(ValueError, match=r"linear part .*x y z w: Pose\.rigid\(quat"):
        Pose((0, 0, 0, 1), (0, 0, 0))
    assert Pose.rigid((0, 0, 1, 1)).linear.tolist() == QUARTER


def test_a_quaternion_gives_the_rotation_of_the_textbook_rounded_in_a_fixed_order():
    rng = np.random.default_rng(4)
    for _ in range(20):
        q = rng.integers(-5, 6, 4)
        if not q.any():
            continue
        truth = Rotation.from_quat(q).as_matrix()
        assert np.allclose(Pose.rigid(q).linear, truth, atol=1e-15)
    s = 2.0 / 30.0
    row = [1.0 - s * (4.0 + 9.0), s * (2.0 - 12.0), s * (3.0 + 8.0)]
    assert Pose.rigid((1, 2, 3, 4)).linear[0].tolist() == row


def test_a_four_by_four_matrix_is_a_pose_where_its_last_row_says_so():
    matrix = np.eye(4)
    matrix[:3, 3] = 1.0, 2.0, 3.0
    assert Pose.from_matrix(matrix) == Pose(None, (1.0, 2.0, 3.0))
    with pytest.raises(ValueError, match="transposed"):
        Pose.from_matrix(matrix.T)


def test_composing_applies_the_right_one_first_and_sums_in_order():
    turn, move = Pose(QUARTER), Pose(translation=(1.0, 0.0, 0.0))
    assert (turn @ move).apply((0.0, 0.0, 0.0)).tolist() == [0.0, 1.0, 0.0]
    assert (move @ turn).apply((0.0, 0.0, 0.0)).tolist() == [1.0, 0.0, 0.0]
    both = Pose(SHEAR, (1.0, 2.0, 3.0)) @ Pose(QUARTER, (4.0, 5.0, 6.0))
    p = (7.0, 8.0, 9.0)
    inner = Pose(QUARTER, (4.0, 5.0, 6.0)).apply(p)
    assert both.apply(p).tolist() == Pose(SHEAR, (1.0, 2.0, 3.0)).apply(inner).tolist()
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(2, 3, 3))
    m = product(a, b)
    for i in range(3):
        for j in range(3):
            assert m[i, j] == a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


def test_poses_are_equal_hash_show_and_travel_by_their_numbers():
    one, same, other = Pose(QUARTER), Pose(QUARTER), Pose(SHEAR)
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != "pose"
    assert len({one, same, other}) == 2
    pose = Pose(QUARTER, (0.1, 0.2, 0.3))
    assert repr(pose).startswith("Pose([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]")
    assert eval(repr(pose), {"Pose": Pose}) == pose
    pose = Pose(SHEAR, (1.0, 2.0, 3.0))
    assert pickle.loads(pickle.dumps(pose)) == pose


def test_the_determinant_is_taken_whole():
    """Every permutation counts with its sign: 3 x 3 integer matrices, exactly."""
    rng = np.random.default_rng(9)
    for _ in range(60):
        m = rng.integers(-3, 4, (3, 3))
        (a, b, c), (d, e, f), (g, h, i) = [[Fraction(int(x)) for x in r] for r in m]
        det = a * e * i + b * f * g + c * d * h - c * e * g - b * d * i - a * f * h
        matrix = np.column_stack([m, np.zeros(3)]).astype(float)
        if det > 0:
            assert check_matrix(matrix) is None
        else:
            with pytest.raises(ValueError, match=f"body 'crate'.*determinant {det}"):
                check_matrix(matrix, "crate")
