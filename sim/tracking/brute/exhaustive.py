"""The oracle, and the last resort: every pair of features, every axis, any shape."""

from sim.body.body import Body
from sim.engine.bound import floats
from sim.kernels import layout
from sim.kernels.overlap.penetration import BROKEN
from sim.kernels.vector import along, dot, minus, point, reach_of, unit
from sim.result.answer import Numbers, Vec, work_of
from sim.result.state import PairState
from sim.tracking.brute.axes import Axis, best_axis
from sim.tracking.brute.nearest import Nearest, nearest_pair
from sim.tracking.brute.overlap import Overlap, touching
from sim.tracking.brute.solid import depth_of_hulls, solids_meet
from sim.tracking.brute.surface import Surface
from sim.tracking.buffers import Buffers
from sim.tracking.fallback import explained, is_certified
from sim.tracking.pair import PairTracker

BARELY = 2.0 * layout.TOUCH  # per unit of size: what is as deep inside may seem apart


def exhaustive(
    a: Body,
    b: Body,
    *,
    contact_distance: float | None = None,
    parallel_tolerance: float = 1e-12,
) -> PairState:
    """Find the closest features of two bodies by comparing every pair.

    Returns the state, world frame.  Apart: the least of all vertex-face and edge-edge
    distances, as the enumeration measured it.  Overlapping and convex: minus the least
    translation along any face normal or edge axis.  Overlapping otherwise: the interval
    from the shortest way out that is found to the deepest vertex.

    Raises ValueError if a coordinate is not finite.

    Cost: O(V_a F_b + F_a V_b + E_a E_b).  See Ericson (2005), 5.1;
    docs/algorithms.md#oracle.

    Parameters: ``a``, ``b``: bodies of any shape; others as for ``PairTracker``: they
    name what is found, and change no distance.
    """
    tracker = PairTracker(
        a, b, contact_distance=contact_distance, parallel_tolerance=parallel_tolerance
    )
    return tracker.enumerate()


def searched(buffers: Buffers, *, enumerated: bool = False) -> Numbers:
    """Answer by exhaustive search; ``enumerated``: as the pairs measured it."""
    done = work_of(buffers.result)
    numbers = PairSearch(buffers).answer(enumerated)
    return numbers if enumerated else numbers._replace(work=done._replace(fallbacks=1))


