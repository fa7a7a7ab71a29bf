"""Find what lies between a mesh and its hull: facets over dents, and pockets."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.coplanar import (
    BoundaryLoops,
    CoplanarGroups,
    Ids,
    Longs,
    Points,
    boundary_loops,
    coplanar_groups,
    crossing,
    flatten,
    group_of_faces,
    located,
    twins_of,
    volumes,
    windings,
    winds,
)
from wingedge.hull import DeepestPoint, deepest_under
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import extent, lowest_at
from wingedge.tables import connected, frozen, ranges

TOLERANCE = 1e-9  # of the size, as in ``wingedge.convexity``


class Pocket(NamedTuple):
    """A part of the cover's inside that the body does not fill, and what bounds it.

    ``depth`` is that of the deepest point of its faces: the most, over all of them, of
    the least distance to the planes of its lids [length unit of the input].  Under one
    lid that is at a vertex; in a groove that is open at its ends, or a bore, inside an
    edge or a face.  Exact but for rounding.
    """

    faces: tuple[int, ...]  # true faces that lie below the cover here
    lids: tuple[int, ...]  # cover faces that close it; a lid may close two pockets
    depth: float  # of the deepest point of its faces below its lids
    volume: float
    deepest: int  # the deepest vertex, which may be less deep
    point: tuple[float, float, float]  # the deepest point, body frame


class Link(NamedTuple):
    """Correspondence of a cover and the true surface; see ``Cover``."""

    true_face: Ids
    lids: Ids
    on_cover: NDArray[np.bool_]
    pockets: tuple[Pocket, ...]


class HullComparison(NamedTuple):
    """A mesh and its cover, laid side by side."""

    mesh: WingedEdgeMesh
    points: Points
    faces: Ids  # of the cover
    groups: CoplanarGroups
    face_group: Longs  # per true face, -1 off the cover
    boundary: BoundaryLoops
    ends: Longs  # (E, 2) the true edges, vertices at one point by the lowest number
    centre: Points
    tolerance: float


def link(mesh: WingedEdgeMesh, points: Points, faces: Ids, centre: Points) -> Link:
    """Link a cover with the true surface; see ``compare_with_hull``."""
    about = extent(points)
    tolerance = TOLERANCE * about.size + about.noise
    both = compare_with_hull(mesh, points, faces, centre, tolerance)
    true_face = true_faces(both, np.arange(len(faces)))
    lids = np.flatnonzero(true_face < 0).astype(np.int32)
    pockets, off = pockets_of(both, lids)
    return Link(frozen(true_face), frozen(lids), frozen(~off), pockets)


def compare_with_hull(
    mesh: WingedEdgeMesh, points: Points, faces: Ids, centre: Points, tolerance: float
) -> HullComparison:
    """Lay a cover beside the mesh that it covers.

    Parameters: ``faces`` (K, 3) int: the cover's triangles; ``centre`` (3,) float: a
    point inside.

    Cost: O(V) sorts and gathers, and a loop over the cover faces that do not match a
    true face.
    """
    twin = twins_of(faces, len(points))
    if twin is None:
        raise ValueError("the faces of a cover must close")
    below = located(points, faces, twin, centre)
    groups = coplanar_groups(points, faces, twin, tolerance)
    face_group = group_of_faces(mesh, points, faces, below, groups, tolerance)
    ends = lowest_at(points)[mesh.edge_vertices]
    boundary = boundary_loops(mesh, points, faces, groups, face_group, tolerance, ends)
    return HullComparison(
        mesh, points, faces, groups, face_group, boundary, ends, centre, tolerance
    )


def true_faces(both: HullComparison, of: Longs) -> Ids:
    """Find for some hull faces the true face below the middle of each; -1 for a lid.

    A lid is a hull face that true faces do not cover, or not all of it.
    """
    mesh, points, _, groups, face_group, boundary, *_ = both
    faces, group = both.faces[of], groups.group[of]
    found = np.full(len(of), -1, np.int32)
    by_group = np.argsort(face_group, kind="stable")
    start = np.searchsorted(face_group[by_group], np.arange(len(groups.anchor) + 1))
    many = np.diff(start)
    simple = (many[group] == 1) & ~np.isin(group, boundary.group)
    found[simple] = by_group[start[group[simple]]]
    rest = np.flatnonzero(~simple & (many[group] > 0))
    last, flat, tail, tip = -1, points, points, points
    for k in rest[np.argsort(group[rest], kind="stable")].tolist():
        g = int(group[k])
        if g != last:
            last, flat = g, points @ flatten(groups.normal[g]).T
            edges = boundary.group == g
            tail, tip = flat[boundary.tail[edges]], flat[boundary.tip[edges]]
        if crossing(flat[faces[k]], tail, tip).any():
            continue
        mine = by_group[start[g] : start[g + 1]]
        middle = flat[faces[k]].mean(axis=0)
        found[k] = _below(mesh, flat, mine, middle)
        if found[k] < 0 and not winds(tail, tip, middle):
            # Narrow, its middle on a side: the face with most of its corners.
            shared = [np.isin(faces[k], mesh.face_vertices(f)).sum() for f in mine]
            found[k] = mine[int(np.argmax(shared))]
    return found


def _below(mesh: WingedEdgeMesh, flat: Points, among: Longs, at: Points) -> int:
    """Find the true face that a point of their plane lies in; -1 for none."""
    start, vertex = mesh.corners
    many = np.diff(start)[among]
    end = np.cumsum(many)
    corner = ranges(start[among], many)
    follow = corner + 1
    follow[end - 1] = start[among]
    turns = windings(flat[vertex[corner]], flat[vertex[follow]], at)
    inside = among[np.add.reduceat(turns, end - many) != 0]
    return int(inside[0]) if len(inside) else -1


def pockets_of(
    both: HullComparison, lids: Ids
) -> tuple[tuple[Pocket, ...], NDArray[np.bool_]]:
    """Join lids and pocket faces along their half-edges, and measure the components.

    Components within the tolerance of nothing are none.  Returns the pockets, and
    which true faces are in one.
    """
    boundary, fan = both.boundary, both.mesh.fan
    whole, face_of, edge_of = components(both)
    off = np.zeros(both.mesh.n_faces, bool)
    found = []
    small = both.tolerance * extent(both.points).size ** 2
    for k in range(whole):
        faces = np.flatnonzero(face_of == k)
        edges = np.flatnonzero(edge_of == k)
        if len(faces) == 0:
            continue
        under = fan.vertex[np.isin(fan.face, faces)]
        volume = _open_volume(both, edges)
        volume -= float(volumes(both.points, under, both.centre).sum())
        groups = np.unique(boundary.group[edges])
        x, y, z = both.points[under[0, 0]].tolist()
        deepest = DeepestPoint(0.0, (x, y, z), int(under[0, 0]))
        if len(groups):  # else the faces close without a lid
            anchors = both.points[both.groups.anchor[groups]]
            normals = both.groups.normal[groups]
            deepest = deepest_under(both.points, under, normals, anchors)
        if deepest.depth <= both.tolerance and abs(volume) <= small:
            continue
        off[faces] = True
        closing = tuple(_lids_over(both, lids, edges))
        depth, point, vertex = deepest
        own = tuple(faces.tolist())
        found.append(Pocket(own, closing, depth, volume, vertex, point))
    return tuple(sorted(found)), off


def components(both: HullComparison) -> tuple[int, Longs, Longs]:
    """Pair half-edges: component of every true face off the cover, and boundary edge.

    A lid replaces the true faces below it, so an edge of its boundary is the same
    half-edge as that of the pocket face there, or the opposite of another lid's.
    """
    mesh, boundary = both.mesh, both.boundary
    size = len(both.points)
    off = both.face_group < 0
    # One node per true face, then one per group and vertex on a boundary.
    ends = boundary.group * size + np.stack([boundary.tail, boundary.tip])
    corners, place = np.unique(ends, return_inverse=True)
    first, second = place.reshape(ends.shape) + mesh.n_faces
    inner = off[mesh.edge_faces].all(axis=1)
    half = (both.ends * size + both.ends[:, ::-1]).ravel()
    owner = mesh.edge_faces.ravel()
    half, owner = half[off[owner]], owner[off[owner]]
    order = np.argsort(half)
    half, under = half[order], np.asarray(owner[order], np.int64)
    pairs = [(first, second), tuple(mesh.edge_faces[inner].T)]
    pairs.append(_matching(boundary.tail * size + boundary.tip, first, half, under))
    back = boundary.tip * size + boundary.tail
    order = np.argsort(back, kind="stable")
    forth = boundary.tail * size + boundary.tip
    pairs.append(_matching(forth, first, back[order], first[order]))
    one = np.concatenate([a for a, _ in pairs])
    two = np.concatenate([b for _, b in pairs])
    nodes = mesh.n_faces + len(corners)
    part = _completed(both, connected(nodes, one, two), first)
    used = np.unique(np.concatenate([part[: mesh.n_faces][off], part[first]]))
    number = np.full(nodes, -1)
    number[used] = np.arange(len(used))
    face_of = np.where(off, number[part[: mesh.n_faces]], -1)
    return len(used), face_of, number[part[first]]


def _completed(both: HullComparison, part: Longs, boundary_node: Longs) -> Longs:
    """Join what has lids but no faces, or faces but no lids, where vertices touch.

    A body may reach its hull at single vertices, without an edge in common.
    """
    corners = both.mesh.corners
    owner = np.repeat(np.arange(both.mesh.n_faces), np.diff(corners.start))
    off = both.face_group[owner] < 0
    inside, above = part[owner[off]], part[boundary_node]
    alone = np.setxor1d(inside, above)
    if len(alone) == 0:
        return part
    size = len(both.points)
    lowest = lowest_at(both.points)
    group = np.concatenate([inside, above])
    vertex = np.concatenate([lowest[corners.vertex[off]], both.boundary.tail])
    touched = np.isin(vertex, vertex[np.isin(group, alone)])
    count = int(part.max()) + 1
    return connected(count + size, group[touched], count + vertex[touched])[part]


def _matching(
    codes: Longs, nodes: Longs, known: Longs, owners: Longs
) -> tuple[Longs, Longs]:
    """Pair nodes with the owners of the same codes; ``known`` is in order."""
    if len(known) == 0:
        return nodes[:0], nodes[:0]
    place = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    same = known[place] == codes
    return nodes[same], owners[place[same]].astype(np.int64)


def _open_volume(both: HullComparison, edges: Longs) -> float:
    """Return the volume between the centre and what is open inside boundary edges."""
    groups, boundary = both.groups, both.boundary
    total = 0.0
    for g in np.unique(boundary.group[edges]).tolist():
        mine = edges[boundary.group[edges] == g]
        anchor = np.full(len(mine), groups.anchor[g])
        triangles = np.stack([anchor, boundary.tail[mine], boundary.tip[mine]], axis=1)
        bare = not (both.face_group == g).any()
        if bare and len(mine) == (boundary.group == g).sum():
            triangles = both.faces[groups.group == g].astype(np.int64)
        total += float(volumes(both.points, triangles, both.centre).sum())
    return total


def _lids_over(both: HullComparison, lids: Ids, edges: Longs) -> list[int]:
    """List the lids that close what is open inside boundary edges."""
    boundary, groups = both.boundary, both.groups
    found: list[int] = []
    for g in np.unique(boundary.group[edges]).tolist():
        mine = edges[boundary.group[edges] == g]
        here = lids[groups.group[lids] == g].tolist()
        if len(mine) == (boundary.group == g).sum():
            found += here  # nothing else is open in this group
            continue
        flat = flatten(groups.normal[g])
        tail = both.points[boundary.tail[mine]] @ flat.T
        tip = both.points[boundary.tip[mine]] @ flat.T
        for k in here:
            corners = both.points[both.faces[k]] @ flat.T
            if crossing(corners, tail, tip).any() or winds(
                tail, tip, corners.mean(axis=0)
            ):
                found.append(k)
    return sorted(found)
