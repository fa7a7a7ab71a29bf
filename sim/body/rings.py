"""Do vertex rings prove a support?  The one question asked of new positions."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wingedge import WingedEdgeMesh

Float = np.float64
THIN = 1e-12  # width of a triangle, per unit of the largest coordinate
BEND = 1e-4  # sine between two faces below which they may count as level
SHORT = 1e-4  # length of an edge, per unit of the largest coordinate
ROUNDING = 16.0 * float(np.finfo(Float).eps)


class Hinges(NamedTuple):
    """The edges and the inner diagonals of the fans, each with its two triangles."""

    tail: NDArray[np.int64]  # (H,)
    tip: NDArray[np.int64]
    left: NDArray[np.int64]  # the third corner of the triangle on the left
    right: NDArray[np.int64]
    diagonal: NDArray[np.bool_]  # both triangles belong to one face


_hinges: "WeakKeyDictionary[WingedEdgeMesh, Hinges]" = WeakKeyDictionary()


def rings_prove(mesh: WingedEdgeMesh, points: NDArray[Float]) -> bool:
    """Say whether a convex body is so to rounding, polygons flat to rounding.

    Only then does "no ring neighbour is higher" prove a support to the last digits:
    within the looser tolerance of ``convexity`` small dents add up along the surface.
    A dent is measured from the plane of the larger of the two triangles at an edge,
    for a needle has no plane worth its digits.

    Cost: O(E) elementwise.
    """
    if mesh not in _hinges:
        _hinges[mesh] = _find_hinges(mesh)
    tail, tip, left, right, diagonal = _hinges[mesh]
    x, y, z = points.T
    ux, uy, uz = x[tip] - x[tail], y[tip] - y[tail], z[tip] - z[tail]
    ax, ay, az = x[left] - x[tail], y[left] - y[tail], z[left] - z[tail]
    bx, by, bz = x[right] - x[tail], y[right] - y[tail], z[right] - z[tail]
    nx, ny, nz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
    mx, my, mz = uy * bz - uz * by, uz * bx - ux * bz, ux * by - uy * bx
    volume = nx * bx + ny * by + nz * bz
    nn, mm = nx * nx + ny * ny + nz * nz, mx * mx + my * my + mz * mz
    larger = np.maximum(nn, mm)
    # A triangle without width parts two others unseen: a groove may run along it.
    width = THIN * float(np.abs(points).max())
    if (np.minimum(nn, mm) <= width * width * (ux * ux + uy * uy + uz * uz)).any():
        return False
    limit = ROUNDING * float(np.abs(points).max())
    over = np.where(diagonal, np.abs(volume), volume)
    return bool((over <= limit * np.sqrt(larger)).all())


def is_blunt(mesh: WingedEdgeMesh, points: NDArray[Float]) -> bool:
    """Say whether two vertices beside an edge tell that it is a support.

    Of a body that proves by rings: no wedge is sharper than 60 degrees, so that the
    rounding of its faces does not grow at an edge; no two faces are level with each
    other and no edge is short, so that nothing else at its ends can be level with it.

    Cost: O(E) elementwise.
    """
    if mesh not in _hinges:
        _hinges[mesh] = _find_hinges(mesh)
    tail, tip, left, right, diagonal = _hinges[mesh]
    p = points[tail]
    u, a, b = points[tip] - p, points[left] - p, points[right] - p
    n, m = np.cross(u, a), np.cross(b, u)
    nn, mm, uu = ((v * v).sum(axis=1) for v in (n, m, u))
    across, bend = (n * m).sum(axis=1), np.cross(n, m)
    square = nn * mm
    if (across < 0.0).any() and (across * across > 0.25 * square)[across < 0.0].any():
        return False
    level = (bend * bend).sum(axis=1) < BEND * BEND * square
    short = uu < (SHORT * np.abs(points).max()) ** 2
    return not (level & ~diagonal).any() and not (short & ~diagonal).any()


def _find_hinges(mesh: WingedEdgeMesh) -> Hinges:
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
    return Hinges(tail[one], tip[one], third[one], third[two], owner[one] == owner[two])
