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

import json
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path

from runner import Say, list_cases, main, played
from stories import FRAMES
from stories.bending import BENDS
from stories.deforming import SIZES
from stories.followed import REGIMES, Job, follow
from stories.tally import Tally

SHARES = {"small": 0.9, "medium": 0.095, "large": 0.005}


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


def _named(job: Job) -> tuple[Job, Tally]:
    return job, follow(job)


def follow_all(work: list[Job], processes: int, kept: Path | None) -> Tally:
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
    for job, tally in played(_named, left, processes):
        total.merge(tally)
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"job": job, **vars(tally)}) + "\n")
    return total


def _loaded(saved: dict) -> Tally:
    counters = {
        k: Counter(saved[k]) for k in ("frames", "certified", "searched", "faults")
    }
    return Tally(**(saved | counters))


def report(total: Tally, say: Say) -> None:
    say(
        f"{'':14} {'apart':>8} {'touching':>9} {'overlapping':>12} {'searched':>9} "
        f"{'worst/bar':>10}"
    )
    named = [key.split(" ")[0] for key in total.frames]
    for row in dict.fromkeys([*BENDS, *sorted(named), *SIZES]):
        cells = [total.frames[f"{row} {r}"] for r in REGIMES]
        if not sum(cells):
            continue
        slow = sum(total.searched[f"{row} {r}"] for r in REGIMES) / sum(cells)
        error = max(total.worst.get(f"{row} {r}", 0.0) for r in REGIMES)
        say(
            f"{row:14} {cells[0]:8} {cells[1]:9} {cells[2]:12} {slow:9.2%} "
            f"{error:10.2e}"
        )
    frames = sum(total.frames[f"{size} {r}"] for size in SIZES for r in REGIMES)
    say(f"{frames} frames, {sum(total.faults.values())} faults")
    if total.ties:
        say(f"{total.ties} frames named one of two equally near pairs")
    for key, n in sorted(total.faults.items()):
        say(f"    {key}: {n}")
    list_cases(total.cases, say)


def run(options: Namespace, say: Say) -> bool:
    if options.replay:
        name, seed, frame = options.replay.split(":")
        size, family = name.split("/")
        return not follow((size, family, int(seed)), int(frame), True).faults
    families = list(BENDS) if options.family == "all" else options.family.split(",")
    sizes = list(SIZES) if options.size == "all" else options.size.split(",")
    for given, known in ((families, BENDS), (sizes, SIZES)):
        for name in given:
            if name not in known:
                raise SystemExit(f"{name!r} is none of {', '.join(known)}")
    work = jobs(options.frames, families, sizes, options.seed)
    kept = options.log.with_suffix(".jsonl") if options.log else None
    total = follow_all(work, options.processes, kept)
    report(total, say)
    return not total.faults


if __name__ == "__main__":
    options = {"frames": 1000, "family": "all", "size": "all", "seed": 0}
    sys.exit(main(__doc__, run, **options, processes=1, replay=""))
