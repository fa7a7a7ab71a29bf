"""A body on its way, exactly: its vertices, its convexity, and its volume."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.losses import losses_between
from sim.between.moves import Array, Move, placed
from sim.body.audit import RingTest
from sim.body.body import Body
from sim.kernels.audit.hinges import SHOWN
from wingedge import columns, exact, polynomials
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh
from wingedge.polynomials import Polynomial, Root

GRID = 80  # times are numbers of 2^-GRID
WHOLE = 1 << GRID
MANTISSA = 53

# on polynomials and whole numbers, for which mypy has no arithmetic of columns
add: Any = columns.add
cross: Any = columns.cross
dot: Any = columns.dot
subtract: Any = columns.subtract

V, E, F = "vertex", "edge", "face"
Way = tuple[Polynomial, Polynomial, Polynomial]

SURELY = 1e-6  # of the largest coefficient of a determinant: more is not rounding


def why_not_convex(body: Body, move: Move) -> str:
    """Say why a body is not known to be a convex solid all the way; else nothing."""
    name = f"body '{body.name}'"
    if body.convexity == "hull":
        return f"{name} stands for its hull"
    if body.convexity != "trust":
        start = np.ascontiguousarray(move.start)
        if RingTest(body.mesh, start).look() < SHOWN:
            return f"{name} is not shown to be convex"
    if move.start is move.end:
        flat = flat_times(move)
        return f"{name} is flat on the way" if flat else ""
    if body.convexity != "trust" and len(losses_between(body.mesh, *bends(move)).edge):
        return f"{name} is dented on the way"
    return ""


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
    ways: Any = [tuple(map(Polynomial, rows[k], rows[k + 3])) for k in range(3)]
    turned: Any = dot(ways[0], cross(ways[1], ways[2]))
    return [root.cell() for root in polynomials.roots(turned)]


def may_be_flat(start: Array, end: Array) -> NDArray[np.bool_]:
    """Say which blends of linear maps (B, 3, 3) may be flat on the way.

    The others have determinants whose Bernstein coefficients are all positive.
    """
    total = np.zeros((4, len(start)))
    for bits in product((0, 1), repeat=3):
        x, y, z = ((start, end)[bit][:, k] for k, bit in enumerate(bits))
        total[sum(bits)] += (x * np.cross(y, z)).sum(axis=1)
    unsure: NDArray[np.bool_] = total.min(axis=0) <= SURELY * total.max(axis=0)
    return unsure


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


def finest(*arrays: Array) -> int:
    """Return how many binary digits after the point some numbers need at most."""
    parts = [np.frexp(x[x != 0.0])[1].min(initial=MANTISSA) for x in arrays]
    return MANTISSA - int(min(parts))


def digits_of(move: Move) -> tuple[int, int]:
    """Return how many digits the positions of a body need, and its maps."""
    return finest(move.start, move.end), finest(move.start_map, move.end_map)


class MovingMesh:
    """The vertices of a body on their way, placed without rounding when asked for."""

    def __init__(self, mesh: WingedEdgeMesh, move: Move, digits: tuple[int, int]):
        self.mesh = mesh
        self._move = move
        self._digits = digits
        self._maps: list[Any] = [
            [[self._whole(x, digits[1]) for x in row] for row in matrix.tolist()]
            for matrix in (move.start_map, move.end_map)
        ]
        self._known: dict[int, list[Any]] = {}

    @staticmethod
    def _whole(x: float, digits: int) -> int:
        top, bottom = x.as_integer_ratio()
        return (top << digits) // bottom

    def ends(self, v: int) -> list[Any]:
        """Return where a vertex is at both ends, in units of the scene."""
        if v not in self._known:
            digits, both = self._digits[0], []
            for points, rows in zip(self._move[:2], self._maps, strict=True):
                p: Any = [self._whole(x, digits) for x in points[v].tolist()]
                both.append([dot(row, p) + (row[3] << digits) for row in rows])
            self._known[v] = both
        return self._known[v]

    def at(self, v: int, time: int) -> Any:
        """Return where a vertex is at a time, in units of 2^-GRID of the scene's."""
        x, y = self.ends(v)
        return tuple(p * (WHOLE - time) + q * time for p, q in zip(x, y, strict=True))

    def ring(self, v: int) -> list[int]:
        """List the vertices that share an edge with one."""
        around: list[int] = self.mesh.vertex_vertices(v).tolist()
        return around

    def flanks(self, e: int) -> Iterator[tuple[int, int]]:
        """List both faces of an edge, each with a corner that is not on the edge."""
        on = set(self.mesh.edge_vertices[e].tolist())
        for f in self.mesh.edge_faces[e].tolist():
            corners = self.mesh.face_vertices(f).tolist()
            k = next(k for k, v in enumerate(corners) if {v, corners[k - 1]} == on)
            yield f, corners[(k + 1) % len(corners)]

    def edge(self, v: int, w: int) -> Feature:
        """Return the edge between two vertices."""
        edges = self.mesh.vertex_edges(v).tolist()
        k = self.ring(v).index(w)
        return Feature(E, edges[k])


def way(one: MovingMesh, v: int, other: MovingMesh, w: int) -> Way:
    """Return the way from a vertex to another."""
    x, y = one.ends(v), other.ends(w)
    dx, dy, dz = map(Polynomial, *map(subtract, y, x))
    return dx, dy, dz
