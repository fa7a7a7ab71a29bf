"""Read sequences of arrays, of meshes, of USD, and recordings."""

from pathlib import Path
from typing import Any

import numpy as np

from sim.body.pose import Pose
from sim.sequence.sample import Sample, Samples, numbered_frames, reader_for
from wingedge.build import Polygons, as_polygons
from wingedge.io.reading import parsed, split_row
from wingedge.tables import starts

LAYOUT = "give points (T, V, 3) and faces, and times (T,) and name if you like"


def read_mesh(path: Path) -> Samples:
    """Read one frame from a file that `wingedge.read` knows."""
    soup = parsed(path)
    faces = as_polygons(soup.faces, len(soup.points))
    return {"": [Sample(str(path), soup.points, faces)]}


def read_npz(path: Path) -> Samples:
    """Read ``points`` (T, V, 3), ``faces``, and ``times`` (T,), ``name`` if there.

    Faces are (F, k), or one row as VTK has them: number of corners, corners, ...
    """
    import zipfile
    import zlib

    try:
        with np.load(path, allow_pickle=False) as file:
            held = {key: file[key] for key in file.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, TypeError):
        raise ValueError(f"is no npz file of plain arrays; {LAYOUT}") from None
    for key in ("points", "faces"):
        if key not in held:
            has = ", ".join(held) or "nothing"
            raise ValueError(f"has no {key!r}, only {has}; {LAYOUT}")
    points, faces, times = held["points"], held["faces"], held.get("times")
    if points.ndim != 3 or points.shape[2] != 3 or points.dtype.kind not in "fiu":
        raise ValueError(f"points are {points.dtype} {points.shape}; {LAYOUT}")
    if times is not None and times.shape != points.shape[:1]:
        raise ValueError(
            f"has {len(points)} frames and times of shape {times.shape}; {LAYOUT}"
        )
    rows = split_row(faces) if faces.ndim == 1 else faces
    polygons = as_polygons(rows, points.shape[1])
    when = [None] * len(points) if times is None else times.astype(float).tolist()
    frames = zip(numbered_frames(path, len(points)), points, when, strict=True)
    name = str(held["name"].item()) if held.get("name", np.empty(0)).size == 1 else ""
    return {name: [Sample(w, x.astype(np.float64), polygons, t) for w, x, t in frames]}


def read_recording(path: Path) -> Samples:
    """Read the bodies of a recording; other VTKHDF files by who is registered."""
    import h5py

    try:
        with h5py.File(path) as file:
            is_ours = "wingedge" in file
    except OSError as error:
        raise ValueError(f"is no HDF5 file ({error})") from None
    if not is_ours:
        reader = reader_for(".vtu")
        if reader is None:
            raise ImportError(f"{path}: reading VTKHDF needs pyvista; {VIEWER}")
        return reader(path)
    from sim.story.recording import Recording

    found: Samples = {}
    with Recording.open(path) as recording:
        known = {}
        wheres = numbered_frames(path, len(recording))
        for where, frame in zip(wheres, recording, strict=True):
            for body in frame.bodies:
                if body.mesh not in known:
                    rings = map(body.mesh.face_vertices, range(body.mesh.n_faces))
                    known[body.mesh] = as_polygons(list(rings), body.mesh.n_vertices)
                sample = Sample(
                    where, body.points, known[body.mesh], frame.time, body.pose
                )
                found.setdefault(body.name, []).append(sample)
    return found


VIEWER = 'run: pip install "wingedge[viewer]"'


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
