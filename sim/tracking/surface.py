"""One body as the arrays that an exhaustive search runs over, in the pair's frame."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body import Body
from sim.contact import Vec

Float = np.float64
Points = NDArray[Float]
Ids = NDArray[np.int64]


class Surface(NamedTuple):
    """The true surface of a body: every polygon is the fan from its first corner."""

    points: Points  # (V, 3)
    triangles: Ids  # (T, 3) vertices
    triangle_face: Ids  # (T,)
    segments: Ids  # (S, 2) vertices: the edges, then the inner diagonals of fans
    segment_face: Ids  # (S,) the face of a diagonal; -1 for an edge
    hinge: Ids  # (S, 2) triangles left and right of the segment
    convex: bool  # within the default tolerance of ``convexity``
    dent: float  # how far from convex [length unit of the input]
    collapsed: bool  # flat: without any volume


def surface_of(body: Body, origin: Vec) -> Surface:
    """Lay out a body: its linear part applied, its translation replaced."""
    mesh = body.mesh
    m = body.transform
    x, y, z = body.positions.T
    points = np.empty_like(body.positions)
    for i in range(3):
        points[:, i] = m[i, 0] * x + m[i, 1] * y + m[i, 2] * z + origin[i]
    triangles = mesh.fan.vertex.astype(np.int64)
    face = mesh.fan.face.astype(np.int64)
    segments, segment_face, hinge = _segments(triangles, face, mesh.n_vertices)
    if body.convexity == "trust":
        return Surface(
            points, triangles, face, segments, segment_face, hinge, True, 0.0, False
        )
    report = body.audit()
    return Surface(
        points,
        triangles,
        face,
        segments,
        segment_face,
        hinge,
        report.is_convex(),
        report.worst_depth,
        report.volume_sign == 0,
    )


def normals_of(surface: Surface) -> Points:
    """Return the unit normal of every triangle, (T, 3); 0 for one without area."""
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    return unit_rows(cross_rows(b - a, c - a))


def cross_rows(u: Points, v: Points) -> Points:
    """Return the vector products of matching rows."""
    return np.stack(
        [
            u[..., 1] * v[..., 2] - u[..., 2] * v[..., 1],
            u[..., 2] * v[..., 0] - u[..., 0] * v[..., 2],
            u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0],
        ],
        axis=-1,
    )


def dot_rows(u: Points, v: Points) -> Points:
    """Return the scalar products of matching rows, summed in order."""
    out: Points = u[..., 0] * v[..., 0] + u[..., 1] * v[..., 1] + u[..., 2] * v[..., 2]
    return out


def unit_rows(v: Points) -> Points:
    """Return the directions of the rows; 0 for a zero row."""
    scale = np.abs(v).max(axis=-1, keepdims=True)
    w = v / np.where(scale > 0.0, scale, 1.0)
    norm = np.sqrt(dot_rows(w, w))[..., None]
    out: Points = w / np.where(norm > 0.0, norm, 1.0)
    return out


def heights(points: Points, n: Vec) -> Points:
    """Return the height of every point along a direction, bit for bit everywhere."""
    out: Points = points[:, 0] * n[0] + points[:, 1] * n[1] + points[:, 2] * n[2]
    return out


def _segments(triangles: Ids, face: Ids, n_vertices: int) -> tuple[Ids, Ids, Ids]:
    """List edges and diagonals once each, edges in the mesh's own order first."""
    tail = triangles.ravel()
    tip = triangles[:, [1, 2, 0]].ravel()
    owner = np.repeat(np.arange(len(triangles)), 3)
    key = np.minimum(tail, tip) * n_vertices + np.maximum(tail, tip)
    order = np.argsort(key, kind="stable")
    one, two = order[0::2], order[1::2]
    inner = face[owner[one]] == face[owner[two]]
    rank = np.lexsort((one, inner))
    one, two, inner = one[rank], two[rank], inner[rank]
    return (
        np.stack([tail[one], tip[one]], axis=1),
        np.where(inner, face[owner[one]], -1),
        np.stack([owner[one], owner[two]], axis=1),
    )
