"""Patterns of bodies and their parts, as ``foot/*`` or ``*.heel/*``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sim.events.touch import shown, split_name, whole_name
from wingedge.features import is_name

ANY = "*"  # of the name of a body, where it may be any
Meant = Callable[[Mapping[str, Any]], bool]  # of a, part_a, b, part_b by name


def names_of(text: str) -> tuple[str | None, ...]:
    """Read the name of a body, or of two, as ``jelly/*``; None stands for any.

    Returns: nothing where it cannot be one.
    """
    names = text.split("/", 1)
    fine = all(map(is_name, names))
    return tuple(None if name == ANY else name for name in names if fine)


def are_named(names: Sequence[str | None], who: Mapping[str, Any]) -> bool:
    """Say whether bodies with their parts are called so.

    None stands for any body, ``*.heel`` for any with that part, ``foot`` for every part
    of foot.
    """
    both = (who["a"], who["part_a"]), (who["b"], who["part_b"])
    return all(
        name in (None, body, whole_name(body, part), whole_name(ANY, part))
        for name, (body, part) in zip(names, both, strict=True)
    )


def check_known(name: str, bodies: Iterable[str]) -> None:
    """Raise ValueError unless there is such a body."""
    if name not in bodies:
        known = "/".join(bodies) or "nobody"
        raise ValueError(f"there is no body {shown(name)} here, only {shown(known)}")


def pairs_like(
    pattern: str | None, bodies: Sequence[str], parts: Sequence[str] | None = None
) -> Meant:
    """Return what says whether a pattern means two bodies and parts, in either order.

    Parameters: ``pattern``: ``foot/table``, ``foot/*`` or ``*.heel/*``, as scripts name
    them, or None for all; ``parts``: those that there are, where that is known.

    Raises ValueError if it is none, or names no body, or part, of these.
    """
    if pattern is None:
        return lambda who: True
    names = names_of(str(pattern))
    if len(names) != 2:
        raise ValueError(
            f"pattern {pattern!r}: write two bodies, as 'foot/table' or 'foot/*'"
        )
    for name in filter(None, names):
        body, part = split_name(name, (*bodies, ANY))
        if body != ANY:
            check_known(body, bodies)
        if part and parts is not None and part not in parts:
            known = ", ".join(parts) or "none"
            raise ValueError(f"there is no part {shown(part)} here, only {known}")
    ways = names, names[::-1]
    return lambda who: bool(who["b"]) and any(are_named(way, who) for way in ways)
