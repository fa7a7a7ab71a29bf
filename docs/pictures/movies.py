"""Moving pictures, at most 2 MB each."""

from pathlib import Path
from typing import Any

import numpy as np

from pictures.entry import LegendEntry
from pictures.window import box_table_ball, opened
from sim import Pose, scenes
from viewer import movie

MOST = 2_000_000  # bytes
SIZE = (800, 450)


def penetration(path: Path) -> None:
    """Draw the demo: a soft ball meets a table, sinks in, rolls over its edge."""
    frames = list(scenes.load("demo").run(132))[24:]
    movie(frames, path, size=(960, 540), fps=20.0, speed=0.7, quality="fine")


def drag(path: Path) -> None:
    """Move a body in the window, by keys, so that it slides along others."""
    from PIL import Image

    shots: list[Any] = []

    def shot(window: Any, count: int = 1) -> None:
        window.turn()
        image = Image.fromarray(window.image())
        small = image.resize(SIZE, Image.Resampling.LANCZOS)
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
    "demo.webp": LegendEntry(
        "a soft ball meets a table, is squashed, sinks in, rolls over the edge",
        'movie(frames, "demo.webp", speed=0.7), of scene demo',
        penetration,
    ),
    "drag.webp": LegendEntry(
        "a box that is dragged in the window, and slides along table and ball",
        "x, then a drag in the window",
        drag,
    ),
}
