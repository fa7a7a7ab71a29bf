"""Motions that somebody else made: files of positions as bodies that move.

``read`` takes the files; what it returns is a source of bodies, step by step.
"""

from sim.sequence import formats  # noqa: F401  (which registers its readers)
from sim.sequence.source import Sequence, read

__all__ = ["Sequence", "read"]
