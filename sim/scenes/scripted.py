"""Scenes of bodies that are led by scripts: stiff ones, and ones that deform.

Of those that deform some are no longer convex on the way, or no solid at all.
"""

from dataclasses import replace
from math import sqrt

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform import fields, sections
from sim.deform.deformer import Points, affine, shear, squash, stack
from sim.motion import ramp
from sim.scenes.table import led, on_table, scene, still, table_top, world
from sim.scenes.ways import EDGE, HAIR, Soft, X, Y, Z, over, ridge_pose, touch, turned
from sim.world import World
from wingedge import WingedEdgeMesh, shapes


@scene(160)
def demo() -> World:
    """Squash a turning ball onto a table, roll it over the edge and let it go."""
    ball, radius = shapes.icosphere(2, 0.5), 0.5
    soft = squash(ramp((0.3, 0.9, 1.1, 1.7), (0.0, 0.25, 0.25, 0.0), smooth=True))
    across = ramp((0.9, 2.1, 2.6), (0.0, EDGE + 0.4, EDGE + 1.4), smooth=True)
    times = (0.0, 0.65, 0.8, 1.0, 1.1, 1.6, 1.8)
    heights = (0.6, HAIR, -0.004, -0.004, HAIR, HAIR, 0.012)
    high = ramp(times, heights, smooth=True)
    round_ = ramp((0.0, 0.8), (0.3, 1.0))
    turn = turned(Z, round_, Y, lambda t: across(t) / radius)

    def above(t: float) -> float:
        over = min(max(0.0, across(t) - EDGE), 0.45)
        return high(t) - (radius - sqrt(radius * radius - over * over))

    return on_table("jelly", ball, turn, above, across, soft)


@scene(100)
def press() -> World:
    """Press a soft prism down with a shear, and release it."""
    flat = squash(ramp((0.4, 0.8, 1.2), (0.0, 0.3, 0.0), smooth=True))
    soft = stack(flat, shear(ramp((0.5, 0.8, 1.1), (0.0, 0.4, 0.0))))
    tilt = turned((1.0, 2.0, 0.0), ramp((0.4, 0.8, 1.2), (0.3, 0.0, 0.2)))
    above = touch(0.4, 1.2, 1.6, 0.4, smooth=True)
    return on_table("jelly", shapes.prism(5, 0.5, 0.8), tilt, above, soft=soft)


@scene(110)
def wring() -> World:
    """Twist a bar that leans on the table until it is no longer convex, and let go."""
    bar = shapes.grid_box((2, 2, 6), (0.3, 0.3, 1.0))
    turn = turned(Z, ramp((0.2, 1.6), (0.1, 1.3)), Y, 1.75)
    angle = ramp((0.3, 0.8, 1.1, 1.5), (0.0, 2.0, 2.0, 0.0), smooth=True)
    soft = sections.twist(angle)
    return on_table("bar", bar, turn, touch(0.2, 1.6, 1.8), soft=soft)


@scene(100)
def dent() -> World:
    """Let a dent travel under a ball on the table: it stands on the rim meanwhile."""
    radius, way = 0.5, ramp((0.3, 1.3), (-0.7, 0.7))
    depth = ramp((0.3, 0.6, 1.0, 1.3), (0.0, 0.16, 0.16, 0.0), smooth=True)
    at = lambda t: (way(t), 0.1, -radius)  # noqa: E731
    soft = fields.dent(depth, at=at, radius=0.4, direction=Z)
    ball, turn = shapes.icosphere(2, radius), turned((1.0, 1.0, 0.0), 0.1)
    return on_table("ball", ball, turn, touch(0.2, 1.4, 1.6), soft=soft)


@scene(120)
def invert() -> World:
    """Push the apex of a pyramid through its base: it is inside-out, and back."""
    base = shapes.prism(5, 0.5, 1.0).points[:5] * (1.0, 1.0, 0.0)
    points = np.concatenate([base, [[0.0, 0.0, 0.6]]])
    faces = [[4, 3, 2, 1, 0], *([i, (i + 1) % 5, 5] for i in range(5))]
    pyramid = WingedEdgeMesh.from_faces(points, faces)
    height = ramp((0.4, 0.8, 1.2, 1.6), (0.6, -0.5, -0.5, 0.6))
    turn = turned((1.0, 2.0, 0.0), ramp((0.3, 0.5, 1.5, 1.7), (0, 0.2, 0.2, 0)))

    def soft(points: Points, t: float) -> Points:
        moved = points.copy()
        moved[5, 2] = height(t)
        return moved

    return on_table("pyramid", pyramid, turn, touch(0.2, 1.8, 2.0), soft=soft)


