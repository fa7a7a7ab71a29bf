"""Values that know the call that made them: they print, compare and pickle by it.

A motion such as ``press(start, end)`` is a function inside a function, which Python can
neither print, compare nor send to another process. The call that made it can be: so a
`Call` is kept beside it, and made again where the value arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

Given = ParamSpec("Given")
Made = TypeVar("Made")
Wrapped = TypeVar("Wrapped")
Value = TypeVar("Value")


class Call:
    """A public function and what it was called with, copied where it may change."""

    __slots__ = ("maker", "options", "values")

    def __init__(
        self,
        maker: Callable[..., Any],
        values: tuple[object, ...],
        options: dict[str, object],
    ) -> None:
        self.maker = maker
        self.values = tuple(map(_kept, values))
        self.options = {name: _kept(value) for name, value in options.items()}

    def again(self) -> Any:
        """Make the value once more."""
        return self.maker(*self.values, **self.options)

    def __repr__(self) -> str:
        """Write the call down."""
        return as_called(self.maker.__name__, *self.values, **self.options)

    def __eq__(self, other: object) -> bool:
        """Say whether it is the same call, number by number."""
        if not isinstance(other, Call):
            return NotImplemented
        return self.maker is other.maker and _same(
            (self.values, self.options), (other.values, other.options)
        )

    def __hash__(self) -> int:
        """Tell calls of different functions apart; what is given may be an array."""
        return hash((self.maker.__module__, self.maker.__qualname__))


def by_call(
    wrap: Callable[[Made, Call], Wrapped],
) -> Callable[[Callable[Given, Made]], Callable[Given, Wrapped]]:
    """Decorate a public function that makes a value, so that this knows its call.

    Parameters: ``wrap``: makes of a value and its call one that knows both.
    """

    def decorated(maker: Callable[Given, Made]) -> Callable[Given, Wrapped]:
        @wraps(maker)
        def make(*values: Given.args, **options: Given.kwargs) -> Wrapped:
            return wrap(maker(*values, **options), Call(make, values, options))

        return make

    return decorated


class OverTime(Generic[Value]):
    """A function of time, ``f(t)``, that knows the call that made it."""

    __slots__ = ("_call", "_function")

    def __init__(self, function: Callable[[float], Value], call: Call) -> None:
        self._function = function
        self._call = call

    def __call__(self, t: float) -> Value:
        """Return the value at time ``t``."""
        return self._function(t)

    def __repr__(self) -> str:
        """Say how it was made."""
        return repr(self._call)

    def __eq__(self, other: object) -> bool:
        """Say whether it was made in the same way."""
        return isinstance(other, OverTime) and self._call == other._call

    def __hash__(self) -> int:
        """Agree where ``==`` does."""
        return hash(self._call)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the call."""
        return Call.again, (self._call,)


def as_called(name: str, *values: object, **options: object) -> str:
    """Write a call down, without the options that are None or the origin."""
    told = [_shown(value) for value in values]
    told += [
        f"{key}={_shown(value)}"
        for key, value in options.items()
        if value is not None and not _same(value, (0.0, 0.0, 0.0))
    ]
    return f"{name}({', '.join(told)})"


def named(function: object) -> str:
    """Name a function, a closure by what made it: ``ramp`` rather than ``value``."""
    if isinstance(function, OverTime):
        return repr(function)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    made_by = name.partition(".<locals>")[0]
    return name.rpartition(".")[2] if name.endswith("<lambda>") else made_by


def _shown(value: object) -> str:
    if getattr(value, "shows_its_call", False):
        return repr(value)
    if callable(value):
        return named(value)
    if isinstance(value, np.ndarray):
        if value.shape == (3,):
            return repr(tuple(value.tolist()))
        if value.ndim == 1:
            return f"<{len(value)} numbers>"
        return f"<{' x '.join(map(str, value.shape))}>"
    if isinstance(value, list):
        if any(isinstance(one, np.ndarray) for one in value):
            return f"<{len(value)} shapes>"
        return f"[{', '.join(_shown(one) for one in value)}]"
    return repr(value)


def _kept(value: object) -> object:
    """Copy what its owner may still write into."""
    if isinstance(value, np.ndarray):
        return value.copy() if value.flags.writeable else value
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(map(_kept, value))
    return value


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(one, other)
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    return bool(one == other)
