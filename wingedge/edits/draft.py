"""Collect the changes of an edit, link the mesh again and check that it may stand."""

import operator
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.build import Polygons, linked
from wingedge.check import check_positions, positions_to_check
from wingedge.errors import MeshError
from wingedge.faces import check_convex_faces, check_planar, check_zero_area
from wingedge.features import Feature
from wingedge.maps import EDGE, GONE, KINDS, Blend, Maps, Parents
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import check_coincident
from wingedge.tables import starts

Ints = NDArray[np.int32]
Weights = Sequence[tuple[int, float]]  # old vertices with their shares, sum 1


class Edit(NamedTuple):
    """An edited mesh, and which of its elements was which before."""

    mesh: WingedEdgeMesh
    maps: Maps


class Draft:
    """Collect the changes of an edit; everything that is not changed stays as it is.

    ``rings`` are the corners of faces, ``ends`` tail and tip of edges, ``weights`` old
    vertices with their shares in one; new elements are counted on from the old ones.
    Elements that go leave holes, which the last ones fill, so that no other number
    changes. ``joined`` are faces that lie in others.
    """

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        start, corner = (column.tolist() for column in mesh.corners)
        self.rings: list[list[int]] = [corner[a:b] for a, b in pairwise(start)]
        self.ends: list[Any] = mesh.edge_vertices.tolist()
        self.weights: list[Weights] = [((v, 1.0),) for v in range(mesh.n_vertices)]
        self.joined: dict[int, int] = {}
        self._edge_parents = [(EDGE, e) for e in range(mesh.n_edges)]
        self._face_parents = [*range(mesh.n_faces)]
        self._gone: tuple[set[int], set[int], set[int]] = (set(), set(), set())

    def ring(self, f: int) -> list[int]:
        """Return the corners of a face as they were."""
        ring: list[int] = self.mesh.face_vertices(f).tolist()
        return ring

    def add_vertex(self, weights: Weights) -> int:
        """Put a vertex between old ones; return its number."""
        self.weights.append(weights)
        return len(self.weights) - 1

    def add_edge(self, tail: int, tip: int, parent: tuple[int, int]) -> None:
        """Add an edge that came from (dimension, number)."""
        self.ends.append((tail, tip))
        self._edge_parents.append(parent)

    def add_face(self, ring: list[int], parent: int) -> None:
        """Add a face."""
        self.rings.append(ring)
        self._face_parents.append(parent)

    def remove(
        self,
        *,
        vertices: Iterable[int] = (),
        edges: Iterable[int] = (),
        faces: Iterable[int] = (),
    ) -> None:
        """Let elements go."""
        for gone, more in zip(self._gone, (vertices, edges, faces), strict=True):
            gone.update(more)

    def finish(self) -> Edit:
        """Link everything again.

        Cost: a sort of the edges, O(V + E) steps. Checks nothing.
        """
        mesh = self.mesh
        self.remove(faces=self.joined)
        sizes = len(self.weights), len(self.ends), len(self.rings)
        (v, of_v), (e, of_e), (f, of_f) = (
            _refilled(n, gone) for n, gone in zip(sizes, self._gone, strict=True)
        )
        for face, to in self.joined.items():
            f[face] = f[to]
        shares = [self.weights[k] for k in of_v]
        vertex, weight = zip(*chain.from_iterable(shares), strict=True)
        parents = Parents(
            Blend(_starts(shares), np.array(vertex), np.array(weight)),
            np.array(self._edge_parents)[of_e],
            np.array(self._face_parents)[of_f],
        )
        old = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        maps = Maps(v[: old[0]], e[: old[1]], f[: old[2]], parents).frozen()
        rings = [self.rings[k] for k in of_f]
        start = _starts(rings)
        corner = v[[*chain.from_iterable(rings)]].astype(np.int64)
        ends, polygons = (
            v[np.array(self.ends)[of_e]],
            Polygons(len(of_v), start, corner),
        )
        arrays = linked(maps.carry(mesh.points), ends, start, _halves(polygons, ends))
        made = WingedEdgeMesh(*arrays, planar_tolerance=mesh.planar_tolerance)
        return Edit(made, maps)


def _starts(rows: Sequence[Sequence[Any]]) -> Any:
    return starts(np.array([*map(len, rows)]))


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


def _halves(polygons: Polygons, ends: Ints) -> Any:
    """Find the half-edge that leaves each corner, by its two vertices."""
    n = polygons.n_vertices
    key = ends.min(axis=1).astype(np.int64) * n + ends.max(axis=1)
    order = np.argsort(key)
    tail, tip = polygons.vertex, polygons.tip
    pair = np.minimum(tail, tip).astype(np.int64) * n + np.maximum(tail, tip)
    edge = order[np.searchsorted(key, pair, sorter=order)]
    return 2 * edge + (ends[edge, 0] != tail)


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
