"""The story map: which story each pair of two settings has, with few runs."""

from __future__ import annotations

from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.story.story import Story
from sim.study.border import Asked

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
