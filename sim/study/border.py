"""Where along one setting the story changes, and what of a story is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

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
