"""Named scenes: the same worlds for tests, examples, benchmarks and the demo.

``scenes.load(name)`` builds a fresh world, ``scenes.length(name)`` says how many frames
its story takes. No clock, no chance: all positions come from + - * / and square roots
alone, so a scene has the same bits on every machine.
"""

from collections.abc import Callable
from typing import NamedTuple

from sim.scenes import dynamic, figures, rigid, soft
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
    "demo": Scene(soft.demo, 160),
    "press": Scene(soft.press, 100),
    "slide": Scene(rigid.slide, 115),
    "tip": Scene(rigid.tip, 100),
    "spin": Scene(rigid.spin, 140),
    "face_on_face": Scene(rigid.face_on_face, 100),
    "edge_on_edge": Scene(rigid.edge_on_edge, 120),
    "pass_through": Scene(rigid.pass_through, 100),
    "arch": Scene(rigid.arch, 80),
    "knead": Scene(rigid.knead, 60),
    "wring": Scene(soft.wring, 110),
    "dent": Scene(soft.dent, 100),
    "bend": Scene(soft.bend, 112),
    "hop": Scene(soft.hop, 100),
    "hinge": Scene(soft.hinge, 110),
    "roll": Scene(rigid.roll, 120),
    "top": Scene(rigid.top, 125),
    "seesaw": Scene(rigid.seesaw, 130),
    "thread": Scene(rigid.thread, 110),
    "teleport": Scene(rigid.teleport, 60),
    "invert": Scene(soft.invert, 120),
    "collapse": Scene(soft.collapse, 130),
    "tiny": Scene(soft.tiny, 90),
    "huge": Scene(soft.huge, 95),
    "far": Scene(soft.far, 90),
    "hail": Scene(rigid.hail, 80),
    "rock": Scene(rigid.rock, 105),
    "reach": Scene(rigid.reach, 100),
    "brink": Scene(rigid.brink, 100),
    "bounce": Scene(dynamic.bounce, 145),
    "squeeze": Scene(dynamic.squeeze, 90),
    "bullet": Scene(dynamic.bullet, 60),
    "stack": Scene(dynamic.stack, 60),
    "dominoes": Scene(dynamic.dominoes, 60),
    "vault": Scene(dynamic.vault, 60),
    "dzhanibekov": Scene(dynamic.dzhanibekov, 96),
    "fig3_face_vertex": Scene(figures.fig3_face_vertex, 75),
    "fig3_edge_edge": Scene(figures.fig3_edge_edge, 75),
    "fig4": Scene(figures.fig4, 155),
    "fig5": Scene(figures.fig5, 160),
    "fig6": Scene(figures.fig6, 100),
    "fig7": Scene(figures.fig7, 125),
}


def _scene(name: str) -> Scene:
    if name not in SCENES:
        raise ValueError(f"there is no scene {name!r}; there are {', '.join(SCENES)}")
    return SCENES[name]
