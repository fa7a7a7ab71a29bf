"""Build a mesh from points and faces; list neighbours and corners of its features."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from wingedge.build import Faces, wing
from wingedge.errors import MeshError
from wingedge.features import Feature, is_name
from wingedge.positions import is_single, single_rounding
from wingedge.registry import wings
from wingedge.tables import MeshTables, once_per_mesh

Ends = tuple[int, int]  # tail and tip of an edge


class WingedEdgeMesh(MeshTables):
    """Hold the topology of a closed surface and its rest positions; never changes.

    Build one with `from_faces`, `wingedge.read`, `wingedge.convex_hull` or
    `wingedge.shapes`. The constructor itself copies the arrays as they are and checks
    nothing; `wingedge.validate` does.

    Two walks reach everything, both counter-clockwise seen from outside: around a face
    ``e = edge_wings[e, 1 - side, side]`` (corner ``edge_vertices[e, side]``), around a
    vertex ``e = edge_wings[e, end, end]``.

    All arrays are read-only and C-contiguous, with no -1 anywhere. Vertex and face
    numbers are the user's own; edges are numbered by first appearance walking the
    faces in order. A mesh made by `wingedge.edits` keeps the numbers of the one before,
    so its edges are numbered, and directed, by their history.

    Attributes
    ----------
    points : (V, 3) float64
        Rest positions, body frame, length unit of the input.
    edge_vertices : (E, 2) int32
        [TAIL, TIP], in the direction of the edge's first appearance.
    edge_faces : (E, 2) int32
        [LEFT, RIGHT]; the left face runs from tail to tip.
    edge_wings : (E, 2, 2) int32
        [end, side]: the edge that shares this end vertex and this side face.
    vertex_edge : (V,) int32
        The lowest edge at the vertex; rings start there.
    face_edge : (F,) int32
        The edge that leaves the face's first corner.
    source_vertices, source_faces : (V,), (F,) int32
        Numbers in what the mesh was made from; of faces, before polygons were cut.
    planar_tolerance : float
        What `from_faces` was told to allow, relative to the size.
    resolution : float
        How far at most each vertex may be off, as where it was read from tells: of
        single precision the rounding at the largest coordinate; else 0.
    part_names, face_part : tuple of str, (F,) int32
        Names of parts, and which of them each face is in, -1: none; without parts both
        are empty.  ``parts`` gives the faces by name.
    """

    @classmethod
    def from_faces(
        cls,
        points: ArrayLike,
        faces: Faces,
        triangulate: bool = False,
        *,
        planar_tolerance: float = 1e-9,
    ) -> "WingedEdgeMesh":
        """Build a mesh from vertex positions and faces, and check every invariant.

        Raises MeshError naming the broken invariant, the element and what to do;
        TypeError or ValueError for arguments that are no arrays of such kind and shape.

        Returns a mesh, closed, oriented outward, connected; vertices and faces keep
        their numbers.

        Cost: O(V + E) sorts and gathers, a third of a second for 100 000 vertices.

        Parameters
        ----------
        points : (V, 3) array_like
            Real numbers, body frame.
        faces : (F, k) integers, or a sequence of sequences of integers
            Corners of every face, counter-clockwise seen from outside.
        triangulate : bool
            Split polygons into triangles, in order: convex ones into the fan from their
            first corner, other simple ones by clipping ears; see ``source_faces``.
        planar_tolerance : float
            How far corners may leave the plane of their polygon, relative to the
            body's size (its largest extent about the centre).
        """
        known = single_rounding(points) if is_single(points) else 0.0
        mesh = cls(*wing(points, faces), planar_tolerance=planar_tolerance)
        mesh = replace(mesh, resolution=known) if known else mesh
        if triangulate:
            mesh = wings.cut(mesh, everything=True)
        wings.check_positions(mesh, mesh.points)
        return mesh

    def with_parts(self, parts: Mapping[str, ArrayLike]) -> "WingedEdgeMesh":
        """Return the mesh with these named groups of faces, and no others.

        Parameters: ``parts``: face numbers by name, or a mask of all faces.

        Raises MeshError for a face in two parts or a name that no line could hold,
        IndexError for a face that there is not, TypeError for what is no mapping.
        """
        if not isinstance(parts, Mapping):
            raise TypeError(f"parts={parts!r}: write {{'heel': faces, ...}}")
        known = np.full(self.n_faces, -1, np.int32)
        for k, (name, given) in enumerate(parts.items()):
            if not (isinstance(name, str) and is_name(name)):
                why = "a name is of printable letters without '/' and '->'"
                raise MeshError(f"a part cannot be called {name!r}: {why}")
            some = np.atleast_1d(np.asarray(given))
            try:
                faces = np.arange(self.n_faces)[some if some.size else []]
                if some.dtype != bool and min(some, default=0) < 0:
                    raise IndexError(f"{min(some)} is below 0")
            except IndexError as error:
                said = f"part {name!r} needs numbers of faces, or a mask: {error}"
                raise IndexError(said) from None
            for f in faces[known[faces] >= 0][:1].tolist():
                both = f"{tuple(parts)[known[f]]!r} and {name!r}"
                said = f"face {f} is in two parts, {both}; leave it out of one"
                raise MeshError(said, "", Feature("face", f))
            known[faces] = k
        known = known if parts else known[:0]
        return replace(self, part_names=tuple(parts), face_part=known)


@once_per_mesh
def mirrored(mesh: WingedEdgeMesh) -> WingedEdgeMesh:
    """Return the mesh with every face run the other way; all numbers are kept.

    What is left of an edge is then right of it.  Faces keep their first corners, so
    that the fan of a polygon has the same triangles.  Made once per mesh.  Cost: O(E).
    """
    # the edge that came to the first corner leaves it now
    side = (mesh.edge_faces[mesh.face_edge, 1] == np.arange(mesh.n_faces)).astype(int)
    return replace(
        mesh,
        edge_faces=mesh.edge_faces[:, ::-1],
        edge_wings=mesh.edge_wings[:, :, ::-1],
        face_edge=mesh.edge_wings[mesh.face_edge, side, side],
    )


def neighbours(mesh: WingedEdgeMesh, feature: Feature) -> tuple[Feature, ...]:
    """List the features to look at next when this one is no longer the contact.

    The order is the paper's (Yokoyama et al., section 4.1), counter-clockwise seen
    from outside within each group, without the feature itself and without repeats:

    * face: its edges, then the faces across them;
    * edge: its left and right face, then the edges at its tail, then at its tip;
    * vertex: its edges, then its faces. The paper prints no rule for a vertex, so a
      search that arrives at one would end there; this is the repair.
    * lid: its vertices.

    Raises ValueError if the kind is unknown; IndexError if the mesh has no such
    feature.
    """
    kind, index = feature
    groups: tuple[tuple[str, Iterable[int]], ...]
    if kind == "face":
        groups = ("edge", mesh.face_edges(index)), ("face", mesh.face_faces(index))
    elif kind == "edge":
        groups = ("face", mesh.edge_faces[index]), ("edge", mesh.edge_edges(index))
    elif kind == "vertex":
        groups = ("edge", mesh.vertex_edges(index)), ("face", mesh.vertex_faces(index))
    elif kind == "lid":
        groups = (("vertex", feature.vertices),)
    else:
        raise ValueError(f"unknown kind of feature {kind!r}; use vertex, edge or face")
    features = (Feature(k, int(i)) for k, indices in groups for i in indices)
    return tuple(dict.fromkeys(features))


def has_feature(mesh: MeshTables, feature: Feature) -> bool:
    """Say whether a mesh has a vertex, an edge or a face of this number."""
    counts = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    return feature.kind in counts and 0 <= feature.index < counts[feature.kind]


def corners_of(mesh: MeshTables, feature: Feature) -> list[int]:
    """List the vertices of a feature, those of a face in order around it."""
    kind, index = feature
    if kind == "face":
        ring: list[int] = mesh.face_vertices(index).tolist()
        return ring
    ends = mesh.edge_vertices[index].tolist() if kind == "edge" else feature.vertices
    return list(ends)


def triangles_of(mesh: MeshTables, feature: Feature) -> list[tuple[int, int, int]]:
    """List the triangles of a feature; those of an edge or a vertex are flat."""
    first, *rest = corners_of(mesh, feature)
    if feature.kind == "face":
        return [(first, u, v) for u, v in pairwise(rest)]
    last = rest[-1] if rest else first
    return [(first, last, last)]


def ends_of(mesh: WingedEdgeMesh, feature: Feature) -> Ends | None:
    """Return the vertices of an edge, else None."""
    if feature.kind != "edge":
        return None
    tail, tip = mesh.edge_vertices[feature.index].tolist()
    return tail, tip


def print_feature(feature: Feature, ends: Ends | None) -> str:
    """Write a feature, an edge with its tail and tip: ``e7(3-9)``."""
    return f"{feature}({ends[0]}-{ends[1]})" if ends else str(feature)


def printed(mesh: WingedEdgeMesh, feature: Feature) -> str:
    """Write a feature of a mesh, an edge with its tail and tip: ``e7(3-9)``."""
    return print_feature(feature, ends_of(mesh, feature))
