"""Do vertex rings prove a support?  The one question asked of new positions."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import Bound
from sim.kernels.audit.hinges import RINGS, Hinges, ring_proof
from sim.kernels.language import Floats, Ints
from wingedge import WingedEdgeMesh

Float = np.float64


class _Tables(NamedTuple):
    """What topology says of the hinges, once per mesh; see ``kernels.audit.hinges``."""

    hinges: int
    tail: Ints
    tip: Ints
    left: Ints
    right: Ints
    diagonal: Ints


_hinges: "WeakKeyDictionary[WingedEdgeMesh, _Tables]" = WeakKeyDictionary()


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
        if mesh not in _hinges:
            _hinges[mesh] = _find_hinges(mesh)
        tables = _hinges[mesh]
        self.mesh = mesh
        self.points = points
        flat: Floats = points.data.cast("B").cast("d")
        self._hinges = Hinges(flat, len(points), *tables)
        self._proof = Bound(ring_proof)

    def look(self) -> int:
        """Return NOTHING, RINGS or FLANKS for a convex body.  Cost: O(E)."""
        return self._proof(self._hinges)


def rings_prove(mesh: WingedEdgeMesh, points: NDArray[Float]) -> bool:
    """Say whether a convex body is so to rounding, polygons flat to rounding.

    See ``kernels.audit.hinges.ring_proof``.
    """
    return RingTest(mesh, np.ascontiguousarray(points, Float)).look() >= RINGS


def _find_hinges(mesh: WingedEdgeMesh) -> _Tables:
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
    return _Tables(
        len(one),
        _ints(tail[one]),
        _ints(tip[one]),
        _ints(third[one]),
        _ints(third[two]),
        _ints(owner[one] == owner[two]),
    )


def _ints(array: NDArray[np.int64] | NDArray[np.bool_]) -> Ints:
    flat: Ints = np.ascontiguousarray(array, np.int32).data.cast("B").cast("i")
    return flat
