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
Exit code 1 where anything is amiss; each line that says so can be replayed.
"""

import sys
from argparse import Namespace

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
    total = Tally()
    for tally in played(follow, work, options.processes):
        total.merge(tally)
    report(total, say)
    return not total.faults


if __name__ == "__main__":
    options = {"frames": 1000, "family": "all", "size": "all", "seed": 0}
    sys.exit(main(__doc__, run, **options, processes=1, replay=""))
