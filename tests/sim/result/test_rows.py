from sim import Body, PairTracker, Pose  # of sim.kernels.rows, sim.result.answers
from wingedge import shapes


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
