"""Hold five frozen index arrays and rest positions, and tabulate their rings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, wraps
from itertools import chain
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wingedge.features import Feature

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
_Kind = TypeVar("_Kind", bound=np.generic)
_Mesh = TypeVar("_Mesh", bound="MeshTables")
_Found = TypeVar("_Found")
TAIL, TIP = 0, 1  # columns of edge_vertices, first axis of edge_wings
LEFT, RIGHT = 0, 1  # columns of edge_faces, second axis of edge_wings


class Star(NamedTuple):
    """The counter-clockwise ring of every vertex, as one table.

    Entries ``start[v]:start[v + 1]`` belong to vertex v. ``face`` lies left of
    v -> ``vertex``, between this entry and the next one.
    """

    start: Ints  # (V + 1,)
    vertex: Ints  # (2E,) the neighbour
    edge: Ints  # (2E,) the edge to it
    face: Ints  # (2E,)


class Corners(NamedTuple):
    """The corners of every face in the user's order, as one table."""

    start: Ints  # (F + 1,)
    vertex: Ints  # (2E,)


class Fan(NamedTuple):
    """Every face as the fan of triangles from its first corner.

    This is the surface that every answer refers to, also where a polygon leaves its
    plane.
    """

    vertex: Ints  # (T, 3)
    face: Ints  # (T,) the face that the triangle is part of


