"""Where the story changes along one setting, and over two: a border and a map."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.story.compare import compare
from sim.story.comparing.difference import counted
from sim.story.story import Story

Key = str | Callable[[Story], Any]


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


def difference(a: Story, b: Story) -> str:
    """Say in what two stories differ, but for numbers."""
    return "; ".join(map(str, compare(a, b, numbers=False).differences[:3]))


class StoryGroup(NamedTuple):
    """Cases that tell the same story.

    Attributes: ``story``: their story; ``cases``: their settings; ``words``: how the
    story differs from that of the largest group.
    """

    story: Story
    cases: tuple[dict[str, Any], ...]
    words: str

    def __str__(self) -> str:
        """Count the cases and say what is different."""
        told = []
        for name in self.cases[0]:
            values = [case[name] for case in self.cases]
            try:
                low, high = min(values), max(values)
            except TypeError:  # values that have no order
                continue
            told.append(f"{name}={low}" if low == high else f"{name}={low} .. {high}")
        count = counted(len(self.cases), "case")
        return f"{count}, {', '.join(told) or 'no settings'}: {self.words}"


class StoryBorder(NamedTuple):
    """Two values of a setting, near each other, with different stories.

    Attributes: ``lower``, ``upper``: the values; ``below``, ``above``: their stories;
    ``runs``: how many cases it took.
    """

    name: str
    lower: float
    upper: float
    below: Story
    above: Story
    runs: int

    @property
    def words(self) -> str:
        """What is different."""
        return difference(self.below, self.above)

    def __str__(self) -> str:
        """Say where, and what changes."""
        return f"{self.name} between {self.lower!r} and {self.upper!r}: {self.words}"


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
