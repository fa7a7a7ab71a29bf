"""Whether the parts that an answer names are level parts, and whole."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.outline import across, area_of, ends_of, outline, outside
from sim.tracking.proof.solid import Ids, Solid
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge import Feature

Array = NDArray[np.float64]

BLUR = 16.0 * np.finfo(float).eps  # of size / distance: a normal from points may be off


class Level:
    """What counts as level for one side of an answer.

    Parameters
    ----------
    solid : Solid
    parts : tuple of Feature
    way : (3,)
        The unit normal out of this side.
    point : (3,)
        The closest point of this side.
    tolerance : float
        Within it heights are one level: the parallel tolerance times the size.
    drop : float
        The same, with what rounding may add.
    turned : float
        By what angle the normal may be off: the more, the farther from the point.
    whole : bool
        Whether the parts must be all that is level: not where a body has collapsed.
    """

    def __init__(
        self,
        solid: Solid,
        parts: tuple[Feature, ...],
        way: Array,
        point: Array,
        tolerance: float,
        drop: float,
        turned: float,
        *,
        whole: bool,
    ) -> None:
        self.solid, self.parts, self.way = solid, parts, way
        self.members: Ids = np.unique(
            np.concatenate([solid.vertices_of(part) for part in parts])
        )
        heights: Array = solid.x @ way
        # The point was rounded once more than the vertex of the parts level with it.
        own = heights[self.members]
        self.heights: Array = heights - own[np.abs(own - point @ way).argmin()]
        self.drop, self.tolerance = drop, tolerance
        arm = np.linalg.norm(solid.x - point, axis=1)
        self.widest = 2.5 * drop + turned * arm
        own = self.heights[self.members]
        # Where the part itself is rough, what is level is a matter of rounding.
        self.clear = float(np.ptp(own)) <= 0.25 * tolerance
        self.level = np.abs(self.heights) <= self.widest
        self.surely = np.abs(self.heights) <= 0.5 * tolerance
        # Of a body so small beside the other all is level, and any part as good.
        self.whole = whole and not bool(self.surely.all())

    def check(self, name: str) -> None:
        """Hold the parts against the contract."""
        if self.solid.hulled:
            self._check_hull(name)
        elif not self.is_folded():
            self._check_connected(name)
            if self.whole:
                self._check_whole(name)
        self._check_sense(name)

    def check_least(self, name: str, point: Array, near: float) -> None:
        """Doubt a feature that is not level for a point on its rim: that is as near."""
        for part in self.parts:
            ids = self.solid.vertices_of(part)
            if self.level[ids].all():
                continue  # a level part holds its rim
            ends = np.roll(ids, 1) if part.letter == "F" else ids
            rim = self.solid.x[np.stack([ids, ends, ids], axis=1)]
            off = near + self.solid.off(point, (part,))
            if len(ids) > 1 and from_triangles(point[None], rim).min() <= off:
                raise UnprovenAnswer(f"point {name} is on the rim of {part}")

    def is_folded(self) -> bool:
        """Say whether the part is a polygon off its plane, level only in places."""
        if len(self.parts) > 1 or self.parts[0].kind != "face":
            return False
        ids = self.solid.vertices_of(self.parts[0])
        flat = len(ids) == 3 or bool(self.level[ids].all())
        return not flat and len(self._level_fans()) > 0

    def _level_fans(self) -> Ids:
        """List the triangles of the only part that are level, else its diagonals."""
        fans = self.solid.fan_of(self.parts[0])
        inner = fans[1:, [0, 1, 1]]  # as triangles without area
        level = [t for t in fans if self.level[t].all()]
        return np.array(level or [t for t in inner if self.level[t].all()])

    def _check_level(self, name: str) -> None:
        for v in self.members[~self.level[self.members]]:
            raise FalseAnswer(f"v{v} of the part of {name} is off its level")

    def _check_connected(self, name: str) -> None:
        self._check_level(name)
        for v in self._missing():
            raise FalseAnswer(f"v{v} is as high as the part of {name} beside it")
        # Faces round a pit hang together by level edges without a name.
        if not set(self.members) <= self._flood(self.members[:1], self.level):
            raise FalseAnswer(f"the parts of {name} do not hang together")

    def _missing(self) -> Ids:
        """List the vertices beside the part that are level, and belong to it.

        Of a rough area those are that are no higher, nor lower, than all of it.
        """
        is_area = self.parts[0].kind == "face"
        if not (self.whole and (self.clear or is_area)):
            return np.zeros(0, int)
        mesh, level, own = self.solid.mesh, self.surely, self.heights[self.members]
        if not self.clear:
            level = (self.heights >= own.min()) & (self.heights <= own.max())
        inside = np.isin(mesh.edge_vertices, self.members)
        out = level[mesh.edge_vertices] & ~inside
        leaves = inside.any(axis=1) & out.any(axis=1)
        if is_area:
            # Beside a face that is level: one edge alone, as round a pit, is no part.
            first, corner = mesh.corners
            faces = np.logical_and.reduceat(level[corner], first[:-1])
            leaves &= faces[mesh.edge_faces].any(axis=1)
        found: Ids = mesh.edge_vertices[out & leaves[:, None]]
        return found

    def is_bent(self) -> bool:
        """Say whether what is level are edges round a corner, which have no name.

        As round a pit, or a face that just misses being level: they are no line.
        """
        if self.solid.hulled or self.parts[0].kind == "face":
            return False
        level = self._flood(self.members, self.surely)
        kind, _ = self.spanned(level)
        ids = np.array(sorted(level))
        flat = self.solid.x[ids] @ across(self.way)
        if kind == "face" or len(ids) < 3:
            return False
        aside = float(outside(flat, ends_of(flat)).max())
        return aside > 1e-9 * float(np.ptp(flat, axis=0).max())

    def beside(self) -> Array:
        """Return by how much vertices beside the part rise from it; of a hull all."""
        rise: Array = self.heights - self.widest
        if self.solid.hulled:
            return rise
        star = self.solid.mesh.star
        ids = [star.vertex[star.start[v] : star.start[v + 1]] for v in self.members]
        return rise[np.concatenate(ids)]

    @cached_property
    def rim(self) -> Ids:
        """The edges around an area: of two faces beside each one belongs to it.

        Where a body has collapsed all that lie in it, since faces lie on each other.
        """
        mesh = self.solid.mesh
        ids = [part.index for part in self.parts if part.kind == "face"]
        found = np.isin(mesh.edge_faces, ids).sum(axis=1) == 1
        if self.solid.sense == 0.0:
            found = np.isin(mesh.edge_vertices, self.members).all(axis=1)
        out: Ids = np.flatnonzero(found)
        return out

    def spanned(self, ids: Ids | set[int]) -> tuple[str, list[int]]:
        """Return the kind and the numbers of the features that vertices span."""
        mesh = self.solid.mesh
        member = np.zeros(mesh.n_vertices, bool)
        member[list(ids)] = True
        start, vertex = mesh.corners
        faces = np.flatnonzero(np.logical_and.reduceat(member[vertex], start[:-1]))
        edges = np.flatnonzero(member[mesh.edge_vertices].all(axis=1))
        spanned = ("face", faces), ("edge", edges), ("vertex", np.flatnonzero(member))
        return next((kind, n.tolist()) for kind, n in spanned if len(n))

    def surely_spanned(self) -> tuple[Feature, ...]:
        """Return the features that all vertices surely level with the parts span."""
        if self.solid.hulled:
            return self.parts
        kind, numbers = self.spanned(self._flood(self.members, self.surely))
        return tuple(Feature(kind, number) for number in numbers)

    def is_beside_more(self) -> bool:
        """Say whether what is surely level with the parts is a feature of more extent.

        Rounding takes a foot that is so near to an end for the end.
        """
        own, all_ = (
            "VEF".index(parts[0].letter)
            for parts in (self.parts, self.surely_spanned())
        )
        return all_ > own

    def _flood(self, seeds: Ids, among: NDArray[np.bool_]) -> set[int]:
        """Return the vertices that hang together with seeds, by some of all."""
        start, star = self.solid.mesh.star.start, self.solid.mesh.star.vertex
        found = set(seeds.tolist())
        todo = list(found)
        while todo:
            v = todo.pop()
            for w in star[start[v] : start[v + 1]].tolist():
                if w not in found and among[w]:
                    found.add(w)
                    todo.append(w)
        return found

    def fans(self) -> Ids:
        """Return the triangles of the part, (k, 3): of a folded polygon those level."""
        if not self.solid.hulled and self.is_folded():
            return self._level_fans()
        return self.solid.fans_of(self.parts)

    def _check_whole(self, name: str) -> None:
        """Compare the parts with all that their vertices span."""
        kind, numbers = self.spanned(self.members)
        if (kind, numbers) != (self.parts[0].kind, [part.index for part in self.parts]):
            raise FalseAnswer(f"the level part of {name} is {len(numbers)} x {kind}")

    def _check_hull(self, name: str) -> None:
        """Compare the parts, lids among them, with what the vertices of a hull span."""
        self._check_level(name)
        flat = self.solid.x @ across(self.way)
        own = flat[self.members]
        letter = self.parts[0].letter
        span = own[:1] if letter == "V" else ends_of(own)
        if letter == "F":
            span = outline(own)
        if not self.clear:
            return
        near = 1e3 * self.drop
        beside = outside(flat[self.surely], span)
        if len(beside) and beside.max() > near:
            raise FalseAnswer(f"the part of {name} is not all that is level")
        if letter == "F":
            fans = self.solid.fans_of(self.parts)
            covered = sum(abs(area_of(outline(t))) for t in flat[fans])
            if abs(covered - area_of(span)) > 1e-6 * area_of(span):
                raise FalseAnswer(f"the parts of {name} are not all that is level")
        elif letter == "E":
            ends = [ends_of(flat[self.solid.vertices_of(part)]) for part in self.parts]
            length = sum(float(np.linalg.norm(q - p)) for p, q in ends)
            if abs(length - float(np.linalg.norm(span[1] - span[0]))) > near:
                raise FalseAnswer(f"the parts of {name} are not all that is level")

    def _check_sense(self, name: str) -> None:
        """Refuse a normal that runs into the faces it is said to leave."""
        solid = self.solid
        if self.parts[0].letter != "F" or solid.hulled or solid.sense == 0.0:
            return
        u, v, w = (solid.x[solid.fans_of(self.parts)[:, k]] for k in range(3))
        out = np.cross(v - u, w - u).sum(axis=0)
        if not solid.sense * float(out @ self.way) > 0.0:
            raise FalseAnswer(f"the normal runs into the faces of {name}")
