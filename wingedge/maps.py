"""Map the elements of a mesh to those of the edited one, and back."""

from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import frozen, ranges

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
T = TypeVar("T")

GONE = -1
EDGE, FACE = 1, 2  # the dimension of a parent, first column of ``Parents.edge``
KINDS = ("vertex", "edge", "face")


class Blend(NamedTuple):
    """Where every new vertex lies between old ones, as one table.

    Entries ``start[v]:start[v + 1]`` belong to new vertex v; a vertex that was kept
    has one entry of weight 1. Weights are positive and sum to 1 but for rounding.
    """

    start: Ints  # (V' + 1,)
    vertex: Ints  # (n,) old number
    weight: Floats  # (n,)


class Parents(NamedTuple):
    """Which old element every new one came from; of one that was kept, itself."""

    vertex: Blend
    edge: Ints  # (E', 2) [dimension, old number]; born inside a face: dimension 2
    face: Ints  # (F',) old number


class Maps(NamedTuple):
    """Old numbers to new ones, -1 where the element is gone; arrays are read-only.

    Attributes
    ----------
    vertex : (V,) int32
    edge : (E,) int32
    face : (F,) int32
        An element that was split keeps its number for one of the pieces.
    parents : Parents
        The other way, for every new element.
    """

    vertex: Ints
    edge: Ints
    face: Ints
    parents: Parents

    @classmethod
    def identity(cls, mesh: WingedEdgeMesh) -> Self:
        """Map every element of a mesh to itself."""
        v, e, f = (
            np.arange(n, dtype=np.int32)
            for n in (mesh.n_vertices, mesh.n_edges, mesh.n_faces)
        )
        start = np.arange(mesh.n_vertices + 1, dtype=np.int32)
        blend = Blend(start, v, np.ones(len(v)))
        edges = np.stack([np.full_like(e, EDGE), e], axis=1)
        return made_frozen(cls(v, e, f, Parents(blend, edges, f)))

    def then(self, other: "Maps") -> "Maps":
        """Return the maps of this edit followed by another one.

        Positions carried in one go may differ in the last bits from positions carried
        edit by edit, since the weights are multiplied first.

        Raises ValueError if the other edit did not begin with the mesh that this one
        made.
        """
        made = [len(self.parents.vertex.start) - 1, *map(len, self.parents[1:])]
        wanted = [len(other.vertex), len(other.edge), len(other.face)]
        if made != wanted:
            raise ValueError(
                f"these maps lead to {counted(*made)}, the next ones begin with "
                f"{counted(*wanted)}; chain the maps in the order of the edits"
            )
        vertex, edges, face = (  # what is gone stays gone
            np.where(first == GONE, np.int32(GONE), second[first])
            for first, second in zip(self[:3], other[:3], strict=True)
        )
        mine, theirs = self.parents, other.parents
        inside = theirs.edge[:, 0] == FACE
        edge = mine.edge[np.where(inside, 0, theirs.edge[:, 1])]
        edge[inside, 0] = FACE
        edge[inside, 1] = mine.face[theirs.edge[inside, 1]]
        blend = _blended(mine.vertex, theirs.vertex)
        parents = Parents(blend, edge, mine.face[theirs.face])
        return made_frozen(Maps(vertex, edges, face, parents))

    def feature(self, old: Feature) -> Feature | None:
        """Return what a feature of the old mesh is called now; None if it is gone.

        Raises IndexError if the old mesh had no such feature.
        """
        table: Ints = getattr(self, old.kind)
        if not 0 <= old.index < len(table):
            raise IndexError(f"the mesh that was edited had no {old.kind} {old.index}")
        number = int(table[old.index])
        return None if number == GONE else Feature(old.kind, number)

    def parted(self, mesh: WingedEdgeMesh, before: WingedEdgeMesh) -> WingedEdgeMesh:
        """Return the new mesh with its faces in the parts of their parents.

        Parts of its own it keeps.
        """
        if mesh.part_names or not before.part_names:
            return mesh
        known = before.face_part[self.parents.face]
        return replace(mesh, part_names=before.part_names, face_part=known)

    def carry(self, values: ArrayLike) -> Floats:
        """Carry what old vertices have, (V, k), to the new ones, (V', k).

        Kept vertices keep theirs to the bit; a born one has the mean of its parents'
        by their weights, summed in order.

        Raises ValueError if there is not one row per old vertex.
        """
        given = np.asarray(values, dtype=np.float64)
        if given.ndim != 2 or len(given) != len(self.vertex):
            raise ValueError(
                f"values have shape {given.shape}; give one row for each of the "
                f"{len(self.vertex)} vertices before the edit"
            )
        start, vertex, weight = self.parents.vertex
        count = np.diff(start)
        carried: Floats = given[vertex[start[:-1]]]
        born = np.flatnonzero(count > 1)
        if len(born):
            carried[born] *= weight[start[born], None]
            for k in range(1, int(count.max())):
                more = born[count[born] > k]
                at = start[more] + k
                carried[more] += weight[at, None] * given[vertex[at]]
        return carried


def counted(v: int, e: int, f: int) -> str:
    """Write how many elements there are."""
    return f"{v} vertices, {e} edges and {f} faces"


def _blended(first: Blend, second: Blend) -> Blend:
    """Express the parents in the middle by those at the beginning."""
    count = np.diff(first.start)[second.vertex]
    entry = np.repeat(np.arange(len(count)), count)  # of ``second``, per entry now
    at = ranges(first.start[second.vertex], count)
    owner = np.repeat(np.arange(len(second.start) - 1), np.diff(second.start))[entry]
    vertex, weight = first.vertex[at], second.weight[entry] * first.weight[at]
    # a vertex that came twice counts once, with the sum of its weights
    n = int(first.vertex.max()) + 1
    key = owner.astype(np.int64) * n + vertex
    unique, place = np.unique(key, return_inverse=True)
    total: Floats = np.bincount(place.ravel(), weights=weight).astype(np.float64)
    start = np.zeros(len(second.start), dtype=np.int32)
    np.cumsum(np.bincount(unique // n, minlength=len(start) - 1), out=start[1:])
    return Blend(start, (unique % n).astype(np.int32), total)


def made_frozen(value: T) -> T:
    """Make every array int32 or float64, contiguous and read-only."""
    if isinstance(value, tuple):
        return type(value)(*map(made_frozen, value))
    array: Any = np.array(value, order="C")
    kind = np.float64 if array.dtype.kind == "f" else np.int32
    return cast("T", frozen(array.astype(kind)))
