"""The figures of the paper as scenes: what its contact search is drawn to do.

Yokoyama et al., figures 3 to 7.  Fig. 8, a body that touches twice, is the scene
``arch``; figures 1 and 2 show boxes and links, and nothing that moves.
"""

from math import sqrt
from typing import Any

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform.deformer import Points, squash
from sim.motion import ramp
from sim.scenes.table import led, on_table, scene, still
from sim.scenes.ways import X, Z, ridge_pose, standing, touch, turned
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

PARALLEL = 1e-9  # the sine, of the order of it, below which edges do not cross
THIRDS = ((1.0, 0.0), (-0.5, 0.5 * sqrt(3.0)), (-0.5, -0.5 * sqrt(3.0)))
HIGH = 4.0  # from where a body falls onto the other


@scene(75)
def fig3_face_vertex() -> World:
    """Set a corner of a turned box down on a face, slide and lift it (Fig. 3, FV)."""
    way = ramp((0.3, 0.9), (-0.15, 0.2), smooth=True)
    turn = turned((1.0, -1.0, 0.0), 0.9, Z, ramp((0.0, 1.2), (0.2, 0.7)))
    above = touch(0.25, 0.95, 1.2, 0.3, smooth=True)
    across = lambda t: (way(t), 0.5 * way(t))  # noqa: E731
    box, ground = shapes.box((0.6, 0.5, 0.4)), shapes.box((1.4, 1.2, 0.4))
    return _over("corner", box, ground, turn, above, across)


@scene(75)
def fig3_edge_edge() -> World:
    """Lay one ridge across another, slide it along and lift it (Fig. 3, EE)."""
    ridge = shapes.prism(3, 0.4, 1.4)
    low = Body(ridge, name="lower", pose=ridge_pose(0.0, 0.0, up=True))
    way = ramp((0.3, 0.9), (-0.3, 0.3), smooth=True)
    above = touch(0.25, 0.95, 1.2, 0.3, smooth=True)
    turn = lambda t: ridge_pose(1.0 + way(t), 0.8 + above(t), up=False)  # noqa: E731
    slid = lambda t: Pose(None, (0.0, way(t), 0.0))  # noqa: E731
    return led("upper", ridge, low, motion.stack(turn, slid))


@scene(155)
def fig4() -> World:
    """Leave a face by each of its edges for the face beyond, and come back (Fig. 4).

    Rule 1: from the face f0 over the edges around it, where the tip's own edge lies
    across (EE), to the faces f1, f2, f3 behind them, where the tip stands (FV).
    """
    # A third of the time each: out over an edge, lean back onto the face, and return.
    third = 0.8
    out = ramp((0.10, 0.35, 0.50, 0.75), (0.0, 0.5, 0.5, 0.0), smooth=True)
    lean = ramp((0.25, 0.40, 0.45, 0.60), (0.0, 0.35, 0.35, 0.0), smooth=True)

    def part(t: float) -> tuple[float, float, float]:
        k = min(2, int(max(0.0, t) / third))
        return *THIRDS[k], t - k * third

    def turn(t: float) -> Pose:
        x, y, s = part(t)
        return motion.turn((-y, x, 0.0), lean)(s)

    def across(t: float) -> tuple[float, float]:
        x, y, s = part(t)
        return out(s) * x, out(s) * y

    tip, hill = _pyramid_on_its_tip(), _stump()
    return _over("tip", tip, hill, turn, touch(0.1, 2.4, 2.5, smooth=True), across)


@scene(160)
def fig5() -> World:
    """Leave an edge for both its faces, and for the edges at both ends (Fig. 5).

    Rule 2: from the edge e0, a ridge that a bar lies across (EE), to the faces f1 and
    f2 beside it, where an end of the bar stands (FV), and to the edges that meet e0
    at its ends (EE).
    """
    # First the bar tips over to one side and to the other, onto an end of it; then
    # it slides along the ridge beyond one end and beyond the other.
    times = (0.2, 0.4, 0.5, 0.7, 0.9, 1.0, 1.2)
    roll = ramp(times, (0.0, 1.1, 1.1, 0.0, -1.1, -1.1, 0.0), smooth=True)
    times = (1.2, 1.5, 1.6, 1.8, 2.1, 2.2, 2.5)
    along = ramp(times, (0.0, 0.7, 0.7, 0.0, -0.7, -0.7, 0.0), smooth=True)
    yaw = ramp((1.2, 1.4, 1.7, 2.0, 2.3, 2.5), (0.0, 0.4, 0.4, -0.4, -0.4, 0.0))
    lying = ridge_pose(0.0, 0.0, up=False)
    tipped, swung = turned(X, roll), turned(Z, yaw)
    turn = lambda t: swung(t) @ tipped(t) @ lying  # noqa: E731
    bar, roof = shapes.prism(3, 0.3, 1.6), _hipped_roof()
    return _over("bar", bar, roof, turn, touch(0.1, 2.5, 2.6, smooth=True), along)


@scene(100)
def fig6() -> World:
    """Roll a soft ball over another one, and watch what lies around (Fig. 6)."""
    ball, radius = shapes.icosphere(1, 0.5), 0.5
    soft = squash(ramp((0.4, 0.8, 1.2), (0.0, 0.2, 0.0), smooth=True))
    way = ramp((0.2, 1.4), (-0.35, 0.35), smooth=True)
    turn = turned(Z, 0.3, (0.2, 1.0, 0.0), lambda t: 2.0 * way(t) / radius)
    above = touch(0.2, 1.4, 1.6, 0.2, smooth=True)
    return _over("upper", ball, ball, turn, above, lambda t: (way(t), 0.1), soft)