@dataclass(frozen=True, eq=False, repr=False)
class MeshTables:
    """Hold the arrays of a `wingedge.WingedEdgeMesh`, and tabulate what follows.

    What reads a mesh takes this: the checks, which a mesh is built by, among them.
    """

    points: Floats
    edge_vertices: Ints
    edge_faces: Ints
    edge_wings: Ints
    vertex_edge: Ints
    face_edge: Ints
    source_vertices: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    source_faces: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    planar_tolerance: float = 1e-9
    resolution: float = 0.0
    part_names: tuple[str, ...] = ()
    face_part: Ints = field(default_factory=lambda: np.empty(0, np.int32))

    def __post_init__(self) -> None:
        for name, of in (("vertices", self.points), ("faces", self.face_edge)):
            if not len(getattr(self, f"source_{name}")):
                object.__setattr__(self, f"source_{name}", np.arange(len(of)))
        for each in fields(self):
            if each.type in (Floats, Ints):
                kind = np.float64 if each.type == Floats else np.int32
                array = np.array(getattr(self, each.name), dtype=kind, order="C")
                object.__setattr__(self, each.name, frozen(array))

    @property
    def n_vertices(self) -> int:
        """Count the vertices."""
        return len(self.points)

    @property
    def n_edges(self) -> int:
        """Count the edges."""
        return len(self.edge_vertices)

    @property
    def n_faces(self) -> int:
        """Count the faces."""
        return len(self.face_edge)

    @property
    def parts(self) -> dict[str, Ints]:
        """The faces of every named part, ascending; a face may be in none."""
        which = self.face_part
        return {
            name: np.flatnonzero(which == k).astype(np.int32)
            for k, name in enumerate(self.part_names)
        }

    def part_of(self, feature: Feature) -> str:
        """Name the part that a feature is of: all its faces, else the lowest of them.

        Those are the faces at an edge or a vertex, of a lid at its vertices.  Returns
        "" where that face is in no part.
        """
        if not self.part_names:
            return ""
        kind, k = feature
        faces = [k] if kind == "face" else self.edge_faces[k] if kind == "edge" else ()
        rings = map(self.vertex_faces, feature.vertices)
        part = int(self.face_part[min(chain(faces, *rings))])
        return self.part_names[part] if part >= 0 else ""

    @cached_property
    def star(self) -> Star:
        """Tabulate the ring of every vertex; topology only, made once."""
        start, half = self._vertex_rings
        face = self.edge_faces.ravel()[half]
        tip = self.edge_vertices.ravel()[half ^ 1]
        return Star(frozen(start), frozen(tip), frozen(half >> 1), frozen(face))

    @cached_property
    def corners(self) -> Corners:
        """Tabulate the corners of every face; topology only, made once."""
        start, half = self._face_rings
        return Corners(frozen(start), frozen(self.edge_vertices.ravel()[half]))

    @cached_property
    def beyond(self) -> Ints:
        """Tabulate what lies beyond every side, (2E,); topology only, made once.

        For each corner of ``corners`` the vertex after it in the face across the side
        that leaves it.
        """
        _, half = self._face_rings
        ring, around = self._vertex_rings
        place = np.empty_like(around)
        place[around] = np.arange(len(around), dtype=around.dtype)
        # One back in the ring of the vertex: from the side to what lies beyond it.
        vertex = self.edge_vertices.ravel()[half]
        at = place[half]
        back = np.where(at > ring[vertex], at, ring[vertex + 1]) - 1
        return frozen(self.edge_vertices.ravel()[around[back] ^ 1])

    @cached_property
    def flanks(self) -> Ints:
        """Tabulate what lies beside every edge, (E, 2); topology only, made once.

        The corner after the edge in the face on its left, then in the one on its right.
        """
        start, half = self._face_rings
        vertex = self.edge_vertices.ravel()[half]
        corner = np.arange(len(half), dtype=np.int32)
        last = np.repeat(start[1:], np.diff(start))
        length = np.repeat(np.diff(start), np.diff(start))
        two_on = corner + 2 - np.where(corner + 2 >= last, length, 0)
        flanks = np.empty(len(half), np.int32)
        flanks[half] = vertex[two_on]
        return frozen(flanks.reshape(-1, 2))

    @cached_property
    def fan(self) -> Fan:
        """Tabulate the triangles of every face; topology only, made once."""
        start, vertex = self.corners
        inner = np.diff(start) - 2
        face = np.repeat(np.arange(self.n_faces, dtype=np.int32), inner)
        if len(face) == self.n_faces:
            return Fan(vertex.reshape(-1, 3), frozen(face))
        first, corner = start[face], ranges(start[:-1] + 1, inner)
        fan = np.stack([vertex[first], vertex[corner], vertex[corner + 1]], axis=1)
        return Fan(frozen(fan), frozen(face))

    def face_vertices(self, f: int) -> Ints:
        """List the corners of a face in the user's own order."""
        start, vertex = self.corners
        return vertex[_span(start, f)].copy()

    def face_edges(self, f: int) -> Ints:
        """List the edges of a face; the first leaves its first corner."""
        start, half = self._face_rings
        return half[_span(start, f)] >> 1

    def face_faces(self, f: int) -> Ints:
        """List the faces across the edges of a face, in the order of `face_edges`."""
        start, half = self._face_rings
        across: Ints = self.edge_faces.ravel()[half[_span(start, f)] ^ 1]
        return across

    def vertex_edges(self, v: int) -> Ints:
        """List the edges at a vertex; the first is ``vertex_edge[v]``."""
        return self.star.edge[_span(self.star.start, v)].copy()

    def vertex_faces(self, v: int) -> Ints:
        """List the faces at a vertex; each lies left of the edge of `vertex_edges`."""
        return self.star.face[_span(self.star.start, v)].copy()

    def vertex_vertices(self, v: int) -> Ints:
        """List the neighbours of a vertex, in the order of `vertex_edges`."""
        return self.star.vertex[_span(self.star.start, v)].copy()

    def edge_edges(self, e: int) -> Ints:
        """List the other edges at both ends of an edge (paper, rule 2).

        First the ring at the tail, then the ring at the tip, each counter-clockwise
        and starting after the edge itself.
        """
        rings = []
        for vertex in self.edge_vertices[e].tolist():
            ring = self.vertex_edges(vertex)
            at = int(np.flatnonzero(ring == e % self.n_edges)[0])
            rings += [ring[at + 1 :], ring[:at]]
        return np.concatenate(rings)

    # Half-edge h = 2 e + side starts at edge_vertices[e, side] and runs along the face
    # edge_faces[e, side]; h ^ 1 is the other half of the same edge. Never stored:
    # half-edges are only how the two walks are taken for all elements at once.

    @cached_property
    def _face_rings(self) -> tuple[Ints, Ints]:
        half = 2 * self.face_edge + _second(self.edge_faces, self.face_edge)
        return unroll(following(self), half, np.bincount(self.edge_faces.ravel()))

    @cached_property
    def _vertex_rings(self) -> tuple[Ints, Ints]:
        half = 2 * self.vertex_edge + _second(self.edge_vertices, self.vertex_edge)
        turned = np.empty(2 * self.n_edges, np.int32)  # on to the face on the right
        turned[following(self)] = np.arange(len(turned), dtype=np.int32) ^ 1
        return unroll(turned, half, np.bincount(self.edge_vertices.ravel()))

    def __repr__(self) -> str:
        v, e, f = self.n_vertices, self.n_edges, self.n_faces
        return f"{type(self).__name__}({v} vertices, {e} edges, {f} faces)"

    def __reduce__(self) -> tuple[object, ...]:
        # a pickled array comes back writable; the constructor freezes it again
        return type(self), tuple(getattr(self, x.name) for x in fields(self))


