"""How bodies of scenes are led: axes, turns, heights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sim import motion
from sim.arguments import amount_of
from sim.body.pose import Pose
from sim.deform.deformer import Points
from sim.motion import Motion, ramp

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
EDGE = 1.2  # of the table, along x
HAIR = 0.0005  # what stays between bodies that touch
Height = Callable[[float], float]
Soft = Callable[[Points, float], Points]


def ridge_pose(angle: float, height: float, *, up: bool) -> Pose:
    """Lay a prism down with one edge along y, on top or at the bottom, and turn it."""
    axes = ((Z, angle), (Y, -np.pi / 2 if up else np.pi / 2), (X, np.pi / 2))
    turn, side, lying = (turned(axis, by)(0.0) for axis, by in axes)
    return Pose(None, (0.0, 0.0, height)) @ turn @ side @ lying


def turned(*parts: Any) -> Motion:
    """Turn about one axis after the other: ``turned(X, 0.7, Z, ramp(...))``.

    An angle is a number, or a function of time.
    """
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return motion.stack(*(motion.turn(axis, amount_of("", by)) for axis, by in pairs))


def touch(
    down: float, leave: float, gone: float, high: float = 0.1, *, smooth: bool = False
) -> Height:
    """Come down from ``high`` to a hair, stay there, and rise as high again."""
    return ramp((0.0, down, leave, gone), (high, HAIR, HAIR, high), smooth=smooth)
