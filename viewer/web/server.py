"""Load viser, and keep it quiet."""

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

INSTALL_WEB = "pip install 'wingedge[web]'"


def has_viser() -> bool:
    """Tell whether viser is installed, without loading it."""
    return importlib.util.find_spec("viser") is not None


def require_viser() -> ModuleType:
    """Import viser; ImportError says how to install it."""
    if not has_viser():
        raise ImportError(f"a browser page needs viser; install it: {INSTALL_WEB}")
    return importlib.import_module("viser")


@contextmanager
def quiet() -> Iterator[None]:
    """Keep back what viser prints of its server, in a terminal and in a notebook."""
    import rich  # comes with viser, which prints with it

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
