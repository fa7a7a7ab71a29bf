import numpy as np
import pytest

from viewer.demos.play import picture


@pytest.mark.gui
@pytest.mark.parametrize("which", ["disk", "segments"])
def test_a_picture_is_drawn_off_screen_and_saved_whole(which, tmp_path):
    from PIL import Image

    image = picture(which, "L*3", tmp_path / "it.png", size=(640, 360))
    assert image.shape == (360, 640, 3)
    with Image.open(tmp_path / "it.png") as saved:
        np.testing.assert_array_equal(np.asarray(saved), image)
    assert [path.name for path in tmp_path.iterdir()] == ["it.png"]


@pytest.mark.gui
def test_the_same_keys_draw_the_same_picture():
    small = {"size": (320, 180)}
    one, other = (picture("disk", log, **small) for log in ("L*2 R", "L L R"))
    np.testing.assert_array_equal(one, other)
    assert (picture("disk", "L*20", **small) != one).any()


@pytest.mark.parametrize("which", ["disk", "segments"])
def test_what_makes_no_picture_is_refused_before_anything_is_drawn(which, tmp_path):
    with pytest.raises(ValueError, match="no picture format"):
        picture(which, "L", tmp_path / "it.txt")
    with pytest.raises(ValueError, match="size="):
        picture(which, "L", size=(0, 10))
    with pytest.raises(ValueError, match="nothing is done by X"):
        picture(which, "X")
