"""Where the story changes along one setting, and over two: a border and a map."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import check_above_zero
from sim.story.story import Story

Key = str | Callable[[Story], Any]
Keys = Callable[[list[Any]], list[Any]]  # of values: what tells their stories apart


def kinds(story: Story) -> tuple[Any, ...]:
    """Return the kinds of events of each pair and body in order, whenever they were."""
    found: dict[tuple[str, str], list[str]] = {}
    for event in story.events:
        found.setdefault((event.a, event.b), []).append(event.kind)
    return tuple((pair, *found[pair]) for pair in sorted(found))


KEYS: dict[str, Callable[[Story], Any]] = {
    "story": lambda story: story.digest,
    "kinds": kinds,
}


def key_of(of: Key) -> Callable[[Story], Any]:
    """Return the function that a name stands for; ValueError for an unknown name."""
    if not isinstance(of, str):
        return of
    if of not in KEYS:
        raise ValueError(f"of={of!r} is not one of {', '.join(KEYS)}")
    return KEYS[of]


class StoryBorder(NamedTuple):
    """Two values of a setting, near each other, with different stories.

    Attributes: ``lower``, ``upper``: the values; ``below``, ``above``: their stories;
    ``words``: what is different; ``runs``: how many cases it took.
    """

    name: str
    lower: float
    upper: float
    below: Story
    above: Story
    words: str
    runs: int

    def __str__(self) -> str:
        """Say where, and what changes."""
        return f"{self.name} between {self.lower!r} and {self.upper!r}: {self.words}"


def bisected(
    name: str, values: list[Any], keys: Keys, tolerance: float
) -> tuple[Any, Any, int]:
    """Bisect between the first two values that tell different stories.

    Returns both ends, and how many cases it took.
    """
    tolerance = check_above_zero("tolerance", tolerance)
    told, runs = keys(values), len(values)
    change = next((k for k, (a, b) in enumerate(pairwise(told)) if a != b), None)
    if change is None:
        raise ValueError(
            f"all {len(values)} values of {name} tell the same story; give values on "
            f"both sides of a border"
        )
    lower, upper = values[change : change + 2]
    while upper - lower > tolerance:
        middle = 0.5 * (lower + upper)
        if not lower < middle < upper:
            break  # two floats that follow one another
        runs += 1
        same = keys([middle]) == [told[change]]
        lower, upper = (middle, upper) if same else (lower, middle)
    return lower, upper, runs


def difference(a: Story, b: Story) -> str:
    """Say in what two stories differ, but for numbers."""
    from sim.story.compare import compare

    return "; ".join(map(str, compare(a, b, numbers=False).differences[:3]))


class StoryMap(NamedTuple):
    """Which story each pair of values has; ``viewer.plot.draw_map`` draws it."""

    names: tuple[str, str]  # of the settings across and up
    across: list[Any]  # values
    up: list[Any]
    stories: tuple[Story, ...]  # those that were met, in the order in which they were
    cells: NDArray[np.intp]  # (len(up), len(across)), the place of each story in these

    def __repr__(self) -> str:
        """Count the stories."""
        size = " x ".join(map(str, self.cells.T.shape))
        return (
            f"StoryMap({' x '.join(self.names)}, {size}: {len(self.stories)} stories)"
        )
