"""The figures of the paper as scenes: what its contact search is drawn to do.

Yokoyama et al., figures 3 to 7.  Fig. 8, a body that touches twice, is the scene
``arch``; figures 1 and 2 show boxes and links, and nothing that moves.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform.deformer import Deformer, Points, squash
from sim.motion import ramp
from sim.scenes.table import HAIR, ridge_pose, scene
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

Ids = NDArray[np.integer]

PARALLEL = 1e-9  # the sine, of the order of it, below which edges do not cross


def fall(upper: WingedEdgeMesh, p: Points, lower: WingedEdgeMesh, q: Points) -> float:
    """Return how far a body falls along -z until it touches another; inf if it misses.

    ``p`` and ``q`` are the positions of their vertices, one frame.  The least height
    over each other of a vertex and a face, a face and a vertex, two edges that cross
    seen from above; of any shapes, as long as the one is above the other.  Portable
    to the bit.  Cost: O(V F + E E) in numpy.
    """
    return min(
        _over_faces(p, q, lower.fan.vertex),
        _over_faces(q * _DOWN, p * _DOWN, upper.fan.vertex),
        _over_edges(p, upper.edge_vertices, q, lower.edge_vertices),
    )


_DOWN = np.array([1.0, 1.0, -1.0])


def _over_faces(p: Points, q: Points, triangles: Ids) -> float:
    """Return the least height of points over the triangles that they are above."""
    a, b, c = (q[triangles[:, k]] for k in range(3))
    x = p[:, None]
    u, v, w = _turned(x, b, c), _turned(x, c, a), _turned(x, a, b)
    whole = u + v + w
    within = (u * whole >= 0.0) & (v * whole >= 0.0) & (w * whole >= 0.0)
    within &= whole != 0.0
    weights = np.where(whole == 0.0, 1.0, whole)
    ground = (u * a[:, 2] + v * b[:, 2] + w * c[:, 2]) / weights
    return float(np.where(within, x[:, :, 2] - ground, np.inf).min())


def _over_edges(p: Points, e: Ids, q: Points, f: Ids) -> float:
    """Return the least height of edges over those that they cross, seen from above.

    Parallel ones are left out: where they lie over each other, a vertex does too.
    """
    a, b = p[e[:, 0], None], p[e[:, 1], None]
    c, d = q[f[:, 0]], q[f[:, 1]]
    at_a, at_b = _turned(a, c, d), _turned(b, c, d)
    at_c, at_d = _turned(c, a, b), _turned(d, a, b)
    across, over = at_a - at_b, at_c - at_d
    crossed = (at_a * at_b <= 0.0) & (at_c * at_d <= 0.0)
    crossed &= np.abs(across) > PARALLEL * _length(a, b) * _length(c, d)
    s = at_a / np.where(crossed, across, 1.0)
    t = at_c / np.where(crossed, over, 1.0)
    above = a[..., 2] + s * (b[..., 2] - a[..., 2])
    below = c[..., 2] + t * (d[..., 2] - c[..., 2])
    return float(np.where(crossed, above - below, np.inf).min())


def _length(a: Points, b: Points) -> Points:
    """Return a length seen from above: the sum of both coordinates'."""
    length: Points = np.abs(b[..., 0] - a[..., 0]) + np.abs(b[..., 1] - a[..., 1])
    return length


def _turned(x: Points, a: Points, b: Points) -> Points:
    """Return twice the area of a triangle seen from above, signed by its turn."""
    ax, ay = a[..., 0] - x[..., 0], a[..., 1] - x[..., 1]
    bx, by = b[..., 0] - x[..., 0], b[..., 1] - x[..., 1]
    area: Points = ax * by - ay * bx
    return area


THIRDS = ((1.0, 0.0), (-0.5, 0.5 * sqrt(3.0)), (-0.5, -0.5 * sqrt(3.0)))
HIGH = 4.0  # from where a body falls onto the other


def fig3_face_vertex() -> World:
    """Set a corner of a turned box down on a face, slide it and lift it (Fig. 3, FV).

    The contact stays inside one face: the first candidate of rule 1 is the answer.
    """
    way = ramp((0.3, 0.9), (-0.15, 0.2), smooth=True)
    turn = motion.stack(
        motion.turn((1.0, -1.0, 0.0), lambda t: 0.9),
        motion.turn((0.0, 0.0, 1.0), ramp((0.0, 1.2), (0.2, 0.7))),
    )
    return _over(
        "corner",
        shapes.box((0.6, 0.5, 0.4)),
        shapes.box((1.4, 1.2, 0.4)),
        turn=turn,
        across=lambda t: (way(t), 0.5 * way(t)),
        above=ramp((0.0, 0.25, 0.95, 1.2), (0.3, HAIR, HAIR, 0.3), smooth=True),
    )


