from types import SimpleNamespace  # of viewer.drawing.captions, viewer.drawing.arrays

import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.drawing.arrays import collect
from viewer.drawing.camera import project
from viewer.drawing.captions import LabelRequest, place, steps_of, swatches
from viewer.theme import EXTRA, TEXT_SIZE, Layers
from wingedge import shapes

SIZE = (1280, 720)
NO_TEXT, NO_DOTS = np.empty((0, 4)), np.empty((0, 2))


def stacked(extent, height):
    """A frame of a box of 1, and of another that far over its middle."""
    high = Body(shapes.box(extent), name="high", pose=Pose(None, (0, 0, height)))
    return World([Body(shapes.box(1.0), name="low"), high]).step()


def words(scene):
    return [swatch.words for swatch in swatches(scene.shown)]


@pytest.mark.gui
@pytest.mark.parametrize("frame", ["apart", "touching", "overlap", "alone", "flat"])
def test_every_layer_at_once_draws_whatever_the_frame(scene, frame):
    box = Body(shapes.box(1.0), name="box")
    other = Body(shapes.box(1.0), name="other")
    other.pose = Pose.rigid(
        None, (0.0, 0.0, {"apart": 2.0, "overlap": 0.75}.get(frame, 1.0))
    )
    if frame == "flat":
        box.points = box.positions * (0.0, 0.0, 0.0)
    made = World([box] if frame == "alone" else [box, other]).step()
    scene.layers.show(EXTRA)
    scene.update(made)
    assert np.ptp(scene.image()) > 100
    said = words(scene)
    assert ("distance: all pairs touch" in said) == (frame in ("touching", "alone"))


@pytest.mark.gui
def test_along_the_normal_a_dimension_line_is_still_drawn(scene):
    scene.layers.show(["distance"])
    scene.update(stacked(0.5, 2.0))
    camera = scene.plotter.camera
    camera.position, camera.focal_point, camera.up = (0, 0, 9), (0, 0, 0), (0, 1, 0)
    scene.annotate()
    assert np.isfinite([label.box for label in scene.labels]).all()
    assert len(scene.labels) == 3


@pytest.mark.gui
def test_a_long_name_does_not_leave_the_legend(scene):
    name = "a_very_long_name_" * 4
    low, high = (Body(shapes.box(1.0), name=n) for n in ("low", name))
    scene.layers.show(["distance"])
    scene.update(World([low, high]).step())
    assert not any(name in line for line in words(scene))


def test_the_path_has_a_place_and_words_for_every_step(rolling):
    shown = collect(rolling[64], Layers(path=True), before=rolling[63])
    (walk,) = shown.trails
    lines = steps_of(shown)
    assert walk.places_a.shape == walk.places_b.shape == (6, 3)
    assert lines[0].startswith("1  VF v36 f62: lost by")
    assert lines[-1].endswith("certified by scan")  # one bends
    assert "from nothing" not in "".join(entry.words for entry in swatches(shown))
    cold = collect(rolling[64], Layers(path=True))
    assert "from nothing" in "".join(entry.words for entry in swatches(cold))


def test_a_long_way_is_cut_in_the_middle_and_keeps_its_end(rolling):
    (walk,) = collect(rolling[64], Layers(path=True), before=rolling[63]).trails
    shown = collect(rolling[64], Layers())
    assert steps_of(shown) == []
    lines = steps_of(shown._replace(trails=[walk]))
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5", "6"]
    steps = [SimpleNamespace(text=f"step {k}") for k in range(1, 21)]
    long = walk._replace(told=SimpleNamespace(steps=steps))
    lines = steps_of(shown._replace(trails=[long]))
    assert len(lines) == 8
    assert lines[5:] == ["6  step 6", "... 13 more steps", "20  step 20"]


@pytest.mark.gui
def test_bodies_stay_clear_of_a_legend_of_many_rows_that_stays_inside(scene):
    """It was reckoned too low: five rows were written over the bodies."""
    at = [Pose.rigid(None, (1.2 * (k % 5), 1.2 * (k // 5), 0.0)) for k in range(25)]
    bodies = [
        Body(shapes.box(), name=f"a_long_name_of_a_body_{k}", pose=pose)
        for k, pose in enumerate(at)
    ]
    scene.update(World(bodies).step())
    points = np.concatenate([*scene.shown.points.values()])
    low = project(points, scene.view, scene.size)[:, 1].min()
    assert low > 5 * 1.6 * TEXT_SIZE
    image = scene.image()
    assert image[:, -10:].min() > 225
    assert image[-60:, 100:].min() < 100, "there is a legend"


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
