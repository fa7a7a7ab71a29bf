"""Whether the parts that an answer names are level parts, and whole."""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.outline import across, area_of, ends_of, outline, outside
from sim.tracking.proof.solid import Ids, Solid
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge import Feature

Array = NDArray[np.float64]

BLUR = 16.0 * np.finfo(float).eps  # of size / distance: a normal from points may be off
TRIFLE = 1e-10  # of the scale: rounding finds a foot no nearer than this


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
    blur : float
        What the normal itself may add to a height.
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
        blur: float,
        *,
        whole: bool,
    ) -> None:
        self.solid, self.parts, self.way = solid, parts, way
        self.whole = whole
        self.members: Ids = np.unique(
            np.concatenate([solid.vertices_of(part) for part in parts])
        )
        heights: Array = solid.x @ way
        # The point was rounded once more than the vertex of the parts level with it.
        own = heights[self.members]
        self.heights: Array = heights - own[np.abs(own - point @ way).argmin()]
        self.drop, self.tolerance = drop, tolerance
        self.widest = 2.5 * drop + blur
        own = self.heights[self.members]
        # Where the part itself is rough, what is level is a matter of rounding.
        self.clear = float(np.ptp(own)) <= 0.25 * tolerance
        self.level = np.abs(self.heights) <= self.widest
        self.surely = np.abs(self.heights) <= 0.5 * tolerance

    def check(self, name: str) -> None:
        """Hold the parts against the contract.

        Raises
        ------
        FalseAnswer
            If a part is not level, not connected, or not the whole of it.
        """
        if self.solid.hulled:
            self._check_hull(name)
        elif not self.is_folded():
            self._check_connected(name)
            if self.whole:
                self._check_whole(name)
        self._check_sense(name)

    def check_least(self, name: str, point: Array, near: float) -> None:
        """Doubt a feature that is not level for a point on its rim: that is as near.

        Raises
        ------
        UnprovenAnswer
            If the point does.
        """
        for part in self.parts:
            ids = self.solid.vertices_of(part)
            if self.level[ids].all():
                continue  # a level part holds its rim
            rim = np.stack([ids, np.roll(ids, 1), ids], axis=1)
            if part.letter != "F":
                rim = np.repeat(ids[:, None], 3, axis=1)
            if (
                len(ids) > 1
                and from_triangles(point[None], self.solid.x[rim]).min() <= near
            ):
                raise UnprovenAnswer(f"point {name} is on the rim of {part}")

    def is_folded(self) -> bool:
        """Say whether the part is a polygon off its plane, level only in places."""
        if len(self.parts) > 1 or self.parts[0].kind != "face":
            return False
        ids = self.solid.vertices_of(self.parts[0])
        level = self.level[ids]
        if level.all() or len(ids) == 3:
            return False
        return len(self._level_fans()) > 0

    def _level_fans(self) -> Ids:
        """List the triangles of the only part that are level, else its diagonals."""
        fans = self.solid.fan_of(self.parts[0])
        inner = fans[1:, [0, 1, 1]]  # as triangles without area
        level = [t for t in fans if self.level[t].all()]
        return np.array(level or [t for t in inner if self.level[t].all()])

    def _check_connected(self, name: str) -> None:
        off = self.members[~self.level[self.members]]
        if len(off):
            high = float(self.heights[off].max())
            raise FalseAnswer(
                f"v{off[0]} of the part of {name} is {high:g} off its level"
            )
        start, star = self.solid.mesh.star.start, self.solid.mesh.star.vertex
        inside = set(self.members.tolist())
        todo = [int(self.members[0])]
        seen = set(todo)
        while todo:
            v = todo.pop()
            for w in star[start[v] : start[v + 1]].tolist():
                if v in inside and w not in inside and self._is_missing(v, w):
                    raise FalseAnswer(
                        f"v{w} is as high as the part of {name} beside it"
                    )
                # Faces round a pit hang together by level edges without a name.
                if w not in seen and self.level[w]:
                    seen.add(w)
                    todo.append(w)
        if not inside <= seen:
            raise FalseAnswer(f"the parts of {name} do not hang together")

    def _is_missing(self, v: int, w: int) -> bool:
        """Say whether a vertex is level with one beside it that belongs to the part."""
        if not (self.whole and self.clear and self.surely[w]):
            return False
        if self.parts[0].kind != "face":
            return True
        # Beside a face that is level: one edge alone, as round a pit, is no part of it.
        first, corner = self.solid.mesh.corners
        counted = np.stack([self.surely[corner], corner == v, corner == w])
        level = np.logical_and.reduceat(counted[0], first[:-1])
        both = np.logical_or.reduceat(counted[1:], first[:-1], axis=1).all(axis=0)
        return bool((level & both).any())

    def is_bent(self) -> bool:
        """Say whether what is level are edges round a corner, which have no name.

        As round a pit, or a face that just misses being level: they are no line.
        """
        if self.solid.hulled or self.parts[0].kind == "face":
            return False
        kind, _ = self.spanned(self._flooded())
        ids = np.array(sorted(self._flooded()))
        flat = self.solid.x[ids] @ across(self.way)
        if kind == "face" or len(ids) < 3:
            return False
        aside = float(outside(flat, ends_of(flat)).max())
        return aside > 1e-9 * float(np.ptp(flat, axis=0).max())

    def leans(self) -> bool:
        """Say whether a vertex beside the part is higher, by no more than a trifle.

        Where a foot is so near to an end that rounding takes it for the end.
        """
        if self.solid.hulled:
            return False
        star = self.solid.mesh.star
        beside = [star.vertex[star.start[v] : star.start[v + 1]] for v in self.members]
        high = self.heights[np.concatenate(beside)]
        return bool(((high > 0.5 * self.tolerance) & (high < TRIFLE)).any())

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
        kind, numbers = self.spanned(self._flooded())
        return tuple(Feature(kind, number) for number in numbers)

    def _flooded(self) -> set[int]:
        start, star = self.solid.mesh.star.start, self.solid.mesh.star.vertex
        level = set(self.members.tolist())
        todo = list(level)
        while todo:
            v = todo.pop()
            for w in star[start[v] : start[v + 1]].tolist():
                if w not in level and self.surely[w]:
                    level.add(w)
                    todo.append(w)
        return level

    def fans(self) -> Ids:
        """Return the triangles of the part, (k, 3): of a folded polygon those level."""
        if not self.solid.hulled and self.is_folded():
            return self._level_fans()
        return np.concatenate([self.solid.fan_of(part) for part in self.parts])

    def _check_whole(self, name: str) -> None:
        """Compare the parts with all that their vertices span."""
        kind, numbers = self.spanned(self.members)
        if (kind, numbers) != (
            self.parts[0].kind,
            [part.index for part in self.parts],
        ):
            raise FalseAnswer(f"the level part of {name} is {len(numbers)} x {kind}")

    def _check_hull(self, name: str) -> None:
        """Compare the parts, lids among them, with what the vertices of a hull span."""
        off = self.members[~self.level[self.members]]
        if len(off):
            raise FalseAnswer(f"v{off[0]} of the part of {name} is off its level")
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
            fans = np.concatenate([self.solid.fan_of(part) for part in self.parts])
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
        out = np.zeros(3)
        for part in self.parts:
            u, v, w = (solid.x[solid.fan_of(part)[:, k]] for k in range(3))
            out += np.cross(v - u, w - u).sum(axis=0)
        if not solid.sense * float(out @ self.way) > 0.0:
            raise FalseAnswer(f"the normal runs into the faces of {name}")
