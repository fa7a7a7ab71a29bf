"""How bodies of scenes are led: axes, turns, heights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sim import motion
from sim.arguments import amount_of
from sim.body.pose import Pose
from sim.deform.deformer import Points
from sim.motion import Motion, ramp
from wingedge import WingedEdgeMesh

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
EDGE = 1.2  # of the table, along x
HAIR = 0.0005  # what stays between bodies that touch
Height = Callable[[float], float]
Across = Callable[[float], float | tuple[float, float]]  # x, or (x, y)
Soft = Callable[[Points, float], Points]


def turned(*parts: Any) -> Motion:
    """Turn about one axis after the other: ``turned(X, 0.7, Z, ramp(...))``.

    An angle is a number, or a function of time.
    """
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return motion.stack(*(motion.turn(axis, amount_of("", by)) for axis, by in pairs))


def ridge_pose(angle: float, height: float, *, up: bool) -> Pose:
    """Lay a prism down with one edge along y, on top or at the bottom, and turn it."""
    laid = turned(X, np.pi / 2, Y, -np.pi / 2 if up else np.pi / 2, Z, angle)
    return Pose(None, (0.0, 0.0, height)) @ laid(0.0)


def touch(
    down: float, leave: float, gone: float, high: float = 0.1, *, smooth: bool = False
) -> Height:
    """Come down from ``high`` to a hair, stay there, and rise as high again."""
    return ramp((0.0, down, leave, gone), (high, HAIR, HAIR, high), smooth=smooth)


def standing(points: Points, pose: Pose, place: Any = None) -> float:
    """Return at which height a body stands on height 0."""
    return -float(pose.apply(points)[:, 2].min())


def over(
    mesh: WingedEdgeMesh,
    turn: Motion,
    above: Height,
    across: Across = lambda t: 0.0,
    soft: Soft | None = None,
    ground: Callable[[Points, Pose, tuple[float, float]], float] = standing,
) -> Motion:
    """Move a body so that it stays ``above`` height 0, or a ground, by so much.

    Parameters: ``ground``: of the body's positions, the turn, and where it is moved
    then, the height at which it touches.
    """

    def moved(t: float) -> Pose:
        pose, place = turn(t), across(t)
        x, y = place if isinstance(place, tuple) else (place, 0.0)
        points = mesh.points if soft is None else soft(mesh.points, t)
        return Pose(pose.linear, (x, y, above(t) + ground(points, pose, (x, y))))

    return moved
