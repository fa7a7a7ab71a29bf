"""USD out: read back by usd-core itself, between samples too."""

import sys

import numpy as np
import pytest

from sim import Body, Pose, World, scenes
from wingedge import edits, shapes

pytest.importorskip("pxr", reason="usd-core is in the extra 'bridges'")
from pxr import Usd, UsdGeom

from sim.bridges.usd import write_usd


def read_back(path):
    stage = Usd.Stage.Open(str(path))
    found = (UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh))
    return stage, {m.GetPrim().GetAttribute("wingedge:name").Get(): m for m in found}


@pytest.mark.parametrize("name", ["demo", "dent", "seesaw"])
def test_every_frame_is_read_back_where_it_was(name, tmp_path):
    world = scenes.load(name)
    frames = list(world.run(40))
    write_usd(tmp_path / "run.usda", frames, dt=world.dt)
    stage, meshes = read_back(tmp_path / "run.usda")
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 39)
    assert stage.GetTimeCodesPerSecond() == pytest.approx(1.0 / world.dt)
    assert [*meshes] == [body.name for body in world.bodies]
    for frame in frames:
        for body in frame.bodies:
            mesh = meshes[body.name]
            points = np.array(mesh.GetPointsAttr().Get(frame.index))
            off = np.abs(points - body.points).max()
            assert off <= 2.0**-23 * np.abs(body.points).max()
            matrix = np.array(mesh.GetLocalTransformation(frame.index))
            assert np.array_equal(matrix[:3, :3].T, body.pose.linear)
            assert np.array_equal(matrix[3, :3], body.pose.translation)
    for body in frames[0].bodies:
        corners = np.array(meshes[body.name].GetFaceVertexIndicesAttr().Get())
        faces = [list(body.mesh.face_vertices(f)) for f in range(body.mesh.n_faces)]
        assert corners.tolist() == [int(v) for face in faces for v in face]


def test_points_are_held_until_they_change_and_not_blended(tmp_path):
    body = Body(shapes.box(), name="a box (1)")
    other = Body(shapes.box(), name="a_box__1_", pose=Pose(None, (5, 0, 0)))
    world = World([body, other])
    frames = [world.step(), world.step(), world.step()]
    body.points = 2.0 * body.mesh.points
    frames += [world.step(), world.step()]
    write_usd(tmp_path / "run.usda", frames)
    _, meshes = read_back(tmp_path / "run.usda")
    assert [*meshes] == ["a box (1)", "a_box__1_"]
    points = meshes[body.name].GetPointsAttr()
    sizes = [float(np.abs(points.Get(t)).max()) for t in range(5)]
    assert sizes == [0.5, 0.5, 0.5, 1.0, 1.0]


def test_what_usd_cannot_hold_is_refused_in_a_sentence(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="no frames"):
        write_usd(tmp_path / "run.usda", [])
    with pytest.raises(ValueError, match=r"run\.txt: give a name that ends in"):
        write_usd(tmp_path / "run.txt", [])
    with pytest.raises(ValueError, match="dt=0 must be above 0"):
        write_usd(tmp_path / "run.usda", [], dt=0)
    body = Body(shapes.box(), name="box")
    world = World([body, Body(shapes.box(), pose=Pose(None, (5, 0, 0)))])
    first = world.step()
    body.replace(*edits.split_edge(body.mesh, 3))
    with pytest.raises(ValueError, match=r"'box' has another mesh in frame 1"):
        write_usd(tmp_path / "run.usda", [first, world.step()])
    assert not (tmp_path / "run.usda").exists()
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(ModuleNotFoundError, match="pip install usd-core"):
        write_usd(tmp_path / "run.usda", [first])
