"""Start the command line, and say who took the place of its packages."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("sim", "viewer")  # common names, which others give their folders, too


def main() -> int:
    """Run ``wingedge`` and return its exit code; see ``viewer.cli.main``."""
    try:
        start = import_module("viewer.cli").main
    except ImportError:
        for name in PACKAGES:
            if where := stranger(name):
                print(
                    f"wingedge: Python found another {name!r} at {where} before its "
                    "own; rename that, or take the folder it is in off PYTHONPATH",
                    file=sys.stderr,
                )
                return 2
        raise
    return int(start())


def stranger(name: str) -> str:
    """Return where a package of this name lies, if it is not beside this one; or ''."""
    spec = find_spec(name)
    if spec is None:
        return ""
    places = [*(spec.submodule_search_locations or ()), spec.origin or ""]
    own = Path(__file__).resolve().parents[1] / name
    return "" if own in (Path(place).resolve() for place in places) else places[0]
