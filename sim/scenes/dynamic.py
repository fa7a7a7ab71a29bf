"""Scenes of bodies that answer contact: nothing but the plates moves by a script."""

from sim.body.body import Body
from sim.body.pose import Pose
from sim.laws import Affine
from sim.motion import ramp
from sim.scenes.table import scene, table_top
from sim.world import World
from wingedge import shapes

NEAR = 0.01  # where contact begins, and with it what keeps bodies apart
NO_WEIGHT = (0.0, 0.0, 0.0)


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
