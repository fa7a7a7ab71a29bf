import numpy as np  # of sim.tracking.broadphase, sim.kernels.sweep
import pytest

from sim import Body, Pose, World, closest
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from sim.tracking.pair_table import PairTable
from wingedge import shapes


def boxed(low, high):
    """Boxes that may be full of points."""
    boxes = BodyBoxes.of(len(low))
    boxes.low[:], boxes.high[:] = low, high
    return boxes


def near_pairs(boxes, margin):
    return BroadPhase(boxes, margin).near_pairs()


def brute_force(boxes, margin):
    found = []
    for i, (low, high) in enumerate(zip(*boxes[:2], strict=True)):
        near = (boxes.low <= high + margin) & (low <= boxes.high + margin)
        found += [[i, j] for j in np.flatnonzero(near.all(axis=1)).tolist() if j > i]
    return found


def test_boxes_that_touch_or_are_none_are_near_and_one_has_no_pair():
    boxes = boxed(np.array([[0.0] * 3, [1.0] * 3]), np.array([[1.0] * 3, [2.0] * 3]))
    assert near_pairs(boxes, 0.0).tolist() == [[0, 1]]
    for bad in [np.nan, np.inf, -np.inf]:
        low = np.array([[0.0] * 3, [50.0] * 3, [99.0] * 3])
        high = low + 1.0
        high[1, 2] = bad
        assert near_pairs(boxed(low, high), 0.0).tolist() == [[0, 1], [1, 2]]
    for count in [0, 1]:
        boxes = boxed(*np.zeros((2, count, 3)))
        assert near_pairs(boxes, 1.0).shape == (0, 2)


def test_bodies_of_all_sizes_are_bounded_to_the_bit():
    draw = np.random.default_rng(1)
    meshes = shapes.box(), shapes.icosphere(1), shapes.box((1.0, 2.0, 3.0))
    bodies = [
        Body(meshes[k % 3], pose=Pose(np.eye(3) + 0.1 * draw.random((3, 3)), (k, 2, 3)))
        for k in range(9)
    ]
    boxes = PairTable(bodies, None, [0.0] * len(bodies), 1).bound()
    for body, low, high, radius in zip(bodies, *boxes, strict=True):
        points = body.world_points()
        assert np.array_equal([points.min(axis=0), points.max(axis=0)], [low, high])
        far = np.linalg.norm(points - 0.5 * (low + high), axis=1).max()
        assert far <= radius <= 1.0001 * far


def test_no_pair_is_missed_in_random_scenes():
    """Clustered, coincident, nested boxes, from tiny to huge, few and many."""
    draw = np.random.default_rng(7)
    for k in range(200):
        count = int(10 ** draw.uniform(1.0, 2.7))
        spread = np.array([1.0, *10 ** draw.uniform(-2.0, 1.0, 2)])
        low = draw.normal(size=(count, 3)) * spread * 10 ** draw.uniform(-1.0, 1.0)
        if k % 3 == 0:  # in clusters, some of them at one place
            low = low[draw.integers(0, 1 + count // 9, count)]
        size = 10 ** draw.uniform(-4.0, 0.0, (count, 1)) * draw.random((count, 3))
        boxes = boxed(low, low + (size if k % 2 else size[:1]))
        margin = float(draw.choice([0.0, 0.01, 0.3]))
        assert near_pairs(boxes, margin).tolist() == brute_force(boxes, margin), k


@pytest.mark.parametrize("at", [0.0, 1e8])
def test_round_bodies_in_near_boxes_are_near_where_their_balls_are(at):
    """To rounding, also far out: no ball is farther from another than it seems."""
    draw = np.random.default_rng(5)
    size = draw.uniform(0.1, 1.0, 300)
    middle = draw.random((300, 3)) * 6.0 + at
    boxes = BodyBoxes(middle - size[:, None], middle + size[:, None], size)
    for margin in (0.0, 0.2):
        gap = np.linalg.norm(middle[:, None] - middle, axis=2) - size[:, None] - size
        found = {tuple(pair) for pair in near_pairs(boxes, margin).tolist()}
        near = {tuple(pair) for pair in np.argwhere(np.triu(gap <= margin, 1)).tolist()}
        unsure = 1e-9 + 1e-11 * at
        far = np.argwhere(np.triu(gap > margin + unsure, 1)).tolist()
        assert near <= found
        assert not found & {tuple(pair) for pair in far}
        assert len(found) < 0.7 * len(brute_force(boxes, margin))


def test_a_body_off_its_origin_and_far_out_is_within_its_ball():
    points = shapes.icosphere(2).points + np.array([3.0, 0.0, 0.0])
    body = Body(shapes.icosphere(2), pose=Pose(0.1 * np.eye(3), (1e6, -1e6, 0.0)))
    body.points = points
    low, high, radius = (found[0] for found in PairTable([body], None, [0], 1).bound())
    assert np.allclose(0.5 * (low + high), (1e6 + 0.3, -1e6, 0.0))
    assert 0.1 <= radius[()] <= 0.1001


def test_corners_as_far_apart_as_the_margin_are_near():
    """Their boxes meet, the balls around them as well but for rounding."""
    rng = np.random.default_rng(0)
    for _ in range(8):
        a, b = (Body(shapes.box(size), name=f"{size}") for size in rng.uniform(1, 2, 2))
        a.pose = Pose(None, rng.uniform(-50.0, 50.0, 3))
        b.pose = Pose(None, a.pose.translation + rng.uniform(3.0, 5.0))
        world = World([a, b], margin=closest(a, b).distance)
        assert len(world.step().pairs) == 1
