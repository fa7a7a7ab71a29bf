"""Names that a pair is told with, held while its positions cannot tell others.

A state names what is level in its frame, and positions that are off by r may name
something else in the next.  A story keeps to the names that it told until they are no
longer true: two numbers of the held parts decide, taken at the corners of their common
patch along the normal of the frame.  *Excess* is how much farther apart than the bodies
they are there at least, *spread* by how much their gaps differ.  Each gap moves by 2 r
at most, an excess or a spread by 4 r, over a polygon by 5 r: parts that rest exactly
are held for ever.
"""

from math import inf
from typing import Any, NamedTuple, Self

import numpy as np

from sim.kernels.closest.level_parts import measure_held
from sim.result.state import PairState
from sim.tracking.buffers import Buffers, corners_of
from wingedge.mesh import corners_of as ends

# In resolutions, of which an excess or a spread may move by 4, over a polygon by 5:
EXCESS = 5.0  # farther apart, another pair of parts is the closest
LIES = 4.0  # what is level within so many is told to lie flat, at 8 in truth at most
SPREAD = 12.0 * (1.0 - 1e-9)  # and lifts where it seems so far off, to rounding
Parts = tuple[int, tuple[int, ...]]  # a dimension, and numbers of that, ascending


class HeldParts(NamedTuple):
    """The closest features that a pair was told with last: all that was level."""

    parts_a: Parts
    parts_b: Parts
    on: tuple[list[int], ...] = ()  # vertices, of hulls, which are cut anew every frame

    @classmethod
    def of(cls, state: PairState) -> Self:
        """Hold what a state names."""
        n, on = state.numbers, tuple[list[int], ...]()
        if any(hull is not None for hull in state.hulls):
            named = (state.mesh_a, state.parts_a), (state.mesh_b, state.parts_b)
            every = ((v for x in parts for v in ends(m, x)) for m, parts in named)
            on = tuple(sorted({*corners}) for corners in every)
        return cls((n.dimension_a, n.parts_a), (n.dimension_b, n.parts_b), on)

    def may_last(self, state: PairState, resolution: float) -> bool:
        """Say whether the parts may still be the closest where bodies are; O(parts)."""
        if self.on:
            return self._lie_level(state, resolution)
        buffers = Buffers(state.a, state.b, 0.0)
        (a, parts_a), (b, parts_b), _ = self
        alone = HeldParts((a, parts_a[:1]), (b, parts_b[:1]))
        rests = any(held._rests(state, buffers, resolution) for held in (self, alone))
        return rests and not self._lies_within(state, buffers, LIES * resolution)

    def _lie_level(self, state: PairState, resolution: float) -> bool:
        """Say whether those of hulls and those that are named now are level together.

        More of them that lie flat are told.
        """
        now, n, both = HeldParts.of(state), np.array(state.normal), (state.a, state.b)
        sides = zip(both, self.on, now.on, strict=True)
        others = [(body.world_points() @ n, x, y) for body, x, y in sides if x != y]
        rise = max((np.ptp(height[x + y]) for height, x, y in others), default=0.0)
        flat = max((np.ptp(height[y]) for height, _, y in others), default=0.0)
        more = now.parts_a[0] + now.parts_b[0] > self.parts_a[0] + self.parts_b[0]
        if more and flat <= LIES * resolution:
            return False
        return bool(rise < SPREAD * resolution)

    def _gaps(
        self, state: PairState, buffers: Buffers, level: float
    ) -> tuple[float, float]:
        """Measure the least and the greatest gap where the parts face each other."""
        (a, parts_a), (b, parts_b), _ = self
        named: Any = dict(dimension_a=a, parts_a=parts_a, dimension_b=b)
        buffers.name(state.numbers._replace(**named, parts_b=parts_b))
        heights = buffers.workspace.levels.heights
        heights[0] = level
        found = buffers.call(measure_held, *buffers.tables)
        return (heights[1], heights[2]) if found > 0 else (inf, inf)

    def _rests(self, state: PairState, buffers: Buffers, resolution: float) -> bool:
        """Say whether no part is farther off, or lifts by more, than is known."""
        least, most = self._gaps(state, buffers, EXCESS * resolution)
        d, upper = state.distance, state.upper
        far = upper if d > 0.0 and upper < inf else d  # planes part wide bodies by less
        lifts = most - least >= SPREAD * resolution
        near = least - far <= EXCESS * resolution
        return not lifts and (near or (d < 0.0 and self._is_axis(state, resolution)))

    def _is_axis(self, state: PairState, resolution: float) -> bool:
        """Say whether an overlap is as deep along the axis of the parts themselves.

        A normal turns the more, the smaller the face or edge that it is of.
        """
        placed = [body.world_points() for body in (state.a, state.b)]
        lines, areas, meshes = [], [], (state.mesh_a, state.mesh_b)
        sides = zip(placed, meshes, self[:2], strict=True)
        for points, mesh, (dimension, parts) in sides:
            if dimension == 2:
                p = points[mesh.face_vertices(parts[0])]
                areas.append(np.cross(p[1:-1] - p[0], p[2:] - p[0]).sum(axis=0))
            elif dimension == 1:
                lines.append(np.subtract(*points[mesh.edge_vertices[parts[0]]]))
        axis = np.cross(*lines) if len(lines) == 2 else np.zeros(3)
        axis = areas[0] if areas else axis
        width = float(np.sqrt(np.linalg.norm(axis)))
        if not width > 0.0:
            return False
        axis /= width**2
        a, b = map(list, self._corners(state))
        lever = 1.0 + max(float(np.ptp(x, axis=0).max()) for x in placed) / width
        d, slack = state.distance, EXCESS * resolution * lever
        for way in (axis, -axis):  # another axis may be as deep, square to the normal
            p, q = (x @ way for x in placed)
            gap, own = q.min() - p.max(), q[b].min() - p[a].max()
            if gap >= d - slack and own <= d + slack:
                return True
        return False

    def _corners(self, state: PairState) -> list[set[int]]:
        """Return the vertices of the parts of A and of B."""
        sides = (state.mesh_a, self.parts_a), (state.mesh_b, self.parts_b)
        return [corners_of(mesh, *parts) for mesh, parts in sides]

    def _lies_within(self, state: PairState, buffers: Buffers, level: float) -> bool:
        """Say whether a state names these parts and more, and that lies flat."""
        now = HeldParts.of(state)
        then, more = self._corners(state), now._corners(state)
        if then == more or not all(x <= y for x, y in zip(then, more, strict=True)):
            return False
        least, most = now._gaps(state, buffers, level)
        return most - least <= level
