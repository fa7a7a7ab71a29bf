"""What a reader of files gives, which reader is for which file; parts of one mesh."""

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Several
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.pose import Pose
from wingedge import MeshError, WingedEdgeMesh
from wingedge.build import Polygons
from wingedge.io.reading import weld
from wingedge.registry import find

GROUP = "wingedge.sequences"  # entry points: modules that register readers of their own


class Sample(NamedTuple):
    """One body in one frame, as a file holds it, unchecked."""

    where: str  # file, and the frame in it
    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons
    time: float | None = None
    pose: Pose | None = None  # where the points are; the identity if left out


Samples = dict[str, list[Sample]]  # by name; "" is whatever the file is called
Reader = Callable[[Path], Samples]

# by suffix, the names of those of this package as the registry has them
_READERS: dict[str, str | Reader] = {
    **dict.fromkeys((".obj", ".off", ".stl", ".ply"), "read_mesh"),
    ".npz": "read_npz",
    **dict.fromkeys((".vtkhdf", ".hdf", ".h5", ".hdf5"), "read_recording"),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), "read_usd"),
    **dict.fromkeys((".gltf", ".glb"), "read_gltf"),
}


def register(suffixes: tuple[str, ...], reader: Reader) -> None:
    """Read files of these suffixes by this function from now on."""
    _READERS.update(dict.fromkeys(suffixes, reader))


def read_samples(path: Path) -> Samples:
    """Read a file by its suffix; errors name the file.

    Raises ValueError if no reader is for it; OSError if it is missing; what the reader
    raises.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; check the path")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a folder; give the files in it")
    reader = reader_for(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(_READERS))
        raise ValueError(
            f"{path}: the suffix {path.suffix!r} names no format of a sequence; there "
            f"are {known}"
        )
    return reader(path)


def reader_for(suffix: str) -> Reader | None:
    """Return the reader for a suffix, asking installed packages where none is known."""
    if suffix not in _READERS:
        for entry in entry_points(group=GROUP):
            entry.load()
    reader = _READERS.get(suffix)
    return find(reader) if isinstance(reader, str) else reader


def first_unfinite(points: NDArray[Any]) -> str:
    """Name the first vertex with a coordinate that is not finite, or nothing."""
    if np.isfinite(points).all():
        return ""
    v = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
    return f"vertex {v} is at {points[v].tolist()}; every coordinate must be finite"


def numbered_frames(path: Path, count: int) -> Iterator[str]:
    """Say for each of so many frames of a file where it is."""
    return (f"{path}, frame {k}" for k in range(count))


FLAT = 1e-6  # as in `wingedge.read`; files hold single precision
PLANAR = "planar faces"  # the invariant that triangles keep


class MeshSpan(NamedTuple):
    """A body over frames in which its mesh stays what it is."""

    name: str
    mesh: WingedEdgeMesh
    kept: NDArray[np.integer] | slice  # which of the given points are its vertices
    samples: Several[Sample]  # one: at rest


def split_by_mesh(name: str, samples: list[Sample]) -> list[MeshSpan]:
    """Split a body's frames where its mesh becomes another one."""
    parts: list[MeshSpan] = []
    begin, first = 0, samples[0]
    mesh, kept, twins = _mesh(first)
    for k, sample in enumerate(samples):
        if trouble := first_unfinite(sample.points):
            raise ValueError(f"{sample.where}: {trouble}")
        if k > begin and not _goes_on(first, sample, twins):
            parts.append(MeshSpan(name, mesh, kept, samples[begin:k]))
            begin, first = k, sample
            mesh, kept, twins = _mesh(sample)
    return [*parts, MeshSpan(name, mesh, kept, samples[begin:])]


def _goes_on(first: Sample, sample: Sample, twins: NDArray[np.integer]) -> bool:
    """Tell whether a frame has the faces of another, and its welded vertices."""
    a, b = first.faces, sample.faces
    same = a is b or (
        np.array_equal(a.start, b.start) and np.array_equal(a.vertex, b.vertex)
    )
    if not same or len(first.points) != len(sample.points):
        return False
    return not len(twins) or np.array_equal(sample.points, sample.points[twins])


def _mesh(
    sample: Sample,
) -> tuple[WingedEdgeMesh, NDArray[np.integer] | slice, NDArray[np.integer]]:
    """Build a mesh; say which points are its vertices, and which are at one place."""
    points, faces = sample.points, sample.faces
    if trouble := first_unfinite(points):
        raise ValueError(f"{sample.where}: {trouble}")
    none = np.zeros(0, np.int64)
    try:
        try:
            return _flat(points, faces), slice(None), none
        except MeshError as error:
            mesh = _welded(points, faces, error)
    except (MeshError, TypeError, ValueError) as error:
        raise ValueError(f"{sample.where}: {error}") from None
    kept = np.asarray(mesh.source_vertices)
    _, number = np.unique(points, axis=0, return_inverse=True)
    first = np.zeros(number.max() + 1, np.int64)
    first[number.ravel()[kept]] = kept
    return mesh, kept, first[number.ravel()]


def _welded(
    points: NDArray[np.float64], faces: Polygons, error: MeshError
) -> WingedEdgeMesh:
    """Build a mesh with vertices at one place made one; else say what was wrong."""
    if len(np.unique(points, axis=0)) == len(points) and len(
        np.unique(faces.vertex)
    ) == len(points):
        raise error
    used = np.unique(faces.vertex)
    number = np.zeros(len(points), np.int64)
    number[used] = np.arange(len(used))
    tight = Polygons(len(used), faces.start, number[faces.vertex])
    try:
        return weld(
            points[used], tight, source=used, triangulate=False, planar_tolerance=FLAT
        )
    except MeshError as other:
        if other.invariant != PLANAR:
            raise
        return weld(
            points[used], tight, source=used, triangulate=True, planar_tolerance=FLAT
        )


def _flat(points: NDArray[np.float64], faces: Polygons) -> WingedEdgeMesh:
    """Build a mesh; of triangles where a polygon is warped."""
    try:
        return WingedEdgeMesh.from_faces(points, faces, planar_tolerance=FLAT)
    except MeshError as error:
        if error.invariant != PLANAR:
            raise
        return WingedEdgeMesh.from_faces(points, faces, True, planar_tolerance=FLAT)
