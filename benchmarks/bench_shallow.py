"""Time bodies that rest on each other: overlaps of 0 to 1e-7 of the size, and touches.

    python benchmarks/bench_shallow.py [--stories 4] [--rounds 3] [--sizes 50,300]

Bodies of V vertices each, told in ``stories/shallow.py``: ``convex`` and ``bent`` lie
on each other with gridded faces, written with noise of the last bit, ``tilted`` ones
turned by 1e-9 or less; ``touch`` is a body that is not convex, on which another is
dropped from any side; ``flush`` are blocks of cubes with grooves, face to face on one
lattice.  The time of a frame is the least of the rounds.  Exit code 1 where a frame
fell to the search over everything, took over 5 ms, or lost the faces that meet.
"""

import sys
from argparse import Namespace
from collections import Counter
from time import thread_time

from bench import Say, main
from stories.shallow import RESTING, resting

from sim import PairTracker, set_engine

SIZES = "50,120,300,640,1000"
BAR = 5.0  # ms


def measure(family: str, v: int, options: Namespace, say: Say) -> bool:
    """Time one family at one size and print its line; say whether it meets the bar."""
    spent: dict[tuple[int, int], float] = {}
    kinds: Counter[str] = Counter()
    falls = unsure = 0
    for seed in range(options.stories):
        told = resting(family, v, seed)
        for turn in range(options.rounds):
            a, b = told.bodies()
            tracker = PairTracker(a, b)
            for k in told.play(a, b):
                start = thread_time()
                state = tracker.update()
                now = 1e3 * (thread_time() - start)
                spent[seed, k] = min(spent.get((seed, k), now), now)
                if turn == 0:
                    falls += state.work.fallbacks
                    unsure += not state.certified
                    kinds[state.kind] += 1
    times = sorted(spent.values())
    worst = max(spent, key=lambda at: spent[at])
    say(
        f"{family:8}{v:6}{len(times):8}{times[len(times) // 2]:10.3f}{times[-1]:10.2f}"
        f"  {worst[0]}:{worst[1]:<6}{falls:6}{unsure:8}  "
        + " ".join(f"{kind} {n}" for kind, n in kinds.most_common())
    )
    faced = family in ("touch", "tilted") or set(kinds) == {"FF"}
    return falls == 0 and times[-1] <= BAR and faced


def run(options: Namespace, say: Say) -> bool:
    """Print the table; say whether every line of it meets the bar."""
    set_engine("compiled")
    say(
        f"{'family':8}{'V':>6}{'frames':>8}{'median ms':>10}{'worst ms':>10}"
        f"  {'at':8}{'falls':>6}{'unsure':>8}  kinds"
    )
    met = [
        measure(family, int(v), options, say)
        for family in options.family.split(",")
        for v in options.sizes.split(",")
    ]
    return all(met)


if __name__ == "__main__":
    told = ",".join(RESTING)
    sys.exit(main(__doc__, run, stories=4, rounds=3, sizes=SIZES, family=told))
