"""What new positions are asked: do rings prove, and how far from convex are they."""

from threading import RLock
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import Bound, floats
from sim.kernels.audit.hinges import Hinges, ring_proof
from sim.kernels.audit.sag import SAG, Drape, measure_sag
from sim.kernels.exact import Expansion
from sim.kernels.language import Ints
from wingedge.mesh import WingedEdgeMesh

Float = np.float64


class _RingTables(NamedTuple):
    """What topology says of the hinges, once per mesh; see ``kernels.audit.hinges``."""

    hinges: int
    tail: Ints
    tip: Ints
    left: Ints
    right: Ints
    diagonal: Ints
    across: tuple[Ints, Ints]  # the triangles beside a hinge


_tables: "WeakKeyDictionary[WingedEdgeMesh, _RingTables]" = WeakKeyDictionary()


class RingTest:
    """Ask of one array of positions, again and again, what the vertex rings prove.

    Parameters
    ----------
    mesh : WingedEdgeMesh
        Its faces run counter-clockwise seen from outside.
    points : (V, 3) float64
        Positions, body frame, C-contiguous; read anew every time.
    """

    def __init__(self, mesh: WingedEdgeMesh, points: NDArray[Float]) -> None:
        tables = _tables_of(mesh)
        self.mesh = mesh
        self.points = points
        flat = floats(points)
        expansion = Expansion(floats(np.zeros(18)), floats(np.zeros(256)))
        self._hinges = Hinges(flat, len(points), *tables[:-1], expansion)
        self._proof = Bound(ring_proof)
        self._busy = RLock()  # one ledger for all threads, see ``ConvexityCheck``

    def look(self) -> int:
        """Return NOTHING, RINGS or FLANKS for a convex body.  Cost: O(E)."""
        with self._busy:
            return self._proof(self._hinges)


def sag_of(mesh: WingedEdgeMesh, points: NDArray[Float]) -> NDArray[Float]:
    """Measure how far a nearly convex body stands off its hull, along the axes, (3,).

    Proven, and infinite where nothing is; see ``kernels.audit.sag``.  The faces of the
    mesh run counter-clockwise seen from outside.
    """
    tables = _tables_of(mesh)
    corner = np.ascontiguousarray(mesh.fan.vertex)
    count = len(corner)
    told = np.zeros(SAG)
    drape = Drape(
        points=floats(np.ascontiguousarray(points, Float)),
        vertices=len(points),
        triangles=count,
        corner=_ints(corner),
        hinges=tables.hinges,
        left=tables.across[0],
        right=tables.across[1],
        part=_ints(np.zeros(count, np.int32)),
        span=_ints(np.zeros(3 * count, np.int32)),
        normal=floats(np.zeros(3 * count)),
        low=floats(np.zeros(count)),
        high=_ints(np.zeros(len(points), np.int32)),
        told=floats(told),
    )
    Bound(measure_sag)(drape)
    return told


def _tables_of(mesh: WingedEdgeMesh) -> _RingTables:
    if mesh not in _tables:
        _tables[mesh] = _find_hinges(mesh)
    return _tables[mesh]


def _find_hinges(mesh: WingedEdgeMesh) -> _RingTables:
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
    return _RingTables(
        len(one),
        _ints(tail[one]),
        _ints(tip[one]),
        _ints(third[one]),
        _ints(third[two]),
        _ints(owner[one] == owner[two]),
        (_ints(one // 3), _ints(two // 3)),
    )


def _ints(array: NDArray[np.integer] | NDArray[np.bool_]) -> Ints:
    flat: Ints = np.ascontiguousarray(array, np.int32).data.cast("B").cast("i")
    return flat
