"""Find what lies between a mesh and its hull: facets over dents, and pockets."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import columns, foot, length, rows
from wingedge.coplanar import (
    Ids,
    Longs,
    Points,
    coplanar_groups,
    crossing,
    flatten,
    located,
    normals_of,
    twins_of,
    windings,
)
from wingedge.geometry import face_sums, fan_normals
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import extent
from wingedge.tables import connected, ranges, starts

ENOUGH = 1e-15  # of the heights: what rounding leaves of a better point


class Pocket(NamedTuple):
    """A part of the cover's inside that the body does not fill, and what bounds it.

    ``depth`` is that of the deepest point of its faces: the most, over all of them, of
    the least distance to the planes of its lids [length unit of the input].  Under one
    lid that is at a vertex; in a groove that is open at its ends, or a bore, inside an
    edge or a face.
    """

    faces: tuple[int, ...]  # true faces that lie below the cover here
    lids: tuple[int, ...]  # cover faces at its rim; a lid may close two pockets
    depth: float
    deepest: int  # the deepest vertex, which may be less deep
    point: tuple[float, float, float]  # the deepest point, body frame


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
        self.normals = rows(face_sums(mesh, fan_normals(mesh, points)))
        self.groups = coplanar_groups(points, faces, twin, self.tolerance)
        self.face_group = self._groups_of_faces(twin)
        self.is_open = self._areas() > self.tolerance * about.size

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

    def _areas(self) -> Points:
        """Return by how much the area of groups differs from that of their faces."""
        on, whole = self.face_group >= 0, len(self.groups.anchor)
        hull = length(columns(normals_of(self.points, self.faces)))
        true = length(columns(self.normals))[on]
        areas = np.bincount(self.groups.group, hull, whole)
        areas -= np.bincount(self.face_group[on], true, whole)
        return np.asarray(np.abs(areas) / 2.0)

    def true_faces(self, of: Longs) -> Ids:
        """Find for some hull faces the true face below each one's middle; -1 for a lid.

        A lid is a hull face that true faces do not cover, or not all of it.
        """
        groups, mesh, points = self.groups, self.mesh, self.points
        faces, group = self.faces[of], groups.group[of]
        found = np.full(len(of), -1, np.int32)
        by_group = np.argsort(self.face_group, kind="stable")
        start = np.searchsorted(
            self.face_group[by_group], np.arange(len(groups.anchor) + 1)
        )
        many = np.diff(start)
        simple = (many[group] == 1) & ~self.is_open[group]
        found[simple] = by_group[start[group[simple]]]
        here = self.face_group[mesh.edge_faces]
        rest = np.flatnonzero(~simple & (many[group] > 0))
        for g in np.unique(group[rest]).tolist():
            flat = points @ flatten(groups.normal[g]).T
            on = (here == g).sum(axis=1)
            ends = mesh.edge_vertices[on > 0].T
            sides = [columns(points[end]) for end in ends]
            tail, tip = flat[mesh.edge_vertices[(on == 1) & self.is_open[g]].T]
            mine = by_group[start[g] : start[g + 1]]
            for k in rest[group[rest] == g].tolist():
                narrow = groups.narrow_run[of[k]] >= 0  # rounding may cross it
                if not narrow and crossing(flat[faces[k]], tail, tip).any():
                    continue
                found[k] = self._below(flat, mine, flat[faces[k]].mean(axis=0))
                if found[k] < 0:
                    # Narrow, its middle on a side: the face with most of its corners.
                    away = foot(columns(points[faces[k]].mean(axis=0)), *sides)[2]
                    if not self.is_open[g] or away.min() <= self.tolerance**2:
                        rings = [mesh.face_vertices(f) for f in mine]
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
        """Join lids and the faces off the hull along the edges that they share.

        Parts within the tolerance of nothing are none.  Returns the pockets, and which
        true faces are in one.
        """
        mesh, groups, off = self.mesh, self.groups, self.face_group < 0
        group = groups.group[lids]
        level = np.isin(group, self.face_group)  # in a plane with true faces
        part, over = self._parts(off, lids[~level])
        inside, found = np.zeros(mesh.n_faces, bool), list[Pocket]()
        for number in np.unique(part[off]).tolist():
            mine = part == number
            under = mesh.fan.vertex[np.isin(mesh.fan.face, np.flatnonzero(mine))]
            held = np.isin(self.faces[lids], under).sum(axis=1) > 1
            held[~level] |= over == number
            rim = mesh.edge_vertices[mine[mesh.edge_faces].sum(axis=1) == 1]
            for g in np.unique(group[level]).tolist():
                flat = self.points @ flatten(groups.normal[g]).T
                high = (self.points - self.points[groups.anchor[g]]) @ groups.normal[g]
                tail, tip = rim[(np.abs(high[rim]) <= self.tolerance).all(axis=1)].T
                for k in np.flatnonzero(group == g).tolist():
                    corners = flat[self.faces[lids[k]]]
                    held[k] |= crossing(corners, flat[tail], flat[tip]).any()
            closing = lids[held].tolist()
            if closing:
                planes = np.unique(groups.group[closing])
                anchors = self.points[groups.anchor[planes]]
                deepest = _deepest(self.points, under, groups.normal[planes], anchors)
                if deepest[0] > self.tolerance:
                    inside |= mine
                    own = tuple(np.flatnonzero(mine).tolist())
                    found.append(Pocket(own, tuple(closing), *deepest))
        return tuple(sorted(found)), inside

    def _parts(self, off: NDArray[np.bool_], lids: Ids) -> tuple[Longs, Longs]:
        """Tell what hangs together by common edges: the parts of faces, and of lids."""
        mesh, size = self.mesh, len(self.points)
        of_lid = np.stack([self.faces[lids], self.faces[lids][:, [1, 2, 0]]], axis=2)
        ends = np.concatenate([mesh.edge_vertices.repeat(2, 0), of_lid.reshape(-1, 2)])
        low, high = np.sort(ends.astype(np.int64), axis=1).T
        _, pair = np.unique(low * size + high, return_inverse=True)
        lid = mesh.n_faces + np.arange(len(lids)).repeat(3)
        node = np.concatenate([mesh.edge_faces.ravel(), lid])
        there = np.concatenate([off[mesh.edge_faces.ravel()], lid > 0])
        whole = mesh.n_faces + len(lids)
        part = connected(whole + len(ends), node[there], whole + pair.ravel()[there])
        return part[: mesh.n_faces], part[mesh.n_faces : whole]


def _deepest(
    points: Points, triangles: Ids, normals: Points, anchors: Points
) -> tuple[float, int, tuple[float, float, float]]:
    """Find the most, over triangles, of the least of the distances below planes.

    Returns that depth, the deepest vertex, and the deepest point.  Over one triangle
    the least distance is the least of linear functions: its peak is a linear programme,
    solved only for triangles whose corners leave room for a deeper point.
    """
    from scipy.optimize import linprog

    at = points[triangles]
    heights = ((anchors[:, None, None] - at) * normals[:, None, None]).sum(axis=3)
    least = heights.min(axis=0)
    t, k = np.unravel_index(int(least.argmax()), least.shape)
    depth, vertex, place = float(least[t, k]), int(triangles[t, k]), at[t, k]
    room = heights.max(axis=2).min(axis=0)
    for t in np.argsort(-room, kind="stable"):
        if room[t] <= depth * (1.0 + ENOUGH):
            break
        rows = heights[:, t] / np.abs(heights[:, t]).max()
        sums, free = [[1.0, 1.0, 1.0, 0.0]], [(0.0, 1.0)] * 3 + [(None, None)]
        rows = np.insert(-rows, 3, 1.0, axis=1)
        given: Any = linprog(
            [0, 0, 0, -1], rows, np.zeros(len(rows)), sums, [1.0], free
        )
        weights = np.clip(given.x[:3], 0.0, 1.0) / given.x[:3].sum()
        if (found := float((heights[:, t] * weights).sum(axis=1).min())) > depth:
            depth, place = found, (weights[:, None] * at[t]).sum(axis=0)
    x, y, z = place.tolist()
    return depth, vertex, (x, y, z)
