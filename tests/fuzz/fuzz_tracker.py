"""Track many stories and compare every frame with the exhaustive truth.

    python tests/fuzz/fuzz_tracker.py --frames 250000 --family general --processes 2
    python tests/fuzz/fuzz_tracker.py --replay parallel:17:23 [--exact]

A frame is wrong if |distance - truth| > 1e-9 |truth| + 1e-13 size; the truth is
``sim.exhaustive``, and exact rationals where the two differ.  Every separated and
touching answer must be certified and proved again by ``sim.verify``; so must every
overlap with ``--exact``.  Exit code 1 when that is missed; the frames that missed it
are listed so that each can be run alone.
"""

import argparse
import multiprocessing
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import numpy as np
from stories import (
    DEGENERATE,
    FAMILIES,
    FRAMES,
    GENERAL,
    NOTCHED,
    Judgement,
    judge,
    story,
)
from stories.judge import REGIMES

import wingedge
from sim import PairTracker

COLD_EVERY = 7  # frames between comparisons with a cold answer
RATIONAL_EVERY = 0  # stories between exact ones; 0: only where float64 is in doubt
OVERLAP_PROOFS = 5  # frames between two proofs of an overlap of larger bodies ...
SMALL_PRODUCT = 400  # ... whose difference has more vertices than this
HARMLESS = ("oracle wrong",)
KEPT = 300  # failing frames listed, one for each story and kind of fault


@dataclass
class Tally:
    """What was counted; tallies add up."""

    frames: Counter[tuple[str, str]] = field(default_factory=Counter)
    certified: Counter[tuple[str, str]] = field(default_factory=Counter)
    fallbacks: Counter[tuple[str, str]] = field(default_factory=Counter)
    worst: dict[tuple[str, str], float] = field(default_factory=dict)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)  # family, kind
    cases: list[str] = field(default_factory=list)  # the first of its story and kind

    def add(self, family: str, seed: int, frame: int, found: Judgement) -> None:
        """Count one frame of the one story that this tally is about."""
        key = family, found.regime
        self.frames[key] += 1
        self.certified[key] += found.certified
        self.fallbacks[key] += found.fallbacks > 0
        if found.certified or found.regime != "penetrating":
            self.worst[key] = max(self.worst.get(key, 0.0), found.error)
        for fault in found.faults:
            kind = fault.split(":")[0]
            if not self.faults[family, kind]:
                self.cases.append(f"{family}:{seed}:{frame} {fault} | {found.text}")
            self.faults[family, kind] += 1

    def merge(self, other: "Tally") -> None:
        """Add another tally."""
        self.frames += other.frames
        self.certified += other.certified
        self.fallbacks += other.fallbacks
        self.faults += other.faults
        self.cases += other.cases
        for key, error in other.worst.items():
            self.worst[key] = max(self.worst.get(key, 0.0), error)

    def missed(self) -> int:
        """Count the faults that miss the bar."""
        return sum(n for (_, k), n in self.faults.items() if k not in HARMLESS)


def follow(job: tuple[str, int, bool, int]) -> Tally:
    """Track one story from its first frame to its last."""
    family, seed, exact, rational_every = job
    tally = Tally()
    try:
        told = story(family, seed)
    except Exception as error:
        tally.faults[family, "no story"] += 1
        tally.cases.append(f"{family}:{seed}:0 no story: {error!r} |")
        return tally
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    rational = rational_every > 0 and seed % rational_every == 0
    small = told.a.n_vertices * told.b.n_vertices <= SMALL_PRODUCT
    for frame in told.play(a, b):
        deep = tracker.state is not None and tracker.state.distance < 0.0
        found = judge(
            tracker,
            exact=exact,
            cold=frame % COLD_EVERY == 3,
            rational=rational,
            proved=small or not deep or frame % OVERLAP_PROOFS == 0,
        )
        tally.add(family, seed, frame, found)
        if found.regime == "none":
            tracker.reset()
    return tally


