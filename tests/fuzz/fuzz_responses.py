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

import sys
from argparse import Namespace
from collections import Counter

from rooms import draw, walks
from runner import Say, list_cases, main


def run(given: Namespace, say: Say) -> bool:
    if given.replay:
        kind, seed = given.replay.split(":")[:2]
        tally = walks.walk(kind, int(seed))
        say("\n".join([*tally.faults, str(dict(tally.words))]))
        return not tally.faults
    rooms = -(-given.steps // (walks.STEPS * len(given.kinds)))
    faults, words = [], Counter()
    say("kind        rooms   steps  pieces  most iterations  worst/promised")
    for kind in given.kinds:
        pieces = most = steps = 0
        worst = 0.0
        for seed in range(given.seed, given.seed + rooms):
            tally = walks.walk(kind, seed)
            faults += tally.faults
            words += tally.words
            steps += sum(tally.words.values())
            pieces, most = pieces + tally.pieces, max(most, tally.most)
            worst = max(worst, tally.worst)
        say(f"{kind:10}{rooms:7}{steps:8}{pieces:8}{most:17}{worst:16.3f}")
    say(", ".join(f"{word} {count}" for word, count in sorted(words.items())))
    say(f"{words.total()} steps, {len(faults)} faults")
    list_cases(faults, say)
    return not faults


if __name__ == "__main__":
    options = {"steps": 20_000, "kinds": list(draw.KINDS), "seed": 0, "replay": ""}
    sys.exit(main(__doc__, run, **options))
