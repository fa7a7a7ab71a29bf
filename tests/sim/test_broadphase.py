import numpy as np
import pytest

from sim.contact_manager import BodyBoxes, boxes_of, near_pairs


def brute_force(boxes, margin):
    found = []
    for i in range(len(boxes.low)):
        for j in range(i + 1, len(boxes.low)):
            gap = np.maximum(boxes.low[j] - boxes.high[i], boxes.low[i] - boxes.high[j])
            if gap.max() <= margin:
                found.append([i, j])
    return found


@pytest.mark.parametrize("margin", [0.0, 0.05, 0.5, 10.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_sweep_finds_what_comparing_all_boxes_finds(seed, margin):
    draw = np.random.default_rng(seed)
    low = draw.random((40, 3)) * 3
    boxes = BodyBoxes(low, low + draw.random((40, 3)) * 0.4)
    assert near_pairs(boxes, margin).tolist() == brute_force(boxes, margin)


def test_boxes_that_touch_or_are_none_are_near_and_one_has_no_pair():
    boxes = BodyBoxes(
        np.array([[0.0] * 3, [1.0] * 3]), np.array([[1.0] * 3, [2.0] * 3])
    )
    assert near_pairs(boxes, 0.0).tolist() == [[0, 1]]
    for bad in [np.nan, np.inf, -np.inf]:
        low = np.array([[0.0] * 3, [50.0] * 3, [99.0] * 3])
        high = low + 1.0
        high[1, 2] = bad
        assert near_pairs(BodyBoxes(low, high), 0.0).tolist() == [[0, 1], [1, 2]]
    for count in [0, 1]:
        boxes = boxes_of([np.zeros((4, 3))] * count)
        assert near_pairs(boxes, 1.0).shape == (0, 2)
