"""How convex a body is: locally across every edge, and as a whole."""

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from wingedge.columns import (
    Vector,
    along,
    at,
    circle,
    cross,
    direction,
    dot,
    gather,
    length,
    subtract,
)
from wingedge.geometry import Triangles, face_sums, fan_corners, is_flat
from wingedge.mesh import Floats, Ints, WingedEdgeMesh
from wingedge.positions import extent, positions_of


@dataclass(frozen=True, slots=True)
class ConvexityReport:
    """How far a body is from convex, at one set of positions.

    Attributes
    ----------
    worst_edge : int
        The edge with the deepest dent (the flattest one of a convex body).
    worst_depth : float
        Its depth [length unit of the input]: the most by which a vertex of one face
        stands above the plane of its neighbour across an edge; 0 if none does.
    reflex_edges : (k,) int32
        The edges dented deeper than `tolerance`, in order.
    globally_convex : bool
        No edge is reflex, and the surface winds exactly once round its inside: a star
        prism {5/2} passes every edge and fails here.
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
    reflex_edges: Ints
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


class _Hinges(NamedTuple):
    """What is looked at per edge; vertex and face numbers only."""

    apex: Ints  # (2, E) [side]: the vertex of that face farthest from the edge
    polygons: bool


_HINGES: WeakKeyDictionary[WingedEdgeMesh, _Hinges] = WeakKeyDictionary()


def convexity(mesh: WingedEdgeMesh, points: ArrayLike | None = None) -> ConvexityReport:
    """Measure the dents of a body, and whether it is convex as a whole.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    points : (V, 3) array_like, optional
        Current positions, body frame; the rest positions when None.

    Returns
    -------
    ConvexityReport
        A value; it does not follow later changes of the positions.

    Raises
    ------
    ValueError
        If the shape is wrong or a coordinate is not finite, naming the vertex.

    Notes
    -----
    The plane of a face has its Newell normal and passes through the tail of the edge;
    looked at are the edge's tip and the neighbour's vertex farthest from the edge (at
    rest). Local convexity and winding number one together prove convexity: the surface
    is then star-shaped about its centre and locally convex everywhere (Mehlhorn et
    al., "Checking geometric programs", Comput. Geom. 12, 1999). Cost: O(E), 0.2 ms at
    E = 600; nothing computed from positions is kept.
    """
    positions = positions_of(mesh, points)
    centre, size, noise = extent(positions)
    local = positions - centre
    tolerance = 1e-9 * size + noise

    corners = fan_corners(mesh, local)
    normals = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]))
    sign, winding = _winding(corners, normals, tolerance)
    depth = _depths(mesh, local, normals)
    if sign < 0:
        depth = -depth
    depth = depth.max(axis=0)
    if sign and depth.max() <= tolerance:
        _look_past_slivers(mesh, local, corners, normals, sign, tolerance, depth)
    worst = int(depth.argmax())
    reflex = np.flatnonzero(depth > tolerance).astype(np.int32)
    genus = 1 - (mesh.n_vertices - mesh.n_edges + mesh.n_faces) // 2
    return ConvexityReport(
        worst_edge=worst,
        worst_depth=max(float(depth[worst]), 0.0),
        reflex_edges=reflex,
        globally_convex=not len(reflex) and winding == sign != 0 and genus == 0,
        genus=genus,
        winding=winding,
        volume_sign=sign,
        tolerance=tolerance,
    )


def _depths(mesh: WingedEdgeMesh, local: Floats, normals: Vector) -> Floats:
    """Find how far each face stands above its neighbour's plane, (2 or 4, E)."""
    hinges = _HINGES.get(mesh)
    if hinges is None:
        hinges = _HINGES[mesh] = _hinges(mesh)
    unit = direction(face_sums(mesh, normals))
    faces = at(unit, mesh.edge_faces.T)  # (2, E)
    ends = gather(local, mesh.edge_vertices.T)
    tail = at(ends, 0)
    above = dot(faces, subtract(gather(local, hinges.apex[::-1]), tail))
    if not hinges.polygons:
        return above
    # a warped face shows at its own edges
    along_edge = dot(faces, subtract(at(ends, 1), tail))
    return np.concatenate([above, along_edge])


def _look_past_slivers(
    mesh: WingedEdgeMesh,
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
    sides = [length(subtract(corners[k], corners[k - 1])) for k in range(3)]
    longest = np.zeros(mesh.n_faces)
    np.maximum.at(longest, mesh.fan.face, np.max(sides, axis=0))
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


def _winding(corners: Triangles, normals: Vector, tolerance: float) -> tuple[int, int]:
    """Find the sign of the volume, and how often the surface winds round its centre.

    The winding number is the sum of the signed solid angles over 4 pi (Van Oosterom
    and Strackee, 1983); 0 as well where the centre is not below every face.
    """
    volumes = dot(corners[0], normals)
    volume = float(volumes.sum())
    areas = length(normals)
    if is_flat(corners, normals):
        return 0, 0
    sign = 1 if volume > 0 else -1
    first, second, third = corners
    middle = [
        float((volumes * (first[k] + second[k] + third[k])).sum()) / (4 * volume)
        for k in range(3)
    ]
    centre: Vector = (np.array(middle[0]), np.array(middle[1]), np.array(middle[2]))
    solid = volumes - dot(normals, centre)
    if (sign * solid < -tolerance * areas).any():
        return sign, 0
    a, b, c = (subtract(corner, centre) for corner in corners)
    la, lb, lc = length(a), length(b), length(c)
    flat = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
    turns = float(np.arctan2(solid, flat).sum()) / (2 * np.pi)
    return sign, round(turns)


def _hinges(mesh: WingedEdgeMesh) -> _Hinges:
    """Find, for both faces of every edge, the vertex farthest from the edge at rest."""
    start, vertex = mesh.corners
    count = np.diff(start)
    corner = np.arange(len(vertex))
    face = np.repeat(np.arange(mesh.n_faces), count)
    apex = vertex[start[face] + (corner - start[face] + 2) % count[face]]
    polygons = bool(count.max() > 3)
    if polygons:
        apex = _farthest(mesh, apex)
    half = mesh._face_rings[1]
    sides = np.empty(len(half), dtype=np.int32)
    sides[half] = apex
    return _Hinges(np.ascontiguousarray(sides.reshape(-1, 2).T), polygons)


def _farthest(mesh: WingedEdgeMesh, apex: Ints) -> Ints:
    """Replace the apex of polygon corners by the farthest of at most 16 candidates."""
    start, vertex = mesh.corners
    count = np.diff(start)
    apex = apex.copy()
    for n in np.unique(count[count > 3]):
        faces = np.flatnonzero(count == n)
        step = max(1, 2**20 // int(n) ** 2) if n <= 16 else 1  # bounds the memory
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
            (u[0] * turns[:, 0], u[1] * turns[:, 0], u[2] * turns[:, 0]),
            v,
            turns[:, 1],
        )
        some = np.unique(_heights(corners, aim).argmax(axis=1))
    best = _heights(at(corners, (slice(None), some)), inward).argmax(axis=1)
    return np.take_along_axis(ring, some[best], axis=1)


def _heights(corners: Vector, aims: Vector) -> Floats:
    """Measure corners (F, k) along directions (F, m), as (F, k, m)."""
    return dot(at(corners, np.s_[:, :, None]), at(aims, np.s_[:, None, :]))
