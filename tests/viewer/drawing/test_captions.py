from types import SimpleNamespace  # of viewer.drawing.captions, viewer.drawing.arrays

import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.drawing.arrays import collect
from viewer.drawing.camera import project
from viewer.drawing.captions import steps_of, swatches
from viewer.drawing.overlays import EXTRA, Layers
from viewer.theme import TEXT_SIZE
from wingedge import shapes

SIZE = (1280, 720)


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
