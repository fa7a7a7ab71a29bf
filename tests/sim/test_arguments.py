import numpy as np
import pytest

from sim import arguments

NAN = float("nan")


def test_what_is_right_comes_back_as_plain_numbers_times_or_amounts():
    assert arguments.check_number("rate", np.float32(2.0)) == 2.0
    assert arguments.check_vector("at", [1, 2, 3]) == (1.0, 2.0, 3.0)
    assert [arguments.check_axis("axis", a) for a in (0, "y", 2)] == [0, 1, 2]
    assert arguments.check_span("span", (0, 1)) == (0.0, 1.0)
    assert arguments.check_span("span", None) is None
    times = np.array([0.0, 1.0])
    assert not np.shares_memory(arguments.check_times(times, 2, "shapes"), times)
    points = np.zeros((4, 3))
    assert arguments.check_points("shape", points) is points
    assert arguments.check_points("shape", [[1, 2, 3]]).dtype == np.float64
    assert arguments.amount_of("amount", 2)(9.0) == 2.0
    assert arguments.amount_of("amount", lambda t: 2 * t)(9.0) == 18.0


def test_what_is_wrong_is_refused_by_name():
    for call, message in [
        (lambda: arguments.check_number("rate", NAN), "rate=nan must be finite"),
        (lambda: arguments.check_above_zero("size", 0.0), "size=0.0 must be above 0"),
        (lambda: arguments.check_vector("at", (1, 2)), "three finite numbers"),
        (lambda: arguments.check_axis("axis", 3), "axis=3 must be 0, 1 or 2, or 'x'"),
        (lambda: arguments.check_axis("axis", True), "axis=True"),
        (lambda: arguments.check_axis("axis", "w"), "axis='w'"),
        (lambda: arguments.check_span("span", (1.0, 1.0)), "no length; give low < hi"),
        (lambda: arguments.check_span("span", (1.0,)), "two numbers, low and high"),
        (lambda: arguments.check_span("span", (0.0, NAN)), "must be finite"),
        (lambda: arguments.check_times([0, 1], 3, "shapes"), "for 3 shapes"),
        (lambda: arguments.check_times([], 0, "shapes"), "one at least"),
        (lambda: arguments.check_times([0, 0], 2, "shapes"), "ascend"),
        (lambda: arguments.check_times([0, NAN], 2, "shapes"), "ascend"),
        (lambda: arguments.check_points("shape", np.zeros(3)), r"shape \(3,\)"),
        (lambda: arguments.check_points("shape", [[0, 0, NAN]]), "vertex 0 is at"),
        (lambda: arguments.check_points("it", np.zeros((2, 3)), 5), "shape has 5"),
        (lambda: arguments.amount_of("depth", NAN), "depth=nan"),
        (lambda: arguments.amount_of("depth", lambda t: NAN)(0.5), "at time 0.5"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("value", ["a", None, [1.0, 2.0]])
def test_what_is_no_number_is_named(value):
    with pytest.raises(TypeError, match=r"angle=.* must be a number"):
        arguments.check_number("angle", value)
