"""Draw every layer of the viewer on a scene that shows it, for docs/viewer.md.

    python docs/draw_layers.py [LAYER ...] [--dark]

One frame of a scene for each layer, into docs/gallery; needs pyvista and Pillow, no
display.
"""

import sys
from pathlib import Path

from PIL import Image

from sim import scenes
from viewer import picture

GALLERY = Path(__file__).with_name("gallery")
SIZE = (1280, 720)
SHOWN = {  # layer: scene, frame
    "neighbours": ("fig6", 40),
    "distance": ("fig7", 25),
    "distance_near": ("fig7", 52),
    "elements": ("face_on_face", 56),
    "depth": ("pass_through", 45),
    "cover": ("reach", 50),
    "path": ("fig6", 64),
    "regions": ("arch", 32),
}


def draw(name: str, look: str, folder: Path) -> Path:
    """Draw one layer; few colours keep the file small."""
    scene, index = SHOWN[name]
    *_, before, frame = scenes.load(scene).run(index + 1)
    layer = name.split("_")[0]
    layers = () if layer == "regions" else (layer,)
    dark = "_dark" if look == "dark" else ""
    path = folder / f"layer_{name}{dark}.png"
    drawn = picture(frame, size=SIZE, theme=look, layers=layers, before=before)
    # Maximum coverage keeps the few strong colours, which median cut would blend.
    small = Image.fromarray(drawn).quantize(
        256,
        method=Image.Quantize.MAXCOVERAGE,
        kmeans=4,
        dither=Image.Dither.NONE,
    )
    small.save(path, optimize=True)
    return path


def main(arguments: list[str]) -> None:
    """Draw these layers, or all."""
    look = "dark" if "--dark" in arguments else "light"
    names = [name for name in arguments if not name.startswith("--")]
    for name in names or list(SHOWN):
        path = draw(name, look, GALLERY)
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
