"""Bodies that are given as a set of convex pieces, tracked piece by piece."""

from sim.compound.body import Compound
from sim.compound.decompose import decompose
from sim.compound.state import CompoundState, Near
from sim.compound.tracker import CompoundTracker

__all__ = ["Compound", "CompoundState", "CompoundTracker", "Near", "decompose"]
