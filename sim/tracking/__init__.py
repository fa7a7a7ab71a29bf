"""Who is closest to whom: the tracker, the exhaustive oracle, the checker."""

from sim.tracking.brute.exhaustive import exhaustive
from sim.tracking.pair import PairTracker, closest
from sim.tracking.proof.misses import Misses, compare_with_certificate
from sim.tracking.proof.verify import Verdict, verify
from sim.tracking.trees.regions import regions

__all__ = [
    "Misses",
    "PairTracker",
    "Verdict",
    "closest",
    "compare_with_certificate",
    "exhaustive",
    "regions",
    "verify",
]
