"""The audit of a body: whether it is convex and a solid now, and its rings prove."""

from __future__ import annotations

from math import sqrt
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.engine.bound import Bound, floats
from sim.kernels.audit import facets
from sim.kernels.audit.hinges import Hinges, ring_proof
from sim.kernels.audit.sag import SAG, Drape, measure_sag
from sim.kernels.audit.verdict import audit
from sim.kernels.exact import Expansion
from sim.kernels.language import Floats, Ints
from wingedge.convex import convexity, sides_of
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import extent
from wingedge.tables import once_per_mesh

Float = np.float64
COMMON = 100  # powers of two: sizes of 1e-30 to 1e30


class ConvexityResult(NamedTuple):
    """What an audit says of one set of positions."""

    convex: bool  # within the default tolerance of ``wingedge.convexity``
    worst: Feature  # the edge, or the folded face, of the deepest dent
    depth: float  # of it [length unit of the input]; 0 where there is none
    sign: int  # of the volume: -1 inside-out, 0 collapsed
    tolerance: float  # dents up to here count as none


class _Tables(NamedTuple):
    """What topology says, once per mesh."""

    fan: Ints
    corner: Ints
    across: Ints
    apex: Ints
    face: Ints
    tail: Ints
    tip: Ints
    diagonal: Ints
    edge: list[int]


class ConvexityCheck:
    """Audit one array of positions again and again.

    Parameters: ``points`` (V, 3): positions, body frame, C-contiguous; read anew by
    every audit.

    The same verdict as ``wingedge.convexity``, which decides what the kernel leaves
    open: flat and thin bodies, and dents within rounding of the tolerance.
    """

    def __init__(self, mesh: WingedEdgeMesh, points: NDArray[Float]) -> None:
        tables = _tables_of(mesh)
        self._mesh = mesh
        self.points = points
        self._edge = tables.edge
        self._found = floats(np.zeros(facets.FOUND_FLOATS))
        self._told = _ints(np.zeros(facets.TOLD_INTS))
        triangles = len(mesh.fan.face)
        self.shell = facets.AuditBuffers(
            points=floats(points),
            vertices=mesh.n_vertices,
            faces=mesh.n_faces,
            triangles=triangles,
            polygons=int(triangles > mesh.n_faces),
            planar=float(mesh.planar_tolerance),
            fan=tables.fan,
            corner=tables.corner,
            across=tables.across,
            apex=tables.apex,
            face=tables.face,
            tail=tables.tail,
            tip=tables.tip,
            diagonal=tables.diagonal,
            bend=_ints(np.zeros(mesh.n_faces)),
            area=floats(np.zeros(3 * mesh.n_faces)),
            local=floats(np.zeros(3 * mesh.n_vertices)),
            found=self._found,
            told=self._told,
        )
        self._audit = Bound(audit)
        # one room for all threads; the one whose call was interrupted may ask again
        self._busy = RLock()
        self._round = mesh.n_vertices - mesh.n_edges + mesh.n_faces == 2

    @property
    def room(self) -> tuple[Floats | Ints, ...]:
        """What an audit writes: ``found``, ``told``, scratch; see ``AuditBuffers``."""
        shell = self.shell
        return shell.found, shell.told, shell.local, shell.bend, shell.area

    def look(self) -> int:
        """Run the kernel on the present positions: CONVEX, DENTED or UNSURE."""
        return self._audit(self.shell)

    def audit(self) -> ConvexityResult:
        """Audit the present positions.

        Raises ValueError if a coordinate is not finite, naming the vertex.
        """
        with self._busy:
            return self._audited()

    def _audited(self) -> ConvexityResult:
        status = self.look()
        if status == facets.UNSURE:
            points, power = of_common_size(self.points)
            if power != 0:
                found = ConvexityCheck(self._mesh, points).audit()
                depth, tolerance = np.ldexp([found.depth, found.tolerance], power)
                return found._replace(depth=float(depth), tolerance=float(tolerance))
            report = convexity(self._mesh, self.points)
            dent = report.worst, report.worst_depth
            sign, tolerance = report.volume_sign, report.tolerance
            return ConvexityResult(report.is_convex(), *dent, sign, tolerance)
        worst = self._found[facets.WORST]
        depth = sqrt(worst) if worst > 0.0 else 0.0
        edge = self._edge[self._told[facets.SIDE]]
        at = Feature("edge", edge) if edge >= 0 else Feature("face", -1 - edge)
        convex = status == facets.CONVEX and self._round
        return ConvexityResult(
            convex, at, depth, self._told[facets.SIGN], self._found[facets.TOLERANCE]
        )


def of_common_size(points: NDArray[Float]) -> tuple[NDArray[Float], int]:
    """Return positions that are ``2**power`` times smaller, and the power.

    Themselves, and 0, unless sixth powers of their size overflow or lose digits.
    """
    with np.errstate(invalid="ignore"):  # infinite: no size, refused by name later
        _, power = np.frexp(extent(points).size)
    if abs(power) < COMMON:
        return points, 0
    return np.ldexp(points, -power), int(power)


