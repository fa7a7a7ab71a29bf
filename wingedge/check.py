"""Check every invariant of a mesh by name: the links of its arrays, then positions."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge import faces, signs
from wingedge.build import TOPOLOGY, Polygons, check_topology, wing
from wingedge.columns import at, columns, cross, direction, dot, gather, length, rows
from wingedge.convex import convexity
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.geometry import face_sums, fan_normals
from wingedge.positions import (
    EPS,
    Positions,
    as_points,
    check_coincident,
    check_finite,
    check_magnitude,
    extent,
)
from wingedge.tables import MeshTables, following, ranges, starts

Mesh = TypeVar("Mesh", bound=MeshTables)
_ADVICE = "build the mesh with from_faces"


def check_links(mesh: MeshTables) -> None:
    """Check shapes and ranges, both walks, and that one walk meets each element.

    Raises MeshError under the names "indices in range" and "linked arrays".
    """
    _check_ranges(mesh)
    _check_starts(mesh)
    _check_steps(mesh)
    for rings, kind in ((mesh._face_rings, "face"), (mesh._vertex_rings, "vertex")):
        start, half = rings
        seen = np.bincount(half, minlength=2 * mesh.n_edges)
        if (seen != 1).any():
            position = int(np.argmax(seen[half] != 1))
            index = int(np.searchsorted(start, position, side="right")) - 1
            raise MeshError(
                f"the walk around {kind} {index} misses some of its edges; {_ADVICE}",
                "linked arrays",
                Feature(kind, index),
            )


def _check_ranges(mesh: MeshTables) -> None:
    v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
    wanted = {
        "points": ((v, 3), 0, ""),
        "edge_vertices": ((e, 2), v, "edge"),
        "edge_faces": ((e, 2), f, "edge"),
        "edge_wings": ((e, 2, 2), e, "edge"),
        "vertex_edge": ((v,), e, "vertex"),
        "face_edge": ((f,), e, "face"),
    }
    for name, (shape, bound, kind) in wanted.items():
        array: NDArray[np.int32] = getattr(mesh, name)
        if array.shape != shape:
            raise MeshError(
                f"{name} has shape {array.shape}, it must be {shape}; {_ADVICE}",
                "linked arrays",
            )
        wrong = ((array < 0) | (array >= bound)).reshape(len(array), -1)
        if kind and np.any(wrong):
            row = int(np.argmax(np.any(wrong, axis=1)))
            raise MeshError(
                f"{name}[{row}] is {array[row].tolist()}, beyond 0 to {bound - 1}; "
                f"{_ADVICE}",
                "indices in range",
                Feature(kind, row),
            )


def _check_starts(mesh: MeshTables) -> None:
    same = mesh.edge_vertices[:, 0] == mesh.edge_vertices[:, 1]
    same |= mesh.edge_faces[:, 0] == mesh.edge_faces[:, 1]
    if same.any():
        row = int(np.argmax(same))
        raise MeshError(
            f"edge {row} joins something to itself; {_ADVICE}",
            "linked arrays",
            Feature("edge", row),
        )
    for kind, first, pairs in (
        ("vertex", mesh.vertex_edge, mesh.edge_vertices),
        ("face", mesh.face_edge, mesh.edge_faces),
    ):
        away = (pairs[first] != np.arange(len(first))[:, None]).all(axis=1)
        if away.any():
            row = int(np.argmax(away))
            raise MeshError(
                f"{kind}_edge[{row}] is edge {first[row]}, which is not at {kind} "
                f"{row}; {_ADVICE}",
                "linked arrays",
                Feature(kind, row),
            )


def _check_steps(mesh: MeshTables) -> None:
    """Check that every half-edge is followed along its face by the right one."""
    ahead, back = following(mesh, 1), following(mesh, 0)
    half = np.arange(2 * mesh.n_edges)
    start, face = mesh.edge_vertices.ravel(), mesh.edge_faces.ravel()
    broken = (face[ahead] != face) | (start[ahead] != start[half ^ 1])
    broken |= (face[back] != face) | (back[ahead] != half)
    if broken.any():
        h = int(np.argmax(broken))
        e = h >> 1
        raise MeshError(
            f"edge_wings[{e}] is {mesh.edge_wings[e].tolist()}, which does not go on "
            f"around face {face[h]} from vertex {start[h ^ 1]}; {_ADVICE}",
            "linked arrays",
            Feature("edge", e),
        )


def validate(
    mesh: MeshTables,
    points: ArrayLike | None = None,
    *,
    planar_tolerance: float | None = None,
) -> None:
    """Check every invariant in `INVARIANTS`, in order; return nothing when all hold.

    Raises MeshError for the first invariant that is broken: ``.invariant`` is its name,
    ``.element`` the vertex, edge or face; TypeError, ValueError if ``points`` is not a
    real (V, 3) array.

    Cost: O(E) sorts and gathers. Only a body that is not convex has its faces compared
    with each other: a third of a second for 100 000 faces.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    points : (V, 3) array_like, optional
        Current positions to judge instead of the rest positions, body frame.
    planar_tolerance : float, optional
        How far corners may leave the plane of their polygon, relative to the size;
        None means what the mesh was built with.
    """
    check_links(mesh)
    start, vertex = mesh.corners
    check_topology(Polygons(mesh.n_vertices, start.astype(int), vertex.astype(int)))
    positions = mesh.points if points is None else as_points(points)
    if positions.shape != mesh.points.shape:
        raise ValueError(
            f"points have shape {positions.shape}; this mesh needs {mesh.points.shape}"
        )
    check_positions(mesh, positions, planar_tolerance)


def check_positions(
    mesh: MeshTables, positions: Positions, planar_tolerance: float | None = None
) -> None:
    """Check the invariants of positions alone, on a mesh whose topology is sound."""
    surface = positions_to_check(mesh, positions, planar_tolerance)
    for _, check in _POSITIONS:
        check(surface)


def check_flatness(mesh: MeshTables, positions: Positions) -> None:
    """Refuse positions at which a polygon leaves its plane."""
    faces.check_planar(positions_to_check(mesh, positions))


def positions_to_check(
    mesh: MeshTables, positions: Positions, planar_tolerance: float | None = None
) -> faces.CheckedPositions:
    """Measure positions for the checks; refuse what is no number, or too large."""
    if planar_tolerance is None:
        planar_tolerance = mesh.planar_tolerance
    check_finite(positions)
    about = extent(positions)
    check_magnitude(positions, about)
    planar = planar_tolerance * about.size + about.noise
    local = np.asfortranarray(positions - about.centre)
    normals = fan_normals(mesh, local)
    return faces.CheckedPositions(mesh, positions, local, about, planar, normals)


def check_flat(surface: faces.CheckedPositions) -> None:
    """Refuse bodies without thickness over the plane of their largest triangle."""
    largest = length(surface.normals).argmax()
    normal = direction(at(surface.normals, largest))
    heights = dot(columns(surface.local), normal)
    thickness = float(heights.max() - heights.min())
    if thickness <= surface.extent.noise:
        raise MeshError(
            f"the mesh is flat, {thickness:.3g} thick; give the body a volume",
            "positive volume",
        )


def check_outward(surface: faces.CheckedPositions) -> None:
    """Refuse bodies that are inside-out, as a whole or in part."""
    first = gather(surface.local, surface.mesh.fan.vertex[:, 0])
    inside = float(dot(first, surface.normals).sum()) / 6
    nothing = surface.extent.noise * float(length(surface.normals).sum()) / 2
    doubt = len(surface.mesh.fan.vertex) * EPS * surface.extent.size**3
    if inside <= nothing and abs(inside) <= 64 * doubt:  # as of a needle of 1e-10
        inside, nothing = _exact_volume(surface), 0.0
    if inside <= nothing:
        how = "inside-out" if inside < -nothing else "inside-out in part"
        raise MeshError(
            f"the mesh is {how}, its volume is {inside:.6g}; reverse the corners of "
            "its faces, so that they are counter-clockwise seen from outside",
            "positive volume",
        )


def _exact_volume(surface: faces.CheckedPositions) -> float:
    """Return the volume without rounding: products of long edges have none of it."""
    from fractions import Fraction

    whole = [[Fraction(x) for x in point] for point in surface.points.tolist()]
    total = Fraction(0)
    for a, b, c in surface.mesh.fan.vertex.tolist():
        total += signs.volume(*whole[0], *whole[a], *whole[b], *whole[c])
    return float(total / 6)


def check_self_touch(surface: faces.CheckedPositions) -> None:
    """Refuse surfaces that touch, cross or fold onto themselves."""
    if not convexity(surface.mesh, surface.local).is_convex():
        faces.check_touching(surface.mesh, surface.local, surface.extent.noise)


# in this order: the better explanation of a trouble comes first
_POSITIONS: tuple[tuple[str, Callable[[faces.CheckedPositions], None]], ...] = (
    ("positive volume", check_flat),
    ("no self-touch", lambda surface: check_coincident(surface.points)),
    ("no zero area", faces.check_zero_area),
    ("convex faces", faces.check_convex_faces),
    ("planar faces", faces.check_planar),
    ("positive volume", check_outward),
    ("no self-touch", check_self_touch),
)

INVARIANTS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            "indices in range",
            "linked arrays",
            *TOPOLOGY,
            "finite",
            "sane magnitude",
            *(name for name, _ in _POSITIONS),
        )
    )
)


def cut(mesh: Mesh, everything: bool) -> Mesh:
    """Cut polygons that are not convex into triangles, or ``everything``.

    Convex ones into the fans from their first corners, others by clipping ears in the
    plane of their vector area, the roundest first.  ``source_faces`` are the numbers
    before.  Raises MeshError for a polygon that is not simple, naming it.
    """
    start, vertex = mesh.corners
    count = np.diff(start)
    if count.max() == 3:
        return mesh
    surface = positions_to_check(mesh, mesh.points)
    check_coincident(mesh.points)
    faces.check_zero_area(surface)
    crossing, beyond = faces.corner_turns(surface)
    bad = crossing | (np.maximum.reduceat(beyond, start[:-1]) > 0.0)
    fans = everything & ~bad & (faces.fan_heights(surface) > surface.extent.noise)
    chosen = (count > 3) & (bad | (everything & ~fans))
    if not (everything or chosen.any()):
        return mesh
    normal = rows(direction(face_sums(mesh, surface.normals)))
    source = mesh.fan.face if everything else np.arange(len(count), dtype=np.int32)
    corner = mesh.fan.vertex.ravel() if everything else vertex
    many = np.full(len(source), 3) if everything else count
    whole = ~chosen[source]
    corners = [corner[np.repeat(whole, many)]]
    for f in np.flatnonzero(chosen).tolist():
        ring = vertex[start[f] : start[f + 1]]
        ears = [] if crossing[f] else _ears(surface, ring, normal[f])
        if not ears:
            faces.refuse_crossing(mesh, f)
        corners.append(ring[np.ravel(ears)])
    cut_up = np.repeat(np.flatnonzero(chosen), count[chosen] - 2)
    source = np.concatenate([source[whole], cut_up])
    many = np.concatenate([many[whole], np.full(len(cut_up), 3)])
    order = np.argsort(source, kind="stable")  # each where its polygon was
    corner = np.concatenate(corners)[ranges(starts(many)[order], many[order])]
    polygons = Polygons(mesh.n_vertices, starts(many[order]), corner.astype(np.int64))
    kept = mesh.planar_tolerance if many.max() > 3 else 1e-9
    made = type(mesh)(*wing(mesh.points, polygons), planar_tolerance=kept)
    return replace(made, source_faces=source[order].astype(np.int32))


def _ears(
    surface: faces.CheckedPositions, ring: NDArray[np.integer], normal: Positions
) -> list[tuple[int, int, int]]:
    """Cut a polygon into triangles; into none if it meets itself.

    Each is a corner and those beside it, with no other corner in it or within rounding
    of it.  A simple polygon has one; of those within rounding, the exact test decides.
    """
    axis = np.zeros(3)
    axis[np.argmin(np.abs(normal))] = 1.0
    n, p = columns(normal), columns(surface.local[ring])
    u = direction(cross(n, columns(axis)))
    x = np.stack([dot(p, u), dot(p, cross(n, u))], axis=1)
    if not _is_simple(x):
        return []
    for noise in (surface.extent.noise, 0.0):
        left, found = list(range(len(ring))), []
        worth = [_ear(x, left, k, noise) for k in left]
        while len(left) > 3:
            if max(worth) == 0.0:  # a corner may have been in the way that is not now
                worth = [_ear(x, left, k, noise) for k in range(len(left))]
            k = int(np.argmax(worth))
            if worth[k] == 0.0:
                break
            found.append((left[k - 1], left[k], left[(k + 1) % len(left)]))
            del left[k], worth[k]
            for beside in (k - 1, k % len(left)):
                worth[beside] = _ear(x, left, beside, noise)
        if len(left) == 3 and max(worth) > 0.0:
            return [*found, (left[0], left[1], left[2])]
    return []


def _ear(x: Positions, ring: list[int], k: int, noise: float) -> float:
    """Return how round the triangle at a corner is; 0 if it cannot be cut off."""
    k -= len(ring) if k == len(ring) - 1 else 0
    triangle = x[[ring[k - 1], ring[k], ring[k + 1]]]
    side = triangle[[1, 2, 0]] - triangle
    size = np.sqrt((side * side).sum(axis=1))
    area = float(side[0, 0] * side[1, 1] - side[0, 1] * side[1, 0])
    longest = float(size.max())
    if area <= noise * longest:
        return 0.0
    others = [v for v in ring if v not in (ring[k - 1], ring[k], ring[k + 1])]
    to = x[others][:, None] - triangle
    inside = side[:, 0] * to[:, :, 1] - side[:, 1] * to[:, :, 0] >= -noise * size
    return 0.0 if inside.all(axis=1).any() else area / longest**2


def _is_simple(x: Positions) -> bool:
    """Tell, exactly, whether a polygon of the plane (n, 2) meets itself nowhere."""
    n = len(x)
    end = np.roll(x, -1, axis=0)
    low, high = np.minimum(x, end), np.maximum(x, end)
    i, j = np.triu_indices(n, 1)
    near = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
    i, j = i[near], j[near]
    a, b, c, d = x[i].T, end[i].T, x[j].T, end[j].T
    one, two, three, four = (
        signs.sign(signs.area, *p, *q, *r)
        for p, q, r in ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    )
    meet = (one * two <= 0) & (three * four <= 0)
    beside = (j - i == 1) | (j - i == n - 1)  # these meet, and may fold back
    back = np.where(j - i == 1, ((b - a) * (d - c)).sum(0), ((d - c) * (b - a)).sum(0))
    folds = (one == 0) & (two == 0) & (back < 0)
    return not (meet & (~beside | folds)).any()
