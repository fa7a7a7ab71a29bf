"""Values that know the call that made them: they print and pickle by it.

A motion such as ``press(start, end)`` is a function inside a function, which Python can
neither print nor send to another process. The call that made it can be: so a `Call` is
kept beside it, and made again where the value arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

Given = ParamSpec("Given")
Made = TypeVar("Made")
Wrapped = TypeVar("Wrapped")
Value = TypeVar("Value")


class Call(partial[Any]):
    """A public function and what it was called with."""

    def again(self) -> Any:
        """Make the value once more."""
        return self()

    def __repr__(self) -> str:
        arguments = [*map(_shown, self.args)]
        arguments += [f"{key}={_shown(value)}" for key, value in self.keywords.items()]
        return f"{self.func.__name__}({', '.join(arguments)})"


def by_call(
    wrap: Callable[[Made, Call], Wrapped],
) -> Callable[[Callable[Given, Made]], Callable[Given, Wrapped]]:
    """Decorate a public function that makes a value, so that this knows its call.

    Parameters: ``wrap``: makes of a value and its call one that knows both.
    """

    def decorated(maker: Callable[Given, Made]) -> Callable[Given, Wrapped]:
        @wraps(maker)
        def make(*values: Given.args, **options: Given.kwargs) -> Wrapped:
            kept = {name: _kept(value) for name, value in options.items()}
            known = Call(make, *map(_kept, values), **kept)
            return wrap(maker(*values, **options), known)

        return make

    return decorated


class OverTime(Generic[Value]):
    """A function of time, ``f(t)``, that knows the call that made it."""

    __slots__ = ("_call", "_function")
    shows_its_call = True

    def __init__(self, function: Callable[[float], Value], call: Call) -> None:
        self._function = function
        self._call = call

    def __call__(self, t: float) -> Value:
        """Return the value at time ``t``."""
        return self._function(t)

    def __repr__(self) -> str:
        return repr(self._call)

    def __reduce__(self) -> tuple[Any, ...]:
        return Call.again, (self._call,)


def named(function: object) -> str:
    """Name a function, a closure by what made it: ``ramp`` rather than ``value``."""
    if getattr(function, "shows_its_call", False):
        return repr(function)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    made_by = name.partition(".<locals>")[0]
    return name.rpartition(".")[2] if name.endswith("<lambda>") else made_by


def _shown(value: object) -> str:
    if callable(value):
        return named(value)
    if isinstance(value, np.ndarray):
        if value.shape == (3,):
            return repr(tuple(value.tolist()))
        return f"<array {' x '.join(map(str, value.shape))}>"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(value)


def _kept(value: object) -> object:
    """Copy what its owner may still write into."""
    if isinstance(value, np.ndarray):
        return value.copy() if value.flags.writeable else value
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(map(_kept, value))
    return value
