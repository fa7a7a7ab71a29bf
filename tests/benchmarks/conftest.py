"""The stories lie beside the benchmarks, in the checkout, and are not installed."""

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "stories"

if "stories" not in sys.modules:
    spec = importlib.util.spec_from_file_location(
        "stories", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules["stories"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["stories"])
