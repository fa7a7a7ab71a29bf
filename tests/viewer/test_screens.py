import numpy as np
import pytest

import viewer
from sim import Recording, scenes
from viewer.screens import NullScreen, OffScreen, Player, Recorder, Screen
from viewer.window.window import WindowScreen


def test_all_of_them_are_screens_and_some_play_by_themselves():
    kinds = NullScreen, OffScreen, Recorder, WindowScreen, viewer.Page
    for kind in (*kinds, viewer.ProcessScreen):
        assert callable(kind.show)
        assert callable(kind.close)
    assert isinstance(NullScreen(), Screen)
    assert not isinstance(NullScreen(), Player)
    assert isinstance(WindowScreen(), Player)


def test_nothing_is_shown_every_frame_once_in_order():
    seen = []

    class Noting(NullScreen):
        def show(self, frame, events=None):
            super().show(frame, events)
            seen.append(frame.index)

    screen = Noting()
    last = viewer.watch(scenes.load("demo"), 7, screen=screen)
    assert seen == list(range(7))
    assert last is screen.frame
    assert not screen.closed


def test_what_is_stored_is_shown_to_its_end():
    frames = list(scenes.load("demo").run(5))
    screen = NullScreen()
    assert viewer.replay(frames, screen=screen) is frames[-1]
    assert screen.count == 5
    assert viewer.replay([], screen=screen) is None


def test_worlds_without_an_end_and_unknown_screens_are_refused():
    with pytest.raises(ValueError, match="no controls that could end a world; say fra"):
        viewer.watch(scenes.load("demo"), screen=NullScreen())
    world = scenes.load("demo")
    with pytest.raises(
        ValueError, match="screen='wall': there are 'window', 'process', 'web'"
    ):
        viewer.watch(world, 3, screen="wall")
    assert world.index == 0


def test_an_error_in_a_script_is_raised_after_what_could_be_shown(breaking):
    screen = NullScreen()
    with pytest.raises(RuntimeError, match="lost") as caught:
        viewer.watch(breaking(), 9, screen=screen)
    assert screen.count == 3
    assert caught.value.__notes__ == [
        "raised by motion['ball'] for frame 3, time 0.3",
        "in frame 3 of a world that was watched",
    ]


def test_a_recorder_writes_the_same_as_the_world_itself(tmp_path):
    screen = Recorder(world := scenes.load("demo"), tmp_path / "a.vtkhdf")
    viewer.watch(world, 50, screen=screen)
    screen.close()
    screen.close()
    with scenes.load("demo").record(tmp_path / "b.vtkhdf") as path:
        pass
    again = scenes.load("demo")
    with again.record(path):
        list(again.run(50))
    with Recording.open(tmp_path / "a.vtkhdf") as a, Recording.open(path) as b:
        assert len(a) == screen.count == 50
        assert a.digest == b.digest


def test_a_recorder_refuses_a_frame_that_it_could_not_write(tmp_path):
    world = scenes.load("demo")
    screen = Recorder(world, tmp_path / "a.vtkhdf")
    frames = list(world.run(3))
    with pytest.raises(ValueError, match="frame 0 is not the present one"):
        screen.show(frames[0])
    screen.close()


@pytest.mark.gui
def test_off_screen_gives_the_picture_of_the_last_frame():
    screen = OffScreen(size=(200, 120))
    with pytest.raises(ValueError, match="nothing was shown yet"):
        screen.image()
    frames = list(scenes.load("demo").run(40))
    screen.show(frames[0])
    first = screen.image()
    screen.show(frames[39])
    assert first.shape == (120, 200, 3)
    assert (screen.image() != first).any()
    screen.close()


@pytest.mark.gui
def test_a_window_shows_a_loop_of_ones_own_and_keeps_what_it_showed():
    screen = WindowScreen(size=(480, 300), off_screen=True)
    frames = list(scenes.load("demo").run(6))
    for frame in frames[:4]:
        screen.show(frame)
    window = screen.window
    assert window.scene.frame is frames[3]
    window.press("Left")
    window.turn()
    assert window.scene.frame is frames[2]
    screen.show(frames[4])
    assert window.scene.frame is frames[2]
    screen.close()
    screen.show(frames[5])
    assert window.closed


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