@scene(130)
def collapse() -> World:
    """Press a block to a plate without thickness, to a line, to a point; let it grow.

    The volume is exactly 0 from 0.6 to 1.6.
    """
    factors = (
        ramp((1.0, 1.2, 1.3), (1.0, 0.0, 0.0)),
        ramp((0.7, 0.9, 1.4, 1.6), (1.0, 0.0, 0.0, 1.0)),
        ramp((0.3, 0.6, 1.6, 1.9), (1.0, 0.0, 0.0, 1.0)),
    )
    again = ramp((1.3, 1.5), (0.0, 1.0))

    def matrix(t: float) -> Points:
        x, y, z = (factor(t) for factor in factors)
        return np.array([[x + again(t), 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])

    block = shapes.box((0.8, 0.6, 0.4))
    turn = turned((1.0, 2.0, 0.3), ramp((0.2, 2.0), (0.2, 0.4)))
    return on_table("block", block, turn, touch(0.2, 2.0, 2.2), soft=affine(matrix))


TINY = 1e-9  # a nanometre, in metres
FAR = (4e6, -3e6, 5e6)  # from one to the next double it is 1e-9 here


@scene(90)
def tiny() -> World:
    """Turn a crystal of a nanometre on another: vertex, edge and face, then part."""
    upper = shapes.prism(3, 0.6 * TINY, TINY)
    over_x = ramp((0.3, 0.6, 0.8, 1.1), (0.5, 0.0, 0.0, -0.5))
    over_y = ramp((0.3, 0.5, 0.9, 1.2), (0.3, 0.0, 0.0, 0.4))
    above = ramp((0.0, 0.2, 1.3, 1.5), (TINY, 0.002 * TINY, 0.002 * TINY, TINY))
    place, turn = (0.2 * TINY, 0.1 * TINY), turned(X, over_x, Y, over_y)
    laid = over(upper, turn, lambda t: 0.5 * TINY + above(t), lambda t: place)
    lower = still("lower", shapes.box((2.0 * TINY, 2.0 * TINY, TINY)))
    return led("upper", upper, lower, laid, contact_distance=0.01 * TINY)


@scene(95)
def huge() -> World:
    """Blow a grain of sand along a plate that is a million times as wide."""
    grain, across = shapes.icosphere(1, 0.5), ramp((0.2, 1.3), (0.0, 3.0))
    turn = turned((0.2, 1.0, 0.1), ramp((0.2, 1.3), (0.0, 6.0)))
    plate = still("plate", shapes.box((1e6, 1e6, 1e5)), 0.0, 0.0, -5e4)
    return led("grain", grain, plate, over(grain, turn, touch(0.2, 1.4, 1.6), across))


@scene(90)
def far() -> World:
    """Let two blocks meet thousands of kilometres from the origin, edge upon edge."""
    block = shapes.box((1.0, 0.8, 0.6))
    turn = turned(X, 0.7, Z, ramp((0.3, 1.2), (0.4, 1.2)))
    above = ramp((0.0, 0.3, 1.2, 1.5), (0.2, 0.001, 0.001, 0.2))
    across = ramp((0.3, 1.2), (0.1, 0.7))
    near = over(block, turn, lambda t: 0.3 + above(t), lambda t: (across(t), 0.1))
    met = motion.stack(near, motion.still(Pose(None, FAR)))
    return led("upper", block, still("lower", block, *FAR), met)


@scene(115)
def slide() -> World:
    """Slide a block that stands on a corner across the table and off its end."""
    above = ramp((0.0, 0.2, 1.8), (0.1, HAIR, HAIR))
    tilt, across = turned((0.0, 1.0, 0.2), 0.7), ramp((0.2, 1.8), (0.0, 1.9))
    return on_table("block", shapes.box((0.5, 0.9, 0.5)), tilt, above, across)


@scene(100)
def tip() -> World:
    """Tip a block over its edge from one side onto the next."""
    turn = turned(Y, ramp((0.4, 1.2), (0.0, np.pi / 2), smooth=True))
    across = lambda t: 0.3 - float(turn(t).apply((0.3, 0, -0.4))[0])  # noqa: E731
    block = shapes.box((0.6, 0.5, 0.8))
    return on_table("block", block, turn, touch(0.3, 1.4, 1.6), across)


@scene(140)
def spin() -> World:
    """Let a coin spin down on the table: it rolls round on its rim, ever flatter."""
    lean = ramp((0.0, 1.5, 1.9), (0.9, 0.1, 0.0))
    round_ = ramp((0.0, 1.9), (0.0, 11.0))
    turn = turned(Z, lambda t: -0.8 * round_(t), X, lean, Z, round_)
    return on_table("coin", shapes.prism(12, 0.4, 0.08), turn, touch(0.2, 2.1, 2.3))


@scene(100)
def face_on_face() -> World:
    """Lower a box flat onto another, push it half over the end and lift it."""
    block = shapes.grid_box((2, 3, 1), (0.8, 0.6, 0.4))
    turn, across = (ramp((0.4, 1.2), (0.0, to)) for to in (0.8, EDGE))
    return on_table("block", block, turned(Z, turn), touch(0.3, 1.4, 1.6), across)


@scene(120)
def edge_on_edge() -> World:
    """Cross two ridges, turn them until they are parallel, and part them."""
    ridge = shapes.prism(3, 0.5, 1.6)
    low = Body(ridge, name="lower", pose=ridge_pose(0.0, 0.0, up=True))
    angle = ramp((0.4, 1.0, 1.3, 1.6), (1.2, 0.0, 0.0, -0.4))
    above = ramp((0.0, 0.3, 1.7, 1.9), (0.3, HAIR, HAIR, 0.2))
    crossed = lambda t: ridge_pose(angle(t), 1.0 + above(t), up=False)  # noqa: E731
    return led("upper", ridge, low, crossed)


@scene(100)
def pass_through() -> World:
    """Send a ball straight through a plate: in, through, out on the other side."""
    down = motion.linear((0.1, 0.05, -1.0), start=(0.0, 0.0, 0.8))
    fall = motion.stack(motion.spin((1.0, 2.0, 0.5), 1.5), down)
    plate = still("plate", shapes.box((1.6, 1.6, 0.2)))
    return led("ball", shapes.icosphere(1, 0.4), plate, fall)


@scene(80)
def arch() -> World:
    """Press an arch down: one foot touches, then the other, then what is between.

    The case that the paper leaves open: Yokoyama et al., section 5, Fig. 8.
    """
    along = (-1.0, -0.75, -0.5, 0.0, 0.5, 0.75, 1.0)
    legs = ramp(along, (0.5, 0.5, 0.1, 0.2, 0.1, 0.4, 0.4))
    rest = shapes.grid_box((12, 1, 1), (2.0, 0.6, 0.8))
    points = rest.points.copy()
    low = points[:, 2] < 0.0
    points[low, 2] = [-legs(x) for x in points[low, 0].tolist()]
    height = ramp((0.0, 0.1, 0.6, 0.7, 1.2, 1.3), (0.55, 0.5, 0.08, 0.08, 0.5, 0.55))

    def soft(points: Points, t: float) -> Points:
        """Give way below the table's top, never through it: there, and above is lower.

        Far above the top a foot stands at the height itself.
        """
        moved, little = points.copy(), 4.0 * HAIR * HAIR
        z = moved[:, 2] = points[:, 2] + height(t)
        root = np.sqrt(z * z + little)
        with np.errstate(divide="ignore"):
            stands = np.where(z > 0.0, 0.5 * (z + root), 0.5 * little / (root - z))
        moved[:, 2] = np.where(points[:, 2] < 0.0, stands, z)
        return moved

    body = Body(replace(rest, points=points), name="arch")
    return world(body, table_top(), deform={"arch": soft}, regions=True)


@scene(60)
def knead() -> World:
    """Press two wavy pads together: hills meet, join into a ridge and part again."""
    waves = ramp((-1.0, -0.5, 0.0, 0.5, 1.0), (0.0, 1.0, 0.0, 0.8, 0.0))
    rest = shapes.grid_box((8, 1, 1), (2.0, 0.8, 0.5))
    hills = np.array([waves(x) for x in rest.points[:, 0].tolist()])
    down = rest.points[:, 2] < 0.0
    height = ramp((0.0, 0.2, 0.5, 0.6, 0.9), (0.1, 0.1, 0.0025, 0.0025, 0.1))
    gap = touch(0.2, 0.7, 0.9)

    def swell(sign: float) -> Soft:
        def soft(points: Points, t: float) -> Points:
            moved = points.copy()
            inner = down if sign < 0.0 else ~down
            moved[inner, 2] += sign * height(t) * (hills[inner] - 1.0)
            moved[:, 2] -= sign * (0.25 + 0.5 * gap(t))
            return moved

        return soft

    deform = {"upper": swell(-1.0), "lower": swell(1.0)}
    return world(*(still(n, rest) for n in deform), deform=deform, regions=True)


@scene(110)
def thread() -> World:
    """Push a peg through the hole of a ring, along one wall and then the other."""
    down, wall = ramp((0.0, 1.8), (0.9, -0.9)), 0.05 - HAIR
    aside = ramp((0.5, 0.8, 0.9, 1.2), (0.0, wall, wall, -wall))
    pushed = lambda t: Pose(None, (aside(t), 0.0, down(t)))  # noqa: E731
    ring = still("ring", shapes.ring((1.2, 1.2, 0.3)))
    return led("peg", shapes.prism(6, 0.15, 1.0), ring, pushed)


@scene(60)
def teleport() -> World:
    """Move a ball by leaps: no place has to do with the last, near, deep or far."""
    ball, block = shapes.icosphere(1, 0.4), shapes.box((1.0, 0.8, 0.6))
    high, low = ball.points.max(axis=0) + HAIR, ball.points.min(axis=0) - HAIR
    right, behind, over = (np.array((0.5, 0.4, 0.3)) - low).tolist()
    left, before, under = (-np.array((0.5, 0.4, 0.3)) - high).tolist()
    # near, deep at the 9th, at a corner at the 12th, one middle upon the other then
    x = 3, right, left, 0, 0.3, 1000, 0.1, -0.3, 0.75, 0, right, 0.7, 0, left, -2
    y = 2, 0.1, -0.1, 0, 0.2, -1000, behind, before, 0.1, 0, -0.3, 0.6, 0, 0.2, 0
    z = 1, 0.05, 0, over, under, 500, -0.1, 0.1, 0, -0.6, 0.2, 0.5, 0, -0.2, 0
    places = list(zip(x, y, z, strict=True))
    leaps = {"ball": lambda t: Pose(None, places[min(int(t), len(places) - 1)])}
    # in a margin what leaps out of it in contact has to be told all the same
    bodies = still("ball", ball), still("block", block)
    return world(*bodies, motion=leaps, dt=0.25, margin=0.1)


@scene(80)
def hail() -> World:
    """Let a dozen stones fall on the table, each in its turn, and bounce off.

    Two by two they brush against each other in the air.
    """
    stone = shapes.icosphere(0, 0.15)

    def falling(k: int) -> motion.Motion:
        x, y, start = -0.75 + 0.5 * (k % 4), -0.4 + 0.4 * (k // 4), 0.04 * k
        toward = 0.12 if k % 2 == 0 else -0.12
        times = [start + s for s in (0.0, 0.3, 0.4, 0.55)]
        height = ramp(times, (0.9, HAIR, HAIR, 0.3))
        aside = ramp([start + s for s in (0.4, 0.6, 0.65, 0.9)], (0, toward, toward, 0))
        turn = motion.spin((1.0 + k, 2.0, 3.0 - k), 4.0)
        return over(stone, turn, height, lambda t: (x + aside(t), y))

    motions = {f"stone{k}": falling(k) for k in range(12)}
    stones = (still(name, stone) for name in motions)
    return world(*stones, table_top(), motion=motions, margin=0.1)