@scene(125)
def fig7() -> World:
    """Watch the least distance while a body flies past, till it touches (Fig. 7)."""
    first, second = (ramp((0.0, 2.0), ends) for ends in ((0.0, 3.0), (0.5, -0.5)))
    times = (0.0, 1.0, 1.2, 2.0)
    way = ramp(times, (-1.0, 0.0, 0.1, 0.9), smooth=True)
    above = ramp(times, (0.5, 0.002, 0.002, 0.6), smooth=True)
    turn = turned((1.0, 2.0, 0.5), first, Z, second)
    prism, ball = shapes.prism(5, 0.35, 0.5), shapes.icosphere(0, 0.5)
    across = lambda t: (way(t), 0.2 * way(t))  # noqa: E731
    return _over("visitor", prism, ball, turn, above, across)


def _over(name: str, mesh: WingedEdgeMesh, ground: WingedEdgeMesh, *how: Any) -> World:
    """Lead a body over another one that is still, as `on_table` does over the table.

    Beside the other one it keeps the height at which it would clear its top.
    """
    top = float(ground.points[:, 2].max())

    def touching(points: Points, pose: Pose, place: tuple[float, float]) -> float:
        raised = Pose(pose.linear, (*place, HIGH)).apply(points)
        way = fall(mesh, raised, ground, ground.points)
        return HIGH - way if way < 2.0 * HIGH else top + standing(points, pose)

    return on_table(name, mesh, *how, onto=still("ground", ground), ground=touching)


def fall(upper: WingedEdgeMesh, p: Points, lower: WingedEdgeMesh, q: Points) -> float:
    """Return how far a body falls along -z until it touches another; inf if it misses.

    ``p`` and ``q`` are the positions of their vertices, one frame.  The least height
    over each other of a vertex and a face, a face and a vertex, two edges that cross
    seen from above; of any shapes, as long as the one is above the other.  Portable
    to the bit.  Cost: O(V F + E E) in numpy.
    """
    down = np.array([1.0, 1.0, -1.0])
    return min(
        _over_faces(p, q[lower.fan.vertex]),
        _over_faces(q * down, (p * down)[upper.fan.vertex]),
        _over_edges(p[upper.edge_vertices], q[lower.edge_vertices]),
    )


def _over_faces(p: Points, corners: Points) -> float:
    """Return the least height of points over the triangles that they are above."""
    a, b, c = corners.transpose(1, 0, 2)
    x = p[:, None]
    u, v, w = _area(x, b, c), _area(x, c, a), _area(x, a, b)
    whole = u + v + w
    within = (u * whole >= 0.0) & (v * whole >= 0.0) & (w * whole >= 0.0)
    within &= whole != 0.0
    weighed = u * a[:, 2] + v * b[:, 2] + w * c[:, 2]
    height = x[:, :, 2] - weighed / np.where(within, whole, 1.0)
    return float(height.min(where=within, initial=np.inf))


def _over_edges(one: Points, other: Points) -> float:
    """Return the least height of edges over those that they cross, seen from above.

    Parallel ones are left out: where they lie over each other, a vertex does too.
    """
    a, b, c, d = one[:, None, 0], one[:, None, 1], other[:, 0], other[:, 1]
    at_a, at_b = _area(a, c, d), _area(b, c, d)
    at_c, at_d = _area(c, a, b), _area(d, a, b)
    across, over = at_a - at_b, at_c - at_d
    lengths = (np.abs(v[..., 0]) + np.abs(v[..., 1]) for v in (b - a, d - c))
    crossed = np.abs(across) > PARALLEL * next(lengths) * next(lengths)
    crossed &= (at_a * at_b <= 0.0) & (at_c * at_d <= 0.0)
    s = at_a / np.where(crossed, across, 1.0)
    t = at_c / np.where(crossed, over, 1.0)
    above = a[..., 2] + s * (b[..., 2] - a[..., 2])
    below = c[..., 2] + t * (d[..., 2] - c[..., 2])
    return float((above - below).min(where=crossed, initial=np.inf))


def _area(x: Points, a: Points, b: Points) -> Points:
    """Return twice the area of a triangle seen from above, signed by its turn."""
    a, b = a - x, b - x
    area: Points = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return area


def _pyramid_on_its_tip() -> WingedEdgeMesh:
    """Build a pyramid that stands on its tip, v0."""
    rim = [(-0.8 * x, -0.8 * y, 0.24) for x, y in THIRDS]
    faces = [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]
    return WingedEdgeMesh.from_faces([(0.0, 0.0, 0.0), *rim], faces)


def _stump() -> WingedEdgeMesh:
    """Build a hill with a three-cornered top, f0, and a face beyond each of its edges.

    Edge k of the top looks along ``THIRDS[k]``, and f1 + k is the face across it.
    """
    # The corners lie opposite: between two of the three ways.
    ring = (*THIRDS[1:], THIRDS[0])
    points = [(-r * x, -r * y, 0.15 - 0.25 * r) for r in (0.6, 1.6) for x, y in ring]
    sides = [[k, 3 + k, 3 + (k + 1) % 3, (k + 1) % 3] for k in range(3)]
    return WingedEdgeMesh.from_faces(points, [[0, 1, 2], *sides, [5, 4, 3]])


def _hipped_roof() -> WingedEdgeMesh:
    """Build a roof whose ridge, e0, runs along x from hip to hip, between f0 and f1."""
    ridge = [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)]
    ring = (-1.3, -0.8), (1.3, -0.8), (1.3, 0.8), (-1.3, 0.8)
    faces = [[1, 0, 2, 3], [0, 1, 4, 5], [1, 3, 4], [0, 5, 2], [2, 5, 4, 3]]
    return WingedEdgeMesh.from_faces([*ridge, *((x, y, -0.4) for x, y in ring)], faces)
