"""What a reader of files gives, which reader is for which file; parts of one mesh."""

import json
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Several
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from sim.body.pose import Pose
from sim.story.file.inspection import Apart, sentence_of
from wingedge import MeshError, WingedEdgeMesh
from wingedge.build import Polygons
from wingedge.io.reading import check_file, welded
from wingedge.positions import lowest_at
from wingedge.registry import find

GROUP = "wingedge.sequences"  # entry points: modules that register readers of their own


class Sample(NamedTuple):
    """One body in one frame, as a file holds it, unchecked."""

    where: str  # file, and the frame in it
    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons
    time: float | None = None
    pose: Pose | None = None  # where the points are; the identity if left out
    number: NDArray[np.integer] | None = None  # of the faces, where others are too


Samples = dict[str, list[Sample]]  # by name; "" is whatever the file is called
Reader = Callable[[Path], Samples]

# by suffix, the names of those of this package as the registry has them; the library
# that each reads by, where that may end the process
_READERS: dict[str, tuple[str | Reader, str]] = {
    **dict.fromkeys((".obj", ".off", ".stl", ".ply"), ("read_mesh", "")),
    ".npz": ("read_npz", ""),
    **dict.fromkeys((".vtkhdf", ".hdf", ".h5", ".hdf5"), ("read_recording", "pyvista")),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), ("read_usd", "pxr.Usd")),
    **dict.fromkeys((".gltf", ".glb"), ("read_gltf", "")),
}
XML = (".pvd", ".pvtu", ".pvtp", ".vtm", ".vtmb")  # lists of files


def register(suffixes: tuple[str, ...], reader: Reader, library: str = "") -> None:
    """Read files of these suffixes by this function from now on.

    ``library``: a module by which it reads, and which may crash: the function, one of a
    module, is then called in a process of its own.
    """
    _READERS.update(dict.fromkeys(suffixes, (reader, library)))


def read_samples(path: Path, apart: Apart) -> Samples:
    """Read a file by its suffix.

    Raises ValueError, OSError: no reader is for it, it is missing, or whatever a reader
    raised; names the file.  ImportError if a package is missing that reads it.
    """
    check_file(path)
    reader, library = reader_for(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(_READERS))
        raise ValueError(
            f"{path}: the suffix {path.suffix!r} names no format of a sequence; there "
            f"are {known}"
        )
    try:
        if library:
            size = sum(file.stat().st_size for file in named_files(path, set()))
            return apart.ask(path, reader, library, size)
        return reader(path)
    except ImportError:
        raise
    except Exception as error:  # no file brings down who reads it
        said = sentence_of(error)
        kind = OSError if isinstance(error, OSError) else ValueError
        raise kind(said if str(path) in said else f"{path}: {said}") from None


def reader_for(suffix: str) -> tuple[Reader | None, str]:
    """Return the reader for a suffix, of installed packages too, and its library."""
    if suffix not in _READERS:
        for entry in entry_points(group=GROUP):
            entry.load()
    reader, library = _READERS.get(suffix, (None, ""))
    return find(reader) if isinstance(reader, str) else reader, library


def named_files(path: Path, seen: set[Path]) -> Iterator[Path]:
    """Go through a file and those that it takes points from.

    Raises ValueError if one of them is not in the folder of the file or below;
    FileNotFoundError if it is missing.
    """
    seen.add(path)
    yield path
    suffix, names = path.suffix.lower(), []
    if suffix.startswith(".usd"):  # which does not say what it takes until it is read
        yield from path.parent.rglob("*.usd*")
    elif suffix == ".series":
        with suppress(LookupError, TypeError):  # whoever reads it says so
            names = [row["name"] for row in json.loads(path.read_bytes())["files"]]
    elif suffix in XML:
        with suppress(ElementTree.ParseError):  # which VTK tells, too
            tree = ElementTree.parse(path)
            names = [e.get(key) for e in tree.iter() for key in ("file", "Source")]
    for name in filter(None, names):
        found = path.parent / str(name)
        if not found.resolve().is_relative_to(path.parent.resolve()):
            said = f"names {str(name)[:80]!r}, which is not in its folder or below"
            raise ValueError(f"{path}: {said}; put all files into one folder")
        if not found.is_file():
            raise FileNotFoundError(f"{path}: its file {found} is missing")
        if found not in seen:
            yield from named_files(found, seen)


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


class MovingMesh(NamedTuple):
    """A body over all frames, in which its mesh stays what it is."""

    name: str
    mesh: WingedEdgeMesh
    kept: NDArray[np.integer] | slice  # which of the given points are its vertices
    samples: Several[Sample]  # one: at rest


def moving_mesh(name: str, samples: list[Sample]) -> MovingMesh:
    """Build the mesh of a body's first frame, which all others must have too."""
    first = samples[0]
    mesh, kept, twins = mesh_of(first)
    for sample in samples:
        if trouble := first_unfinite(sample.points):
            raise ValueError(f"{sample.where}: {trouble}")
        if not _goes_on(first, sample, twins):
            other, _, _ = mesh_of(sample)
            raise ValueError(
                f"body {name!r} has another mesh from {sample.where} on, "
                f"{other.n_vertices} vertices and {other.n_faces} faces after "
                f"{mesh.n_vertices} and {mesh.n_faces}; read the frames of each mesh "
                f"by themselves"
            )
    return MovingMesh(name, mesh, kept, samples)


def _goes_on(first: Sample, sample: Sample, twins: NDArray[np.integer]) -> bool:
    """Tell whether a frame has the faces of another, and its welded vertices."""
    a, b = first.faces, sample.faces
    same = a is b or (
        np.array_equal(a.start, b.start) and np.array_equal(a.vertex, b.vertex)
    )
    if not same or len(first.points) != len(sample.points):
        return False
    return np.array_equal(*sample.points[twins])


def mesh_of(
    sample: Sample,
) -> tuple[WingedEdgeMesh, NDArray[np.integer] | slice, NDArray[np.integer]]:
    """Build a mesh, of triangles where a polygon is warped.

    Says which points are its vertices, and which are at one place, (2, n).
    """
    points, faces = sample.points, sample.faces
    build = partial(welded, points, faces, number=sample.number, planar_tolerance=FLAT)
    try:
        try:
            mesh = build()
        except MeshError as error:
            if error.invariant != PLANAR:
                raise
            mesh = build(triangulate=True)
    except MeshError as error:
        text = f"{sample.where}: {error}"
        raise type(error)(text, error.invariant, error.element) from None
    used = np.unique(faces.vertex)
    twins = np.stack([used, used[lowest_at(points[used])]])
    kept = mesh.source_vertices
    every = len(kept) == len(points)
    return mesh, slice(None) if every else kept, twins[:, twins[0] != twins[1]]
