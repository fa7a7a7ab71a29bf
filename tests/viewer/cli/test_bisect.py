import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.cli.bisect import smallest

BALL = """
import os
from sim import Body, Pose, World
from wingedge import shapes

def world(height=2.0, speed=6.0, colour="red", late=False):
    print("not to be seen")
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    wind = float(os.environ.get("WIND", 0.0))

    def fall(t):
        if late and t > 0.05:
            raise RuntimeError("lost")
        return Pose.rigid(None, (wind, 0.0, height - speed * t))

    return World([ball, table], motion={"ball": fall})
"""


@pytest.fixture
def bisect(wingedge, script):
    path = script(BALL)

    def call(good, bad, *more):
        options = [x for k in good for x in ("--good", k)]
        options += [x for k in bad for x in ("--bad", k)]
        return wingedge("bisect", path, *options, "--frames", 8, *more)

    return call


def test_two_runs_part_by_the_setting_that_it_takes_in_numbers_and_then_in_events(
    bisect,
):
    result = bisect(["speed=6.0"], ["speed=6.5"])
    assert (result.code, result.err) == (1, "")
    numbers, events = result.out.splitlines()
    assert numbers.startswith("numbers: part in frame 1: ball pose 1.9 became 1.89")
    assert events == (
        "events: part in frame 5: good: nothing; bad: penetrate ball/table VF v35 f1"
    )
    result = bisect(["speed=6.0", "height=2.0"], ["speed=6.0000001", "height=2.1"])
    assert result.code == 1
    assert result.out.splitlines()[-1] == "it takes: height=2.1 instead of 2.0"


def test_runs_that_never_part_are_yes_and_upper_case_is_the_environment(bisect):
    result = bisect(["colour=red"], ["colour=blue"])
    assert (result.code, result.err) == (0, "")
    assert result.out.count("the same in all 8 frames") == 2
    result = bisect([], ["WIND=0.25"])
    assert result.code == 1
    first = result.out.splitlines()[0]
    assert first == "numbers: part in frame 0: ball pose 0.0 became 0.25 (by 0.25)"


# on a busy machine an example may take any time
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@patient
@given(st.sets(st.integers(0, 9), min_size=1))
def test_the_smallest_set_is_found_where_it_takes_all_of_it(needed):
    assert set(smallest(range(10), lambda keys: needed <= set(keys))) == needed
