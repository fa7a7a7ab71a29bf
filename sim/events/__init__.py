"""What happened between two frames: to a pair, to its regions, to a body.

Of what happened some parts are computed when they are first read (``Late``).
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T", bound="Late")
LATE = ("when", "time", "undecided")
"""The attributes that may be left empty."""


class Late:
    """What ``later`` makes of it asks for an attribute that is empty, once.

    A copy, or a pickle, has asked.
    """

    __slots__ = ("_ask",)
    _ask: Callable[[Any], Mapping[str, Any]]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in LATE:
                what = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(what, name=name, obj=self)
            for key, value in self._ask(self).items():
                object.__setattr__(self, key, value)
            object.__setattr__(self, "_ask", _nothing)  # lets go of what was asked
            return object.__getattribute__(self, name)


def later(value: T, ask: Callable[[T], Mapping[str, Any]], *names: str) -> T:
    """Empty attributes of a value that nobody has seen yet; ``ask(value)`` says them.

    What it answers must be the same whenever it is asked, and in any thread.
    """
    for name in names:
        object.__delattr__(value, name)
    object.__setattr__(value, "_ask", ask)
    return value


def _nothing(_: Any) -> dict[str, Any]:
    """Stand for what was asked, perhaps by another thread at the same time."""
    return {}
