"""Read meshes from files, whole or in pieces, or from objects with points and faces."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.build import TOPOLOGY, Faces, Polygons, as_polygons, wing
from wingedge.check import check_positions, cut
from wingedge.errors import MeshError
from wingedge.io import gltf, parsing
from wingedge.io.parsing import ParsedMesh
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import (
    LARGEST,
    as_points,
    check_finite,
    extent,
    is_single,
    lowest_at,
    single_rounding,
)
from wingedge.tables import connected, first_alike, numbered, ranges, starts

_PARSERS: dict[str, Callable[[bytes, Path], ParsedMesh]] = {
    ".obj": lambda data, _: parsing.parse_obj(data),
    ".off": lambda data, _: parsing.parse_off(data),
    ".stl": lambda data, _: parsing.parse_stl(data),
    ".ply": lambda data, _: parsing.parse_ply(data),
    ".glb": lambda data, path: gltf.Gltf(data, path).at_rest(),
    ".gltf": lambda data, path: gltf.Gltf(data, path).at_rest(),
}
CROWD = 100  # neighbours of a vertex within a weld, on average, and no more


def read(
    path: str | PathLike[str],
    weld: float | None = None,
    convex: bool = False,
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
) -> WingedEdgeMesh:
    """Read a closed body from an OBJ, OFF, STL, PLY, glTF or GLB file.

    Raises MeshError if the file is no mesh, or the mesh breaks an invariant: one
    sentence that names the file, the element and what to do; ConvexityError if it is
    asked to be convex and is not; OSError if the file is missing or may not be read.

    Returns: vertices at exactly the same place are welded, in order of first
    appearance: ``source_vertices`` (V,) are their numbers in the file. Those that no
    face has are left out. OBJ, OFF and PLY keep polygons; of those that are not convex
    ``source_faces`` (F,) are the numbers in the file, since they are cut into
    triangles, in their best plane where they are bent. Rest positions in the file's
    unit, of glTF as the nodes of its scene and targets place them. ``parts`` are named
    by groups of OBJ, or materials; by materials of glTF, or nodes.

    Cost: O(file size); OBJ and OFF one to two seconds per 10 MB.

    Parameters
    ----------
    path : path
        The format follows from the suffix.
    weld : float, optional
        Vertices within this length are one, the first of them, and so on from one to
        the next; what then has no area is left out. Where a file is open and a weld of
        1e-6 of its size closes it, the error says so.
    triangulate : bool
        Split all polygons into triangles, not only those that are not convex.
    planar_tolerance : float
        How far corners may leave the plane of their polygon, relative to the size;
        larger than in `WingedEdgeMesh.from_faces`, as files round to six digits or so.
        It is the fan from its first corner: every answer is exact for that surface.
    convex : bool
        Whether to make the body convex where the rounding of the file alone dents it,
        as single precision does in STL: vertices move by four roundings at most, into
        the planes of faces that are dented, and keep their numbers; else it warns of
        them.  Cost: milliseconds for a box, seconds at 1000 vertices mostly dented.
    """
    from wingedge.snapping import as_read  # here: it needs scipy

    path = Path(path)
    file = parsed(path)
    options: Any = {"triangulate": triangulate, "planar_tolerance": planar_tolerance}
    try:
        mesh = welded(file, weld, **options)
        return as_read(mesh, path, convex=convex)
    except MeshError as error:
        hint = ""
        if error.invariant == "one component" or len(file.names) > 1:
            hint = " (wingedge.read_pieces reads the bodies of a file apart)"
        raise error.reworded(f"{path}: {error}{hint}") from None


def parsed(path: Path) -> ParsedMesh:
    """Return points and faces as a file of any of the formats holds them, unchecked.

    Raises MeshError if the file is no mesh, OSError if it may not be read; names it.
    """
    parsing.check_file(path)
    parse = _PARSERS.get(path.suffix.lower())
    if parse is None:
        known = ", ".join(suffix[1:].upper() for suffix in _PARSERS)
        raise MeshError(
            f"{path}: the suffix {path.suffix!r} names no format that can be read; "
            f"convert the file to one of {known}"
        )
    data = parsing.bytes_of(path).removeprefix(b"\xef\xbb\xbf")  # a byte order mark
    with parsing.one_sentence(path):
        return parse(data, path)


def from_polydata(
    polydata: Any, *, triangulate: bool = False, planar_tolerance: float = 1e-6
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
    part = getattr(polydata, "cell_data", {}).get("part")
    surface = _surface(points, split_row(row))._replace(part=part)
    return welded(surface, triangulate=triangulate, planar_tolerance=planar_tolerance)


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
        return welded(_surface(surface.vertices, surface.faces))
    if hasattr(surface, "points") and hasattr(surface, "faces"):
        return from_polydata(surface)
    raise TypeError(
        f"{what} needs a WingedEdgeMesh, got {type(surface).__name__}; build one with "
        f"WingedEdgeMesh.from_faces, wingedge.read or wingedge.shapes, or give "
        f"something with vertices and faces"
    )


def _surface(points: ArrayLike, faces: Faces) -> ParsedMesh:
    """Take the points and faces that an object holds."""
    checked = as_points(points)
    polygons = as_polygons(faces, len(checked))
    return ParsedMesh(checked, polygons, single=is_single(points))


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


def welded(
    file: ParsedMesh,
    weld: float | None = None,
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
) -> WingedEdgeMesh:
    """Build a mesh after merging vertices at the same place, or within ``weld``.

    Vertices that no face has are left out. Polygons that are not convex are cut into
    triangles.
    """
    points, polygons = file.points, file.faces
    check_finite(_of_faces(points, polygons))
    number = np.arange(len(polygons.start) - 1) if file.number is None else file.number
    corner, stays = _made_one(points, polygons, weld)
    used, corner = np.unique(corner[stays], return_inverse=True)
    count = np.bincount(polygons.face[stays], minlength=len(number))
    there = (count > 0) | (np.diff(polygons.start) == 0)
    number, start = number[there], starts(count[there])
    try:
        arrays = wing(points[used], Polygons(len(used), start, corner.ravel()))
        mesh = WingedEdgeMesh(*arrays, planar_tolerance=planar_tolerance)
        mesh = cut(mesh, everything=triangulate)
        number = number[mesh.source_faces]
        mesh = parsing.labelled(mesh, file.part, number)
        check_positions(mesh, mesh.points)
    except MeshError as error:
        hint = _remedy(points, polygons, error) if weld is None else ""
        raise _in_numbers_of_file(error, number, hint) from None
    kept, source = used.astype(np.int32), number.astype(np.int32)
    known = single_rounding(mesh.points) if file.single else 0.0
    return replace(mesh, source_vertices=kept, source_faces=source, resolution=known)


def _of_faces(points: NDArray[np.float64], polygons: Polygons) -> NDArray[np.float64]:
    """Return the points, 0 for those that no face has."""
    kept = np.zeros_like(points)
    kept[polygons.vertex] = points[polygons.vertex]
    return kept


def _made_one(
    points: NDArray[np.float64], polygons: Polygons, weld: float | None
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Find the lowest vertex at the place of every corner, or within ``weld``, (C,).

    Also which corners stay, (C,): within a weld faces may lose them, or their area.
    """
    used, corner = np.unique(polygons.vertex, return_inverse=True)
    lowest = lowest_at(points[used])
    if weld is None:
        return used[lowest][corner.ravel()], np.full(corner.size, True)
    if not 0.0 <= weld < np.inf:
        raise ValueError(f"weld={weld!r} must be a length, 0 or more and finite")
    check_finite(_of_faces(points, polygons))
    from scipy.spatial import cKDTree

    kept = np.flatnonzero(lowest == np.arange(len(used)))
    tree = cKDTree(points[used[kept]].clip(-LARGEST, LARGEST))  # larger are refused
    if tree.count_neighbors(tree, weld) > CROWD * len(kept):
        raise MeshError(f"weld={weld:g} makes most vertices one; give a shorter length")
    part = connected(len(kept), *tree.query_pairs(weld, output_type="ndarray").T)
    lowest = kept[first_alike(part)][np.searchsorted(kept, lowest)]
    vertex = used[lowest][corner.ravel()]
    apart = vertex != vertex[polygons.next]
    return vertex, apart & (np.bincount(polygons.face, apart) > 2)[polygons.face]


