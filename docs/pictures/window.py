"""The live window itself, drawn into memory: what a person sees and does in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pictures import ROOT, LegendEntry
from sim import Body, Pose, World, scenes
from viewer import movie
from viewer.drawing.camera import project
from viewer.sources import RunningWorld
from viewer.still import save
from viewer.timeline import Timeline
from viewer.window.window import WindowScreen
from wingedge import shapes

SIZE, MOVIE = (1280, 720), (800, 450)
FILLED = 40  # turns after which the plots have all that they show


@contextmanager
def opened(world: World, index: int, look: str = "light") -> Iterator[WindowScreen]:
    """Open a window on a world, paused at a frame."""
    timeline = Timeline(RunningWorld(world), clock=lambda: 0.0)
    while len(timeline.source) <= index:
        timeline.source.extend()
    timeline.pause()
    timeline.seek(index)
    window = WindowScreen(size=SIZE, off_screen=True, theme=look).open(timeline)
    try:
        settle(window)
        yield window
    finally:
        window.close()


def settle(window: WindowScreen) -> None:
    """Let the plots fill up."""
    for _ in range(FILLED):
        window.controls.stale = True
        window.turn()


def box_table_ball() -> World:
    """Build a box 0.1 above a table, and a ball that sinks beside it."""
    box = Body(shapes.box(), name="box", pose=Pose(None, (-1.0, 0.0, 1.1)))
    table = Body(shapes.grid_box((4, 4, 1), (6.0, 6.0, 1.0)), name="table")
    ball = Body(shapes.icosphere(1), name="ball")

    def sink(t: float) -> Pose:
        return Pose.rigid(None, (1.6, 0.0, 2.0 - t))

    return World([box, table, ball], motion={"ball": sink}, dt=0.1)


def click(window: WindowScreen, point: Any) -> None:
    """Click where a point of the world is seen."""
    scene = window.scene
    assert scene.view is not None
    x, y = project(np.asarray(point)[None], scene.view, scene.size)[0]
    mouse = window.plotter.iren.interactor
    mouse.SetEventInformation(round(x), round(y))
    mouse.InvokeEvent("LeftButtonPressEvent")
    mouse.InvokeEvent("LeftButtonReleaseEvent")
    window.turn()


def draw(path: Path, look: str, keys: str = "") -> None:
    """Draw the window with the demo in it, after some keys."""
    with opened(scenes.load("demo"), 104, look) as window:
        for key in keys:
            window.press(key)
        settle(window)
        save(window.image(), path)


def draw_hands(path: Path) -> None:
    """Click a vertex of a body, and twist it."""
    with opened(box_table_ball(), 6) as window:
        assert window.timeline.frame is not None
        body = window.timeline.frame.body("box")
        click(window, body.world_points()[np.argmax(body.points @ (1.0, -1.0, 1.0))])
        window.press("m")
        window.controls.hands.deform(twist=30.0)
        settle(window)
        save(window.image(), path)


def penetration(path: Path) -> None:
    """Draw what the program of the README does."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1]
    exec(text.partition("for frame")[0], names := {})
    movie(list(names["world"].run(90)), path, size=(960, 540), fps=20.0, speed=0.7)


def drag(path: Path) -> None:
    """Move a body in the window, so that it slides along others."""
    from PIL import Image

    shots: list[Any] = []

    def shot(window: Any, count: int = 1) -> None:
        window.turn()
        image = Image.fromarray(window.image())
        small = image.resize(MOVIE, Image.Resampling.LANCZOS)
        shots.extend([small] * count)

    with opened(box_table_ball(), 3) as window:
        window.press("x")
        window.controls.hands.choose("box")
        shot(window, 4)
        hands = window.controls.hands
        for way in ((0.0, 0.0, -0.03), (0.06, 0.0, -0.03), (0.06, 0.05, -0.02)):
            for _ in range(20):
                hands.move_to(Pose(None, np.array(way)) @ hands.body.pose)
                shot(window)
        shot(window, 10)
    first, *rest = shots
    first.save(path, save_all=True, append_images=rest, duration=60, loop=0, quality=70)


ENTRIES = {
    "window_light.png": LegendEntry(
        "the live window: picture, story, plots, slider",
        'watch(scenes.load("demo"))',
        lambda path: draw(path, "light"),
    ),
    "window_dark.png": LegendEntry(
        "the same, dark",
        'watch(scenes.load("demo"), theme="dark")',
        lambda path: draw(path, "dark"),
    ),
    "window_layers.png": LegendEntry(
        "distance and the path of the search: keys d, t",
        'watch(scenes.load("demo"), layers=("distance", "path"))',
        lambda path: draw(path, "dark", "dt"),
    ),
    "window_help.png": LegendEntry(
        "the keys: h", "h in the window", lambda path: draw(path, "light", "h")
    ),
    "window_hands.png": LegendEntry(
        "a clicked vertex, and sliders: m", "a click in the window, and m", draw_hands
    ),
    "demo.webp": LegendEntry(
        "the program of the README: a soft ball turns, sinks into a table, leaves it",
        'movie(world.run(90), "demo.webp", speed=0.7)',
        penetration,
    ),
    "drag.webp": LegendEntry(
        "a box that is dragged in the window, and slides along table and ball",
        "x, then a drag in the window",
        drag,
    ),
}
