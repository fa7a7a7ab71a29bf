"""Faces as one flat table of corners, and the invariants that need no positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wingedge.connected import connected
from wingedge.errors import MeshError
from wingedge.features import Feature

Indices = NDArray[np.int64]
LISTED = 8  # numbers that a message lists


@dataclass(frozen=True, eq=False)
class Polygons:
    """Corners ``start[f]:start[f + 1]`` of ``vertex`` are face f; C corners in all."""

    n_vertices: int
    start: Indices  # (F + 1,)
    vertex: Indices  # (C,)

    @cached_property
    def face(self) -> Indices:
        """Name the face of every corner, (C,)."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @cached_property
    def next(self) -> Indices:
        """Find the next corner of the same face, (C,)."""
        follow = np.arange(1, len(self.vertex) + 1)
        full = np.diff(self.start) > 0
        follow[self.start[1:][full] - 1] = self.start[:-1][full]
        return follow

    @cached_property
    def tip(self) -> Indices:
        """Name the vertex at the next corner, (C,)."""
        tip: Indices = self.vertex[self.next]
        return tip

    @cached_property
    def edge(self) -> Indices:
        """Number the edge leaving every corner by first appearance, (C,)."""
        return self._edges[0]

    @cached_property
    def edge_first(self) -> Indices:
        """Find the corner at which every edge first appears, (E,)."""
        return self._edges[1]

    @cached_property
    def side(self) -> Indices:
        """Tell left (0, the first appearance) from right (1), (C,)."""
        again = self.edge_first[self.edge] != np.arange(len(self.edge))
        return np.asarray(again, dtype=np.int64)

    @cached_property
    def _edges(self) -> tuple[Indices, Indices]:
        low, high = np.minimum(self.vertex, self.tip), np.maximum(self.vertex, self.tip)
        _, first, number = np.unique(
            low * self.n_vertices + high, return_index=True, return_inverse=True
        )
        by_appearance = np.argsort(first)
        rank = np.empty(len(first), dtype=np.int64)
        rank[by_appearance] = np.arange(len(first))
        return rank[number], first[by_appearance]

    def edge_text(self, e: int) -> str:
        """Name an edge and its ends for a message."""
        corner = self.edge_first[e]
        return f"edge {e} ({self.vertex[corner]} -> {self.tip[corner]})"


def check_not_empty(polygons: Polygons) -> None:
    """Refuse a mesh without faces."""
    if len(polygons.start) < 2:
        raise MeshError(
            "the mesh has no faces; a body needs at least four", "not empty"
        )


def check_corners(polygons: Polygons) -> None:
    """Refuse faces of fewer than three corners."""
    count = np.diff(polygons.start)
    if count.min() < 3:
        face = int(np.argmax(count < 3))
        raise MeshError(
            f"face {face} has {_count(count[face], 'corner')}; a face needs at least "
            "three",
            "three corners per face",
            Feature("face", face),
        )


def check_no_repeat(polygons: Polygons) -> None:
    """Refuse a face that passes a vertex twice."""
    key = polygons.face * polygons.n_vertices + polygons.vertex
    order = np.argsort(key, kind="stable")
    twice = np.flatnonzero(key[order][1:] == key[order][:-1])
    if len(twice):
        corner = order[twice + 1].min()  # the first corner that repeats an earlier one
        face = int(polygons.face[corner])
        raise MeshError(
            f"face {face} passes vertex {polygons.vertex[corner]} twice; list every "
            "corner once",
            "no repeated vertex in a face",
            Feature("face", face),
        )


def check_all_used(polygons: Polygons) -> None:
    """Refuse vertices that belong to no face."""
    count = np.bincount(polygons.vertex, minlength=polygons.n_vertices)
    unused = np.flatnonzero(count == 0)
    if len(unused):
        more = f" (and {len(unused) - 1} more)" if len(unused) > 1 else ""
        raise MeshError(
            f"vertex {unused[0]}{more} belongs to no face; remove it from the points",
            "no unused vertex",
            Feature("vertex", int(unused[0])),
        )


