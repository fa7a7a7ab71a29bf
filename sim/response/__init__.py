"""What a motion does when it meets something: stop, push off, slide; never through.

After Yamazaki (2002), sections 5.4 and 6.
"""

from sim.response.corrections import EPSILON, push_off, slide, stop_short
from sim.response.movers import RESPONSES, move_point, move_sphere
from sim.response.obstacles import Index, Obstacles
from sim.response.outcome import Contact, Outcome

__all__ = [
    "EPSILON",
    "RESPONSES",
    "Contact",
    "Index",
    "Obstacles",
    "Outcome",
    "move_point",
    "move_sphere",
    "push_off",
    "slide",
    "stop_short",
]
