"""Collect the changes of an edit, link the mesh again and check that it may stand."""

import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.build import linked
from wingedge.check import check_positions, positions_to_check
from wingedge.errors import MeshError
from wingedge.faces import check_convex_faces, check_planar, check_zero_area
from wingedge.features import Feature
from wingedge.maps import GONE, KINDS, Blend, Maps, Parents
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import check_coincident
from wingedge.tables import ranges, starts

Ints = NDArray[np.int32]


class Edit(NamedTuple):
    """An edited mesh, and which of its elements was which before."""

    mesh: WingedEdgeMesh
    maps: Maps


class Draft:
    """Collect the changes of an edit; everything that is not changed stays as it is.

    ``rings`` are the corners of faces that change or are new, ``ends`` tail and tip of
    such edges, ``shares`` the weights of old vertices in new ones; new elements are
    counted on from the old ones.  Elements that are ``gone`` leave holes, which the
    last ones fill, so that no other number changes; ``joined`` are faces that lie in
    others.
    """

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        self.rings: dict[int, list[int]] = {}
        self.ends: dict[int, tuple[int, int]] = {}
        self.shares: dict[int, dict[int, float]] = {}
        self.gone: dict[str, set[int]] = {kind: set() for kind in KINDS}
        self.joined: dict[int, int] = {}
        self._edge_parents = list[tuple[int, int]]()
        self._face_parents = list[int]()

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
        self.ends[self.mesh.n_edges + len(self._edge_parents)] = tail, tip
        self._edge_parents.append(parent)

    def add_face(self, ring: list[int], parent: int) -> None:
        """Add a face."""
        self.rings[self.mesh.n_faces + len(self._face_parents)] = ring
        self._face_parents.append(parent)

    def finish(self) -> Edit:
        """Link everything again, and check nothing; cost: O(V + E) gathers."""
        mesh = self.mesh
        self.gone["face"].update(self.joined)
        old = Maps.identity(mesh)
        blend, edge, face = old.parents
        born = np.array(self._edge_parents, np.int32).reshape(-1, 2)
        edge = np.concatenate([edge, born])
        face = np.concatenate([face, np.array(self._face_parents, np.int32)])
        sizes = mesh.n_vertices + len(self.shares), len(edge), len(face)
        (v, of_v), (e, of_e), (f, of_f) = map(_refilled, sizes, self.gone.values())
        for one, into in self.joined.items():
            f[one] = f[into]
        start, vertex = _patched(*blend[:2], self.shares, of_v)
        weights = {k: [*shares.values()] for k, shares in self.shares.items()}
        _, weight = _patched(blend.start, blend.weight, weights, of_v)
        parents = Parents(Blend(start, vertex, weight), edge[of_e], face[of_f])
        n = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        maps = Maps(v[: n[0]], e[: n[1]], f[: n[2]], parents).frozen()
        start, half = _patched(*mesh._face_rings, self._halves(), of_f)
        half = 2 * e[half >> 1] + (half & 1)
        ends = np.zeros((len(edge), 2), np.int32)
        ends[: n[1]] = mesh.edge_vertices
        for number, both in self.ends.items():
            ends[number] = both
        arrays = linked(maps.carry(mesh.points), v[ends[of_e]], start, half)
        made = WingedEdgeMesh(*arrays, planar_tolerance=mesh.planar_tolerance)
        return Edit(made, maps)

    def _halves(self) -> dict[int, list[int]]:
        """Find the half-edge that leaves each corner of the faces that change."""
        mesh = self.mesh
        around = [f for f in {*self.rings} | self.gone["face"] if f < mesh.n_faces]
        near = {e for f in around for e in mesh.face_edges(f).tolist()} | {*self.ends}
        known = {}
        for e in near - self.gone["edge"]:
            tail, tip = self.ends.get(e) or mesh.edge_vertices[e].tolist()
            known[tail, tip], known[tip, tail] = 2 * e, 2 * e + 1
        return {
            f: [known[pair] for pair in zip(ring, ring[1:] + ring[:1], strict=True)]
            for f, ring in self.rings.items()
            if f not in self.gone["face"]
        }


def _patched(
    start: Any, values: Any, rows: Mapping[int, Iterable[float]], order: Ints
) -> tuple[Any, Any]:
    """Replace some rows of a table, or add them, and take all of them in an order."""
    pieces = [values, *(np.array([*row], values.dtype) for row in rows.values())]
    more = max([len(start) - 2, *rows]) + 2 - len(start)
    first = np.concatenate([start[:-1], np.zeros(more, np.int64)])
    count = np.concatenate([np.diff(start), np.zeros(more, np.int64)])
    where = [*rows]
    count[where] = [len(piece) for piece in pieces[1:]]
    first[where] = starts([len(piece) for piece in pieces])[1:-1]
    taken = ranges(first[order], count[order])
    return starts(count[order]), np.concatenate(pieces)[taken]


def _refilled(n: int, gone: set[int]) -> tuple[Ints, Ints]:
    """Give n elements new numbers when some go: old to new, and new to old.

    Holes are filled by the last ones that stay, lowest first; all others keep theirs.
    """
    stays = np.ones(n, np.bool_)
    stays[list(gone)] = False
    left = n - len(gone)
    order = np.arange(left, dtype=np.int32)
    order[~stays[:left]] = left + np.flatnonzero(stays[left:])
    number = np.full(n, GONE, np.int32)
    number[order] = np.arange(left, dtype=np.int32)
    return number, order


MANIFOLD = "two faces per edge"  # the invariant that most refusals would break


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
        raise MeshError(said, error.invariant, old) from None
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
