"""Every layer of the viewer, on a scene that shows it."""

from pathlib import Path

from pictures.entry import LegendEntry
from sim import scenes
from viewer import picture

SHOWN = {  # layer: scene, frame, what it shows
    "distance": ("fig7", 25, "the least distance as a dimension line"),
    "distance_near": ("fig7", 52, "the same, too short to be seen"),
    "elements": ("face_on_face", 56, "vertices on a face, and edges on edges"),
    "depth": ("pass_through", 45, "how deep a ball is in a plate, and which way out"),
    "cover": ("reach", 50, "an arm with a waist, its lids, the surface below"),
    "path": ("fig6", 64, "six pairs of parts that a search tried"),
    "forces": ("vault", 119, "what stones of a vault do to each other, by a law"),
    "regions": ("arch", 32, "all contacts of an arch on a table, each its number"),
}


def layers_of(name: str) -> tuple[str, ...]:
    """Say which layers a picture switches on."""
    layer = name.split("_")[0]
    return () if layer == "regions" else (layer,)


def draw(name: str, path: Path, look: str = "light") -> None:
    """Draw one layer."""
    scene, index, _ = SHOWN[name]
    *_, before, frame = scenes.load(scene).run(index + 1)
    picture(frame, path, theme=look, layers=layers_of(name), before=before)


def _code(name: str) -> str:
    scene, index, _ = SHOWN[name]
    layers = f", layers={layers_of(name)}" if layers_of(name) else ""
    return f'picture(frame, "layer_{name}.png"{layers}), frame {index} of scene {scene}'


ENTRIES = {
    f"layer_{name}.png": LegendEntry(
        shows, _code(name), lambda path, name=name: draw(name, path)
    )
    for name, (_, _, shows) in SHOWN.items()
}
