"""The kernel language: annotations that name buffers, and the registry.

A kernel is a plain function of floats, ints and flat buffers.  The annotations
are its whole signature, so an engine needs nothing else to translate it.
"""

from collections.abc import Callable
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

KERNELS: list[Callable[..., object]] = []
"""Every kernel in order of definition: what an engine has to provide."""


def kernel(function: _Kernel) -> _Kernel:
    """Register a kernel and return it unchanged."""
    KERNELS.append(function)
    return function
