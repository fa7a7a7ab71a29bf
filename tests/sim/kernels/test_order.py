import numpy as np  # of sim.kernels.limits
import pytest

from sim import Body, Pose
from sim.kernels.limits import comes_after
from sim.tracking.buffers import make_view
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))


def after(a, b):
    p, q = make_view(a), make_view(b)
    return comes_after(p.points, p.pose, q.points, q.pose, p.size)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("vertex", [0, 3, 7])
def test_the_first_coordinate_that_differs_decides(axis, vertex):
    one, two = Body(BOX), Body(BOX)
    two._points[vertex, axis] += 2.0**-30
    two._points[vertex + 1 :] -= 1.0  # what comes later does not matter
    two._points[vertex, axis + 1 :] -= 1.0
    assert not after(one, two)
    assert after(two, one)


def test_world_coordinates_are_compared_and_exactly_one_of_two_comes_after():
    near, far = Body(BOX), Body(BOX, pose=Pose(translation=(0.0, 0.0, 1e-9)))
    assert not after(near, far)
    assert after(far, near)
    turned = Body(BOX, pose=Pose.rigid((0.0, 0.0, 1.0, 1.0)))
    # A quarter turn moves the first corner from x = -0.5 to 0.5.
    assert after(turned, near)
    assert not after(near, turned)
    rng = np.random.default_rng(3)
    for _ in range(30):
        poses = [Pose.rigid(rng.normal(size=4), rng.normal(size=3)) for _ in range(2)]
        one, two = (Body(BOX, pose=pose) for pose in poses)
        assert after(one, two) != after(two, one)
        assert after(two, one) == (
            one.world_points().tolist() < two.world_points().tolist()
        )
