"""Scenes of bodies that answer contact: nothing but the plates moves by a script."""

from dataclasses import replace
from typing import Any

import numpy as np

from sim.body.body import Body
from sim.body.pose import Pose
from sim.laws import Affine
from sim.motion import ramp
from sim.scenes.table import scene, still, table_top, world
from sim.world import World
from wingedge import shapes

NEAR = 0.01  # where contact begins, and with it what keeps bodies apart
NO_WEIGHT = (0.0, 0.0, 0.0)


def law(*fixed: str, near: float = NEAR, **options: Any) -> Affine:
    """Make a law by which some bodies stand."""
    return Affine(fixed=fixed, contact_distance=near, **options)


@scene(145)
def bounce() -> World:
    """Let a jelly with a spin fall on the table, where it bounces twice."""
    push, turn = {"jelly": (0.5, 0.0, 0.0)}, {"jelly": (0.5, 1.0, 0.0)}
    jelly = still("jelly", shapes.icosphere(1, 0.5), 0.0, 0.0, 1.2)
    soft = law("table", kappa=3e4, friction=0.4, velocity=push, spin=turn)
    return world(jelly, table_top(), law=soft, dt=1 / 120)


@scene(90)
def squeeze() -> World:
    """Press a jelly between two plates by a third, and let it spring off."""
    plate, away = shapes.box((1.6, 1.6, 0.1)), 0.6
    tilt = Pose.rigid((0.01, 0.02, 0.1, 1.0))
    jelly = Body(shapes.box(1.0), name="jelly", pose=tilt)
    height = ramp((0.0, 0.8, 1.1), (away, away - 0.4, away + 0.6), smooth=True)
    press = {"above": lambda t: Pose(None, (0.0, 0.0, height(t)))}
    soft = law("below", kappa=2e4, gravity=NO_WEIGHT)
    plates = still("below", plate, 0.0, 0.0, -away), still("above", plate)
    return world(jelly, *plates, motion=press, law=soft)


@scene(60)
def bullet() -> World:
    """Shoot a ball at thin walls, 1000 times its size a second: it passes neither."""
    wall, ends = shapes.box((0.02, 3.0, 3.0)), {"left": -20.0, "right": 20.0}
    walls = [still(name, wall, x, 0.0, 0.0) for name, x in ends.items()]
    shot = {"ball": (500.0, 0.5, 0.0)}
    stiff = law("left", "right", kappa=1e9, gravity=NO_WEIGHT, velocity=shot)
    return world(still("ball", shapes.icosphere(1, 0.5)), *walls, law=stiff)


@scene(60)
def stack() -> World:
    """Let ten boxes settle on each other: each begins to rest, and stays."""
    block, gap = shapes.box((0.3, 0.3, 0.2)), 0.012
    heights = [0.1 + gap + (0.2 + gap) * k for k in range(10)]
    boxes = [still(f"box{k}", block, 0, 0, z) for k, z in enumerate(heights)]
    stiff = law("table", kappa=1e8, friction=0.5)
    return world(*boxes, table_top(), law=stiff, margin=0.05)


@scene(60)
def dominoes() -> World:
    """Push the first of four dominoes over: each fells the next."""
    block = shapes.box((0.08, 0.24, 0.4))
    row = [still(f"domino{k}", block, -0.4 + 0.18 * k, 0.0, 0.2095) for k in range(4)]
    push, turn = {"domino0": (0.8, 0.0, 0.0)}, {"domino0": (0.0, 4.0, 0.0)}
    stiff = law("table", kappa=1e7, friction=0.5, velocity=push, spin=turn)
    return world(*row, table_top(), law=stiff, margin=0.05)


@scene(60)
def vault() -> World:
    """Let five stones sink between two that stand, until they bear each other."""
    box, half = shapes.box(1.0), 0.268  # tangent of 15 degrees
    points = box.points.copy()
    points[:, 2] = np.where(points[:, 2] > 0.0, 0.9, 0.6)
    points[:, 0] *= 2.0 * half * points[:, 2] - 0.011
    points[:, 1] *= 0.3
    wedge = replace(box, points=points)
    right, left = [Pose()], [Pose()]
    for _ in range(3):
        right.append(right[-1] @ Pose.rigid((0.0, half, 0.0, 1.0)))
        left.append(left[-1] @ Pose.rigid((0.0, -half, 0.0, 1.0)))
    poses = enumerate([*left[:0:-1], *right])
    stones = [Body(wedge, name=f"stone{k}", pose=pose) for k, pose in poses]
    stiff = law("stone0", "stone6", kappa=1e8, friction=0.6)
    return world(*stones, law=stiff, margin=0.05)


@scene(96)
def dzhanibekov() -> World:
    """Spin a plate about its middle axis: it turns over under a post, and misses it."""
    plate, turn = shapes.box((0.2, 1.0, 0.5)), {"plate": (0.0, 3.0, 9.0)}
    post = still("post", shapes.box((0.1, 0.1, 0.1)), 0.0, 0.0, 0.35)
    stiff = law("post", near=1e-3, gravity=NO_WEIGHT, kappa=1e8, spin=turn)
    bodies = still("plate", plate), post
    return world(*bodies, law=stiff, dt=1 / 120, contact_distance=0.045)
