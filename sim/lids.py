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
    mesh = (state.mesh_a, state.mesh_b)[side]
    if dimension == 1 and number >= mesh.n_edges:
        k, s = divmod(number - mesh.n_edges, 3)
        return Feature.lid(sorted(hull_of(state, side)[k, [s, (s + 1) % 3]].tolist()))
    if dimension == 2 and number >= mesh.n_faces:
        return Feature.lid(hull_of(state, side)[number - mesh.n_faces].tolist())
    return Feature(KINDS[dimension], number)


def hull_of(state: "PairState", side: int) -> NDArray[np.int32]:
    """Return the triangles of the hull that stands for a body in an answer."""
    faces = state.hulls[side]
    if faces is None:
        faces = (state.a, state.b)[side].cover().faces
    return faces
