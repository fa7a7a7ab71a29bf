"""The exhaustive answer: every pair of features, every axis, whatever the shape."""

from collections.abc import Sequence

import numpy as np

from sim.kernels import layout
from sim.kernels.overlap.fine import MORE
from sim.kernels.overlap.penetration import BROKEN
from sim.kernels.vector import HERE, dot, minus, unit
from sim.result.answer import Numbers, Vec, Work, level_corners
from sim.tracking.brute.axes import Axis, best_axis, gap_along
from sim.tracking.brute.nearest import (
    Nearest,
    moved,
    named_around,
    nearest_pair,
    own_names,
    where_they_part,
    where_they_touch,
)
from sim.tracking.brute.solid import (
    Deepest,
    Parting,
    deepest_vertices,
    depth_of_hulls,
    nearest_parted,
    shortest_parting,
    solids_meet,
)
from sim.tracking.brute.surface import Surface, surface_of
from sim.tracking.buffers import Buffers
from sim.tracking.fallback import explained, is_certified
from wingedge.mesh import mirrored

HULLS = (
    "overlap of bodies that are not convex: distance is the hulls' penetration, "
    "upper the deepest vertex"
)
RANGE = (
    "the bodies overlap and one is not convex: B parts from A when it moves by the "
    "distance along the normal, and does not when it moves by less than -upper"
)
BARELY = 2.0 * layout.TOUCH  # per unit of size: what is as deep inside may seem apart


def search(buffers: Buffers, enumerated: bool = False) -> Numbers:
    """Answer one frame by exhaustive search, in kernel order.

    The distance and the points are measured once more from the named features, by
    the tracker's own expressions, unless they shall be left as ``enumerated``.

    Apart: all vertex-face and edge-edge pairs.  Overlapping: every face normal and
    edge axis when both bodies are convex, else the interval between the deepest
    vertex and the shortest way out that is found (docs/algorithms.md#oracle).
    """
    a = surface_of(buffers.bodies[0], HERE)
    b = surface_of(buffers.bodies[1], buffers.origin())
    first, second = (body.mesh for body in buffers.bodies)
    buffers.set_outward(
        mirrored(first) if a.inverted else first,
        mirrored(second) if b.inverted else second,
    )
    pair = nearest_pair(a, b)
    size = _size(buffers, a, b, pair.vertices_a, pair.vertices_b)
    size = max(size, _reach(pair.point_a), _reach(pair.point_b))
    slack = layout.RELATIVE * pair.distance + 0.1 * layout.ABSOLUTE * size
    axis: Axis | None = None
    if pair.distance > layout.TOUCH * size:
        n = unit(minus(pair.point_b, pair.point_a))
        axis = gap_along(a.points, b.points, n)
    if a.convex and b.convex:
        if axis is None or axis.gap < pair.distance - slack:
            best = best_axis(a, b)
            if axis is None or best.gap > axis.gap:
                axis = best
        depth = None
        if axis.gap <= 0.0:
            ended, radius, axes = depth_of_hulls(buffers)
            depth = None if ended == BROKEN else radius
            if axes and (best := gap_along(a.points, b.points, axes[0])).gap > axis.gap:
                axis = best
        if axis.gap > 0.0:
            return _apart(buffers, a, b, pair, axis, size, enumerated)
        # Hulls may overlap while the surfaces are apart, in a hollow.
        dented = a.dent + b.dent > layout.TOUCH * size
        if not dented or solids_meet(buffers):
            return _overlapping(buffers, a, b, axis, depth)
        return _apart(buffers, a, b, pair, axis, size, enumerated)
    if axis is not None and axis.gap >= pair.distance - slack:
        return _apart(buffers, a, b, pair, axis, size, enumerated)
    if solids_meet(buffers):
        hulls = _axis_of_hulls(a, b, depth_of_hulls(buffers)[2])
        if hulls.gap < -layout.TOUCH * size:
            return _interval(buffers, a, b, hulls, enumerated)
        axis = hulls if axis is None else axis
    if axis is None:
        axis = gap_along(a.points, b.points, _facing(a, b, pair))
    return _apart(buffers, a, b, pair, axis, size, enumerated)


