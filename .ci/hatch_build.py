"""Build the wheel: with the kernels linked for one platform, or without.

``WINGEDGE_BUILD`` names another platform than this one (``sim.engine.link.TARGETS``),
or ``python`` for a wheel that interprets the kernels and runs everywhere.  Where the
kernels cannot be linked the wheel is one of these, too: ``wingedge doctor`` and the
first frame say so.
"""

import os
import platform
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Platforms, and versions of Python, on which linking was tried: others interpret.
TRIED = {("linux", "x86_64")}
PYTHONS = ((3, 11), (3, 14))
NEEDS = ["llvmlite>=0.50,<0.51", "ziglang>=0.17,<0.18"]  # what was tried
VARIABLE = "WINGEDGE_BUILD"


def is_interpreted() -> bool:
    """Say whether the wheel comes without machine code."""
    asked = os.environ.get(VARIABLE, "")
    here = (sys.platform, platform.machine()) in TRIED
    version = PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]
    return asked == "python" or not (here and version)


class KernelLibrary(BuildHookInterface[Any]):
    """Link the kernels before the wheel is packed."""

    def dependencies(self) -> list[str]:
        """Return what linking needs: nothing where nothing is linked."""
        return [] if is_interpreted() else NEEDS

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Link, and name the wheel after its platform."""
        if is_interpreted():
            return
        sys.path.insert(0, self.root)
        try:
            from sim.engine.library import FILES, this_machine
            from sim.engine.link import TARGETS, link

            name = os.environ.get(VARIABLE) or this_machine()
            folder = Path(self.root, "sim", "engine")
            if version != "editable":
                folder = Path(self.directory)
                folder.mkdir(parents=True, exist_ok=True)
            made = link(name, folder / FILES.get(name, "kernels"))
        except (ImportError, OSError, RuntimeError) as error:
            self.app.display_warning(f"wingedge: kernels will be interpreted: {error}")
            return
        finally:
            sys.path.remove(self.root)
        if version == "editable":
            return  # it lies where it is looked for
        build_data["force_include"][str(made)] = f"sim/engine/{made.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{TARGETS[name].tag}"
