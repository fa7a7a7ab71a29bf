import numpy as np  # of viewer.window.handling
import pytest

from viewer.drawing.camera import project

pytestmark = pytest.mark.gui


@pytest.fixture
def window(opened, world):
    return opened(world, paused=True)


def drag(window, start, way, *, steps=4, **keys):
    start, way = np.asarray(start, float), np.asarray(way, float)
    window.mouse("MouseMoveEvent", *start)
    window.mouse("LeftButtonPressEvent", *start, **keys)
    for k in range(1, steps + 1):
        place = start + way * k / steps
        window.mouse("MouseMoveEvent", *place, **keys)
    window.mouse("LeftButtonReleaseEvent", *start + way, **keys)


def seen(window, points):
    return project(np.atleast_2d(points), window.scene.view, window.scene.size)[0]


def place_of(window, name):
    return window.scene.frame.body(name).pose.translation.copy()


def test_a_click_chooses_a_body_and_reads_the_feature_and_a_drag_does_not(window):
    hands = window.controls.hands
    front = seen(window, (-1.0, -0.5, 1.1))
    before = window.image()
    window.click(*front)
    face = hands.feature
    corners = window.scene.frame.body("box").world_points()
    corners = corners[window.scene.frame.body("box").mesh.face_vertices(face.index)]
    assert (hands.chosen, face.kind) == ("box", "face")
    assert (corners[:, 1] == -0.5).all()
    assert (window.image() != before).any()
    assert len(window.timeline.source) == 1, "to read is not to touch"
    window.click(*seen(window, corners[0]))
    assert hands.feature.kind == "vertex"
    for place in ((1200.0, 500.0), (600.0, 20.0)):
        window.click(*place)
        assert hands.chosen == "box", "the panel and the slider are no bodies"
    window.click(600.0, 700.0)
    assert hands.chosen is None, "beside everything"
    eye = window.plotter.camera.position
    drag(window, seen(window, (-1.0, 0.1, 1.6)), (60.0, 10.0))
    assert hands.chosen is None, "it turns the view"
    assert not np.allclose(window.plotter.camera.position, eye)


def test_control_and_the_left_button_drag_a_body_over_the_picture(window):
    before, camera = place_of(window, "box"), window.plotter.camera.position
    state = window.scene.frame.pair("box", "table")
    start = seen(window, (-1.0, 0.1, 1.6))
    drag(window, start, (0.0, -60.0), control=True)
    after = place_of(window, "box")
    frame = window.scene.frame
    assert after[2] < before[2] - 0.2
    assert frame.pair("box", "table").regime == "penetrating"
    assert state.regime == "separated"
    assert np.allclose(window.plotter.camera.position, camera), "the view stays"
    assert len(window.timeline.source) == 5, "one frame for every step of the mouse"
    moved = seen(window, after) - seen(window, before)
    np.testing.assert_allclose(moved, (0.0, -60.0), atol=1.0)
    assert place_of(window, "ball")[2] == 2.0, "time stands still for the others"
    kinds = [event.kind for _, event in window.timeline.source.events()]
    assert kinds[:2] == ["begin", "penetrate"]


def test_with_shift_a_drag_turns_the_body_about_its_middle(window):
    start = seen(window, (-1.0, 0.1, 1.6))
    right = window.scene.view.axes[0]
    drag(window, start, (0.0, 100.0), control=True, shift=True)
    pose = window.scene.frame.body("box").pose
    np.testing.assert_allclose(pose.translation, (-1.0, 0.0, 1.1), atol=1e-9)
    np.testing.assert_allclose(pose.linear @ right, right, atol=1e-9)
    assert np.trace(pose.linear) == pytest.approx(1 + 2 * np.cos(np.radians(40.0)))
    count = len(window.timeline.source)
    window.settle()
    assert len(window.timeline.source) == count, "nothing moves when nobody drags"


def test_sliders_squash_twist_and_bend_the_chosen_body(window):
    hands, mesh = window.controls.hands, window.controls.hands.world.body("box").mesh
    window.type_key("Tab")
    window.type_key("m")
    bar = window.handling.sliders["twist"].GetRepresentation()
    ends = [bar.GetPoint1Coordinate().GetValue(), bar.GetPoint2Coordinate().GetValue()]
    start, end = np.array(ends)[:, :2] * window.plotter.window_size
    drag(window, (start + end) / 2, (end - start) / 10)
    assert hands.chosen == "box", "a press on a slider is no click beside the bodies"
    assert 30.0 < hands.amounts["twist"] == bar.GetValue() < 90.0
    twisted = window.scene.frame.body("box").points
    turned = (twisted != mesh.points).any(axis=1)
    np.testing.assert_array_equal(turned, mesh.points[:, 2] > 0.0)
    hands.deform(bend=180.0, squash=0.8)
    window.settle()
    assert hands.said.startswith("not done: "), "a box so flat would be folded"
    assert hands.amounts["bend"] == 0.0 != bar.GetValue()
    assert (window.scene.frame.body("box").points == twisted).all()
    window.type_key("z")
    assert (window.scene.frame.body("box").points == mesh.points).all()
    assert bar.GetValue() == hands.amounts["twist"] == 0.0
