"""The table that scenes play on, and how a body is led over it."""

from collections.abc import Callable

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform.deformer import Points
from sim.motion import Motion
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

TABLE = (2.4, 1.6, 0.4)  # its top is at height 0, its edges at x = 1.2 and y = 0.8
EDGE = 1.2
HAIR = 0.0005  # what stays between bodies that touch


def table_top() -> Body:
    """Build the table, still, its top at height 0."""
    top = Pose(None, (0.0, 0.0, -TABLE[2] / 2))
    return Body(shapes.box(TABLE), name="table", pose=top)


def on_table(
    name: str,
    mesh: WingedEdgeMesh,
    *,
    turn: Motion,
    above: Callable[[float], float],
    across: Callable[[float], float],
    soft: Callable[[Points, float], Points] | None = None,
) -> World:
    """Move a body along x so that its lowest point stays ``above`` the table's top."""

    def shape(t: float) -> Points:
        return mesh.points if soft is None else soft(mesh.points, t)

    def moved(t: float) -> Pose:
        pose = turn(t)
        height = above(t) - lowest(pose.apply(shape(t)))
        return Pose(pose.linear, (across(t), 0.0, height))

    return World(
        [Body(mesh, name=name), table_top()],
        motion={name: moved},
        deform={} if soft is None else {name: soft},
        contact_distance=0.01,
    )


def lowest(points: Points) -> float:
    """Return the least height of a body."""
    return float(points[:, 2].min())


def ridge_pose(angle: float, height: float, *, up: bool) -> Pose:
    """Lay a prism down with one edge along y, on top or at the bottom, and turn it."""
    lying = motion.turn((1.0, 0.0, 0.0), lambda t: np.pi / 2)(0.0)
    side = motion.turn((0.0, 1.0, 0.0), lambda t: -np.pi / 2 if up else np.pi / 2)(0.0)
    turn = motion.turn((0.0, 0.0, 1.0), lambda t: angle)(0.0)
    return Pose(None, (0.0, 0.0, height)) @ turn @ side @ lying
