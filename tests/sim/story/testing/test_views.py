from sim import scenes
from sim.story.testing.golden import INSTALL, try_picture


def test_nobody_draws_what_is_not_there(tmp_path):
    assert "positions of that frame are not known" in try_picture(None, tmp_path / "a")
    frame = scenes.load("press").step()
    said = try_picture(frame, tmp_path / "a.png", group="wingedge.views.of.nobody")
    assert said == f"no picture: nobody here draws any; run: {INSTALL}"
