import numpy as np  # of viewer.movies
import pytest

from sim import scenes
from viewer.movies import movie, taken


def test_pictures_are_taken_at_the_pace_that_was_asked_for():
    for count, dt, fps, speed, places in [
        (5, 0.1, 10, 1.0, [0, 1, 2, 3, 4]),
        (5, 0.1, 20, 1.0, [0, 0, 1, 2, 2, 2, 3, 4, 4]),
        (9, 0.1, 10, 4.0, [0, 4, 8]),
        (10, 0.1, 10, 4.0, [0, 4, 8, 9]),
        (3, 0.1, 10, 0.5, [0, 0, 1, 2, 2]),
        (1, 0.1, 30, 1.0, [0]),
        (0, 0.1, 30, 1.0, []),
    ]:
        assert taken(count, dt, fps, speed) == places


def test_an_error_in_a_script_leaves_no_file(tmp_path):
    world = scenes.load("demo")
    world.step = lambda: 1 / 0
    pytest.importorskip("pyvista", reason="a movie is begun, so pyvista is needed")
    with pytest.raises(ZeroDivisionError):
        movie(world, tmp_path / "a.webp", frames=3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.gui
@pytest.mark.parametrize("ending", [".webp", ".gif"])
def test_a_moving_picture_has_as_many_pictures_as_it_says(tmp_path, ending):
    from PIL import Image

    told = []
    count = movie(
        scenes.load("demo"),
        tmp_path / f"a{ending}",
        frames=31,
        fps=6,
        size=(160, 96),
        progress=lambda *done: told.append(done),
    )
    assert count == 4
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with Image.open(tmp_path / f"a{ending}") as opened:
        assert opened.n_frames == 4
        assert opened.size == (160, 96)
        first = np.array(opened.convert("RGB"))
        opened.seek(3)
        assert (np.array(opened.convert("RGB")) != first).any()


@pytest.mark.gui
def test_a_film_is_written_by_the_encoder(tmp_path):
    ffmpeg = pytest.importorskip(
        "imageio_ffmpeg", reason="the encoder comes with the extra viewer"
    )
    path = tmp_path / "a.mp4"
    assert movie(scenes.load("demo"), path, frames=31, fps=6, size=(160, 96)) == 4
    reader = ffmpeg.read_frames(str(path))
    meta = next(reader)
    assert meta["size"] == (160, 96)
    assert len(list(reader)) == 4
