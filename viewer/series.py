"""Read files of VTK as bodies that move: what `sim.sequence` cannot read itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sim.sequence.sample import Sample, Samples, register
from wingedge.build import Polygons, as_polygons
from wingedge.io.reading import split_row
from wingedge.positions import is_single

SUFFIXES = (
    *(".vtu", ".vtp", ".vtk", ".vtm", ".vtmb", ".pvtu", ".pvtp"),
    *(".pvd", ".series"),  # a file for every step
)
HDF = (".vtkhdf", ".hdf", ".h5", ".hdf5")


def samples(path: Path) -> Samples:
    """Read the outer surface of a dataset, in every step of its time.

    Of volume meshes it is what ``extract_surface`` returns, of several blocks all of
    them; ``mesh.source_vertices`` are the numbers in the file.
    """
    try:
        import pyvista
    except ImportError:
        raise ImportError(
            f'{path}: reading it needs pyvista: pip install "wingedge[viewer]"'
        ) from None
    # VTK prints what is wrong in many lines, where one sentence is wanted
    caught = pyvista.VtkErrorCatcher(raise_errors=True, send_to_logging=False)
    try:
        with caught:
            return {"": list(_steps(path))}
    except Exception as error:
        first = caught.error_events[0].alert if caught.error_events else str(error)
        said = " ".join(first.split())[:120].rstrip(".")
        raise ValueError(
            f"{path}: VTK cannot read it ({said}); export it again"
        ) from None


def _steps(path: Path) -> Iterator[Sample]:
    import pyvista

    get_reader: Any = pyvista.get_reader
    if path.suffix.lower() in HDF:  # pyvista reads the first step only
        data = pyvista.HDFReader(path)
        data.reader.UpdateInformation()
        about = data.reader.GetOutputInformation(0)
        key = pyvista._vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
        for k, time in enumerate(about.Get(key) if about.Has(key) else [0.0]):
            data.reader.SetStep(k)
            yield _sample(f"{path}, frame {k}", data, float(time))
        return
    reader = get_reader(path)
    if not isinstance(reader, pyvista.TimeReader) or not reader.number_time_points:
        yield _sample(str(path), reader, None)
        return
    for k, time in enumerate(reader.time_values):
        reader.set_active_time_point(k)
        yield _sample(f"{path}, frame {k}", reader, float(time))


def _sample(where: str, reader: Any, time: float | None) -> Sample:
    import pyvista

    data = reader.read()
    if isinstance(data, pyvista.MultiBlock):
        data = data.combine() if data.n_blocks else pyvista.PolyData()
    surface, number = data, None
    if not isinstance(data, pyvista.PolyData):
        surface = data.extract_surface(algorithm="dataset_surface", pass_pointid=True)
        number = surface.point_data.get("vtkOriginalPointIds")
    if not surface.n_points or not surface.n_faces:
        raise ValueError("there is no surface in it")
    faces = as_polygons(split_row(surface.faces), surface.n_points)
    points = np.array(surface.points, np.float64)
    if number is not None:  # vertices keep the numbers of the file
        points = np.array(data.points, np.float64)
        vertex = np.asarray(number, np.int64)[faces.vertex]
        faces = Polygons(len(points), faces.start, vertex)
    part = surface.cell_data.get("part")
    return Sample(where, points, faces, time, single=is_single(data.points), part=part)


register(SUFFIXES, samples, "pyvista")
