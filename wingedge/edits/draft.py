"""Collect the changes of an edit, link the mesh again and check that it may stand."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from wingedge.build import linked
from wingedge.check import check_positions, positions_to_check
from wingedge.errors import MeshError
from wingedge.faces import check_convex_faces, check_planar, check_zero_area
from wingedge.features import Feature
from wingedge.maps import GONE, KINDS, Blend, Maps, Parents, made_frozen
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import check_coincident
from wingedge.tables import next_in_run, ranges, starts


class Edit(NamedTuple):
    """An edited mesh, and which of its elements was which before."""

    mesh: WingedEdgeMesh
    maps: Maps


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