def interval(buffers: Buffers, before: Numbers | None = None) -> Numbers | None:
    """Answer for surfaces that cross, or of which one holds the other, by their trees.

    The same interval as ``search``, some fifty times faster; of bodies that are convex
    within tolerance what the polytope of their hulls proves.  None where hulls hardly
    overlap.  Of closest points that are not unique those of the answer ``before``, in
    kernel order, are kept.
    """
    sides = (buffers.bodies[0], HERE), (buffers.bodies[1], buffers.origin())
    a, b = (surface_of(*side, normals=False) for side in sides)
    convex = a.convex and b.convex
    ended, depth, axes = depth_of_hulls(buffers)
    if convex and ended == BROKEN:
        return None
    if not axes:
        a, b = (surface_of(*side) for side in sides)
    axis = _axis_of_hulls(a, b, axes)
    size = _size(buffers, a, b, (axis.support_a,), (axis.support_b,))
    touch = layout.TOUCH * size
    if not axis.gap < -touch:
        return None
    if not convex:
        return _interval(buffers, a, b, axis, False, before)
    if a.dent + b.dent <= touch:
        numbers = _overlapping(buffers, a, b, axis, depth, False, before)
    else:
        numbers = _interval(buffers, a, b, axis, False, before, depth)
    alone = all(dot(n, axis.normal) > 1.0 - 1e-12 for n in axes)
    return numbers._replace(unique=numbers.unique and alone)


def _axis_of_hulls(a: Surface, b: Surface, axes: list[Vec]) -> Axis:
    """Return the first of some axes, of none the best of the surfaces' own normals."""
    return gap_along(a.points, b.points, axes[0]) if axes else best_axis(a, b)


def _apart(
    buffers: Buffers,
    a: Surface,
    b: Surface,
    pair: Nearest,
    axis: Axis,
    size: float,
    enumerated: bool,
) -> Numbers:
    """Answer for bodies that are apart or just touch."""
    d = pair.distance
    allowance = layout.ALLOWANCE * size
    slack = layout.RELATIVE * d + layout.ABSOLUTE * size
    near = layout.RELATIVE * d + 0.1 * layout.ABSOLUTE * size  # enough to certify
    scanned = axis.gap >= d - near
    n = axis.normal
    way = minus(pair.point_b, pair.point_a)
    turned = max(abs(way[i] - d * n[i]) for i in range(3))
    if not scanned or turned > layout.ABSOLUTE * size:
        # The axis that proves the bound is not always the way between the points,
        # and the way between points that touch is rounding.
        n = unit(way) if d > layout.TOUCH * size else _facing(a, b, pair)
        scanned = gap_along(a.points, b.points, n).gap >= d - near
    # Apart is proven by now, so the enumeration itself bounds the distance; but of a
    # touch only how deep was looked, and what was seen to lie inside, each to rounding.
    lower = min(axis.gap, d) if scanned else d
    if not scanned and d <= BARELY * size:
        lower = allowance - layout.TOUCH * size
    bounds = lower - allowance, d + allowance, size
    ends = n, pair.point_a, pair.point_b
    names = *own_names(a, pair.vertices_a), *own_names(b, pair.vertices_b), (), ()
    said = True, "scan" if scanned else "search", "", Work()
    plain = moved(Numbers._make((d, *bounds, *ends, *names, *said)), buffers)
    named = named_around(buffers, n, pair.vertices_a[0], pair.vertices_b[0], size)
    off = 0.0 if named is None else abs(named.distance - d)
    if named is None or off > max(slack, buffers.workspace.tolerance * named.size):
        return _touching(explained(plain))
    if scanned:
        # The bound must hold along the normal that is handed out.
        gap = gap_along(a.points, b.points, named.normal).gap
        if min(gap, d) < lower - 0.1 * layout.ABSOLUTE * size:
            return _touching(explained(plain))
        lower = min(gap, lower)
    if enumerated or off > slack:  # level but for their last digits: the pair knows
        named = named._replace(distance=d, point_a=plain.point_a, normal=n)
        x, y, z = named.point_a
        at_b = (x + d * n[0], y + d * n[1], z + d * n[2])
        named = named._replace(point_b=at_b)
    named = named._replace(
        lower=min(lower, named.distance) - allowance,
        upper=max(d, named.distance) + allowance,
        size=max(size, named.size),
        proof=plain.proof,
    )
    # Measured anew from a level part, a touch can lose more than it may.
    worse = is_certified(plain) and not is_certified(named)
    return _touching(explained(plain if worse else named))


