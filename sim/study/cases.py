"""Settings of a script: values, lists, samples; what is wrong is said before a run."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from math import floor, prod
from pathlib import Path
from typing import Any

import numpy as np

from sim.arguments import check_above_zero, check_count, check_number
from sim.study.script import NO_WORLD

Settings = dict[str, Any]
Cases = Mapping[str, Iterable[Any]] | Iterable[Settings]
MOST = 10**6  # cases of a study: each is two files


class StudyError(ValueError):
    """What is wrong with a study; nothing was run."""


def _few(what: str, count: float) -> int:
    """Return a number of values; ValueError if a study does not take so many."""
    if not count <= MOST:
        raise ValueError(f"{what}: {count:.7g} values; a study takes at most {MOST}")
    return floor(count)


def grid(low: float, high: float, count: int) -> list[float]:
    """Return so many evenly spaced values, both ends included.

    Raises ValueError where an end is not finite, or the count not 1 or more.
    """
    ends = check_number("low", low), check_number("high", high)
    number = _few(f"count={count!r}", check_count("count", count, least=1))
    return [*map(float, np.linspace(*ends, number))]


def steps(low: float, high: float, step: float) -> list[float]:
    """Return low, low + step, ... up to high, which is included where it is met.

    Nothing if ``high`` is below ``low``.  Raises ValueError where an end is not finite,
    or the step not above 0.
    """
    first, last = check_number("low", low), check_number("high", high)
    each = check_above_zero("step", step)
    count = _few(f"step={step!r}", (last - first) / each + 1e-9) + 1
    return [first + k * each for k in range(count)]


def sample(
    ranges: Mapping[str, tuple[float, float]], count: int, *, seed: int = 0
) -> list[Settings]:
    """Draw cases that fill ranges evenly; the same for the same seed.

    Parameters: ``ranges``: (low, high) by name; ``count``: how many, a power of two
    fills best: Sobol's sequence (1967), by ``scipy.stats.qmc``.

    Raises ValueError or TypeError if there are no ranges, or one has no two finite
    ends.
    """
    from scipy.stats import qmc

    if not isinstance(ranges, Mapping) or not ranges:
        raise ValueError(f"ranges={ranges!r} has no {{name: (low, high)}}")
    low, high = np.array([_ends(*item) for item in ranges.items()]).T
    number = _few(f"count={count!r}", check_count("count", count, least=1))
    power = (number - 1).bit_length()  # of other numbers than powers of two it warns
    drawn = qmc.Sobol(len(ranges), seed=check_count("seed", seed)).random_base2(power)
    values = (low + (high - low) * drawn[:number]).tolist()
    return [dict(zip(ranges, row, strict=True)) for row in values]


def _ends(name: str, given: tuple[float, float]) -> tuple[float, float]:
    try:
        low, high = given
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {given!r} is no range (low, high)") from None
    return check_number(f"{name}: low", low), check_number(f"{name}: high", high)


def listed(cases: Cases) -> tuple[dict[str, list[Any]], list[Settings]]:
    """Return lists by name, if such were given, and all cases; StudyError if none.

    The cases are the product of lists in the order given, or those given as they stand.
    """
    lists: dict[str, list[Any]] = {}
    if isinstance(cases, Mapping):
        for name, values in cases.items():
            if isinstance(values, str) or not isinstance(values, Iterable):
                raise StudyError(f"{name}: {values!r} is no list; write [{values!r}]")
            lists[name] = [_plain(value) for value in islice(values, MOST + 1)]
            if not lists[name]:
                raise StudyError(f"{name}: has no values, so there are no cases")
        if prod(map(len, lists.values())) > MOST:
            sizes = " x ".join(f"{len(v)} of {name}" for name, v in lists.items())
            raise StudyError(f"cases: {sizes}: a study takes at most {MOST}")
        every = product(*lists.values())
        return lists, [dict(zip(lists, row, strict=True)) for row in every]
    given = [*islice(cases, MOST + 1)] if isinstance(cases, Iterable) else [cases]
    if not 0 < len(given) <= MOST:
        many = f"more than {MOST}, which is what a study takes"
        none = "the list is empty, so there is nothing to run"
        raise StudyError(f"cases: {many if given else none}")
    for case in given:
        if not isinstance(case, Mapping):
            raise StudyError(f"cases: {case!r} is no dict of settings")
    return lists, [{n: _plain(v) for n, v in case.items()} for case in given]


def _plain(value: Any) -> Any:
    """Return numpy's numbers as Python's, lists of them too."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def check_settings(
    script: Path, lists: Mapping[str, Iterable[Any]], rows: Sequence[Settings]
) -> None:
    """Raise StudyError if a script takes no such settings or values; runs nothing."""
    takes, needs = _parameters(script)
    for name in dict.fromkeys(name for row in rows for name in row):
        if takes is not None and name not in takes:
            known = ", ".join(sorted(takes)) or "nothing"
            lack = f"{script.name} has no such parameter; it takes {known}"
            raise StudyError(f"{name}: {lack}")
        for value in lists.get(name, (row[name] for row in rows if name in row)):
            try:
                json.dumps(value, allow_nan=False)
            except (TypeError, ValueError):
                said = f"{value!r} ({type(value).__name__}) is no number, text, truth "
                said += "value, or list of these"
                if isinstance(value, float):
                    said = f"{value} is not finite"
                raise StudyError(f"{name}: {said}") from None
    for name in needs:
        if count := sum(name not in row for row in rows):
            lack = f"{count} of {len(rows)} cases lack it"
            raise StudyError(f"{name}: {script.name} needs it, and {lack}")


def _parameters(script: Path) -> tuple[set[str] | None, list[str]]:
    """Return the names that ``world()`` takes, None for any, and those that it needs.

    Raises StudyError if there is no such file or function, or it is no Python.
    """
    try:
        tree = ast.parse(script.read_bytes(), os.fspath(script))
    except OSError as error:
        raise StudyError(f"{script}: {error.strerror}; give a Python file") from None
    except (SyntaxError, ValueError) as error:
        raise StudyError(f"{script}: is no Python: {error}") from None
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == "world":
            given, only = node.args.args, node.args.kwonlyargs
            ends = zip(only, node.args.kw_defaults, strict=True)
            needs = given[: max(0, len(given) - len(node.args.defaults))]
            needs += [arg for arg, default in ends if default is None]
            takes = None if node.args.kwarg else {arg.arg for arg in given + only}
            return takes, [arg.arg for arg in needs]
    for part in ast.walk(tree):
        imported = isinstance(part, ast.alias) and (part.asname or part.name) == "world"
        if imported or (isinstance(part, ast.Name) and part.id == "world"):
            return None, []  # by name, or made by a call
    raise StudyError(f"{script}: {NO_WORLD}")
