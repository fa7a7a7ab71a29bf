"""Isomorphisms of meshes: which renumbering of one is the other."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge import Feature, WingedEdgeMesh
from wingedge.mesh import mirrored

Ids = NDArray[np.int64]


class Seen(NamedTuple):
    """A feature of one mesh that must become a feature of another.

    A level part with several faces or edges is named by the lowest of them: of it all
    are known, or only that one.
    """

    kind: str
    ours: tuple[int, ...]
    theirs: tuple[int, ...]
    whole: tuple[bool, bool]  # whether all are known, of ours and of theirs


class Renumbering(NamedTuple):
    """An isomorphism: for every vertex, edge and face of A the one of B."""

    vertex: Ids
    edge: Ids
    face: Ids
    turns: bool  # whether it turns the surface inside-out, as a mirror does

    def of(self, feature: Feature) -> Feature:
        """Return what a feature becomes."""
        table: Ids = getattr(self, feature.kind)
        return Feature(feature.kind, int(table[feature.index]))

    def shape(self, a: WingedEdgeMesh, b: WingedEdgeMesh) -> str:
        """Say what it does to the rest positions: rotation, reflection or neither."""
        p, q = a.points - a.points.mean(axis=0), b.points[self.vertex]
        q = q - q.mean(axis=0)
        u, _, v = np.linalg.svd(p.T @ q)
        off = np.abs(p @ (u @ v) - q).max()
        if off > 1e-9 * np.abs(q).max():
            return ""
        return "rotation" if np.linalg.det(u @ v) > 0.0 else "reflection"


class _Darts(NamedTuple):
    """The half-edges of a mesh: dart ``2 e + side`` runs along the face there."""

    next: list[int]  # along the face
    vertex: Ids  # where it starts
    face: Ids


def renumberings(
    a: WingedEdgeMesh, b: WingedEdgeMesh, seen: Iterable[Seen]
) -> Iterator[Renumbering]:
    """Find the isomorphisms of two closed meshes that agree with what was seen.

    A map of a connected surface is fixed by the image of one half-edge, so few have to
    be tried: those at the image of a feature that was seen.  Those that keep the
    outside outside come first.  Cost: O(E) for each.
    """
    wanted = list(seen)
    counts = [(m.n_vertices, m.n_edges, m.n_faces) for m in (a, b)]
    if counts[0] != counts[1] or not wanted:
        return
    start = min(wanted, key=lambda one: (len(one.ours) * len(one.theirs), one.kind))
    darts = _darts(a)
    firsts = _darts_at(darts, start.kind, start.ours)
    for mesh, turns in ((b, False), (mirrored(b), True)):
        others = _darts(mesh)
        images = _darts_at(others, start.kind, start.theirs)
        if start.whole[1] or not start.whole[0]:
            tries = [(firsts[0], image) for image in images]
        else:
            tries = [(first, images[0]) for first in firsts]
        for first, image in tries:
            found = _spread(darts, others, first, image)
            if found is None:
                continue
            full = Renumbering(
                _table(darts.vertex, others.vertex[found], a.n_vertices),
                found[::2] >> 1,
                _table(darts.face, others.face[found], a.n_faces),
                turns,
            )
            if all(_agrees(full, one) for one in wanted):
                yield full


def _agrees(full: Renumbering, seen: Seen) -> bool:
    table: Ids = getattr(full, seen.kind)
    if max(seen.ours) >= len(table):
        return False
    if seen.whole == (True, False):
        return int(table[list(seen.ours)].min()) == seen.theirs[0]
    if seen.whole == (False, True):
        return int(np.isin(table, seen.theirs).argmax()) == seen.ours[0]
    return sorted(table[list(seen.ours)].tolist()) == sorted(seen.theirs)


def _spread(a: _Darts, b: _Darts, first: int, image: int) -> Ids | None:
    """Follow what one dart becomes over the surface; None where that contradicts."""
    n = len(a.next)
    found = [-1] * n
    found[first] = image
    todo = [first]
    while todo:
        d = todo.pop()
        to = found[d]
        for near, there in ((a.next[d], b.next[to]), (d ^ 1, to ^ 1)):
            if found[near] < 0:
                found[near] = there
                todo.append(near)
            elif found[near] != there:
                return None
    return np.array(found) if len(set(found)) == n else None


def _darts(mesh: WingedEdgeMesh) -> _Darts:
    n = mesh.n_edges
    e = np.repeat(np.arange(n), 2)
    side = np.tile(np.arange(2), n)
    across = mesh.edge_wings[e, 1 - side, side].astype(np.int64)
    corner = mesh.edge_vertices[e, 1 - side]
    at = (mesh.edge_vertices[across, 1] == corner).astype(np.int64)
    return _Darts(
        (2 * across + at).tolist(),
        mesh.edge_vertices.ravel().astype(np.int64),
        mesh.edge_faces.ravel().astype(np.int64),
    )


def _darts_at(darts: _Darts, kind: str, ids: Iterable[int]) -> list[int]:
    """List the darts of an edge, around a face or a vertex."""
    wanted = list(ids)
    if kind == "edge":
        return [2 * e + side for e in wanted for side in range(2)]
    table = darts.vertex if kind == "vertex" else darts.face
    found: list[int] = np.flatnonzero(np.isin(table, wanted)).tolist()
    return found


def _table(ours: Ids, theirs: Ids, n: int) -> Ids:
    table = np.zeros(n, np.int64)
    table[ours] = theirs
    return table
