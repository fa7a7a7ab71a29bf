"""Walk points and spheres through random rooms; judge every piece of every way.

    python tests/fuzz/fuzz_responses.py --steps 20000 --log FILE
    python tests/fuzz/fuzz_responses.py --replay cells:17

Rooms are soups of triangles, tessellated walls, corridors narrower than the sphere,
wedges, needles, overlapping coplanar triangles, lattices, bowls, boxes far from the
origin. A step fails if a piece of its path comes nearer to a triangle than radius and
epsilon (or than it began) by more than is promised, or through one; if it is stopped by
nothing; if it takes more iterations than the limit; if its word is not true.
Exit code 1 if a step fails; every such line can be replayed.
"""

import argparse
import platform
import sys
import time
from collections import Counter

import numpy as np
from rooms import draw, walks

import wingedge


def main() -> int:
    """Run the command; the exit code says whether every step kept its distance."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--kinds", nargs="+", default=draw.KINDS, metavar="KIND")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log")
    parser.add_argument("--replay", metavar="KIND:SEED")
    given = parser.parse_args()
    if given.replay:
        kind, seed = given.replay.split(":")[:2]
        tally = walks.walk(kind, int(seed))
        print(*tally.faults, dict(tally.words), sep="\n")
        return int(bool(tally.faults))
    text, bad = _report(given)
    print(text)
    if given.log:
        with open(given.log, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    return int(bad > 0)


def _report(given: argparse.Namespace) -> tuple[str, int]:
    rooms = -(-given.steps // (walks.STEPS * len(given.kinds)))
    began, faults, words = time.perf_counter(), [], Counter()
    lines = ["kind        rooms   steps  pieces  most iterations  worst/promised"]
    for kind in given.kinds:
        pieces = most = steps = 0
        worst = 0.0
        for seed in range(given.seed, given.seed + rooms):
            tally = walks.walk(kind, seed)
            for fault in tally.faults:
                print(fault, flush=True)
            faults += tally.faults
            words += tally.words
            steps += sum(tally.words.values())
            pieces, most = pieces + tally.pieces, max(most, tally.most)
            worst = max(worst, tally.worst)
        lines.append(f"{kind:10}{rooms:7}{steps:8}{pieces:8}{most:17}{worst:16.3f}")
    seconds = time.perf_counter() - began
    lines.append(", ".join(f"{word} {count}" for word, count in sorted(words.items())))
    lines.append(f"{words.total()} steps, {len(faults)} faults")
    lines += faults[:200]
    command = " ".join(["fuzz_responses", *sys.argv[1:]])
    versions = f"wingedge {wingedge.__version__}, Python {platform.python_version()}"
    versions += f", numpy {np.__version__}, {platform.platform()}"
    return "\n".join([f"{command}: {seconds:.0f} s", versions, *lines]), len(faults)


if __name__ == "__main__":
    sys.exit(main())
