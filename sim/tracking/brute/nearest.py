"""The closest pair of features of two surfaces, by comparing every pair; its names."""

from typing import NamedTuple

import numpy as np

from sim.result.answer import Vec
from sim.tracking.brute.surface import Ids, Points, Surface
from sim.tracking.proof.triangle_gap import near_pairs, vertex_gaps
from wingedge.primitives import point_triangle, segment_segment


class Nearest(NamedTuple):
    """The closest vertex-face or edge-edge pair, A's part first."""

    distance: float
    point_a: Vec
    point_b: Vec
    vertices_a: tuple[int, ...]  # one, two or three
    vertices_b: tuple[int, ...]
    index_a: int  # the vertex, segment or triangle
    index_b: int


def nearest_pair(a: Surface, b: Surface) -> Nearest:
    """Find the closest pair of features; ties go to VF, then FV, then EE, low first.

    Every pair is looked at: bounded by the boxes around both, and measured unless that
    proves it farther than the best.  Cost: O(V_a F_b + F_a V_b + E_a E_b).
    """
    d, p, q, on_b, on_a, j, i = _vertex_face(b, a)
    flipped = Nearest(d, q, p, on_a, on_b, i, j)
    found = _vertex_face(a, b), flipped, _edge_edge(a, b)
    return min(found, key=lambda pair: pair.distance)


def vertex_face_pairs(a: Surface, b: Surface, band: float = 0.0) -> tuple[Ids, Ids]:
    """List the vertices of A and triangles of B that may be closest, or by ``band``."""
    return _near(a.points[:, None], b.points[b.triangles], band)


def edge_pairs(a: Surface, b: Surface, band: float = 0.0) -> tuple[Ids, Ids]:
    """List the segments of A and of B that may be closest, or by ``band``."""
    return _near(a.points[a.segments], b.points[b.segments], band)


def _near(some: Points, others: Points, band: float) -> tuple[Ids, Ids]:
    """List the pairs whose boxes are no farther apart than the nearest corners."""
    apart = vertex_gaps(some, others).min()
    # Rounding of distances must not hide the closest pair.
    spare = band + 1e-12 * (apart + np.ptp(some) + np.ptp(others))
    found = list(near_pairs(some, others, apart + spare))
    i, j, _ = (np.concatenate(column) for column in zip(*found, strict=True))
    return i, j


def _vertex_face(a: Surface, b: Surface) -> Nearest:
    v, t = vertex_face_pairs(a, b)
    corners = b.points[b.triangles[t]]
    hit = point_triangle.closest(a.points[v], *corners.swapaxes(0, 1))
    k = int(hit.distance_sq.argmin())
    return Nearest(
        float(np.sqrt(hit.distance_sq[k])),
        _vec(a.points[v[k]]),
        _vec(hit.point[k]),
        (int(v[k]),),
        tuple(b.triangles[t[k]][hit.weights[k] > 0.0].tolist()),
        int(v[k]),
        int(t[k]),
    )


def _edge_edge(a: Surface, b: Surface) -> Nearest:
    i, j = edge_pairs(a, b)
    p, q = a.points[a.segments[i]], b.points[b.segments[j]]
    hit = segment_segment.closest(p[:, 0], p[:, 1], q[:, 0], q[:, 1])
    k = int(hit.distance_sq.argmin())
    return Nearest(
        float(np.sqrt(hit.distance_sq[k])),
        _vec(hit.point_p[k]),
        _vec(hit.point_q[k]),
        _ends(a.segments[i[k]], float(hit.s[k])),
        _ends(b.segments[j[k]], float(hit.t[k])),
        int(i[k]),
        int(j[k]),
    )


def _ends(segment: Ids, t: float) -> tuple[int, ...]:
    tail, tip = segment.tolist()
    if t <= 0.0:
        return (tail,)
    return (tip,) if t >= 1.0 else (tail, tip)


def _vec(row: Points) -> Vec:
    x, y, z = row.tolist()
    return x, y, z


def own_names(
    surface: Surface, vertices: tuple[int, ...]
) -> tuple[int, tuple[int, ...]]:
    """Name a vertex, a segment or a triangle by the user's numbers."""
    if len(vertices) == 1:
        return 0, vertices
    if len(vertices) == 2:
        same = np.isin(surface.segments, vertices).all(axis=1)
        if same.any():
            face = int(surface.segment_face[s := int(same.argmax())])
            return (2, (face,)) if face >= 0 else (1, (s,))
    inside = np.isin(surface.triangles, vertices).sum(axis=1)
    return 2, (int(surface.triangle_face[int(inside.argmax())]),)
