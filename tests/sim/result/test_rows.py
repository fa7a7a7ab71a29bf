import numpy as np
import pytest

from sim import Body, PairState, PairTracker, Pose
from sim.kernels.workspace import Result, name_part
from sim.result.rows import Rows
from wingedge import shapes

A, B = Body(shapes.box(), name="a"), Body(shapes.box(), name="b")


def answered(part_a, part_b, parallel=0):
    result = Result(0.5, 0.25, 0.75, 8.0, parallel=parallel)
    result.normal = (0.0, 0.6, 0.8)
    result.point_a = (1.0, 2.0, 3.0)
    result.point_b = (1.0, 2.3, 3.4)
    result.steps, result.vertices, result.level_faces, result.scans = 1, 2, 3, 4
    name_part(result.part_a, *part_a)
    name_part(result.part_b, *part_b)
    return result


PLAIN = Rows(answered((1, 5, 2, 1, 0), (0, 7, 1, 0, 0)), (10.0, 20.0, 30.0), "ring")
PATCHED = PLAIN._replace(
    result=answered((2, 3, 0, 0, 0), (2, 4, 0, 0, 0), parallel=1),
    parts=((3, 9), (4,)),
    patch=(1.0, 2.0, 3.0, 0.0, 1.5, 2.0, 3.0, 0.0),
    labels=(0, 1, 2, 4, 2, 3, 0, 6),
    reason="a remark",
)


def test_an_answer_is_moved_to_the_world_with_its_names_and_corners():
    n = PLAIN.numbers()
    assert (n.distance, n.lower, n.upper, n.size) == (0.5, 0.25, 0.75, 8.0)
    assert n.normal == (0.0, 0.6, 0.8)
    assert n.point_a == (11.0, 22.0, 33.0)
    assert n.point_b == (11.0, 22.3, 33.4)
    assert (n.dimension_a, n.parts_a, n.dimension_b, n.parts_b) == (1, (5,), 0, (7,))
    assert (n.corners, n.labels, n.unique) == ((), (), True)
    assert (n.proof, n.reason, n.work) == ("ring", "", (1, 2, 3, 4, 0))
    n = PATCHED.numbers()
    assert (n.parts_a, n.parts_b, n.unique) == ((3, 9), (4,), False)
    assert n.corners[:3] == (11.0, 22.0, 33.0)
    assert n.corners[6:9] == (11.5, 22.0, 33.0)
    for k in (0, 6):
        step = np.subtract(n.corners[k + 3 : k + 6], n.corners[k : k + 3])
        assert step == pytest.approx((0.0, 0.3, 0.4), abs=1e-14)
    assert (n.labels, n.reason) == (PATCHED.labels, "a remark")


@pytest.mark.parametrize("rows", [PLAIN, PATCHED])
def test_swapped_rows_are_the_mirrored_answer(rows):
    assert rows._replace(swapped=True).numbers() == rows.numbers().mirrored()


@pytest.mark.parametrize("rows", [PLAIN, PATCHED, PATCHED._replace(swapped=True)])
def test_a_state_of_rows_is_the_state_of_their_numbers(rows):
    one = PairState(rows, "contact", 4, A, B)
    two = PairState(rows.numbers(), "contact", 4, A, B)
    for _ in range(2):  # before and after it was decoded
        for name in ("distance", "depth", "lower", "upper", "size", "certified"):
            assert getattr(one, name) == getattr(two, name), name
        assert one.numbers == two.numbers
    assert one.numbers is one.numbers
    assert repr(one) == repr(two)
    assert repr(one.contacts) == repr(two.contacts)
    assert one.swapped().numbers == two.swapped().numbers


def test_an_answer_of_a_tracker_is_no_live_memory():
    a, b = Body(shapes.box((1.0, 1.0, 1.0))), Body(shapes.grid_box(3, (1.0, 1.0, 1.0)))
    tracker, again = PairTracker(a, b), PairTracker(a, b)
    at = [(0.25, 0.5, 1.5), (3.0, 0.1, 0.2), (1.5, 1.5, 0.25), (0.3, 0.2, -1.5)]
    states, told = [], []
    for p in at:
        b.pose = Pose(translation=p)
        states.append(tracker.update())
        told.append(again.update().numbers)
    assert [s.numbers for s in states] == told
    assert len({s.kind for s in states}) > 1
