"""Where the story changes along one setting, and over two: a border and a map."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import check_above_zero
from sim.story.compare import compare
from sim.story.story import Story
from sim.study.cases import Settings

Key = str | Callable[["Story"], Any]


class Asked(NamedTuple):
    """The cases of a study, and what is asked about each.

    Attributes: ``lists``: the values of each setting; ``story``: the story of a case
    that is finished; ``keys``: what is asked about, of each of these settings, which
    are run where they are not finished.
    """

    lists: Mapping[str, list[Any]]
    story: Callable[[Settings], Story]
    keys: Callable[[Sequence[Settings]], list[Any]]


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
    asked: Asked, name: str, tolerance: float, rest: dict[str, Any]
) -> StoryBorder:
    """Bisect between the first two listed values that tell different stories."""
    tolerance = check_above_zero("tolerance", tolerance)
    values = sorted(asked.lists[name])

    def case(value: float) -> dict[str, Any]:
        return {key: rest.get(key, value) for key in asked.lists}

    told = asked.keys([case(value) for value in values])
    runs = len(values)
    ends = next(
        (
            pair
            for pair in pairwise(zip(values, told, strict=True))
            if pair[0][1] != pair[1][1]
        ),
        None,
    )
    if ends is None:
        raise ValueError(
            f"all {len(values)} values of {name} tell the same story; give values on "
            f"both sides of a border"
        )
    (lower, below), (upper, _) = ends
    while upper - lower > tolerance:
        middle = 0.5 * (lower + upper)
        if not lower < middle < upper:
            break  # two floats that follow one another
        (found,) = asked.keys([case(middle)])
        runs += 1
        if found == below:
            lower = middle
        else:
            upper = middle
    stories = asked.story(case(lower)), asked.story(case(upper))
    found_words = compare(*stories, numbers=False).differences
    words = "; ".join(map(str, found_words[:3]))
    return StoryBorder(name, lower, upper, *stories, words, runs)


PARTS = 4  # along each axis, to begin with
Box = tuple[int, int, int, int]  # first and last of either axis, by place in its list


class StoryMap:
    """Which story each pair of values has.

    Attributes
    ----------
    names : (across, up)
    across, up : list
        The values along either axis.
    stories : tuple of Story
        Those that were met, in the order in which they were.
    cells : (len(up), len(across)) int array
        The place of each pair's story in ``stories``.
    was_run : (len(up), len(across)) bool array
        Which pairs were run; the others lie in a box whose corners tell one story.
    """

    def __init__(
        self,
        names: tuple[str, str],
        values: tuple[list[Any], list[Any]],
        stories: tuple[Story, ...],
        cells: NDArray[np.intp],
        was_run: NDArray[np.bool_],
    ) -> None:
        self.names = names
        self.across, self.up = values
        self.stories = stories
        self.cells = cells
        self.was_run = was_run

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


def story_map(asked: Asked, names: tuple[str, str], rest: dict[str, Any]) -> StoryMap:
    """Run corners of boxes, and split the boxes whose corners differ."""
    across, up = (sorted(asked.lists[name]) for name in names)
    cells = np.full((len(up), len(across)), -1)
    was_run = np.zeros(cells.shape, bool)
    order: dict[Any, int] = {}  # the place of each story
    first: list[tuple[int, int]] = []  # who told it

    def case(i: int, j: int) -> dict[str, Any]:
        free = {names[0]: across[i], names[1]: up[j]}
        return {key: rest.get(key, free.get(key)) for key in asked.lists}

    def ask(boxes: list[Box]) -> None:
        """Run the corners of these boxes that are not known yet, all at once."""
        corners = dict.fromkeys(c for box in boxes for c in _corners(box))
        missing = [(i, j) for i, j in corners if cells[j, i] < 0]
        told = asked.keys([case(i, j) for i, j in missing])
        for (i, j), key in zip(missing, told, strict=True):
            if key not in order:
                order[key] = len(order)
                first.append((i, j))
            cells[j, i], was_run[j, i] = order[key], True

    boxes = _split((0, len(across) - 1, 0, len(up) - 1), PARTS)
    while boxes:
        ask(boxes)
        further: list[Box] = []
        for box in boxes:
            i, k, j, m = box
            told = {int(cells[y, x]) for x, y in _corners(box)}
            if len(told) == 1:
                inside = cells[j : m + 1, i : k + 1]
                inside[inside < 0] = told.pop()
            elif k - i > 1 or m - j > 1:
                further += _split(box, 2)
        boxes = further
    stories = tuple(asked.story(case(i, j)) for i, j in first)
    return StoryMap(names, (across, up), stories, cells, was_run)


def _corners(box: Box) -> list[tuple[int, int]]:
    i, k, j, m = box
    return [(i, j), (k, j), (i, m), (k, m)]


def _split(box: Box, parts: int) -> list[Box]:
    """Cut a box into so many parts along each axis, fewer where it is short."""
    i, k, j, m = box
    across = np.unique(np.linspace(i, k, parts + 1).round().astype(int)).tolist()
    up = np.unique(np.linspace(j, m, parts + 1).round().astype(int)).tolist()
    spans = [list(pairwise(x)) or [(x[0], x[0])] for x in (across, up)]
    return [(*a, *b) for a in spans[0] for b in spans[1]]