@once_per_mesh
def _tables_of(mesh: WingedEdgeMesh) -> _Tables:
    sides = sides_of(mesh)
    corner, owner = mesh.fan
    tip = corner[:, [1, 2, 0]]
    return _Tables(
        fan=_ints(np.searchsorted(owner, np.arange(mesh.n_faces + 1))),
        corner=_ints(corner),
        across=_ints(sides.across),
        apex=_ints(sides.apex),
        face=_ints(sides.face),
        tail=_ints(np.where(sides.turned, tip, corner)),
        tip=_ints(np.where(sides.turned, corner, tip)),
        diagonal=_ints(sides.edge < 0),
        edge=sides.edge.ravel().tolist(),
    )


def _ints(array: ArrayLike) -> memoryview[int]:
    flat: NDArray[np.int32] = np.array(array, np.int32, order="C")
    return flat.data.cast("B").cast("i")


NO_IDS = _ints([0])


class _RingTables(NamedTuple):
    """What topology says of the hinges, once per mesh; see ``kernels.audit.hinges``."""

    triangles: int = 0
    corner: Ints = NO_IDS
    hinges: int = 0
    tail: Ints = NO_IDS
    tip: Ints = NO_IDS
    left: Ints = NO_IDS
    right: Ints = NO_IDS
    diagonal: Ints = NO_IDS
    one: Ints = NO_IDS
    two: Ints = NO_IDS


class RingTest:
    """Ask of one array of positions, again and again, what the vertex rings prove.

    Parameters: ``mesh``: its faces run counter-clockwise seen from outside, None where
    nothing is to be proven; ``points`` (V, 3): positions, body frame, C-contiguous;
    read anew every time.
    """

    def __init__(self, mesh: WingedEdgeMesh | None, points: NDArray[Float]) -> None:
        tables = _RingTables() if mesh is None else ring_tables(mesh)
        self.mesh = mesh
        self.points = points
        self._given = np.zeros_like(points)
        normal = floats(np.zeros(4 * max(1, tables.triangles)))
        expansion = Expansion(floats(np.zeros(18)), floats(np.zeros(256)))
        own = floats(points), len(points), *tables, normal, expansion
        self.asked = (Hinges(*own, floats(self._given), 0),)
        self.taken = (Hinges(*own, floats(self._given), 1),)
        self._look, self._take = Bound(ring_proof), Bound(ring_proof)
        self._busy = RLock()  # one ledger for all threads, see ``ConvexityCache``

    def look(self) -> int:
        """Return NOTHING, RINGS or EDGES for a convex body, SHOWN added where it is.

        Cost: O(E).
        """
        with self._busy:
            return self._look.on(self.asked)

    def take(self, new: NDArray[Float]) -> int:
        """Put new positions in place and look at them; REFUSED leaves those there."""
        with self._busy:
            self._given[...] = new
            return self._take.on(self.taken)


def sag_of(mesh: WingedEdgeMesh, points: NDArray[Float]) -> NDArray[Float]:
    """Measure how far a nearly convex body stands off its hull, along the axes, (3,).

    Proven, and infinite where nothing is; see ``kernels.audit.sag``.  The faces of the
    mesh run counter-clockwise seen from outside.
    """
    tables = ring_tables(mesh)
    count = tables.triangles
    told = np.zeros(SAG)
    drape = Drape(
        points=floats(np.ascontiguousarray(points, Float)),
        vertices=len(points),
        triangles=count,
        corner=tables.corner,
        hinges=tables.hinges,
        left=tables.one,
        right=tables.two,
        part=_ints(np.zeros(count, np.int32)),
        span=_ints(np.zeros(3 * count, np.int32)),
        normal=floats(np.zeros(3 * count)),
        low=floats(np.zeros(count)),
        high=_ints(np.zeros(len(points), np.int32)),
        told=floats(told),
    )
    Bound(measure_sag)(drape)
    return told


@once_per_mesh
def ring_tables(mesh: WingedEdgeMesh) -> _RingTables:
    """List the hinges of a mesh: the edges and the inner diagonals of its fans."""
    triangles, face = mesh.fan
    corner = triangles.astype(np.int64)
    tail = corner.ravel()
    tip = corner[:, [1, 2, 0]].ravel()
    third = corner[:, [2, 0, 1]].ravel()
    owner = np.repeat(face, 3)
    low, high = np.minimum(tail, tip), np.maximum(tail, tip)
    key = low * mesh.n_vertices + high
    order = np.argsort(key, kind="stable")
    one, two = order[0::2], order[1::2]
    near = np.argsort(one)  # in the order of the triangles, so near in memory
    one, two = one[near], two[near]
    return _RingTables(
        len(corner),
        _ints(corner),
        len(one),
        _ints(tail[one]),
        _ints(tip[one]),
        _ints(third[one]),
        _ints(third[two]),
        _ints(owner[one] == owner[two]),
        _ints(one // 3),
        _ints(two // 3),
    )
