"""Scenes of bodies that answer contact: nothing but the plates moves by a script."""

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.laws import Affine
from sim.motion import ramp
from sim.scenes.table import scene, table_top
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

NEAR = 0.01  # where contact begins, and with it what keeps bodies apart
NO_WEIGHT = (0.0, 0.0, 0.0)


def reshaped(points: NDArray[np.float64]) -> WingedEdgeMesh:
    """Make a box with its corners elsewhere."""
    box = shapes.box(1.0)
    faces = [box.face_vertices(f).tolist() for f in range(box.n_faces)]
    return WingedEdgeMesh.from_faces(points, faces)


def bounce() -> World:
    """Let a jelly with a spin fall on the table, where it bounces twice."""
    law = Affine(
        fixed=["table"],
        kappa=3e4,
        friction=0.4,
        contact_distance=NEAR,
        velocity={"jelly": (0.5, 0.0, 0.0)},
        spin={"jelly": (0.5, 1.0, 0.0)},
    )
    ball = shapes.icosphere(1, 0.5)
    jelly = Body(ball, name="jelly", pose=Pose(None, (0.0, 0.0, 1.2)))
    return scene(jelly, table_top(), law=law, dt=1 / 120)


def squeeze() -> World:
    """Press a jelly between two plates by a third, and let it spring off."""
    plate = shapes.box((1.6, 1.6, 0.1))
    away = 0.6
    below = Body(plate, name="below", pose=Pose(None, (0.0, 0.0, -away)))
    tilt = Pose.rigid((0.01, 0.02, 0.1, 1.0))
    jelly = Body(shapes.box(1.0), name="jelly", pose=tilt)
    height = ramp((0.0, 0.8, 1.1), (away, away - 0.4, away + 0.6), smooth=True)

    def press(t: float) -> Pose:
        return Pose(None, (0.0, 0.0, height(t)))

    law = Affine(fixed=["below"], kappa=2e4, gravity=NO_WEIGHT, contact_distance=NEAR)
    return scene(
        jelly, below, Body(plate, name="above"), motion={"above": press}, law=law
    )


def bullet() -> World:
    """Shoot a ball at thin walls, 1000 times its size a second: it passes neither."""
    wall = shapes.box((0.02, 3.0, 3.0))
    walls = [
        Body(wall, name=name, pose=Pose(None, (x, 0.0, 0.0)))
        for name, x in (("left", -20.0), ("right", 20.0))
    ]
    law = Affine(
        fixed=["left", "right"],
        kappa=1e9,
        gravity=NO_WEIGHT,
        contact_distance=NEAR,
        velocity={"ball": (500.0, 0.5, 0.0)},
    )
    ball = Body(shapes.icosphere(1, 0.5), name="ball")
    return scene(ball, *walls, law=law)


def stack() -> World:
    """Let ten boxes settle on each other: each begins to rest, and stays."""
    block, gap = shapes.box((0.3, 0.3, 0.2)), 0.012
    boxes = [
        Body(
            block, name=f"box{k}", pose=Pose(None, (0, 0, 0.1 + gap + (0.2 + gap) * k))
        )
        for k in range(10)
    ]
    law = Affine(fixed=["table"], kappa=1e8, friction=0.5, contact_distance=NEAR)
    return scene(*boxes, table_top(), law=law, margin=0.05)


def dominoes() -> World:
    """Push the first of four dominoes over: each fells the next."""
    block, names = shapes.box((0.08, 0.24, 0.4)), [f"domino{k}" for k in range(4)]
    row = [
        Body(block, name=name, pose=Pose(None, (-0.4 + 0.18 * k, 0.0, 0.2095)))
        for k, name in enumerate(names)
    ]
    law = Affine(
        fixed=["table"],
        kappa=1e7,
        friction=0.5,
        contact_distance=NEAR,
        velocity={"domino0": (0.8, 0.0, 0.0)},
        spin={"domino0": (0.0, 4.0, 0.0)},
    )
    return scene(*row, table_top(), law=law, margin=0.05)


def vault() -> World:
    """Let five stones sink between two that stand, until they bear each other."""
    box, half = shapes.box(1.0), 0.268  # tangent of 15 degrees
    points = box.points.copy()
    points[:, 2] = np.where(points[:, 2] > 0.0, 0.9, 0.6)
    points[:, 0] *= 2.0 * half * points[:, 2] - 0.011
    points[:, 1] *= 0.3
    wedge = reshaped(points)
    right, left = [Pose()], [Pose()]
    for _ in range(3):
        right.append(right[-1] @ Pose.rigid((0.0, half, 0.0, 1.0)))
        left.append(left[-1] @ Pose.rigid((0.0, -half, 0.0, 1.0)))
    stones = [
        Body(wedge, name=f"stone{k}", pose=pose)
        for k, pose in enumerate([*left[:0:-1], *right])
    ]
    fixed = ["stone0", "stone6"]
    law = Affine(fixed=fixed, kappa=1e8, friction=0.6, contact_distance=NEAR)
    return scene(*stones, law=law, margin=0.05)


def dzhanibekov() -> World:
    """Spin a plate about its middle axis: it turns over under a post, and misses it."""
    plate = Body(shapes.box((0.2, 1.0, 0.5)), name="plate")
    above = Pose(None, (0.0, 0.0, 0.35))
    post = Body(shapes.box((0.1, 0.1, 0.1)), name="post", pose=above)
    law = Affine(
        fixed=["post"],
        gravity=NO_WEIGHT,
        kappa=1e8,
        contact_distance=1e-3,
        spin={"plate": (0.0, 3.0, 9.0)},
    )
    return scene(plate, post, law=law, dt=1 / 120, contact_distance=0.045)
