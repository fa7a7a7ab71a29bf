"""The same surface seen from the other side."""

from weakref import WeakKeyDictionary

import numpy as np

from wingedge.mesh import WingedEdgeMesh

_MIRRORED: WeakKeyDictionary[WingedEdgeMesh, WingedEdgeMesh] = WeakKeyDictionary()


def mirrored(mesh: WingedEdgeMesh) -> WingedEdgeMesh:
    """Return the mesh with every face run the other way; all numbers are kept.

    What is left of an edge is then right of it.  Faces keep their first corners, so
    that the fan of a polygon has the same triangles.  Made once per mesh.  Cost: O(E).
    """
    other = _MIRRORED.get(mesh)
    if other is None:
        other = _MIRRORED[mesh] = _mirror(mesh)
    return other


def _mirror(mesh: WingedEdgeMesh) -> WingedEdgeMesh:
    # the edge that came to the first corner leaves it now
    face = np.arange(mesh.n_faces)
    side = (mesh.edge_faces[mesh.face_edge, 1] == face).astype(np.int32)
    return WingedEdgeMesh(
        points=mesh.points,
        edge_vertices=mesh.edge_vertices,
        edge_faces=mesh.edge_faces[:, ::-1],
        edge_wings=mesh.edge_wings[:, :, ::-1],
        vertex_edge=mesh.vertex_edge,
        face_edge=mesh.edge_wings[mesh.face_edge, side, side],
        source_vertices=mesh.source_vertices,
        planar_tolerance=mesh.planar_tolerance,
    )
