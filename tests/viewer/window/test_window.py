import numpy as np  # of viewer.window.window, viewer.window.keys
import pytest

from sim import Body, Pose, World
from viewer.drawing.hud import Hud
from viewer.sources import StoredFrames
from viewer.theme import EXTRA, LIGHT, MARGIN, NAMES, TEXT_SIZE, Layers
from viewer.timeline import Timeline
from viewer.window.keys import KEYS, Controls, write_help
from viewer.window.window import HIGH, RIM
from wingedge import shapes

pytestmark = pytest.mark.gui
TAKEN = {"q", "b", "v", "C", "Up", "Down", "plus", "minus"}
TAKEN |= {"w", "s", "r", "p", "e", "f", "u", "3"}

LAYERS = "contacts", "normals", "names", "panel", "help", "distance", "path", "parts"
LAYER_KEYS = dict(zip("cngihdta", LAYERS, strict=True))


def test_keys_are_of_no_one_else_every_layer_has_one_and_help_lists_all():
    symbols = [key.symbol for key in KEYS]
    assert len(set(symbols)) == len(symbols)
    assert not TAKEN & set(symbols)
    assert sorted(LAYER_KEYS.values()) == sorted(NAMES)
    for symbol, name in LAYER_KEYS.items():
        (key,) = (key for key in KEYS if key.symbol == symbol)
        controls = Controls(Timeline(StoredFrames([])))
        before = vars(controls.layers).copy()
        key.act(controls)
        after = vars(controls.layers)
        assert [n for n in NAMES if before[n] != after[n]] == [name]


def test_arrows_step_home_and_end_go_to_the_ends_and_page_keys_to_events(
    opened, falling
):
    window = opened(list(falling().run(20)))
    first, second = window.timeline.event_places()
    keys = "Right", "Right", "Left", "End", "Home", "Next", "Next", "Prior"
    places = 1, 2, 1, 19, 0, first, second, first
    for key, place in zip(keys, places, strict=True):
        window.type_key(key)
        assert window.scene.frame.index == place


def test_the_slider_seeks_follows_and_stops_time(opened, falling):
    window = opened(list(falling().run(9)))
    window.turn()
    eye = window.plotter.camera.position

    def place(k):
        return RIM + (window.scene.size[0] - 2 * RIM) * k / 8

    window.timeline.play()
    window.mouse("MouseMoveEvent", place(0), HIGH)
    window.mouse("LeftButtonPressEvent", place(0), HIGH)
    for x, y, index in (
        (place(6.2), HIGH, 6),
        (place(2.0), 300.0, 2),
        (-40.0, HIGH, 0),
        (2000.0, HIGH, 8),
    ):
        window.mouse("MouseMoveEvent", x, y)
        assert window.scene.frame.index == index
        assert not window.timeline.playing
    window.mouse("LeftButtonReleaseEvent", place(2.0), HIGH)
    window.mouse("MouseMoveEvent", place(4.0), HIGH)
    assert window.scene.frame.index == 8, "nobody holds it any more"
    window.type_key("Left")
    assert abs(np.mean(handle_of(window)) - place(7)) <= 2
    window.mouse("LeftButtonPressEvent", place(3), HIGH)
    window.mouse("LeftButtonReleaseEvent", place(3), HIGH)
    assert window.scene.frame.index == 3, "a click on the rail goes there"
    assert window.plotter.camera.position == eye


@pytest.mark.parametrize(
    ("symbol", "layer"), LAYER_KEYS.items(), ids=LAYER_KEYS.values()
)
def test_a_layer_key_changes_the_picture_and_back(opened, falling, symbol, layer):
    window = opened(list(falling().run(2)), paused=True)
    before = window.image()
    window.type_key(symbol)
    assert (window.image() != before).any()
    window.type_key(symbol)
    assert getattr(window.controls.layers, layer) == getattr(Layers(), layer)
    if layer != "panel":  # the camera keeps the place that it had with a panel
        assert (window.image() == before).all()


def test_an_error_of_a_script_is_on_a_sheet_of_its_own_and_frames_before_stay(
    opened, breaking, clock
):
    # It ran on under the story, its end with the frame's number was lost, and it lay
    # over the steps of the search.
    words = "vertex 3 is at (0.5257311121191336, nan, 0.0); " * 4
    window = opened(breaking(words))
    window.press("t")
    for _ in range(9):
        clock.now += 0.1
        window.turn()
    assert window.timeline.frame.index == 2
    shown = window.image()  # once it was told only when another key was pressed
    image = shown.astype(int)
    red = np.argwhere(np.abs(image - LIGHT.trouble).max(axis=2) < 8)
    (top, left), (low, right) = red.min(axis=0), red.max(axis=0)
    assert 0 < left < right <= window.scene.size[0] - MARGIN
    assert low - top > 3 * 1.4 * TEXT_SIZE, "more than two lines, the frame is the last"
    paper = np.abs(image[top : low + 1, left : right + 1] - LIGHT.paper).max(axis=2) < 8
    assert paper.mean() > 0.6, "nothing else is written there"
    window.type_key("Left")
    assert window.scene.frame.index == 1, "what was there can still be looked at"
    assert (window.image() != shown).any()


