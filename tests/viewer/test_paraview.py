"""What other programs read: recordings by VTK, a picture as glTF."""

import json

import numpy as np
import pytest

from sim import scenes

pytestmark = pytest.mark.gui


def test_blocks_and_arrays_of_a_recording_are_those_that_the_page_names(tmp_path):
    pytest.importorskip("pyvista", reason="VTK is in the extra 'viewer'")
    import h5py
    from vtkmodules import vtkCommonCore, vtkFiltersCore, vtkIOHDF

    version = vtkCommonCore.vtkVersion
    if (version.GetVTKMajorVersion(), version.GetVTKMinorVersion()) < (9, 5):
        pytest.skip("a recording is read by VTK 9.5 or newer")
    world, path = scenes.load("demo"), tmp_path / "run.vtkhdf"
    with world.record(path):
        frames = list(world.run(105))
    with h5py.File(path) as file:
        assert list(file["wingedge/bodies"].asstr()) == ["jelly", "table"]
    reader = vtkIOHDF.vtkHDFReader()
    reader.SetFileName(str(path))
    reader.UpdateTimeStep(frames[-1].time)
    data = reader.GetOutputDataObject(0)
    surface, contacts = (data.GetBlock(k) for k in range(2))
    assert surface.GetCellData().GetArray("body").GetRange() == (0.0, 1.0)
    centres = vtkFiltersCore.vtkCellCenters()
    centres.SetInputData(contacts)
    centres.VertexCellsOn()
    centres.Update()
    points, state = centres.GetOutput(), frames[-1].pairs[0]
    assert np.allclose(points.GetPoint(0), state.point_a, rtol=0.0, atol=1e-15)
    columns = points.GetPointData()
    assert columns.GetArray("normal").GetTuple(0) == tuple(state.normal)
    assert columns.GetArray("regime").GetValue(0) == 1
    assert state.regime == "contact"


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
