"""Find by name what the core needs and must not import; packages say where it is."""

import sys
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

from wingedge import withdrawn

HOMES: dict[str, str] = {}  # the module of every name, filled by the packages
KERNELS: list[str] = []  # names of entries that are compiled beside those of the core


def find(name: str) -> Any:
    """Return what goes by a name, importing its module when it is first asked for."""
    return getattr(import_module(HOMES[name]), name)


def export(
    package: str, public: Collection[str], names: dict[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package that imports when asked.

    ``names`` says in which modules names live, several of a module parted by blanks;
    what is public and has no home is a module of the package itself (PEP 562).
    """
    HOMES.update((name, home) for home in names for name in names[home].split())

    def get(name: str) -> Any:
        if name not in public:
            gone = withdrawn.sentence(f"{package}.{name}")
            what = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(gone or what, name=name)
        own = name not in HOMES
        value = import_module(f"{package}.{name}") if own else find(name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted({*vars(sys.modules[package]), *public})
