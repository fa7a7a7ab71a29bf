"""Find what lies between a mesh and its hull: facets over dents, and pockets."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import rows
from wingedge.coplanar import (
    Ids,
    Longs,
    Points,
    coplanar_groups,
    crossing,
    flatten,
    located,
    twins_of,
    volumes,
    windings,
    winds,
)
from wingedge.geometry import face_sums, fan_normals
from wingedge.hull import DeepestPoint, deepest_under
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import extent, lowest_at
from wingedge.tables import connected, ranges, starts


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


class Loops(NamedTuple):
    """Directed edges around the parts of groups that no true face covers.

    What is open lies on their left, as seen from outside.
    """

    tail: Longs
    tip: Longs
    group: Longs


class HullComparison:
    """A mesh and the triangles of its hull, side by side within a tolerance.

    Parameters: ``faces`` (K, 3) int: the triangles, which must close; ``centre`` (3,)
    float: a point inside; ``share``: the tolerance, besides rounding, of the size.

    Cost: O(V) sorts and gathers, and a loop over the hull faces that do not match a
    true face.

    Attributes: ``groups``: the flat parts of the hull; ``face_group`` (F,): that in
    which a true face is, -1 off the hull; ``ends`` (E, 2): the true edges, vertices at
    one point by the lowest number.
    """

    def __init__(
        self,
        mesh: WingedEdgeMesh,
        points: Points,
        faces: Ids,
        centre: Points,
        share: float,
    ) -> None:
        twin = twins_of(faces, len(points))
        if twin is None:
            raise ValueError("the faces of a cover must close")
        self.mesh, self.points, self.faces = mesh, points, faces
        self.centre, about = centre, extent(points)
        self.tolerance = share * about.size + about.noise
        self.small = self.tolerance * about.size**2  # of a volume
        self.normals = rows(face_sums(mesh, fan_normals(mesh, points)))
        self.groups = coplanar_groups(points, faces, twin, self.tolerance)
        self.face_group = self._groups_of_faces(twin)
        self.ends = lowest_at(points)[mesh.edge_vertices].astype(np.int64)
        self.boundary = self._boundary()

    def _groups_of_faces(self, twin: Ids) -> Longs:
        """Find for every true face the group that all its corners lie on; else -1.

        Looked at: the group of the hull face that its middle is seen through, those
        across that one's sides, and all beside the narrow ones that it is among.
        """
        points, groups, (start, vertex) = self.points, self.groups, self.mesh.corners
        count = np.diff(start)
        one_at = np.zeros(len(points), np.int32)
        one_at[self.faces.ravel()] = np.repeat(np.arange(len(self.faces)), 3)
        seen = points - self.centre
        middle = np.add.reduceat(seen[vertex], start[:-1]) / count[:, None]
        first = np.maximum.reduceat(one_at[vertex], start[:-1])
        below = located(seen, self.faces, twin, middle, first)
        f = [np.repeat(np.arange(len(count)), 4)]
        g = [groups.around[below].ravel()]
        run = groups.narrow_run[below]
        for k in np.unique(run[run >= 0]):
            beside = np.unique(groups.around[groups.narrow_run == k])
            some = np.flatnonzero(run == k)
            f.append(np.repeat(some, len(beside)))
            g.append(np.tile(beside, len(some)))
        whole = len(groups.anchor)
        of_face, group = np.divmod(
            np.unique(np.concatenate(f) * whole + np.concatenate(g)), whole
        )
        many = count[of_face]
        corner = vertex[ranges(start[of_face], many)]
        off = points[corner] - np.repeat(points[groups.anchor[group]], many, axis=0)
        off *= np.repeat(groups.normal[group], many, axis=0)
        high = np.maximum.reduceat(np.abs(off.sum(axis=1)), starts(many)[:-1])
        normal = self.normals[of_face]
        along = (normal * groups.normal[group]).sum(axis=1)
        # that it faces most, and none backwards; without area: any
        fits = (high <= self.tolerance) & (
            along >= -1e-9 * np.sqrt((normal * normal).sum(axis=1))
        )
        of_face, group, along = of_face[fits], group[fits], along[fits]
        order = np.lexsort((along, of_face))
        chosen = np.full(len(count), -1)
        chosen[of_face[order]] = group[order]
        return chosen

    def _boundary(self) -> Loops:
        """Find the outlines of the groups less those of the true faces on them."""
        around, size = self.groups.around, len(self.points)
        outer = (around[:, 1:] != around[:, :1]).ravel()
        faces = self.faces.astype(np.int64)
        tail, tip = (faces[:, k].ravel()[outer] for k in ([0, 1, 2], [1, 2, 0]))
        hull = Loops(tail, tip, np.repeat(around[:, 0], 3)[outer])
        here = self.face_group[self.mesh.edge_faces.ravel()]
        there = self.face_group[self.mesh.edge_faces[:, ::-1].ravel()]
        outer = (here >= 0) & (here != there)
        ends = self.ends.ravel()[outer], self.ends[:, ::-1].ravel()[outer]
        true = Loops(*ends, here[outer])
        hull = self._split(hull, true)
        whole, covered = (
            (r.group * size + r.tail) * size + r.tip for r in (hull, true)
        )
        rest, turned = ~np.isin(whole, covered), ~np.isin(covered, whole)
        return Loops(
            np.concatenate([hull.tail[rest], true.tip[turned]]),
            np.concatenate([hull.tip[rest], true.tail[turned]]),
            np.concatenate([hull.group[rest], true.group[turned]]),
        )

    def _split(self, hull: Loops, true: Loops) -> Loops:
        """Split the outlines of groups at the true vertices that lie on them.

        Both halves of an edge alike, so at the vertices of the groups on its two sides.
        """
        points, size = self.points, len(self.points)
        forth = hull.tail * size + hull.tip
        loose = ~np.isin(true.tail * size + true.tip, forth)
        if not loose.any():
            return hull
        on: dict[int, list[int]] = {}
        for v, g in zip(
            true.tail[loose].tolist(), true.group[loose].tolist(), strict=True
        ):
            on.setdefault(g, []).append(v)
        beyond = dict(zip(forth.tolist(), hull.group.tolist(), strict=True))
        table: list[tuple[int, int, int]] = []
        for a, b, g in zip(*(column.tolist() for column in hull), strict=True):
            both = on.get(g, []) + on.get(beyond.get(b * size + a, g), [])
            maybe = np.array(sorted({*both} - {a, b}), np.int64)
            way = points[b] - points[a]
            off = points[maybe] - points[a]
            t = (off * way).sum(axis=1) / float((way * way).sum())
            off -= t[:, None] * way
            near = (off * off).sum(axis=1) <= self.tolerance**2
            near &= (t > 0.0) & (t < 1.0)
            stops = [a, *maybe[near][np.argsort(t[near])].tolist(), b]
            table += [(i, j, g) for i, j in pairwise(stops)]
        return Loops(*np.array(table, np.int64).reshape(-1, 3).T)

    def true_faces(self, of: Longs) -> Ids:
        """Find for some hull faces the true face below each one's middle; -1 for a lid.

        A lid is a hull face that true faces do not cover, or not all of it.
        """
        groups, boundary = self.groups, self.boundary
        faces, group = self.faces[of], groups.group[of]
        found = np.full(len(of), -1, np.int32)
        by_group = np.argsort(self.face_group, kind="stable")
        start = np.searchsorted(
            self.face_group[by_group], np.arange(len(groups.anchor) + 1)
        )
        many = np.diff(start)
        simple = (many[group] == 1) & ~np.isin(group, boundary.group)
        found[simple] = by_group[start[group[simple]]]
        rest = np.flatnonzero(~simple & (many[group] > 0))
        for g in np.unique(group[rest]).tolist():
            flat = self.points @ flatten(groups.normal[g]).T
            edges = boundary.group == g
            tail, tip = flat[boundary.tail[edges]], flat[boundary.tip[edges]]
            mine = by_group[start[g] : start[g + 1]]
            for k in rest[group[rest] == g].tolist():
                if crossing(flat[faces[k]], tail, tip).any():
                    continue
                middle = flat[faces[k]].mean(axis=0)
                found[k] = self._below(flat, mine, middle)
                if found[k] < 0 and not winds(tail, tip, middle):
                    # Narrow, its middle on a side: the face with most of its corners.
                    rings = [self.mesh.face_vertices(f) for f in mine]
                    shared = [np.isin(faces[k], ring).sum() for ring in rings]
                    found[k] = mine[int(np.argmax(shared))]
        return found

    def _below(self, flat: Points, among: Longs, at: Points) -> int:
        """Find the true face that a point of their plane lies in; -1 for none."""
        start, vertex = self.mesh.corners
        many = np.diff(start)[among]
        end = np.cumsum(many)
        corner = ranges(start[among], many)
        follow = corner + 1
        follow[end - 1] = start[among]
        turns = windings(flat[vertex[corner]], flat[vertex[follow]], at)
        inside = among[np.add.reduceat(turns, end - many) != 0]
        return int(inside[0]) if len(inside) else -1

    def pockets(self, lids: Ids) -> tuple[tuple[Pocket, ...], NDArray[np.bool_]]:
        """Join lids and pocket faces along their half-edges, and measure the parts.

        Parts within the tolerance of nothing are none.  Returns the pockets, and which
        true faces are in one.
        """
        points, fan, groups = self.points, self.mesh.fan, self.groups
        whole, face_part, edge_part = self._parts()
        off = np.zeros(self.mesh.n_faces, bool)
        found = []
        for k in range(whole):
            faces = np.flatnonzero(face_part == k)
            edges = np.flatnonzero(edge_part == k)
            if len(faces) == 0:
                continue
            under = fan.vertex[np.isin(fan.face, faces)]
            volume, closing = self._closed(lids, edges)
            volume -= float(volumes(points, under, self.centre).sum())
            over = np.unique(self.boundary.group[edges])
            x, y, z = points[under[0, 0]].tolist()
            deepest = DeepestPoint(0.0, (x, y, z), int(under[0, 0]))
            if len(over):  # else the faces close without a lid
                anchors, normals = points[groups.anchor[over]], groups.normal[over]
                deepest = deepest_under(points, under, normals, anchors)
            depth, point, vertex = deepest
            if depth > self.tolerance or abs(volume) > self.small:
                off[faces] = True
                own = tuple(faces.tolist())
                found.append(Pocket(own, closing, depth, volume, vertex, point))
        return tuple(sorted(found)), off

    def _closed(self, lids: Ids, edges: Longs) -> tuple[float, tuple[int, ...]]:
        """Close what is open inside boundary edges: the volume below it, and its lids.

        The volume is that between it and the centre.
        """
        groups, (tails, tips, group) = self.groups, self.boundary
        total, found = 0.0, list[int]()
        for g in np.unique(group[edges]).tolist():
            mine = edges[group[edges] == g]
            tail, tip = tails[mine], tips[mine]
            triangles = np.stack([0 * tail + groups.anchor[g], tail, tip], axis=1)
            here = lids[groups.group[lids] == g].tolist()
            if len(mine) == (group == g).sum():  # nothing else is open in this group
                found += here
                if not (self.face_group == g).any():
                    triangles = self.faces[groups.group == g].astype(np.int64)
            else:
                flat = self.points @ flatten(groups.normal[g]).T
                for k in here:
                    corners, ends = flat[self.faces[k]], (flat[tail], flat[tip])
                    inside = winds(*ends, corners.mean(axis=0))
                    if inside or crossing(corners, *ends).any():
                        found.append(k)
            total += float(volumes(self.points, triangles, self.centre).sum())
        return total, tuple(sorted(found))

    def _parts(self) -> tuple[int, Longs, Longs]:
        """Count what hangs together: number true faces off the hull, boundary edges.

        A lid replaces the true faces below it, so an edge of its boundary is the same
        half-edge as that of the pocket face there, or the opposite of another lid's.
        """
        mesh, (tail, tip, group) = self.mesh, self.boundary
        size, off = len(self.points), self.face_group < 0
        # One node per true face, per vertex of a group's boundary, per half-edge or
        # edge by its ends.
        corners, place = np.unique(
            group * size + np.stack([tail, tip]), return_inverse=True
        )
        first, second = place.reshape(2, -1) + mesh.n_faces
        inner = off[mesh.edge_faces].all(axis=1)
        owner = mesh.edge_faces.ravel()
        half = (self.ends * size + self.ends[:, ::-1]).ravel()[off[owner]]
        owner = owner[off[owner]]
        edge = -1 - np.minimum(tail, tip) * size - np.maximum(tail, tip)
        codes = np.concatenate([tail * size + tip, edge, half])
        known, met = np.unique(codes, return_inverse=True)
        nodes = mesh.n_faces + len(corners)
        pairs = [
            (first, second),
            tuple(mesh.edge_faces[inner].T),
            (np.concatenate([first, first, owner]), nodes + met.ravel()),
        ]
        one, two = (np.concatenate(side) for side in zip(*pairs, strict=True))
        part = connected(nodes + len(known), one, two)
        part = self._completed(part, first)
        used = np.unique(np.concatenate([part[: mesh.n_faces][off], part[first]]))
        number = np.full(len(part), -1)
        number[used] = np.arange(len(used))
        in_part = np.where(off, number[part[: mesh.n_faces]], -1)
        return len(used), in_part, number[part[first]]

    def _completed(self, part: Longs, above: Longs) -> Longs:
        """Join what has lids but no faces, or faces but no lids, where vertices touch.

        A body may reach its hull at single vertices, without an edge in common.
        """
        start, corner = self.mesh.corners
        owner = np.repeat(np.arange(self.mesh.n_faces), np.diff(start))
        off = self.face_group[owner] < 0
        inside, above = part[owner[off]], part[above]
        alone = np.setxor1d(inside, above)
        if len(alone) == 0:
            return part
        group = np.concatenate([inside, above])
        lowest = lowest_at(self.points)
        vertex = np.concatenate([lowest[corner[off]], self.boundary.tail])
        touched = np.isin(vertex, vertex[np.isin(group, alone)])
        count = int(part.max()) + 1
        joined = connected(
            count + len(self.points), group[touched], count + vertex[touched]
        )
        return joined[part]
