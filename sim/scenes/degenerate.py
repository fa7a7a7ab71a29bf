"""Scenes of bodies that lose what makes them solid, and get it back."""

import numpy as np

from sim import deform, motion
from sim.deform import Points
from sim.motion import ramp
from sim.scenes.table import HAIR, on_table
from sim.world import World
from wingedge import WingedEdgeMesh, shapes


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
