"""The invariants of the five arrays themselves: whether their links agree."""

import numpy as np
from numpy.typing import NDArray

from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh, following

_ADVICE = "build the mesh with from_faces"


def check_links(mesh: WingedEdgeMesh) -> None:
    """Check shapes and ranges, both walks, and that one walk meets each element.

    Raises
    ------
    MeshError
        Under the names "indices in range" and "linked arrays".
    """
    _check_ranges(mesh)
    _check_starts(mesh)
    _check_steps(mesh)
    for rings, kind in ((mesh._face_rings, "face"), (mesh._vertex_rings, "vertex")):
        start, half = rings
        seen = np.bincount(half, minlength=2 * mesh.n_edges)
        if (seen != 1).any():
            position = int(np.argmax(seen[half] != 1))
            index = int(np.searchsorted(start, position, side="right")) - 1
            raise MeshError(
                f"the walk around {kind} {index} misses some of its edges; {_ADVICE}",
                "linked arrays",
                Feature(kind, index),
            )


def _check_ranges(mesh: WingedEdgeMesh) -> None:
    v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
    wanted = {
        "points": ((v, 3), 0, ""),
        "edge_vertices": ((e, 2), v, "edge"),
        "edge_faces": ((e, 2), f, "edge"),
        "edge_wings": ((e, 2, 2), e, "edge"),
        "vertex_edge": ((v,), e, "vertex"),
        "face_edge": ((f,), e, "face"),
    }
    for name, (shape, bound, kind) in wanted.items():
        array: NDArray[np.int32] = getattr(mesh, name)
        if array.shape != shape:
            raise MeshError(
                f"{name} has shape {array.shape}, it must be {shape}; {_ADVICE}",
                "linked arrays",
            )
        wrong = ((array < 0) | (array >= bound)).reshape(len(array), -1)
        if kind and np.any(wrong):
            row = int(np.argmax(np.any(wrong, axis=1)))
            raise MeshError(
                f"{name}[{row}] is {array[row].tolist()}, beyond 0 to {bound - 1}; "
                f"{_ADVICE}",
                "indices in range",
                Feature(kind, row),
            )


def _check_starts(mesh: WingedEdgeMesh) -> None:
    same = mesh.edge_vertices[:, 0] == mesh.edge_vertices[:, 1]
    same |= mesh.edge_faces[:, 0] == mesh.edge_faces[:, 1]
    if same.any():
        row = int(np.argmax(same))
        raise MeshError(
            f"edge {row} joins something to itself; {_ADVICE}",
            "linked arrays",
            Feature("edge", row),
        )
    for kind, first, pairs in (
        ("vertex", mesh.vertex_edge, mesh.edge_vertices),
        ("face", mesh.face_edge, mesh.edge_faces),
    ):
        away = (pairs[first] != np.arange(len(first))[:, None]).all(axis=1)
        if away.any():
            row = int(np.argmax(away))
            raise MeshError(
                f"{kind}_edge[{row}] is edge {first[row]}, which is not at {kind} "
                f"{row}; {_ADVICE}",
                "linked arrays",
                Feature(kind, row),
            )


def _check_steps(mesh: WingedEdgeMesh) -> None:
    """Check that every half-edge is followed along its face by the right one."""
    ahead, back = following(mesh, 1), following(mesh, 0)
    half = np.arange(2 * mesh.n_edges)
    start, face = mesh.edge_vertices.ravel(), mesh.edge_faces.ravel()
    broken = (face[ahead] != face) | (start[ahead] != start[half ^ 1])
    broken |= (face[back] != face) | (back[ahead] != half)
    if broken.any():
        h = int(np.argmax(broken))
        e = h >> 1
        raise MeshError(
            f"edge_wings[{e}] is {mesh.edge_wings[e].tolist()}, which does not go on "
            f"around face {face[h]} from vertex {start[h ^ 1]}; {_ADVICE}",
            "linked arrays",
            Feature("edge", e),
        )
