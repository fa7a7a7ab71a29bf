"""When a body on its way has no volume, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.moves import Array, Move, placed
from wingedge import columns, exact, polynomials
from wingedge.mesh import WingedEdgeMesh
from wingedge.polynomials import Polynomial, Root

# on polynomials and whole numbers, for which mypy has no arithmetic of columns
cross: Any = columns.cross
dot: Any = columns.dot

SURELY = 1e-6  # of the largest coefficient of a determinant: more is not rounding


def bends(move: Move) -> tuple[Array, Array]:
    """Return the ends of the straight ways of vertices that bend; origins left out."""
    one, two = move.start_map[:, :3], move.end_map[:, :3]
    if (one == two).all():
        return move.start, move.end
    return placed(move.start, one), placed(move.end, two)


def flat_times(move: Move) -> list[tuple[float, float]]:
    """Find when the map of a body is flat: cells of 2^-40 that hold each time.

    Exact.  Of one that bends no vertex goes by its map, so there is none.
    """
    a, b = move.start_map[:, :3], move.end_map[:, :3]
    if move.start is not move.end or (a == b).all():
        return []
    rows = exact.integer_points(*a, *b)
    times = polynomials.roots(determinant(rows[:3], rows[3:]))
    return [root.cell() for root in times]


def may_be_flat(start: Array, end: Array) -> NDArray[np.bool_]:
    """Say which blends of linear maps (B, 3, 3) may be flat on the way.

    The others have determinants whose Bernstein coefficients are all positive.
    """
    found = determinant(np.moveaxis(start, 0, -1), np.moveaxis(end, 0, -1))
    total = np.stack(found.c)
    unsure: NDArray[np.bool_] = total.min(axis=0) <= SURELY * total.max(axis=0)
    return unsure


def determinant(start: Any, end: Any) -> Polynomial:
    """Span the determinant of a map whose entries go straight, three rows of three."""
    a, b, c = (tuple(map(Polynomial, *rows)) for rows in zip(start, end, strict=True))
    found: Polynomial = dot(a, cross(b, c))
    return found


def volume_of(mesh: WingedEdgeMesh, start: Array, end: Array) -> Polynomial:
    """Span six times the volume of a body whose vertices go straight, exactly."""
    rows = exact.integer_points(*start, *end)
    count = len(start)
    ways: Any = [tuple(map(Polynomial, rows[k], rows[k + count])) for k in range(count)]
    total: Any = None
    for i, j, k in mesh.fan.vertex.tolist():
        part: Any = dot(ways[i], cross(ways[j], ways[k]))
        total = part if total is None else total + part
    found: Polynomial = total
    return found


def when_of_volume(
    kind: str, mesh: WingedEdgeMesh, move: Move
) -> tuple[float, float] | None:
    """Find when a body "collapsed", "expanded", "inverted" or got "upright".

    The first time at which it has no volume, the last such, or the last at which it
    begins to look the way that it does at the end; None where the volume says nothing.
    """
    volume = volume_of(mesh, *bends(move))
    times: list[Root] = polynomials.roots(volume)
    signs = polynomials.signs_between(volume, times)
    if volume.c[0] == 0:
        times.insert(0, polynomials.START)
        signs.insert(0, 0)
    if volume.c[-1] == 0:
        times.append(polynomials.END)
        signs.append(0)
    if kind in ("inverted", "upright"):
        side = -1 if kind == "inverted" else 1
        pairs = zip(times, signs, signs[1:], strict=False)
        times = [t for t, old, new in pairs if new == side != old]
    if not times:
        return None
    return times[0 if kind == "collapsed" else -1].cell()
