import numpy as np  # of sim.arguments
import pytest

from sim import arguments


def test_what_is_right_comes_back_as_plain_numbers_times_or_amounts():
    assert arguments.check_number("rate", np.float32(2.0)) == 2.0
    assert arguments.check_vector("at", [1, 2, 3]) == (1.0, 2.0, 3.0)
    assert [arguments.check_axis("axis", a) for a in (0, "y", 2, "z")] == [0, 1, 2, 2]
    assert arguments.check_span("span", (0, 1)) == (0.0, 1.0)
    assert arguments.check_span("span", None) is None
    times = np.array([0.0, 1.0])
    assert not np.shares_memory(arguments.check_times(times, 2, "shapes"), times)
    points = np.zeros((4, 3))
    assert arguments.check_points("shape", points) is points
    assert arguments.check_points("shape", [[1, 2, 3]]).dtype == np.float64
    assert arguments.amount_of("amount", 2)(9.0) == 2.0
    assert arguments.amount_of("amount", lambda t: 2 * t)(9.0) == 18.0


@pytest.mark.parametrize("value", ["a", None, [1.0, 2.0]])
def test_what_is_no_number_is_named(value):
    with pytest.raises(TypeError, match=r"angle=.* must be a number"):
        arguments.check_number("angle", value)
