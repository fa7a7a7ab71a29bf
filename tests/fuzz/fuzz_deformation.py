"""Bend bodies of any shape, track them, compare every frame with brute force.

    python tests/fuzz/fuzz_deformation.py --frames 100000 --processes 2 --log FILE
    python tests/fuzz/fuzz_deformation.py --replay small/twist:17:23

Of the frames 90 % are of bodies of at most 60 vertices, 9.5 % of at most 300, 0.5 % of
at most 2000.  Every frame is answered three times: by a tracker that follows the story;
by one that is told the same frames in another order, in live arrays that are
overwritten in between (every fourth overlap only); and, every few frames, from cold
with A and B exchanged.  The
truth is every vertex against every triangle, every edge against every edge and
triangle, and winding numbers (stories/brute.py).  While apart or touching every answer
must be certified and equal the others to the bit; ``sim.verify`` proves some again.
Exit code 1 where anything is amiss; each line that says so can be replayed.  With
``--log`` what is done is kept beside it, and a second call goes on from there.
"""

import argparse
import json
import multiprocessing
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np
from stories import FRAMES
from stories.bending import BENDS
from stories.deforming import SIZES
from stories.followed import REGIMES, Job, Tally, follow

import wingedge

SHARES = {"small": 0.9, "medium": 0.095, "large": 0.005}
KEPT = 400  # failing frames listed


def jobs(frames: int, families: list[str], sizes: list[str], seed: int) -> list[Job]:
    """List the stories: of each size its share of the frames, at least one story."""
    listed = []
    for size in sizes:
        total = max(1, round(frames * SHARES[size] / FRAMES))
        listed += [
            (size, families[k % len(families)], seed * 1_000_000 + k)
            for k in range(total)
        ]
    # Large stories first: the last ones to end are short.
    return sorted(listed, key=lambda job: -SIZES[job[0]])


def tallies(work: list[Job], processes: int) -> Iterator[tuple[Job, Tally]]:
    """Run the stories, here or in other processes."""
    if processes == 1:
        yield from ((job, follow(job)) for job in work)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_named, work)


def _named(job: Job) -> tuple[Job, Tally]:
    return job, follow(job)


def run(work: list[Job], processes: int, kept: Path | None) -> Tally:
    """Run what is not yet done, with a counter on the terminal."""
    total = Tally()
    done: set[Job] = set()
    if kept and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            saved = json.loads(line)
            job = tuple(saved.pop("job"))
            if job in work and job not in done:
                done.add(job)
                total.merge(_loaded(saved))
    left = [job for job in work if job not in done]
    start = shown = time.monotonic()
    for count, (job, tally) in enumerate(tallies(left, processes), 1):
        total.merge(tally)
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"job": job, **vars(tally)}) + "\n")
        now = time.monotonic()
        if now - shown > 5.0 or count == len(left):
            shown = now
            rest = (now - start) / count * (len(left) - count)
            print(
                f"{len(done) + count}/{len(work)} stories, "
                f"{sum(total.faults.values())} faults, {now - start:.0f} s, "
                f"about {rest:.0f} s left",
                file=sys.stderr,
                flush=True,
            )
    return total


def _loaded(saved: dict) -> Tally:
    counters = {k: Counter(saved[k]) for k in ("frames", "searched", "faults")}
    return Tally(**(saved | counters))


def report(total: Tally, title: str, out: TextIO) -> None:
    """Print what was counted: by deformation, by script, by size."""
    print(title, file=out)
    print(
        f"wingedge {wingedge.__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, {platform.platform()}",
        file=out,
    )
    print(
        f"{'':14} {'apart':>8} {'touching':>9} {'overlapping':>12} {'searched':>9} "
        f"{'worst/bar':>10}",
        file=out,
    )
    named = [key.split(" ")[0] for key in total.frames]
    for row in dict.fromkeys([*BENDS, *sorted(named), *SIZES]):
        cells = [total.frames[f"{row} {r}"] for r in REGIMES]
        if not sum(cells):
            continue
        slow = sum(total.searched[f"{row} {r}"] for r in REGIMES) / sum(cells)
        error = max(total.worst.get(f"{row} {r}", 0.0) for r in REGIMES)
        print(
            f"{row:14} {cells[0]:8} {cells[1]:9} {cells[2]:12} {slow:9.2%} "
            f"{error:10.2e}",
            file=out,
        )
    frames = sum(total.frames[f"{size} {r}"] for size in SIZES for r in REGIMES)
    print(f"{frames} frames, {sum(total.faults.values())} faults", file=out)
    if total.ties:
        print(f"{total.ties} frames named one of two equally near pairs", file=out)
    for key, n in sorted(total.faults.items()):
        print(f"    {key}: {n}", file=out)
    for line in sorted(total.cases)[:KEPT]:
        print("case " + line, file=out)
    if len(total.cases) > KEPT:
        print(f"... and {len(total.cases) - KEPT} more", file=out)


def replay(case: str) -> int:
    """Track one story up to a frame and show that frame."""
    name, seed, frame = case.split(":")
    size, family = name.split("/")
    return int(bool(follow((size, family, int(seed)), int(frame), True).faults))


def main() -> int:
    """Run, print, say whether all was right."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--family", default="all", help="deformations, with commas")
    parser.add_argument("--size", default="all", help="small, medium, large")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--log", type=Path, metavar="FILE", help="write the report too")
    parser.add_argument("--replay", metavar="SIZE/FAMILY:SEED:FRAME")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    families = list(BENDS) if options.family == "all" else options.family.split(",")
    sizes = list(SIZES) if options.size == "all" else options.size.split(",")
    for given, known in ((families, BENDS), (sizes, SIZES)):
        unknown = [name for name in given if name not in known]
        if unknown:
            parser.error(f"{unknown[0]!r} is none of {', '.join(known)}")
    start = time.monotonic()
    work = jobs(options.frames, families, sizes, options.seed)
    kept = options.log.with_suffix(".jsonl") if options.log else None
    total = run(work, options.processes, kept)
    title = (
        f"fuzz_deformation --frames {options.frames} --family {options.family} "
        f"--size {options.size} --seed {options.seed}: {time.monotonic() - start:.0f} s"
    )
    report(total, title, sys.stdout)
    if options.log:
        with options.log.open("w", encoding="utf-8") as file:
            report(total, title, file)
    return int(bool(total.faults))


if __name__ == "__main__":
    sys.exit(main())
