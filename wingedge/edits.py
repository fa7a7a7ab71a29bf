"""Edit the topology: each edit makes a new mesh and maps the elements of the old one.

``mesh, maps = edits.split_edge(mesh, 7)`` leaves the old mesh as it was, and gives an
`Edit`: the new mesh, and maps between old and new numbers. New elements are counted on
from the old ones, and everything else keeps its number. An edited mesh therefore
numbers its edges by their history; built anew with ``from_faces`` the same faces have
the same vertex and face numbers, and edges by first appearance.

Every edit is allowed or refused by the rest positions: the new mesh passes
``wingedge.validate``. Cost: O(V + E) sorts and gathers, a copy; `flip_edge` changes the
shape and checks the whole body, as ``from_faces`` does.

Source: Baumgart (1972), the Euler operators.
"""

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from wingedge import registry as _registry
from wingedge.build import linked, listed
from wingedge.check import check_positions, positions_to_check
from wingedge.errors import MeshError
from wingedge.faces import check_convex_faces, check_planar, check_zero_area
from wingedge.features import Feature
from wingedge.maps import EDGE, FACE, GONE, KINDS, Blend, Maps, Parents, made_frozen
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import check_coincident
from wingedge.tables import next_in_run, ranges, starts

MANIFOLD = "two faces per edge"  # the invariant that most refusals would break


class Edit(NamedTuple):
    """An edited mesh, and which of its elements was which before."""

    mesh: WingedEdgeMesh
    maps: Maps


def split_edge(mesh: WingedEdgeMesh, edge: int, t: float = 0.5) -> Edit:
    """Put a vertex on an edge, at ``(1 - t) tail + t tip``.

    The edge keeps its number between its tail and the new vertex V; edge E goes on to
    its tip. Both faces get one corner more. A face keeps its first corner, unless it
    is a triangle that would begin with three corners on a line: that one begins at the
    new vertex. So the surface stays the same, even where polygons leave their plane.

    Raises MeshError if the new vertex would lie at an end of the edge, to rounding;
    ValueError if t is not between 0 and 1; IndexError if there is no such edge.
    """
    e = element(edge, "edge", mesh.n_edges)
    t = float(t)
    if not 0.0 < t < 1.0:
        raise ValueError(f"t={t!r} must lie between 0 and 1, both excluded")
    draft = Draft(mesh)
    tail, tip = mesh.edge_vertices[e].tolist()
    v = draft.add_vertex({tail: 1.0 - t, tip: t})
    draft.ends[e] = tail, v
    draft.add_edge(v, tip, (EDGE, e))
    for f, begin in zip(mesh.edge_faces[e].tolist(), (tail, tip), strict=True):
        ring = draft.ring(f)
        at = ring.index(begin) + 1
        ring.insert(at, v)
        draft.rings[f] = _from(ring, v if len(ring) == 4 and at % 2 else ring[0])
    trouble = f"edge {e} cannot be split at t={t:g}"
    return finished(draft, trouble, "choose t farther from 0 and 1", same=True)


def split_face(mesh: WingedEdgeMesh, face: int, u: int, v: int) -> Edit:
    """Cut a face along the diagonal between two of its corners, vertices u and v.

    The part with the face's first corner keeps the number, the other one is face F;
    edge E between them runs from u or v, whichever comes first in the face, to the
    other. The surface stays the same where the face is plane, or where the diagonal
    leaves its first corner.

    Raises MeshError if u or v is no corner of the face, they are joined by an edge
    already, or a part would have no area; IndexError if there is no such face.
    """
    f = element(face, "face", mesh.n_faces)
    draft = Draft(mesh)
    corners = draft.ring(f)
    for vertex in (u, v):
        if vertex not in corners:
            said = f"vertex {vertex} is no corner of face {f}"
            advice = f"choose two of {listed(corners)}"
            raise MeshError(f"{said}; {advice}", "", Feature("face", f))
    i, j = sorted((corners.index(u), corners.index(v)))
    if i == j or corners[j] in mesh.vertex_vertices(corners[i]):
        same = "are the same" if i == j else "are joined by an edge already"
        said = f"face {f} cannot be split: vertices {u} and {v} {same}"
        advice = "choose two corners that are not neighbours"
        raise MeshError(f"{said}; {advice}", MANIFOLD, Feature("face", f))
    draft.add_edge(corners[i], corners[j], (FACE, f))
    draft.rings[f] = corners[: i + 1] + corners[j:]
    draft.add_face(corners[i : j + 1], f)
    trouble = f"face {f} cannot be split from vertex {u} to {v}"
    return finished(draft, trouble, "choose two corners not on one side", same=True)


