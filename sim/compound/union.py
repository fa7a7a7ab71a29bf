"""Several meshes side by side as one: their numbers run on through the pieces."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge import WingedEdgeMesh

Float = np.float64


class Starts(NamedTuple):
    """Where the numbers of every piece begin, (P + 1,) each; the last are totals."""

    vertex: NDArray[np.intp]
    edge: NDArray[np.intp]
    face: NDArray[np.intp]


def starts_of(pieces: Sequence[WingedEdgeMesh]) -> Starts:
    """Count the vertices, edges and faces of the pieces before each one."""

    def running(counts: list[int]) -> NDArray[np.intp]:
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)

    return Starts(
        running([piece.n_vertices for piece in pieces]),
        running([piece.n_edges for piece in pieces]),
        running([piece.n_faces for piece in pieces]),
    )


def side_by_side(pieces: Sequence[WingedEdgeMesh]) -> WingedEdgeMesh:
    """Put meshes into one, which is not connected and may meet itself.

    A numbering, and something to draw: every walk stays in its own piece.  It is no
    solid, and no tracker is asked for its distance.
    """
    start = starts_of(pieces)
    each = range(len(pieces))

    def joined(name: str, offsets: NDArray[np.intp]) -> NDArray[np.int32]:
        parts = [getattr(pieces[k], name) + offsets[k] for k in each]
        return np.concatenate(parts).astype(np.int32)

    return WingedEdgeMesh(
        np.concatenate([piece.points for piece in pieces]),
        joined("edge_vertices", start.vertex),
        joined("edge_faces", start.face),
        joined("edge_wings", start.edge),
        joined("vertex_edge", start.edge),
        joined("face_edge", start.edge),
    )
