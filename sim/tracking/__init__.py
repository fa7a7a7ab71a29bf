"""Who is closest to whom: the tracker, the exhaustive oracle, the checker."""

from sim.tracking.exhaustive import exhaustive
from sim.tracking.misses import Misses, compare_with_certificate
from sim.tracking.pair import PairTracker, closest
from sim.tracking.regions import regions
from sim.tracking.verify import Verdict, verify

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
