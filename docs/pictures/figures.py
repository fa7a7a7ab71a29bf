"""Draw the paper's figures 3 to 7, as scenes, for docs/paper.md and docs/articles.md.

    python docs/draw_figures.py [NAME ...]

One frame of each scene, into docs/gallery; needs pyvista and Pillow, no display.
"""

import sys
from pathlib import Path

from PIL import Image

from sim import scenes
from viewer import picture

GALLERY = Path(__file__).with_name("gallery")
SIZE = (600, 440)
FRAMES = {
    "fig3_face_vertex": 40,
    "fig3_edge_edge": 40,
    "fig4": 17,  # on the way from f0 over an edge of it
    "fig5": 28,  # on a face beside the edge
    "fig6": 48,  # in the middle, where the upper ball is squashed most
    "fig7": 25,  # apart
}


def draw(name: str) -> Path:
    """Draw one frame of a scene; few colours keep the file small."""
    world = scenes.load(name)
    *_, frame = world.run(FRAMES[name] + 1)
    path = GALLERY / f"{name}.png"
    # Maximum coverage keeps the few strong colours, which median cut would blend.
    small = Image.fromarray(picture(frame, size=SIZE)).quantize(
        256,
        method=Image.Quantize.MAXCOVERAGE,
        kmeans=4,
        dither=Image.Dither.NONE,
    )
    small.save(path, optimize=True)
    return path


def main(names: list[str]) -> None:
    """Draw these scenes, or all."""
    for name in names or list(FRAMES):
        print(f"{draw(name).name}: {(GALLERY / f'{name}.png').stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