def fig3_edge_edge() -> World:
    """Lay one ridge across another, slide it along and lift it (Fig. 3, EE).

    The contact stays between two edges: the first candidate of rule 2 is the answer.
    """
    ridge = shapes.prism(3, 0.4, 1.4)
    low = Body(ridge, name="lower", pose=ridge_pose(0.0, 0.0, up=True))
    way = ramp((0.3, 0.9), (-0.3, 0.3), smooth=True)
    above = ramp((0.0, 0.25, 0.95, 1.2), (0.3, HAIR, HAIR, 0.3), smooth=True)

    def crossed(t: float) -> Pose:
        pose = ridge_pose(1.0 + way(t), 0.8 + above(t), up=False)
        x, y, z = pose.translation.tolist()
        return Pose(pose.linear, (x, y + way(t), z))

    return scene(Body(ridge, name="upper"), low, motion={"upper": crossed})


def fig4() -> World:
    """Leave a face by each of its edges for the face beyond, and come back (Fig. 4).

    Rule 1: from the face f0 over the edges around it, where the tip's own edge lies
    across (EE), to the faces f1, f2, f3 behind them, where the tip stands (FV).
    """
    tip = _pyramid_on_its_tip(0.3)
    hill = _stump(0.6, 0.25, 0.5)
    # A third of the time each: out over an edge, lean back onto the face, and return.
    third = 0.8
    out = ramp((0.10, 0.35, 0.50, 0.75), (0.0, 0.5, 0.5, 0.0), smooth=True)
    lean = ramp((0.25, 0.40, 0.45, 0.60), (0.0, 0.35, 0.35, 0.0), smooth=True)
    above = ramp((0.0, 0.1, 2.4, 2.5), (0.1, HAIR, HAIR, 0.1), smooth=True)

    def part(t: float) -> tuple[tuple[float, float], float]:
        k = min(2, int(max(0.0, t) / third))
        return THIRDS[k], t - k * third

    def turn(t: float) -> Pose:
        (x, y), s = part(t)
        return motion.turn((-y, x, 0.0), lean)(s)

    def across(t: float) -> tuple[float, float]:
        (x, y), s = part(t)
        return out(s) * x, out(s) * y

    return _over("tip", tip, hill, turn=turn, across=across, above=above)


def fig5() -> World:
    """Leave an edge for both its faces, and for the edges at both ends (Fig. 5).

    Rule 2: from the edge e0, a ridge that a bar lies across (EE), to the faces f1 and
    f2 beside it, where an end of the bar stands (FV), and to the edges that meet e0
    at its ends (EE).
    """
    bar = shapes.prism(3, 0.3, 1.6)
    roof = _hipped_roof(0.5, 0.4, 0.5)
    # First the bar tips over to one side and to the other, onto an end of it; then
    # it slides along the ridge beyond one end and beyond the other.
    roll = ramp(
        (0.2, 0.4, 0.5, 0.7, 0.9, 1.0, 1.2),
        (0.0, 1.1, 1.1, 0.0, -1.1, -1.1, 0.0),
        smooth=True,
    )
    along = ramp(
        (1.2, 1.5, 1.6, 1.8, 2.1, 2.2, 2.5),
        (0.0, 0.7, 0.7, 0.0, -0.7, -0.7, 0.0),
        smooth=True,
    )
    yaw = ramp((1.2, 1.4, 1.7, 2.0, 2.3, 2.5), (0.0, 0.4, 0.4, -0.4, -0.4, 0.0))
    above = ramp((0.0, 0.1, 2.5, 2.6), (0.1, HAIR, HAIR, 0.1), smooth=True)
    lying = ridge_pose(0.0, 0.0, up=False)

    def turn(t: float) -> Pose:
        tipped = motion.turn((1.0, 0.0, 0.0), roll)(t)
        turned = motion.turn((0.0, 0.0, 1.0), yaw)(t)
        return turned @ tipped @ lying

    return _over(
        "bar", bar, roof, turn=turn, across=lambda t: (along(t), 0.0), above=above
    )


