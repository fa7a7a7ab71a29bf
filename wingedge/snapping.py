"""Make a body convex that is so but for the rounding of its file; numbers stay."""

from dataclasses import replace
from pathlib import Path
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, coo_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import spsolve

from wingedge.convex import convexity
from wingedge.errors import ConvexityError
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import extent
from wingedge.tables import Floats

Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]

DEEPEST = 250.0  # times as far: such a dent is no rounding, and not looked at
MOVED = 4.0  # by how many roundings a vertex may be moved
ROUNDS = 20  # in which faces are taken together that are still dented
ENOUGH = 1e-12  # how far from its plane a vertex may stay, relative to the size
STEPS = 8  # of Newton's method; three do where few planes meet
TILT, SOFT = 1e-3, 1e-12  # prices of tilting planes, of missing them


def rounding(points: Floats) -> float:
    """Return by how much a file may have rounded coordinates, as its numbers tell.

    Half the spacing of float32 at the largest of them if all are such numbers; else
    half a unit of the last decimal; that of float64 if they have more than 12.
    """
    largest = float(np.abs(points).max(initial=0.0))
    if (points == points.astype(np.float32)).all():
        return float(np.spacing(np.float32(largest))) / 2.0
    for decimals in range(1, 13):
        if (points == np.round(points, decimals)).all():
            return 0.5 * 10.0**-decimals
    return float(np.spacing(largest))


def as_read(mesh: WingedEdgeMesh, path: Path, *, convex: bool) -> WingedEdgeMesh:
    """Return a mesh convex, or as it is; then warn of dents as deep as its rounding."""
    if convex:
        return snapped(mesh)
    report = convexity(mesh)
    depth = report.worst_depth
    if not report.is_convex() and 0.0 < depth <= MOVED * rounding(mesh.points):
        said = (
            f"{report.worst} is dented by {depth:.3g}, as the rounding of a file does"
        )
        warn(f"{path}: {said}; read(path, convex=True) mends it", stacklevel=3)
    return mesh


def snapped(mesh: WingedEdgeMesh) -> WingedEdgeMesh:
    """Return the mesh, convex: what is dented by rounding alone lies in one plane.

    Polygons, and faces that a dent parts taken together, get their vertices moved into
    the plane that fits them best, by no more than four times the rounding of the
    coordinates.  No face, edge or vertex gets another number.

    Raises ConvexityError if that does not make it convex; names the worst edge.
    """
    limit, points = MOVED * rounding(mesh.points), mesh.points
    before = report = convexity(mesh)
    together = np.zeros(mesh.n_edges, bool)
    polygons = np.diff(mesh.corners.start) > 3  # each is flat by itself, first of all
    for k in range(ROUNDS):
        dents, deep = report.reflex_edges, report.worst_depth > DEEPEST * limit
        by_itself = not k and bool(polygons.any())
        if deep or report.is_convex() or (together[dents].all() and not by_itself):
            break
        together[dents] = not by_itself
        points = _flattened(mesh, points, together, polygons)
        if not np.linalg.norm(points - mesh.points, axis=1).max() <= limit:
            break
        report = convexity(mesh, points)
    moved = float(np.linalg.norm(points - mesh.points, axis=1).max())
    if report.is_convex() and moved <= limit:
        return mesh if points is mesh.points else replace(mesh, points=points)
    raise ConvexityError(
        f"is not convex, and not by rounding alone: {before.worst} is dented by "
        f"{before.worst_depth:.3g}, coordinates are rounded by {limit / MOVED:.3g}; "
        "leave convex=True out, or take its convex_hull"
    )


def _flattened(
    mesh: WingedEdgeMesh, points: Floats, together: Mask, polygons: Mask
) -> Floats:
    """Move vertices into the planes of polygons and of faces that edges join."""
    left, right = mesh.edge_faces[together].T
    links = coo_array((np.ones(len(left)), (left, right)), shape=(mesh.n_faces,) * 2)
    of_face = connected_components(links, directed=False)[1]
    some = polygons.copy()
    some[left] = some[right] = True
    start = mesh.corners.start
    face = np.repeat(np.arange(mesh.n_faces), np.diff(start))
    of_some = some[face]
    key = of_face[face[of_some]].astype(np.int64) * mesh.n_vertices
    key = np.unique(key + mesh.corners.vertex[of_some])
    region = np.unique(key // mesh.n_vertices, return_inverse=True)[1].ravel()
    vertex = key % mesh.n_vertices
    for _ in range(STEPS):
        moves = _newton_step(points, vertex, region)
        if moves is None:
            break
        points = points + moves
    return points


def _newton_step(points: Floats, vertex: Ints, region: Ints) -> Floats | None:
    """Return the least moves (V, 3) of vertices into planes that fit their regions.

    Parameters: ``vertex``, ``region`` (n,): which vertices are in which region.  Planes
    may tilt about two axes and shift, which costs next to nothing.  None where all are
    near enough.
    """
    count = np.bincount(region)[:, None]
    middle = np.zeros((len(count), 3))
    np.add.at(middle, region, points[vertex])
    off = points[vertex] - (middle / count)[region]
    spread = np.zeros((len(count), 3, 3))
    np.add.at(spread, region, off[:, :, None] * off[:, None, :])
    axes = np.linalg.eigh(spread)[1][region]
    local = np.einsum("ij,ijk->ik", off, axes)
    height, n = local[:, 0], len(vertex)
    if np.abs(height).max() <= ENOUGH * extent(points).size:
        return None
    size = np.sqrt(np.trace(spread, axis1=1, axis2=2))[region, None]
    follows = -np.hstack([local[:, 1:] / size, np.ones((n, 1))])
    row = np.repeat(np.arange(n), 3)
    at, column = ((3 * k[:, None] + np.arange(3)).ravel() for k in (vertex, region))
    shape = n, points.size
    moves = coo_array((axes[:, :, 0].ravel(), (row, at)), shape=shape).tocsr()
    tilts = 3 * len(count)
    turns = coo_array((follows.ravel(), (row, column)), shape=(n, tilts))
    missed = moves @ moves.T + SOFT * eye_array(n)
    whole = block_array([[TILT * eye_array(tilts), turns.T], [turns, -missed]])
    forces = spsolve(whole.tocsc(), np.append(np.zeros(tilts), -height))[tilts:]
    return -(moves.T @ forces).reshape(-1, 3)
