"""Who is closest to whom: the tracker, the exhaustive oracle, the checker.

As in ``sim``, a name is imported when it is first asked for.
"""

import typing

if typing.TYPE_CHECKING:
    from sim.tracking.brute.exhaustive import exhaustive
    from sim.tracking.cold import closest
    from sim.tracking.pair import PairTracker
    from sim.tracking.proof.misses import Misses, compare_with_certificate
    from sim.tracking.proof.verdict import Verdict
    from sim.tracking.proof.verify import verify
    from sim.tracking.trees.regions import regions
else:
    _HOMES = {
        "Misses": "sim.tracking.proof.misses",
        "PairTracker": "sim.tracking.pair",
        "Verdict": "sim.tracking.proof.verdict",
        "closest": "sim.tracking.cold",
        "compare_with_certificate": "sim.tracking.proof.misses",
        "exhaustive": "sim.tracking.brute.exhaustive",
        "regions": "sim.tracking.trees.regions",
        "verify": "sim.tracking.proof.verify",
    }

    def __getattr__(name):
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module 'sim.tracking' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value


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
