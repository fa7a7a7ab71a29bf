"""A frame of a scene each: the demo, scenes of a law, figures of Yokoyama, layers."""

from functools import partial
from pathlib import Path

from pictures import LegendEntry
from sim import Body, Pose, World, scenes
from viewer import picture
from wingedge import WingedEdgeMesh, shapes

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
SHOWN = {  # layer: scene, frame, what it shows
    "distance": ("fig7", 25, "the least distance as a dimension line"),
    "distance_near": ("fig7", 52, "the same, too short to be seen"),
    "distance_deep": ("pass_through", 45, "how deep a ball is in a plate"),
    "path": ("fig6", 64, "six pairs of parts that a search tried"),
    "regions": ("arch", 32, "all contacts of an arch on a table, each its number"),
}


def draw(
    scene: str, index: int, size: tuple[int, int], layers: tuple[str, ...], path: Path
) -> None:
    """Draw one frame of a scene."""
    *_, before, frame = scenes.load(scene).run(index + 1)
    picture(frame, path, size=size, layers=layers, before=before if layers else None)


def entry(
    scene: str, index: int, size: tuple[int, int], layer: str, shows: str
) -> LegendEntry:
    """Describe the picture of one frame."""
    layers = (layer,) if layer not in ("", "regions") else ()
    code = f"picture(frame, size={size}, layers={layers}), frame {index} of {scene}"
    return LegendEntry(shows, code, partial(draw, scene, index, size, layers))


def draw_parts(path: Path) -> None:
    """Draw a foot that rolls from its heel, with all parts in their tints."""
    ball, ground = shapes.icosphere(2), shapes.box((6.0, 3.0, 0.5))
    faces = [ball.face_vertices(f) for f in range(ball.n_faces)]
    mesh = WingedEdgeMesh.from_faces(ball.points * (1.6, 0.6, 0.45), faces)
    along = mesh.points[mesh.fan.vertex].mean(axis=1)[:, 0]
    parts = {"heel": along < -0.4, "toe": along > 0.4}
    foot = Body(mesh, name="foot", parts=parts, pose=Pose.rigid((0, -3, 0, 10)))
    low = float(foot.world_points()[:, 2].min())
    foot.pose = Pose(foot.pose.linear, (0.0, 0.0, 0.25 - low))
    floor = Body(ground, name="ground", parts={"top": [1]})
    picture(World([foot, floor]).step(), path, size=LARGE, layers=("parts",))


ENTRIES = {f"{n}.png": entry(n, k, size, "", s) for n, (k, size, s) in FRAMES.items()}
LAYERS = {
    f"layer_{name}.png": entry(scene, k, LARGE, name.split("_")[0], shows)
    for name, (scene, k, shows) in SHOWN.items()
} | {
    "layer_parts.png": LegendEntry(
        "a foot that rolls from heel to toe",
        'Body(mesh, parts={"heel": ..., "toe": ...}), layers=("parts",)',
        draw_parts,
    )
}
