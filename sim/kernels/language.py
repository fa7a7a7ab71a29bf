"""The kernel language: annotations that name buffers, records, and the registry.

A kernel is a plain function of floats, ints and flat buffers.  The annotations
are its whole signature, so an engine needs nothing else to translate it.

A record is numbers with names in one memory: interpreted a ``ctypes.Structure``;
compiled kernels get its address and know the offset of every field.  It holds no
pointers, so it can be copied and pickled, and many records side by side are a table.
"""

import ctypes
import struct
from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import Any, ClassVar, Protocol, TypeVar, get_type_hints


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


def kernel(function: _Kernel) -> _Kernel:
    """Register a kernel and return it unchanged."""
    KERNELS[function] = function
    return function


def stands_for(source: Callable[..., object]) -> Callable[[_Kernel], _Kernel]:
    """Register the interpreted stand-in of a kernel: other means, the same bits."""

    def register(function: _Kernel) -> _Kernel:
        KERNELS[function] = source
        return function

    return register


class Later:
    """A module that is imported when it is first used; without a name all wings.

    What stands for a kernel needs numpy; a build reads the kernels without it.
    """

    find: ClassVar[Callable[[str], Any]]  # a kernel of a wing; the engine says how

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, what: str) -> Any:
        own = self._name
        value = getattr(import_module(own), what) if own else Later.find(what)
        setattr(self, what, value)  # asked for once
        return value


_Record = TypeVar("_Record")

AXES = "xyz"
FORMATS: dict[Any, str] = {ctypes.c_double: "d", ctypes.c_int64: "q"}


class Record(ctypes.Structure):
    """What every record can do; fields are added by ``record``."""

    layout: ClassVar[dict[str, tuple[int, Any]]]
    """Of every field its offset in bytes, and its annotation."""

    numbers: ClassVar[struct.Struct]
    """Unpacks all numbers of a record at once, in order."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bytes, not the views that were made of them."""
        return type(self).from_buffer_copy, (bytes(self),)


def record(described: type[_Record]) -> type[_Record]:
    """Make a record of a class that only annotates its fields; a decorator.

    A field is a ``float`` or an ``int`` (8 bytes each), a ``Vec``, or another record.
    A vector is read and written as a tuple; of a record a view is made once.

    Raises TypeError if a field has another type, naming it.
    """
    found = get_type_hints(described)
    hints = {name: found[name] for name in found if name not in Record.__annotations__}
    fields: list[tuple[str, Any]] = []
    members: dict[str, Any] = {}
    for name, hint in hints.items():
        if hint is float:
            fields.append((name, ctypes.c_double))
        elif hint is int:
            fields.append((name, ctypes.c_int64))
        elif hint == Vec:
            fields += [(f"{name}_{axis}", ctypes.c_double) for axis in AXES]
            members[name] = _vector(name)
        elif isinstance(hint, type) and issubclass(hint, Record):
            fields.append((f"_{name}", hint))
            members[name] = _View(name, hint)
        else:
            raise TypeError(f"field '{name}' of {described.__name__} is {hint!r}")
    members |= {"__doc__": described.__doc__, "__module__": described.__module__}
    members |= {"__qualname__": described.__qualname__, "_fields_": fields}
    kind: Any = type(Record)
    made = kind(described.__name__, (Record,), members)
    made.layout = {
        name: (getattr(made, _first(name, hint)).offset, hint)
        for name, hint in hints.items()
    }
    made.numbers = struct.Struct("=" + _format_of(made))
    return made  # type: ignore[no-any-return]


def _format_of(kind: Any) -> str:
    """Return the numbers of a record, or of one of its fields, in order."""
    if kind in FORMATS:
        return FORMATS[kind]
    return "".join(_format_of(field) for _, field in kind._fields_)


def _first(name: str, hint: Any) -> str:
    """Return the name that ctypes knows the first number of a field by."""
    if hint in (float, int):
        return name
    return f"{name}_x" if hint == Vec else f"_{name}"


def _vector(name: str) -> property:
    """Read and write three numbers as one tuple."""
    x, y, z = (f"{name}_{axis}" for axis in AXES)

    def write(self: Any, value: Vec) -> None:
        self.x, self.y, self.z = value

    # as if it were written out for these names: twice as fast as ``setattr``
    write.__code__ = write.__code__.replace(co_names=(x, y, z))
    return property(attrgetter(x, y, z), write)


class _View:
    """A part of a record, looked up once and then kept by the record."""

    def __init__(self, name: str, kind: Any) -> None:
        self.name = name
        self.kind = kind

    def __get__(self, owner: Any, _: Any = None) -> Any:
        if owner is None:
            return self
        field = getattr(type(owner), f"_{self.name}")
        view = self.kind.from_buffer(owner, field.offset)
        owner.__dict__[self.name] = view
        return view
