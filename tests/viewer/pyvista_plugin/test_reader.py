import numpy as np
import pytest

from sim import Recording, scenes

pyvista = pytest.importorskip("pyvista", reason="pyvista is in the extra 'viewer'")


@pytest.fixture
def recorded(tmp_path):
    world = scenes.load("demo")
    with world.record(tmp_path / "run.vtkhdf") as path:
        list(world.run(5))
    return path


@pytest.fixture
def reader(recorded):
    from viewer.pyvista_plugin.reader import StepReader

    return StepReader(str(recorded))


def test_every_step_has_the_time_and_the_positions_of_its_frame(reader, recorded):
    with Recording.open(recorded) as recording:
        frames = [recording[k] for k in range(len(recording))]
    assert reader.number_time_points == len(frames)
    assert reader.time_values == [frame.time for frame in frames]
    for k in (0, 4, 2):
        reader.set_active_time_point(k)
        assert reader.active_time_value == frames[k].time
        wanted = np.concatenate([body.world_points() for body in frames[k].bodies])
        found = reader.read()["bodies"]
        points = found.combine().points if hasattr(found, "combine") else found.points
        np.testing.assert_allclose(points, wanted, rtol=0, atol=1e-6)


def test_a_step_is_found_by_its_time_or_refused(reader):
    reader.set_active_time_value(reader.time_values[3])
    assert reader.active_time_value == reader.time_point_value(3)
    with pytest.raises(ValueError, match=r"no step has the time 0\.5; there are 5"):
        reader.set_active_time_value(0.5)
    for k in [-1, 5]:
        with pytest.raises(ValueError, match=f"no step {k}; the file has steps 0 to 4"):
            reader.set_active_time_point(k)


def test_a_file_without_steps_is_read_as_before(tmp_path):
    from viewer.pyvista_plugin.reader import StepReader

    ball = pyvista.Icosahedron()
    ball.save(tmp_path / "ball.vtkhdf")
    reader = StepReader(str(tmp_path / "ball.vtkhdf"))
    assert reader.number_time_points == 1
    assert reader.time_values == [0.0]
    np.testing.assert_array_equal(reader.read().points, ball.points)
