"""The convex hull of a body as a body: what ``convexity="hull"`` is answered for.

Its mesh is the cover of the present positions, and another one when the connectivity of
the cover has changed; its pose is that of the body, the very same array.  HullNames are
given back in the numbers of the body's own mesh.
"""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import ConvexityCache
from sim.body.revisions import MeshRevision
from sim.result.answer import Numbers, Work
from sim.result.state import PairState
from wingedge import WingedEdgeMesh
from wingedge.build import wing
from wingedge.cover import Cover, HullNames
from wingedge.maps import GONE, Blend, Maps, Parents

Ids = NDArray[np.int32]


class Hull(Body):
    """The convex hull of another body, kept up with it.

    Parameters
    ----------
    source : Body
        Whose vertices it is the hull of, and whose pose it shares.

    Raises
    ------
    MeshError
        If the body is flat, so that its hull has no inside.
    """

    __slots__ = ("_cover_now", "_known", "_source")

    def __init__(self, source: Body) -> None:
        cover = cast("Cover", source.cover())
        super().__init__(_mesh_of(cover), name=source.name)
        self._source = source
        self._transform = source.transform
        self._cover_now = cover
        self._known = source.mesh, source.version, source.is_open
        self._edition = HullRevision(cover, self._mesh)

    @property
    def cover_now(self) -> Cover:
        """The cover that the hull was made of last."""
        return self._cover_now

    def keep_up(self, frame: int) -> None:
        """Take over the positions of the body, and another mesh where it needs one.

        Raises
        ------
        ValueError
            If a coordinate is not finite.
        MeshError
            If the body is flat.
        """
        source = self._source
        known = source.mesh, source.version, source.is_open
        if not source.is_open and known == self._known:
            return
        source.refuse_unfinite(frame)
        before = self._cover_now
        points = source.positions
        if source.mesh is before.source and np.array_equal(points, before.points):
            self._known = known
            return
        cover = cast("Cover", source.cover())
        if cover.source is before.source and np.array_equal(cover.faces, before.faces):
            self.points = cover.points[cover.vertices]
        else:
            mesh = _mesh_of(cover)
            self._mesh = mesh
            self._points = mesh.points.copy()
            self._spread = source._spread
            self._edition = HullRevision(cover, mesh)
            self._findings = ConvexityCache()
            self._quiet = None
            self._version += 1
        self._cover_now = cover
        self._known = known

    def check_placed(self, frame: int) -> None:
        """Check where the pose puts every vertex of the body that it is the hull of."""
        self._source.check_placed(frame)


class HullRevision(MeshRevision):
    """The mesh of a hull, whose elements are known by their vertices in the body."""

    __slots__ = ("cover",)

    def __init__(self, cover: Cover, mesh: WingedEdgeMesh) -> None:
        super().__init__(mesh)
        self.cover = cover

    def toward(self, new: MeshRevision) -> Maps | None:
        """Return what became which: what has the same vertices is the same."""
        if new is self or not isinstance(new, HullRevision):
            return None
        if new.cover.source is not self.cover.source:
            return _nothing(self.mesh)
        own, other = self.cover.vertices, new.cover.vertices
        size = len(self.cover.points)
        ends = np.sort(own[self.mesh.edge_vertices].astype(np.int64), axis=1)
        new_ends = np.sort(other[new.mesh.edge_vertices].astype(np.int64), axis=1)
        return Maps(
            _place(own.astype(np.int64), other.astype(np.int64)),
            _place(_keys(ends, size), _keys(new_ends, size)),
            _place(_keys(self.cover.faces, size), _keys(new.cover.faces, size)),
            _no_parents(),
        )


class HullAnswer(NamedTuple):
    """An answer for hulls that is told in the numbers of the bodies' own meshes."""

    found: PairState  # in the numbers of the hulls
    names_a: HullNames | None  # None: A is itself
    names_b: HullNames | None

    @property
    def distance(self) -> float:
        """Signed distance."""
        return self.found.distance

    @property
    def lower(self) -> float:
        """Lower bound."""
        return self.found.lower

    @property
    def upper(self) -> float:
        """Upper bound."""
        return self.found.upper

    @property
    def size(self) -> float:
        """The scale of rounding."""
        return self.found.size

    @property
    def work(self) -> Work:
        """What it cost."""
        return self.found.work

    def numbers(self) -> Numbers:
        """Decode."""
        n = self.found.numbers
        labels: list[int] = []
        for k in range(0, len(n.labels), 4):
            i, j, p, q = n.labels[k : k + 4]
            labels += (i, _lowest(self.names_a, i, j), p, _lowest(self.names_b, p, q))
        return n._replace(
            parts_a=_renamed(self.names_a, n.dimension_a, n.parts_a),
            parts_b=_renamed(self.names_b, n.dimension_b, n.parts_b),
            labels=tuple(labels),
        )


def _renamed(
    names: HullNames | None, dimension: int, parts: tuple[int, ...]
) -> tuple[int, ...]:
    if names is None:
        return parts
    return tuple(sorted({n for part in parts for n in names.of(dimension, part)}))


def _lowest(names: HullNames | None, dimension: int, part: int) -> int:
    return part if names is None else min(names.of(dimension, part))


def _mesh_of(cover: Cover) -> WingedEdgeMesh:
    """Build the hull as it is: narrow faces and all, proved by the cover."""
    number = np.zeros(len(cover.points), np.int32)
    number[cover.vertices] = np.arange(len(cover.vertices), dtype=np.int32)
    return WingedEdgeMesh(*wing(cover.points[cover.vertices], number[cover.faces]))


def _keys(rows: NDArray[np.integer], size: int) -> NDArray[np.int64]:
    """Turn rows of vertices into one number each."""
    keys = np.zeros(len(rows), np.int64)
    for k in range(rows.shape[1]):
        keys = keys * size + rows[:, k]
    return keys


def _place(old: NDArray[np.int64], new: NDArray[np.int64]) -> Ids:
    """Find every old key among the new ones."""
    order = np.argsort(new)
    at = np.minimum(np.searchsorted(new[order], old), len(new) - 1)
    found = order[at]
    return np.where(new[found] == old, found, GONE).astype(np.int32)


def _nothing(old: WingedEdgeMesh) -> Maps:
    v, e, f = (
        np.full(n, GONE, np.int32) for n in (old.n_vertices, old.n_edges, old.n_faces)
    )
    return Maps(v, e, f, _no_parents())


def _no_parents() -> Parents:
    """Return no parents: nothing is carried over from one hull to the next."""
    none = np.empty(0, np.int32)
    blend = Blend(np.zeros(1, np.int32), none, np.empty(0))
    return Parents(blend, np.empty((0, 2), np.int32), none)
