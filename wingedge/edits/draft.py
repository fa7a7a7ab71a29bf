"""Collect the changes of an edit, link the mesh again and check that it may stand."""

import operator
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.build import linked
from wingedge.check import check_positions, positions_to_check
from wingedge.errors import MeshError
from wingedge.faces import check_convex_faces, check_planar, check_zero_area
from wingedge.features import Feature
from wingedge.maps import EDGE, GONE, KINDS, Blend, Maps, Parents
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import check_coincident
from wingedge.tables import ranges

Ints = NDArray[np.int32]
Weights = Sequence[tuple[int, float]]  # old vertices with their shares, sum 1


class Edit(NamedTuple):
    """An edited mesh, and which of its elements was which before."""

    mesh: WingedEdgeMesh
    maps: Maps


class Draft:
    """Collect the changes of an edit; everything that is not named stays as it is.

    Faces are lists of half-edges: ``2 * edge + side`` leaves the corner
    ``edge_vertices[edge, side]`` and runs along the face ``edge_faces[edge, side]``.
    New elements are counted on from the old ones. Elements that go leave holes, which
    the last ones fill, so that no other number changes. ``rings`` and ``moved`` hold
    the half-edges of faces, and tail and tip of edges, that are others now.
    """

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        self._start, self._half = mesh._face_rings
        self.rings: dict[int, list[int]] = {}
        self.moved: dict[int, tuple[int, int]] = {}
        self._born: list[Weights] = []
        self._edge_parents: list[tuple[int, int]] = []
        self._face_parents: list[int] = []
        self._gone: tuple[set[int], set[int], set[int]] = (set(), set(), set())
        self._joined: dict[int, int] = {}

    def ring(self, f: int) -> list[int]:
        """Return the half-edges of a face as they are now, from its first corner."""
        if f not in self.rings:
            ring: list[int] = self._half[self._start[f] : self._start[f + 1]].tolist()
            return ring
        return list(self.rings[f])

    def replace(self, half: int, by: Sequence[int]) -> None:
        """Put other half-edges in the place of one, in its face."""
        face = int(self.mesh.edge_faces[half >> 1, half & 1])
        ring = self.ring(face)
        at = ring.index(half)
        self.rings[face] = [*ring[:at], *by, *ring[at + 1 :]]

    def ends(self, e: int) -> tuple[int, int]:
        """Return tail and tip of an edge as they are now."""
        if e in self.moved:
            return self.moved[e]
        tail, tip = self.mesh.edge_vertices[e].tolist()
        return tail, tip

    def corner(self, half: int) -> int:
        """Return the vertex that a half-edge leaves."""
        return self.ends(half >> 1)[half & 1]

    def add_vertex(self, weights: Weights) -> int:
        """Put a vertex between old ones; return its number."""
        self._born.append(weights)
        return self.mesh.n_vertices + len(self._born) - 1

    def add_edge(self, tail: int, tip: int, parent: tuple[int, int]) -> int:
        """Add an edge that came from (dimension, number); return its number."""
        self._edge_parents.append(parent)
        number = self.mesh.n_edges + len(self._edge_parents) - 1
        self.moved[number] = (tail, tip)
        return number

    def add_face(self, ring: list[int], parent: int) -> int:
        """Add a face; return its number."""
        self._face_parents.append(parent)
        number = self.mesh.n_faces + len(self._face_parents) - 1
        self.rings[number] = ring
        return number

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

    def join_face(self, face: int, to: int) -> None:
        """Let a face go that lies in another one from now on."""
        self._gone[2].add(face)
        self._joined[face] = to

    def finish(self) -> Edit:
        """Link everything again.

        Cost: O(V + E) gathers. Checks nothing.
        """
        mesh = self.mesh
        old = mesh.n_vertices, mesh.n_edges, mesh.n_faces
        new = len(self._born), len(self._edge_parents), len(self._face_parents)
        (v, of_v), (e, of_e), (f, of_f) = (
            _refilled(n + more, gone)
            for n, more, gone in zip(old, new, self._gone, strict=True)
        )
        for face, to in self._joined.items():
            f[face] = f[to]
        ends = np.concatenate([mesh.edge_vertices, np.zeros((new[1], 2), np.int32)])
        for edge, pair in self.moved.items():
            ends[edge] = pair
        start, half = self._corners(of_f)
        half = 2 * e[half >> 1] + (half & 1)
        maps = Maps(
            v[: old[0]], e[: old[1]], f[: old[2]], self._parents(of_v, of_e, of_f)
        )
        maps = maps.frozen()
        arrays = linked(maps.carry(mesh.points), v[ends[of_e]], start, half)
        made = WingedEdgeMesh(*arrays, planar_tolerance=mesh.planar_tolerance)
        return Edit(made, maps)

    def _corners(self, order: Ints) -> tuple[Ints, Ints]:
        """List the half-edges of all faces that stay, in their new order."""
        count = np.zeros(int(order.max()) + 1, np.int32)
        count[: self.mesh.n_faces] = np.diff(self._start)[: len(count)]
        for f, ring in self.rings.items():
            if f < len(count):
                count[f] = len(ring)
        start = np.zeros(len(order) + 1, np.int32)
        np.cumsum(count[order], out=start[1:])
        half = np.empty(start[-1], np.int32)
        changed = np.isin(order, list(self.rings))
        still = np.flatnonzero(~changed)
        length = count[order[still]]
        kept = self._half[ranges(self._start[order[still]], length)]
        half[ranges(start[still], length)] = kept
        for place in np.flatnonzero(changed):
            half[start[place] : start[place + 1]] = self.rings[int(order[place])]
        return start, half

    def _parents(self, of_v: Ints, of_e: Ints, of_f: Ints) -> Parents:
        mesh = self.mesh
        shares = {
            place: self._born[of_v[place] - mesh.n_vertices]
            for place in np.flatnonzero(of_v >= mesh.n_vertices).tolist()
        }
        start = np.ones(len(of_v) + 1, np.int32)
        start[0] = 0
        for place, share in shares.items():
            start[place + 1] = len(share)
        np.cumsum(start, out=start)
        vertex = np.repeat(of_v, np.diff(start))
        weight = np.ones(len(vertex))
        for place, share in shares.items():
            here = slice(start[place], start[place + 1])
            vertex[here], weight[here] = zip(*share, strict=True)
        blend = Blend(start, vertex, weight)
        kept = np.arange(mesh.n_edges, dtype=np.int32)
        edges = np.stack([np.full_like(kept, EDGE), kept], axis=1)
        born = np.array(self._edge_parents, np.int32).reshape(-1, 2)
        faces = [*range(mesh.n_faces), *self._face_parents]
        return Parents(
            blend, np.concatenate([edges, born])[of_e], np.array(faces, np.int32)[of_f]
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
