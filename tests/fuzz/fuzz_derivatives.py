"""Hold derivatives against small steps of the tracker: nine kinds, apart to deep.

    python tests/fuzz/fuzz_derivatives.py --states 10000 [--seed 0]

Bodies anywhere: central differences of distance, normal and both points, by twists and
by all vertices.  Bodies on a lattice, where a third touches: both one-sided slopes of
the distance.  What misses by more than 1e-6 is listed, with exit code 1.
"""

import sys
from argparse import Namespace
from collections import Counter
from timeit import timeit

import numpy as np
from runner import Say, list_cases, main
from stories import derived

from sim import closest, derivatives

BAR = 1e-6


def regime(distance: float) -> str:
    return "touch" if distance == 0.0 else "apart" if distance > 0.0 else "overlap"


def run(options: Namespace, say: Say) -> bool:
    counts: Counter[tuple[str, ...]] = Counter()
    worst: dict[str, float] = {"smooth": 0.0, "one-sided": 0.0}
    bad = []
    for k in range(options.states):
        family = ("anywhere", "on_lattice")[k % 2]
        rng = np.random.default_rng([options.seed, k])
        state = closest(*getattr(derived, family)(rng))
        smooth = family == "anywhere" and derivatives(state).smooth
        kind = "smooth" if smooth else "one-sided"
        counts[state.kind, regime(state.distance), kind] += 1
        for twist in (True, False):
            given = derived.velocities(rng, state, twist)
            judge = derived.miss if smooth else derived.one_sided_miss
            off = judge(state, given)
            if np.isnan(off) and smooth:
                counts["event", "", kind] += 1
                continue
            worst[kind] = max(worst[kind], off)
            if not off <= BAR:
                bad.append(f"{family}:{options.seed}:{k} {state} misses by {off:.3g}")
    for name, count in sorted(counts.items()):
        say(f"{' '.join(name):28} {count}")
    took = timeit(lambda: derivatives(state).normal, number=200) / 200
    say(f"all derivatives of an answer: {1e6 * took:.0f} us")
    say(", ".join(f"worst {kind} {off:.2g}" for kind, off in worst.items()))
    list_cases(bad, say)
    return not bad


if __name__ == "__main__":
    sys.exit(main(__doc__, run, states=10_000, seed=0))
