"""The kernel language: annotations that name buffers, and the registry.

A kernel is a plain function of floats, ints and flat buffers.  The annotations
are its whole signature, so an engine needs nothing else to translate it.
"""

import sys
from collections.abc import Callable
from importlib.util import decode_source
from typing import Protocol, TypeVar


class Floats(Protocol):
    """A flat float64 buffer: a one-dimensional memoryview when interpreted."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class Ints(Protocol):
    """A flat int32 buffer: a one-dimensional memoryview when interpreted."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


Vec = tuple[float, float, float]

_Kernel = TypeVar("_Kernel", bound=Callable[..., object])

KERNELS: dict[Callable[..., object], Callable[..., object]] = {}
"""Every kernel in order of definition, each with its source: mostly itself."""

SOURCES: dict[str, str | None] = {}
"""The text of every module with kernels, as it was imported; None if unknown."""


def kernel(function: _Kernel) -> _Kernel:
    """Register a kernel and return it unchanged."""
    KERNELS[function] = function
    _note_source(function.__module__)
    return function


def stands_for(source: Callable[..., object]) -> Callable[[_Kernel], _Kernel]:
    """Register the interpreted stand-in of a kernel: other means, the same bits."""

    def register(function: _Kernel) -> _Kernel:
        KERNELS[function] = source
        _note_source(function.__module__)
        return function

    return register


def _note_source(module: str) -> None:
    """Keep the text now: the file may be edited while the program runs."""
    if module in SOURCES:
        return
    SOURCES[module] = None
    spec = sys.modules[module].__spec__
    if spec is None or spec.loader is None:
        return
    read = getattr(spec.loader, "get_source", None)
    if read is not None:
        SOURCES[module] = read(module)
    elif spec.has_location and spec.origin is not None:
        # pytest loads a distribution with a plugin itself, and knows no get_source
        with open(spec.origin, "rb") as file:
            SOURCES[module] = decode_source(file.read())
