"""Named scenes: the same worlds for tests, examples, benchmarks and the demo.

``scenes.load(name)`` builds a fresh world, ``scenes.length(name)`` says how many frames
its story takes. No clock, no chance: all positions come from + - * / and square roots
alone, so a scene has the same bits on every machine.
"""

from sim.scenes import scripted, dynamic, figures  # noqa: F401, I001 (in this order)
from sim.scenes.table import SCENES, Build
from sim.world import World

__all__ = ["length", "load", "names"]


def names() -> tuple[str, ...]:
    """List the scenes, the demo first."""
    return tuple(SCENES)


def load(name: str) -> World:
    """Build a scene, at its first frame; ValueError if there is no such scene."""
    world = _scene(name)[0]()
    world.notes["scene"] = name
    return world


def length(name: str) -> int:
    """Say how many frames its story takes, at its ``dt``; ValueError as `load`."""
    return _scene(name)[1]


def _scene(name: str) -> tuple[Build, int]:
    if name not in SCENES:
        raise ValueError(f"there is no scene {name!r}; there are {', '.join(SCENES)}")
    return SCENES[name]
