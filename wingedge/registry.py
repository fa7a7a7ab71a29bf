"""Find by name what the core needs and must not import; packages say where it is."""

import sys
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

HOMES: dict[str, str] = {}  # the module of every name, filled by the packages
KERNELS: list[str] = []  # names of entries that are compiled beside those of the core

# Where the names of modules of 0.1 are; goes in 0.3. No public name of wingedge, sim or
# viewer themselves is gone.
MOVED = {
    "sim.deform.freeform": "its names are in sim.deform",
    "sim.deform.linear": "its names are in sim.deform",
    "sim.planar.segments": "its names are in sim.planar.keys",
    "sim.story.bits": "its names are in sim.story.compare",
    "sim.tracking.trace": "its names are in sim.explain.explain",
    "wingedge.primitives.spheres": "its names are in wingedge.primitives.line_sphere",
}


class Moved:
    """The last that is asked for a module: where one of 0.1 went."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Say where a module went; nothing of those that never were."""
        if name in MOVED:
            said = f"{name} is gone since 0.2; {MOVED[name]}"
            raise ModuleNotFoundError(said, name=name)


sys.meta_path.append(Moved)


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
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        own = name not in HOMES
        value = import_module(f"{package}.{name}") if own else find(name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted({*vars(sys.modules[package]), *public})
