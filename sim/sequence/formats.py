"""Read sequences of arrays, of meshes, of USD and glTF, and recordings."""

import zipfile
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.pose import Pose
from sim.sequence.sample import Sample, Samples, reader_for, register
from sim.sequence.source import stem
from sim.story.file import MAGIC, hdf5
from wingedge import MeshError
from wingedge.build import Polygons, as_polygons
from wingedge.features import is_name
from wingedge.io.gltf import Gltf
from wingedge.io.parsing import Labels, ParsedMesh, bytes_of, one_sentence
from wingedge.io.reading import parsed, split, split_row
from wingedge.positions import is_single
from wingedge.tables import starts

ROOM = 4 << 20  # bytes that any npz may unpack to, and how many times its own
UNPACKED = 100
LAYOUT = "give points (T, V, 3) and faces, and times (T,) and name if you like"


def read_mesh(path: Path) -> Samples:
    """Read one frame from a file that `wingedge.read` knows, a body for each piece."""
    file = parsed(path)
    return _bodies(path, file, [None], [file.points])


def _bodies(
    path: Path,
    file: ParsedMesh,
    times: list[float | None],
    frames: Iterable[NDArray[np.float64]],
) -> Samples:
    """Name the pieces of a file, by their number where the file has no names."""
    pieces, bodies = split(file), {}
    names = [piece.names[0] for piece in pieces]
    wheres = [f"{path}, frame {k}" for k in range(len(times))]
    wheres = wheres if len(times) > 1 else [str(path)]
    rows = list(zip(wheres, frames, times, strict=True))
    for k, (name, piece) in enumerate(zip(names, pieces, strict=True)):
        if not is_name(name) or names.count(name) > 1:
            name = f"{stem(path)}-{k}"
        name = name if len(pieces) > 1 else ""
        rest: Any = dict(number=piece.number, single=file.single, part=file.part)
        bodies[name] = [Sample(w, x, piece.faces, t, **rest) for w, x, t in rows]
    return bodies


def read_npz(path: Path) -> Samples:
    """Read ``points`` (T, V, 3), ``faces``, and ``times`` (T,), ``name`` if there.

    Faces are (F, k), or one row as VTK has them: number of corners, corners, ...  Also
    ``part`` (F,), the name of the part of every face.
    """
    try:
        with zipfile.ZipFile(path) as file:
            there = [name.removesuffix(".npy") for name in file.namelist()]
            room = ROOM + UNPACKED * path.stat().st_size
            known = {"points", "faces", "times", "name", "part"}.intersection(there)
            held = {key: _member(file, f"{key}.npy", room) for key in known}
    except Exception as error:  # no file brings down who reads it
        said = f"is no npz file of plain arrays ({error}); {LAYOUT}"
        raise ValueError(said) from None
    for key in ("points", "faces"):
        if key not in held:
            has = ", ".join(there) or "nothing"
            raise ValueError(f"has no {key!r}, only {has}; {LAYOUT}")
    points, faces, times = held["points"], held["faces"], held.get("times")
    if points.ndim != 3 or points.shape[2] != 3 or points.dtype.kind not in "fiu":
        raise ValueError(f"points are {points.dtype} {points.shape}; {LAYOUT}")
    if times is not None and times.shape != points.shape[:1]:
        said = f"has {len(points)} frames and times of shape {times.shape}"
        raise ValueError(f"{said}; {LAYOUT}")
    rings = split_row(faces) if faces.ndim == 1 else faces
    polygons = as_polygons(rings, points.shape[1])
    when = [None] * len(points) if times is None else times.astype(float).tolist()
    name = str(held["name"].item()) if held.get("name", np.empty(0)).size == 1 else ""
    rows = enumerate(zip(points.astype(np.float64), when, strict=True))
    of: Any = dict(faces=polygons, single=is_single(points), part=held.get("part"))
    wide: Any = partial(Sample, **of)
    return {name: [wide(f"{path}, frame {k}", x, time=t) for k, (x, t) in rows]}


