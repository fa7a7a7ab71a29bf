"""Walk over the faces of a convex body to where lines enter and leave it."""

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import cross, dot
from wingedge.convex import sides_of
from wingedge.primitives.lines import Lines
from wingedge.tables import Ints, MeshTables

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ENTERING, LEAVING = -1, 1
SLACK = 2.0**-46  # what rounding makes of a triple product, of the product of its sizes
ASIDE = 1e-12  # squared sine: a step so straight on a face does not say where to go

_BEYOND: WeakKeyDictionary[MeshTables, Ints] = WeakKeyDictionary()


class FaceWalk(NamedTuple):
    """Results of walks over the faces, one for each line."""

    found: Bools  # (n,) the line passes through the triangle, and it faces as asked
    triangle: Ints  # (n,) of the fans, the last one looked at
    edge: Ints  # (n, 2) the vertices of the edge last crossed
    on_edge: NDArray[np.int8]  # (n,) how many of the triangle's edges the line meets
    visited: Ints  # (n,) how many triangles


def beyond(mesh: MeshTables) -> Ints:
    """Tabulate the triangle of the fans across every side, (T, 3); topology only.

    Side k runs from corner k to the next. Made once per mesh; read-only.
    """
    table = _BEYOND.get(mesh)
    if table is None:
        sides = sides_of(mesh)
        own = np.repeat(np.arange(len(mesh.fan.face), dtype=np.int32)[:, None], 3, 1)
        table = own + np.array([-1, 0, 1], np.int32)  # across the diagonals of a fan
        one, two = sides.pair.T
        table.ravel()[one], table.ravel()[two] = own.ravel()[two], own.ravel()[one]
        table.setflags(write=False)
        _BEYOND[mesh] = table
    return table


def walk(
    mesh: MeshTables, vertices: Floats, lines: Lines, first: Ints, sense: int
) -> FaceWalk:
    """Walk to the triangles through which lines enter (sense -1) or leave (1) a body.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    vertices : (3, V) float64
        Its positions now.
    lines : Lines
        n of them.
    first : (n,) int
        Where the walks begin, triangles of the fans.
    sense : int

    Notes
    -----
    Seen along the line, the triangles that face one way tile the outline of the body.
    First across edges towards that side, then across edges that have the line on the
    other side. The tiling is the shadow of a convex surface, on which such a walk never
    comes back (Edelsbrunner 1990, "An acyclicity theorem for cell complexes in d
    dimensions"). All signs are exact, so what is found is true of any body: the line
    goes through that triangle. Where a walk ends without finding, `misses` may prove
    that there is nothing to find. Cost: O(sqrt(T)) steps cold, one or two warm.
    """
    across, fan = beyond(mesh), mesh.fan.vertex
    n = len(first)
    triangle = first.astype(np.int32)
    edge = fan[triangle][:, :2].copy()
    visited = np.zeros(n, np.int32)
    found, facing = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    on_edge = np.zeros(n, np.int8)
    row = np.arange(n)
    for _ in range(64 + 4 * int(len(fan) ** 0.5)):
        if not len(row):
            break
        here = lines.of(row)
        visited[row] += 1
        corners = vertices[:, fan[triangle[row]].T].swapaxes(0, 1)  # corner, axis, row
        faces = sense * here.rises(corners) > 0
        lost = facing[row] & ~faces  # over the outline
        facing[row] |= faces
        side = np.zeros(len(row), np.intp)
        out = ~faces & ~lost
        if out.any():
            side[out] = _towards(corners[:, :, out], here.step[:, out] * sense)
        done = lost.copy()
        if faces.any():
            some = corners[:, :, faces].swapaxes(0, 1)  # axis, corner, row
            around = sense * here.of(faces).turns(some, np.roll(some, -1, axis=1))
            side[faces] = (around < 0).argmax(axis=0)
            inside = (around >= 0).all(axis=0)
            found[row[faces]] = inside
            on_edge[row[faces]] = (around == 0).sum(axis=0)
            done[faces] = inside
        row, side = row[~done], side[~done]
        edge[row, 0] = fan[triangle[row], side]
        edge[row, 1] = fan[triangle[row], (side + 1) % 3]
        triangle[row] = across[triangle[row], side]
    return FaceWalk(found, triangle, edge, on_edge, visited)


def nearest(mesh: MeshTables, vertices: Floats, lines: Lines, sense: int) -> Ints:
    """Choose where walks begin, of some triangles: close to the line, facing as asked.

    About as many are tried as a walk from the best of them takes steps: twice the cube
    root of all (Devroye, Muecke and Zhu 1998, "A note on point location in Delaunay
    triangulations of random points").
    """
    fan = mesh.fan.vertex
    count = min(len(fan), 2 * round(len(fan) ** (1.0 / 3.0)))
    tried = np.arange(count) * len(fan) // count
    given: Any = [vertices[:, fan[tried, k], None] for k in range(3)]
    a, b, c = given
    step: Any = lines.step[:, None]
    aside = cross(a - lines.start[:, None], step)
    faces = sense * dot(cross(b - a, c - a), step) > 0
    best = np.where(faces, dot(aside, aside), np.inf).argmin(axis=0)
    out: Ints = tried[best].astype(np.int32)
    return out


def misses(vertices: Floats, lines: Lines, edge: Ints) -> Bools:
    """Prove, where it can be, that lines miss the hull of all vertices.

    A plane through the line, along an edge (n, 2), has all vertices strictly on one
    side, by more than rounding. Cost: O(V) for each line.
    """
    step = lines.step
    aim = vertices[:, edge[:, 1]] - vertices[:, edge[:, 0]]
    out = np.zeros(len(edge), np.bool_)
    block = max(1, 2**18 // vertices.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(0, len(edge), block):
            some = slice(i, i + block)
            d, e = step[:, some, None], aim[:, some, None]
            x, y, z = vertices[:, None] - lines.start[:, some, None]
            far = np.maximum(np.maximum(np.abs(x), np.abs(y)), np.abs(z)).max(axis=1)
            height = e[0] * (d[1] * z - d[2] * y) + e[1] * (d[2] * x - d[0] * z)
            height = height + e[2] * (d[0] * y - d[1] * x)
            size = far * np.abs(d).max(axis=0)[:, 0] * np.abs(e).max(axis=0)[:, 0]
            off = SLACK * size + 2.0**-1000
            above, below = height.min(axis=1) > off, height.max(axis=1) < -off
            out[some] = (above | below) & np.isfinite(off)
    return out


def _towards(corners: Any, step: Any) -> NDArray[np.intp]:
    """Choose the side of triangles (corner, axis, n) to leave, to turn along a step.

    The one whose outward direction in the triangle is most along the step.
    """
    a, b, c = corners
    n = cross(b - a, c - a)
    tilt = cross(n, step)
    straight = dot(tilt, tilt) <= ASIDE * dot(n, n) * dot(step, step)
    least = np.eye(3)[np.abs(step).argmin(axis=0)].T
    aim = np.where(straight, least, step)
    gain = [dot(cross(v - u, n), aim) for u, v in ((a, b), (b, c), (c, a))]
    side: NDArray[np.intp] = np.asarray(gain).argmax(axis=0)
    return side
