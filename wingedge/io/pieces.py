"""Read a body that is given as several closed pieces."""

from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wingedge.errors import MeshError
from wingedge.io.reading import bytes_of, read, weld
from wingedge.io.text import Soup, obj_groups
from wingedge.mesh import WingedEdgeMesh

AnyPath = str | PathLike[str]


def read_pieces(
    path: AnyPath | Iterable[AnyPath],
    *,
    triangulate: bool = False,
    planar_tolerance: float = 1e-6,
) -> list[WingedEdgeMesh]:
    """Read the closed pieces of a body, from one file or from a file each.

    Parameters
    ----------
    path : path, or iterable of paths
        One OBJ file whose ``o`` or ``g`` lines begin a piece each, as V-HACD and CoACD
        write them; or files of any format that `wingedge.read` knows, each one piece
        (an OBJ file among them again one or several).
    triangulate, planar_tolerance
        As for `read`.

    Returns
    -------
    list of WingedEdgeMesh
        In the order of the file, or of the paths. ``source_vertices`` are numbers in
        the file that the piece comes from, counted over all of its pieces. They need
        not be convex, and may overlap or leave gaps: nothing is checked between them.

    Raises
    ------
    MeshError
        If a piece is no closed mesh: names the file, the piece, the element and what
        to do.
    OSError
        If a file is missing or may not be read.
    """
    if not isinstance(path, str | PathLike):
        return [
            piece
            for one in path
            for piece in read_pieces(
                one, triangulate=triangulate, planar_tolerance=planar_tolerance
            )
        ]
    file = Path(fspath(path))
    if file.suffix.lower() != ".obj":
        return [read(file, triangulate=triangulate, planar_tolerance=planar_tolerance)]
    try:
        groups = obj_groups(bytes_of(file))
    except MeshError as error:
        raise MeshError(f"{file}: {error}", error.invariant, error.element) from None
    pieces = []
    for k, (name, soup) in enumerate(groups):
        used, faces = _own_numbers(soup)
        try:
            piece = weld(
                soup.points[used],
                faces,
                triangulate=triangulate,
                planar_tolerance=planar_tolerance,
                source=used,
            )
        except MeshError as error:
            text = f"{file}: piece {k} ('{name[:40]}'): {error}"
            raise MeshError(text, error.invariant, error.element) from None
        pieces.append(piece)
    return pieces


def _own_numbers(soup: Soup) -> tuple[NDArray[np.integer], list[list[int]]]:
    """Give the vertices that the faces use numbers from 0, in the file's order."""
    used = np.unique([v for face in soup.faces for v in face])
    number = {int(v): k for k, v in enumerate(used)}
    return used, [[number[int(v)] for v in face] for face in soup.faces]
