"""viewer.files, sim.story.file.vtkhdf: recordings by VTK, a picture as glTF."""

import json

import pytest

from sim import scenes

pytestmark = pytest.mark.gui


def test_a_picture_as_gltf_has_bodies_and_markers_in_their_colours(tmp_path):
    pytest.importorskip("pyvista")
    from viewer import Scene

    scene, path = Scene(), tmp_path / "a.gltf"
    scene.update(scenes.load("demo").step())
    scene.image()
    scene.plotter.export_gltf(path)
    read = json.loads(path.read_text("utf-8"))
    parts = [mesh["primitives"][0] for mesh in read["meshes"]]
    assert [each["mode"] for each in parts[:2]] == [1, 4]  # edges, skins
    assert len(parts) > 2, "markers"
    assert all("COLOR_0" in each["attributes"] for each in parts)
    tones = [each["pbrMetallicRoughness"] for each in read["materials"]]
    assert all(tone["baseColorFactor"][:3] == [1.0] * 3 for tone in tones)
    scene.close()
