"""Find where rays and segments first and last meet a body, by walks over its faces.

Nothing is kept between two questions but numbers of faces that the caller hands back.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import cross, dot, unit_normals
from wingedge.convex import convexity, sides_of
from wingedge.geometry import positions_of
from wingedge.primitives.arguments import points as split
from wingedge.primitives.lines import Lines, scan
from wingedge.tables import Ints, MeshTables, frozen, once_per_mesh

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.integer]


class Hits(NamedTuple):
    """Where lines meet the surface of a body first, and last.

    Where a line misses: t is infinite, points and normals are NaN, faces are -1.
    """

    hit: Bools  # (...)
    t: Floats  # (...) of the start + t (end - start), or of the start + t direction
    point: Floats  # (..., 3)
    normal: Floats  # (..., 3) of the face, outward, unit length
    face: Ints  # (...)
    entering: Bools  # (...) the face looks against the line: it comes from outside
    last_t: Floats  # (...)
    last_point: Floats  # (..., 3)
    last_normal: Floats  # (..., 3)
    last_face: Ints  # (...)
    visited: Ints  # (...) how many triangles were looked at
    hint: Ints  # (..., 2) faces to begin with next time


def segment(
    mesh: MeshTables,
    start: ArrayLike,
    end: ArrayLike,
    *,
    points: ArrayLike | None = None,
    hint: ArrayLike | None = None,
    convex: bool | None = None,
) -> Hits:
    """Find where segments meet the surface of a body.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    start, end : (..., 3) array_like
        Body frame; shapes broadcast. A segment of no length is its point.
    points : (V, 3) array_like, optional
        Current positions, body frame; the rest positions when None.
    hint : (..., 2) integers, optional
        Faces to begin with: the ``hint`` of an answer for lines near these. It costs or
        saves time, and never changes a bit of the answer but ``visited`` and ``hint``.
        IndexError where the mesh has no such face.
    convex : bool, optional
        Whether to walk. None asks `wingedge.convexity` (0.2 ms at E = 600, each call);
        True is the caller's word for it, False looks at all faces.

    Notes
    -----
    The surface is closed: touching a face, an edge or a corner is a hit, and where a
    segment lies in a face, it meets it first where it begins to. ``hit`` and ``face``
    are exact for the numbers given. Of several faces at one place, the first is one
    that looks against the line and the last one that looks along it, then the one with
    the lowest number. A body that is convex within the tolerance of `convexity` may be
    met up to that much too late. Points are within 1e-13 of the largest coordinate.

    Polygons are their fans of triangles. The first face is proved by exact signs: the
    line passes inside of its outline, and it looks against the line; on a convex body
    there is one such place. That a line misses is proved by a plane through it with all
    vertices on one side; a walk that ends without either proof, a line that only grazes
    with an end in the surface, and a body that is not convex, are answered by a look at
    all faces. Many lines are walked side by side, in numpy, which costs a tenth of
    a look at all of 1280 faces; their first faces are the best of a few tried. Measured
    by ``benchmarks/bench_primitives.py``.
    """
    return _answer(mesh, ("start", start, "end", end), points, hint, convex)


def ray(
    mesh: MeshTables,
    start: ArrayLike,
    direction: ArrayLike,
    *,
    points: ArrayLike | None = None,
    hint: ArrayLike | None = None,
    convex: bool | None = None,
) -> Hits:
    """Find where rays meet the surface of a body.

    Parameters
    ----------
    mesh, points, hint, convex
        As for `segment`.
    start, direction : (..., 3) array_like
        The rays ``start + t direction``, t >= 0; t counts directions, of any length.
        One of no length is the start alone.
    """
    return _answer(mesh, ("start", start, "direction", direction), points, hint, convex)


class _Surface(NamedTuple):
    mesh: MeshTables
    vertices: Floats  # (3, V)

    def corners(self, triangle: Indices) -> Floats:
        """Gather the corners of triangles, (3 corners, 3, n)."""
        index = self.mesh.fan.vertex[triangle].T
        return self.vertices[:, index].swapaxes(0, 1)


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def _answer(
    mesh: MeshTables,
    given: tuple[str, ArrayLike, str, ArrayLike],
    points: ArrayLike | None,
    hint: ArrayLike | None,
    convex: bool | None,
) -> Hits:
    positions = positions_of(mesh, points, any_size=True)
    first, second = split(3, **{given[0]: given[1], given[2]: given[3]})
    flat = np.broadcast_arrays(*first, *second)
    shape = flat[0].shape
    both = np.stack(flat).reshape(2, 3, -1)
    lines = Lines(both[0], both[1], given[2] == "direction")
    surface = _Surface(mesh, np.ascontiguousarray(positions.T))
    faces = _faces(mesh, hint, shape)
    if convex is None:
        report = convexity(mesh, positions)
        convex = report.is_convex() and report.volume_sign > 0
    n = both.shape[2]
    ends = np.full((2, n), -1, np.int32)
    t = np.full((2, n), np.inf)
    visited = np.zeros(n, np.int32)
    open_ = np.ones(n, np.bool_)
    if convex and n:
        open_ = _by_walking(surface, lines, faces, ends, visited)
    rest = np.nonzero(open_)[0]
    if len(rest):
        found = scan(surface.vertices, mesh.fan.vertex, lines.of(rest))
        ends[:, rest] = found.first, found.last
        t[:, rest] = found.t, found.last_t
        visited[rest] += len(mesh.fan.face)
    return _assembled(surface, lines, ends, t, visited, faces, shape)


def _by_walking(
    surface: _Surface, lines: Lines, faces: Ints, ends: Indices, visited: Ints
) -> Bools:
    """Fill in what walks find, also the faces of the next hint; tell what is open."""
    mesh, vertices = surface
    warm = faces[0] >= 0
    begin = mesh.corners.start[:-1] - 2 * np.arange(mesh.n_faces)  # triangle of a face
    where = begin[np.maximum(faces, 0)]
    if not warm.all():
        for k, sense in enumerate((ENTERING, LEAVING)):
            where[k, ~warm] = nearest(mesh, vertices, lines.of(~warm), sense)
    into = walk(mesh, vertices, lines, where[0], ENTERING)
    visited += into.visited
    faces[0] = mesh.fan.face[into.triangle]
    open_ = np.ones(len(warm), np.bool_)
    lost = np.nonzero(~into.found)[0]
    open_[lost] = ~misses(vertices, lines.of(lost), into.edge[lost])
    row = np.nonzero(into.found)[0]
    near = into.triangle[row]
    out = walk(mesh, vertices, lines.of(row), where[1, row], LEAVING)
    visited[row] += out.visited
    faces[1, row] = mesh.fan.face[out.triangle]
    grazing = (into.on_edge[row] > 0) | (out.on_edge > 0)
    sure = out.found & ~grazing
    row, near, far = row[sure], near[sure], out.triangle[sure]
    here, before, behind = lines.of(row), surface.corners(near), surface.corners(far)
    # whether the places where the line enters and leaves are on it, not off its ends
    on_near, on_far = here.starts(before) >= 0, here.starts(behind) <= 0
    if not lines.endless:
        on_near &= here.ends(before) <= 0
        on_far &= here.ends(behind) >= 0
    ends[0, row] = np.where(on_near, near, np.where(on_far, far, -1))
    ends[1, row] = np.where(on_far, far, np.where(on_near, near, -1))
    open_[row] = here.rough(before) > here.rough(behind)  # the body is inside-out
    return open_


def _assembled(
    surface: _Surface,
    lines: Lines,
    ends: Indices,
    t: Floats,
    visited: Ints,
    faces: Ints,
    shape: tuple[int, ...],
) -> Hits:
    """Turn the triangles met first and last into an answer."""
    n = ends.shape[1]
    point, normal = np.full((2, n, 3), np.nan), np.full((2, n, 3), np.nan)
    face = np.full((2, n), -1, np.int32)
    entering = np.zeros(n, np.bool_)
    row = np.nonzero(ends[0] >= 0)[0]
    at = np.repeat([0, 1], len(row)), np.tile(row, 2)
    here, corners = lines.of(at[1]), surface.corners(ends[at])
    rise = here.rises(corners)
    entering[row] = rise[: len(row)] < 0
    if rise.all():
        t[at] = here.crossing(corners)
    else:  # what lies in its triangle's plane keeps what the look at all faces found
        across = np.nonzero(rise)[0]
        some = here.of(across).crossing(corners[:, :, across])
        t[at[0][across], at[1][across]] = some
    point[at] = here.at(t[at]).T
    normal[at] = unit_normals(*corners)
    face[at] = surface.mesh.fan.face[ends[at]]
    fields: list[Any] = [face[0] >= 0]
    for k in (0, 1):
        fields += [t[k], point[k], normal[k], face[k]] + [entering] * (k == 0)
    fields += [visited, np.maximum(faces, 0).T]
    return Hits(*(x.reshape(shape + x.shape[1:])[()] for x in fields))


def _faces(mesh: MeshTables, hint: ArrayLike | None, shape: tuple[int, ...]) -> Ints:
    """Check hints, (2, n) faces; -1 where there is none."""
    n = int(np.prod(shape))
    if hint is None:
        return np.full((2, n), -1, np.int32)
    given = np.asarray(hint)
    if given.dtype.kind not in "iu" or given.shape[-1:] != (2,):
        raise ValueError(
            f"hint is of shape {given.shape} and type {given.dtype}; give two face "
            "numbers for each line, as the hint of an earlier answer"
        )
    if given.size and not 0 <= given.min() <= given.max() < mesh.n_faces:
        worst = given.min() if given.min() < 0 else given.max()
        raise IndexError(f"hint {worst} is no face; there are {mesh.n_faces}")
    try:
        spread = np.broadcast_to(given, (*shape, 2))
    except ValueError:
        raise ValueError(
            f"hint is of shape {given.shape}, which does not fit lines of shape {shape}"
        ) from None
    return np.array(spread.reshape(n, 2).T, np.int32)


ENTERING, LEAVING = -1, 1
SLACK = 2.0**-46  # what rounding makes of a triple product, of the product of its sizes
ASIDE = 1e-12  # squared sine: a step so straight on a face does not say where to go


class FaceWalk(NamedTuple):
    """Results of walks over the faces, one for each line."""

    found: Bools  # (n,) the line passes through the triangle, and it faces as asked
    triangle: Ints  # (n,) of the fans, the last one looked at
    edge: Ints  # (n, 2) the vertices of the edge last crossed
    on_edge: NDArray[np.int8]  # (n,) how many of the triangle's edges the line meets
    visited: Ints  # (n,) how many triangles


@once_per_mesh
def beyond(mesh: MeshTables) -> Ints:
    """Tabulate the triangle of the fans across every side, (T, 3); topology only.

    Side k runs from corner k to the next. Made once per mesh; read-only.
    """
    own = np.repeat(np.arange(len(mesh.fan.face), dtype=np.int32)[:, None], 3, 1)
    table = own + np.array([-1, 0, 1], np.int32)  # across the diagonals of a fan
    one, two = sides_of(mesh).pair.T
    table.ravel()[one], table.ravel()[two] = own.ravel()[two], own.ravel()[one]
    return frozen(table)


def walk(
    mesh: MeshTables, vertices: Floats, lines: Lines, first: Ints, sense: int
) -> FaceWalk:
    """Walk to the triangles through which lines enter (sense -1) or leave (1) a body.

    Parameters: ``vertices`` (3, V): its positions now; ``first`` (n,): triangles of the
    fans where the walks begin.

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
    found, facing = np.zeros((2, n), np.bool_)
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
    """Choose where walks begin: triangles close to the lines, facing as asked.

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
    """Choose the side of triangles (corner, axis, n) whose outside is along a step."""
    a, b, c = corners
    n = cross(b - a, c - a)
    tilt = cross(n, step)
    straight = dot(tilt, tilt) <= ASIDE * dot(n, n) * dot(step, step)
    least = np.eye(3)[np.abs(step).argmin(axis=0)].T
    aim = np.where(straight, least, step)
    gain = [dot(cross(v - u, n), aim) for u, v in ((a, b), (b, c), (c, a))]
    side: NDArray[np.intp] = np.asarray(gain).argmax(axis=0)
    return side
