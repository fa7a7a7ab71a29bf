"""Read USD: meshes with time samples."""

from pathlib import Path
from typing import Any

import numpy as np

from sim.body.pose import Pose
from sim.sequence.sample import Sample, Samples
from wingedge.build import Polygons, as_polygons
from wingedge.tables import starts

NAME = "wingedge:name"  # a body's own, where `sim.bridges.usd` wrote it


def read_usd(path: Path) -> Samples:
    """Read all meshes of a stage, in every frame that any of them has a sample for.

    Frames are the time codes of the samples; between two of its own a mesh is where USD
    puts it.  Subdivision is left out: the surface is that of the polygons.
    """
    try:
        from pxr import Tf, Usd, UsdGeom
    except ImportError:
        raise ImportError(
            f"{path}: reading USD needs usd-core: pip install usd-core"
        ) from None
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException:
        raise ValueError("cannot be read as USD; export it again") from None
    meshes = [UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
    if not meshes:
        raise ValueError(
            "there is no mesh in the stage; give one with UsdGeom.Mesh prims"
        )
    codes = sorted({code for mesh in meshes for code in _codes(mesh)})
    rate = stage.GetTimeCodesPerSecond()
    found: Samples = {}
    for mesh in meshes:
        attribute = mesh.GetPrim().GetAttribute(NAME)
        name = attribute.Get() if attribute else ""
        if not name and len(meshes) > 1:
            name = mesh.GetPrim().GetName()
            name = (
                name if name not in found else str(mesh.GetPath())[1:].replace("/", ".")
            )
        found[name] = [
            _sample(
                f"{path}, {mesh.GetPath()}, time code {code:g}", mesh, code, code / rate
            )
            for code in codes
        ] or [_sample(f"{path}, {mesh.GetPath()}", mesh, Usd.TimeCode.Default(), None)]
    return found


def _codes(mesh: Any) -> set[float]:
    """List the time codes at which a mesh, or where it is, has a sample."""
    from pxr import UsdGeom

    codes = set(mesh.GetPointsAttr().GetTimeSamples())
    prim = mesh.GetPrim()
    while prim:
        place = UsdGeom.Xformable(prim)
        if place:
            codes.update(place.GetTimeSamples())
        prim = prim.GetParent()
    return codes


def _sample(where: str, mesh: Any, code: Any, time: float | None) -> Sample:
    from pxr import UsdGeom

    given = mesh.GetPointsAttr().Get(code)
    counts = mesh.GetFaceVertexCountsAttr().Get(code)
    corners = mesh.GetFaceVertexIndicesAttr().Get(code)
    if given is None or counts is None or corners is None:
        raise ValueError(f"{where}: the mesh has no points or no faces there")
    points = np.array(given, np.float64).reshape(-1, 3)
    count, vertex = np.array(counts, np.int64), np.array(corners, np.int64)
    if count.sum() != len(vertex) or (count < 0).any():
        raise ValueError(
            f"{where}: {count.sum()} corners are announced, {len(vertex)} are there"
        )
    flat = Polygons(len(points), starts(count), vertex)
    if len(vertex) and (vertex.min() < 0 or vertex.max() >= len(points)):
        raise ValueError(
            f"{where}: a face has vertex {vertex.max()}, there are {len(points)}"
        )
    place = np.array(mesh.ComputeLocalToWorldTransform(code)).T[:3]
    mirrors = bool(np.linalg.det(place[:, :3]) <= 0.0)
    if mirrors:
        points = points @ place[:, :3].T + place[:, 3]
    left = mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded
    if mirrors != left:
        rings = [
            vertex[a:b][::-1] for a, b in zip(flat.start, flat.start[1:], strict=False)
        ]
        flat = as_polygons([ring.tolist() for ring in rings], len(points))
    return Sample(
        where, points, flat, time, None if mirrors else Pose.from_matrix(place)
    )
