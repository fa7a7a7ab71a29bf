"""Laws: what moves bodies in answer to contact (docs/laws.md)."""

from sim.laws.affine import Affine
from sim.laws.runner import Bodies
from sim.scripts import Law

__all__ = ["Affine", "Bodies", "Law"]
