"""Where the story changes along one setting, and over two: a border and a map."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import check_above_zero
from sim.story.story import Story

Told = Callable[..., Story]  # the story of a value, or of two
Key = str | Callable[[Story], Any]
Keys = Callable[[list[Any]], list[Any]]  # of rows of values: what tells them apart


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


def find_border(
    name: str, values: list[Any], keys: Keys, story: Told, tolerance: float
) -> StoryBorder:
    """Bisect between the first two values that tell different stories."""
    tolerance = check_above_zero("tolerance", tolerance)
    told, runs = keys([(value,) for value in values]), len(values)
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
        same = keys([(middle,)]) == [told[change]]
        lower, upper = (middle, upper) if same else (lower, middle)
    below, above = story(lower), story(upper)
    return StoryBorder(name, lower, upper, below, above, difference(below, above), runs)


def difference(a: Story, b: Story) -> str:
    """Say in what two stories differ, but for numbers."""
    from sim.story.compare import compare

    return "; ".join(map(str, compare(a, b, numbers=False).differences[:3]))


class StoryMap(NamedTuple):
    """Which story each pair of values has; arrays are (len(up), len(across))."""

    names: tuple[str, str]  # of the settings across and up
    across: list[Any]  # values
    up: list[Any]
    stories: tuple[Story, ...]  # those that were met, in the order in which they were
    cells: NDArray[np.intp]  # the place of each pair's story in these
    was_run: NDArray[np.bool_]  # the others lie in a box whose corners tell one story

    @property
    def runs(self) -> int:
        """How many cases it took."""
        return int(self.was_run.sum())

    def picture(self, path: str | PathLike[str]) -> None:
        """Draw the map into a .png, .svg or .pdf; a dot is a case that was run.

        Raises ImportError if nobody here draws; says what to install.
        """
        from importlib.metadata import entry_points

        views = sorted(entry_points(group="wingedge.maps"), key=lambda view: view.name)
        if not views:
            raise ImportError(
                "a picture of a map needs the viewer: pip install 'wingedge[viewer]'"
            )
        views[0].load()(self, path)

    def __repr__(self) -> str:
        """Count the stories and the runs."""
        size = " x ".join(map(str, self.cells.T.shape))
        return (
            f"StoryMap({' x '.join(self.names)}, {size}: {len(self.stories)} stories, "
            f"{self.runs} runs)"
        )


PARTS = 4  # along each axis, to begin with
Span = tuple[int, int]  # first and last, by place in a list


def story_map(
    names: tuple[str, str], values: tuple[list[Any], list[Any]], keys: Keys, story: Told
) -> StoryMap:
    """Run corners of boxes, and split the boxes whose corners differ."""
    across, up = values
    cells = np.full((len(up), len(across)), -1)
    was_run = np.zeros(cells.shape, bool)
    order: dict[Any, int] = {}  # the place of each story
    first: list[tuple[int, int]] = []  # who told it

    boxes = _split((0, len(up) - 1), (0, len(across) - 1), PARTS)
    while boxes:
        corners = dict.fromkeys((j, i) for y, x in boxes for j in y for i in x)
        missing = [corner for corner in corners if cells[corner] < 0]
        told = keys([(across[i], up[j]) for j, i in missing])
        for corner, key in zip(missing, told, strict=True):
            if key not in order:
                order[key] = len(order)
                first.append(corner)
            cells[corner], was_run[corner] = order[key], True
        further = []
        for y, x in boxes:
            met = {int(cells[j, i]) for j in y for i in x}
            if len(met) == 1:
                inside = cells[y[0] : y[1] + 1, x[0] : x[1] + 1]
                inside[inside < 0] = met.pop()
            elif y[1] - y[0] > 1 or x[1] - x[0] > 1:
                further += _split(y, x, 2)
        boxes = further
    stories = tuple(story(across[i], up[j]) for j, i in first)
    return StoryMap(names, across, up, stories, cells, was_run)


def _split(y: Span, x: Span, parts: int) -> list[tuple[Span, Span]]:
    """Cut a box into so many parts along each axis, fewer where it is short."""
    cuts = [
        np.unique(np.linspace(*span, parts + 1).round().astype(int)).tolist()
        for span in (y, x)
    ]
    rows, columns = ([*pairwise(c)] or [(c[0], c[0])] for c in cuts)
    return [(row, column) for column in columns for row in rows]
