"""The derivatives of the time of a touch, against small steps of the bodies."""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose
from sim.gradients.carriers import motions_of
from wingedge import shapes

STEP = 4e-3
STENCIL = ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0))  # over 12 steps


KINDS = (shapes.tetrahedron(), shapes.random_hull(2, 8), shapes.icosphere(1))


def meeting(seed, kinds=KINDS):
    """Return shapes and the places of two bodies that meet, deforming and turning."""
    rng = np.random.default_rng([18, seed])
    meshes = [kinds[k] for k in rng.integers(len(kinds), size=2)]
    points = [
        [m.points @ (np.eye(3) + 0.1 * rng.normal(size=(3, 3))) for _ in range(2)]
        for m in meshes
    ]
    turns = rng.normal(size=(2, 4))
    poses = []
    for k, side in ((0, -3.0), (1, 3.0)):
        x = np.array([side, *rng.uniform(-0.2, 0.2, size=2)])
        y = np.array([-0.3 * side, *rng.uniform(-0.2, 0.2, size=2)])
        q = turns[k] + 0.1 * rng.normal(size=4)
        poses.append([Pose.rigid(turns[k], x), Pose.rigid(q, y)])
    return meshes, points, poses


def passage_of(meshes, points, poses, distance=None):
    a, b = (
        Body(mesh, name=name, convexity="trust" if mesh in KINDS else "surface")
        for mesh, name in zip(meshes, "ab", strict=True)
    )
    for body, own, pose in zip((a, b), points, poses, strict=True):
        body.points, body.pose = own[0], pose[0]
    ends = {"points_a": points[0][1], "points_b": points[1][1]}
    ends |= {"pose_a": poses[0][1], "pose_b": poses[1][1]}
    return PairTracker(a, b).advance(**ends, distance=distance)


def time_of(passage, which):
    instant = getattr(passage, which)
    return 0.5 * (instant.lower + instant.upper)


def slope(scene, which, body, end, by_points, by_pose, distance):
    meshes, points, poses = scene
    total = 0.0
    for k, weight in STENCIL:
        new_points = [list(own) for own in points]
        new_poses = [list(pose) for pose in poses]
        new_points[body][end] = points[body][end] + k * STEP * by_points
        matrix = poses[body][end].matrix + k * STEP * by_pose
        new_poses[body][end] = Pose.from_matrix(matrix)
        new = passage_of(meshes, new_points, new_poses, distance)
        total += weight * time_of(new, which)
    return total / (12.0 * STEP)


@pytest.mark.parametrize(
    ("which", "distance"), [("touch", None), ("touch", 0.05), ("parting", None)]
)
@pytest.mark.parametrize("seed", range(6))
def test_time_of_touch_changes_as_its_derivatives_say(seed, which, distance):
    scene = meeting(seed)
    if which == "parting":  # the same way, back
        scene = scene[0], *([own[::-1] for own in part] for part in scene[1:])
    passage = passage_of(*scene, distance)
    d = getattr(passage, which).derivatives()
    check(d, scene, which, distance, seed)


def check(d, scene, which, distance, seed):
    """Hold derivatives against small steps of all vertices and both poses."""
    assert 0.0 < d.proven <= abs(d.rate) * (1 + 1e-9)
    assert (d.rate < 0.0) == (which == "touch")
    rng = np.random.default_rng(seed)
    for body, name in enumerate("ab"):
        for end, by in enumerate((d.start, d.end)):
            points = 0.1 * rng.normal(size=scene[1][body][end].shape)
            pose = 0.1 * rng.normal(size=(3, 4))
            ids, rows = getattr(by, f"points_{name}")
            told = (rows * points[ids]).sum() + (
                getattr(by, f"pose_{name}") * pose
            ).sum()
            seen = slope(scene, which, body, end, points, pose, distance)
            assert abs(told - seen) <= 1e-6 * max(1.0, abs(told))


@pytest.mark.parametrize("distance", [None, 0.05])
@pytest.mark.parametrize("seed", [0, 2, 5, 6, 7, 8, 12])  # all but one on a face
def test_time_of_touch_on_faces_of_four_corners_changes_as_they_say(seed, distance):
    """Corners that move one by one bend a face along its fan, either way."""
    scene = meeting(seed, (shapes.box(), shapes.box(), KINDS[0]))
    d = passage_of(*scene, distance).touch.derivatives()
    check(d, scene, "touch", distance, seed)


def test_twists_move_the_time_as_the_poses_that_they_make():
    passage = passage_of(*meeting(1))
    d = passage.touch.derivatives()
    twist = np.array([0.3, -0.2, 0.5, 0.7, -0.4, 0.2])
    m = passage.moves[0].end_map
    x, y, z = twist[3:]
    spin = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    by_pose = np.column_stack([spin @ m[:, :3], twist[:3]])
    assert d.end.twist_a @ twist == pytest.approx((d.end.pose_a * by_pose).sum())
    assert motions_of(m[:, :3], m[:, :3]).shape == (9, 27)


def test_a_graze_and_a_flat_landing_have_no_derivative_and_say_why():
    box = shapes.box()
    a, b = Body(box, name="a"), Body(box, pose=Pose(None, (3.0, 0.0, 0.0)), name="b")
    landed = PairTracker(a, b).advance(pose_b=Pose(None, (0.5, 0.0, 0.0)))
    with pytest.raises(ValueError, match=r"has no derivative: .*flat"):
        landed.touch.derivatives()
    wall = Body(box, name="wall")
    ball = Body(shapes.icosphere(1), pose=Pose(None, (-3.0, 0.1, 0.0)), name="ball")
    high = wall.positions[:, 2].max() - ball.positions[:, 2].min() - 1e-15
    ball.pose = Pose(None, (-3.0, 0.1, high))
    passed = PairTracker(wall, ball).advance(pose_b=Pose(None, (3.0, 0.1, high)))
    assert passed.touch is not None
    with pytest.raises(ValueError, match=r"graze"):
        passed.touch.derivatives()
