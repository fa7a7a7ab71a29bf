"""Who is closest to whom: the tracker, the exhaustive oracle, the checker.

As in ``sim``, a name is imported when it is first asked for.
"""

import typing

from wingedge import registry as _registry

__all__ = ["PairTracker", "Verdict", "closest", "exhaustive", "verify"]

if typing.TYPE_CHECKING:
    from sim.tracking.brute.exhaustive import exhaustive
    from sim.tracking.pair import PairTracker, closest
    from sim.tracking.proof.verdict import Verdict
    from sim.tracking.proof.verify import verify
else:
    __getattr__, __dir__ = _registry.export(__name__, __all__, {})
