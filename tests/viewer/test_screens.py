import numpy as np  # of viewer.screens, viewer.window.window
import pytest

import viewer
from sim import scenes
from viewer.window.window import WindowScreen


class Noting:
    """A screen without controls."""

    def __init__(self):
        self.seen = []

    def show(self, frame):
        self.seen.append(frame.index)

    def close(self):
        pass


def test_every_frame_is_shown_once_in_order_to_the_end():
    screen, stored = Noting(), Noting()
    last = viewer.watch(scenes.load("demo"), 7, screen=screen)
    assert screen.seen == list(range(7))
    assert last.index == 6
    frames = list(scenes.load("demo").run(5))
    assert viewer.replay(frames, screen=stored) is frames[-1]
    assert len(stored.seen) == 5
    assert viewer.replay([], screen=stored) is None


def test_worlds_without_an_end_and_unknown_screens_are_refused():
    with pytest.raises(ValueError, match="no controls that could end a world; say fra"):
        viewer.watch(scenes.load("demo"), screen=Noting())
    world = scenes.load("demo")
    with pytest.raises(ValueError, match="screen='wall': there are 'window', 'web'"):
        viewer.watch(world, 3, screen="wall")
    assert world.index == 0


def test_an_error_in_a_script_is_raised_after_what_could_be_shown(breaking):
    screen = Noting()
    with pytest.raises(RuntimeError, match="lost") as caught:
        viewer.watch(breaking(), 9, screen=screen)
    assert len(screen.seen) == 3
    assert caught.value.__notes__ == [
        "raised by motion['ball'] for frame 3, time 0.3",
        "in frame 3 of a world that was watched",
    ]


@pytest.mark.gui
def test_a_window_shows_a_loop_of_ones_own_and_keeps_what_it_showed():
    screen = WindowScreen(size=(480, 300), off_screen=True)
    frames = list(scenes.load("demo").run(6))
    for frame in frames[:4]:
        screen.show(frame)
    assert screen.scene.frame is frames[3]
    screen.press("Left")
    screen.turn()
    assert screen.scene.frame is frames[2]
    screen.show(frames[4])
    assert screen.scene.frame is frames[2]
    screen.close()
    screen.show(frames[5])
    assert screen.closed


def test_pictures_are_arrays_that_a_notebook_shows():
    from viewer.still import Picture

    image = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    picture = image.view(Picture)
    assert isinstance(picture, np.ndarray)
    np.testing.assert_array_equal(picture, image)
    assert picture[0]._repr_png_() is None
    assert picture.astype(float)._repr_png_() is None
    assert picture[:0]._repr_png_() is None
    pil = pytest.importorskip("PIL.Image", reason="pillow comes with pyvista")
    import io

    shown = pil.open(io.BytesIO(picture[:, ::-1]._repr_png_()))
    np.testing.assert_array_equal(np.array(shown), image[:, ::-1])