def check_two_faces(polygons: Polygons) -> None:
    """Refuse edges with one face (open) or more than two (not a surface)."""
    count = np.bincount(polygons.edge)
    bad = np.flatnonzero(count != 2)
    if len(bad):
        # an edge with too many faces explains the holes beside it, so it comes first
        e = int(bad[np.argmax(count[bad] > 2)])
        faces = [int(f) for f in polygons.face[polygons.edge == e]]
        more = f"; {len(bad) - 1} more edges are like it" if len(bad) > 1 else ""
        if count[e] == 1:
            text = (
                f"has one face, {faces[0]}; the mesh must be closed: add the missing "
                f"face or close the hole{more}"
            )
        else:
            text = (
                f"has {count[e]} faces, {_list(faces)}; every edge needs exactly two: "
                f"remove the faces too many or split the body there{more}"
            )
        raise MeshError(
            f"{polygons.edge_text(e)} {text}",
            "two faces per edge",
            Feature("edge", e),
        )


def check_orientation(polygons: Polygons) -> None:
    """Refuse two faces that run along their common edge in the same direction."""
    first = polygons.edge_first[polygons.edge]
    same = (polygons.side == 1) & (polygons.vertex == polygons.vertex[first])
    wrong = np.flatnonzero(np.bincount(polygons.edge[same], minlength=len(first)))
    if len(wrong):
        e = int(wrong[0])
        faces = polygons.face[polygons.edge == e]
        clashes = np.bincount(
            np.concatenate([polygons.face[same], polygons.face[first[same]]])
        )
        turned = faces[int(np.argmax(clashes[faces]))]
        raise MeshError(
            f"{polygons.edge_text(e)} is walked in the same direction by faces "
            f"{_list(faces)}; reverse the corners of face {turned}, so that both are "
            "counter-clockwise seen from outside",
            "consistent orientation",
            Feature("edge", e),
        )


def check_one_component(polygons: Polygons) -> None:
    """Refuse several bodies in one mesh."""
    label = connected(polygons.n_vertices, polygons.vertex, polygons.tip)
    count = int(label.max()) + 1
    if count > 1:
        vertex = int(np.argmax(label != label[0]))
        face = int(polygons.face[np.argmax(polygons.vertex == vertex)])
        raise MeshError(
            f"the mesh is in {count} pieces, face {face} is not connected to face 0; "
            "make one mesh per piece",
            "one component",
            Feature("face", face),
        )


def check_one_fan(polygons: Polygons) -> None:
    """Refuse a vertex at which two sheets of the surface meet in a point."""
    # a corner and the corner reached over the edge that it leaves by share their fan
    n = len(polygons.vertex)
    other = np.empty(n, dtype=np.int64)
    order = np.argsort(2 * polygons.edge + polygons.side)
    other[order[0::2]], other[order[1::2]] = order[1::2], order[0::2]
    label = connected(n, np.arange(n), polygons.next[other])
    count = int(label.max()) + 1
    if count > polygons.n_vertices:
        vertex_of = np.empty(count, dtype=np.int64)
        vertex_of[label] = polygons.vertex
        fans = np.bincount(vertex_of)
        vertex = int(np.argmax(fans > 1))
        raise MeshError(
            f"vertex {vertex} joins {fans[vertex]} separate fans of faces; give every "
            "fan its own vertex",
            "one fan of faces per vertex",
            Feature("vertex", vertex),
        )


# in this order: each check may rely on the ones before it
TOPOLOGY = {
    "not empty": check_not_empty,
    "three corners per face": check_corners,
    "no repeated vertex in a face": check_no_repeat,
    "no unused vertex": check_all_used,
    "two faces per edge": check_two_faces,
    "consistent orientation": check_orientation,
    "one component": check_one_component,
    "one fan of faces per vertex": check_one_fan,
}


def check_topology(polygons: Polygons) -> None:
    """Check every invariant of `TOPOLOGY`, in order; MeshError names the first broken.

    Cost: a few sorts of the corners.
    """
    for check in TOPOLOGY.values():
        check(polygons)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")


def _list(numbers: Sequence[int] | Indices) -> str:
    *head, last = [str(int(i)) for i in numbers[:LISTED]]
    if len(numbers) > LISTED:
        head, last = [*head, last], f"{len(numbers) - LISTED} more"
    return f"{', '.join(head)} and {last}" if head else last
