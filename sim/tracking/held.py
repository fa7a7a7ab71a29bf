"""Names that a pair is told with, held while its positions cannot tell others.

A state names what is level in its frame, and positions that are off by r may name
something else in the next.  A story keeps to the names that it told until they are no
longer true: two numbers of the held parts decide, taken at the corners of their common
patch along the normal of the frame.  *Excess* is how much farther apart than the bodies
they are there at least, *spread* by how much their gaps differ.  Each gap moves by 2 r
at most, an excess or a spread by 4 r, over a polygon by 5 r: parts that rest exactly
are held for ever.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sim.kernels.closest.level_parts import measure_held
from sim.result.answer import Numbers
from sim.result.state import PairState
from sim.tracking.buffers import Buffers, corners_of

# In resolutions, of which an excess or a spread may move by 4, over a polygon by 5:
EXCESS = 5.0  # farther apart, another pair of parts is the closest
LIES = 4.0  # what is level within so many is told to lie flat, at 8 in truth at most
SPREAD = 12.0 * (1.0 - 1e-9)  # and lifts where it seems so far off, to rounding
Parts = tuple[int, tuple[int, ...]]  # a dimension, and numbers of that, ascending


class HeldParts(NamedTuple):
    """The closest features that a pair was told with last: all that was level."""

    parts_a: Parts
    parts_b: Parts

    @classmethod
    def of(cls, state: PairState) -> Self:
        """Hold what a state names."""
        n = state.numbers
        return cls((n.dimension_a, n.parts_a), (n.dimension_b, n.parts_b))

    def may_last(self, state: PairState, resolution: float) -> bool:
        """Say whether the parts may still be the closest, where their bodies are now.

        Those of a hull, which may be none of its body, never.  Cost: O(parts).
        """
        if any(hull is not None for hull in state.hulls):
            return False
        buffers = Buffers(state.a, state.b, 0.0)
        alone = HeldParts(*((dimension, parts[:1]) for dimension, parts in self))
        rests = any(held._rests(state, buffers, resolution) for held in (self, alone))
        return rests and not self._lies_within(state, buffers, LIES * resolution)

    def _rests(self, state: PairState, buffers: Buffers, resolution: float) -> bool:
        """Say whether no part is farther off, or lifts by more, than is known."""
        buffers.name(_with(state, self.parts_a, self.parts_b))
        buffers.workspace.levels.heights[0] = EXCESS * resolution
        found = buffers.call(measure_held, *buffers.tables)
        heights = buffers.workspace.levels.heights
        least, most = heights[1], heights[2]
        if found > 0 and most - least >= SPREAD * resolution:
            return False
        near = found > 0 and least - state.distance <= EXCESS * resolution
        return near or (state.distance < 0.0 and self._is_axis(state, resolution))

    def _is_axis(self, state: PairState, resolution: float) -> bool:
        """Say whether an overlap is as deep along the axis of the parts themselves.

        A normal turns the more, the smaller the face or edge that it is of.
        """
        sides = (
            (state.a, state.mesh_a, self.parts_a),
            (state.b, state.mesh_b, self.parts_b),
        )
        placed = [body.world_points() for body, *_ in sides]
        lines, areas = [], []
        for points, (_, mesh, (dimension, parts)) in zip(placed, sides, strict=True):
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
        least, most = (
            state.distance + k * EXCESS * resolution * lever for k in (-1, 1)
        )
        for way in (axis, -axis):  # another axis may be as deep, square to the normal
            p, q = (x @ way for x in placed)
            gap, own = q.min() - p.max(), q[b].min() - p[a].max()
            if gap >= least and own <= most:
                return True
        return False

    def _corners(self, state: PairState) -> Iterator[set[int]]:
        """Return the vertices of the parts of A and of B."""
        yield corners_of(state.mesh_a, *self.parts_a)
        yield corners_of(state.mesh_b, *self.parts_b)

    def _lies_within(self, state: PairState, buffers: Buffers, level: float) -> bool:
        """Say whether what is level holds these parts and more, as the state names."""
        then = [*self._corners(state)]
        named = HeldParts.of(state)._corners(state)
        if not all(x <= y for x, y in zip(then, named, strict=True)):
            return False
        points = state.a.world_points(), state.b.world_points()
        normal = np.array(state.normal)
        sides = HeldParts.of(state)._corners(state)
        ways = zip(points, sides, (normal, -normal), strict=True)
        tops = [_top(x, of, way) for x, of, way in ways]
        at = _with(state, (0, (tops[0],)), (0, (tops[1],)))
        n = buffers.widened(at, level)
        if n is None:
            return False
        parts = (n.dimension_a, n.parts_a), (n.dimension_b, n.parts_b)
        now = [*HeldParts(*parts)._corners(state)]
        within = all(x <= y for x, y in zip(then, now, strict=True))
        return within and then != now


def _with(state: PairState, a: Parts, b: Parts) -> Numbers:
    """Return what a state says, of other parts."""
    return state.numbers._replace(
        dimension_a=a[0], parts_a=a[1], dimension_b=b[0], parts_b=b[1]
    )


def _top(points: NDArray[np.float64], of: set[int], way: NDArray[np.float64]) -> int:
    """Return the vertex that is farthest along a direction, of some."""
    some = sorted(of)
    return some[int(np.argmax(points[some] @ way))]
