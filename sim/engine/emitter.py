"""The text of one function in LLVM IR, and annotations as machine types.

Variables are memory cells in the first block, zero until they are written to; LLVM
turns them into registers.

A type is one of the names "float", "int", "bool", "floats", "ints"; a tuple of types,
one value that LLVM takes apart; a table, the ``NamedTuple`` class itself; many tables
of one kind; a record, its class; or None where nothing is returned.  A table is a
pointer to one 64-bit cell per field: an address, an int or the bits of a float; many
tables are a pointer to their addresses.  A record is a pointer to its memory.
"""

import ast
import typing
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

from sim.kernels.language import Floats, Ints, Record

Type = Any  # str | tuple[Type, ...] | type | None: see above


class Many:
    """The type ``tuple[Table, ...]``: as many tables of one kind as there are."""

    def __init__(self, kind: Type) -> None:
        self.kind = kind


NAMED: dict[Any, Type] = {
    float: "float",
    int: "int",
    bool: "bool",
    Floats: "floats",
    Ints: "ints",
    type(None): None,
    None: None,
}
ABI = {"float": "double", "int": "i64", "bool": "i1", None: "void"}
ELEMENT = {"floats": "double", "ints": "i32"}


def type_of(annotation: Any) -> Type:
    """Return the machine type of an annotation; ``TypeError`` if it has none."""
    if annotation in NAMED:
        return NAMED[annotation]
    if typing.get_origin(annotation) is tuple:
        parts = typing.get_args(annotation)
        if parts[-1] is Ellipsis:
            return Many(type_of(parts[0]))
        return tuple(map(type_of, parts))
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
    """Return the LLVM type of a value, or of no result."""
    if isinstance(kind, tuple):
        return f"{{{', '.join(map(abi, kind))}}}"
    return ABI.get(kind, "ptr") if isinstance(kind, str | None) else "ptr"


# Numbers in a record, with what else may lie at the same address: nothing.
STORED = {"float": "double, ptr {}, !tbaa !1", "int": "i64, ptr {}, !tbaa !6"}


class Value(NamedTuple):
    """A typed operand."""

    type: Type
    ref: str = ""


class Signature(NamedTuple):
    """What a call of a translated kernel needs to know."""

    name: str
    arguments: tuple[Type, ...]
    result: Type
    wide: bool = False  # whether there is a second one, of the same bits, for AVX2


class RefusedKernel(ValueError):
    """A kernel uses something outside the subset; the message says where."""


class Emitter:
    """Write one function, block by block.

    Parameters: ``function``: as it was imported: its globals give names their meaning;
    ``callee``: gives the signature of another kernel, or None if it is none.
    """

    def __init__(
        self, function: FunctionType, callee: Callable[[object], Signature | None]
    ) -> None:
        self.function = function
        self.callee = callee
        self.head: list[str] = []  # allocations, all in the first block
        self.body: list[str] = []
        self.variables: dict[str, Value] = {}
        self.counter = 0
        self.open = True  # the current block has no end yet

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Raise for a construct that is not in the subset."""
        raise RefusedKernel(
            f"{self.function.__code__.co_filename}:{getattr(node, 'lineno', 0)}: "
            f"kernel {self.function.__name__}: {why}"
        )

    # --- blocks and values -----------------------------------------------------------

    def emit(self, text: str) -> None:
        """Add one instruction."""
        self.body.append(f"  {text}")

    def value(self, kind: Type, text: str) -> Value:
        """Add one instruction and name its result."""
        self.counter += 1
        self.emit(f"%v{self.counter} = {text}")
        return Value(kind, f"%v{self.counter}")

    def labels(self, *names: str) -> list[str]:
        """Return fresh labels."""
        self.counter += 1
        return [f"{name}{self.counter}" for name in names]

    def start(self, label: str) -> None:
        """Begin a block; one that is still open runs into it."""
        self.jump(label)
        self.body.append(f"{label}:")
        self.open = True

    def jump(self, label: str) -> None:
        """End the current block."""
        if self.open:
            self.emit(f"br label %{label}")
            self.open = False

    def branch(self, condition: Value, yes: str, no: str) -> None:
        """End the current block by a condition."""
        self.emit(f"br i1 {condition.ref}, label %{yes}, label %{no}")
        self.open = False

    def room(self, kind: Type) -> Value:
        """Return a variable; zero until it is written to."""
        self.counter += 1
        name = f"%r{self.counter}"
        self.head.append(f"  {name} = alloca {abi(kind)}")
        self.head.append(f"  store {abi(kind)} zeroinitializer, ptr {name}")
        return Value(kind, name)

    def write(self, variable: Value, value: Value) -> None:
        """Store a value of the same type in a variable."""
        self.emit(f"store {abi(value.type)} {value.ref}, ptr {variable.ref}")

    def read(self, variable: Value) -> Value:
        """Load a variable."""
        text = f"load {abi(variable.type)}, ptr {variable.ref}"
        return self.value(variable.type, text)

    def joined(self, parts: Iterable[Value]) -> Value:
        """Return a tuple of values."""
        parts = tuple(parts)
        kind, whole = tuple(part.type for part in parts), "poison"
        for k, part in enumerate(parts):
            what = f"{abi(kind)} {whole}, {abi(part.type)} {part.ref}, {k}"
            whole = self.value(None, f"insertvalue {what}").ref
        return Value(kind, whole)

    def part(self, whole: Value, k: int) -> Value:
        """Return a part of a tuple."""
        text = f"extractvalue {abi(whole.type)} {whole.ref}, {k}"
        return self.value(whole.type[k], text)

    # --- the memory of a record ------------------------------------------------------

    def load(self, kind: Type, record: str, offset: int) -> Value:
        """Read a field; a record in a record is a place in it."""
        if isinstance(kind, tuple):
            at = enumerate(kind)
            return self.joined(self.load(t, record, offset + 8 * k) for k, t in at)
        place = self.at(record, offset)
        if kind not in STORED:
            return Value(kind, place)
        return self.value(kind, f"load {STORED[kind].format(place)}")

    def store(self, kind: Type, record: str, offset: int, value: Value) -> None:
        """Write a number or a tuple of them into a field."""
        if isinstance(kind, tuple):
            for k, part in enumerate(kind):
                self.store(part, record, offset + 8 * k, self.part(value, k))
            return
        what, where = STORED[kind].format(self.at(record, offset)).split(", ", 1)
        self.emit(f"store {what} {value.ref}, {where}")

    def at(self, record: str, offset: int) -> str:
        """Return the address of a field."""
        what = f"getelementptr inbounds i8, ptr {record}, i64 {offset}"
        return self.value(None, what).ref
