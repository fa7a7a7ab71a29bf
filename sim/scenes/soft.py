"""Scenes of bodies that deform, until some are no longer convex, or no solid at all."""

from math import sqrt

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform import fields, sections
from sim.deform.deformer import Points, affine, shear, squash, stack
from sim.motion import ramp
from sim.scenes.table import led, on_table, over, scene, still
from sim.scenes.ways import EDGE, HAIR, X, Y, Z, touch, turned
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


@scene(112)
def bend() -> World:
    """Bend a bar round a log until it clasps it, straighten it and lift it."""
    long, thick, radius = 2.0, 0.2, 0.6
    angle = ramp((0.3, 0.9, 1.1, 1.6), (0.0, -2.6, -2.6, 0.0), smooth=True)
    above = ramp((0.0, 0.3, 1.6, 1.8), (0.2, 0.004, 0.004, 0.2), smooth=True)
    soft = sections.bend(
        angle, axis="x", towards="z", span=(-1.0, 1.0), about=(0.0, 0.0, -thick / 2)
    )
    part = 0.53  # of the bar lies on one side of the log's top
    level = turned(Y, lambda t: part * angle(t))
    inside = np.zeros((51, 3)) - (long / 2, 0.0, thick / 2)  # where it meets the log
    inside[:, 0] += np.arange(51) * (long / 50)

    def held(t: float) -> Pose:
        pose = level(t)
        x, _, z = pose.apply(soft(inside, t)).T
        shift, reach = -float(x[round(50 * part)]), radius + above(t)
        left = reach * reach - (x + shift) * (x + shift)
        height = float((np.sqrt(left[left > 0.0]) - z[left > 0.0]).max())
        return Pose(pose.linear, (shift, 0.0, height))

    lying = turned(X, np.pi / 2, Z, 0.04)(0.0)
    log = Body(shapes.cylinder(12, radius, 1.0), name="log", pose=lying)
    bar = shapes.grid_box((10, 1, 1), (long, 0.4, thick))
    return led("bar", bar, log, held, soft)


@scene(100)
def hop() -> World:
    """Squash a pillar and let it go: it springs up, grows a waist and takes off."""
    times = (0.2, 0.6, 0.9, 1.2, 1.5)
    flat, wide = (
        ramp(times, (0.0, first, second, 0.1, 0.0), smooth=True)
        for first, second in ((0.35, -0.25), (0.3, -0.3))
    )
    pillar = shapes.grid_box((2, 2, 4), (0.4, 0.4, 0.8))
    turn = turned(Z, ramp((0.7, 1.2), (0.2, 0.9)))
    above = ramp((0.0, 0.1, 0.85, 0.95), (0.05, HAIR, HAIR, 0.1))
    soft = stack(squash(flat), sections.bulge(wide))
    return on_table("pillar", pillar, turn, above, soft=soft)


@scene(110)
def hinge() -> World:
    """Fold half of a block up and down again on the table, and touch twice.

    Its two halves are one flat part only while they are level to the bit.  On the way
    it rocks by less than anyone would see, and overlaps by less than counts as
    beginning to, but not as ending.
    """
    block = shapes.grid_box((2, 1, 1), (0.8, 0.5, 0.3))
    low = block.points[:, 2] < 0.0
    fold = ramp(
        (0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9), (0.1, 0.0, 0.0, 0.1, -0.1, -0.1, 0.0)
    )
    rock = ramp((0.9, 1.0, 1.05, 1.1), (0.0, 4e-9, 1e-9, 0.0))
    above = ramp(
        (0.0, 0.15, 1.1, 1.2, 1.25, 1.35, 1.4, 1.5, 1.6, 1.65, 1.75),
        (0.1, HAIR, HAIR, -0.01, -1e-10, -1e-10, HAIR, 0.1, HAIR, HAIR, 0.1),
    )

    def soft(points: Points, t: float) -> Points:
        """Fold up the half ahead, or the half behind."""
        moved = points.copy()
        moved[low, 2] += np.maximum(fold(t) * points[low, 0], 0.0)
        return moved

    return on_table("block", block, turned(Y, rock), above, soft=soft)


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
