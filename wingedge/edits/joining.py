"""Edits that take something away from the surface, or turn it."""

from wingedge.edits.draft import Draft, Edit
from wingedge.edits.judging import MANIFOLD, element, listed, new_surface
from wingedge.edits.maps import FACE
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh


def collapse_edge(mesh: WingedEdgeMesh, edge: int, onto: int | None = None) -> Edit:
    """Pull one end of an edge onto the other, and the edge goes.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    edge : int
    onto : int, optional
        The end that stays, with its number and its place; the tail if left out.

    Returns
    -------
    Edit
        Without the edge and its other end. A triangle beside it goes too, and of its
        two other sides the one at the end that stays is kept.

    Raises
    ------
    MeshError
        If the result would be no closed surface (link condition), or its faces not
        plane and convex, or the body inside-out or flat; naming the element in the
        numbers of the mesh that was given.
    ValueError
        If ``onto`` is not an end of the edge.
    IndexError
        If there is no such edge.
    """
    e = element(edge, "edge", mesh.n_edges)
    ends = mesh.edge_vertices[e].tolist()
    keep = ends[0] if onto is None else onto
    if keep not in ends:
        raise ValueError(
            f"onto={onto!r} is not an end of edge {e}; choose {listed(ends)}"
        )
    keep = int(keep)
    gone = ends[0] + ends[1] - keep
    _check_link(mesh, e, keep, gone)
    draft = Draft(mesh)
    for k in mesh.vertex_edges(gone).tolist():
        tail, tip = draft.ends(k)
        draft.set_ends(k, *(keep if w == gone else w for w in (tail, tip)))
    draft.replace(2 * e, ())
    draft.replace(2 * e + 1, ())
    draft.remove(vertices=[gone], edges=[e])
    for f in mesh.edge_faces[e].tolist():
        ring = draft.ring(f)
        if len(ring) == 2:
            # two sides of a triangle fall together: the one that moved goes
            stays, goes = sorted(ring, key=lambda half: _touches(mesh, half, gone))
            draft.replace(goes ^ 1, (stays,))
            draft.remove(edges=[goes >> 1], faces=[f])
    trouble = f"edge {e} cannot be collapsed onto vertex {keep}"
    advice = "split the faces around the other end into triangles, or choose another"
    return new_surface(draft, trouble, f"{advice} edge")


def join_faces(mesh: WingedEdgeMesh, edge: int) -> Edit:
    """Take an edge away, so that its two faces become one; they must be level.

    The face of the lower number keeps it and its first corner; the other one goes, and
    is called by that number in the maps.

    Raises
    ------
    MeshError
        If the faces share more than the edge, or one face would not be plane and
        convex.
    IndexError
        If there is no such edge.
    """
    e = element(edge, "edge", mesh.n_edges)
    left, right = mesh.edge_faces[e].tolist()
    half = 2 * e if left < right else 2 * e + 1  # the one along the face that stays
    stays, goes = min(left, right), max(left, right)
    _check_shared(mesh, e, stays, goes)
    draft = Draft(mesh)
    draft.replace(half, _from(draft.ring(goes), half ^ 1)[1:])
    draft.remove(edges=[e])
    draft.join_face(goes, stays)
    trouble = f"faces {stays} and {goes} cannot be joined"
    advice = "only faces of one plane that make a convex polygon can be one"
    return new_surface(draft, trouble, advice)


def flip_edge(mesh: WingedEdgeMesh, edge: int) -> Edit:
    """Turn the edge between two triangles, so that it joins their other corners.

    The old edge and both triangles are gone; the new ones get their numbers.

    Raises
    ------
    MeshError
        If a face is no triangle, the other corners are joined already, or the turned
        triangles break an invariant.
    IndexError
        If there is no such edge.
    """
    e = element(edge, "edge", mesh.n_edges)
    draft = Draft(mesh)
    left, right = mesh.edge_faces[e].tolist()
    for f in (left, right):
        if len(draft.ring(f)) != 3:
            raise MeshError(
                f"edge {e} cannot be flipped: face {f} has {len(draft.ring(f))} "
                "corners; split it into triangles first",
                "",
                Feature("face", f),
            )
    _, up, down = _from(draft.ring(left), 2 * e)
    _, back, forth = _from(draft.ring(right), 2 * e + 1)
    w, x = draft.corner(down), draft.corner(forth)
    if w in mesh.vertex_vertices(x):
        raise MeshError(
            f"edge {e} cannot be flipped: vertices {w} and {x} are joined by an edge "
            "already; flip or collapse that one first",
            MANIFOLD,
            Feature("edge", e),
        )
    k = draft.add_edge(x, w, (FACE, left))
    draft.add_face([back, 2 * k, down], left)
    draft.add_face([up, 2 * k + 1, forth], right)
    draft.remove(edges=[e], faces=[left, right])
    return new_surface(draft, f"edge {e} cannot be flipped", "choose another edge")


def _check_link(mesh: WingedEdgeMesh, e: int, keep: int, gone: int) -> None:
    """Refuse a collapse that leaves no closed surface, naming what is in the way."""
    beside = mesh.edge_faces[e].tolist()
    triangles = [f for f in beside if len(mesh.face_edges(f)) == 3]
    tops = [w for f in triangles for w in mesh.face_vertices(f).tolist()]
    tops = [w for w in tops if w not in (keep, gone)]
    shared = {*mesh.vertex_vertices(keep).tolist()}
    shared &= {*mesh.vertex_vertices(gone).tolist()}
    text = f"edge {e} cannot be collapsed: "
    for w in sorted(shared.difference(tops)):
        raise MeshError(
            f"{text}vertex {w} is joined to both ends, {keep} and {gone}, but not by a "
            f"triangle at the edge; split the edges between them first",
            MANIFOLD,
            Feature("vertex", w),
        )
    both = {*mesh.vertex_faces(keep).tolist()} & {*mesh.vertex_faces(gone).tolist()}
    for f in sorted(both.difference(beside)):
        raise MeshError(
            f"{text}face {f} passes both ends, {keep} and {gone}, elsewhere; split "
            "that face between them first",
            "no repeated vertex in a face",
            Feature("face", f),
        )
    if len(set(tops)) < len(tops) or mesh.n_faces - len(triangles) < 4:
        raise MeshError(
            f"{text}too little would be left for a body with a volume; split other "
            "faces first",
            "positive volume",
            Feature("edge", e),
        )


def _check_shared(mesh: WingedEdgeMesh, e: int, one: int, other: int) -> None:
    """Refuse to join faces that share more than one edge."""
    ends = mesh.edge_vertices[e].tolist()
    shared = {*mesh.face_vertices(one).tolist()} & {*mesh.face_vertices(other).tolist()}
    for w in sorted(shared.difference(ends)):
        raise MeshError(
            f"faces {one} and {other} cannot be joined: beside edge {e} they share "
            f"vertex {w}; collapse an edge at it first",
            "no repeated vertex in a face",
            Feature("vertex", w),
        )


def _touches(mesh: WingedEdgeMesh, half: int, vertex: int) -> bool:
    return vertex in mesh.edge_vertices[half >> 1]


def _from(ring: list[int], half: int) -> list[int]:
    """Begin a ring at one of its half-edges."""
    at = ring.index(half)
    return ring[at:] + ring[:at]
