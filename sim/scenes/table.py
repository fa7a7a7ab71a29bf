"""What scenes are made of: bodies that stand or are led, and the table of scenes.

A scene is a function that builds a world, under ``@scene(length)``.
"""

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform.deformer import Points
from sim.motion import Motion
from sim.scenes.ways import Height, Soft
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

TABLE = (2.4, 1.6, 0.4)  # its top is at height 0
Across = Callable[[float], float | tuple[float, float]]  # x, or (x, y)
Build = Callable[[], World]


# by name, and how many frames the story takes
SCENES: dict[str, tuple[Build, int]] = {}


def scene(length: int) -> Callable[[Build], Build]:
    """Put a function that builds a world into the table, by its name."""

    def known(build: Build) -> Build:
        SCENES[build.__name__] = build, length
        return build

    return known


def world(*bodies: Body, contact_distance: float = 0.01, **options: Any) -> World:
    """Make a world of bodies in which contact begins at a hundredth."""
    return World(bodies, contact_distance=contact_distance, **options)


def still(name: str, mesh: WingedEdgeMesh, *place: float) -> Body:
    """Put a body somewhere, unturned; at the origin if that is left out."""
    return Body(mesh, name=name, pose=Pose(None, place or (0.0, 0.0, 0.0)))


def table_top() -> Body:
    """Build the table, still, its top at height 0."""
    return still("table", shapes.box(TABLE), 0.0, 0.0, -TABLE[2] / 2)


def standing(points: Points, pose: Pose, place: Any = None) -> float:
    """Return at which height a body stands on height 0."""
    return -float(pose.apply(points)[:, 2].min())


def over(
    mesh: WingedEdgeMesh,
    turn: Motion,
    above: Height,
    across: Across = lambda t: 0.0,
    soft: Soft | None = None,
    *,
    ground: Callable[[Points, Pose, ArrayLike], float] = standing,
) -> Motion:
    """Move a body so that it stays ``above`` height 0, or a ground, by so much.

    Parameters: ``ground``: of the body's positions, turned, the turn, and where it is
    moved then, the height at which it touches.
    """

    def moved(t: float) -> Pose:
        pose, place = turn(t), across(t)
        x, y = place if isinstance(place, tuple) else (place, 0.0)
        points = mesh.points if soft is None else soft(mesh.points, t)
        return Pose(pose.linear, (x, y, above(t) + ground(points, pose, (x, y))))

    return moved


def led(
    name: str,
    mesh: WingedEdgeMesh,
    onto: Body,
    moved: Motion,
    soft: Soft | None = None,
    **options: Any,
) -> World:
    """Make a world of a body that is led, and of one that is still."""
    deform = {} if soft is None else {name: soft}
    return world(
        still(name, mesh), onto, motion={name: moved}, deform=deform, **options
    )


def on_table(
    name: str,
    mesh: WingedEdgeMesh,
    turn: Motion,
    above: Height,
    across: Across = lambda t: 0.0,
    soft: Soft | None = None,
) -> World:
    """Lead a body ``over`` the table."""
    return led(name, mesh, table_top(), over(mesh, turn, above, across, soft), soft)
