"""How deep two bodies overlap: convex ones, or an interval, and where they touch."""

from collections.abc import Sequence

import numpy as np

from sim.kernels import layout
from sim.kernels.overlap.fine import MORE
from sim.kernels.overlap.penetration import BROKEN
from sim.kernels.surface.found import level_frame
from sim.kernels.surface.touching import OTHER_PLACE
from sim.kernels.vector import HERE, back, dot, plus, reach_of
from sim.result.answer import KINDS, Numbers, Vec, Work, level_corners
from sim.tracking.brute import solid
from sim.tracking.brute.axes import Axis, best_axis, gap_along
from sim.tracking.brute.nearest import Nearest, nearest_pair, own_names
from sim.tracking.brute.solid import Deepest, Parting
from sim.tracking.brute.surface import dot_rows, surface_of
from sim.tracking.buffers import Buffers, dent_of
from sim.tracking.fallback import explained, is_certified
from wingedge.features import Feature
from wingedge.mesh import corners_of

HULLS = (
    "overlap of bodies that are not convex: distance is the hulls' penetration, "
    "upper the deepest vertex"
)
RANGE = (
    "the bodies overlap and one is not convex: B parts from A when it moves by the "
    "distance along the normal, and does not when it moves by less than -upper"
)


class Overlap:
    """Two bodies in kernel order that overlap: how deep, and where they touch.

    Of closest points that are not unique those of an answer ``before`` are kept.
    """

    def __init__(self, buffers: Buffers, before: Numbers | None = None) -> None:
        self.buffers, self.before = buffers, before
        one, two = buffers.bodies
        self.a = surface_of(one, HERE)
        self.b = surface_of(two, buffers.origin())
        self.convex = one.is_convex() and two.is_convex()
        self.dent = dent_of(one) + dent_of(two) if self.convex else 0.0

    def interval(self) -> Numbers | None:
        """Answer for surfaces that cross; None where their hulls hardly overlap."""
        ended, depth, axes = solid.depth_of_hulls(self.buffers)
        if self.convex and ended == BROKEN:
            return None
        axis = self._axis_of_hulls(axes)
        touch = layout.TOUCH * self.size((axis.support_a,), (axis.support_b,))
        if not axis.gap < -touch:
            return None
        if not self.convex:
            return self._interval(axis)
        answer = self._overlapping if self.dent <= touch else self._interval
        numbers = answer(axis, depth)
        alone = all(dot(n, axis.normal) > 1.0 - 1e-12 for n in axes)
        return numbers._replace(unique=numbers.unique and alone)

    def gap_along(self, n: Vec) -> Axis:
        """Return the gap of the bodies along a unit direction."""
        return gap_along(self.a.points, self.b.points, n)

    def _axis_of_hulls(self, axes: list[Vec]) -> Axis:
        """Return the first of some axes, else the best of the surfaces' own normals."""
        return self.gap_along(axes[0]) if axes else best_axis(self.a, self.b)

    def _overlapping(self, axis: Axis, depth: float | None) -> Numbers:
        """Answer for convex bodies that overlap; ``depth``: what is proven of it."""
        size = self.size((axis.support_a,), (axis.support_b,))
        named = self._named(axis, size)
        if isinstance(named, Nearest):
            size = max(size, self.size(named.vertices_a, named.vertices_b))
            named = self.where_they_part(axis.normal, axis.gap, named, size)
        size = max(size, named.size)
        allowance = layout.ALLOWANCE * size
        d = named.distance
        upper = allowance
        if depth is not None:
            upper = max(axis.gap, d, -depth) + (1.0 + MORE) * allowance
        upper += self.dent
        if self.dent > layout.TOUCH * size:  # then the surfaces were seen to meet
            upper = min(upper, allowance)
        lower = min(axis.gap, d) - allowance
        bounded = named._replace(lower=lower, upper=upper, size=size, proof="search")
        return touching(explained(bounded))

    def _named(self, axis: Axis, size: float) -> Numbers | Nearest:
        """Name the level parts that touch once B has moved back; else the nearest pair.

        Of several that the axis could mean it is those of ``before``, if these still
        touch there, else those around the first supports, if they do (two prongs are
        level, and B in one of them), else around the nearest place there.
        """
        named = self.where_they_touch(axis, size)
        if named is not None:
            return named
        a, b, n = self.a, self.b, axis.normal
        pair = solid.nearest_parted(self.buffers, axis)
        if pair is None:
            pair = nearest_pair(a, b._replace(points=b.points - np.array(n) * axis.gap))
        ids_a, ids_b = list(pair.vertices_a), list(pair.vertices_b)
        high = gap_along(a.points[ids_a], b.points[ids_b], n)
        ends = ids_a[high.support_a], ids_b[high.support_b]
        return self.where_they_touch(Axis(axis.gap, n, *ends), size) or pair

    def _interval(self, axis: Axis, depth: float | None = None) -> Numbers:
        """Answer for an overlap of any shapes; ``depth``: see ``_overlapping``."""
        in_b, in_a = deepest = solid.deepest_vertices(self.buffers, axis.normal)
        if self.convex:
            numbers = self._overlapping(axis, depth)
        else:
            numbers = self._parting(axis, deepest)
        most = max(in_b.depth, in_a.depth)
        upper = max(numbers.distance, -most) + layout.ALLOWANCE * numbers.size
        if most > layout.TOUCH * numbers.size - numbers.distance:
            upper = layout.ALLOWANCE * numbers.size  # a surface that crosses itself
        if most > 0.0:
            # After the corners of the patch, unless it is one of them.
            corners, labels = self._vertex_face(in_b, in_a)
            held = numbers.distance, numbers.normal, corners, numbers.size
            if not (numbers.corners and level_corners(*held)[0]):
                corners, labels = numbers.corners + corners, numbers.labels + labels
                numbers = numbers._replace(corners=corners, labels=labels)
        if self.convex:
            upper = min(upper, numbers.upper)
            return explained(numbers._replace(upper=upper, reason=""))
        told = numbers._replace(upper=upper, proof="search")
        return told._replace(reason="") if is_certified(told) else told

    def _parting(self, axis: Axis, deepest: tuple[Deepest, Deepest]) -> Numbers:
        """Answer for surfaces that cross: by where they touch once B has moved."""
        size = self.size((axis.support_a,), (axis.support_b,))
        found = solid.shortest_parting(self.buffers, axis, *deepest, size)
        if found is None:
            named = self._named(axis, size)
            if isinstance(named, Numbers):
                lower = min(axis.gap, named.distance) - layout.ALLOWANCE * size
                size = max(size, named.size)
                return named._replace(lower=lower, size=size, reason=HULLS)
            found = Parting(-axis.gap, axis.normal, named, None)
        shift, n, pair, unique = found
        size = max(size, self.size(pair.vertices_a, pair.vertices_b))
        numbers = self.where_they_part(n, -shift, pair, size)
        numbers = numbers._replace(lower=-shift - layout.ALLOWANCE * size, reason=HULLS)
        if unique is not None:
            numbers = numbers._replace(unique=unique, reason=RANGE)
        return numbers

    def _vertex_face(
        self, in_b: Deepest, in_a: Deepest
    ) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Write the deepest vertex-face pair as a corner: its points on A and on B."""
        if in_b.depth >= in_a.depth:
            ends = in_b.at, in_b.point
            labels = (0, in_b.vertex, 2, int(self.b.triangle_face[in_b.triangle]))
        else:
            ends = in_a.point, in_a.at
            labels = (2, int(self.a.triangle_face[in_a.triangle]), 0, in_a.vertex)
        at = self._origin()
        return tuple(x[i] + at[i] for x in ends for i in range(3)), labels

    def size(self, of_a: Sequence[int], of_b: Sequence[int]) -> float:
        """Return the largest coordinate of some vertices, and of where B is."""
        some = self.a.points[list(of_a)], self.b.points[list(of_b)]
        most = (float(abs(points).max()) for points in some)
        return max(*most, reach_of(self.buffers.origin(), HERE))

    def named_around(
        self, n: Vec, va: int, vb: int, size: float, along: bool = False
    ) -> Numbers | None:
        """Name the level parts around two vertices, their normal or ``n`` itself."""
        buffers, result = self.buffers, self.buffers.result
        hint, at = buffers.workspace.hint, layout.HINT_A
        hint[at], hint[at + 1], hint[layout.HINT_B] = va, along, vb
        result.normal, result.size = n, size
        done = buffers.call(level_frame, *buffers.tables) == 1
        return buffers.told("search", in_order=True) if done else None

    def where_they_touch(self, axis: Axis, size: float) -> Numbers | None:
        """Name the level parts around two vertices that touch once B has moved back."""

        def fitting(va: int, vb: int) -> Numbers | None:
            # Parts that are level but for their last bits lean: then along the axis.
            for along in (False, True):
                named = self.named_around(axis.normal, va, vb, size, along)
                if named is None or abs(named.distance - axis.gap) > 1e-14 * size:
                    continue
                if self.gap_along(named.normal).gap >= axis.gap - 1e-15 * size:
                    return named
            return None

        named, before = fitting(axis.support_a, axis.support_b), self.before
        if named is None or named.unique or before is None:
            return named
        one, two = (body.mesh for body in self.buffers.bodies)
        part_a = Feature(KINDS[before.dimension_a], before.parts_a[0])
        part_b = Feature(KINDS[before.dimension_b], before.parts_b[0])
        kept = fitting(corners_of(one, part_a)[0], corners_of(two, part_b)[0])
        return named if kept is None or kept.unique else kept

    def where_they_part(
        self, n: Vec, gap: float, pair: Nearest, size: float
    ) -> Numbers:
        """Name the closest pair once B has moved back along an axis by the gap.

        Where only the hulls touch there, over a notch, the surfaces of the pair are
        still apart: then the point on A lies on its feature, that on B off it by as
        much.  Unique where the supports of the hulls meet in no more than a point.
        """
        spans = []
        for surface, way in ((self.a, n), (self.b, back(n))):
            high = dot_rows(surface.points, way)
            level = surface.points[high >= high.max() - layout.EQUAL * size]
            spans.append(level - level[0])
        unique = min(map(len, spans)) == 1  # a point meets anything in a point
        if not unique:
            near = OTHER_PLACE * size
            sums = *spans, np.vstack(spans)
            one, other, both = (int(np.linalg.matrix_rank(x, near)) for x in sums)
            unique = one + other == both
        x, y, z = pair.point_a
        ends = n, pair.point_a, (x + gap * n[0], y + gap * n[1], z + gap * n[2])
        return self.told((gap, gap, gap, size), ends, pair, unique)

    def told(
        self,
        bounds: tuple[float, float, float, float],
        ends: tuple[Vec, Vec, Vec],
        pair: Nearest,
        unique: bool = True,
        proof: str = "search",
    ) -> Numbers:
        """Return an answer of a pair, its points moved back to the world."""
        (n, x, y), at = ends, self._origin()
        a, b = own_names(self.a, pair.vertices_a), own_names(self.b, pair.vertices_b)
        points = n, plus(x, at), plus(y, at)
        said = (), (), unique, proof, "", Work()
        return Numbers._make((*bounds, *points, *a, *b, *said))

    def _origin(self) -> Vec:
        pose = self.buffers.first.pose
        return pose[3], pose[7], pose[11]


def interval(buffers: Buffers, before: Numbers | None = None) -> Numbers | None:
    """Answer for surfaces that cross, or of which one holds the other."""
    return Overlap(buffers, before).interval()


def touching(numbers: Numbers) -> Numbers:
    """Make the distance exactly 0 where both bounds are 0 within rounding."""
    limit = layout.TOUCH * numbers.size
    if -limit <= numbers.lower <= 0.0 <= numbers.upper <= limit:
        return numbers._replace(distance=0.0, point_b=numbers.point_a)
    return numbers
