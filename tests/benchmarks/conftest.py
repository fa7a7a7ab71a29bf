"""Stories and queries lie beside the benchmarks, in the checkout: not installed."""

import importlib.util
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def _register(name):
    if name in sys.modules:
        return
    folder = BENCHMARKS / name
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


_register("paper_experiments")
_register("queries")
_register("rooms")
_register("stories")