def poke_face(
    mesh: WingedEdgeMesh, face: int, weights: Sequence[float] | None = None
) -> Edit:
    """Put a vertex inside a face and join it to every corner.

    Vertex V is new, edges E to E + k - 1 from the k corners to it, in their order, and
    one triangle per side: the first keeps the number, then F to F + k - 2.

    Raises MeshError if a triangle would have no area; ValueError if the weights are not
    one positive number per corner; IndexError if there is no such face.

    Parameters: ``weights`` (k,): the vertex lies at the mean of the corners by these,
    all above 0; equal ones if left out.
    """
    f = element(face, "face", mesh.n_faces)
    draft = Draft(mesh)
    corners = draft.ring(f)
    n = len(corners)
    given = [1.0] * n if weights is None else [float(w) for w in weights]
    if len(given) != n or not all(0.0 < w < np.inf for w in given):
        raise ValueError(
            f"weights={weights!r} must be {n} positive numbers, one per corner of face "
            f"{f}"
        )
    total = sum(given)
    shares = (w / total for w in given)
    v = draft.add_vertex(dict(zip(corners, shares, strict=True)))
    for corner in corners:
        draft.add_edge(corner, v, (FACE, f))
    draft.rings[f] = [*corners[:2], v]
    for one, two in zip(corners[1:], [*corners[2:], corners[0]], strict=True):
        draft.add_face([one, two, v], f)
    advice = "choose weights that are less different"
    return finished(draft, f"face {f} cannot be poked there", advice, same=True)


def flip_edge(mesh: WingedEdgeMesh, edge: int) -> Edit:
    """Turn the edge between two triangles, so that it joins their other corners.

    The old edge and both triangles are gone; the new ones get their numbers.

    Raises MeshError if a face is no triangle, the other corners are joined already, or
    the turned triangles break an invariant; IndexError if there is no such edge.
    """
    e = element(edge, "edge", mesh.n_edges)
    draft = Draft(mesh)
    left, right = mesh.edge_faces[e].tolist()
    for f in (left, right):
        if len(draft.ring(f)) != 3:
            count = len(draft.ring(f))
            said = f"edge {e} cannot be flipped: face {f} has {count} corners"
            said += "; split it into triangles first"
            raise MeshError(said, "", Feature("face", f))
    tail, tip = mesh.edge_vertices[e].tolist()
    w, x = (_from(draft.ring(f), v)[2] for f, v in ((left, tail), (right, tip)))
    if w in mesh.vertex_vertices(x):
        said = f"edge {e} cannot be flipped: vertices {w} and {x} are joined by an edge"
        said += " already; flip that one first"
        raise MeshError(said, MANIFOLD, Feature("edge", e))
    draft.ends[e], draft.edge_parents[e] = (x, w), (FACE, left)
    low, high = sorted((left, right))
    draft.rings[low], draft.face_parents[low] = [tail, x, w], left
    draft.rings[high], draft.face_parents[high] = [tip, w, x], right
    return finished(draft, f"edge {e} cannot be flipped", "choose another edge")


def _from(ring: list[int], corner: int) -> list[int]:
    """Begin a ring at one of its corners."""
    at = ring.index(corner)
    return ring[at:] + ring[:at]


