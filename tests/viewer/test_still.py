import os  # of viewer.still

import numpy as np
import pytest

from sim import Recording, scenes
from viewer import picture
from viewer.still import most_telling, save


@pytest.fixture
def recording(tmp_path, falling):
    """A ball that comes down on a table and touches it in the sixth frame."""
    world = falling(lambda t: 2.0 - 6.0 * t, dt=1 / 60)
    path = tmp_path / "run.vtkhdf"
    with world.record(path):
        list(world.run(8))
    with Recording.open(path) as opened:
        yield opened


class Frames(list):
    """Frames with events, as a recording has them."""

    @property
    def events(self):
        return tuple(event for frame in self for event in frame.events)


def test_the_most_telling_frame_is_a_contact_the_more_the_better(recording):
    frame = recording[most_telling(recording)]
    assert frame.pair("ball", "table").regime == "contact"
    frames = Frames(scenes.load("arch").run(scenes.length("arch")))
    assert len(frames[most_telling(frames)].pairs[0].regions) == 3


def test_without_a_contact_the_closest_frame_is_the_most_telling(falling):
    fly_by = falling(lambda t: 2.0 + abs(t - 3.0), dt=1.0)
    assert most_telling(Frames(fly_by.run(8))) == 3


@pytest.mark.parametrize("ending", [".png", ".PNG", ".jpg", ".webp"])
def test_pictures_are_saved_in_the_format_of_their_ending(tmp_path, ending):
    image_library = pytest.importorskip("PIL.Image")
    image = np.full((20, 30, 3), (10, 200, 30), dtype=np.uint8)
    path = tmp_path / f"a{ending}"
    save(image, path)
    with image_library.open(path) as opened:
        assert opened.size == (30, 20)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.gui
def test_a_frame_of_a_recording_becomes_a_file(recording, tmp_path):
    from PIL import Image

    path = tmp_path / "contact.png"
    image = picture(recording, path)
    with Image.open(path) as saved:
        assert np.array_equal(np.asarray(saved), image)
    assert image.shape == (720, 1280, 3)
    first = picture(recording, frame=0)
    assert (first != image).any()


@pytest.mark.gui
def test_a_recording_knows_the_frame_before_and_a_frame_is_told(recording):
    small = {"size": (480, 320), "layers": ["path"]}
    k = 5
    read = picture(recording, frame=k, **small)
    told = picture(recording[k], before=recording[k - 1], **small)
    cold = picture(recording[k], **small)
    assert np.mean(read != told) < 1e-3
    assert np.mean(read != cold) > 1e-3
    assert np.mean(picture(recording, frame=0, **small) != cold) > 1e-3
