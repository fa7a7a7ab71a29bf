"""Read meshes from files and from other libraries' objects, and write them to files."""

import os
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.errors import MeshError
from wingedge.geometry import face_normals, positions_of
from wingedge.io.reading import from_polydata, read, read_pieces
from wingedge.mesh import WingedEdgeMesh

Positions = NDArray[np.float64]


def write(
    mesh: WingedEdgeMesh, path: str | PathLike[str], points: ArrayLike | None = None
) -> None:
    """Write a mesh as OBJ, OFF, STL or PLY, by the suffix of the path.

    Raises MeshError if the suffix names no format, or STL's single precision cannot
    hold a coordinate; OSError if the folder is missing or may not be written;
    ValueError or TypeError if ``points`` is not a finite (V, 3) array.

    OBJ, OFF and PLY are text with all digits and keep polygons: reading OBJ or OFF
    back gives the same bits. STL holds triangles in single precision. OBJ alone holds
    named parts, as groups.

    Parameters: ``path``: replaced in one step when everything is written; on failure
    nothing changes; ``points`` (V, 3): current positions to write instead of the rest
    positions, body frame.
    """
    if not hasattr(mesh, "corners"):
        said = "write(mesh, path, points): of a body give its mesh and its points"
        raise TypeError(f"a {type(mesh).__name__} is no mesh; {said}")
    path = Path(path)
    make = _WRITERS.get(path.suffix.lower())
    if make is None:
        known = ", ".join(suffix[1:].upper() for suffix in _WRITERS)
        raise MeshError(
            f"{path}: the suffix {path.suffix!r} names no format that can be written; "
            f"use one of {known}"
        )
    try:
        data = make(mesh, positions_of(mesh, points, any_size=True))
    except MeshError as error:
        raise error.reworded(f"{path}: {error}") from None
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no such folder; create it first")
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        aside.write_bytes(data)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _faces(mesh: WingedEdgeMesh) -> Iterator[list[int]]:
    start, vertex = mesh.corners.start.tolist(), mesh.corners.vertex.tolist()
    return (vertex[start[f] : start[f + 1]] for f in range(mesh.n_faces))


def _rows(points: Positions) -> Iterator[str]:
    return (f"{x!r} {y!r} {z!r}" for x, y, z in points.tolist())


def _obj(mesh: WingedEdgeMesh, points: Positions) -> bytes:
    lines, last = [f"v {row}" for row in _rows(points)], ""
    for name in mesh.part_names:
        if name != " ".join(name.split()) or "#" in name or name.endswith("\\"):
            raise MeshError(f"part {name!r} has a name that OBJ cannot hold; rename it")
    part = mesh.face_part.tolist() or [-1] * mesh.n_faces
    for face, k in zip(_faces(mesh), part, strict=True):
        name = mesh.part_names[k] if k >= 0 else ""
        lines += [f"g {name}".strip()] * (name != last)
        lines.append(f"f {' '.join(str(v + 1) for v in face)}")
        last = name
    return _text(lines)


def _counted(mesh: WingedEdgeMesh, points: Positions) -> Iterator[str]:
    yield from _rows(points)
    for face in _faces(mesh):
        yield f"{len(face)} {' '.join(map(str, face))}"


def _off(mesh: WingedEdgeMesh, points: Positions) -> bytes:
    counts = f"{mesh.n_vertices} {mesh.n_faces} {mesh.n_edges}"
    return _text(["OFF", counts, *_counted(mesh, points)])


def _ply(mesh: WingedEdgeMesh, points: Positions) -> bytes:
    size = "uchar" if np.diff(mesh.corners.start).max() < 256 else "int"
    header = [
        "ply",
        "format ascii 1.0",
        f"element vertex {mesh.n_vertices}",
        *(f"property double {axis}" for axis in "xyz"),
        f"element face {mesh.n_faces}",
        f"property list {size} int vertex_indices",
        "end_header",
    ]
    return _text([*header, *_counted(mesh, points)])


def _stl(mesh: WingedEdgeMesh, points: Positions) -> bytes:
    if np.abs(points).max() > np.finfo(np.float32).max:
        raise MeshError(
            "a coordinate is too large for STL's single precision; use OBJ, OFF or PLY"
        )
    record = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")]
    rows = np.zeros(len(mesh.fan.face), dtype=record)
    rows["normal"] = face_normals(mesh, points)[mesh.fan.face]
    rows["corners"] = points[mesh.fan.vertex]
    count = np.array(len(rows), dtype="<u4")
    return b"wingedge".ljust(80) + count.tobytes() + rows.tobytes()


def _text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


_WRITERS: dict[str, Callable[[WingedEdgeMesh, Positions], bytes]] = {
    ".obj": _obj,
    ".off": _off,
    ".stl": _stl,
    ".ply": _ply,
}


__all__ = ["from_polydata", "read", "read_pieces", "write"]
