import numpy as np  # of viewer.drawing.labels
import pytest

from viewer.drawing.labels import LabelRequest, place

SIZE = (1280, 720)
NO_TEXT, NO_DOTS = np.empty((0, 4)), np.empty((0, 2))


def held(anchor=(640.0, 360.0), width=120.0, prefer=(0, 0)):
    return [LabelRequest((width, 26.0), np.atleast_2d(anchor), np.array(prefer))]


def is_over(box, points):
    return bool(((points > box[:2]) & (points < box[2:])).all(axis=1).any())


def leader(found):
    t = np.linspace(0.0, 1.0, 500)[:, None]
    return (1 - t) * found.anchor + t * found.end


def overlap(one, other):
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    return bool((high > low).all())


def requests(seed, count):
    draw = np.random.default_rng(seed)
    return [
        LabelRequest(
            (float(draw.uniform(60, 240)), 26.0),
            draw.uniform([200, 200], [1080, 520], size=(draw.integers(1, 20), 2)),
            draw.normal(size=2) / 2,
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_in_the_picture_and_cover_no_other_no_marker_and_no_title(seed):
    title = np.array([[18.0, 640.0, 480.0, 702.0], [18.0, 18.0, 520.0, 36.0]])
    dots = np.random.default_rng(100 + seed).uniform([500, 250], [780, 470], (30, 2))
    wanted = requests(seed, 6)
    places = place(wanted, SIZE, title, dots)
    boxes = [found.box for found in places]
    for k, box in enumerate(boxes):
        assert not any(overlap(box, other) for other in [*boxes[:k], *title])
        assert not is_over(box, dots)
        assert ((box[:2] >= 0) & (box[2:] <= SIZE)).all()
    for found, request in zip(places, wanted, strict=True):
        assert (found.anchor == request.anchors).all(axis=1).any()
        assert ((found.end >= found.box[:2]) & (found.end <= found.box[2:])).all()


def test_places_off_the_picture_are_not_pointed_at_and_a_full_one_gets_its_texts():
    anchors = np.array([[-500.0, 360.0], [640.0, 360.0]])
    (found,) = place(held(anchors, 100.0), SIZE, NO_TEXT, NO_DOTS)
    np.testing.assert_array_equal(found.anchor, anchors[1])
    everything = np.array([[0.0, 0.0, *map(float, SIZE)]])
    assert len(place(requests(1, 3), SIZE, everything, NO_DOTS)) == 3


@pytest.mark.parametrize("what", ["a marker", "a text", "the leader"])
def test_a_text_that_would_cover_something_is_placed_anew(what):
    (first,) = place(held(), SIZE, NO_TEXT, NO_DOTS)
    middle = (first.box[:2] + first.box[2:]) / 2
    dots = middle[None] if what == "a marker" else NO_DOTS
    at = (first.anchor + first.end) / 2
    text = np.concatenate([at - 8.0, at + 8.0]) if what == "the leader" else first.box
    boxes = NO_TEXT if what == "a marker" else text[None]
    (second,) = place(held(), SIZE, boxes, dots, last=[first])
    if what == "the leader":
        assert not is_over(text, leader(second))
    else:
        assert not overlap(second.box, first.box)


def test_a_long_leader_does_not_run_across_a_low_text():
    """One sampled at six points stepped over a text of 26 pixels."""
    texts = np.array([[300.0, 400.0, 980.0, 412.0], [300.0, 300.0, 980.0, 312.0]])
    (found,) = place(held((640.0, 356.0), 300.0), SIZE, texts, NO_DOTS)
    assert not any(is_over(text, leader(found)) for text in texts)


def test_the_title_is_covered_by_nothing_where_there_is_any_room():
    """Once a text that went along with its body did."""
    title, found = np.array([[18.0, 640.0, 480.0, 702.0]]), ()
    for k in range(60):
        moved = held((640.0 - 6 * k, 360.0 + 5 * k))
        found = place(moved, SIZE, title, NO_DOTS, last=found)
        assert not overlap(found[0].box, title[0])
