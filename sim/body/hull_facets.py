"""Names of features in an answer; lids, which have no number in a mesh, among them."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wingedge import Feature

if TYPE_CHECKING:
    from sim.contact import PairState

KINDS = ("vertex", "edge", "face")
Hulls = tuple[NDArray[np.int32] | None, NDArray[np.int32] | None]
"""The triangles of the hulls of A and B, in the vertices of the body; None: no hull."""


def named(state: "PairState", side: int, dimension: int, number: int) -> Feature:
    """Name a feature of A (side 0) or B; a number beyond those of the mesh is a lid.

    After the edges come the half-edges of the hull's triangles, after the faces the
    triangles.  A state that was read from a file asks its body, which is where it was
    in that frame.
    """
    if dimension > 0:
        mesh = (state.mesh_a, state.mesh_b)[side]
        beyond = number - (mesh.n_edges if dimension == 1 else mesh.n_faces)
        faces = hull_of(state, side) if beyond >= 0 else None
        if faces is not None:
            k, s = divmod(beyond, 3) if dimension == 1 else (beyond, 0)
            corners = faces[k].tolist()
            ends = sorted((corners[s], corners[(s + 1) % 3]))
            return Feature.lid(ends if dimension == 1 else corners)
    return Feature(KINDS[dimension], number)


def hull_of(state: "PairState", side: int) -> NDArray[np.int32] | None:
    """Return the triangles of the hull that a body stands for, if it does."""
    faces = state.hulls[side]
    body = (state.a, state.b)[side]
    if faces is None and getattr(body, "convexity", "") == "hull":
        faces = body.cover().faces
    return faces
