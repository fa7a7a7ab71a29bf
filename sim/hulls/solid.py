"""The convex hull of a body: kept from frame to frame, and as a body of its own.

Its mesh is the cover of the present positions, and another one when the connectivity of
the cover has changed; its pose is that of the body, the very same array.  Facets of
the hull are named in the numbers of the body's own mesh.
"""

from threading import RLock
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import ConvexityCache, refuse_magnitude
from sim.body.revisions import MeshRevision
from sim.engine.bound import Bound, floats, ints
from sim.kernels.cover import mending
from sim.kernels.cover.triangulation import COUNTS, EXTENT, FACES, ROW, VOLUME, HullMesh
from sim.kernels.exact import Expansion, side_of
from sim.result.answer import Numbers, Work
from sim.result.state import PairState
from wingedge import MeshError, WingedEdgeMesh
from wingedge.build import wing
from wingedge.coplanar import twins_of
from wingedge.cover import Cover, HullNames
from wingedge.hull import hull_triangles
from wingedge.maps import GONE, Blend, Maps, Parents

Ids = NDArray[np.int32]


class Hull(Body):
    """The convex hull of another body, kept up with it.

    Parameters: ``source``: whose vertices it is the hull of, and whose pose it shares.

    Raises MeshError if the body is flat, so that its hull has no inside.
    """

    __slots__ = ("_cover_now", "_known", "_source")

    def __init__(self, source: Body) -> None:
        cover = cast("Cover", source.cover())
        super().__init__(_mesh_of(cover), name=source.name)
        self._source = source
        self.share(source.transform)
        self._cover_now = cover
        self._known = source.mesh, source.version, source.is_open
        self._edition = HullRevision(cover, self._mesh)

    @property
    def cover_now(self) -> Cover:
        """The cover that the hull was made of last."""
        return self._cover_now

    def keep_up(self, frame: int) -> None:
        """Take over the positions of the body, and another mesh where it needs one.

        Raises ValueError if a coordinate is not finite; MeshError if the body is flat.
        """
        source = self._source
        if self._transform is not source.transform:
            self.share(source.transform)
        known = source.mesh, source.version, source.is_open
        if not source.is_open and known == self._known:
            return
        if source.is_open:
            source.refuse_unfinite(frame)
        before = self._cover_now
        points = source.positions
        if source.mesh is before.source and np.array_equal(points, before.points):
            self._known = known
            return
        cover = cast("Cover", source.cover())
        same = cover.faces is before.faces or np.array_equal(cover.faces, before.faces)
        if cover.source is before.source and same:
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
            counts = self.mesh.n_vertices, self.mesh.n_edges, self.mesh.n_faces
            v, e, f = (np.full(n, GONE, np.int32) for n in counts)
            return Maps(v, e, f, _NO_PARENTS)
        own, other = self.cover.vertices, new.cover.vertices
        size = len(self.cover.points)
        ends = np.sort(own[self.mesh.edge_vertices].astype(np.int64), axis=1)
        new_ends = np.sort(other[new.mesh.edge_vertices].astype(np.int64), axis=1)
        return Maps(
            _place(own.astype(np.int64), other.astype(np.int64)),
            _place(_keys(ends, size), _keys(new_ends, size)),
            _place(_keys(self.cover.faces, size), _keys(new.cover.faces, size)),
            _NO_PARENTS,
        )


class HullAnswer(NamedTuple):
    """An answer for hulls that is told in the numbers of the bodies' own meshes."""

    distance: float
    lower: float
    upper: float
    size: float
    work: Work
    found: PairState  # in the numbers of the hulls
    names_a: HullNames | None  # None: A is itself
    names_b: HullNames | None

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


# nothing is carried over from one hull to the next
_NONE = np.empty(0, np.int32)
_NO_PARENTS = Parents(
    Blend(np.zeros(1, np.int32), _NONE, np.empty(0)), np.empty((0, 2), np.int32), _NONE
)


Array = NDArray[np.float64]

COLLAPSED = 1e-13  # of the size: a body that is thinner on average has no inside
SUSPECT = 1e-9  # of its box: what is that wide and fills it needs no second look
KEPT, FLIPS, HULL = "kept", "flips", "hull"


