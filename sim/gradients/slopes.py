"""One-sided slopes of the distance, and why it may have no derivative.

Apart, the distance is the least over all pairs of points of the surfaces, so its slope
is the least over the pairs that are closest (Danskin 1967): at the corners of the
patch, cut by the sides of the triangles.  In overlap it is the greatest gap over all
axes: the greatest slope over the axes of equal depth, and along an axis the least over
all ways to hold both points by highest vertices, a linear program: there the hulls
meet, and what vertex moves alone bends its face either way.
"""

from itertools import product

import numpy as np

from sim.body.body import Body
from sim.gradients.carriers import INSIDE, LEVEL, MOVED, Array, Carriers, Cell, sides_of
from sim.kernels import layout
from sim.kernels.vector import HERE
from sim.result.state import PairState
from sim.tracking.brute.axes import tied_axes
from sim.tracking.brute.nearest import edge_pairs, vertex_face_pairs
from sim.tracking.brute.surface import Surface, surface_of
from wingedge import convex_hull
from wingedge.primitives import point_triangle, segment_segment

BORDER = 1e-10  # a weight below this: the point lies on the border of its cell
TURNED = 1e-6  # axes by less than this apart are one
TOUCH = 1e-9  # a normal this far out of the cone is in it
TIED = "the overlap is as shallow along other axes"
DENT = "the bodies touch in a dent: past touch the distance is an interval"
RANGES = "the bodies overlap and are not convex: their distance is an interval"
OTHERS = "other points of the bodies are as near"


