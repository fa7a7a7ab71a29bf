"""Pictures of whoever can draw: a sentence, whatever happens."""

from sim import scenes
from sim.story.testing.golden import INSTALL, try_picture


def test_nobody_draws(tmp_path):
    frame = scenes.load("press").step()
    said = try_picture(frame, tmp_path / "a.png", group="wingedge.views.of.nobody")
    assert said == f"no picture: nobody here draws any; run: {INSTALL}"


def test_there_is_no_frame_to_draw(tmp_path):
    assert "positions of that frame are not known" in try_picture(None, tmp_path / "a")