class LiveCover:
    """Keep the connectivity of the cover of moving points, and the order of its faces.

    Every answer is computed, and proved, from the present positions: a connectivity
    that does not fit costs time, never truth.

    Parameters: ``points`` (V, 3): the live array itself, C-contiguous; ``name``: how
    messages call its body.
    """

    def __init__(self, points: Array, name: str) -> None:
        size = len(points)
        room = 2 * size
        self.points = points
        self._name = name
        self._corner = np.zeros(3 * room, np.int32)
        self._twin = np.zeros(3 * room, np.int32)
        self._at = np.zeros(size, np.int32)
        self._queued = np.zeros(3 * room, np.int32)
        self._count = np.zeros(COUNTS, np.int32)
        self._row = np.zeros(ROW)
        self.shell = HullMesh(
            points=floats(points),
            size=size,
            corner=ints(self._corner),
            twin=ints(self._twin),
            at=ints(self._at),
            queue=ints(np.zeros(3 * room, np.int32)),
            queued=ints(self._queued),
            free=ints(np.zeros(room, np.int32)),
            ring=ints(np.zeros(size, np.int32)),
            rim=ints(np.zeros(size, np.int32)),
            counts=ints(self._count),
            row=floats(self._row),
            expansion=Expansion(floats(np.zeros(18)), floats(np.zeros(256))),
        )
        self._frame = Bound(mending.cover_frame)
        self._lost = True
        self._last: Cover | None = None  # whose faces need no sorting while they stay
        self._one_at_a_time = RLock()  # pairs in other threads share their bodies

    def of(self, mesh: WingedEdgeMesh) -> Cover:
        """Return the cover of the present positions, a value.

        Raises MeshError if the points are flat, so that there is no hull with an
        inside; ValueError if a coordinate is not finite.
        """
        refuse_magnitude(self.points, self._name, None)
        with self._one_at_a_time:
            way = self.repair()
            count = 3 * int(self._count[FACES])
            faces = self._corner[:count].reshape(-1, 3).copy()
            own = self.points.copy(), faces, self._at.copy()
            self._last = Cover(mesh, *own, way, self._last)
            return self._last

    def repair(self) -> str:
        """Repair what is remembered; say how: "kept", "flips" or "hull"."""
        status = mending.LOST if self._lost else self._frame(self.shell)
        way = KEPT if status == mending.KEPT else FLIPS
        if status == mending.LOST:
            way, status = HULL, self._anew()
        if status == mending.UNFINITE:
            self._lost = True
            bad = int((~np.isfinite(self.points).all(axis=1)).argmax())
            raise ValueError(
                f"body '{self._name}': vertex v{bad} is at "
                f"{self.points[bad].tolist()}; a cover needs finite coordinates"
            )
        if status == mending.LOST or self._is_thin():
            self._lost = True
            raise MeshError(
                f"body '{self._name}': the {len(self.points)} points lie in one plane "
                f"(or on a line) to within {COLLAPSED:g} of their size, so their cover "
                f"has no inside; give positions that span a body",
                "positive volume",
            )
        self._lost = False
        return way

    def _anew(self) -> int:
        """Start from Qhull's hull; where that is none, from a tetrahedron."""
        if not np.isfinite(self.points).all():
            return mending.UNFINITE
        for first in (hull_triangles, self._tetrahedron):
            faces = first(self.points)
            twin = None if faces is None else twins_of(faces, len(self.points))
            if faces is None or twin is None:
                continue
            n = faces.size
            self._corner[:n] = faces.ravel()
            self._twin[:n] = twin
            self._at[:] = -1
            self._at[faces.ravel()] = np.arange(n)
            self._queued[:] = 0
            self._count[:] = 0
            self._count[FACES] = len(faces)
            status = self._frame(self.shell)
            if status != mending.LOST:
                return status
        return mending.LOST

    def _tetrahedron(self, points: Array) -> Ids | None:
        """Find four points that span a tetrahedron, wide ones where there are some."""
        p = points - (points.min(axis=0) / 2 + points.max(axis=0) / 2)
        i = int(np.lexsort(p.T)[0])
        u = p - p[i]
        j = int(np.abs(u).max(axis=1).argmax())
        n = np.cross(u, u[j])
        k = int(np.abs(n).max(axis=1).argmax())
        height = np.abs((u * n[k]).sum(axis=1))
        m = int(height.argmax())
        a, b, c, d = (tuple(points[v].tolist()) for v in (i, j, k, m))
        side = side_of(a, b, c, d, np.inf, self.shell.expansion)
        if side == 0:
            return None
        if side > 0:
            i, j = j, i
        return np.array([[i, j, k], [i, m, j], [j, m, k], [k, m, i]], np.int32)

    def _is_thin(self) -> bool:
        """Say whether the cover is flat: its mean thickness is rounding."""
        dx, dy, dz = self._row[EXTENT : EXTENT + 3].tolist()
        wide = min(dx, dy, dz) > SUSPECT * max(dx, dy, dz)
        if wide and self._row[VOLUME] > SUSPECT * dx * dy * dz:
            return False
        faces = self._corner[: 3 * self._count[FACES]].reshape(-1, 3)
        corners = self.points[faces] - self._row[:3]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        n = np.cross(b - a, c - a)
        volume = float(np.abs((n * a).sum(axis=1)).sum()) / 6.0
        area = float(np.sqrt((n * n).sum(axis=1)).sum()) / 2.0
        size = float(max(dx, dy, dz))
        return 3.0 * volume <= COLLAPSED * size * area
