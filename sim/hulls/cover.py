"""The live cover of a body: its convex hull, repaired from frame to frame."""

from threading import RLock

import numpy as np
from numpy.typing import NDArray

from sim.body.guard import refuse_magnitude
from sim.engine.bound import Bound, floats, ints
from sim.kernels.cover import mending
from sim.kernels.cover import triangulation as cover
from sim.kernels.cover.triangulation import HullMesh
from sim.kernels.exact import Expansion, side_of
from wingedge import MeshError, WingedEdgeMesh
from wingedge.coplanar import twins_of
from wingedge.cover import Cover
from wingedge.hull import hull_triangles

Array = NDArray[np.float64]
Ids = NDArray[np.int32]

COLLAPSED = 1e-13  # of the size: a body that is thinner on average has no inside
SUSPECT = 1e-9  # of its box: what is that wide and fills it needs no second look
KEPT, FLIPS, HULL = "kept", "flips", "hull"


class LiveCover:
    """Keep the connectivity of the cover of moving points; nothing else is kept.

    Every answer is computed, and proved, from the present positions: a connectivity
    that does not fit costs time, never truth.

    Parameters
    ----------
    points : (V, 3) float64
        The live array itself, C-contiguous.
    name : str
        How messages call its body.
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
        self._count = np.zeros(cover.COUNTS, np.int32)
        self._row = np.zeros(cover.ROW)
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
        self._one_at_a_time = RLock()  # pairs in other threads share their bodies

    def of(self, mesh: WingedEdgeMesh) -> Cover:
        """Return the cover of the present positions, a value.

        Raises
        ------
        MeshError
            If the points are flat, so that there is no hull with an inside.
        ValueError
            If a coordinate is not finite.
        """
        refuse_magnitude(self.points, self._name, None)
        with self._one_at_a_time:
            way = self.repair()
            count = 3 * int(self._count[cover.FACES])
            faces = self._corner[:count].reshape(-1, 3).copy()
            return Cover(mesh, self.points.copy(), faces, self._at.copy(), way)

    def repair(self) -> str:
        """Repair what is remembered; say how: "kept", "flips" or "hull"."""
        way = HULL
        status = mending.LOST
        if not self._lost:
            status = self._frame(self.shell)
            way = KEPT if status == mending.KEPT else FLIPS
        if status == mending.LOST:
            way = HULL
            status = self._anew()
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
            self._count[cover.FACES] = len(faces)
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
        dx, dy, dz = self._row[cover.EXTENT : cover.EXTENT + 3].tolist()
        wide = min(dx, dy, dz) > SUSPECT * max(dx, dy, dz)
        if wide and self._row[cover.VOLUME] > SUSPECT * dx * dy * dz:
            return False
        faces = self._corner[: 3 * self._count[cover.FACES]].reshape(-1, 3)
        corners = self.points[faces] - self._row[:3]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        n = np.cross(b - a, c - a)
        volume = float(np.abs((n * a).sum(axis=1)).sum()) / 6.0
        area = float(np.sqrt((n * n).sum(axis=1)).sum()) / 2.0
        size = float(max(dx, dy, dz))
        return 3.0 * volume <= COLLAPSED * size * area
