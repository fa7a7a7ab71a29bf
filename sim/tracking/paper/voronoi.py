"""The Voronoi criterion: whether two features are the closest, seen from themselves.

The paper does not ask it.  Lin and Canny (1991) do: two points of disjoint convex
bodies are the closest if each lies in the Voronoi region of the other's feature, the
part of space that is nearer to it than to the features beside it.  Of a body that is
not convex the regions are those of the features around alone, and prove nothing.
"""

from typing import NamedTuple

from sim.contact import Vec
from sim.kernels.vector import cross, dot, minus, unit
from sim.tracking.paper.near import Neighbourhood, beyond
from wingedge import Feature


class Outside(NamedTuple):
    """How far a point lies outside the Voronoi region of a feature, and past what."""

    by: float  # [length unit of the input]; 0 or less within
    past: Feature  # the neighbour that is nearer; the face itself from below


def outside(own: Neighbourhood, feature: Feature, x: Vec) -> Outside:
    """Return how far a point lies outside the region of a feature of a body.

    The regions are closed: on a border the point is within both.  An edge or a face
    without extent bounds nothing.  Cost: the vertices and faces around the feature.
    """
    if feature.kind == "vertex":
        return _of_vertex(own, feature.index, x)
    if feature.kind == "edge":
        return _of_edge(own, feature.index, x)
    return _of_face(own, feature.index, x)


def _of_vertex(own: Neighbourhood, v: int, x: Vec) -> Outside:
    """Measure past the plane through the vertex across each of its edges."""
    found = []
    for e in own.mesh.vertex_edges(v).tolist():
        tail, tip = own.mesh.edge_vertices[e].tolist()
        away = unit(minus(own[tip if tail == v else tail], own[v]))
        found.append(Outside(dot(minus(x, own[v]), away), Feature("edge", e)))
    return max(found, key=lambda each: each.by)


def _of_edge(own: Neighbourhood, e: int, x: Vec) -> Outside:
    """Measure past both ends, and past the edge into either face."""
    tail, tip = own.mesh.edge_vertices[e].tolist()
    left, right = own.mesh.edge_faces[e].tolist()
    d = unit(minus(own[tip], own[tail]))
    from_tail, from_tip = minus(x, own[tail]), minus(x, own[tip])
    into_left, into_right = cross(own.outward(left), d), cross(d, own.outward(right))
    found = (
        Outside(-dot(from_tail, d), Feature("vertex", tail)),
        Outside(dot(from_tip, d), Feature("vertex", tip)),
        Outside(dot(from_tail, into_left), Feature("face", left)),
        Outside(dot(from_tail, into_right), Feature("face", right)),
    )
    return max(found, key=lambda each: each.by)


def _of_face(own: Neighbourhood, f: int, x: Vec) -> Outside:
    """Measure below the face, and beyond each of its sides."""
    corners = own.mesh.face_vertices(f).tolist()
    n = own.outward(f)
    below = Outside(-dot(minus(x, own[corners[0]]), n), Feature("face", f))
    miss, side = beyond(own, corners, n, x)
    beside = Outside(miss, Feature("edge", int(own.mesh.face_edges(f)[side])))
    return max(below, beside, key=lambda each: each.by)
