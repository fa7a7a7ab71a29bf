"""From a mesh to pyvista, polygons and numbering kept."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.gl import require_pyvista
from wingedge import WingedEdgeMesh

if TYPE_CHECKING:
    import pyvista


def to_polydata(
    mesh: WingedEdgeMesh, points: ArrayLike | None = None
) -> "pyvista.PolyData":
    """Turn a mesh into a ``pyvista.PolyData`` with the same vertex and face numbers.

    Parameters
    ----------
    mesh : WingedEdgeMesh
        The topology.
    points : (V, 3) array_like, optional
        Positions to show instead of ``mesh.points``, in any frame.

    Returns
    -------
    pyvista.PolyData
        Polygons as they are, cell f is face f; the arrays are copies. The way back is
        ``wingedge.from_polydata``.

    Raises
    ------
    ValueError
        If ``points`` has another shape than (V, 3).
    ImportError
        If pyvista is not installed; says how to install it.
    """
    pv = require_pyvista()
    positions = np.array(mesh.points if points is None else points, dtype=np.float64)
    if positions.shape != mesh.points.shape:
        raise ValueError(
            f"points have shape {positions.shape}; this mesh needs {mesh.points.shape}"
        )
    data: pyvista.PolyData = pv.PolyData(positions, faces=padded_faces(mesh))
    return data


def padded_faces(mesh: WingedEdgeMesh) -> NDArray[np.int64]:
    """List every face as its number of corners and then the corners, (F + 2E,)."""
    start, vertex = mesh.corners
    count = np.diff(start)
    return np.insert(vertex.astype(np.int64), start[:-1], count)
