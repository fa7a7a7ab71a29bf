"""A frame in a form that other programs read."""

import numpy as np
import pytest

from sim import scenes
from viewer.export import export


@pytest.fixture(scope="module")
def frames():
    return list(scenes.load("demo").run(110))


def test_a_frame_as_gltf_is_read_back_with_its_bodies(frames, tmp_path):
    import trimesh

    scene = trimesh.load(export(frames, tmp_path / "run.glb", frame=104))
    assert set(scene.geometry) == {"jelly", "table", "markers"}
    low, high = scene.geometry["jelly"].bounds
    points = frames[104].body("jelly").world_points()
    assert np.allclose([low, high], [points.min(axis=0), points.max(axis=0)], atol=1e-6)


def test_what_cannot_be_exported_is_said(frames, tmp_path):
    with pytest.raises(ValueError, match=r"is exported as \.glb"):
        export(frames, tmp_path / "run.vtk")
    with pytest.raises(IndexError, match="no frame 200; there are 110"):
        export(frames, tmp_path / "a.glb", frame=200)
    with pytest.raises(IndexError, match="no frame to export"):
        export([], tmp_path / "none.glb")
    assert not list(tmp_path.iterdir())
