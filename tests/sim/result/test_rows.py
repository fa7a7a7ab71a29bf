import numpy as np
import pytest

from sim import Body, PairTracker, Pose
from sim.kernels.workspace import Result, name_part
from sim.result.plain import answered
from wingedge import shapes


def found(part_a, part_b, parallel=0):
    result = Result(0.5, 0.25, 0.75, 8.0, parallel=parallel)
    result.normal = (0.0, 0.6, 0.8)
    result.point_a = (1.0, 2.0, 3.0)
    result.point_b = (1.0, 2.3, 3.4)
    result.steps, result.vertices, result.level_faces, result.scans = 1, 2, 3, 4
    name_part(result.part_a, *part_a)
    name_part(result.part_b, *part_b)
    return result


PATCH = (1.0, 2.0, 3.0, 0.0, 1.5, 2.0, 3.0, 0.0), (0, 1, 2, 4, 2, 3, 0, 6)


def test_an_answer_is_moved_to_the_world_with_its_names_and_corners():
    plain = found((1, 5, 2, 1, 0), (0, 7, 1, 0, 0))
    n = answered(plain, (10.0, 20.0, 30.0), (5,), (7,))
    assert (n.distance, n.lower, n.upper, n.size) == (0.5, 0.25, 0.75, 8.0)
    assert n.normal == (0.0, 0.6, 0.8)
    assert n.point_a == (11.0, 22.0, 33.0)
    assert n.point_b == (11.0, 22.3, 33.4)
    assert (n.dimension_a, n.parts_a, n.dimension_b, n.parts_b) == (1, (5,), 0, (7,))
    assert (n.corners, n.labels, n.unique) == ((), (), True)
    assert (n.reason, n.work) == ("", (1, 2, 3, 4, 0))
    patched = found((2, 3, 0, 0, 0), (2, 4, 0, 0, 0), parallel=1)
    n = answered(patched, (10.0, 20.0, 30.0), (3, 9), (4,), *PATCH)
    assert (n.parts_a, n.parts_b, n.unique) == ((3, 9), (4,), False)
    assert n.corners[:3] == (11.0, 22.0, 33.0)
    assert n.corners[6:9] == (11.5, 22.0, 33.0)
    for k in (0, 6):
        step = np.subtract(n.corners[k + 3 : k + 6], n.corners[k : k + 3])
        assert step == pytest.approx((0.0, 0.3, 0.4), abs=1e-14)
    assert n.labels == PATCH[1]


def test_an_answer_of_a_tracker_is_no_live_memory(engine):
    """Rows lie side by side in a memory that is used again, once it is full."""
    a, b = Body(shapes.box((1.0, 1.0, 1.0))), Body(shapes.grid_box(3, (1.0, 1.0, 1.0)))
    tracker, again = PairTracker(a, b), PairTracker(a, b)
    at = [(0.25, 0.5, 1.5), (3.0, 0.1, 0.2), (1.5, 1.5, 0.25), (0.3, 0.2, -1.5)]
    at += [(0.25 + 0.01 * k, 0.5, 1.0 - 0.3 * (k % 3 == 0)) for k in range(50)]
    states, told = [], []
    for p in at:
        b.pose = Pose(translation=p)
        states.append(tracker.update())
        s = again.update()
        told.append((s.numbers, s.distance, s.upper, *map(list, (s.point_b, s.normal))))
    for s, known in zip(states, told, strict=True):
        now = s.distance, s.upper, *map(list, (s.point_b, s.normal))
        assert (s.numbers, *now) == known
    assert len({s.kind for s in states}) > 1