def following(mesh: MeshTables) -> Ints:
    """Find the half-edge that follows every half-edge along its face, (2E,)."""
    sides = np.array([LEFT, RIGHT])
    edge = mesh.edge_wings[:, 1 - sides, sides]
    half: Ints = 2 * edge + (mesh.edge_faces[edge, RIGHT] == mesh.edge_faces)
    return half.ravel()


def unroll(
    step: NDArray[np.integer], first: NDArray[np.integer], count: NDArray[np.intp]
) -> tuple[Ints, Ints]:
    """Follow ``step`` from each ``first`` for ``count`` elements; (n + 1,), (sum,).

    One pass per position in the ring, over the rings that are that long: the cost is
    the sum of the counts, plus a numpy call per member of the longest ring.
    """
    start = np.zeros(len(count) + 1, dtype=np.int32)
    np.cumsum(count, out=start[1:])
    ring = np.empty(start[-1], dtype=np.int32)
    longest_first = np.argsort(-count, kind="stable")
    place, at = start[longest_first], first[longest_first]
    alive = np.cumsum(np.bincount(count)[::-1])[::-1]  # alive[k]: rings with >= k
    for k in range(len(alive) - 1):
        n = alive[k + 1]
        at = at[:n]
        ring[place[:n] + k] = at
        at = step[at]
    return start, ring


def _second(pairs: Ints, edge: Ints) -> Ints:
    """Tell whether element i is the second (1) or first (0) of ``pairs[edge[i]]``."""
    chosen = pairs[edge, 1] == np.arange(len(edge))
    return np.asarray(chosen, dtype=np.int32)


def _span(start: Ints, index: int) -> slice:
    """Slice the table entries of one element.

    Raises IndexError if there is no such element; negative numbers count from the end,
    as in numpy.
    """
    n = len(start) - 1
    if not -n <= index < n:
        raise IndexError(f"index {index} is out of range for {n} elements")
    index %= n
    return slice(int(start[index]), int(start[index + 1]))


def once_per_mesh(find: Callable[[_Mesh], _Found]) -> Callable[[_Mesh], _Found]:
    """Keep what a function finds out about a mesh, for as long as the mesh is there."""
    known: WeakKeyDictionary[_Mesh, _Found] = WeakKeyDictionary()

    @wraps(find)
    def kept(mesh: _Mesh) -> _Found:
        if mesh not in known:
            known[mesh] = find(mesh)
        return known[mesh]

    return kept


def frozen(array: NDArray[_Kind]) -> NDArray[_Kind]:
    """Make an array read-only, and return it."""
    array.setflags(write=False)
    return array


def connected(
    n: int, one: NDArray[np.integer], two: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Label the connected parts of ``n`` nodes linked in pairs, by their lowest node.

    Returns (n,) the part of every node.  Cost: a few passes over the links (Shiloach
    and Vishkin); importing scipy for it would take longer than most meshes do.
    """
    label = np.arange(n)
    a, b = np.asarray(one, np.int64), np.asarray(two, np.int64)
    while len(a):
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while (label != (jumped := label[label])).any():
            label = jumped
        a, b = label[a], label[b]
        a, b = a[a != b], b[a != b]
    return (np.cumsum(label == np.arange(n)) - 1)[label]


def first_alike(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the first place of each of n whole numbers, (n,)."""
    order = np.argsort(keys)
    sorted_keys = keys[order]
    begins = np.flatnonzero(sorted_keys[1:] != sorted_keys[:-1]) + 1
    begins = np.concatenate([[0], begins])[: len(keys)]
    count = np.diff(begins, append=len(keys))
    first = np.empty(len(keys), np.int64)
    first[order] = np.repeat(np.minimum.reduceat(order, begins), count)
    return first


def numbered(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count different whole numbers as they appear: number of each, and places."""
    first = first_alike(keys)
    begins = first == np.arange(len(first))
    return (np.cumsum(begins) - 1)[first], np.flatnonzero(begins)


def starts(count: NDArray[np.integer] | Sequence[int]) -> NDArray[np.int64]:
    """Find where runs of so many elements begin, and the end, (n + 1,)."""
    return np.concatenate([[0], np.cumsum(count)])


def next_in_run(start: NDArray[np.integer]) -> NDArray[np.int64]:
    """Find the element after each; after the last of its run comes the first."""
    after = np.arange(1, start[-1] + 1)
    full = np.diff(start) > 0
    after[start[1:][full] - 1] = start[:-1][full]
    return after


def ranges(first: NDArray[np.integer], count: NDArray[np.integer]) -> NDArray[np.int64]:
    """Count up from every first, one run after another, (sum of the counts,)."""
    before = starts(count)
    return np.repeat(first - before[:-1], count) + np.arange(before[-1])