def _overlapping(
    buffers: Buffers,
    a: Surface,
    b: Surface,
    axis: Axis,
    depth: float | None,
    enumerated: bool = True,
    before: Numbers | None = None,
) -> Numbers:
    """Answer for convex bodies that overlap: the least translation that separates.

    ``depth`` is what is proven of it; None where nothing is but the overlap.
    """
    size = _size(buffers, a, b, (axis.support_a,), (axis.support_b,))
    named = _named(buffers, a, b, axis, size, enumerated, before)
    if isinstance(named, Nearest):
        size = max(size, _size(buffers, a, b, named.vertices_a, named.vertices_b))
        found = where_they_part(axis.normal, axis.gap, a, b, named, size)
        named = moved(found, buffers)
    size = max(size, named.size)
    allowance = layout.ALLOWANCE * size
    d = named.distance
    proven = allowance
    if depth is not None:
        proven = max(axis.gap, d, -depth) + (1.0 + MORE) * allowance
    dent = a.dent + b.dent
    upper = proven + dent
    if dent > layout.TOUCH * size:  # then the surfaces themselves were seen to meet
        upper = min(upper, allowance)
    return _touching(
        explained(
            named._replace(
                lower=min(axis.gap, d) - allowance,
                upper=upper,
                size=size,
                proof="search",
            )
        )
    )


def _named(
    buffers: Buffers,
    a: Surface,
    b: Surface,
    axis: Axis,
    size: float,
    enumerated: bool,
    before: Numbers | None,
) -> Numbers | Nearest:
    """Name the level parts that touch once B has moved back; else the nearest pair.

    Of several that the axis could mean it is those of ``before``, if these still touch
    there, else those around the first supports, if they do (two prongs are level, and B
    in one of them), else around the nearest place there.
    """
    named = where_they_touch(buffers, a, b, axis, size, before)
    if named is not None:
        return named
    n = axis.normal
    pair = None if enumerated else nearest_parted(buffers, axis)
    if pair is None:
        pair = nearest_pair(a, b._replace(points=b.points - np.array(n) * axis.gap))
    ids_a, ids_b = list(pair.vertices_a), list(pair.vertices_b)
    high = gap_along(a.points[ids_a], b.points[ids_b], n)
    ends = axis._replace(
        support_a=ids_a[high.support_a], support_b=ids_b[high.support_b]
    )
    return where_they_touch(buffers, a, b, ends, size, before) or pair


