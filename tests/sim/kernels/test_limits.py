import numpy as np
import pytest

from sim.body.pose import Pose
from sim.engine.bound import floats
from sim.kernels.limits import determinant, each_is_sound, maps_are_sound

GOOD = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 2.0, 3.0)).matrix


@pytest.mark.parametrize("sound", [each_is_sound, maps_are_sound])
@pytest.mark.parametrize("place", range(12))
def test_no_number_of_a_map_may_be_infinite(sound, place):
    good = floats(np.array(GOOD))
    assert sound(good, good)
    for bad in (np.nan, np.inf):
        other = np.array(GOOD)
        other.flat[place] = bad
        assert not sound(good, floats(other))
        assert not sound(floats(other), good)


def test_a_mirror_image_or_a_flat_map_is_none():
    for sound in [each_is_sound, maps_are_sound]:
        for factor in (-1.0, 0.0):
            other = np.array(GOOD)
            other[2, :3] *= factor
            assert not sound(floats(np.array(GOOD)), floats(other))
    matrix = np.random.default_rng(0).normal(size=(3, 4))
    assert determinant(floats(matrix)) == pytest.approx(np.linalg.det(matrix[:, :3]))
