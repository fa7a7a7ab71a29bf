"""What is asked about the stories of a study."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
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
