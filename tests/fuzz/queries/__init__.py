"""Queries for every primitive, and who knows their answers without rounding.

One file per primitive, named like it:

``draw(rng, n, kind)``  the arguments of n queries, ``kind`` "random" or "degenerate"
``wrong(*arguments)``   (n,) bool: where the primitive's answer is not the true one, by
                        brute force or in rational numbers, sharing no code with it
``ask(*arguments)``     the primitive itself, for the clock
"""

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np

NAMES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py")))
KINDS = ("random", "degenerate")


def load(name: str) -> ModuleType:
    return import_module(f"queries.{name}")


def asked(
    family: str, seed: int, seen: Counter[str], count: int = 200
) -> Iterator[str]:
    """Yield the queries that a primitive answers wrongly, with their arguments."""
    name, kind = family.split("/")
    module = load(name)
    given = module.draw(np.random.default_rng([seed, len(kind)]), count, kind)
    seen[family] += count
    for row in np.flatnonzero(module.wrong(*given)):
        one = [array[row].tolist() for array in given]
        yield f"{family}:{seed} row {row} of {count}: {one}"
