import numpy as np  # of viewer.movies
import pytest

from sim import scenes
from viewer.drawing.camera import project
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


@pytest.mark.gui
@pytest.mark.parametrize(("name", "whole"), [("squeeze", "jelly"), ("huge", "grain")])
def test_the_camera_stays_and_no_title_is_on_a_body(tmp_path, monkeypatch, name, whole):
    from viewer import Scene

    eyes, take = [], Scene.image

    def watched(scene):
        eyes.append(scene.view.position)
        (_, low, right, _), (*_, top) = scene._write_beside(scene.shown)
        image = take(scene)
        assert np.ptp(image[: -int(low), : int(right)], axis=2).max() < 30, (
            "all is grey"
        )
        assert np.ptp(image[-int(top) :, 700:], axis=(0, 1)).max() == 0
        x, y = project(scene.shown.points[whole], scene.view, scene.size).T
        assert not ((y < top) | (y > low) & (x < right)).any()
        return image

    monkeypatch.setattr(Scene, "image", watched)
    movie(scenes.load(name), tmp_path / "a.gif", frames=90, fps=6, size=(800, 450))
    assert np.ptp(eyes, axis=0).max() == 0.0


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
    with pytest.raises(ZeroDivisionError):  # which leaves no file
        movie(
            scenes.load("demo"), tmp_path / "b.gif", frames=3, progress=lambda *_: 1 / 0
        )
    assert len(list(tmp_path.iterdir())) == 1
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
