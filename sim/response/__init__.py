"""What moves, and meets something: a body in a hand slides, rests and lets go."""

from sim.response.drag import Drag, Held
from sim.response.hand import Hand

__all__ = ["Drag", "Hand", "Held"]
