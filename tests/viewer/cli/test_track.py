"""viewer.cli.run: ``wingedge track``, files of positions, told."""

import json
from pathlib import Path

import numpy as np
import pytest

from sim import Recording, Story, sequence
from wingedge import shapes, write

BALL = shapes.icosphere(1)
FACES = np.array([BALL.face_vertices(f) for f in range(BALL.n_faces)])
HEIGHTS = [1.9, 1.7, 1.6, 1.55, 1.4, 1.3, 1.45, 1.6, 1.8]
POINTS = np.array([np.add(BALL.points, (0.0, 0.0, z)) for z in HEIGHTS])
KINDS = ["4 begin", "4 penetrate", "7 separate", "7 end"]


@pytest.fixture
def files(wingedge, tmp_path):
    np.savez(tmp_path / "ball.npz", points=POINTS, faces=FACES, times=np.arange(9) / 30)
    write(shapes.box((3.0, 3.0, 1.0)), tmp_path / "table.obj")
    return tmp_path


def kinds(result):
    assert result.code == 0, result.err
    return [" ".join(line.split()[:2]) for line in result.out.splitlines()]


def test_events_go_to_standard_output_one_a_line(wingedge, files):
    done = wingedge("track", "ball.npz", "table.obj")
    assert kinds(done) == KINDS
    assert done.err == ""
    alone = wingedge("track", "ball.npz")
    assert (alone.code, alone.out, alone.sentence) == (0, "", "no events in 9 frames")


def test_what_is_recorded_says_the_same_and_can_be_tracked(wingedge, files):
    done = wingedge("track", "ball.npz", "table.obj", "--record", "run.vtkhdf")
    assert "".join(f"{line}\n" for line in Story.read("run.vtkhdf").lines) == done.out
    with Recording.open("run.vtkhdf") as recording:
        assert recording.dt == pytest.approx(1 / 30)
    assert wingedge("track", "run.vtkhdf").out == done.out
    again = wingedge("track", "run.vtkhdf", "--record", "run.vtkhdf")
    assert (again.code, len(Story.read("run.vtkhdf").lines)) == (2, 4)
    assert "--record run.vtkhdf: is one of the files" in again.sentence


def test_the_resolution_is_that_of_the_file_with_all_its_frames(wingedge, files):
    rising = POINTS + np.arange(9.0).reshape(-1, 1, 1)
    np.savez("ball.npz", points=rising, faces=FACES)
    how = "--resolution", "float32", "--record", "run.vtkhdf"
    assert wingedge("track", "ball.npz", "table.obj", *how).code == 0
    source = sequence.read("ball.npz", "table.obj", resolution="float32")
    with Recording.open("run.vtkhdf") as recording:
        assert recording.rules.resolution == source.resolution
        assert Story.of(recording, numbers=True).resolution == max(source.resolution)


def test_when_tells_the_times_that_the_recording_tells(wingedge, files):
    files_told = wingedge("track", "ball.npz", "table.obj", "--when")
    wingedge("track", "ball.npz", "table.obj", "--record", "run.vtkhdf")
    assert files_told.out == wingedge("events", "run.vtkhdf", "--when").out
    begin = files_told.out.splitlines()[0].split()
    assert begin[1] == "begin"
    # from 1.55 to 1.4 the distance falls to the contact distance, just above 1.5
    assert float(begin[-2]) == pytest.approx((3 + 1 / 3) / 30, abs=2e-3)


def test_times_that_are_uneven_are_those_of_the_files(wingedge, files):
    times = np.arange(9.0)
    times[4:] += 10.0
    np.savez("ball.npz", points=POINTS, faces=FACES, times=times)
    done = wingedge("track", "ball.npz", "table.obj", "--when")
    uneven, footnote = done.err.splitlines()
    assert "uneven" in uneven and footnote.startswith("@: how far")  # noqa: PT018
    first = done.out.splitlines()[0].split()
    part = float(first[-3].partition("@")[2].partition("+-")[0])
    assert float(first[-2]) == pytest.approx(3.0 + 11.0 * part)


def test_files_of_vtk_keep_their_numbers(wingedge, files):
    pyvista = pytest.importorskip("pyvista", reason="it is in the extra 'viewer'")
    row = np.insert(FACES, 0, 3, axis=1).ravel()
    listed = []
    for k, points in enumerate(POINTS):
        surface = pyvista.PolyData(points, row)
        surface.save(f"ball_{k}.vtp")
        surface.cast_to_unstructured_grid().save(f"ball_{k}.vtu")
        listed.append((k / 30, f"ball_{k}.vtu"))
    entries = "".join(f'<DataSet timestep="{t}" file="{f}"/>' for t, f in listed)
    Path("ball.pvd").write_text(
        f'<VTKFile type="Collection"><Collection>{entries}</Collection></VTKFile>'
    )
    rows = [{"name": name, "time": time} for time, name in listed]
    Path("ball.vtu.series").write_text(json.dumps({"files": rows}))
    expected = wingedge("track", "ball.npz", "table.obj", "--when").out
    for file in ("ball.pvd", "ball.vtu.series"):
        assert wingedge("track", file, "table.obj", "--when").out == expected
    for pattern in ("ball_*.vtp", "ball_*.vtu"):
        assert kinds(wingedge("track", pattern, "table.obj")) == KINDS
