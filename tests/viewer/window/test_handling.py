import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.drawing.camera import project
from viewer.sources import RunningWorld, StoredFrames
from viewer.timeline import Timeline
from viewer.window.handling import RANGES
from viewer.window.keys import KEYS, called, watched
from wingedge import Feature, shapes

pytestmark = pytest.mark.gui


def made():
    box = Body(shapes.box(), name="box", pose=Pose(None, (-1.0, 0.0, 1.1)))
    table = Body(shapes.grid_box((4, 4, 1), (6.0, 6.0, 1.0)), name="table")
    ball = Body(shapes.icosphere(1), name="ball")
    sink = lambda t: Pose.rigid(None, (1.6, 0.0, 2.0 - t))  # noqa: E731
    return World([box, table, ball], motion={"ball": sink}, dt=0.1)


@pytest.fixture
def opened(tmp_path):
    from viewer.window.window import Window

    windows = []

    def make(source):
        window = Window(Timeline(source), off_screen=True)
        window.controls.hands.folder = tmp_path
        windows.append(window)
        window.timeline.pause()
        window.turn()
        return window

    yield make
    for window in windows:
        window.close()


@pytest.fixture
def window(opened):
    return opened(RunningWorld(made()))


def type_key(window, symbol, *, control=False, shift=False):
    keyboard = window.plotter.iren.interactor
    keyboard.SetControlKey(control)
    keyboard.SetShiftKey(shift)
    keyboard.SetKeySym(symbol)
    keyboard.InvokeEvent("KeyPressEvent")
    keyboard.SetControlKey(False)
    keyboard.SetShiftKey(False)
    window.turn()


def mouse(window, event, place, *, control=False):
    interactor = window.plotter.iren.interactor
    x, y = (round(float(p)) for p in place)
    interactor.SetEventInformation(x, y, int(control), 0, "\0", 0, None)
    interactor.InvokeEvent(event)
    window.turn()


def drag(window, start, way, *, control=False, steps=4):
    start, way = np.asarray(start, float), np.asarray(way, float)
    mouse(window, "MouseMoveEvent", start)
    mouse(window, "LeftButtonPressEvent", start, control=control)
    for k in range(1, steps + 1):
        place = start + way * k / steps
        mouse(window, "MouseMoveEvent", place, control=control)
    mouse(window, "LeftButtonReleaseEvent", start + way, control=control)


def seen(window, points):
    return project(np.atleast_2d(points), window.scene.view, window.scene.size)[0]


def place_of(window, name):
    return window.scene.frame.body(name).pose.translation.copy()


def test_a_click_chooses_a_body_and_reads_the_feature_there(window):
    hands = window.controls.hands
    front = seen(window, (-1.0, -0.5, 1.1))
    before = window.image()
    mouse(window, "LeftButtonPressEvent", front)
    mouse(window, "LeftButtonReleaseEvent", front)
    face = hands.feature
    corners = window.scene.frame.body("box").world_points()
    corners = corners[window.scene.frame.body("box").mesh.face_vertices(face.index)]
    assert (hands.chosen, face.kind) == ("box", "face")
    assert (corners[:, 1] == -0.5).all()
    assert (window.image() != before).any()
    assert len(window.timeline.source) == 1, "to read is not to touch"
    vertex = seen(window, corners[0])
    mouse(window, "LeftButtonPressEvent", vertex)
    mouse(window, "LeftButtonReleaseEvent", vertex)
    assert hands.feature.kind == "vertex"


def test_a_click_beside_everything_chooses_nothing(window):
    hands = window.controls.hands
    type_key(window, "Tab")
    assert hands.chosen == "box"
    mouse(window, "LeftButtonPressEvent", (600.0, 700.0))
    mouse(window, "LeftButtonReleaseEvent", (600.0, 700.0))
    assert hands.chosen is None


def test_a_drag_that_turns_the_view_chooses_nothing(window):
    before = window.plotter.camera.position
    drag(window, seen(window, (-1.0, 0.1, 1.6)), (60.0, 10.0))
    assert window.controls.hands.chosen is None
    assert not np.allclose(window.plotter.camera.position, before)


def test_a_click_on_the_panel_or_the_slider_is_none_on_the_bodies(window):
    type_key(window, "Tab")
    for place in ((1200.0, 500.0), (600.0, 20.0)):
        mouse(window, "LeftButtonPressEvent", place)
        mouse(window, "LeftButtonReleaseEvent", place)
        assert window.controls.hands.chosen == "box"


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