def _member(file: Any, name: str, room: int) -> NDArray[Any]:
    """Read an array, after its size is held against the bytes that are there."""
    form, about = np.lib.format, file.getinfo(name)
    with file.open(about) as data:
        header = {1: form.read_array_header_1_0, 2: form.read_array_header_2_0}
        shape, _, kind = header[form.read_magic(data)[0]](data)
        count = prod(shape)  # in Python's whole numbers
        if not 0 < count * kind.itemsize <= about.file_size or 8 * count > room:
            raise ValueError(f"{name} announces {shape}, which its bytes do not hold")
        data.seek(0)
        return np.asarray(form.read_array(data, allow_pickle=False))


def read_recording(path: Path) -> Samples:
    """Read the bodies of a recording; other VTKHDF files by who is registered."""
    h5py = hdf5()
    try:
        with path.open("rb") as raw:
            is_ours = raw.read(len(MAGIC)) == MAGIC  # of a run that was not ended
        if not is_ours:
            with h5py.File(path) as file:
                check_near(file)
                is_ours = "wingedge" in file
    except OSError as error:
        raise ValueError(f"is no HDF5 file ({error})") from None
    if not is_ours:
        reader, _ = reader_for(".vtu")
        if reader is None:
            raise ImportError(f"{path}: reading VTKHDF needs pyvista; {VIEWER}")
        return reader(path)
    from sim.story.recording import Recording

    bodies: Samples = {}
    with Recording.open(path) as recording:
        for k, frame in enumerate(recording):
            for body in frame.bodies:
                corners = (row.astype(np.int64) for row in body.mesh.corners)
                faces = Polygons(body.mesh.n_vertices, *corners)
                at = frame.time, body.pose
                sample = Sample(f"{path}, frame {k}", body.points, faces, *at)
                bodies.setdefault(body.name, []).append(sample)
    return bodies


def check_near(file: Any) -> None:
    """Refuse a file of HDF5 that sends its reader to other files, or to pipes."""
    from h5py import h5d, h5l, h5o

    def is_far(name: bytes, about: Any) -> bytes | None:
        far = about.type == h5l.TYPE_EXTERNAL
        hard = about.type == h5l.TYPE_HARD
        if hard and h5o.get_info(file.id, name).type == h5o.TYPE_DATASET:
            made = h5d.open(file.id, name).get_create_plist()
            far = made.get_layout() == h5d.VIRTUAL or made.get_external_count() > 0
        return name if far else None

    if name := file.id.links.visit(is_far, info=True):
        raise ValueError(f"{name[:200].decode()!r} is in another file; copy it here")


VIEWER = 'run: pip install "wingedge[viewer]"'


