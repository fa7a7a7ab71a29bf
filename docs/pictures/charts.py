"""Plots: experiments of docs/paper.md, a bullet and its planes."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pictures import ROOT, LegendEntry
from sim import Body, PairTracker, Pose
from sim.between.moves import world_at
from wingedge import convex_hull, shapes

BENCHMARKS = ROOT / "benchmarks"
SHOWS = {
    "paper_misses.png": "share of wrong frames by step, for six pairs of bodies",
    "paper_rules.png": "share of wrong frames by set of rules, silent and noticed",
    "paper_tuning.png": "share of wrong frames by threshold and search range",
    "paper_examined.png": "elements examined per frame by number of faces",
    "paper_cost.png": "time per frame by number of faces",
}


def plot(path: Path) -> None:
    """Draw one plot from the tables that are committed."""
    if str(BENCHMARKS) not in sys.path:
        sys.path.insert(0, str(BENCHMARKS))
    import paper
    from paper_experiments import plots

    with tempfile.TemporaryDirectory() as folder:
        files = plots.draw(paper.read(paper.RESULTS), Path(folder))
        (wanted,) = [file for file in files if file.name == path.name]
        path.write_bytes(wanted.read_bytes())


ENDS = ((-0.1, 3.4, -0.5), (0.15, -3.4, 0.6))
GREY, RED, BLUE, GREEN = "#888888", "#c0392b", "#2c6fbb", "#2e8b57"


def outline(axes: Any, points: Any, colour: str, **line: Any) -> None:
    """Draw the outline of a body seen along y."""
    from scipy.spatial import ConvexHull

    flat = points[:, [0, 2]]
    ring = flat[ConvexHull(flat).vertices]
    axes.fill(*ring.T, facecolor=colour, alpha=line.pop("fill", 0.12))
    axes.plot(*np.vstack([ring, ring[:1]]).T, color=colour, **line)


def draw_bullet(path: Path) -> None:
    """Draw a bullet on its way through a wall, and the planes that prove the rest."""
    from matplotlib.figure import Figure

    wall = Body(shapes.box((1.0, 3.0, 3.0)), name="wall")
    start, end = (Pose.rigid((0.0, q, 0.0, 1.0), (x, 0.0, z)) for q, x, z in ENDS)
    mesh = convex_hull(shapes.icosphere(1).points * (0.9, 0.4, 0.4))
    bullet = Body(mesh, name="bullet", pose=start)
    passage = PairTracker(wall, bullet).advance(pose_b=end)
    touch, parting = passage.touch, passage.parting
    figure = Figure((9.0, 4.4), layout="constrained")
    axes = figure.subplots()
    outline(axes, wall.positions, GREY, lw=1.5)
    for t, colour in ((0, BLUE), (touch.upper, RED), (parting.lower, RED), (1, BLUE)):
        world = world_at(passage.moves[1], t)
        outline(axes, world, colour, lw=1.2)
        x, z = world.mean(axis=0)[[0, 2]]
        axes.text(x, z, f"{t:.4f}", ha="center", va="center", fontsize=9)
    for plane in passage.proof:
        n = plane.normal
        high = (wall.positions @ n).max()
        middle = wall.positions[wall.positions @ n > high - 1e-9].mean(axis=0)
        a = middle + np.outer((-2.0, 2.0), (-n[2], 0.0, n[0]))
        axes.plot(a[:, 0], a[:, 2], color=GREEN, lw=0.9, ls="--")
        place = a[int(a[1, 2] > a[0, 2])]
        words = f"{plane.start:.3f} to {plane.end:.3f}"
        side = "left" if n[0] > 0.0 else "right"
        axes.annotate(words, place[[0, 2]], fontsize=8, color=GREEN, ha=side)
    axes.set(aspect="equal", xlabel="x", ylabel="z", ylim=(-2.3, 2.4))
    axes.set_title("touch and parting in one frame; dashed: planes, and when they part")
    figure.savefig(path, dpi=110)


ENTRIES = {
    name: LegendEntry(shows, "python benchmarks/paper.py --from-csv", plot)
    for name, shows in SHOWS.items()
}
BETWEEN = {
    "between_bullet.png": LegendEntry(
        "a bullet through a wall in one frame: first touch, parting, and the planes",
        "tracker.advance(pose_b=end)",
        draw_bullet,
    )
}
