"""Names that a pair is told with, held while its positions cannot tell others.

A state names what is level in its frame, and positions that are off by r may name
something else in the next.  A story keeps to the names that it told until they are no
longer true: two numbers of the held parts decide, taken at the corners of their common
patch along the normal of the frame.  *Excess* is how much farther apart than the bodies
they are there at least, *spread* by how much their gaps differ.  Each gap moves by 2 r
at most, an excess or a spread by 4 r, over a polygon by 5 r: parts that rest exactly
are held for ever.
"""

from math import inf, nan
from typing import NamedTuple, Self

import numpy as np

from sim.kernels.closest.level_parts import measure_held
from sim.result.state import PairState
from sim.tracking.buffers import Buffers
from wingedge.features import Feature
from wingedge.mesh import corners_of

# In resolutions, of which an excess or a spread may move by 4, over a polygon by 5:
EXCESS = 5.0  # farther apart, another pair of parts is the closest
LIES = 4.0  # what is level within so many is told to lie flat, at 8 in truth at most
SPREAD = 12.0 * (1.0 - 1e-9)  # and lifts where it seems so far off, to rounding
Parts = tuple[Feature, ...]


class HeldParts(NamedTuple):
    """The closest features that a pair was told with last: all that was level."""

    dimensions: tuple[int, int]
    parts: tuple[Parts, Parts]

    @classmethod
    def of(cls, state: PairState) -> Self:
        """Hold what a state names."""
        n = state.numbers
        return cls((n.dimension_a, n.dimension_b), (state.parts_a, state.parts_b))

    def may_last(self, state: PairState, resolution: float) -> bool:
        """Say whether the parts may still be the closest where bodies are; O(parts)."""
        if any(hull is not None for hull in state.hulls):
            return self._lie_level(state, resolution)
        buffers = Buffers(state.a, state.b, 0.0)
        alone = self._replace(parts=(self.parts[0][:1], self.parts[1][:1]))
        rests = any(held._rests(state, buffers, resolution) for held in (self, alone))
        return rests and not self._lies_within(state, buffers, LIES * resolution)

    def _on(self, state: PairState) -> list[set[int]]:
        """Return the vertices of the parts of A and of B."""
        sides = zip((state.mesh_a, state.mesh_b), self.parts, strict=True)
        return [{v for x in own for v in corners_of(mesh, x)} for mesh, own in sides]

    def _lie_level(self, state: PairState, resolution: float) -> bool:
        """Say whether those of hulls and those that are named now are level together.

        Of hulls, which are cut anew in every frame, the vertices count.  More of them
        that lie flat are told.
        """
        now, n = HeldParts.of(state), np.array(state.normal)
        sides = zip((state.a, state.b), self._on(state), now._on(state), strict=True)
        others = [(body.world_points() @ n, x, y) for body, x, y in sides if x != y]
        rise = max((np.ptp(h[list(x | y)]) for h, x, y in others), default=0.0)
        flat = max((np.ptp(h[list(y)]) for h, _, y in others), default=0.0)
        told = sum(now.dimensions) > sum(self.dimensions) and flat <= LIES * resolution
        return bool(rise < SPREAD * resolution and not told)

    def _gaps(
        self, state: PairState, buffers: Buffers, level: float
    ) -> tuple[float, float]:
        """Measure the least gap where the parts face each other, and their spread."""
        (a, b), own = self.dimensions, [tuple(x.index for x in y) for y in self.parts]
        named = state.numbers._replace(dimension_a=a, parts_a=own[0])
        buffers.name(named._replace(dimension_b=b, parts_b=own[1]))
        heights = buffers.workspace.heights
        heights[0] = level
        found = buffers.call(measure_held, *buffers.tables)
        return (heights[1], heights[2] - heights[1]) if found > 0 else (inf, nan)

    def _rests(self, state: PairState, buffers: Buffers, resolution: float) -> bool:
        """Say whether no part is farther off, or lifts by more, than is known."""
        least, spread = self._gaps(state, buffers, EXCESS * resolution)
        d, upper = state.distance, state.upper
        far = upper if d > 0.0 and upper < inf else d  # planes part wide bodies by less
        near = least - far <= EXCESS * resolution
        near = near or (d < 0.0 and self._is_axis(state, resolution))
        return near and not spread >= SPREAD * resolution

    def _is_axis(self, state: PairState, resolution: float) -> bool:
        """Say whether an overlap is as deep along the axis of the parts themselves.

        A normal turns the more, the smaller the face or edge that it is of.
        """
        placed = [body.world_points() for body in (state.a, state.b)]
        sides = zip(placed, (state.mesh_a, state.mesh_b), self.parts, strict=True)
        rings = [points[corners_of(mesh, own[0])] for points, mesh, own in sides]
        faces = ((p[1:-1] - p[0], p[2:] - p[0]) for p in rings if len(p) > 2)
        ways = [np.cross(*sides).sum(axis=0) for sides in faces]
        if self.dimensions == (1, 1):
            ways = [np.cross(*(p[1] - p[0] for p in rings))]
        width = float(np.sqrt(np.linalg.norm(ways[0]))) if ways else 0.0
        if not width > 0.0:
            return False
        axis = ways[0] / width**2
        a, b = map(list, self._on(state))
        lever = 1.0 + max(float(np.ptp(x, axis=0).max()) for x in placed) / width
        d, slack = state.distance, EXCESS * resolution * lever
        for way in (axis, -axis):  # another axis may be as deep, square to the normal
            p, q = (x @ way for x in placed)
            gap, own = q.min() - p.max(), q[b].min() - p[a].max()
            if gap >= d - slack and own <= d + slack:
                return True
        return False

    def _lies_within(self, state: PairState, buffers: Buffers, level: float) -> bool:
        """Say whether a state names these parts and more, and that lies flat."""
        now = HeldParts.of(state)
        then, more = self._on(state), now._on(state)
        if then == more or not all(x <= y for x, y in zip(then, more, strict=True)):
            return False
        return now._gaps(state, buffers, level)[1] <= level
