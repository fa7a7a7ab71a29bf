"""Between two frames: a bullet and its planes, intervals on a time line."""

from pathlib import Path
from typing import Any

import numpy as np

from pictures.entry import LegendEntry
from sim import Body, PairTracker, Pose, World, motion
from sim.between.moves import world_at
from wingedge import convex_hull, shapes

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


STEPS = {"down": 0.06, "hold": 0.02, "up": 0.05}  # seconds
ENDS = ((-0.1, 3.4, -0.5), (0.15, -3.4, 0.6))


def draw_intervals(path: Path) -> None:
    """Draw when things happened in a world, on the time line of its frames."""
    from matplotlib.figure import Figure

    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    ball = Body(shapes.icosphere(1), name="ball")
    bullet = Body(shapes.box((0.2, 0.2, 0.2)), name="bullet")
    scripts = {
        "bullet": motion.linear((0.0, 0.0, -600.0), start=(3.0, 0.0, 23.0)),
        "ball": motion.press((-2.0, 0.0, 1.9), (-2.0, 0.0, 1.3), **STEPS),
    }
    bodies = [table, ball, bullet]
    world = World(bodies, motion=scripts, between=True, contact_distance=0.05)
    told = [event for frame in world.run(9) for event in frame.events]
    figure = Figure((9.0, 2.8), layout="constrained")
    axes = figure.subplots()
    for row, event in enumerate(told):
        lower, upper = (event.frame - 1 + t for t in event.when)
        known = upper - lower < 0.5
        colour = RED if known else GREY
        axes.plot([lower, upper], [row, row], color=colour, lw=5 if not known else 1)
        axes.plot([(lower + upper) / 2], [row], "|", ms=14, mew=2, color=colour)
        middle = (lower + upper) / 2
        words = f"{event}  at {middle:.6f}" if known else f"{event}  in the frame"
        axes.text(upper + 0.08, row, words, va="center", fontsize=8)
    axes.set_xticks(range(9))
    axes.grid(axis="x", color="#cccccc")
    axes.set(xlim=(0, 11), ylim=(len(told) - 0.4, -0.6), yticks=[], xlabel="frame")
    figure.savefig(path, dpi=110)


ENTRIES = {
    "between_bullet.png": LegendEntry(
        "a bullet through a wall in one frame: first touch, parting, and the planes",
        "tracker.advance(pose_b=end)",
        draw_bullet,
    ),
    "between_intervals.png": LegendEntry(
        "when things happened between the frames of a world",
        "World(bodies, between=True)",
        draw_intervals,
    ),
}
