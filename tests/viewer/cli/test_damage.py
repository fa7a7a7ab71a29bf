import re  # of viewer.cli.stories

import pytest

KEPT = 7  # frames before the damage


@pytest.fixture
def missing(wingedge, script, tmp_path):
    import h5py

    from sim.story.file.journal import AHEAD, BLOCK, Journal

    path = tmp_path / "missing.vtkhdf"
    assert wingedge("run", script(), "--frames", 12, "--record", path).code == 0
    with h5py.File(path, "r+") as file:
        kept = file["wingedge/journal"]
        begins = Journal(kept[:], 12)._begins
        kept[begins[AHEAD + KEPT] - BLOCK.itemsize :] = 0
    return path


@pytest.mark.gui
def test_a_picture_of_a_frame_before_the_damage_is_drawn(wingedge, missing, tmp_path):
    result = wingedge("view", missing, "--picture", "a.png", "--frame", 6)
    assert (result.code, result.out) == (0, "a.png: frame 6 of 12\n")
    result = wingedge("view", missing, "--picture", "b.png", "--frame", 9)
    assert result.code == 2
    assert "the recording is damaged (frame 9 " in result.sentence
    assert "read the others, or record the run again" in result.sentence
    assert not (tmp_path / "b.png").exists()


@pytest.mark.web
@pytest.mark.gui
@pytest.mark.parametrize("name", ["a.gif", "a.html"])
def test_what_needs_all_frames_names_the_one_that_is_missing(
    wingedge, missing, tmp_path, name
):
    if name == "a.html":
        pytest.importorskip("viser", reason="viser is in the extra 'web'")
    option = "--html" if name == "a.html" else "--movie"
    before = sorted(tmp_path.iterdir())
    result = wingedge("view", missing, option, name)
    assert result.code == 2
    # the story is read before the pictures, and a page leaves out frame 7
    assert re.search(r"the recording is damaged \(frame [78] ", result.sentence)
    assert sorted(tmp_path.iterdir()) == before