def _remedy(points: NDArray[np.float64], faces: Polygons, error: MeshError) -> str:
    """Say with which ``weld`` a surface is closed that is open as it stands."""
    if error.invariant not in TOPOLOGY or not len(faces.vertex):
        return ""
    length = 1e-6 * extent(points[faces.vertex]).size
    try:
        welded(ParsedMesh(points, faces), length, planar_tolerance=np.inf)
    except MeshError as other:
        if other.invariant != "one component" or other.invariant == error.invariant:
            return ""
    return f"; wingedge.read(path, weld={length:.3g}) closes it"


def split(file: ParsedMesh, weld: float | None = None) -> list[ParsedMesh]:
    """Split faces into pieces, each with all points and one name, "" if it has several.

    A piece is what hangs together by edges of two faces. A named group that is closed
    by itself is split from what it touches; all that is open is one piece.
    """
    whole = file.faces
    corner, stays = _made_one(file.points, whole, weld)
    tail, tip = corner[stays], corner[whole.next][stays]
    face, count = whole.face[stays], np.diff(whole.start)
    n = len(file.points)
    side, _ = numbered(np.minimum(tail, tip) * n + np.maximum(tail, tip))

    def uses(label: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        edge, _ = numbered(label[face] * len(side) + side)
        return edge, np.bincount(edge)[edge]

    def with_open_as_one(label: NDArray[np.int64]) -> NDArray[np.int64]:
        torn = np.unique(label[face[uses(label)[1] != 2]])
        return np.where(np.isin(label, torn), torn.min(initial=len(label)), label)

    group = np.zeros(len(count), np.int64) if file.group is None else file.group
    edge, times = uses(with_open_as_one(group))
    twice = np.flatnonzero(times == 2)
    one, two = face[twice[np.argsort(edge[twice], kind="stable")]].reshape(-1, 2).T
    label = with_open_as_one(connected(len(count), one, two))
    label[np.bincount(face, minlength=len(count)) == 0] = -1
    label[label >= 0], _ = numbered(label[label >= 0])
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(label.max(initial=-1) + 2))
    pieces = []
    for ids in np.split(order, bounds)[1:-1]:
        names = {file.names[k] for k in np.unique(group[ids]).tolist()}
        name = names.pop() if len(names) == 1 else ""
        corners = whole.vertex[ranges(whole.start[ids], count[ids])]
        faces = Polygons(n, starts(count[ids]), corners)
        pieces.append(file._replace(faces=faces, names=(name,), number=ids))
    return pieces


