"""Whether viser is there."""

import importlib
import importlib.util
from types import ModuleType

INSTALL_WEB = "pip install 'wingedge[web]'"


def has_viser() -> bool:
    """Tell whether viser is installed, without loading it."""
    return importlib.util.find_spec("viser") is not None


def require_viser() -> ModuleType:
    """Import viser.

    Raises
    ------
    ImportError
        If it is not installed; says how to install it.
    """
    if not has_viser():
        raise ImportError(f"a browser page needs viser; install it: {INSTALL_WEB}")
    return importlib.import_module("viser")
