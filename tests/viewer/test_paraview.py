"""`docs/paraview_contacts.py` finds what it names, by VTK and by ParaView itself."""

import ast
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sim import Body, Pose, World, scenes
from viewer.export import REGIMES, export
from wingedge import shapes

TRACE = Path(__file__).parents[2] / "docs" / "paraview_contacts.py"
pytestmark = pytest.mark.gui


def named():
    """Return the constants of the script, which only ParaView's Python can import."""
    body = ast.parse(TRACE.read_text("utf-8")).body
    told = [each for each in body if isinstance(each, ast.Assign)]
    return {each.targets[0].id: ast.literal_eval(each.value) for each in told}


def blocks(data, selector):
    from vtkmodules import vtkFiltersExtraction

    chosen = vtkFiltersExtraction.vtkExtractBlockUsingDataAssembly()
    chosen.SetInputDataObject(data)
    chosen.SetAssemblyName("Hierarchy")
    chosen.AddSelector(selector)
    chosen.Update()
    found = chosen.GetOutputDataObject(0)
    return [found.GetBlock(k) for k in range(found.GetNumberOfBlocks())]


@pytest.fixture(scope="module")
def frames():
    bodies = [
        Body(shapes.box(1.0), name="contacts"),
        Body(shapes.box(1.0), name="markers", pose=Pose(None, (0.3, 0.2, 0.9))),
        Body(shapes.box(1.0), name="für fern", pose=Pose(None, (2.5, 0.0, 0.0))),
    ]
    return list(World(bodies, margin=3.0).run(2))


def test_blocks_and_arrays_of_an_export_are_those_it_names(frames, tmp_path):
    pv = pytest.importorskip("pyvista")
    (data,) = pv.PVDReader(export(frames, tmp_path / "run.pvd")).read()
    names = named()
    assert names["REGIMES"] == REGIMES
    bodies = blocks(data, names["BODIES"])
    assert [b.GetCellData().GetArray("body").GetRange() for b in bodies] == [
        (0.0, 0.0),
        (1.0, 1.0),
        (2.0, 2.0),
    ]
    (contacts,) = blocks(data, names["CONTACTS"])
    assert contacts.GetCellData().GetArray("normal") is None
    columns = contacts.GetPointData()
    assert columns.GetArray("normal").GetNumberOfComponents() == 3
    assert columns.GetArray("regime").GetRange() == (0.0, 2.0)
    assert columns.GetArray("role").GetRange() == (0.0, 2.0)
    legend = data.GetFieldData().GetAbstractArray("legend of body")
    assert [legend.GetValue(k) for k in range(3)] == [
        "0 contacts",
        "1 markers",
        "2 für fern",
    ]


def test_blocks_and_arrays_of_a_recording_are_those_it_names(tmp_path):
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
    data, names = reader.GetOutputDataObject(0), named()
    (surface,) = blocks(data, names["BODIES"])
    assert surface.GetCellData().GetArray("body").GetRange() == (0.0, 1.0)
    (contacts,) = blocks(data, names["CONTACTS"])
    centres = vtkFiltersCore.vtkCellCenters()
    centres.SetInputData(contacts)
    centres.VertexCellsOn()
    centres.Update()
    points, state = centres.GetOutput(), frames[-1].pairs[0]
    assert np.allclose(points.GetPoint(0), state.point_a, rtol=0.0, atol=1e-15)
    columns = points.GetPointData()
    assert columns.GetArray("normal").GetTuple(0) == tuple(state.normal)
    assert columns.GetArray("regime").GetValue(0) == REGIMES.index(state.regime) == 1


@pytest.mark.skipif(
    shutil.which("pvpython") is None, reason="ParaView is not installed"
)
def test_it_shows_bodies_and_arrows_in_paraview(frames, display, tmp_path):
    pv = pytest.importorskip("pyvista")
    opened, picture = export(frames, tmp_path / "run.pvd"), tmp_path / "run.png"
    environment = {k: v for k, v in display.environment.items() if "PYTHON" not in k}
    subprocess.run(
        ["pvpython", TRACE, opened, picture],
        env={**environment, "LC_ALL": os.environ.get("LC_ALL", "C.UTF-8")},
        check=True,
    )
    seen = pv.read(picture)["PNGImage"].reshape(900, 1200, 3).astype(int)
    purple = (seen[..., ::2] > seen[..., 1:2] + 50).all(axis=2)  # arrows of an overlap
    assert purple[:, :900].sum() > 100  # beside them is the legend