class PairSearch(Overlap):
    """Two bodies in kernel order whose every pair of features is compared."""

    def answer(self, enumerated: bool) -> Numbers:
        """Answer one frame; see ``exhaustive``.

        The distance and the points are measured once more from the named features, by
        the tracker's own expressions, unless they shall be left as enumerated.
        """
        buffers, a, b = self.buffers, self.a, self.b
        self.enumerated, self.unseen = enumerated, 0.0
        buffers.turn_outward()
        pair = nearest_pair(a, b)
        size = self.size(pair.vertices_a, pair.vertices_b)
        size = max(size, reach_of(pair.point_a, pair.point_b))
        pair = pair._replace(
            vertices_a=holder(a, pair.vertices_a, pair.point_a, size),
            vertices_b=holder(b, pair.vertices_b, pair.point_b, size),
        )
        slack = layout.RELATIVE * pair.distance + 0.1 * layout.ABSOLUTE * size
        axis: Axis | None = None
        if pair.distance > layout.TOUCH * size:
            axis = self.gap_along(unit(minus(pair.point_b, pair.point_a)))
        if self.convex:
            if axis is None or axis.gap < pair.distance - slack:
                best = best_axis(a, b)
                if axis is None or best.gap > axis.gap:
                    axis = best
            depth = None
            if axis.gap <= 0.0:
                ended, radius, axes = depth_of_hulls(buffers)
                depth = None if ended == BROKEN else radius
                if axes and (best := self.gap_along(axes[0])).gap > axis.gap:
                    axis = best
            # Hulls may overlap while the surfaces are apart, in a hollow.
            dented = self.dent > layout.TOUCH * size
            if axis.gap > 0.0 or (dented and not self._meet(pair, size)):
                return self._apart(pair, axis, size)
            return self._overlapping(axis, depth)
        if axis is not None and axis.gap >= pair.distance - slack:
            return self._apart(pair, axis, size)
        if self._meet(pair, size):
            hulls = self._axis_of_hulls(depth_of_hulls(buffers)[2])
            if hulls.gap < -layout.TOUCH * size:
                return self._interval(hulls)
            axis = axis or hulls
        return self._apart(pair, axis or self.gap_along(self._facing(pair, size)), size)

    def _apart(self, pair: Nearest, axis: Axis, size: float) -> Numbers:
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
            n = unit(way) if d > layout.TOUCH * size else self._facing(pair, size)
            scanned = self.gap_along(n).gap >= d - near
        # Apart is proven by now, so the enumeration itself bounds the distance; but of
        # a touch only how deep was looked, and what lies inside, each to rounding.
        lower = min(axis.gap, d) if scanned else d
        if not scanned and d <= BARELY * size:
            lower = max(axis.gap, self.unseen + allowance)
            lower = min(allowance - layout.TOUCH * size, lower)
        bounds = d, lower - allowance, d + allowance, size
        ends = n, pair.point_a, pair.point_b
        plain = self.told(bounds, ends, pair, proof="scan" if scanned else "search")
        plain = explained(plain)
        named = self.named_around(n, pair.vertices_a[0], pair.vertices_b[0], size)
        off = 0.0 if named is None else abs(named.distance - d)
        tolerance = self.buffers.workspace.tolerance
        if named is None or off > max(slack, tolerance * named.size):
            return touching(plain)
        if scanned:
            # The bound must hold along the normal that is handed out.
            gap = self.gap_along(named.normal).gap
            if min(gap, d) < lower - 0.1 * layout.ABSOLUTE * size:
                return touching(plain)
            lower = min(gap, lower)
        if self.enumerated or off > slack:  # level but for last digits: the pair knows
            x, y, z = at_a = plain.point_a
            at_b = (x + d * n[0], y + d * n[1], z + d * n[2])
            named = named._replace(distance=d, point_a=at_a, normal=n, point_b=at_b)
        named = named._replace(
            lower=min(lower, named.distance) - allowance,
            upper=max(d, named.distance) + allowance,
            size=max(size, named.size),
            proof=plain.proof,
        )
        # Measured anew from a level part, a touch can lose more than it may.
        worse = is_certified(plain) and not is_certified(named)
        return touching(plain if worse else explained(named))

    def _meet(self, pair: Nearest, size: float) -> bool:
        """Say whether the solids meet; note how deep something unseen may lie."""
        result = self.buffers.workspace.result
        result.normal = self._facing(pair, size)
        meet = solids_meet(self.buffers)
        self.unseen = -size if meet else result.lower
        return meet

    def _facing(self, pair: Nearest, size: float) -> Vec:
        """Return a normal for surfaces in exact touch: a face's, or what parts best."""
        on_b = len(pair.vertices_b) == 3
        side, k, out = (self.b, pair.index_b, -1) if on_b else (self.a, pair.index_a, 1)
        if on_b or len(pair.vertices_a) == 3:
            x, y, z = (out * side.normals()[k]).tolist()
            return x, y, z
        near = BARELY * size
        a, b = self.a.held_at(pair.point_a, near), self.b.held_at(pair.point_b, near)
        n = best_axis(a, b).normal
        for side, ids in ((a, pair.vertices_a), (b, pair.vertices_b)):
            if len(ids) == 2:  # as in a groove
                e = minus(*(point(floats(side.points), v) for v in ids))
                n = unit(along(n, -dot(n, e) / dot(e, e), e))
        return n


def holder(
    surface: Surface, ids: tuple[int, ...], point: Vec, size: float
) -> tuple[int, ...]:
    """Return a feature, or its corner that the point is."""
    off = abs(surface.points[list(ids)] - point).max(axis=1)
    return ids if off.min() > layout.TOUCH * size else (ids[off.argmin()],)
