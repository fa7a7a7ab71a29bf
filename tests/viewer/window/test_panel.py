import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.sources import StoredFrames
from viewer.theme import DARK, LIGHT
from viewer.timeline import Timeline
from viewer.window.panel import WIDTH
from wingedge import shapes

pytestmark = pytest.mark.gui


def frames(count=12):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    fall = lambda t: Pose.rigid(None, (0.0, 0.0, 1.9 - t))  # noqa: E731
    return list(World([ball, table], motion={"ball": fall}, dt=0.05).run(count))


@pytest.fixture
def opened():
    from viewer.window.window import Window

    windows = []

    def make(shown, **options):
        timeline = Timeline(StoredFrames(shown), clock=lambda: 0.0)
        window = Window(timeline, off_screen=True, **options)
        windows.append(window)
        window.timeline.pause()
        settle(window)
        return window

    yield make
    for window in windows:
        window.close()


def settle(window):
    """Serve the window until it has nothing to draw."""
    for _ in range(6):
        window.turn()


def go(window, k):
    window.timeline.seek(k)
    window.controls.stale = True
    settle(window)


def panel(window):
    return window.image()[:, -round(WIDTH) :]


def picture(window):
    return window.image()[:, : -round(WIDTH)]


def test_a_window_shows_a_frame_as_one_that_showed_no_other(opened):
    shown = frames()
    played = opened(shown)
    for k in range(len(shown)):
        go(played, k)
        played.press("BackSpace")
        settle(played)
        fresh = opened(shown)
        go(fresh, k)
        fresh.press("BackSpace")
        settle(fresh)
        for each in (played, fresh):  # where names go depends on where they were
            each.controls.layers.names = False
            each.controls.stale = True
            settle(each)
        differs = (played.image() != fresh.image()).any(axis=-1)
        assert not differs.any(), f"frame {k}"
        played.controls.layers.names = True
        fresh.close()


def test_an_event_is_in_the_story_when_it_happens(opened):
    from viewer.sources import PushedFrames

    source, shown = PushedFrames(), frames()
    source.append(shown[0])
    window = opened(shown)
    window.timeline.source = source
    window.timeline.position = -1
    go(window, 0)
    told = next(k for k, frame in enumerate(shown) if frame.events)
    for k in range(1, told):
        source.append(shown[k])
        go(window, k)
    before = panel(window)[:100]
    source.append(shown[told])
    go(window, told)
    now = panel(window)[:100]
    marked = (now == LIGHT.mark).all(axis=-1)
    assert not (before == LIGHT.mark).all(axis=-1).any()
    assert marked.any(), "what happens now is marked"


def test_a_panel_that_is_hidden_leaves_its_place_to_the_picture(opened):
    window = opened(frames())
    with_panel = window.image()
    window.press("i")
    settle(window)
    assert window.scene.size == (1280, 720)
    without = window.image()
    assert (without[:50, -round(WIDTH) :] == LIGHT.background).all(), "no story"
    assert not (without[380:640, -8:] == LIGHT.paper).all(axis=-1).any(), "no plots"
    window.press("i")
    settle(window)
    assert window.scene.size == (1280 - round(WIDTH), 720)
    assert (panel(window) == with_panel[:, -round(WIDTH) :]).all()


def test_a_paused_window_of_another_size_looks_as_if_opened_with_it(opened):
    # It was laid out anew only when a frame or a key came: texts and plots of the old
    # size lay over each other, and marks of contacts beside the contacts.
    layers = ("elements", "path")
    window = opened(frames(), layers=layers)
    for size in ((300, 200), (20, 10), (1, 1), (1000, 600)):
        window.plotter.window_size = size
        settle(window)
    wanted = opened(frames(), layers=layers, size=(1000, 600)).image()
    differs = (np.abs(window.image().astype(int) - wanted) > 8).any(axis=-1)
    assert differs[:, : -round(WIDTH)].mean() < 1e-3
    assert differs[-60:].mean() < 1e-3, "no plot stands on the words of the bar"
    # VTK leaves the room of the widest numbers that an axis ever had beside it
    assert differs.mean() < 0.02


def test_the_panel_has_the_colours_of_the_theme(opened):
    for theme in (LIGHT, DARK):
        window = opened(frames(2), theme=theme)
        corner = panel(window)[-20:, -20:]
        assert np.abs(corner.astype(int) - theme.background).max() <= 1


def test_bodies_stay_in_the_picture_and_out_of_the_panel(opened):
    window = opened(frames())
    before = panel(window)
    window.plotter.camera.zoom(4.0)
    settle(window)
    assert (panel(window) == before).all()
    assert (picture(window)[:, -1] != LIGHT.background).any(), "bodies reach the edge"
