"""Take random bodies through one frame; judge when they touch and part, or do not.

    python tests/fuzz/fuzz_sweeps.py --sweeps 100000 [--processes 2] --log FILE
    python tests/fuzz/fuzz_sweeps.py --replay dented:0:63

Bodies of 4 to 60 vertices that bend, turn, lie on lattices, graze and fly.  Every
passage is held against a subdivision of the frame, which looks at 17 times at least and
as finely as it must; of every ``--exact``-th those whose vertices alone move against
the exact meetings of all vertices and faces, edges and edges.  Wrong is a touch that is
missed, invented, outside its interval, or less narrow than 1e-9 of a frame and 64
allowances over the closing speed.
"""

import sys
from argparse import Namespace
from collections import Counter

from runner import Say, list_cases, main, played
from stories.sweeping import faults, word
from stories.sweeps import FAMILIES, drawn

JOB = 50
Job = tuple[int, range, int]  # seed, which ones, of how many one is asked exactly
Told = tuple[Counter[str], list[str]]


def judged(job: Job) -> Told:
    """Judge the sweeps of a job, of all families in turn."""
    seed, which, exact = job
    counts: Counter[str] = Counter()
    wrong = []
    for k in which:
        family = list(FAMILIES)[k % len(FAMILIES)]
        sweep = drawn(family, seed, k)
        passage, _ = sweep.passage()
        found = faults(sweep, passage, k // len(FAMILIES) % exact == 0)
        counts[f"{family} {word(passage)}"] += 1
        wrong += [f"{family}:{seed}:{k} {what}" for what in found]
    return counts, wrong


def run(options: Namespace, say: Say) -> bool:
    if options.replay:
        family, seed, k = options.replay.split(":")
        sweep = drawn(family, int(seed), int(k))
        passage, _ = sweep.passage()
        wrong = faults(sweep, passage, exact=True)
        say(f"{word(passage)}: {passage.touch}, {passage.parting}")
        list_cases(wrong, say)
        return not wrong
    starts = range(0, options.sweeps, JOB)
    parts = [range(k, min(k + JOB, options.sweeps)) for k in starts]
    jobs = [(options.seed, part, options.exact) for part in parts]
    counts: Counter[str] = Counter()
    wrong = []
    for some, found in played(judged, jobs, options.processes):
        counts += some
        wrong += found
    for name, count in sorted(counts.items()):
        say(f"{name:32} {count}")
    list_cases(wrong, say)
    say(f"{options.sweeps} sweeps, {len(wrong)} wrong")
    return not wrong


if __name__ == "__main__":
    options = {"sweeps": 2000, "seed": 0, "exact": 50, "replay": "", "processes": 1}
    sys.exit(main(__doc__, run, **options))
