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

import numpy as np

from sim.kernels.closest.level_parts import measure_held
from sim.result.state import PairState
from sim.tracking.buffers import Buffers
from wingedge.mesh import corners_of

# In resolutions, of which an excess or a spread may move by 4, over a polygon by 5:
EXCESS = 5.0  # farther apart, another pair of parts is the closest
LIES = 4.0  # what is level within so many is told to lie flat, at 8 in truth at most
SPREAD = 12.0 * (1.0 - 1e-9)  # and lifts where it seems so far off, to rounding


def may_last(told: PairState, now: PairState, resolution: float) -> bool:
    """Say whether the parts that a state told may still be the closest; O(parts).

    ``now``: the same bodies, with the same meshes, in a later frame.
    """
    if any(hull is not None for hull in now.hulls):
        return _lie_level(told, now, resolution)
    buffers, n = Buffers(now.a, now.b, 0.0), told.numbers
    first = n._replace(parts_a=n.parts_a[:1], parts_b=n.parts_b[:1])
    alone = PairState.of(first, told.regime, told.frame, *told._pair)
    if not any(_rests(parts, now, buffers, resolution) for parts in (told, alone)):
        return False
    then, here = _on(told), _on(now)
    if then == here or not all(x <= y for x, y in zip(then, here, strict=True)):
        return True
    level = LIES * resolution  # more is named: these parts are held unless it lies flat
    return not _gaps(now, now, buffers, level)[1] <= level


def _on(state: PairState) -> list[set[int]]:
    """Return the vertices of the parts of A and of B."""
    sides = (state.mesh_a, state.parts_a), (state.mesh_b, state.parts_b)
    return [{v for x in own for v in corners_of(mesh, x)} for mesh, own in sides]


def _lie_level(told: PairState, now: PairState, resolution: float) -> bool:
    """Say whether those of hulls and those that are named now are level together.

    Of hulls, which are cut anew in every frame, the vertices count.  More of them that
    lie flat are told.
    """
    n = np.array(now.normal)
    sides = zip((now.a, now.b), _on(told), _on(now), strict=True)
    others = [(body.world_points() @ n, x, y) for body, x, y in sides if x != y]
    rise = max((np.ptp(h[list(x | y)]) for h, x, y in others), default=0.0)
    flat = max((np.ptp(h[list(y)]) for h, _, y in others), default=0.0)
    was, is_now = (x.numbers.dimension_a + x.numbers.dimension_b for x in (told, now))
    lies = is_now > was and flat <= LIES * resolution
    return bool(rise < SPREAD * resolution and not lies)


def _gaps(
    parts: PairState, now: PairState, buffers: Buffers, level: float
) -> tuple[float, float]:
    """Measure the least gap where parts face each other now, and their spread."""
    n, heights = now.numbers, buffers.workspace.heights
    there = parts.numbers._replace(distance=n.distance, size=n.size, normal=n.normal)
    buffers.name(there)
    heights[0] = level
    found = buffers.call(measure_held, *buffers.tables)
    return (heights[1], heights[2] - heights[1]) if found > 0 else (inf, nan)


def _rests(
    parts: PairState, now: PairState, buffers: Buffers, resolution: float
) -> bool:
    """Say whether no part is farther off, or lifts by more, than is known."""
    excess, d, upper = EXCESS * resolution, now.distance, now.upper
    least, spread = _gaps(parts, now, buffers, excess)
    far = upper if d > 0.0 and upper < inf else d  # planes part wide bodies by less
    near = least - far <= excess or (d < 0.0 and _is_axis(parts, now, excess))
    return near and not spread >= SPREAD * resolution


def _is_axis(parts: PairState, now: PairState, excess: float) -> bool:
    """Say whether an overlap is as deep along the axis of the parts themselves.

    A normal turns the more, the smaller the face or edge that it is of.
    """
    placed = [body.world_points() for body in (now.a, now.b)]
    ends = parts.feature_a, parts.feature_b
    sides = zip(placed, (parts.mesh_a, parts.mesh_b), ends, strict=True)
    rings = [points[corners_of(mesh, feature)] for points, mesh, feature in sides]
    faces = ((p[1:-1] - p[0], p[2:] - p[0]) for p in rings if len(p) > 2)
    ways = [np.cross(*sides).sum(axis=0) for sides in faces]
    if parts.kind == "EE":
        ways = [np.cross(*(p[1] - p[0] for p in rings))]
    width = float(np.sqrt(np.linalg.norm(ways[0]))) if ways else 0.0
    if not width > 0.0:
        return False
    axis = ways[0] / width**2
    a, b = map(list, _on(parts))
    lever = 1.0 + max(float(np.ptp(x, axis=0).max()) for x in placed) / width
    d, slack = now.distance, excess * lever
    for way in (axis, -axis):  # another axis may be as deep, square to the normal
        p, q = (x @ way for x in placed)
        gap, own = q.min() - p.max(), q[b].min() - p[a].max()
        if gap >= d - slack and own <= d + slack:
            return True
    return False
