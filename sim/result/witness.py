"""Which vertices carry a closest point, by how much each, and how it moves."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sim.result.state import PairState
from wingedge import Feature, WingedEdgeMesh
from wingedge.graph import corners_of

Array = NDArray[np.float64]
Cell = tuple[int, ...]  # one, two or three vertices


def cells_of(mesh: WingedEdgeMesh, parts: Sequence[Feature]) -> list[Cell]:
    """List vertices, segments and triangles of features; polygons are fans."""
    cells: list[Cell] = []
    for part in parts:
        ring = corners_of(mesh, part)
        if len(ring) < 3:
            cells.append(tuple(ring))
        cells += [(ring[0], *ring[k : k + 2]) for k in range(1, len(ring) - 1)]
    return cells


def weights_in(x: Array, point: Array) -> Array:
    """Return the barycentric weights of a point in a cell, (k,); negative is beyond."""
    if len(x) == 1:
        return np.ones(1)
    way, u, v = point - x[0], x[1] - x[0], x[-1] - x[0]
    wu, uu = way @ u, u @ u
    if len(x) == 2:
        t = wu / uu if uu > 0.0 else 0.0
        return np.array([1.0 - t, t])
    wv, uv, vv = way @ v, u @ v, v @ v
    area = uu * vv - uv * uv
    s, t = (vv * wu - uv * wv, uu * wv - uv * wu) if area > 0.0 else (0.0, 0.0)
    area = area or 1.0
    return np.array([1.0 - (s + t) / area, s / area, t / area])


def holder(
    cells: Sequence[Cell], placed: Callable[[Cell], Array], point: Array
) -> tuple[float, Cell, Array]:
    """Find the cell that holds a point: how far off it is, itself, its weights (k,)."""
    least, held, shares = np.inf, cells[0], np.ones(1)
    for cell in cells:
        x = placed(cell)
        weights = weights_in(x, point)
        reach = float(np.abs(x - x[0]).max())
        off = float(np.abs(weights @ x - point).max())
        beyond = max(off, -float(weights.min()) * reach)
        if beyond < least:
            least, held, shares = beyond, cell, weights
    return least, held, shares


def distance_rate(
    state: PairState, places: Sequence[Array], ways: Sequence[Array]
) -> float:
    """Return by how much the distance grows as both closest points go with their body.

    ``places``, ``ways``: of each body, where its vertices are when the bodies answer
    so, and how they move, (V, 3), world frame.  It is the derivative of the distance
    where the closest features are the only ones.
    """
    moved: list[Array] = []
    for mesh, parts, point, place, way in zip(
        (state.mesh_a, state.mesh_b),
        (state.parts_a, state.parts_b),
        (state.point_a, state.point_b),
        places,
        ways,
        strict=True,
    ):
        near = place - place[0]  # far away digits would be lost
        cells, at = cells_of(mesh, parts), point - place[0]
        _, cell, weights = holder(cells, partial(_rows, near), at)
        moved.append(weights @ way[list(cell)])
    return float((moved[1] - moved[0]) @ state.normal)


def _rows(x: Array, cell: Cell) -> Array:
    rows: Array = x[list(cell)]
    return rows