def read_usd(path: Path) -> Samples:
    """Read all meshes of a stage, in every frame that any of them has a sample for.

    Frames are the time codes of the samples; between two of its own a mesh is where USD
    puts it.  Subdivision is left out: the surface is that of the polygons.
    """
    try:
        from pxr import Tf, Usd, UsdGeom
    except ImportError:
        said = "reading USD needs usd-core: pip install usd-core"
        raise ImportError(f"{path}: {said}") from None
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException:
        raise ValueError("cannot be read as USD; export it again") from None
    meshes = [UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
    if not meshes:
        said = "there is no mesh in the stage; give one with UsdGeom.Mesh prims"
        raise ValueError(said)
    times: set[float] = set()  # at which a mesh, or where it is, has a sample
    for mesh in meshes:
        times.update(mesh.GetPointsAttr().GetTimeSamples())
        prim = mesh.GetPrim()
        while prim:
            if place := UsdGeom.Xformable(prim):
                times.update(place.GetTimeSamples())
            prim = prim.GetParent()
    rate = stage.GetTimeCodesPerSecond()
    bodies: Samples = {}
    for mesh in meshes:
        where, name = f"{path}, {mesh.GetPath()}", ""
        if len(meshes) > 1:
            name = mesh.GetPrim().GetName()
            name = str(mesh.GetPath())[1:].replace("/", ".") if name in bodies else name
        bodies[name] = [
            _sample(f"{where}, time code {code:g}", mesh, code, code / rate)
            for code in sorted(times)
        ] or [_sample(where, mesh, Usd.TimeCode.Default(), None)]
    return bodies


def _sample(where: str, mesh: Any, code: Any, time: float | None) -> Sample:
    given = mesh.GetPointsAttr().Get(code)
    counts = mesh.GetFaceVertexCountsAttr().Get(code)
    corners = mesh.GetFaceVertexIndicesAttr().Get(code)
    if given is None or counts is None or corners is None:
        raise ValueError(f"{where}: the mesh has no points or no faces there")
    points = np.array(given, np.float64).reshape(-1, 3)
    count, vertex = np.array(counts, np.int64), np.array(corners, np.int64)
    if count.sum() != len(vertex) or (count < 0).any():
        said = f"{count.sum()} corners are announced, {len(vertex)} are there"
        raise ValueError(f"{where}: {said}")
    if len(vertex) and (vertex.min() < 0 or vertex.max() >= len(points)):
        said = f"a face has vertex {vertex.max()}, there are {len(points)}"
        raise ValueError(f"{where}: {said}")
    flat = Polygons(len(points), starts(count), vertex)
    place = np.array(mesh.ComputeLocalToWorldTransform(code)).T[:3]
    mirrors = bool(np.linalg.det(place[:, :3]) <= 0.0)
    if mirrors:
        points = points @ place[:, :3].T + place[:, 3]
    if mirrors != (mesh.GetOrientationAttr().Get() == "leftHanded"):
        ends = flat.start[flat.face] + flat.start[flat.face + 1] - 1
        flat = replace(flat, vertex=vertex[ends - np.arange(len(vertex))])
    pose = None if mirrors else Pose.from_matrix(place)
    part = _subsets(where, mesh, len(count))
    return Sample(where, points, flat, time, pose, single=True, part=part)


def _subsets(where: str, mesh: Any, faces: int) -> Labels:
    """Name the subset of every face; of several families of subsets the first."""
    from pxr import UsdGeom

    labels, family = np.full(faces, "", object), None
    for subset in UsdGeom.Subset.GetAllGeomSubsets(mesh):
        own, name = subset.GetFamilyNameAttr().Get(), subset.GetPrim().GetName()
        family = own if family is None else family
        if own == family and subset.GetElementTypeAttr().Get() == "face":
            some = np.array(subset.GetIndicesAttr().Get(), int)
            for f in some[labels[some] != ""][:1]:
                said = f"face {f} is in two subsets, {labels[f]} and {name}"
                raise ValueError(f"{where}: {said}; leave it out of one")
            labels[some] = name
    return labels


def read_gltf(path: Path) -> Samples:
    """Read the meshes of a scene, in every key frame of their targets' weights."""
    data = bytes_of(path)
    with one_sentence(path):
        file = Gltf(data, path)
        times, weights = _key_frames(file)
        file.spend(len(times) * len(file.points({})) // 3)
        return _bodies(path, file.at_rest(), times, map(file.points, weights))


def _key_frames(
    file: Gltf,
) -> tuple[list[float | None], list[dict[int, NDArray[np.float64]]]]:
    """Return key times, and the weights of nodes there; no weights at rest."""
    moving = {one.node for one in file.placed}  # nodes whose place is that of a mesh
    for k in list(moving):
        while (k := file.parent.get(k, -1)) >= 0:
            moving.add(k)
    times: list[float | None] = [None]
    weights: dict[int, NDArray[np.float64]] = {}
    for animation in file.tree.get("animations", [])[:1]:
        for channel in animation["channels"]:
            node, way = channel["target"].get("node"), channel["target"]["path"]
            if node not in moving and way != "pointer":
                continue
            if way != "weights":
                raise MeshError(
                    f"animates the {way} of a node, which is not read, only weights of "
                    "morph targets; bake it to these, or to meshes"
                )
            sampler = animation["samplers"][channel["sampler"]]
            own = file.values(sampler["input"]).ravel().astype(float).tolist()
            if weights and own != times:
                raise MeshError("animates meshes at unlike times; bake all at the same")
            rows = file.values(sampler["output"]).astype(np.float64)
            n_targets = next(len(p.targets) for p in file.placed if p.node == node)
            rows = rows.reshape(len(own), -1, n_targets)
            # a cubic spline has tangents before and after every value
            times, weights[node] = own, rows[:, rows.shape[1] // 2]
    steps = range(len(times))
    return times, [{k: rows[t] for k, rows in weights.items()} for t in steps]


register((".obj", ".off", ".stl", ".ply"), read_mesh)
register((".npz",), read_npz)
register((".vtkhdf", ".hdf", ".h5", ".hdf5"), read_recording, "pyvista")
register((".usd", ".usda", ".usdc", ".usdz"), read_usd, "pxr.Usd")
register((".gltf", ".glb"), read_gltf)
