"""Draw seeded cases of many kinds, and judge each by what shares no code with it.

    python tests/fuzz/fuzz.py --of stories --count 5000 [--seed 0] [--processes 2]
    python tests/fuzz/fuzz.py --of bending --family small/twist
    python tests/fuzz/fuzz.py --replay stories:parallel:17

``stories``     bodies in general and degenerate places: every frame against the truth,
                certified, proved again by ``verify``, warm as cold, level parts whole;
                bodies convex only to rounding: do the bounds hold in whole numbers?
``overlaps``    the same with ``exact=True``: every overlap certified, too
``bending``     bodies of any shape that bend, by brute force and from three histories
``engines``     the same bits interpreted, compiled and switched in the middle?
``magnitudes``  numbers from 1e-300 to 1e300: the same words, and no index outside?
``sweeps``      when bodies touch and part, by a fine subdivision
``forged``      states forged in every field: is none believed?
``primitives``  random and degenerate queries, in rational numbers
``walks``       steps through rooms of triangles: none nearer than promised
``damaged``     damaged and foreign recordings: refused, or read right
``interrupts``  a step of a recorded run interrupted at a line, then asked for again
``disks``       a disk that is full at one size of a recording, for ever or a while

A case is KIND:FAMILY:SEED, and so is each fault; a fault becomes a line of
``FAILED_ONCE`` in ``test_fuzz.py``, with its story.  Exit code 1 where there is one.
"""

import multiprocessing
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

import queries
from bench import Say, main
from recordings import breaking, damage
from rooms import draw, walks
from stories import BENDING, FAMILIES, bits, forged, magnitudes, sweeping
from stories.bending import BENDS
from stories.follow import follow
from stories.sweeps import FAMILIES as SWEEPS

from sim import scenes

Judge = Callable[[str, int, Counter[str]], Iterable[str]]
SHOWN = 300  # faults listed
SMALL = [family for family in BENDING if family.startswith("small")]
KINDS: dict[str, tuple[list[str], Judge]] = {
    "stories": ([*FAMILIES, "nearly_convex"], follow),
    "overlaps": ([*FAMILIES], partial(follow, exact=True)),
    "bending": (8 * SMALL + BENDING, follow),
    "engines": (
        [*FAMILIES, *(f"{kind}/{bend}" for kind in bits.KINDS for bend in BENDS)],
        bits.switched,
    ),
    "magnitudes": (["any"], magnitudes.unlike),
    "sweeps": ([*SWEEPS], sweeping.follow),
    "forged": ([*FAMILIES, *scenes.names()], forged.follow),
    "primitives": (
        [f"{name}/{kind}" for name in queries.NAMES for kind in queries.KINDS],
        queries.asked,
    ),
    "walks": ([*draw.KINDS], walks.walk),
    "damaged": ([*damage.SOURCES], damage.follow),
    "interrupts": ([*breaking.RUNS], breaking.interrupt),
    "disks": (["for ever", "a while"], breaking.fill),
}
Job = tuple[str, str, int]


def judged(job: Job) -> tuple[Counter[str], list[str]]:
    """Judge one case: what was seen, and what is wrong."""
    kind, family, seed = job
    seen: Counter[str] = Counter()
    return seen, [f"{kind}:{fault}" for fault in KINDS[kind][1](family, seed, seen)]


def told(jobs: list[Job], processes: int) -> Iterator[tuple[Counter[str], list[str]]]:
    """Judge all cases, here or in other processes, with a counter on the terminal."""
    if processes > 1:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            yield from pool.imap_unordered(judged, jobs)
        return
    start = shown = time.monotonic()
    for count, job in enumerate(jobs, 1):
        yield judged(job)
        if time.monotonic() - shown > 5.0:
            shown = time.monotonic()
            print(f"{count}/{len(jobs)}, {shown - start:.0f} s", file=sys.stderr)


def run(given: Namespace, say: Say) -> bool:
    if given.replay:
        kind, family, seed, *_ = given.replay.split(":")
        jobs = [(kind, family, int(seed))]
    else:
        every = KINDS[given.of][0] if given.of in KINDS else []
        families = [f for f in every if f.startswith(given.family)]
        if not families:
            known = f"kinds: {', '.join(KINDS)}; families: {', '.join(every)}"
            raise SystemExit(f"no {given.family!r} of {given.of!r}; {known}")
        first = given.seed * 1_000_000
        jobs = [
            (given.of, families[k % len(families)], first + k)
            for k in range(given.count)
        ]
    seen: Counter[str] = Counter()
    faults: list[str] = []
    for counted, found in told(jobs, given.processes):
        seen += counted
        faults += found
    for what, number in sorted(seen.items()):
        say(f"{what:40}{number:9}")
    for fault in sorted(faults)[:SHOWN]:
        say(fault)
    say(f"{len(jobs)} cases, {len(faults)} faults")
    return not faults


if __name__ == "__main__":
    options = {"of": "stories", "family": "", "count": 200, "seed": 0, "processes": 1}
    sys.exit(main(__doc__ or "", run, "h5py", **options, replay=""))
