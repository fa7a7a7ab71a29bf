"""Measure how convex a body is: locally across every edge, and as a whole."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import (
    Vector,
    along,
    at,
    blocks,
    choose,
    circle,
    columns,
    cross,
    direction,
    dot,
    gather,
    length,
    subtract,
)
from wingedge.features import Feature
from wingedge.geometry import (
    Triangles,
    face_sums,
    fan_corners,
    fan_normals,
    is_flat,
    positions_of,
)
from wingedge.positions import extent
from wingedge.tables import Floats, Ints, MeshTables, once_per_mesh


@dataclass(frozen=True)
class ConvexityReport:
    """How far a body is from convex, at one set of positions.

    Attributes
    ----------
    worst_edge : int
        The edge with the deepest dent (the flattest one of a convex body).
    worst_depth : float
        Its depth [length unit of the input]: the most by which a vertex of one face
        stands above the plane of its neighbour across an edge; 0 if none does.
    worst : Feature
        Where that is: the edge, or a polygon that left its plane and is folded inwards
        along a diagonal of its fan (``worst_edge`` is then its first edge).
    reflex_edges : (k,) int32
        The edges dented deeper than `tolerance`, in order.
    folded_faces : (m,) int32
        The polygons folded inwards deeper than `tolerance`, in order.
    globally_convex : bool
        No edge is reflex, no face folded, and the surface winds exactly once round its
        inside: a star prism {5/2} passes every edge and fails here.
    genus : int
        Number of handles, from Euler's formula; 0 for whatever is convex.
    winding : int
        How often the surface winds round its centre of volume; 0 for a flat body.
    volume_sign : int
        1, or -1 for a body that is inside-out (judged as the same solid seen from
        inside), or 0 for one that is flat.
    tolerance : float
        1e-9 size + 8 eps max|x|: size is the largest extent about the centre, the
        second term what rounding leaves at that distance from the origin.
    """

    worst_edge: int
    worst_depth: float
    worst: Feature
    reflex_edges: Ints
    folded_faces: Ints
    globally_convex: bool
    genus: int
    winding: int
    volume_sign: int
    tolerance: float

    def is_convex(self, tolerance: float | None = None) -> bool:
        """Tell whether no dent is deeper than the tolerance, and the whole is convex.

        ``tolerance`` is a length; None means the report's own.
        """
        allowed = self.tolerance if tolerance is None else tolerance
        once = self.winding == self.volume_sign != 0 and self.genus == 0
        return once and self.worst_depth <= allowed


class Sides(NamedTuple):
    """The sides of the triangles of all fans, (T, 3): from corner k to k + 1."""

    across: Ints  # the third corner of the triangle on the other side
    apex: Ints  # the vertex of the face there that is farthest off the side, at rest
    face: Ints  # the face there
    edge: Ints  # the number of the edge; -1 - f for a diagonal of face f
    turned: NDArray[np.bool_]  # whether the side runs from the tip to the tail of it
    pair: Ints  # (E, 2): which two sides are at an edge


def convexity(mesh: MeshTables, points: ArrayLike | None = None) -> ConvexityReport:
    """Measure the dents of a body, and whether it is convex as a whole.

    Raises ValueError if the shape is wrong or a vertex is not finite, and names it.

    Returns: a value; it does not follow later changes of the positions.

    A polygon whose corners leave its plane by no more than the tolerance (or the
    ``planar_tolerance`` of the mesh) is flat: its plane has the Newell normal, its
    diagonals are nothing.  One that is warped further is the fan of triangles from its
    first corner, and its diagonals are hinges like the edges.  The plane of a face or
    of such a triangle passes through the tail of a side; looked at across it is the
    neighbour's vertex farthest from the side (at rest), or the third corner of the
    triangle there if the neighbour is warped. Local convexity and winding number one
    together prove convexity: the surface is then star-shaped about its centre (Mehlhorn
    et al., "Checking geometric programs", Comput. Geom. 12, 1999). Cost: O(E), 0.2 ms
    at E = 600; nothing computed from positions is kept.

    Parameters: ``points`` (V, 3): current positions, body frame; at rest if None.
    """
    if not hasattr(mesh, "fan"):
        said = "give a WingedEdgeMesh; a body has body.audit()"
        raise TypeError(f"a {type(mesh).__name__} is no mesh; {said}")
    positions = positions_of(mesh, points)
    centre, size, noise = extent(positions)
    local = np.asfortranarray(positions - centre)
    tolerance = 1e-9 * size + noise

    corners, normals = fan_corners(mesh, local), fan_normals(mesh, local)
    allowed = tolerance * length(normals) + 2.0**-48 * size**3  # of slivers
    sign, winding = _winding(corners, normals, allowed)
    off = _off_plane(mesh, corners, normals)
    loose = warped = None
    if off is not None:
        warped = off > max(tolerance, mesh.planar_tolerance * size)
        loose = (off > tolerance) & ~warped
    depth, fold = _depths(mesh, local, normals, -1 if sign < 0 else 1, loose, warped)
    if sign and max(depth.max(), fold.max()) <= tolerance:
        _look_past_slivers(mesh, local, corners, normals, sign, tolerance, depth)
    worst, folded = int(depth.argmax()), int(fold.argmax())
    deepest = float(max(depth[worst], fold[folded]))
    where = Feature("edge", worst)
    if fold[folded] > depth[worst]:
        where, worst = Feature("face", folded), int(mesh.face_edge[folded])
    reflex = np.flatnonzero(depth > tolerance).astype(np.int32)
    folds = np.flatnonzero(fold > tolerance).astype(np.int32)
    genus = 1 - (mesh.n_vertices - mesh.n_edges + mesh.n_faces) // 2
    return ConvexityReport(
        worst_edge=worst,
        worst_depth=max(deepest, 0.0),
        worst=where,
        reflex_edges=reflex,
        folded_faces=folds,
        globally_convex=deepest <= tolerance and winding == sign != 0 and genus == 0,
        genus=genus,
        winding=winding,
        volume_sign=sign,
        tolerance=tolerance,
    )


def _off_plane(mesh: MeshTables, corners: Triangles, normals: Vector) -> Floats | None:
    """Measure how far every polygon leaves the plane through its first corner, (F,).

    None where every face is a triangle.
    """
    face = mesh.fan.face
    if len(face) == mesh.n_faces:
        return None
    unit = at(direction(face_sums(mesh, normals)), face)
    base = dot(unit, corners[0])
    off = np.zeros(mesh.n_faces)
    for corner in corners[1:]:
        np.maximum.at(off, face, abs(dot(unit, corner) - base))
    return off


def _depths(
    mesh: MeshTables,
    local: Floats,
    normals: Vector,
    sign: int,
    loose: NDArray[np.bool_] | None,
    warped: NDArray[np.bool_] | None,
) -> tuple[Floats, Floats]:
    """Find the deepest dents, (E,) across the edges and (F,) across the diagonals.

    Of faces (F,) that are ``loose`` the tip of an edge is looked at as well; the
    ``warped`` ones are their triangles.
    """
    sides = sides_of(mesh)
    areas = face_sums(mesh, normals)
    above = np.empty(sides.apex.shape)
    for some in blocks(len(above)):
        face, apex, turned = mesh.fan.face[some], sides.apex[some], sides.turned[some].T
        plane = direction(at(areas, face))
        if warped is not None:
            plane = choose(warped[face], direction(at(normals, some)), plane)
            apex = np.where(warped[sides.face[some]], sides.across[some], apex)
        heights = dot(plane, gather(local, mesh.fan.vertex[some].T))
        ends = heights[[1, 2, 0]]
        tail = np.where(turned, ends, heights)
        over = sign * (dot(plane, gather(local, apex.T)) - tail)
        if loose is not None:
            fall = sign * (np.where(turned, heights, ends) - tail)
            over = np.where(loose[face], np.maximum(over, fall), over)
        above[some] = over.T
    fold = np.full(mesh.n_faces, -np.inf)
    if warped is not None:
        inner = (sides.edge < 0) & warped[sides.face]
        np.maximum.at(fold, -1 - sides.edge[inner], above[inner])
    flat = above.ravel()
    return np.maximum(flat[sides.pair[:, 0]], flat[sides.pair[:, 1]]), fold


def _look_past_slivers(
    mesh: MeshTables,
    local: Floats,
    corners: Triangles,
    normals: Vector,
    sign: int,
    tolerance: float,
    depth: Floats,
) -> None:
    """Compare every face with every vertex where a face is too thin to part two others.

    A triangle without width lies in both planes at its edges: a groove that it runs
    along shows at none of them. Raises ``depth`` (E,) at the face that the groove
    stands above. Cost: O(F V), only where there is such a triangle.
    """
    longest = np.zeros(mesh.n_faces)
    for some in blocks(len(mesh.fan.face)):
        a, b, c = (at(corner, some) for corner in corners)
        sides = [length(subtract(*two)) for two in ((a, b), (b, c), (c, a))]
        np.maximum.at(longest, mesh.fan.face[some], np.maximum.reduce(sides))
    areas = face_sums(mesh, normals)
    thin = length(areas) <= 4.0 * tolerance * longest
    if not thin.any():
        return
    wide = np.flatnonzero(~thin)
    x, y, z = (sign * column[wide] for column in direction(areas))
    anchor = gather(local, mesh.corners.vertex[mesh.corners.start[wide]])
    base = dot((x, y, z), anchor)
    step = max(1, 2**20 // mesh.n_vertices)
    for i in range(0, len(wide), step):
        some = slice(i, i + step)
        u = (x[some, None], y[some, None], z[some, None])
        heights = dot(u, (local[:, 0], local[:, 1], local[:, 2])).max(axis=1)
        np.maximum.at(depth, mesh.face_edge[wide[some]], heights - base[some])


def _winding(corners: Triangles, normals: Vector, allowed: Floats) -> tuple[int, int]:
    """Find the sign of the volume, and how often the surface winds round its centre.

    The winding number is the sum of the signed solid angles over 4 pi (Van Oosterom
    and Strackee, 1983); 0 as well where the centre is not below every face.
    """
    volumes = dot(corners[0], normals)
    volume = float(volumes.sum())
    if is_flat(corners, normals):
        return 0, 0
    sign = 1 if volume > 0 else -1
    first, second, third = corners
    sums = (a + b + c for a, b, c in zip(first, second, third, strict=True))
    centre = columns([float((volumes * x).sum()) / (4 * volume) for x in sums])
    solid = volumes - dot(normals, centre)
    if (sign * solid < -allowed).any():
        return sign, 0
    turn = np.empty(len(solid))
    for some in blocks(len(solid)):
        a, b, c = (subtract(at(corner, some), centre) for corner in corners)
        la, lb, lc = length(a), length(b), length(c)
        flat = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
        turn[some] = np.arctan2(solid[some], flat)
    return sign, round(float(turn.sum()) / (2 * np.pi))


@once_per_mesh
def sides_of(mesh: MeshTables) -> Sides:
    """Tabulate the sides of the fans: topology, and which vertex is far at rest.

    Made once per mesh; read-only.
    """
    start, half = mesh._face_rings
    corner, owner = mesh.fan
    count = len(owner)
    # where each half-edge lies among the sides: one per triangle, and both ends
    face = np.repeat(np.arange(mesh.n_faces), np.diff(start))
    side = 3 * (np.arange(len(half)) - 2 * face) - 2
    side[start[:-1]] += 2
    side[start[1:] - 1] -= 2
    place = np.empty(len(half), np.int32)
    place[half] = side
    edge = np.repeat(-1 - owner[:, None], 3, axis=1)
    edge.ravel()[side] = half >> 1
    third = corner[:, [2, 0, 1]]
    across = np.empty((count, 3), np.int32)
    across[1:, 0] = corner[:-1, 1]
    across[:-1, 2] = corner[1:, 2]
    across.ravel()[place] = third.ravel()[place.reshape(-1, 2)[:, ::-1].ravel()]
    apex = across
    beyond = np.repeat(owner[:, None], 3, axis=1)
    beyond.ravel()[place] = mesh.edge_faces[:, ::-1].ravel()
    if count > mesh.n_faces:
        apex = across.copy()
        far = np.empty(len(half), np.int32)
        far[half] = _farthest(mesh)
        apex.ravel()[place] = far.reshape(-1, 2)[:, ::-1].ravel()
    turned = np.zeros((count, 3), np.bool_)
    turned.ravel()[place[1::2]] = True
    return Sides(across, apex, beyond, edge, turned, place.reshape(-1, 2))


def _farthest(mesh: MeshTables) -> Ints:
    """Find for every corner the vertex of its face farthest from the side leaving it.

    Of polygons, the farthest of at most 16 candidates.
    """
    start, vertex = mesh.corners
    count = np.diff(start)
    apex = np.empty_like(vertex)
    for n in np.unique(count):
        faces = np.flatnonzero(count == n)
        step = 2**20 // int(n) ** 2 if n <= 16 else 1  # bounds the memory
        for i in range(0, len(faces), step):
            corner = start[faces[i : i + step]][:, None] + np.arange(n)
            apex[corner] = _opposite(mesh.points, vertex[corner])
    return apex


def _opposite(points: Floats, ring: Ints) -> Ints:
    """Find the corner farthest from every edge of polygons (F, n), as (F, n)."""
    n = ring.shape[1]
    corners = gather(points - points[ring[0, 0]], ring)
    edges = subtract(at(corners, (slice(None), np.arange(1, n + 1) % n)), corners)
    first = at(corners, (slice(None), slice(0, 1)))
    spokes = subtract(corners, first)
    fans = cross(at(spokes, np.s_[:, 1:-1]), at(spokes, np.s_[:, 2:]))
    x, y, z = (column.sum(axis=1, keepdims=True) for column in fans)
    inward = cross((x, y, z), edges)
    some = np.arange(n)
    if n > 16:  # the extremes in 16 directions see every edge from well off its line
        u = direction(at(edges, np.s_[:, :1]))
        v = cross(direction((x, y, z)), u)
        turns = circle(16)
        aim = along(
            (u[0] * turns[:, 0], u[1] * turns[:, 0], u[2] * turns[:, 0]), v, turns[:, 1]
        )
        some = np.unique(_heights(corners, aim).argmax(axis=1))
    best = _heights(at(corners, (slice(None), some)), inward).argmax(axis=1)
    return np.take_along_axis(ring, some[best], axis=1)


def _heights(corners: Vector, aims: Vector) -> Floats:
    """Measure corners (F, k) along directions (F, m), as (F, k, m)."""
    return dot(at(corners, np.s_[:, :, None]), at(aims, np.s_[:, None, :]))
