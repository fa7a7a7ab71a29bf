"""Scenes of bodies that lose what makes them solid, and get it back."""

import numpy as np

from sim import deform, motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform import Points
from sim.motion import ramp
from sim.scenes.table import HAIR, lowest, on_table
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

TINY = 1e-9  # a nanometre, in metres
FAR = (4e6, -3e6, 5e6)  # from one to the next double it is 1e-9 here


def tiny() -> World:
    """Turn a crystal of a nanometre on another: vertex, edge and face, then part."""
    lower = shapes.box((2.0 * TINY, 2.0 * TINY, TINY))
    upper = shapes.prism(3, 0.6 * TINY, TINY)
    turn = motion.stack(
        motion.turn((1.0, 0.0, 0.0), ramp((0.3, 0.6, 0.8, 1.1), (0.5, 0.0, 0.0, -0.5))),
        motion.turn((0.0, 1.0, 0.0), ramp((0.3, 0.5, 0.9, 1.2), (0.3, 0.0, 0.0, 0.4))),
    )
    above = ramp((0.0, 0.2, 1.3, 1.5), (TINY, 0.002 * TINY, 0.002 * TINY, TINY))

    def laid(t: float) -> Pose:
        pose = turn(t)
        height = 0.5 * TINY + above(t) - lowest(pose.apply(upper.points))
        return Pose(pose.linear, (0.2 * TINY, 0.1 * TINY, height))

    return World(
        [Body(upper, name="upper"), Body(lower, name="lower")],
        motion={"upper": laid},
        contact_distance=0.01 * TINY,
    )


def huge() -> World:
    """Blow a grain of sand along a plate that is a million times as wide."""
    grain, plate = shapes.icosphere(1, 0.5), shapes.box((1e6, 1e6, 1e5))
    turn = motion.turn((0.2, 1.0, 0.1), ramp((0.2, 1.3), (0.0, 6.0)))
    above = ramp((0.0, 0.2, 1.4, 1.6), (0.1, 0.0005, 0.0005, 0.1))
    across = ramp((0.2, 1.3), (0.0, 3.0))

    def blown(t: float) -> Pose:
        pose = turn(t)
        height = above(t) - lowest(pose.apply(grain.points))
        return Pose(pose.linear, (across(t), 0.0, height))

    return World(
        [
            Body(grain, name="grain"),
            Body(plate, name="plate", pose=Pose(None, (0.0, 0.0, -5e4))),
        ],
        motion={"grain": blown},
        contact_distance=0.01,
    )


def far() -> World:
    """Let two blocks meet thousands of kilometres from the origin, edge upon edge."""
    block = shapes.box((1.0, 0.8, 0.6))
    home = np.array(FAR)
    turn = motion.stack(
        motion.turn((1.0, 0.0, 0.0), lambda t: 0.7),
        motion.turn((0.0, 0.0, 1.0), ramp((0.3, 1.2), (0.4, 1.2))),
    )
    above = ramp((0.0, 0.3, 1.2, 1.5), (0.2, 0.001, 0.001, 0.2))
    across = ramp((0.3, 1.2), (0.1, 0.7))

    def met(t: float) -> Pose:
        pose = turn(t)
        height = 0.3 + above(t) - lowest(pose.apply(block.points))
        return Pose(pose.linear, home + np.array((across(t), 0.1, height)))

    return World(
        [Body(block, name="upper"), Body(block, name="lower", pose=Pose(None, home))],
        motion={"upper": met},
        contact_distance=0.01,
    )


def invert() -> World:
    """Push the apex of a pyramid through its base: it is inside-out, and back."""
    base = shapes.prism(5, 0.5, 1.0).points[:5] * (1.0, 1.0, 0.0)
    points = np.concatenate([base, [[0.0, 0.0, 0.6]]])
    faces = [[4, 3, 2, 1, 0], *([i, (i + 1) % 5, 5] for i in range(5))]
    pyramid = WingedEdgeMesh.from_faces(points, faces)
    height = ramp((0.4, 0.8, 1.2, 1.6), (0.6, -0.5, -0.5, 0.6))

    def pushed(points: Points, t: float) -> Points:
        moved = points.copy()
        moved[5, 2] = height(t)
        return moved

    return on_table(
        "pyramid",
        pyramid,
        turn=motion.turn((1.0, 2.0, 0.0), ramp((0.3, 0.5, 1.5, 1.7), (0, 0.2, 0.2, 0))),
        soft=pushed,
        above=ramp((0.0, 0.2, 1.8, 2.0), (0.1, HAIR, HAIR, 0.1)),
        across=lambda t: 0.0,
    )


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

    return on_table(
        "block",
        shapes.box((0.8, 0.6, 0.4)),
        turn=motion.turn((1.0, 2.0, 0.3), ramp((0.2, 2.0), (0.2, 0.4))),
        soft=deform.affine(matrix),
        above=ramp((0.0, 0.2, 2.0, 2.2), (0.1, HAIR, HAIR, 0.1)),
        across=lambda t: 0.0,
    )