class Draft:
    """Collect the changes of an edit; everything that is not changed stays as it is.

    ``rings`` are the corners of faces that change or are new, ``ends`` tail and tip of
    such edges, ``shares`` the weights of old vertices in new ones; new elements are
    counted on from the old ones.  What has ``edge_parents`` or ``face_parents`` is born
    of those: one with an old number takes the place of that one, which is gone.
    """

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        self.rings: dict[int, list[int]] = {}
        self.ends: dict[int, tuple[int, int]] = {}
        self.shares: dict[int, dict[int, float]] = {}
        self.edge_parents: dict[int, tuple[int, int]] = {}  # (dimension, number)
        self.face_parents: dict[int, int] = {}

    def ring(self, f: int) -> list[int]:
        """Return the corners of a face as they were."""
        ring: list[int] = self.mesh.face_vertices(f).tolist()
        return ring

    def add_vertex(self, shares: dict[int, float]) -> int:
        """Put a vertex between old ones; return its number."""
        v = self.mesh.n_vertices + len(self.shares)
        self.shares[v] = shares
        return v

    def add_edge(self, tail: int, tip: int, parent: tuple[int, int]) -> None:
        """Add an edge that came from (dimension, number)."""
        e = self.mesh.n_edges + len(self.edge_parents)
        self.ends[e], self.edge_parents[e] = (tail, tip), parent

    def add_face(self, ring: list[int], parent: int) -> None:
        """Add a face."""
        f = self.mesh.n_faces + len(self.face_parents)
        self.rings[f], self.face_parents[f] = ring, parent

    def finish(self) -> Edit:
        """Link everything again, and check nothing; cost: O(E log E)."""
        mesh = self.mesh
        v, e, f, (blend, edge, face) = Maps.identity(mesh)
        start, vertex = _patched(blend.start, blend.vertex, self.shares)
        weights = {v: [*shares.values()] for v, shares in self.shares.items()}
        weight = _patched(blend.start, blend.weight, weights)[1]
        edge, face = _set(edge, self.edge_parents), _set(face, self.face_parents)
        e, f = (
            _set(table, {k: GONE for k in born if k < len(table)})
            for table, born in ((e, self.edge_parents), (f, self.face_parents))
        )
        parents = Parents(Blend(start, vertex, weight), edge, face)
        maps: Maps = made_frozen(Maps(v, e, f, parents))
        start, corner = _patched(*mesh.corners, self.rings)
        ends = _set(mesh.edge_vertices, self.ends)
        n = len(maps.parents.vertex.start)
        key = (ends.astype(np.int64) * n + ends[:, ::-1]).ravel()
        order = np.argsort(key)
        wanted = corner.astype(np.int64) * n + corner[next_in_run(start)]
        half = order[np.searchsorted(key[order], wanted)]
        arrays = linked(maps.carry(mesh.points), ends, start, half)
        kept = mesh.planar_tolerance, mesh.resolution
        made = WingedEdgeMesh(*arrays, planar_tolerance=kept[0], resolution=kept[1])
        return Edit(maps.parted(made, mesh), maps)


def _set(table: Any, rows: Mapping[int, Any]) -> Any:
    """Copy a table with some rows set, or added at its end."""
    size = max([len(table), *(k + 1 for k in rows)])
    made = np.zeros((size, *table.shape[1:]), table.dtype)
    made[: len(table)] = table
    for k, row in rows.items():
        made[k] = row
    return made


def _patched(
    start: Any, values: Any, rows: Mapping[int, Sequence[float] | Mapping[int, float]]
) -> tuple[Any, Any]:
    """Replace some runs of a table, or add them at its end."""
    pieces = [values, *(np.array([*row], values.dtype) for row in rows.values())]
    sizes = starts([len(piece) for piece in pieces])
    first = _set(start[:-1], dict(zip(rows, sizes[1:-1], strict=True)))
    count = _set(np.diff(start), dict(zip(rows, map(len, rows.values()), strict=True)))
    return starts(count), np.concatenate(pieces)[ranges(first, count)]


def finished(draft: Draft, trouble: str, advice: str, *, same: bool = False) -> Edit:
    """Finish an edit and check it: all, or what a new vertex on the ``same`` may break.

    Raises MeshError saying which invariant it would break, in the old numbers.
    """
    edit = draft.finish()
    mesh, maps = edit
    try:
        if not same:
            check_positions(mesh, mesh.points)
            return edit
        surface = positions_to_check(mesh, mesh.points)
        check_coincident(surface.points)
        for check in (check_zero_area, check_convex_faces, check_planar):
            check(surface)
    except MeshError as error:
        where, old, (blend, edge, face) = "", error.element, maps.parents
        if old is not None:
            kind, number = old
            if kind == "vertex":
                old = Feature(kind, int(blend.vertex[blend.start[number]]))
            elif kind == "face":
                old = Feature(kind, int(face[number]))
            else:
                old = Feature(KINDS[edge[number, 0]], int(edge[number, 1]))
            where = f" at {old.kind} {old.index}"
        said = f"{trouble}: that would break {error.invariant!r}{where}; {advice}"
        raise error.reworded(said, old) from None
    return edit


def element(value: int, kind: str, n: int) -> int:
    """Return the number of an element.

    Raises TypeError or IndexError if it is no whole number, or there is no such
    element.
    """
    number = operator.index(value)
    if not 0 <= number < n:
        raise IndexError(f"there is no {kind} {number}; they are numbered 0 to {n - 1}")
    return number


__all__ = [
    "Blend",
    "Edit",
    "Maps",
    "Parents",
    "flip_edge",
    "poke_face",
    "split_edge",
    "split_face",
]
__getattr__, __dir__ = _registry.export(__name__, __all__, {})
