import numpy as np  # of sim.kernels.limits, sim.kernels.trajectory
import pytest

from sim import Body
from sim.body.pose import Pose
from sim.engine.bound import floats
from sim.kernels.limits import are_maps, is_placed
from sim.kernels.trajectory import Placements
from sim.tracking.buffers import make_view
from wingedge import shapes

GOOD = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 2.0, 3.0)).matrix


def says(matrix):
    view = make_view(Body(shapes.box()))
    for k, number in enumerate(np.array(matrix).ravel().tolist()):
        view.pose[k] = number
    return is_placed(view)


@pytest.mark.parametrize("place", range(12))
def test_no_number_of_a_map_may_be_infinite(place):
    assert says(GOOD)
    for bad in (np.nan, np.inf, -np.inf):
        other = np.array(GOOD)
        other.flat[place] = bad
        assert not says(other)


def test_a_mirror_image_or_a_flat_map_is_none():
    for factor in (-1.0, 0.0):
        other = np.array(GOOD)
        other[2, :3] *= factor
        assert not says(other)


@pytest.mark.parametrize("axis", range(3))
def test_no_stretch_of_a_map_may_bring_vertices_too_near_or_too_far(axis):
    # The least of three stretches counts: the two vertices may lie along it.
    for stretch, within in [(1e-50, True), (1e-56, False), (1e56, False)]:
        assert says(stretch * GOOD) == within
        matrix = np.eye(3, 4)
        matrix[axis, axis] = stretch
        assert says(matrix) == within


def test_the_extremes_of_maps_are_found_and_one_bad_number_among_them():
    poses = np.array([2.0**k * GOOD for k in (0, 3, -3, 1)])
    extremes = np.zeros(3)
    maps = Placements(floats(poses), len(poses), floats(extremes))
    assert are_maps(maps) == 1
    assert extremes == pytest.approx([2.0**-9, 3.0 * 2.0**6, 14.0 * 2.0**6])
    for place in range(poses.size):
        for bad in (np.nan, np.inf, -np.inf):
            kept, poses.flat[place] = poses.flat[place], bad
            assert are_maps(maps) == 0
            poses.flat[place] = kept
    poses[2, 2, :3] *= -1.0
    assert are_maps(maps) == 0
