import numpy as np  # of viewer.window.panel
import pytest

from viewer.sources import source_of
from viewer.theme import DARK, LIGHT
from viewer.timeline import Timeline, words_of
from viewer.window.panel import WIDTH, story

pytestmark = pytest.mark.gui


@pytest.fixture
def shown(falling):
    return list(falling(lambda t: 1.9 - t, dt=0.05).run(12))


def go(window, k):
    window.timeline.seek(k)
    window.controls.stale = True
    window.settle()


def panel(window):
    return window.image()[:, -round(WIDTH) :]


def test_a_story_tells_every_event_that_there_is_room_for(shown):
    timeline = Timeline(source_of(shown))
    timeline.seek(len(shown) - 1)
    words = [words_of(event) for frame in shown for event in frame.events]
    assert [line.words for line in story(timeline, 99)] == words
    assert [line.words for line in story(timeline, 2)] == words[-2:]
    assert [line.words for line in story(timeline, 1)] == ["2 more above"]
    timeline.seek(0)
    twice = story(timeline, 3, (), lambda lines: [x for x in lines for _ in range(2)])
    assert [line.words for line in twice] == ["2 more below"] * 2


def test_a_window_shows_a_frame_as_one_that_showed_no_other(opened, shown):
    played = opened(shown, paused=True)
    for k in range(0, len(shown), 4):
        go(played, k)
        played.press("BackSpace")
        played.settle()
        fresh = opened(shown, paused=True)
        go(fresh, k)
        fresh.press("BackSpace")
        fresh.settle()
        for each in (played, fresh):  # where names go depends on where they were
            each.controls.layers.names = False
            each.controls.stale = True
            each.settle()
        differs = (played.image() != fresh.image()).any(axis=-1)
        assert not differs.any(), f"frame {k}"
        played.controls.layers.names = True
        fresh.close()


def test_a_panel_that_is_hidden_leaves_its_place_to_the_picture(opened, shown):
    window = opened(shown, paused=True)
    with_panel = window.image()
    window.press("i")
    window.settle()
    assert window.scene.size == (1280, 720)
    without = window.image()
    assert (without[:50, -round(WIDTH) :] == LIGHT.background).all(), "no story"
    assert not (without[380:640, -8:] == LIGHT.paper).all(axis=-1).any(), "no plots"
    window.press("i")
    window.settle()
    assert window.scene.size == (1280 - round(WIDTH), 720)
    assert (panel(window) == with_panel[:, -round(WIDTH) :]).all()


def test_a_paused_window_of_another_size_looks_as_if_opened_with_it(opened, shown):
    # It was laid out anew only when a frame or a key came: texts and plots of the old
    # size lay over each other, and marks of contacts beside the contacts.
    layers = ("distance", "path")
    window = opened(shown, paused=True, layers=layers)
    window.plotter.window_size = 1100, 700
    assert (window.image()[-10:, -10:] == LIGHT.background).all(), "black at once"
    for size in ((300, 200), (20, 10), (1, 1), (1000, 600)):
        window.plotter.window_size = size
        window.settle()
    wanted = opened(shown, paused=True, layers=layers, size=(1000, 600)).image()
    differs = (np.abs(window.image().astype(int) - wanted) > 8).any(axis=-1)
    assert differs[:, : -round(WIDTH)].mean() < 1e-3
    assert differs[-60:].mean() < 1e-3, "no plot stands on the words of the bar"
    # VTK leaves the room of the widest numbers that an axis ever had beside it
    assert differs.mean() < 0.02


def test_the_panel_has_the_colours_of_the_theme(opened, shown):
    for theme in (LIGHT, DARK):
        window = opened(shown[:2], paused=True, theme=theme.name)
        corner = panel(window)[-20:, -20:]
        assert np.abs(corner.astype(int) - theme.background).max() <= 1