def _interval(
    buffers: Buffers,
    a: Surface,
    b: Surface,
    axis: Axis,
    enumerated: bool,
    before: Numbers | None = None,
    depth: float | None = None,
) -> Numbers:
    """Answer for an overlap of any shapes: an interval, and the axis of its end.

    Of bodies that are convex within tolerance a ``depth`` of their hulls is one of
    theirs.
    """
    in_b, in_a = deepest_vertices(buffers, axis.normal)
    convex = a.convex and b.convex
    if convex:
        numbers = _overlapping(buffers, a, b, axis, depth, enumerated, before)
    else:
        numbers = _parting(buffers, a, b, axis, (in_b, in_a), before)
    deepest = max(in_b.depth, in_a.depth)
    upper = max(numbers.distance, -deepest) + layout.ALLOWANCE * numbers.size
    if deepest > layout.TOUCH * numbers.size - numbers.distance:
        upper = layout.ALLOWANCE * numbers.size  # a surface that crosses itself
    if deepest > 0.0:
        # After the corners of the patch, unless it is one of them.
        corners, labels = _vertex_face(buffers, a, b, in_b, in_a)
        cornered = numbers._replace(corners=corners, labels=labels)
        held = cornered.distance, cornered.normal, cornered.corners, cornered.size
        if not (numbers.corners and level_corners(*held)[0]):
            corners, labels = numbers.corners + corners, numbers.labels + labels
            numbers = numbers._replace(corners=corners, labels=labels)
    if convex:
        return explained(numbers._replace(upper=min(upper, numbers.upper), reason=""))
    told = numbers._replace(upper=upper, proof="search")
    return told._replace(reason="") if is_certified(told) else told


def _parting(
    buffers: Buffers,
    a: Surface,
    b: Surface,
    axis: Axis,
    deepest: tuple[Deepest, Deepest],
    before: Numbers | None,
) -> Numbers:
    """Answer for surfaces that cross: by where they touch once B has moved."""
    size = _size(buffers, a, b, (axis.support_a,), (axis.support_b,))
    found = shortest_parting(buffers, axis, *deepest, size)
    if found is None:
        named = _named(buffers, a, b, axis, size, False, before)
        if isinstance(named, Numbers):
            lower = min(axis.gap, named.distance) - layout.ALLOWANCE * size
            size = max(size, named.size)
            return named._replace(lower=lower, size=size, reason=HULLS)
        found = Parting(-axis.gap, axis.normal, named, None)
    shift, n, pair, unique = found
    size = max(size, _size(buffers, a, b, pair.vertices_a, pair.vertices_b))
    numbers = where_they_part(n, -shift, a, b, pair, size)
    numbers = numbers._replace(lower=-shift - layout.ALLOWANCE * size, reason=HULLS)
    if unique is not None:
        numbers = numbers._replace(unique=unique, reason=RANGE)
    return moved(numbers, buffers)


def _vertex_face(
    buffers: Buffers, a: Surface, b: Surface, in_b: Deepest, in_a: Deepest
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Write the deepest vertex-face pair as a corner: its points on A and on B."""
    if in_b.depth >= in_a.depth:
        ends = in_b.at, in_b.point
        labels = (0, in_b.vertex, 2, int(b.triangle_face[in_b.triangle]))
    else:
        ends = in_a.point, in_a.at
        labels = (2, int(a.triangle_face[in_a.triangle]), 0, in_a.vertex)
    pose = buffers.first.pose
    at = (pose[3], pose[7], pose[11])
    return tuple(x[i] + at[i] for x in ends for i in range(3)), labels


def _facing(a: Surface, b: Surface, pair: Nearest) -> Vec:
    """Return a normal for surfaces in exact touch: a face's, else the best axis."""
    if len(pair.vertices_b) == 3:
        x, y, z = b.normals[pair.index_b].tolist()
        return -x, -y, -z
    if len(pair.vertices_a) == 3:
        x, y, z = a.normals[pair.index_a].tolist()
        return x, y, z
    return best_axis(a, b).normal


def _touching(numbers: Numbers) -> Numbers:
    """Make the distance exactly 0 where both bounds are 0 within rounding."""
    limit = layout.TOUCH * numbers.size
    if -limit <= numbers.lower <= 0.0 <= numbers.upper <= limit:
        return numbers._replace(distance=0.0, point_b=numbers.point_a)
    return numbers


def _size(
    buffers: Buffers, a: Surface, b: Surface, of_a: Sequence[int], of_b: Sequence[int]
) -> float:
    """Return the largest coordinate of some vertices, and of where B is."""
    most = abs(a.points[list(of_a)]).max(), abs(b.points[list(of_b)]).max()
    return max(*map(float, most), _reach(buffers.origin()))


def _reach(point: Vec) -> float:
    return max(map(abs, point))
