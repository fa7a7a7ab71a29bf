import pytest  # of viewer.live, viewer.gl

from viewer import live
from viewer.gl import Gl
from viewer.live import watch

NO_SCREEN = Gl(True, "llvmpipe", "", "")
NO_GL = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


@pytest.fixture
def world(falling):
    return falling(dt=1e-4)


@pytest.mark.parametrize("found", [NO_SCREEN, NO_GL])
def test_without_a_screen_one_sentence_says_why_and_frames_asked_for_run_unseen(
    world, monkeypatch, capsys, found
):
    monkeypatch.setattr(live, "probe", lambda: found)
    assert watch(world) is None
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert found.no_window in err
    assert ("viewer.picture draws without one" in err) == (found is NO_SCREEN)
    assert world.index == 0
    assert watch(world, 7).index == 6