def replay(case: str, exact: bool) -> int:
    """Track one story up to a frame and show that frame."""
    family, seed, last = case.split(":")
    told = story(family, int(seed))
    a, b = told.bodies()
    tracker = PairTracker(a, b)
    found = None
    for frame in told.play(a, b):
        if frame < int(last):
            tracker.update(exact)
            continue
        print(a, a.pose, b, b.pose, sep="\n")
        found = judge(tracker, exact=exact, cold=True, rational=True)
        break
    if found is None:
        print(f"{case}: a story has only {FRAMES} frames")
        return 2
    print(f"{case} {found.regime}, error {found.error:.3g} of the bar")
    print(*(found.faults or ("no fault",)), found.text, sep="\n")
    return int(any(fault not in HARMLESS for fault in found.faults))


def jobs(families: list[str], options: argparse.Namespace) -> list[tuple]:
    """List the stories, all families in turn."""
    each = -(-options.frames // (FRAMES * len(families)))
    first = options.seed * 1_000_000
    return [
        (family, first + k, options.exact, options.rational_every)
        for k in range(each)
        for family in families
    ]


def tallies(work: list[tuple], processes: int) -> Iterator[Tally]:
    """Run the stories, here or in other processes."""
    if processes == 1:
        yield from map(follow, work)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(follow, work, chunksize=4)


def run(work: list[tuple], processes: int) -> Tally:
    """Run all stories with a counter on the terminal."""
    total = Tally()
    start = shown = time.monotonic()
    for done, tally in enumerate(tallies(work, processes), 1):
        total.merge(tally)
        now = time.monotonic()
        if now - shown > 5.0 or done == len(work):
            shown = now
            print(
                f"{done}/{len(work)} stories, {total.missed()} faults, "
                f"{now - start:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    return total


def report(total: Tally, title: str, out: TextIO) -> None:
    """Print what was counted."""
    print(title, file=out)
    print(
        f"wingedge {wingedge.__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, {platform.platform()}",
        file=out,
    )
    head = f"{'family':16} {'regime':12} {'frames':>8} {'certified':>10} "
    print(head + f"{'searched':>9} {'worst/bar':>10}", file=out)
    sums: Counter[str] = Counter()
    for family, regime in sorted(total.frames):
        key = family, regime
        n, sure = total.frames[key], total.certified[key]
        print(
            f"{family:16} {regime:12} {n:8} {sure / n:10.4%} "
            f"{total.fallbacks[key] / n:9.2%} {total.worst.get(key, 0.0):10.2e}",
            file=out,
        )
        sums[regime] += n
        sums["certified " + regime] += sure
    for regime in REGIMES:
        n = sums[regime]
        sure = sums["certified " + regime]
        print(f"{'all':16} {regime:12} {n:8} {sure / max(1, n):10.4%}", file=out)
    print(f"{sum(total.frames.values())} frames, faults by family:", file=out)
    for (family, kind), n in sorted(total.faults.items()):
        print(f"    {family:16} {kind}: {n}", file=out)
    if not total.faults:
        print("    none", file=out)
    for line in sorted(total.cases)[:KEPT]:
        print("case " + line, file=out)
    if len(total.cases) > KEPT:
        print(f"... and {len(total.cases) - KEPT} more", file=out)


def main() -> int:
    """Run, print, say whether the bar was met."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument(
        "--family", default="all", help="general, degenerate, all, or names with commas"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--exact", action="store_true", help="update(exact=True)")
    parser.add_argument(
        "--rational-every",
        type=int,
        default=RATIONAL_EVERY,
        metavar="N",
        help="take exact rationals as the truth in every Nth story (slow)",
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="write the report too")
    parser.add_argument("--replay", metavar="FAMILY:SEED:FRAME")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay, options.exact)
    groups = {"general": GENERAL, "degenerate": DEGENERATE}
    groups |= {"notched": NOTCHED, "all": FAMILIES}
    families = list(groups.get(options.family, options.family.split(",")))
    unknown = [name for name in families if name not in FAMILIES]
    if unknown:
        parser.error(f"no family {unknown[0]!r}; there are {', '.join(FAMILIES)}")
    start = time.monotonic()
    total = run(jobs(families, options), options.processes)
    title = (
        f"fuzz_tracker --frames {options.frames} --family {options.family} "
        f"--seed {options.seed}{' --exact' if options.exact else ''}: "
        f"{time.monotonic() - start:.0f} s"
    )
    report(total, title, sys.stdout)
    if options.log:
        with options.log.open("w", encoding="utf-8") as file:
            report(total, title, file)
    return int(total.missed() > 0)


if __name__ == "__main__":
    sys.exit(main())
