import numpy as np
import pytest

from sim import Body, Pose, World
from viewer import picture
from viewer.drawing.legend import legend_height, steps_of, swatches
from viewer.drawing.marks import cross, diamond, mark_of, triangle
from viewer.layers.insets import chart_side, numbered
from viewer.layers.overlays import NOTHING
from viewer.layers.switches import EXTRA
from viewer.layout.camera import project
from viewer.theme import LIGHT
from wingedge import shapes

SIZE = (1280, 720)


def words(scene):
    return [swatch.words for swatch in swatches(scene.overlays)]


def seen(image, colour, tolerance=12):
    away = np.abs(image.astype(int) - np.array(colour)).max(axis=-1)
    return int((away < tolerance).sum())


@pytest.mark.gui
def test_a_scene_without_layers_collects_nothing(scene, rolling):
    scene.update(rolling[64], before=rolling[63])
    assert scene.overlays == NOTHING
    assert scene._sheets is None
    assert words(scene) == []


@pytest.mark.gui
def test_a_layer_that_is_switched_off_again_leaves_no_trace(scene, rolling):
    scene.update(rolling[64])
    plain = scene.image()
    scene.layers.show(EXTRA)
    scene.update(rolling[64], before=rolling[63])
    assert (scene.image() != plain).any(axis=-1).mean() > 0.02
    for name in EXTRA:
        scene.layers.flip(name)
    scene.update(rolling[64])
    assert np.mean(scene.image() != plain) < 1e-3


@pytest.mark.gui
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(
    ("layer", "frame", "colour"),
    [
        ("path", "rolling", "trail"),
        ("cover", "dented", "lid"),
        ("cover", "dented", "pocket"),
    ],
)
def test_a_layer_is_drawn_in_its_colour(layer, frame, colour, look, rolling):
    from viewer.theme import named

    dented = World([Body(shapes.u_block(), name="u")]).step()
    shown = {"rolling": rolling[64], "dented": dented}[frame]
    tone = getattr(named(look), colour)
    size = (800, 600)
    drawn = picture(shown, size=size, theme=look, layers=[layer], before=rolling[63])
    plain = picture(shown, size=size, theme=look)
    assert seen(drawn, tone) > seen(plain, tone) + 30


@pytest.mark.gui
def test_texts_cover_neither_charts_nor_each_other(scene, rolling):
    scene.layers.show(EXTRA)
    scene.update(rolling[64], before=rolling[63])
    side = chart_side(*SIZE)
    boxes = scene.label_boxes
    assert (boxes[:, 2] < SIZE[0] - side).all()
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
            assert not (high > low).all()


@pytest.mark.gui
def test_bodies_keep_clear_of_charts(scene, rolling):
    scene.layers.show(["neighbours"])
    scene.update(rolling[40])
    edge = SIZE[0] - chart_side(*SIZE)
    for body in rolling[40].bodies:
        assert project(body.world_points(), scene.view, SIZE)[:, 0].max() < edge


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
    assert ("distance: no pair apart" in said) == (
        frame in ("touching", "overlap", "alone")
    )
    assert ("depth: no overlap" in said) == (frame != "overlap")


@pytest.mark.gui
def test_a_distance_that_cannot_be_seen_is_pointed_at_and_written(scene):
    low = Body(shapes.box(1.0), name="low")
    high = Body(
        shapes.box(0.5), name="high", pose=Pose.rigid(None, (0, 0, 0.75 + 1e-9))
    )
    scene.layers.show(["distance"])
    scene.update(World([low, high]).step())
    ink = LIGHT.regime("contact")
    (apart,) = scene.overlays.apart
    a, b = project(apart.ends, scene.view, SIZE)
    assert np.abs(a - b).max() < 1.0
    middle = a.astype(int)
    image = scene.image()[::-1]  # the lowest row first
    around = image[
        middle[1] - 45 : middle[1] + 46, max(0, middle[0] - 90) : middle[0] + 91
    ]
    assert seen(around, ink) > 150


@pytest.mark.gui
def test_along_the_normal_a_dimension_line_is_still_drawn(scene):
    low = Body(shapes.box(1.0), name="low")
    high = Body(shapes.box(0.5), name="high", pose=Pose.rigid(None, (0, 0, 2.0)))
    scene.layers.show(["distance"])
    scene.update(World([low, high]).step())
    camera = scene.plotter.camera
    camera.position, camera.focal_point, camera.up = (0, 0, 9), (0, 0, 0), (0, 1, 0)
    scene.annotate()
    assert np.isfinite(scene.label_boxes).all()
    assert len(scene.label_boxes) == 3


@pytest.mark.gui
def test_a_long_name_leaves_neither_its_chart_nor_the_legend(scene):
    # The title ran out of its chart, the words for the depth under it.
    name = "a_very_long_name_" * 4
    low, high = (Body(shapes.box(1.0), name=n) for n in ("low", name))
    scene.layers.show(["neighbours", "depth"])
    scene.update(World([low, high]).step())
    assert not any(name in line for line in words(scene))
    outside = scene.image()[:, -16:]  # right of the charts
    tones = (LIGHT.body(k).feature for k in range(2))
    assert not any(seen(outside, tone) for tone in tones)


def test_marks_differ_by_kind_and_steps_that_stay_share_a_stop():
    assert mark_of("VF") is mark_of("FV") is triangle
    assert mark_of("EE") is cross
    assert {mark_of(kind) for kind in ("VV", "VE", "EV", "EF", "FF")} == {diamond}
    places = np.array([[0.0, 0], [0, 0], [1, 0], [0, 0], [0, 0], [0, 0]])
    kept, said = numbered(places)
    assert kept.tolist() == [[0, 0], [1, 0], [0, 0]]
    assert said == ["1-2", "3", "4-6"]
    kept, said = numbered(np.empty((0, 3)))
    assert (kept.shape, said) == ((0, 3), [])


def test_a_long_way_is_cut_in_the_middle_and_keeps_its_end(rolling):
    from viewer.layers.overlays import trail

    walk = trail(rolling[63], rolling[64], rolling[64].pairs[0])
    assert steps_of(NOTHING) == []
    lines = steps_of(NOTHING._replace(trails=(walk,)))
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5", "6"]
    long = walk._replace(said=tuple(f"step {k}" for k in range(1, 21)))
    lines = steps_of(NOTHING._replace(trails=(long,)))
    assert len(lines) == 8
    assert lines[5:] == ["6  step 6", "... 13 more steps", "20  step 20"]


def test_the_legend_grows_with_what_it_explains(rolling):
    assert legend_height(2, NOTHING) == 70
    every = NOTHING._replace(empty=EXTRA)
    assert legend_height(2, every) > legend_height(2, NOTHING)
    assert len(swatches(every)) == len(EXTRA)


@pytest.mark.parametrize("size", [(64, 64), (600, 440), (1280, 720), (3840, 2160)])
def test_two_charts_fit_beside_a_picture(size):
    side = chart_side(*size)
    assert side == 0.0 or 80.0 <= side <= 216.0
    assert side or size < (600, 440), "there is room for them"
    if size[1] >= 440:
        assert 2 * (side + 38.0) < size[1] - 100
