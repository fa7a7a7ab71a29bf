"""Hold derivatives against small steps of the tracker: nine kinds, apart to deep.

    python tests/fuzz/fuzz_derivatives.py --states 10000 [--seed 0]

Bodies anywhere: central differences of distance, normal and both points, by twists and
by all vertices; derivatives by vertices against exact rationals, to 1e-9.  Bodies on a
lattice, where a third touches: both one-sided slopes of the distance.  What misses by
more than 1e-6 is listed, with exit code 1.
"""

import sys
from argparse import Namespace
from collections import Counter
from timeit import repeat, timeit

import numpy as np
from runner import Say, list_cases, main
from stories import derived

from sim import PairState, closest, derivatives
from sim.gradients import _scratch

BAR, EXACT = 1e-6, 1e-9


def regime(distance: float) -> str:
    return "touch" if distance == 0.0 else "apart" if distance > 0.0 else "overlap"


def exact(state: PairState, rng: np.random.Generator) -> float:
    """Return by how much derivatives miss rationals, of bodies without their poses."""
    plain = closest(*derived.unposed(state.a, state.b))
    given = derived.velocities(rng, plain, twist=False)
    return derived.exact_miss(plain, given) if derivatives(plain).smooth else 0.0


def run(options: Namespace, say: Say) -> bool:
    counts: Counter[tuple[str, ...]] = Counter()
    worst: dict[str, float] = {"smooth": 0.0, "one-sided": 0.0, "exact": 0.0}
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
        if smooth and max(state.a.mesh.n_vertices, state.b.mesh.n_vertices) <= 60:
            off = exact(state, rng)
            worst["exact"] = max(worst["exact"], off)
            counts["in rationals", "", ""] += 1
            if not off <= EXACT:
                bad.append(f"{family}:{options.seed}:{k} {state} exactly by {off:.3g}")
    for name, count in sorted(counts.items()):
        say(f"{' '.join(name):28} {count}")
    took = timeit(lambda: derivatives(state).normal, number=200) / 200
    kernel = min(repeat(lambda: _scratch._run.on(_scratch._tables), number=1000))
    say(
        f"all derivatives of an answer: {1e6 * took:.0f} us, "
        f"the kernel {1e3 * kernel:.2f} us"
    )
    say(", ".join(f"worst {kind} {off:.2g}" for kind, off in worst.items()))
    list_cases(bad, say)
    return not bad


if __name__ == "__main__":
    sys.exit(main(__doc__, run, states=10_000, seed=0))
