"""Named scenes: the same worlds for tests, examples, benchmarks and the demo.

``scenes.load(name)`` builds a fresh world, ``scenes.length(name)`` says how many frames
its story takes. No clock, no chance: all positions come from + - * / and square roots
alone, so a scene has the same bits on every machine.
"""

from collections.abc import Callable
from typing import NamedTuple

from sim.scenes.figures import (
    fig3_edge_edge,
    fig3_face_vertex,
    fig4,
    fig5,
    fig6,
    fig7,
)
from sim.scenes.rigid import (
    arch,
    brink,
    edge_on_edge,
    face_on_face,
    hail,
    knead,
    pass_through,
    reach,
    rock,
    roll,
    seesaw,
    slide,
    spin,
    teleport,
    thread,
    tip,
    top,
)
from sim.scenes.soft import (
    bend,
    collapse,
    demo,
    dent,
    far,
    hinge,
    hop,
    huge,
    invert,
    press,
    tiny,
    wring,
)
from sim.world import World

__all__ = ["length", "load", "names"]


class Scene(NamedTuple):
    """How to build a world, and how many frames its story takes."""

    build: Callable[[], World]
    length: int


def names() -> tuple[str, ...]:
    """List the scenes, the demo first."""
    return tuple(SCENES)


def load(name: str) -> World:
    """Build a scene, at its first frame.

    Raises ValueError if there is no such scene.
    """
    world = _scene(name).build()
    world.notes["scene"] = name
    return world


def length(name: str) -> int:
    """Say how many frames the story of a scene takes, at its ``dt``.

    Raises ValueError if there is no such scene.
    """
    return _scene(name).length


SCENES = {
    "demo": Scene(demo, 160),
    "press": Scene(press, 100),
    "slide": Scene(slide, 115),
    "tip": Scene(tip, 100),
    "spin": Scene(spin, 140),
    "face_on_face": Scene(face_on_face, 100),
    "edge_on_edge": Scene(edge_on_edge, 120),
    "pass_through": Scene(pass_through, 100),
    "arch": Scene(arch, 80),
    "knead": Scene(knead, 60),
    "wring": Scene(wring, 110),
    "dent": Scene(dent, 100),
    "bend": Scene(bend, 112),
    "hop": Scene(hop, 100),
    "hinge": Scene(hinge, 110),
    "roll": Scene(roll, 120),
    "top": Scene(top, 125),
    "seesaw": Scene(seesaw, 130),
    "thread": Scene(thread, 110),
    "teleport": Scene(teleport, 60),
    "invert": Scene(invert, 120),
    "collapse": Scene(collapse, 130),
    "tiny": Scene(tiny, 90),
    "huge": Scene(huge, 95),
    "far": Scene(far, 90),
    "hail": Scene(hail, 80),
    "rock": Scene(rock, 105),
    "reach": Scene(reach, 100),
    "brink": Scene(brink, 100),
    "fig3_face_vertex": Scene(fig3_face_vertex, 75),
    "fig3_edge_edge": Scene(fig3_edge_edge, 75),
    "fig4": Scene(fig4, 155),
    "fig5": Scene(fig5, 160),
    "fig6": Scene(fig6, 100),
    "fig7": Scene(fig7, 125),
}


def _scene(name: str) -> Scene:
    if name not in SCENES:
        raise ValueError(f"there is no scene {name!r}; there are {', '.join(SCENES)}")
    return SCENES[name]
