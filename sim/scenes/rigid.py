"""Scenes of bodies that keep their shape: every way to touch and to leave."""

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.motion import ramp
from sim.scenes.table import EDGE, HAIR, on_table, ridge_pose
from sim.world import World
from wingedge import shapes


def slide() -> World:
    """Slide a block standing on its edge across the table and off its end."""
    tilt = motion.turn((0.0, 1.0, 0.2), lambda t: 0.7)
    return on_table(
        "block",
        shapes.box((0.5, 0.9, 0.5)),
        turn=tilt,
        above=ramp((0.0, 0.2, 1.8), (0.1, HAIR, HAIR)),
        across=ramp((0.2, 1.8), (0.0, 1.9)),
    )


def tip() -> World:
    """Tip a block over its edge from one side onto the next."""
    quarter = ramp((0.4, 1.2), (0.0, np.pi / 2), smooth=True)
    turn = motion.turn((0.0, 1.0, 0.0), quarter)
    return on_table(
        "block",
        shapes.box((0.6, 0.5, 0.8)),
        turn=turn,
        above=ramp((0.0, 0.3, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1)),
        across=lambda t: 0.3 - float(turn(t).apply((0.3, 0.0, -0.4))[0]),
    )


def spin() -> World:
    """Let a coin spin down on the table: it rolls round on its rim, ever flatter."""
    lean = ramp((0.0, 1.5, 1.9), (0.9, 0.1, 0.0))
    round_ = ramp((0.0, 1.9), (0.0, 11.0))
    turn = motion.stack(
        motion.turn((0.0, 0.0, 1.0), lambda t: -0.8 * round_(t)),
        motion.turn((1.0, 0.0, 0.0), lean),
        motion.turn((0.0, 0.0, 1.0), round_),
    )
    return on_table(
        "coin",
        shapes.prism(12, 0.4, 0.08),
        turn=turn,
        above=ramp((0.0, 0.2, 2.1, 2.3), (0.1, HAIR, HAIR, 0.1)),
        across=lambda t: 0.0,
    )


def face_on_face() -> World:
    """Lower a box flat onto another, push it half over the end and lift it."""
    return on_table(
        "block",
        shapes.grid_box((2, 3, 1), (0.8, 0.6, 0.4)),
        turn=motion.turn((0.0, 0.0, 1.0), ramp((0.4, 1.2), (0.0, 0.8))),
        above=ramp((0.0, 0.3, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1)),
        across=ramp((0.4, 1.2), (0.0, EDGE)),
    )


def edge_on_edge() -> World:
    """Cross two ridges, turn them until they are parallel, and part them."""
    ridge = shapes.prism(3, 0.5, 1.6)
    low = Body(ridge, name="lower", pose=ridge_pose(0.0, 0.0, up=True))
    angle = ramp((0.4, 1.0, 1.3, 1.6), (1.2, 0.0, 0.0, -0.4))
    above = ramp((0.0, 0.3, 1.7, 1.9), (0.3, HAIR, HAIR, 0.2))
    return World(
        [Body(ridge, name="upper"), low],
        motion={"upper": lambda t: ridge_pose(angle(t), 1.0 + above(t), up=False)},
        contact_distance=0.01,
    )


def pass_through() -> World:
    """Send a ball straight through a plate: in, through, out on the other side."""
    ball, plate = shapes.icosphere(1, 0.4), shapes.box((1.6, 1.6, 0.2))
    fall = motion.stack(
        motion.spin((1.0, 2.0, 0.5), 1.5),
        motion.linear((0.1, 0.05, -1.0), start=(0.0, 0.0, 0.8)),
    )
    return World(
        [Body(ball, name="ball"), Body(plate, name="plate")],
        motion={"ball": fall},
        contact_distance=0.01,
    )
