"""Edits that put something more on the surface and leave it where it is."""

from collections.abc import Sequence

import numpy as np

from wingedge.edits.draft import Draft, Edit
from wingedge.edits.judging import MANIFOLD, element, listed, same_surface
from wingedge.edits.maps import EDGE, FACE
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh


def split_edge(mesh: WingedEdgeMesh, edge: int, t: float = 0.5) -> Edit:
    """Put a vertex on an edge, at ``(1 - t) tail + t tip``.

    The edge keeps its number between its tail and the new vertex V; edge E goes on to
    its tip. Both faces get one corner more. A face keeps its first corner, unless it
    is a triangle that would begin with three corners on a line: that one begins at the
    new vertex. So the surface stays the same, even where polygons leave their plane.

    Raises
    ------
    MeshError
        If the new vertex would lie at an end of the edge, to rounding.
    ValueError
        If t is not between 0 and 1.
    IndexError
        If there is no such edge.
    """
    e = element(edge, "edge", mesh.n_edges)
    t = float(t)
    if not 0.0 < t < 1.0:
        raise ValueError(f"t={t!r} must lie between 0 and 1, both excluded")
    draft = Draft(mesh)
    tail, tip = draft.ends(e)
    v = draft.add_vertex(((tail, 1.0 - t), (tip, t)))
    draft.set_ends(e, tail, v)
    k = draft.add_edge(v, tip, (EDGE, e))
    draft.replace(2 * e, (2 * e, 2 * k))
    draft.replace(2 * e + 1, (2 * k + 1, 2 * e + 1))
    for f in mesh.edge_faces[e].tolist():
        ring = draft.ring(f)
        first = [draft.corner(half) for half in (ring[0], ring[1], ring[-1])]
        if len(ring) == 4 and v in first[1:]:
            at = 1 if first[1] == v else 3
            draft.set_ring(f, ring[at:] + ring[:at])
    trouble = f"edge {e} cannot be split at t={t:g}"
    return same_surface(draft, trouble, "choose t farther from 0 and 1")


def split_face(mesh: WingedEdgeMesh, face: int, u: int, v: int) -> Edit:
    """Cut a face along the diagonal between two of its corners, vertices u and v.

    The part with the face's first corner keeps the number, the other one is face F;
    edge E between them runs from u or v, whichever comes first in the face, to the
    other. The surface stays the same where the face is plane, or where the diagonal
    leaves its first corner.

    Raises
    ------
    MeshError
        If u or v is no corner of the face, they are joined by an edge already, or a
        part would have no area.
    IndexError
        If there is no such face.
    """
    f = element(face, "face", mesh.n_faces)
    draft = Draft(mesh)
    ring = draft.ring(f)
    corners = [draft.corner(half) for half in ring]
    for vertex in (u, v):
        if vertex not in corners:
            raise MeshError(
                f"vertex {vertex} is no corner of face {f}; choose two of "
                f"{listed(corners)}",
                "",
                Feature("face", f),
            )
    i, j = sorted((corners.index(u), corners.index(v)))
    if i == j or corners[j] in mesh.vertex_vertices(corners[i]):
        same = "are the same" if i == j else "are joined by an edge already"
        raise MeshError(
            f"face {f} cannot be split: vertices {u} and {v} {same}; choose two "
            "corners that are not neighbours",
            MANIFOLD,
            Feature("face", f),
        )
    k = draft.add_edge(corners[i], corners[j], (FACE, f))
    draft.set_ring(f, [*ring[:i], 2 * k, *ring[j:]])
    draft.add_face([*ring[i:j], 2 * k + 1], f)
    trouble = f"face {f} cannot be split from vertex {u} to {v}"
    return same_surface(draft, trouble, "choose two corners not on one side")


def poke_face(
    mesh: WingedEdgeMesh, face: int, weights: Sequence[float] | None = None
) -> Edit:
    """Put a vertex inside a face and join it to every corner.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    face : int
    weights : (k,) numbers above 0, optional
        Where: the mean of the k corners by these weights; the mean of all if left out.

    Returns
    -------
    Edit
        With vertex V, edges E to E + k - 1 from the corners to it, in their order, and
        one triangle per side: the first keeps the number, then F to F + k - 2.

    Raises
    ------
    MeshError
        If a triangle would have no area.
    ValueError
        If the weights are not one positive number per corner.
    IndexError
        If there is no such face.
    """
    f = element(face, "face", mesh.n_faces)
    draft = Draft(mesh)
    ring = draft.ring(f)
    n = len(ring)
    given = [1.0] * n if weights is None else [float(w) for w in weights]
    if len(given) != n or not all(0.0 < w < np.inf for w in given):
        raise ValueError(
            f"weights={weights!r} must be {n} positive numbers, one per corner of face "
            f"{f}"
        )
    total = sum(given)
    corners = [draft.corner(half) for half in ring]
    shares = [w / total for w in given]
    v = draft.add_vertex(list(zip(corners, shares, strict=True)))
    spokes = [draft.add_edge(corner, v, (FACE, f)) for corner in corners]
    for k in range(n):
        triangle = [ring[k], 2 * spokes[(k + 1) % n], 2 * spokes[k] + 1]
        if k == 0:
            draft.set_ring(f, triangle)
        else:
            draft.add_face(triangle, f)
    advice = "choose weights that are less different"
    return same_surface(draft, f"face {f} cannot be poked there", advice)
