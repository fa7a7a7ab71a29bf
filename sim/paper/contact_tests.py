"""The two contact tests of the paper: a face with a vertex, an edge with an edge.

The paper (section 4.1) prints one sentence for both, that an edge meets the plane
which contains the face.  It cannot tell them apart, so each gets a reading of its own.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

from sim.body.body import Body
from sim.engine.bound import floats
from sim.kernels import vector
from sim.kernels.vector import along, back, cross, dot, minus, place, reach_of, unit
from sim.result.answer import Vec
from sim.tracking.brute.surface import Surface
from wingedge import Feature, WingedEdgeMesh, neighbours
from wingedge.mesh import printed


class Neighbourhood:
    """Read the vertices of one body in the pair's frame, each once, when asked.

    ``origin`` is the body's translation relative to that of the first body.
    """

    def __init__(self, body: Body, origin: Vec) -> None:
        self.body, self.mesh = body, body.mesh
        self.read: dict[int, Vec] = {}
        self._points = floats(body._points)
        self._pose = floats(body.transform)
        self._origin = origin

    def __getitem__(self, v: int) -> Vec:
        """Return the position of a vertex."""
        if v not in self.read:
            self.read[v] = place(self._points, self._pose, self._origin, v)
        return self.read[v]

    def triangles(self, f: int) -> list[tuple[int, int, int]]:
        """Return the fan of a face, from its first corner."""
        c = self.mesh.face_vertices(f).tolist()
        return [(c[0], c[k], c[k + 1]) for k in range(1, len(c) - 1)]

    def outward(self, f: int) -> Vec:
        """Return the unit normal of a face, weighted by the areas of its fan."""
        x, y, z = 0.0, 0.0, 0.0
        for i, j, k in self.triangles(f):
            n = cross(minus(self[j], self[i]), minus(self[k], self[i]))
            x, y, z = x + n[0], y + n[1], z + n[2]
        return unit((x, y, z))


class Patch(NamedTuple):
    """Some features of a body as a surface, and what its numbers stand for."""

    surface: Surface
    vertices: list[int]  # number in the mesh of each vertex of the surface
    edges: list[int]  # and of each segment; -1 for the diagonal of a face

    def name(self, vertices: tuple[int, ...], index: int) -> Feature:
        """Name the part that ``Nearest`` tells by its vertices and its index."""
        if len(vertices) == 1:
            return Feature("vertex", self.vertices[vertices[0]])
        if len(vertices) == 3:
            return Feature("face", int(self.surface.triangle_face[index]))
        same = (self.surface.segments == sorted(vertices)).all(axis=1)
        s = int(same.argmax())
        if self.edges[s] >= 0:
            return Feature("edge", self.edges[s])
        return Feature("face", int(self.surface.segment_face[s]))


def within(mesh: WingedEdgeMesh, start: Feature, steps: int) -> list[Feature]:
    """List the features within some steps of one, itself first.

    Step by step in the paper's order, ``wingedge.neighbours``, without repeats.
    """
    found = {start: None}
    rim = [start]
    for _ in range(steps):
        fresh = dict.fromkeys(n for f in rim for n in neighbours(mesh, f))
        rim = [f for f in fresh if f not in found]
        found.update(dict.fromkeys(rim))
    return list(found)


def edges_of(mesh: WingedEdgeMesh, features: list[Feature]) -> list[int]:
    """List the edges among features and around their faces, in order of mention."""
    found: dict[int, None] = {}
    for kind, index in features:
        if kind == "edge":
            found[index] = None
        elif kind == "face":
            found.update(dict.fromkeys(mesh.face_edges(index).tolist()))
    return list(found)


def ends_of(mesh: WingedEdgeMesh, edges: list[int]) -> list[int]:
    """List the vertices of edges, in order of mention."""
    ends = mesh.edge_vertices[edges].ravel().tolist()
    return list(dict.fromkeys(ends))


def patch_of(near: Neighbourhood, features: list[Feature]) -> Patch:
    """Lay features out as a surface: their faces as fans, edges and vertices."""
    mesh = near.mesh
    faces = [f.index for f in features if f.kind == "face"]
    edges = edges_of(mesh, features)
    vertices = ends_of(mesh, edges)
    place_of = {v: k for k, v in enumerate(vertices)}
    fans = [(t, f) for f in faces for t in near.triangles(f)]
    sides = [
        (*sorted(place_of[v] for v in mesh.edge_vertices[e].tolist()), -1, e)
        for e in edges
    ]
    for f in faces:
        first, *others = (place_of[v] for v in mesh.face_vertices(f).tolist())
        sides += [(*sorted((first, other)), f, -1) for other in others[1:-1]]
    table = np.array(sides, np.int64)
    surface = Surface(
        points=np.array([near[v] for v in vertices]),
        triangles=np.array([[place_of[v] for v in t] for t, _ in fans], np.int64),
        triangle_face=np.array([f for _, f in fans], np.int64),
        segments=table[:, :2],
        segment_face=table[:, 2],
        body=near.body,
    )
    return Patch(surface, vertices, table[:, 3].tolist())


def beyond(
    near: Neighbourhood, corners: list[int], n: Vec, x: Vec
) -> tuple[float, int]:
    """Return how far a point lies beyond the worst side of a ring, and which side.

    Seen along the normal ``n`` about which the ring runs counter-clockwise; negative
    within.
    """
    found = (-np.inf, 0)
    for k, v in enumerate(corners):
        w = corners[(k + 1) % len(corners)]
        out = unit(cross(minus(near[w], near[v]), n))
        found = max(found, (dot(minus(x, near[v]), out), k))
    return found


LEVEL = 1e-12  # per unit of size: vertices this near to the lowest are as low


class Hit(NamedTuple):
    """What became of one test of an element against the other body."""

    partner: Feature  # of the other body, the likeliest
    test: str  # "passed", or the condition that failed
    loss: float  # by what length it failed
    culprit: Feature | None = None
    says: str = ""
    gap: float = 0.0  # signed distance, where it passed
    normal: Vec = (0.0, 0.0, 0.0)  # unit, from the element to the partner
    point: Vec = (0.0, 0.0, 0.0)  # on the element

    @property
    def passed(self) -> bool:
        """Whether the element is in contact."""
        return self.test == "passed"


def face_vertex(
    own: Neighbourhood, other: Neighbourhood, f: int, edges: list[int], threshold: float
) -> Hit:
    """Test a face for an FV contact with the other body's edges around.

    Our reading: an edge of the other body reaches the plane of the face with its lower
    end.  That end, the lowest of all, lies over the face and within the threshold of
    its plane; where several are as low, the one that lies farthest inside is taken.
    """
    n = own.outward(f)
    corners = own.mesh.face_vertices(f).tolist()
    base = own[corners[0]]
    heights = {v: dot(minus(other[v], base), n) for v in ends_of(other.mesh, edges)}
    low = min(heights.values())
    size = max(reach_of(other[v], base) for v in heights)
    level = [v for v in heights if heights[v] <= low + LEVEL * size]
    rims = [beyond(own, corners, n, other[v]) for v in level]
    (miss, side), v = min(zip(rims, level, strict=True), key=lambda each: each[0][0])
    partner = Feature("vertex", v)
    x = other[v]
    if miss > 0.0:
        edge = Feature("edge", int(own.mesh.face_edges(f)[side]))
        says = f"{partner} lies beyond {printed(own.mesh, edge)} of f{f}"
        return Hit(partner, "beside", miss, edge, says)
    # Of a fan that is not flat, the triangle under the vertex.
    nearest = min(own.triangles(f), key=lambda t: beyond(own, list(t), n, x)[0])
    i, j, k = (own[w] for w in nearest)
    n = unit(cross(minus(j, i), minus(k, i)))
    h = dot(minus(x, i), n)
    if abs(h) > threshold:
        says = f"{partner} is {abs(h):.6g} from the plane of f{f}"
        return Hit(partner, "distance", abs(h) - threshold, partner, says)
    return Hit(partner, "passed", 0.0, None, "", h, n, along(x, -h, n))


def edge_edge(
    own: Neighbourhood, other: Neighbourhood, e: int, edges: list[int], threshold: float
) -> Hit:
    """Test an edge for an EE contact with the other body's edges around.

    Our reading: each of the two edges passes, between its ends, through the plane that
    holds the other one and their common normal; so both feet of the common
    perpendicular lie inside, and it is no longer than the threshold.  Of several that
    pass, the nearest.
    """
    tail, tip = own.mesh.edge_vertices[e].tolist()
    left, right = (own.outward(f) for f in own.mesh.edge_faces[e].tolist())
    outward = along(left, 1.0, right)
    found = []
    for k in edges:
        i, j = other.mesh.edge_vertices[k].tolist()
        ends = own[tail], own[tip], other[i], other[j]
        found.append(_crossed(Feature("edge", k), *ends, outward, threshold))
    best = min(found, key=lambda hit: (not hit.passed, abs(hit.gap), hit.loss))
    return best._replace(says=best.says.format(printed(other.mesh, best.partner)))


def _crossed(
    partner: Feature, p0: Vec, p1: Vec, q0: Vec, q1: Vec, outward: Vec, threshold: float
) -> Hit:
    d, e = minus(p1, p0), minus(q1, q0)
    meet, s, _, w, sine = vector.crossing(p0, q0, d, e)
    if not meet:
        loss = overshoot(d, e, minus(q0, p0))
        says = f"the common perpendicular with {{}} ends {loss:.6g} beyond"
        return Hit(partner, "beside", loss, partner, says)
    n = unit(cross(d, e))
    if dot(n, outward) < 0.0:
        n = back(n)
    gap = dot(n, w)
    if abs(gap) > sqrt(sine) * max(reach_of(p0, p1), reach_of(q0, q1)):
        # Nearly parallel and apart: the points know the normal better.
        n = unit(w) if gap > 0.0 else back(unit(w))
        gap = dot(n, w)
    if abs(gap) > threshold:
        says = f"{{}} is {abs(gap):.6g} away"
        return Hit(partner, "distance", abs(gap) - threshold, partner, says)
    return Hit(partner, "passed", 0.0, None, "", gap, n, along(p0, s, d))


def overshoot(d: Vec, e: Vec, r: Vec) -> float:
    """Return how far the feet of a common perpendicular lie beyond two segments.

    The segments run along ``d`` and ``e``, ``r`` from the start of the first to that
    of the second.  Parallel ones have no such feet: infinite is said as the length of
    both, which no test can pass.
    """
    dd, de, ee = dot(d, d), dot(d, e), dot(e, e)
    bottom = dd * ee - de * de
    if not bottom > 0.0:
        return sqrt(dd) + sqrt(ee)
    s = (dot(d, r) * ee - dot(e, r) * de) / bottom
    t = (dot(d, r) * de - dot(e, r) * dd) / bottom
    over_s = max(0.0, -s, s - 1.0) * sqrt(dd)
    over_t = max(0.0, -t, t - 1.0) * sqrt(ee)
    return max(over_s, over_t)


class Outside(NamedTuple):
    """How far a point lies outside the Voronoi region of a feature, and past what."""

    by: float  # [length unit of the input]; 0 or less within
    past: Feature  # the neighbour that is nearer; the face itself from below


def outside(own: Neighbourhood, feature: Feature, x: Vec) -> Outside:
    """Return how far a point lies outside the region of a feature of a body.

    The regions are closed: on a border the point is within both.  An edge or a face
    without extent bounds nothing.  Cost: the vertices and faces around the feature.
    """
    return max(_borders(own, feature, x), key=lambda each: each.by)


def _borders(own: Neighbourhood, feature: Feature, x: Vec) -> Iterator[Outside]:
    """Measure past every border of the region of a feature."""
    mesh, (kind, k) = own.mesh, feature
    if kind == "vertex":  # the plane through it across each of its edges
        for e in mesh.vertex_edges(k).tolist():
            tail, tip = mesh.edge_vertices[e].tolist()
            away = unit(minus(own[tip if tail == k else tail], own[k]))
            yield Outside(dot(minus(x, own[k]), away), Feature("edge", e))
    elif kind == "edge":  # past both ends, and into either face
        tail, tip = mesh.edge_vertices[k].tolist()
        left, right = mesh.edge_faces[k].tolist()
        d = unit(minus(own[tip], own[tail]))
        from_tail, from_tip = minus(x, own[tail]), minus(x, own[tip])
        yield Outside(-dot(from_tail, d), Feature("vertex", tail))
        yield Outside(dot(from_tip, d), Feature("vertex", tip))
        for f, into in (
            (left, cross(own.outward(left), d)),
            (right, cross(d, own.outward(right))),
        ):
            yield Outside(dot(from_tail, into), Feature("face", f))
    else:  # below it, and beyond each of its sides
        corners = mesh.face_vertices(k).tolist()
        n = own.outward(k)
        yield Outside(-dot(minus(x, own[corners[0]]), n), Feature("face", k))
        miss, side = beyond(own, corners, n, x)
        yield Outside(miss, Feature("edge", int(mesh.face_edges(k)[side])))
