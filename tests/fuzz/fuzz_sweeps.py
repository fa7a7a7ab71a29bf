"""Take random bodies through one frame; judge when they touch and part, or do not.

    python tests/fuzz/fuzz_sweeps.py --sweeps 100000 [--processes 2] --log FILE
    python tests/fuzz/fuzz_sweeps.py --replay dented:0:63

Bodies of 4 to 60 vertices that bend, turn, lie on lattices, graze and fly.  Every passage
is held against a subdivision of the frame, which looks at least at 17 times and as
finely as it must, and of every ``--exact``-th those whose vertices alone move against
the exact meetings of all vertices and faces, edges and edges.  Wrong is a touch that is
missed, invented, outside its interval, or less narrow than 1e-9 of a frame and 64
allowances over the closing speed.  ``--verified N``: every Nth is proven again.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator

from runner import Say, list_cases, main, played
from stories.sweeping import Watch, faults, proven
from stories.sweeps import FAMILIES, drawn

JOB = 50
Job = tuple[int, range, int, int]  # seed, which ones, of how many one is asked more
Told = tuple[Counter[str], list[str]]


def jobs(options: Namespace) -> Iterator[Job]:
    for k in range(0, options.sweeps, JOB):
        which = range(k, min(k + JOB, options.sweeps))
        yield options.seed, which, options.exact, options.verified


def judged(job: Job) -> Told:
    """Judge the sweeps of a job, of all families in turn."""
    seed, which, exact, verified = job
    counts: Counter[str] = Counter()
    wrong = []
    for k in which:
        family = list(FAMILIES)[k % len(FAMILIES)]
        told, found = faults(drawn(family, seed, k), exact=k // len(FAMILIES) % exact == 0)
        if k // len(FAMILIES) % verified == 0:
            found += proven(drawn(family, seed, k), counts)
        counts[f"{family} {told}"] += 1
        wrong += [f"{family}:{seed}:{k} {what}" for what in found]
    return counts, wrong


def run(options: Namespace, say: Say) -> bool:
    if options.replay:
        family, seed, k = options.replay.split(":")
        sweep = drawn(family, int(seed), int(k))
        told, wrong = faults(sweep, exact=True)
        say(f"{told}: {sweep.passage()[0].touch}, {Watch(sweep).seen().open_}")
        list_cases(wrong, say)
        return not wrong
    counts: Counter[str] = Counter()
    wrong = []
    for some, found in played(judged, [*jobs(options)], options.processes):
        counts += some
        wrong += found
    for name, count in sorted(counts.items()):
        say(f"{name:32} {count}")
    list_cases(wrong, say)
    say(f"{options.sweeps} sweeps, {len(wrong)} wrong")
    return not wrong


if __name__ == "__main__":
    options = {"sweeps": 2000, "seed": 0, "exact": 50, "verified": 100, "replay": ""}
    sys.exit(main(__doc__, run, **options, processes=1))
