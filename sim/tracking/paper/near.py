"""A body read vertex by vertex: the features around one, laid out for a search."""

from typing import NamedTuple

import numpy as np

from sim.body.body import Body
from sim.contact import Vec
from sim.kernels.vector import cross, dot, minus, place, unit
from sim.tracking.brute.surface import Surface
from sim.tracking.buffers import floats
from wingedge import Feature, WingedEdgeMesh, neighbours


class Neighbourhood:
    """Read the vertices of one body in the pair's frame, each once, when asked.

    ``origin`` is the body's translation relative to that of the first body.
    """

    def __init__(self, body: Body, origin: Vec) -> None:
        self.mesh = body.mesh
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
        normals=np.array([near.outward(f) for _, f in fans]),
        triangle_face=np.array([f for _, f in fans], np.int64),
        segments=table[:, :2],
        segment_face=table[:, 2],
        hinge=np.zeros((len(table), 2), np.int64),
        convex=False,
        dent=0.0,
        collapsed=False,
        inverted=False,
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
