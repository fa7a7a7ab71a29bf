"""Move points, spheres and bodies among obstacles: stop, push off, slide, never pass.

Points and spheres after Yamazaki (2002), sections 5.4 and 6; bodies in a hand after
Yokoyama et al., sections 1 and 4.
"""

from sim.response.hand import Drag, Hand, Held
from sim.response.movers import (
    EPSILON,
    RESPONSES,
    move_point,
    move_sphere,
    push_off,
    slide,
    stop_short,
)
from sim.response.obstacles import Index, Obstacles
from sim.response.walk import ObstacleContact, Outcome

__all__ = [
    "EPSILON",
    "RESPONSES",
    "Drag",
    "Hand",
    "Held",
    "Index",
    "ObstacleContact",
    "Obstacles",
    "Outcome",
    "move_point",
    "move_sphere",
    "push_off",
    "slide",
    "stop_short",
]
