"""What came of a motion among obstacles: where it ended, and what was in the way."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The words for what became of a motion.
FREE = "free"  # nothing was in the way: the end is where it was to go
STOP = "stop"  # it came to rest; head on, in a corner, or as asked for
PUSH = "push"  # it came to rest, lifted off along the normal as asked for
SLIDE = "slide"  # it went on along what it met, and used the motion up
ESCAPE = "escape"  # too many iterations: it stopped where it had come to
OVERLAP = "overlap"  # it is nearer than epsilon, from the start: no room to be pushed


class Contact(NamedTuple):
    """One obstacle that stopped or turned the motion."""

    triangle: int  # its number among the obstacles' triangles
    t: float  # how much of the motion was made when it was met, in [0, 1]
    point: Floats  # (3,) on the triangle
    normal: Floats  # (3,) unit vector from the triangle to what moves


class Outcome(NamedTuple):
    """What became of a motion; a value, world frame, length unit of the input."""

    end: Floats  # (3,) where it is now
    response: str  # "free", "stop", "push", "slide", "escape" or "overlap"
    iterations: int  # straight pieces that were tried, pushes out of overlap included
    left: Floats  # (3,) what of the motion was not made: wanted end - end
    contacts: tuple[Contact, ...]  # in the order met, each triangle once
    path: Floats  # (K, 3) corners of the way it went, from the start to the end