def _in_numbers_of_file(
    error: MeshError, source: NDArray[np.integer], hint: str
) -> MeshError:
    """Name faces by the numbers that they had in the file."""
    said = re.sub(
        r"\bfaces?,? \d+(?:(?:, | and )\d+)*",
        lambda some: re.sub(r"\d+", lambda f: str(source[int(f[0])]), some[0]),
        str(error),
    )
    element = error.element
    if element is not None and element.kind == "face":
        element = element._replace(index=int(source[element.index]))
    return error.reworded(said + hint, element)


AnyPath = str | PathLike[str]


def read_pieces(
    path: AnyPath | Iterable[AnyPath],
    weld: float | None = None,
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
) -> list[WingedEdgeMesh]:
    """Read the closed pieces of a body, from one file or from a file each.

    Raises MeshError if a piece is no closed mesh: names the file, the piece, the
    element and what to do; OSError if a file is missing or may not be read.

    Returns: in the order of the file, or of the paths. ``source_vertices`` and
    ``source_faces`` are numbers in the file that the piece comes from, counted over all
    of its pieces. They need not be convex, and may overlap or leave gaps: nothing is
    checked between them.

    Parameters
    ----------
    path : path, or iterable of paths
        Files of any format that `wingedge.read` knows. A piece is a shell, and an OBJ
        object or group or a glTF node that is closed by itself, also where it touches
        others, as V-HACD and CoACD write them.
    weld, triangulate, planar_tolerance
        As for `read`.
    """
    options: Any = {"triangulate": triangulate, "planar_tolerance": planar_tolerance}
    if not isinstance(path, str | PathLike):
        return [piece for one in path for piece in read_pieces(one, weld, **options)]
    file = Path(fspath(path))
    where, pieces = "", []
    whole = parsed(file)
    try:
        for k, piece in enumerate(split(whole, weld)):
            where = f"piece {k} ('{piece.names[0][:40]}'): "
            pieces.append(welded(piece, weld, **options))
    except MeshError as error:
        raise error.reworded(f"{file}: {where}{error}") from None
    return pieces