class Slopes:
    """The slopes of the distance of one answer.

    Raises ``ValueError`` if the bodies have moved since it was given.
    """

    def __init__(
        self, state: PairState, a: Carriers, b: Carriers, origin: Array
    ) -> None:
        self.state, self.a, self.b = state, a, b
        touches = abs(state.distance) <= layout.TOUCH * state.size
        self.normal, self.distance = state.normal, 0.0 if touches else state.distance
        self.size = state.size
        # Then the distance is an end of an interval, and the way to it turns.
        self.ranges = self.distance < 0.0 and not self._are_convex()
        wide = MOVED * self.size + 1e-15 * float(np.abs(origin).max())
        held = a.hold(state.point_a - origin), b.hold(state.point_b - origin)
        way = state.point_b - state.point_a - self.distance * self.normal
        off = max(np.abs(way).max(), min(held) if self.ranges else max(held))
        revised = state.editions != (state.a.edition, state.b.edition)
        if off > wide or revised:
            raise ValueError(
                f"'{state.a.name}' or '{state.b.name}' has moved since frame "
                f"{state.frame} was answered: derivatives need the positions of that "
                f"frame; take them before the bodies move, or put them back"
            )

    def _are_convex(self) -> bool:
        return self.a.is_convex() and self.b.is_convex()

    def _axes(self) -> Array:
        """Return the axes of equal overlap, (k, 3); the answer's is the first."""
        kept = [self.normal]
        if not self.state.unique:
            one, two = map(_hull_of, self._surfaces())
            for n in tied_axes(one, two, LEVEL * self.size):
                if np.abs(kept - n).max(axis=1).min() > TURNED:
                    kept.append(n)
        return np.array(kept)

    def reason(self, regular: bool) -> str:
        """Say why a derivative does not exist; empty where all do."""
        state, names, beside = self.state, [], ""
        for side, point in ((self.a, "point_a"), (self.b, "point_b")):
            names.append(f"{'/'.join(map(str, side.parts[:3]))} of '{side.body.name}'")
            if len(side.cell) > 1 and side.weights.min() <= BORDER:
                beside = (
                    f"{point} lies on the border of {names[-1]}, and may turn there"
                )
        if self.ranges:
            return RANGES
        both = " and ".join(names)
        if not regular:
            return f"{both} lie flat on each other: the closest points are not unique"
        if beside:
            return beside
        if not state.unique:
            return TIED if self.distance < 0.0 else OTHERS
        if self.distance == 0.0 and len(self.a.cell) + len(self.b.cell) < 4:
            return f"{both} touch: there they have no single normal"
        sides = zip((self.a, self.b), self._cells(self.normal), names, strict=True)
        for side, held, name in sides:
            if self._hulled(side) and sorted(held[0]) != sorted(side.cell):
                more = f"{name} has more than 3 corners: one alone bends it either way"
                return more if set(side.cell) <= set(held[0]) else DENT
        return ""

    def _hulled(self, side: Carriers) -> bool:
        return self.distance <= 0.0 or side.body.convexity == "hull"

    def right(self, by_a: Array, by_b: Array) -> float:
        """Return the slope of the distance for velocities (V, 3) of all vertices.

        Not a number where bodies touch or overlap that are not convex, since past touch
        the distance is an interval, and where hulls touch beside a face.
        """
        if self.ranges:
            return float("nan")
        if self.distance < 0.0:
            return max([self._least_held(n, by_a, by_b) for n in self._axes()])
        shares = self._apart(by_a, by_b)
        convex = self._are_convex()
        if self.distance == 0.0:
            return self._touching(shares, by_a, by_b) if convex else float("nan")
        if self._hulled(self.a) or self._hulled(self.b):
            return self._least_held(self.normal, by_a, by_b)
        least = float((shares @ self.normal).min())
        if not self.state.unique and not convex:
            least = min(least, self._elsewhere(by_a, by_b))
        return least

    def _apart(self, by_a: Array, by_b: Array) -> Array:
        """Return how fast the surfaces part at the corners of the patch, (k, 3)."""
        a, b = np.array(self.a.cells), np.array(self.b.cells)
        flat_a, flat_b = (  # seen along the normal
            x - (x @ self.normal)[:, None] * self.normal
            for x in (self.a.placed(), self.b.placed())
        )
        near = (INSIDE * self.size) ** 2
        found = [self._reported(by_a, by_b)[None]]
        for one, other, x, y, v, w in (
            (a, b, flat_a, flat_b, -by_a, -by_b),
            (b, a, flat_b, flat_a, by_b, by_a),
        ):
            ids = np.unique(one)
            corners = other[:, np.minimum(np.arange(3), other.shape[1] - 1)]
            over = point_triangle.closest(x[ids, None], *y[corners].swapaxes(0, 1))
            i, c = np.nonzero(over.distance_sq <= near)
            carried = np.einsum("rk,rkx->rx", over.weights[i, c], w[corners[c]])
            found.append(v[ids[i]] - carried)
        on_a, on_b = sides_of(a), sides_of(b)
        p, q = flat_a[on_a], flat_b[on_b]
        cross = segment_segment.closest(p[:, None, 0], p[:, None, 1], q[:, 0], q[:, 1])
        i, j = np.nonzero(cross.distance_sq <= near)
        way_a, way_b = (
            between(by[on[k]], t[i, j])
            for by, on, k, t in ((by_a, on_a, i, cross.s), (by_b, on_b, j, cross.t))
        )
        return np.concatenate([*found, way_b - way_a])

    def _reported(self, by_a: Array, by_b: Array) -> Array:
        a, b = self.a, self.b
        apart: Array = b.weights @ by_b[list(b.cell)] - a.weights @ by_a[list(a.cell)]
        return apart

    def _touching(self, shares: Array, by_a: Array, by_b: Array) -> float:
        """Return the slope at touch: the greatest over the cone of all normals.

        It lies where the velocity leads or on a side or an edge of the cone.
        """
        p = self.a.weights @ self.a.placed(self.a.cell)
        rows = [p - self.a.placed(self.a.around()), self.b.placed(self.b.around()) - p]
        limits = unit(np.concatenate(rows))
        first, second = np.triu_indices(len(limits), 1)
        edges = np.cross(limits[first], limits[second])
        leads = shares[:, None] - (shares @ limits.T)[:, :, None] * limits
        i, j = np.triu_indices(len(shares), 1)
        even = np.cross(limits[:, None], shares[i] - shares[j]).reshape(-1, 3)
        ways = (self.normal[None], shares, leads.reshape(-1, 3), edges, -edges)
        normals = unit(np.concatenate([*ways, even, -even]))
        normals = normals[(normals @ limits.T).min(axis=1, initial=0.0) >= -TOUCH]
        least = (normals @ shares.T).min(axis=1)
        k = int(least.argmax())
        hull = "hull" in (self.a.body.convexity, self.b.body.convexity)
        if hull and np.abs(normals - normals[k]).max() > TURNED:
            return float("nan")
        faces = max(len(self.a.cell), len(self.b.cell)) > 2
        if hull or (faces and least[k] < 0.0):
            return self._least_held(normals[k], by_a, by_b)
        return float(least[k])

    def _least_held(self, n: Array, by_a: Array, by_b: Array) -> float:
        """Return the least slope along an axis, over all that may hold both points.

        A hull holds its point by any of the highest vertices, a surface by a triangle.
        """
        found: list[float] = [np.inf]
        for i, j in product(*self._cells(n)):
            cost = np.concatenate([-by_a[list(i)] @ n, by_b[list(j)] @ n])
            found.append(self._program(n, i, j, cost))
        least = min(found)
        return least if least < np.inf else float(self._reported(by_a, by_b) @ n)

    def _cells(self, n: Array) -> list[list[Cell]]:
        """List what holds the points along an axis: of a hull all highest vertices."""
        return [
            [tuple(side.level(way, self.size).tolist())]
            if self._hulled(side)
            else side.cells
            for side, way in ((self.a, n), (self.b, -n))
        ]

    def _program(self, n: Array, i: Cell, j: Cell, cost: Array) -> float:
        """Return the least cost of weights of vertices that hold both points."""
        from scipy.optimize import linprog

        across = np.linalg.svd(n[None])[2][1:]
        held = np.concatenate([-self.a.placed(i), self.b.placed(j)]) @ across.T
        ones = np.repeat(np.eye(2), [len(i), len(j)], axis=1)
        scale = float(np.abs(cost).max()) or 1.0
        limits = np.concatenate([held.T / self.size, ones])
        solved = linprog(cost / scale, A_eq=limits, b_eq=[0.0, 0.0, 1.0, 1.0])
        if solved.x is None or solved.fun is None:
            return np.inf
        return scale * float(solved.fun)

    def _elsewhere(self, by_a: Array, by_b: Array) -> float:
        """Return the least slope over all pairs of features that are as near."""
        a, b = self._surfaces()
        band, found = LEVEL * self.size, [np.inf]
        for one, other, v, w in ((a, b, by_a, by_b), (b, a, by_b, by_a)):
            i, t = vertex_face_pairs(one, other, band)
            ids = other.triangles[t]
            y = other.points[ids]
            hit = point_triangle.closest(one.points[i], y[:, 0], y[:, 1], y[:, 2])
            moved = np.einsum("rk,rkx->rx", hit.weights, w[ids]) - v[i]
            found.append(self._least_near(hit.point - one.points[i], moved, band))
        i, j = edge_pairs(a, b, band)
        on_a, on_b = a.segments[i], b.segments[j]
        p, q = a.points[on_a], b.points[on_b]
        near = segment_segment.closest(p[:, 0], p[:, 1], q[:, 0], q[:, 1])
        moved = between(by_b[on_b], near.t) - between(by_a[on_a], near.s)
        found.append(self._least_near(near.point_q - near.point_p, moved, band))
        return min(found)

    def _surfaces(self) -> list[Surface]:
        sides = (self.a, self.b)
        return [surface_of(x.body, HERE)._replace(points=x.placed()) for x in sides]

    def _least_near(self, way: Array, moved: Array, band: float) -> float:
        far = np.linalg.norm(way, axis=1)
        near = far <= self.distance + band
        rates = (way[near] * moved[near]).sum(axis=1) / far[near]
        return float(rates.min(initial=np.inf))


def between(ends: Array, t: Array) -> Array:
    """Return what lies a share of the way from one end to the other, (k, 3)."""
    middle: Array = ends[:, 0] + t[:, None] * (ends[:, 1] - ends[:, 0])
    return middle


def unit(rows: Array) -> Array:
    """Return the directions of vectors, (k, 3), without those that are rounding."""
    length = np.linalg.norm(rows, axis=1)
    some = length > 1e-12 * length.max(initial=0.0)
    directions: Array = rows[some] / length[some, None]
    return directions


def _hull_of(x: Surface) -> Surface:
    return x if x.body.is_convex() else surface_of(Body(convex_hull(x.points)), HERE)
