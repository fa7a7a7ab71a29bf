import numpy as np  # of sim.kernels.walk.gjk

from sim import Body, PairTracker, Pose, closest
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))


def test_a_slow_change_of_features_takes_steps_and_no_walk():
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
        cold = closest(a, b)
        assert state.numbers._replace(work=cold.work) == cold.numbers
    assert len(kinds) > 3
    assert walked < 20
