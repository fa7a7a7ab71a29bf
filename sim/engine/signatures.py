"""Annotations as machine types: what a kernel's signature says to the compiler.

A type is one of the names "float", "int", "bool", "floats", "ints"; a tuple of types; a
table, the ``NamedTuple`` class itself; a record, its class; or None where nothing is
returned.  A table is a pointer to one 64-bit cell per field: an address, an int or the
bits of a float.  A record is a pointer to its memory.
"""

import typing
from collections.abc import Callable
from typing import Any

from sim.kernels.language import Floats, Ints
from sim.kernels.record import Record

Type = Any  # str | tuple[Type, ...] | type | None: see above

NAMED: dict[Any, Type] = {
    float: "float",
    int: "int",
    bool: "bool",
    Floats: "floats",
    Ints: "ints",
    type(None): None,
    None: None,
}
ABI = {"float": "double", "int": "i64", "bool": "i1"}
ELEMENT = {"floats": "double", "ints": "i32"}


def type_of(annotation: Any) -> Type:
    """Return the machine type of an annotation; ``TypeError`` if it has none."""
    if annotation in NAMED:
        return NAMED[annotation]
    if typing.get_origin(annotation) is tuple:
        return tuple(map(type_of, typing.get_args(annotation)))
    if typing.get_origin(annotation) is typing.Annotated:
        return type_of(typing.get_args(annotation)[0])
    if is_memory(annotation):
        return annotation
    raise TypeError(f"{annotation!r} is no type that a kernel may use")


def types_of(function: Callable[..., object]) -> dict[str, Type]:
    """Return the types of a kernel's arguments by name, and of its "return"."""
    hints = typing.get_type_hints(function)
    return {name: type_of(hint) for name, hint in hints.items()}


def is_table(kind: Type) -> bool:
    """Say whether a type is a ``NamedTuple`` of buffers and numbers."""
    return isinstance(kind, type) and hasattr(kind, "_fields")


def is_record(kind: Type) -> bool:
    """Say whether a type is a record: numbers with names in one memory."""
    return isinstance(kind, type) and issubclass(kind, Record)


def is_memory(kind: Type) -> bool:
    """Say whether an argument is one address: what an entry may be called with."""
    return is_table(kind) or is_record(kind)


def fields_of(table: type) -> dict[str, tuple[int, Type]]:
    """Return the place and the type of every field of a table."""
    hints = typing.get_type_hints(table)
    return {name: (k, type_of(hints[name])) for k, name in enumerate(hints)}


def abi(kind: Type) -> str:
    """Return how one value is passed: by its LLVM type."""
    return ABI.get(kind, "ptr") if isinstance(kind, str) else "ptr"


def leaves(kind: Type) -> list[Type]:
    """Return the plain types that a type consists of, in order."""
    if isinstance(kind, tuple):
        return [leaf for part in kind for leaf in leaves(part)]
    return [] if kind is None else [kind]


def returned(kind: Type) -> str:
    """Return the LLVM type of a result."""
    parts = [abi(leaf) for leaf in leaves(kind)]
    if not parts:
        return "void"
    return parts[0] if len(parts) == 1 else "{" + ", ".join(parts) + "}"
