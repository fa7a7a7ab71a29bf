"""Find by name what the core needs and must not import; packages say where it is."""

from importlib import import_module
from typing import Any

HOMES: dict[str, str] = {}  # the module of every name, filled by the packages
KERNELS: list[str] = []  # names of entries that are compiled beside those of the core


def find(name: str) -> Any:
    """Return what goes by a name, importing its module when it is first asked for."""
    return getattr(import_module(HOMES[name]), name)


def register(names: dict[str, str]) -> None:
    """Say in which modules names live, several of a module parted by blanks."""
    HOMES.update(
        (name, home) for home, known in names.items() for name in known.split()
    )
