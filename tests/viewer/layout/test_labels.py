import numpy as np
import pytest

from viewer.layout.labels import Request, place

SIZE = (1280, 720)


def overlap(one, other):
    low = np.maximum(one[:2], other[:2])
    high = np.minimum(one[2:], other[2:])
    return bool((high > low).all())


def requests(seed, count):
    draw = np.random.default_rng(seed)
    return [
        Request(
            (float(draw.uniform(60, 240)), 26.0),
            draw.uniform([200, 200], [1080, 520], size=(draw.integers(1, 20), 2)),
            draw.normal(size=2) / 2,
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_texts_never_cover_each_other_a_marker_or_the_title(seed):
    title = np.array([[18.0, 640.0, 480.0, 702.0], [18.0, 18.0, 520.0, 36.0]])
    dots = np.random.default_rng(100 + seed).uniform([500, 250], [780, 470], (30, 2))
    places = place(requests(seed, 6), SIZE, title, dots)
    boxes = [found.box for found in places]
    for k, box in enumerate(boxes):
        assert not any(overlap(box, other) for other in boxes[:k])
        assert not any(overlap(box, other) for other in title)
        inside = (dots > box[:2]) & (dots < box[2:])
        assert not inside.all(axis=1).any()


@pytest.mark.parametrize("seed", range(5))
def test_texts_stay_inside_the_picture(seed):
    for found in place(requests(seed, 6), SIZE, np.empty((0, 4)), np.empty((0, 2))):
        assert (found.box[:2] >= 0).all()
        assert (found.box[2:] <= SIZE).all()


def test_a_text_has_the_size_that_was_asked_for():
    request = Request((100.0, 20.0), np.array([[640.0, 360.0]]), np.zeros(2))
    (found,) = place([request], SIZE, np.empty((0, 4)), np.empty((0, 2)))
    np.testing.assert_allclose(found.box[2:] - found.box[:2], [100, 20])


def test_a_text_goes_where_it_prefers_to_be():
    anchor = np.array([[640.0, 360.0]])
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        request = Request((100.0, 20.0), anchor, np.array([x, y]))
        (found,) = place([request], SIZE, np.empty((0, 4)), np.empty((0, 2)))
        middle = (found.box[:2] + found.box[2:]) / 2
        assert (middle - anchor[0]) @ [x, y] > 20


def test_a_leader_starts_on_the_feature_and_ends_at_the_text():
    anchors = np.array([[100.0, 100.0], [640.0, 360.0]])
    request = Request((100.0, 20.0), anchors, np.zeros(2))
    (found,) = place([request], SIZE, np.empty((0, 4)), np.empty((0, 2)))
    assert any(np.array_equal(found.anchor, anchor) for anchor in anchors)
    assert (found.end >= found.box[:2]).all()
    assert (found.end <= found.box[2:]).all()


def test_places_off_the_picture_are_not_pointed_at():
    anchors = np.array([[-500.0, 360.0], [640.0, 360.0]])
    request = Request((100.0, 20.0), anchors, np.zeros(2))
    (found,) = place([request], SIZE, np.empty((0, 4)), np.empty((0, 2)))
    np.testing.assert_array_equal(found.anchor, anchors[1])


def test_a_picture_too_full_still_gets_its_texts():
    everything = np.array([[0.0, 0.0, *map(float, SIZE)]])
    assert len(place(requests(1, 3), SIZE, everything, np.empty((0, 2)))) == 3