def test_an_arrow_of_the_handles_moves_along_its_axis_alone(window):
    type_key(window, "Tab")
    window.turn()
    assert window.handling.handles.shown
    before = place_of(window, "box")
    tip = seen(window, np.add(before, (0.0, 0.0, 0.7)))
    drag(window, tip, (0.0, 40.0))
    after = place_of(window, "box")
    assert after[2] > before[2] + 0.02
    np.testing.assert_allclose(after[:2], before[:2], atol=1e-9)
    pair = window.scene.frame.pair("box", "table")
    assert pair.distance == pytest.approx(after[2] - 1.0)
    mouse(window, "MouseMoveEvent", (600.0, 700.0))
    count = len(window.timeline.source)
    for _ in range(3):
        window.turn()
    assert len(window.timeline.source) == count, "nothing moves when nobody drags"


def test_digits_move_and_control_turns(window):
    type_key(window, "Tab")
    before = place_of(window, "box")
    for symbol in ("2", "KP_2"):
        type_key(window, symbol)
    after = place_of(window, "box")
    np.testing.assert_allclose(after - before, (0, 0, -0.04), atol=1e-12)
    type_key(window, "8", control=True)
    pose = window.scene.frame.body("box").pose
    assert not np.allclose(pose.linear, np.eye(3))
    assert window.scene.frame.pair("box", "table").kind != "FF"
    assert len(window.timeline.source) == 4


def test_the_slider_of_a_mould_changes_the_shape_at_once(window):
    type_key(window, "Tab")
    type_key(window, "m")
    assert set(window.handling.sliders) == set(RANGES)
    shown = window.handling.sliders["squash"]
    shown.GetSliderRepresentation().SetValue(0.5)
    shown.InvokeEvent("InteractionEvent")
    window.turn()
    points = window.scene.frame.body("box").points
    assert np.ptp(points[:, 2]) == pytest.approx(0.5)
    type_key(window, "5")
    assert shown.GetSliderRepresentation().GetValue() == 0.0
    assert np.ptp(window.scene.frame.body("box").points[:, 2]) == 1.0
    type_key(window, "m")
    assert not shown.GetEnabled()


def test_escape_lets_go_and_the_body_stays(window):
    type_key(window, "Tab", shift=True)
    assert window.controls.hands.chosen == "ball"
    type_key(window, "Tab", shift=True)
    type_key(window, "ISO_Left_Tab")
    type_key(window, "2")
    place = place_of(window, "box")
    type_key(window, "Escape")
    assert window.controls.hands.world.held == ()
    assert not window.handling.handles.shown
    type_key(window, "Right")
    assert (place_of(window, "box") == place).all()


def test_a_recording_is_read_but_has_no_handles(opened):
    window = opened(StoredFrames(list(made().run(3))))
    top = seen(window, (-1.0, 0.1, 1.6))
    mouse(window, "LeftButtonPressEvent", top)
    mouse(window, "LeftButtonReleaseEvent", top)
    assert window.controls.hands.chosen == "box"
    assert isinstance(window.controls.hands.feature, Feature)
    assert not window.handling.handles.shown
    drag(window, top, (0.0, -60.0), control=True)
    type_key(window, "2")
    assert place_of(window, "box")[2] == 1.1
    type_key(window, "Return")
    assert "recorded already" in window.controls.hands.said


def test_marks_follow_a_body_that_moves_by_itself(window):
    window.controls.hands.choose("ball")
    window.timeline.play()
    pictures = []
    for _ in range(2):
        window.timeline.step_forward()
        window.timeline.play()
        window.draw()
        pictures.append(window.image())
    assert (pictures[0] != pictures[1]).any()
    assert not window.handling.handles.shown, "they would run away from the mouse"


def test_keys_with_control_and_shift_have_names_of_their_own():
    assert called("4", shift=False, control=True) == "Control+4"
    assert called("4", shift=False, control=False) == "4"
    assert called("KP_4", shift=False, control=True) == "Control+4"
    assert called("ISO_Left_Tab", shift=True, control=False) == "Shift+Tab"
    assert called("Tab", shift=True, control=False) == "Shift+Tab"
    assert called("KP_Enter", shift=False, control=False) == "Return"
    assert called("space", shift=True, control=True) == "space"
    assert {key.symbol.split("+")[-1] for key in KEYS} <= set(watched())


def test_no_name_covers_the_arrows_and_rings_of_what_is_chosen(window):
    window.controls.hands.choose("box")
    window.controls.stale = True
    window.turn()
    scene = window.scene
    places = project(window.handling.busy(scene.frame), scene.view, scene.size)
    assert len(places) > 30
    for left, bottom, right, top in scene.label_boxes:
        x, y = places.T
        assert not ((x > left) & (x < right) & (y > bottom) & (y < top)).any()
    window.timeline.play()
    assert len(window.handling.busy(scene.frame)) == 0, "there are none while it plays"
