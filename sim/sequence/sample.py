"""What a reader of files gives, which reader is for which file; parts of one mesh."""

import json
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Several
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from sim.arguments import check_points
from sim.body.pose import Pose
from sim.story.file.inspection import Apart, sentence_of
from wingedge import MeshError, WingedEdgeMesh
from wingedge.build import Polygons, as_polygons
from wingedge.io.parsing import ParsedMesh, check_file
from wingedge.io.reading import welded
from wingedge.positions import lowest_at

GROUP = "wingedge.sequences"  # entry points: modules that register readers of their own


class Sample(NamedTuple):
    """One body in one frame, as a file holds it, unchecked."""

    where: str  # file, and the frame in it
    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons
    time: float | None = None
    pose: Pose | None = None  # where the points are; the identity if left out
    number: NDArray[np.integer] | None = None  # of the faces, where others are too
    single: bool = False  # whether the points are held in single precision
    part: NDArray[Any] | None = None  # (F,) names of parts, "" for none


Samples = dict[str, list[Sample]]  # by name; "" is whatever the file is called
Reader = Callable[[Path], Samples]

# by suffix; the library that it reads by, where that may end the process
_READERS: dict[str, tuple[Reader, str]] = {}
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
        known = f"there are {', '.join(sorted(_READERS))}"
        said = f"the suffix {path.suffix!r} names no format of a sequence"
        raise ValueError(f"{path}: {said}; {known}")
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
    return _READERS.get(suffix, (None, ""))


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
        file = path.parent / str(name)
        if not file.resolve().is_relative_to(path.parent.resolve()):
            said = f"names {str(name)[:80]!r}, which is not in its folder or below"
            raise ValueError(f"{path}: {said}; put all files into one folder")
        if not file.is_file():
            raise FileNotFoundError(f"{path}: its file {file} is missing")
        if file not in seen:
            yield from named_files(file, seen)


PLANAR = "planar faces"  # the invariant that triangles keep


class MovingMesh(NamedTuple):
    """A body over all frames, in which its mesh stays what it is."""

    name: str
    mesh: WingedEdgeMesh  # whose source_vertices are those of the samples' points
    samples: Several[Sample]  # one: at rest


def moving_mesh(name: str, samples: list[Sample]) -> MovingMesh:
    """Build the mesh of a body's first frame, which all others must have too."""
    first = samples[0]
    mesh, twins = mesh_of(first)
    unused = ~np.isin(np.arange(len(first.points)), first.faces.vertex)[:, None]
    for sample in samples:
        same = len(sample.points) == len(first.points)
        same = same and np.array_equal(sample.faces.start, first.faces.start)
        same = same and np.array_equal(sample.faces.vertex, first.faces.vertex)
        if same:
            check_points(sample.where, np.where(unused, 0.0, sample.points))
        if not (same and np.array_equal(*sample.points[twins])):
            other, _ = mesh_of(sample)
            said = f"body {name!r} has another mesh from {sample.where} on"
            now = f"{other.n_vertices} vertices and {other.n_faces} faces"
            now += f" after {mesh.n_vertices} and {mesh.n_faces}; read the frames"
            raise ValueError(f"{said}, {now} of each mesh by themselves")
    return MovingMesh(name, mesh, samples)


def mesh_of(sample: Sample) -> tuple[WingedEdgeMesh, NDArray[np.integer]]:
    """Build a mesh, of triangles where a polygon is warped.

    Also says which of the points that it was made of are at one place, (2, n).
    """
    points = sample.points
    rest: Any = dict(number=sample.number, single=sample.single, part=sample.part)
    try:
        faces = as_polygons(sample.faces, len(points))
        file = ParsedMesh(points, faces, **rest)
        try:
            mesh = welded(file)
        except MeshError as error:
            if error.invariant != PLANAR:
                raise
            mesh = welded(file, triangulate=True)
    except MeshError as error:
        raise error.reworded(f"{sample.where}: {error}") from None
    used = np.unique(faces.vertex)
    twins = np.stack([used, used[lowest_at(points[used])]])
    return mesh, twins[:, twins[0] != twins[1]]
