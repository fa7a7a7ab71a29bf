import random  # of sim.story.file.vtkhdf, sim.story.file.states
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

from sim import Recording, scenes
from sim.story.file.vtkhdf import KINDS

WRITE_AND_WAIT = """
import sys
from sim import scenes
world = scenes.load("demo")
with world.record(sys.argv[1]):
    list(world.run(70))
    print("written", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    path = tmp_path_factory.mktemp("vtkhdf") / "demo.vtkhdf"
    world = scenes.load("demo")
    with world.record(path):
        list(world.run(140))
    return path


def read(path, k):
    pyvista = pytest.importorskip("pyvista", reason="pyvista is in the extra 'viewer'")
    source = pyvista.HDFReader(str(path))
    source.reader.SetStep(k)
    source.reader.Update()
    blocks = pyvista.wrap(source.reader.GetOutputDataObject(0))
    return blocks["bodies"], blocks["contacts"]


def check_frame(path, k, frame):
    bodies, contacts = read(path, k)
    world = np.concatenate([body.world_points() for body in frame.bodies])
    assert np.array_equal(bodies.points, world)
    segments = contacts.lines.reshape(-1, 3)[:, 1:]
    vertices = contacts.verts.reshape(-1, 2)[:, 1]
    ends = [[s.point_a, s.point_b] for s in frame.pairs]
    assert contacts.points[segments].tolist() == np.array(ends).tolist()
    corners = [c for s in frame.pairs for c in s.contacts or (s,)]
    touching = [corner.point_a for corner in corners]
    assert contacts.points[vertices].tolist() == np.array(touching).tolist()
    cells = [*corners, *frame.pairs]
    assert contacts.cell_data["distance"].tolist() == [c.distance for c in cells]
    depths = [max(0.0, -cell.distance) for cell in cells]
    assert contacts.cell_data["depth"].tolist() == depths
    normals = [cell.normal.tolist() for cell in cells]
    assert contacts.cell_data["normal"].tolist() == normals
    kinds = [KINDS[k] for k in contacts.cell_data["kind"]]
    assert kinds == [cell.kind for cell in cells]


@pytest.mark.parametrize("k", [0, 1, 40, 64, 70, 100, 139])
def test_vtk_reads_positions_and_contacts_of_a_frame(demo, k):
    with Recording.open(demo) as recording:
        check_frame(demo, k, recording[k])


def test_cells_say_body_and_face_and_tables_have_the_sizes_vtk_asks_for(demo):
    bodies, _ = read(demo, 5)
    meshes = [body.mesh for body in scenes.load("demo").bodies]
    n = meshes[0].n_faces
    assert bodies.cell_data["body"].tolist() == [0] * n + [1] * 6
    assert bodies.cell_data["face"].tolist() == [*range(n), *range(6)]
    corners = bodies.get_cell(n + 2).point_ids
    shift = meshes[0].n_vertices
    assert [v - shift for v in corners] == meshes[1].face_vertices(2).tolist()
    with h5py.File(demo) as file:
        for block in ("bodies", "contacts"):
            steps = file[f"VTKHDF/{block}/Steps"]
            assert steps.attrs["NSteps"] == 140
            for name in ("Values", "PartOffsets", "NumberOfParts", "PointOffsets"):
                assert steps[name].shape == (140,)
            for name in ("CellOffsets", "ConnectivityIdOffsets"):
                assert steps[name].shape == (140, 4)


@pytest.mark.parametrize("name", ["face_on_face", "edge_on_edge"])
def test_vtk_reads_every_corner_of_a_patch(tmp_path, name):
    path = tmp_path / "patch.vtkhdf"
    world = scenes.load(name)
    with world.record(path):
        frames = list(world.run(scenes.length(name)))
    for k in range(0, len(frames), 9):
        check_frame(path, k, frames[k])


def test_what_a_killed_writer_left_is_completed_for_vtk(tmp_path):
    path, whole = tmp_path / "killed.vtkhdf", tmp_path / "whole.vtkhdf"
    command = [sys.executable, "-c", WRITE_AND_WAIT, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as child:
        assert child.stdout.readline() == b"written\n"
        child.kill()
    with Recording.open(path) as recording:
        assert len(recording) == 70
        assert recording.save_as(whole).digest == recording.digest
        for k in (0, 63, 64, 69):
            check_frame(whole, k, recording[k])


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_run_can_be_read_to_its_last_whole_frame(start, tmp_path, seed):
    with start(WRITE_AND_WAIT, path := tmp_path / "killed.vtkhdf") as child:
        while not path.exists():
            time.sleep(1e-3)
        time.sleep(random.Random(seed).uniform(0.0, 0.1))
        child.kill()
    with Recording.open(path) as recording:
        assert len(recording) > 0
        for one in scenes.load("demo").run(len(recording)):
            two = recording[one.index]
            assert [s.numbers for s in one.pairs] == [s.numbers for s in two.pairs]
