"""Ask every primitive random and degenerate queries; judge each answer exactly.

python tests/fuzz/fuzz_primitives.py                   100 000 + 20 000 queries each
python tests/fuzz/fuzz_primitives.py --of disk_triangle --random 2000 --degenerate 2000

Prints one line per primitive; every wrong answer as NAME:KIND:SEED:ROW with its
arguments, which --replay asks again.
"""

import argparse
import platform
import sys
import time

import numpy as np
import queries

BLOCK = 2000  # queries drawn from one seed


def main() -> int:
    """Run the command; the exit code says whether every answer was right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--of", nargs="+", default=queries.NAMES, metavar="NAME")
    parser.add_argument("--random", type=int, default=100_000)
    parser.add_argument("--degenerate", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replay", metavar="NAME:KIND:SEED:ROW")
    given = parser.parse_args()
    if given.replay:
        name, kind, seed, row = given.replay.split(":")
        return bool(_replay(name, kind, int(seed), int(row)))
    versions = f"python {platform.python_version()}, numpy {np.__version__}"
    print(f"{versions}, {platform.machine()}")
    return int(sum(_all_of(name, given) for name in given.of) > 0)


def _all_of(name: str, given: argparse.Namespace) -> int:
    module, bad, began = queries.load(name), 0, time.perf_counter()
    for kind in queries.KINDS:
        total = getattr(given, kind)
        for seed in range(given.seed, given.seed + -(-total // BLOCK)):
            arguments = _drawn(module, kind, seed)
            for row in np.nonzero(module.wrong(*arguments))[0]:
                bad += 1
                print(f"  wrong {name}:{kind}:{seed}:{row}", flush=True)
    seconds = time.perf_counter() - began
    print(
        f"{name:24} {given.random} random, {given.degenerate} degenerate: "
        f"{bad} wrong, {seconds:.0f} s",
        flush=True,
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
    sys.exit(main())
