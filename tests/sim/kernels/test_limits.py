import numpy as np
import pytest

from sim import Body
from sim.body.pose import Pose
from sim.engine.bound import floats
from sim.kernels.limits import is_placed, maps_at_once, maps_each, placed_each
from sim.kernels.trajectory import Placements
from sim.tracking.views import make_view
from wingedge import shapes

GOOD = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 2.0, 3.0)).matrix
PLACED = pytest.mark.parametrize("placed", [placed_each, is_placed])


def says(placed, matrix):
    view = make_view(Body(shapes.box()))
    for k, number in enumerate(np.array(matrix).ravel().tolist()):
        view.pose[k] = number
    return placed(view)


@PLACED
@pytest.mark.parametrize("place", range(12))
def test_no_number_of_a_map_may_be_infinite(placed, place):
    assert says(placed, GOOD)
    for bad in (np.nan, np.inf, -np.inf):
        other = np.array(GOOD)
        other.flat[place] = bad
        assert not says(placed, other)


@PLACED
def test_a_mirror_image_or_a_flat_map_is_none(placed):
    for factor in (-1.0, 0.0):
        other = np.array(GOOD)
        other[2, :3] *= factor
        assert not says(placed, other)


@PLACED
@pytest.mark.parametrize("axis", range(3))
def test_no_stretch_of_a_map_may_bring_vertices_too_near_or_too_far(placed, axis):
    # The least of three stretches counts: the two vertices may lie along it.
    for stretch, within in [(1e-50, True), (1e-56, False), (1e56, False)]:
        assert says(placed, stretch * GOOD) == within
        matrix = np.eye(3, 4)
        matrix[axis, axis] = stretch
        assert says(placed, matrix) == within


@pytest.mark.parametrize("checked", [maps_each, maps_at_once])
def test_the_extremes_of_maps_are_found_and_one_bad_number_among_them(checked):
    poses = np.array([2.0**k * GOOD for k in (0, 3, -3, 1)])
    extremes = np.zeros(3)
    maps = Placements(floats(poses), len(poses), floats(extremes))
    assert checked(maps) == 1
    assert extremes == pytest.approx([2.0**-9, 3.0 * 2.0**6, 14.0 * 2.0**6])
    for place in range(poses.size):
        for bad in (np.nan, np.inf, -np.inf):
            kept, poses.flat[place] = poses.flat[place], bad
            assert checked(maps) == 0
            poses.flat[place] = kept
    poses[2, 2, :3] *= -1.0
    assert checked(maps) == 0
