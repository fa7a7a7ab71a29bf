"""Read meshes from files, whole or in pieces, or from objects with points and faces."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.build import Faces, Polygons, as_polygons
from wingedge.errors import MeshError
from wingedge.io import parsing
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import as_points, check_finite, lowest_at
from wingedge.registry import find
from wingedge.tables import numbered

_PARSERS: dict[str, Callable[[bytes], parsing.ParsedMesh]] = {
    ".obj": parsing.parse_obj,
    ".off": parsing.parse_off,
    ".stl": lambda data: parsing.parse_binary(data, "stl"),
    ".ply": lambda data: parsing.parse_binary(data, "ply"),
    ".glb": lambda data: parsing.parse_binary(data, "glb"),
}


class HasPointsAndFaces(Protocol):
    """What `from_polydata` needs of an object; ``pyvista.PolyData`` has it."""

    points: ArrayLike  # (V, 3)
    faces: ArrayLike  # flat: number of corners, corners, number of corners, ...


def read(
    path: str | PathLike[str],
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
    convex: bool = False,
) -> WingedEdgeMesh:
    """Read a closed body from an OBJ, OFF, STL, PLY or GLB file.

    Raises MeshError if the file is no mesh, or the mesh breaks an invariant: one
    sentence that names the file, the element and what to do; ConvexityError if it is
    asked to be convex and is not; OSError if the file is missing or may not be read.

    Returns: vertices at exactly the same place are welded, in order of first
    appearance: ``source_vertices`` (V,) are their numbers in the file. OBJ and OFF keep
    polygons and numbering; STL, PLY and GLB give triangles. Rest positions in the
    file's unit, GLB with the node's transform applied.

    Cost: O(file size); OBJ and OFF half a second per 10 MB.

    Parameters
    ----------
    path : path
        The format follows from the suffix.
    triangulate : bool
        Split polygons into the fans from their first corners.
    planar_tolerance : float
        How far corners may leave the plane of their polygon, relative to the size.
        Larger than that of `WingedEdgeMesh.from_faces`, because files round their
        coordinates to six digits or so; such a polygon is the fan of triangles from
        its first corner, and every answer is exact for that surface.
    convex : bool
        Whether to make the body convex where the rounding of the file alone dents it,
        as single precision does in STL: vertices move by four roundings at most, into
        the planes of faces that are dented, and keep their numbers.  Cost: milliseconds
        for a box, seconds at 1000 vertices most of whose edges are dented.
    """
    path = Path(path)
    soup = parsed(path)
    try:
        mesh = weld(
            soup.points,
            soup.faces,
            triangulate=triangulate,
            planar_tolerance=planar_tolerance,
        )
        return find("snapped")(mesh) if convex else mesh
    except MeshError as error:
        hint = ""
        if error.invariant and soup.n_objects > 1:
            hint = f" (the file holds {soup.n_objects} objects; give each its own file)"
        text = f"{path}: {error}{hint}"
        raise type(error)(text, error.invariant, error.element) from None


def parsed(path: Path) -> parsing.ParsedMesh:
    """Return points and faces as a file of any of the formats holds them, unchecked.

    Raises MeshError if the file is no mesh, OSError if it may not be read; names it.
    """
    parse = _PARSERS.get(path.suffix.lower())
    if parse is None and not path.is_dir():
        known = ", ".join(suffix[1:].upper() for suffix in _PARSERS)
        raise MeshError(
            f"{path}: the suffix {path.suffix!r} names no format that can be read; "
            f"convert the file to one of {known}"
        )
    data = bytes_of(path)
    assert parse is not None
    try:
        return parse(data)
    except MeshError as error:
        raise MeshError(f"{path}: {error}", error.invariant, error.element) from None


def bytes_of(path: Path) -> bytes:
    """Return what a file holds; raise ``OSError`` or ``MeshError`` saying why not."""
    if path.is_dir():
        raise MeshError(f"{path}: is a folder; give the mesh file in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise type(error)(
            f"{path}: {error.strerror or error}; check that you may read the file"
        ) from None
    if not data.strip():
        raise MeshError(f"{path}: the file is empty; export the mesh again")
    return data


def from_polydata(
    polydata: HasPointsAndFaces,
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
) -> WingedEdgeMesh:
    """Build a mesh from a ``pyvista.PolyData`` or anything with points and faces.

    Raises MeshError naming the broken invariant, the element and what to do; TypeError
    if the object has no points and faces; ValueError if the row of faces does not add
    up.

    Returns a mesh with vertices at exactly the same place welded, as `read` does.

    Parameters
    ----------
    polydata : object
        Its ``points`` are (V, 3) and its ``faces`` one flat row: the number of corners
        of a face, its corners, and so on. Nothing is imported.
    triangulate, planar_tolerance
        As for `read`: such objects often hold single precision.
    """
    try:
        points, row = polydata.points, np.asarray(polydata.faces)
    except AttributeError:
        raise TypeError(
            f"a {type(polydata).__name__} has no points and faces; give a PolyData, "
            "for a volume mesh its extract_surface()"
        ) from None
    return weld(
        as_points(points),
        split_row(row),
        triangulate=triangulate,
        planar_tolerance=planar_tolerance,
    )


def mesh_of(surface: object, what: str = "a body") -> WingedEdgeMesh:
    """Return a mesh as it is, or build one of a surface that somebody else holds.

    Parameters: ``surface``: a WingedEdgeMesh; a pyvista PolyData; a trimesh, or
    anything with ``vertices`` (V, 3) and ``faces``, (F, k) or lists of corners.
    Vertices at exactly the same place are welded, as `read` does.

    Raises TypeError for anything else; MeshError as `from_polydata`.
    """
    if isinstance(surface, WingedEdgeMesh):
        return surface
    if hasattr(surface, "vertices") and hasattr(surface, "faces"):
        points = as_points(surface.vertices)
        return weld(points, surface.faces, triangulate=False, planar_tolerance=1e-6)
    if hasattr(surface, "points") and hasattr(surface, "faces"):
        return from_polydata(surface)
    raise TypeError(
        f"{what} needs a WingedEdgeMesh, got {type(surface).__name__}; build one with "
        f"WingedEdgeMesh.from_faces, wingedge.read or wingedge.shapes, or give "
        f"something with vertices and faces"
    )


def split_row(row: NDArray[np.integer]) -> Faces:
    """Split faces as VTK has them, number of corners, corners, ..., into one each."""
    if row.size and (row.ndim != 1 or row.dtype.kind not in "iu"):
        raise ValueError(
            f"faces are {row.dtype} of shape {row.shape}; give one row of integers: "
            "number of corners, corners, ..."
        )
    each = int(row[0]) + 1 if row.size else 0
    if each > 1 and not len(row) % each and (row[::each] == row[0]).all():
        return row.reshape(-1, each)[:, 1:]
    numbers, faces, at = row.tolist(), [], 0
    while at < len(numbers):
        count = numbers[at]
        if count < 0 or at + 1 + count > len(numbers):
            raise ValueError(
                f"faces[{at}] announces {count} corners, which do not follow; give "
                "number of corners, corners, ..."
            )
        faces.append(numbers[at + 1 : at + 1 + count])
        at += 1 + count
    return faces


def weld(
    points: NDArray[np.float64],
    faces: Faces,
    *,
    triangulate: bool,
    planar_tolerance: float,
    source: NDArray[np.integer] | None = None,
) -> WingedEdgeMesh:
    """Build a mesh after merging vertices at exactly the same place.

    ``source`` says which numbers the points had before; those given if left out.
    """
    polygons = as_polygons(faces, len(points))
    check_finite(points)
    number, kept = numbered(lowest_at(points))
    welded = Polygons(len(kept), polygons.start, number[polygons.vertex])
    mesh = WingedEdgeMesh.from_faces(
        points[kept], welded, triangulate, planar_tolerance=planar_tolerance
    )
    before = kept if source is None else source[kept]
    return replace(mesh, source_vertices=before.astype(np.int32))


AnyPath = str | PathLike[str]


def read_pieces(
    path: AnyPath | Iterable[AnyPath],
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
) -> list[WingedEdgeMesh]:
    """Read the closed pieces of a body, from one file or from a file each.

    Raises MeshError if a piece is no closed mesh: names the file, the piece, the
    element and what to do; OSError if a file is missing or may not be read.

    Returns: in the order of the file, or of the paths. ``source_vertices`` are numbers
    in the file that the piece comes from, counted over all of its pieces. They need not
    be convex, and may overlap or leave gaps: nothing is checked between them.

    Parameters
    ----------
    path : path, or iterable of paths
        One OBJ file whose ``o`` or ``g`` lines begin a piece each, as V-HACD and CoACD
        write them; or files of any format that `wingedge.read` knows, each one piece
        (an OBJ file among them again one or several).
    triangulate, planar_tolerance
        As for `read`.
    """
    options: Any = {"triangulate": triangulate, "planar_tolerance": planar_tolerance}
    if not isinstance(path, str | PathLike):
        return [piece for one in path for piece in read_pieces(one, **options)]
    file = Path(fspath(path))
    if file.suffix.lower() != ".obj":
        return [read(file, **options)]
    try:
        groups = parsing.obj_groups(bytes_of(file))
    except MeshError as error:
        raise MeshError(f"{file}: {error}", error.invariant, error.element) from None
    pieces = []
    for k, (name, soup, used) in enumerate(groups):
        try:
            piece = weld(soup.points, soup.faces, source=used, **options)
        except MeshError as error:
            text = f"{file}: piece {k} ('{name[:40]}'): {error}"
            raise MeshError(text, error.invariant, error.element) from None
        pieces.append(piece)
    return pieces
