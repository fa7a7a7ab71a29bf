"""Where along one setting the story changes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.arguments import check_above_zero

if TYPE_CHECKING:
    from sim.story.story import Story
    from sim.study.asked import Asked


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
    from sim.story.compare import compare

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
