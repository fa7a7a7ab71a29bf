"""List every tolerance of the product: ``python docs/list_tolerances.py`` prints it.

A tolerance is a small number at the head of a module.  Its reason is the comment on its
line or above it, or the text below.
"""

import ast
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent
NO_TOLERANCE = {"EPS", "EPSILON", "HAIR", "INTERPRETED"}  # a gap in scenes; seconds
HEAD = """# Every tolerance

A certificate rests on bounds of rounding: `eps`, which is 2^-52, times a count of
operations. Every other number says which question is asked next, what counts as level,
equal or convex, or what a checker lets pass. What the bounds mean:
[algorithms](algorithms.md#bounds).

| where | name | value | why |
|---|---|---|---|
"""


class Tolerance(NamedTuple):
    """One number, where it stands and why."""

    module: str
    name: str
    value: str
    why: str


def tolerances() -> Iterator[Tolerance]:
    """Yield them in the order of modules and lines."""
    for package in ("wingedge", "sim"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix()
            yield from tolerances_of(module, path.read_text())


def tolerances_of(module: str, source: str) -> Iterator[Tolerance]:
    """Yield those of one module; small is a size, a square of 1e-40 is a limit."""
    known: dict[str, object] = {"np": np}
    lines, body = source.splitlines(), ast.parse(source).body
    for statement, below in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.Assign):
            continue
        name = ast.unparse(statement.targets[0])
        try:
            value = eval(ast.unparse(statement.value), known)
        except (NameError, SyntaxError, TypeError, AttributeError):
            continue
        known[name] = value
        is_small = isinstance(value, float) and (
            1e-31 < abs(value) <= 1e-2 or 0.0 < abs(1.0 - value) < 1e-6
        )
        if is_small and name not in NO_TOLERANCE:
            halves = value / 2.0**-53  # whole ones are told in eps
            told = halves == int(halves) <= 256
            said = f"{halves / 2:g} eps" if told else f"{value:.12g}"
            yield Tolerance(module, name, said, reason(lines, statement, below))


def reason(lines: list[str], statement: ast.stmt, below: ast.stmt | None) -> str:
    """Return the comment on the line, the text below it, or the comment above it."""
    found = lines[statement.end_lineno - 1].partition("#")[2]
    if not found and isinstance(below, ast.Expr):
        found = ast.literal_eval(below.value)
    if not found:
        above = [*takewhile(lambda x: x[:1] == "#", lines[statement.lineno - 2 :: -1])]
        found = " ".join(line.lstrip("# ") for line in reversed(above))
    return " ".join(found.split())


def page() -> str:
    """Return the page."""
    rows = [f"| `{t.module}` | {t.name} | {t.value} | {t.why} |" for t in tolerances()]
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(page(), end="")