def test_backspace_frames_the_contact_again(opened, falling):
    window = opened(list(falling().run(3)))
    window.turn()
    framed = window.plotter.camera.position
    window.plotter.camera.azimuth = 40.0
    window.turn()
    window.type_key("Right")
    assert not np.allclose(window.plotter.camera.position, framed), "it is the user's"
    window.type_key("BackSpace")
    window.type_key("Home")
    assert np.allclose(window.plotter.camera.focal_point[:2], 0.0, atol=3.0)
    assert np.linalg.norm(np.subtract(window.plotter.camera.position, framed)) < 1.0


def test_a_window_opens_with_the_layers_that_it_is_given(opened, falling):
    window = opened(list(falling().run(4)), layers=EXTRA)
    assert all(getattr(window.controls.layers, name) for name in EXTRA)
    (cold,) = window.scene.shown.trails
    assert cold.told.before is None
    window.type_key("Right")
    (warm,) = window.scene.shown.trails
    assert warm.told.before is not None


def test_a_damaged_frame_is_told_and_the_window_goes_on(
    opened, falling, damaged, clock
):
    """Plots read it once more, and that ended the window."""
    window = opened(damaged(falling().run(4)))
    for _ in range(5):
        clock.now += 0.11
        window.turn()
    assert "frame 2 is damaged" in str(window.timeline.trouble)
    assert window.timeline.frame.index == 1
    window.type_key("Home")
    assert (window.timeline.trouble, window.scene.frame.index) == (None, 0)
    assert not window.closed


def marks_of(window):
    row = window.image()[-35, : window.scene.size[0]].astype(int)
    inked = np.flatnonzero(np.abs(row - window.scene.theme.ink).sum(axis=1) < 60)
    return [
        part.mean() for part in np.split(inked, np.flatnonzero(np.diff(inked) > 1) + 1)
    ]


def handle_of(window):
    row = window.image()[-27].astype(int)
    handle = np.flatnonzero(np.abs(row - window.scene.theme.faint_ink).sum(axis=1) < 60)
    return handle[0], handle[-1]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_slider_stands_below_the_mark_of_the_event_that_is_shown(
    opened, falling, size
):
    window = opened(list(falling().run(20)), size=size)
    window.turn()
    marks = marks_of(window)
    assert len(marks) == len(window.timeline.event_places()) == 2
    for mark in marks:
        window.type_key("Next")
        low, high = handle_of(window)
        assert abs((low + high) / 2 - mark) <= 2


def crowd(count=12):
    """Boxes that swing in a row above a slab that they never touch."""

    def swing(k):
        return lambda t: Pose.rigid(
            None, (1.1 * k + 0.2 * np.sin(12 * t + k), 0.0, 0.0)
        )

    names = [f"box{k}" for k in range(count)]
    boxes = [Body(shapes.box(), name=name) for name in names]
    slab = Body(
        shapes.box((30.0, 9.0, 0.2)), name="slab", pose=Pose(None, (5, 0, -0.7))
    )
    motion = {name: swing(k) for k, name in enumerate(names)}
    return World([slab, *boxes], motion=motion, dt=1 / 60)


def test_everything_is_about_the_pair_that_is_looked_at(opened):
    window = opened(StoredFrames(list(crowd().run(40))))
    window.timeline.pause()
    window.timeline.seek(20)
    window.type_key("j")
    first, eye = window.controls.hands.pair, window.plotter.camera.position
    assert [(x.a.body, x.b.body) for x in window.scene.pairs] == [first]
    assert "slab" not in first, "what moves comes before scenery"
    window.type_key("j")
    second = window.controls.hands.pair
    assert [(x.a.body, x.b.body) for x in window.scene.pairs] == [second]
    assert second != first
    assert tuple(window.plotter.camera.position) != tuple(eye)
    window.controls.hands.pair = first
    window.draw()
    while window._panel.fills:
        window.turn()
    told = window._panel._charts._rows
    assert len(told) == 40  # the whole run, for it has ended
    for k, row in told.items():
        assert row.distance == window.timeline.source[k].pair(*first).distance
    window.type_key("Tab")
    assert window.controls.hands.looked_at == ("slab",)
    window.type_key("Escape")
    assert window.controls.hands.looked_at == ()
    assert len(window.scene.pairs) == 8


def test_story_and_plots_are_behind_the_picture_for_a_moment_only(
    opened, falling, clock
):
    window, waits = opened(falling()), {}
    window.timeline.speed = 8.0
    while len(waits) < 16 or not window._waits:
        clock.now += 0.0125
        window.turn()
        waits[window.timeline.position] = window._waits
    assert 8 <= sum(waits.values()) <= 14
    window.timeline.pause()
    clock.now += 0.05
    window.turn()
    assert not window._waits, "no frame follows"


@pytest.mark.parametrize("size", [(950, 720), (640, 400), (1600, 900)])
def test_no_text_leaves_the_sheet_of_the_keys(plotter, size):
    hud = Hud(plotter.renderer, 1.0, LIGHT)
    hud.begin()
    write_help(hud, size)
    sheet = np.array(hud._shapes[0][0]).reshape(-1, 2)
    low, high = sheet.min(axis=0), sheet.max(axis=0)
    assert (low >= 0).all()
    assert (high <= size).all()
    assert len(hud._texts) > 40
    for text, at in hud._texts:
        assert (np.array(at) >= low - 1).all()
        assert (np.add(at, hud.measure(text)) <= high + 1).all()