def fig6() -> World:
    """Roll a soft ball over another one, and watch what lies around (Fig. 6).

    At every contact both bodies show an element with its neighbours, and the next
    contact is among them.  The upper ball is squashed on the way.
    """
    ball, radius = shapes.icosphere(1, 0.5), 0.5
    soft = squash(ramp((0.4, 0.8, 1.2), (0.0, 0.2, 0.0), smooth=True))
    way = ramp((0.2, 1.4), (-0.35, 0.35), smooth=True)
    turn = motion.stack(
        motion.turn((0.0, 0.0, 1.0), lambda t: 0.3),
        motion.turn((0.2, 1.0, 0.0), lambda t: 2.0 * way(t) / radius),
    )
    return _over(
        "upper",
        ball,
        shapes.icosphere(1, 0.5),
        turn=turn,
        across=lambda t: (way(t), 0.1),
        above=ramp((0.0, 0.2, 1.4, 1.6), (0.2, HAIR, HAIR, 0.2), smooth=True),
        soft=soft,
    )


def fig7() -> World:
    """Watch the least distance while a body flies past, till it touches (Fig. 7).

    Apart, the pair of closest features passes from neighbour to neighbour; at the
    threshold the contact begins, and it ends beyond.
    """
    turn = motion.stack(
        motion.turn((1.0, 2.0, 0.5), ramp((0.0, 2.0), (0.0, 3.0))),
        motion.turn((0.0, 0.0, 1.0), ramp((0.0, 2.0), (0.5, -0.5))),
    )
    way = ramp((0.0, 1.0, 1.2, 2.0), (-1.0, 0.0, 0.1, 0.9), smooth=True)
    return _over(
        "visitor",
        shapes.prism(5, 0.35, 0.5),
        shapes.icosphere(0, 0.5),
        turn=turn,
        across=lambda t: (way(t), 0.2 * way(t)),
        above=ramp((0.0, 1.0, 1.2, 2.0), (0.5, 0.002, 0.002, 0.6), smooth=True),
    )


def _over(
    name: str,
    mesh: WingedEdgeMesh,
    ground: WingedEdgeMesh,
    *,
    turn: motion.Motion,
    across: Callable[[float], tuple[float, float]],
    above: Callable[[float], float],
    soft: Deformer | None = None,
) -> World:
    """Lead a body over another one that is still, ``above`` it by so much along z.

    Beside the other one it keeps the height at which it would clear its top.
    """
    top = float(ground.points[:, 2].max())

    def moved(t: float) -> Pose:
        pose = turn(t)
        x, y = across(t)
        points = mesh.points if soft is None else soft(mesh.points, t)
        raised = Pose(pose.linear, (x, y, HIGH))
        placed = raised.apply(points)
        height = HIGH - fall(mesh, placed, ground, ground.points)
        if not height > -HIGH:
            height = top - float(pose.apply(points)[:, 2].min())
        return Pose(pose.linear, (x, y, height + above(t)))

    return scene(
        Body(mesh, name=name),
        Body(ground, name="ground"),
        motion={name: moved},
        deform={} if soft is None else {name: soft},
    )


def _pyramid_on_its_tip(slope: float) -> WingedEdgeMesh:
    """Build a pyramid that stands on its tip, v0; its edges rise by a slope."""
    rim = [(-0.8 * x, -0.8 * y, 0.8 * slope) for x, y in THIRDS]
    points = np.array([(0.0, 0.0, 0.0), *rim])
    return WingedEdgeMesh.from_faces(
        points, [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]
    )


def _stump(radius: float, depth: float, slope: float) -> WingedEdgeMesh:
    """Build a hill with a three-cornered top, f0, and a face beyond each of its edges.

    Edge k of the top looks along ``THIRDS[k]``, and f1 + k is the face across it.
    """
    wide = radius + 2.0 * depth / slope
    # The corners lie opposite: between two of the three ways.
    corners = [(-x, -y) for x, y in THIRDS]
    ring = [corners[1], corners[2], corners[0]]
    points = np.array(
        [(radius * x, radius * y, 0.0) for x, y in ring]
        + [(wide * x, wide * y, -depth) for x, y in ring]
    )
    sides = [[k, 3 + k, 3 + (k + 1) % 3, (k + 1) % 3] for k in range(3)]
    return WingedEdgeMesh.from_faces(points, [[0, 1, 2], *sides, [5, 4, 3]])


def _hipped_roof(half: float, depth: float, slope: float) -> WingedEdgeMesh:
    """Build a roof whose ridge, e0, runs along x from hip to hip, between f0 and f1."""
    wide = depth / slope
    long = half + wide
    points = np.array(
        [
            (-half, 0.0, 0.0),
            (half, 0.0, 0.0),
            (-long, -wide, -depth),
            (long, -wide, -depth),
            (long, wide, -depth),
            (-long, wide, -depth),
        ]
    )
    faces = [[1, 0, 2, 3], [0, 1, 4, 5], [1, 3, 4], [0, 5, 2], [2, 5, 4, 3]]
    return WingedEdgeMesh.from_faces(points, faces)
