import os  # of viewer.files, viewer.series

import numpy as np
import pytest

from viewer.files import replacing


def test_a_file_appears_only_when_it_is_complete(tmp_path):
    path = tmp_path / "a.txt"
    with replacing(path) as temporary:
        temporary.write_text("new")
        assert not path.exists()
        assert temporary.suffix == ".txt"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failure_leaves_the_older_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write():
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise ValueError("lost")

    with pytest.raises(ValueError, match="lost"):
        write()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_missing_folder_and_a_folder_itself_are_refused(tmp_path):
    with (
        pytest.raises(FileNotFoundError, match="there is no folder"),
        replacing(tmp_path / "no" / "a.txt"),
    ):
        pass
    with pytest.raises(IsADirectoryError, match="is a folder"), replacing(tmp_path):
        pass


@pytest.mark.parametrize(
    "fail",
    [
        lambda name: ValueError(f"{name}: cannot be written"),
        lambda name: OSError(5, "broken", str(name)),
    ],
)
def test_a_message_names_the_file_that_was_asked_for(tmp_path, fail):
    """Not the one beside it that is written first, which nobody knows."""
    path = tmp_path / "a.txt"
    with pytest.raises((ValueError, OSError)) as caught, replacing(path) as temporary:
        raise fail(temporary)
    assert str(path) in str(caught.value)
    assert ".part" not in str(caught.value)


def test_every_step_of_vtkhdf_is_read_with_its_time(tmp_path, falling):
    """Of a file that another program wrote; pyvista reads its first step only."""
    pytest.importorskip("pyvista")
    from viewer.series import samples

    path = tmp_path / "run.vtkhdf"
    world = falling()
    with world.record(path):
        frames = list(world.run(3))
    (read,) = samples(path).values()
    assert [sample.time for sample in read] == [frame.time for frame in frames]
    for sample, frame in zip(read, frames, strict=True):
        high = max(body.world_points()[:, 2].max() for body in frame.bodies)
        assert np.array(sample.points)[:, 2].max() == pytest.approx(high, abs=1e-6)
