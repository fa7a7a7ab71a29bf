"""The table that scenes play on, and how a body is led over it."""

from collections.abc import Callable
from typing import Any

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
Soft = Callable[[Points, float], Points]


def table_top() -> Body:
    """Build the table, still, its top at height 0."""
    top = Pose(None, (0.0, 0.0, -TABLE[2] / 2))
    return Body(shapes.box(TABLE), name="table", pose=top)


def scene(*bodies: Body, contact_distance: float = 0.01, **scripts: Any) -> World:
    """Make a world of bodies in which contact begins at a hundredth."""
    return World(bodies, contact_distance=contact_distance, **scripts)


def on_table(
    name: str,
    mesh: WingedEdgeMesh,
    *,
    turn: Motion,
    above: Callable[[float], float],
    across: Callable[[float], float] = lambda t: 0.0,
    soft: Soft | None = None,
) -> World:
    """Move a body along x so that its lowest point stays ``above`` the table's top."""
    moved = over(mesh, turn, above, lambda t: (across(t), 0.0), soft)
    deform = {} if soft is None else {name: soft}
    body = Body(mesh, name=name)
    return scene(body, table_top(), motion={name: moved}, deform=deform)


def over(
    mesh: WingedEdgeMesh,
    turn: Motion,
    above: Callable[[float], float],
    across: Callable[[float], tuple[float, float]],
    soft: Soft | None = None,
) -> Motion:
    """Move a body so that its lowest point stays ``above`` height 0."""

    def moved(t: float) -> Pose:
        pose = turn(t)
        points = mesh.points if soft is None else soft(mesh.points, t)
        height = above(t) - lowest(pose.apply(points))
        return Pose(pose.linear, (*across(t), height))

    return moved


def lowest(points: Points) -> float:
    """Return the least height of a body."""
    return float(points[:, 2].min())


def ridge_pose(angle: float, height: float, *, up: bool) -> Pose:
    """Lay a prism down with one edge along y, on top or at the bottom, and turn it."""
    lying = motion.turn((1.0, 0.0, 0.0), lambda t: np.pi / 2)(0.0)
    side = motion.turn((0.0, 1.0, 0.0), lambda t: -np.pi / 2 if up else np.pi / 2)(0.0)
    turn = motion.turn((0.0, 0.0, 1.0), lambda t: angle)(0.0)
    return Pose(None, (0.0, 0.0, height)) @ turn @ side @ lying
