import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))


"""The face (0, 1, 2) looks up; its edge 0-1 was the part, 2 the higher vertex."""


@pytest.fixture
def same_bits():
    def compare(one, other):
        return one.numbers._replace(work=None) == other.numbers._replace(work=None)

    return compare


def test_a_slow_change_of_features_takes_steps_and_no_walk(same_bits):
    """A ball rolls along an edge and off it: vertex, edge, face, neighbours."""
    a, b = Body(BOX), Body(shapes.icosphere(3, radius=0.5))
    tracker = PairTracker(a, b)
    walked = 0
    kinds = set()
    for k in range(200):
        at = (1.3 * np.cos(0.008 * k), 1.2 * np.sin(0.008 * k), 0.9)
        b.pose = Pose.rigid((0.1, 0.002 * k, 0.0, 1.0), at)
        state = tracker.update()
        walked += state.work.steps > 2
        kinds.add(state.kind)
        assert same_bits(state, closest(a, b))
    assert len(kinds) > 3
    assert walked < 20
