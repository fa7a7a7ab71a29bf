"""Ask every primitive random and degenerate queries; judge each answer exactly.

python tests/fuzz/fuzz_primitives.py                   100 000 + 20 000 queries each
python tests/fuzz/fuzz_primitives.py --of disk_triangle --random 2000 --degenerate 2000

Prints one line per primitive; every wrong answer as NAME:KIND:SEED:ROW with its
arguments, which --replay asks again.
"""

import sys
import time
from argparse import Namespace

import numpy as np
import queries
from runner import Say, main

BLOCK = 2000  # queries drawn from one seed


def run(given: Namespace, say: Say) -> bool:
    if given.replay:
        name, kind, seed, row = given.replay.split(":")
        return not _replay(name, kind, int(seed), int(row))
    return sum(_all_of(name, given, say) for name in given.of) == 0


def _all_of(name: str, given: Namespace, say: Say) -> int:
    module, bad, began = queries.load(name), 0, time.perf_counter()
    for kind in queries.KINDS:
        total = getattr(given, kind)
        for seed in range(given.seed, given.seed + -(-total // BLOCK)):
            arguments = _drawn(module, kind, seed)
            for row in np.nonzero(module.wrong(*arguments))[0]:
                bad += 1
                say(f"  wrong {name}:{kind}:{seed}:{row}")
    seconds = time.perf_counter() - began
    say(
        f"{name:24} {given.random} random, {given.degenerate} degenerate: "
        f"{bad} wrong, {seconds:.0f} s"
    )
    return bad


def _replay(name: str, kind: str, seed: int, row: int) -> int:
    module = queries.load(name)
    one = [array[row : row + 1] for array in _drawn(module, kind, seed)]
    for array in one:
        print(np.array2string(array, floatmode="unique"))
    print(module.ask(*one))
    return int(module.wrong(*one).sum())


def _drawn(module, kind, seed):
    return module.draw(np.random.default_rng([seed, len(kind)]), BLOCK, kind)


if __name__ == "__main__":
    options = {"of": list(queries.NAMES), "random": 100_000, "degenerate": 20_000}
    sys.exit(main(__doc__, run, **options, seed=0, replay=""))
