"""What scenes are made of: bodies that stand or are led, and the table of scenes.

A scene is a function that builds a world, under ``@scene(length)``.
"""

from collections.abc import Callable
from typing import Any

from sim.body.body import Body
from sim.body.pose import Pose
from sim.motion import Motion
from sim.scenes.ways import Across, Height, Soft, over
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

TABLE = (2.4, 1.6, 0.4)  # its top is at height 0
Build = Callable[[], World]
SCENES: dict[str, tuple[Build, int]] = {}  # and how many frames the story takes


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


def led(
    name: str, mesh: WingedEdgeMesh, onto: Body, moved: Motion, **options: Any
) -> World:
    """Make a world of a body that is led, and of one that is still."""
    return world(still(name, mesh), onto, motion={name: moved}, **options)


def on_table(
    name: str,
    mesh: WingedEdgeMesh,
    turn: Motion,
    above: Height,
    across: Across = lambda t: 0.0,
    soft: Soft | None = None,
    *,
    onto: Body | None = None,
    **ground: Any,
) -> World:
    """Lead a body `over` the table, or over another one that is still."""
    moved = over(mesh, turn, above, across, soft, **ground)
    deform = {} if soft is None else {name: soft}
    return led(name, mesh, onto or table_top(), moved, deform=deform)
