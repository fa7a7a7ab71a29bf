"""The tables of docs/performance.md: functions that measure, and return rows.

A row says what by the name of its column; one that a row has not is left empty.  What
is compared runs in the same process, in rounds that
take turns, and the least round of each counts: what else the machine does can only add.
"""

import multiprocessing
from collections.abc import Callable, Mapping
from typing import Any

from bench import best

Cell = str | int | float
Table = list[dict[str, Cell]]


def interleaved(
    calls: Mapping[str, Callable[[], object]], rounds: int, unit: float = 1.0
) -> dict[str, float]:
    """Return the units of time of each call in its best round; one goes before."""
    least = dict.fromkeys(calls, float("inf"))
    for k in range(rounds + 1):
        for name, call in calls.items():
            spent = best(call, 1)
            if k:
                least[name] = min(least[name], spent / unit)
    return least


def alone(call: Callable[..., Any], *given: object) -> Any:
    """Call it in a process of its own, for its memory or because it is the first."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(call, given)
