"""Scenes: the demo, six of a law, figures 3 to 7 of Yokoyama et al., a frame each."""

from pathlib import Path

from pictures.entry import LegendEntry
from sim import scenes
from viewer import picture

SMALL, LARGE = (600, 440), (1280, 720)
FRAMES = {  # scene: frame, size, what it shows
    "demo": (104, LARGE, "a soft ball rolls over the edge of a table"),
    "bounce": (54, SMALL, "a jelly bounces off the table: a law moves it"),
    "squeeze": (46, SMALL, "a jelly between two plates, pressed by the upper one"),
    "stack": (20, SMALL, "ten boxes that settled on each other"),
    "dominoes": (50, SMALL, "four dominoes fall, each on the next"),
    "vault": (40, SMALL, "five stones between two that stand bear each other"),
    "dzhanibekov": (50, SMALL, "a plate that spins about its middle axis turns over"),
    "fig3_face_vertex": (40, SMALL, "fig. 3: a vertex on a face"),
    "fig3_edge_edge": (40, SMALL, "fig. 3: an edge on an edge"),
    "fig4": (17, SMALL, "fig. 4: on the way from f0 over an edge of it"),
    "fig5": (28, SMALL, "fig. 5: on a face beside the edge"),
    "fig6": (48, SMALL, "fig. 6: the upper ball is squashed most"),
    "fig7": (25, SMALL, "fig. 7: the least distance of bodies that are apart"),
}


def draw(name: str, path: Path) -> None:
    """Draw one frame of a scene."""
    index, size, _ = FRAMES[name]
    *_, frame = scenes.load(name).run(index + 1)
    picture(frame, path, size=size)


ENTRIES = {
    f"{name}.png": LegendEntry(
        shows,
        f'picture(frame, "{name}.png", size={size}), frame {index} of scene {name}',
        lambda path, name=name: draw(name, path),
    )
    for name, (index, size, shows) in FRAMES.items()
}
