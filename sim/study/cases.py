"""Cases of a study: settings of a script, each with an id of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from math import floor, isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.arguments import check_above_zero, check_count, check_number
from sim.study.script import ScriptError, parameters

FORMAT = 1  # of a case and its row; rises when rows mean something else
Settings = dict[str, Any]
METHODS = ("sobol", "latin")


class StudyError(ValueError):
    """Everything that is wrong with a study, a line each; nothing was run."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


def grid(low: float, high: float, count: int) -> list[float]:
    """Return evenly spaced values, both ends included.

    Parameters
    ----------
    low, high : float
        Finite; ValueError else.
    count : int
        1 or more; ValueError else.
    """
    ends = check_number("low", low), check_number("high", high)
    values: list[float] = np.linspace(
        *ends, check_count("count", count, least=1)
    ).tolist()
    return values


def steps(low: float, high: float, step: float) -> list[float]:
    """Return low, low + step, ... up to high, which is included where it is met.

    Parameters
    ----------
    low, high : float
        Finite; ValueError else. Empty if ``high`` is below ``low``.
    step : float
        Above 0; ValueError else.
    """
    first, last = check_number("low", low), check_number("high", high)
    each = check_above_zero("step", step)
    count = floor((last - first) / each + 1e-9) + 1
    return [first + k * each for k in range(max(count, 0))]


def sample(
    ranges: Mapping[str, tuple[float, float]],
    count: int,
    *,
    method: str = "sobol",
    seed: int = 0,
) -> list[Settings]:
    """Draw cases that fill ranges evenly; the same for the same seed.

    Parameters
    ----------
    ranges : mapping of name to (low, high)
    count : int
        How many; for "sobol" a power of two fills best.
    method : {"sobol", "latin"}
        Sobol (1967) or Latin hypercube (McKay et al. 1979), by ``scipy.stats.qmc``.
    seed : int
        0 or more.
    """
    from scipy.stats import qmc

    if method not in METHODS:
        raise ValueError(f"method={method!r} is not one of {', '.join(METHODS)}")
    names = list(ranges)
    kind = qmc.Sobol if method == "sobol" else qmc.LatinHypercube
    number = check_count("count", count, least=1)
    unit = kind(len(names), seed=check_count("seed", seed)).random(number)
    low, high = np.array([ranges[name] for name in names], np.float64).T
    return [
        dict(zip(names, row, strict=True))
        for row in (low + (high - low) * unit).tolist()
    ]


class StudyCase(NamedTuple):
    """Settings of a script, and the id that they have with it."""

    id: str
    settings: Settings


class Script(NamedTuple):
    """What all cases of a study share."""

    path: Path
    digest: str
    frames: int

    @classmethod
    def read(cls, path: Path, frames: int) -> Script:
        """Read a script; its text decides the ids."""
        return cls(path, blake2b(path.read_bytes(), digest_size=16).hexdigest(), frames)

    def case(self, settings: Mapping[str, Any]) -> StudyCase:
        """Give settings the id that they have with this script, wherever they run."""
        told = [self.digest, canonical(settings), self.frames, FORMAT]
        text = json.dumps(told, separators=(",", ":"))
        return StudyCase(
            blake2b(text.encode(), digest_size=10).hexdigest(), dict(settings)
        )


def canonical(settings: Mapping[str, Any]) -> str:
    """Write settings as JSON, the same for the same settings."""
    return json.dumps(dict(settings), sort_keys=True, separators=(",", ":"))


def settings_of(
    cases: Mapping[str, Iterable[Any]] | Iterable[Settings],
) -> list[Settings]:
    """Return the product of lists in the order given, or cases as they stand."""
    if isinstance(cases, Mapping):
        names = list(cases)
        return [
            dict(zip(names, values, strict=True))
            for values in product(*(map(_plain, cases[name]) for name in names))
        ]
    return [{name: _plain(value) for name, value in case.items()} for case in cases]


def _plain(value: Any) -> Any:
    """Return numpy's numbers as Python's, lists of them too."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def mistakes_of(
    script: Path, cases: Mapping[str, Iterable[Any]] | Iterable[Settings], frames: Any
) -> list[str]:
    """List everything that is wrong with a script and its cases; runs nothing."""
    found: list[str] = []
    takes: set[str] | None = None
    try:
        takes = parameters(script)
    except ScriptError as error:
        found.append(str(error))
    try:
        check_count("frames", frames, least=1)
    except ValueError as error:
        found.append(str(error))
    columns: dict[str, list[Any]] = {}
    if isinstance(cases, Mapping):
        for name, values in cases.items():
            if isinstance(values, str) or not isinstance(values, Iterable):
                found.append(f"{name}: {values!r} is no list of values")
                continue
            columns[name] = [_plain(value) for value in values]
            if not columns[name]:
                found.append(f"{name}: has no values, so there are no cases")
    else:
        for case in cases:
            for name, value in case.items():
                columns.setdefault(name, []).append(_plain(value))
    for name, values in columns.items():
        if takes is not None and name not in takes:
            known = ", ".join(sorted(takes)) or "nothing"
            found.append(
                f"{name}: {script.name} has no such parameter; it takes {known}"
            )
        found += [f"{name}: {said}" for value in values for said in _wrong(value)]
    return found


def _wrong(value: Any) -> list[str]:
    if isinstance(value, float) and not isfinite(value):
        return [f"{value} is not finite"]
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        kind = type(value).__name__
        return [f"{value!r} ({kind}) is no number, text, truth value, or list of these"]
    return []
