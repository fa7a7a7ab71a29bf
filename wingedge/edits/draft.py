"""Collect the changes of an edit, link the mesh again and check that it may stand."""

import operator
from collections.abc import Iterable, Sequence
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
from wingedge.tables import ranges, starts

Ints = NDArray[np.int32]
Weights = Sequence[tuple[int, float]]  # old vertices with their shares, sum 1


class Edit(NamedTuple):
    """An edited mesh, and which of its elements was which before."""

    mesh: WingedEdgeMesh
    maps: Maps


class Draft:
    """Collect the changes of an edit; everything that is not named stays as it is.

    Faces are lists of corners, edges pairs of tail and tip.  New elements are counted
    on from the old ones. Elements that go leave holes, which the last ones fill, so
    that no other number changes. ``rings`` and ``ends`` hold the corners of faces, and
    the ends of edges, that are others now; ``joined`` faces that lie in others.
    """

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        self.rings: dict[int, list[int]] = {}
        self.ends: dict[int, tuple[int, int]] = {}
        self.joined: dict[int, int] = {}
        self._born: list[Weights] = []
        self._edge_parents: list[tuple[int, int]] = []
        self._face_parents: list[int] = []
        self._gone: tuple[set[int], set[int], set[int]] = (set(), set(), set())

    def ring(self, f: int) -> list[int]:
        """Return the corners of a face as they were."""
        ring: list[int] = self.mesh.face_vertices(f).tolist()
        return ring

    def add_vertex(self, weights: Weights) -> int:
        """Put a vertex between old ones; return its number."""
        self._born.append(weights)
        return self.mesh.n_vertices + len(self._born) - 1

    def add_edge(self, tail: int, tip: int, parent: tuple[int, int]) -> None:
        """Add an edge that came from (dimension, number)."""
        self.ends[self.mesh.n_edges + len(self._edge_parents)] = tail, tip
        self._edge_parents.append(parent)

    def add_face(self, ring: list[int], parent: int) -> None:
        """Add a face."""
        self.rings[self.mesh.n_faces + len(self._face_parents)] = ring
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

        Cost: a sort of the edges, O(V + E) gathers. Checks nothing.
        """
        mesh = self.mesh
        self.remove(faces=self.joined)
        old = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        new = len(self._born), len(self._edge_parents), len(self._face_parents)
        (v, of_v), (e, of_e), (f, of_f) = (
            _refilled(n + more, gone)
            for n, more, gone in zip(old, new, self._gone, strict=True)
        )
        for face, to in self.joined.items():
            f[face] = f[to]
        ends = np.concatenate([mesh.edge_vertices, np.zeros((new[1], 2), np.int32)])
        for edge, pair in self.ends.items():
            ends[edge] = pair
        parents = self._parents(of_v, of_e, of_f)
        maps = Maps(v[: old[0]], e[: old[1]], f[: old[2]], parents).frozen()
        were = mesh.corners
        start, corner = _chosen(np.diff(were.start), were.vertex, self.rings, of_f)
        ends, polygons = v[ends[of_e]], Polygons(len(of_v), start, v[corner])
        arrays = linked(maps.carry(mesh.points), ends, start, _halves(polygons, ends))
        made = WingedEdgeMesh(*arrays, planar_tolerance=mesh.planar_tolerance)
        return Edit(made, maps)

    def _parents(self, of_v: Ints, of_e: Ints, of_f: Ints) -> Parents:
        n, born = self.mesh.n_vertices, self._born
        shares = {n + k: [v for v, _ in share] for k, share in enumerate(born)}
        start, vertex = _chosen(np.ones(n, int), np.arange(n), shares, of_v)
        weights = {n + k: [w for _, w in share] for k, share in enumerate(born)}
        _, weight = _chosen(np.ones(n, int), np.ones(n), weights, of_v)
        kept = np.arange(self.mesh.n_edges, dtype=np.int32)
        edges = np.stack([np.full_like(kept, EDGE), kept], axis=1)
        more = np.array(self._edge_parents, np.int32).reshape(-1, 2)
        faces = [*range(self.mesh.n_faces), *self._face_parents]
        return Parents(
            Blend(start, vertex, weight),
            np.concatenate([edges, more])[of_e],
            np.array(faces, np.int32)[of_f],
        )


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


def _chosen(count: Any, values: Any, others: dict[int, Any], order: Ints) -> Any:
    """Take rows of a table in some order; ``others`` are new, or others than there.

    Returns where they begin, and all of them one after the other.
    """
    size, at = max([len(count) - 1, *others]) + 1, len(values)
    first, many = np.zeros((2, size), np.int64)
    first[: len(count)], many[: len(count)] = starts(count)[:-1], count
    for k, row in others.items():
        first[k], many[k] = at, len(row)
        at += len(row)
    pool = np.concatenate([values, *others.values()])
    return starts(many[order]), pool[ranges(first[order], many[order])]


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


def same_surface(draft: Draft, trouble: str, advice: str) -> Edit:
    """Finish an edit that leaves the surface as it is: nothing new can touch."""
    edit = draft.finish()
    surface = positions_to_check(edit.mesh, edit.mesh.points)
    try:
        check_coincident(surface.points)
        check_zero_area(surface)
        check_convex_faces(surface)
        check_planar(surface)
    except MeshError as error:
        raise _in_old_numbers(error, edit, trouble, advice) from None
    return edit


def new_surface(draft: Draft, trouble: str, advice: str) -> Edit:
    """Finish an edit that changes the shape: everything is checked."""
    edit = draft.finish()
    try:
        check_positions(edit.mesh, edit.mesh.points)
    except MeshError as error:
        raise _in_old_numbers(error, edit, trouble, advice) from None
    return edit


def _in_old_numbers(
    error: MeshError, edit: Edit, trouble: str, advice: str
) -> MeshError:
    """Say which invariant an edit would break, in the numbers of the mesh given."""
    where, old = "", None
    if error.element is not None:
        kind, number = error.element
        old = _parent(edit.maps, kind, number)
        where = f" at {old.kind} {old.index}"
    return MeshError(
        f"{trouble}: that would break {error.invariant!r}{where}; {advice}",
        error.invariant,
        old,
    )


def _parent(maps: Maps, kind: str, number: int) -> Feature:
    """Name the old element that a new one came from."""
    blend, edge, face = maps.parents
    if kind == "vertex":
        return Feature(kind, int(blend.vertex[blend.start[number]]))
    if kind == "face":
        return Feature(kind, int(face[number]))
    dimension, old = edge[number].tolist()
    return Feature(KINDS[dimension], old)


def element(value: int, kind: str, n: int) -> int:
    """Return the number of an element.

    Raises TypeError or IndexError if it is no whole number, or there is no such
    element.
    """
    number = operator.index(value)
    if not 0 <= number < n:
        raise IndexError(f"there is no {kind} {number}; they are numbered 0 to {n - 1}")
    return number


def listed(numbers: Iterable[int]) -> str:
    """Write numbers as in a sentence."""
    *head, last = [str(int(i)) for i in numbers]
    return f"{', '.join(head)} and {last}" if head else last
