"""Queries for every primitive, and who knows their answers without rounding.

One file per primitive, named like it:

``draw(rng, n, kind)``  the arguments of n queries, ``kind`` "random" or "degenerate"
``wrong(*arguments)``   (n,) bool: where the primitive's answer is not the true one, by
                        brute force or in rational numbers, sharing no code with it
``ask(*arguments)``     the primitive itself, for the clock
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

NAMES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py")))
KINDS = ("random", "degenerate")


def load(name: str) -> ModuleType:
    if name not in NAMES:
        raise SystemExit(f"no primitive {name!r}; there are: {', '.join(NAMES)}")
    return import_module(f"queries.{name}")
