"""Find by name what the core needs and must not import: ``sim`` says where it lives."""

from importlib import import_module
from typing import Any

HOMES: dict[str, str] = {}  # the module of every name, filled by ``sim``
KERNELS: list[str] = []  # names of entries that are compiled beside those of the core


def find(name: str) -> Any:
    """Return what goes by a name, importing its module when it is first asked for."""
    return getattr(import_module(HOMES[name]), name)
