"""What became of a body that a hand moves: where it is, and what it rests on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from wingedge import Feature

Float = np.float64

# The words for what became of a motion.
FREE = "free"  # the body is where the hand wants it
SLIDE = "slide"  # it went along what is in the way, as near to the hand as it can be
REST = "rest"  # it is as near to the hand as it can be, and did not move
PUSH = "push"  # an obstacle had come into the body: it was pushed out first
STOP = "stop"  # there is no room: the body stays, overlapping if ``reason`` says so
ESCAPE = "escape"  # too many iterations: the body stays where it had come to


class Held(NamedTuple):
    """One contact that constrains the body; world frame."""

    obstacle: Body
    kind: str  # "VF" "FV" "EE" ..., the body's letter first
    feature: Feature  # of the body
    on: Feature  # of the obstacle
    point: NDArray[Float]  # (3,) on the obstacle
    normal: NDArray[Float]  # (3,) unit, from the body to the obstacle
    distance: float


class Drag(NamedTuple):
    """What became of one motion of a hand; a value, world frame.

    ``pushed`` and ``moved`` are shifts of the pivot: first the body was pushed out of
    what had come into it, then it moved.  ``left`` and ``left_turn`` say what the hand
    still wants: a shift of the pivot, and a vector about which to turn, 2 tan(t/2)
    long (of small turns, radians).
    """

    response: str  # "free" "slide" "rest" "push" "stop" "escape"
    pose: Pose  # where the body is now
    iterations: int  # looks at the obstacles
    pushed: NDArray[Float]  # (3,)
    moved: NDArray[Float]  # (3,)
    left: NDArray[Float]  # (3,)
    left_turn: NDArray[Float]  # (3,)
    contacts: tuple[Held, ...]  # the closest of each obstacle first
    reason: str = ""  # why it stopped
