"""One body as convex pieces and as one true surface: time, difference, what is proven.

    python benchmarks/bench_pieces.py [--frames 80] [--log FILE]

A ball turns about the body, by half a degree per frame, while it comes near, sinks in
and leaves again.  The first bodies are cut exactly, so that both answers are for the
same solid; those of WINGEDGE_REAL_DATA were cut by V-HACD, and the difference is what
their pieces leave out or add.  Times are medians, kernels compiled.  Exit code 1 if
exact pieces are off by more than 1e-12 of the size while apart, or if the two intervals
of an overlap do not meet.
"""

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from bench import Say, main

from sim import Body, Compound, PairTracker, Pose, set_engine
from sim.compound import CompoundTracker
from wingedge import WingedEdgeMesh, convex_hull, read, read_pieces, shapes

EXACT = {
    "U, 3 blocks": shapes.u_block(),
    "frame, 4 blocks": shapes.ring((1.0, 1.0, 0.4)),
    "gear, hub and 12 teeth": shapes.gear(12),
}
REAL = {
    "xarm link, 5 pieces": ("xarm6_link4/link4.stl", "xarm6_link4/link4_vhacd.obj"),
    "book end, 31 pieces": ("book_holder/visual.ply", "book_holder/collision.obj"),
}
BAR = 1e-12  # of the size, for exact pieces that are apart


class Told(NamedTuple):
    """What one tracker said of every frame."""

    distance: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    certified: np.ndarray
    us: np.ndarray


def prisms_over(mesh: WingedEdgeMesh) -> list[WingedEdgeMesh]:
    """Cut an upright body into the prisms over the faces of its bottom."""
    z = mesh.points[:, 2]
    found = []
    for f in range(mesh.n_faces):
        base = mesh.points[mesh.face_vertices(f)]
        if (base[:, 2] == z.min()).all():
            top = base * [1.0, 1.0, 0.0] + [0.0, 0.0, z.max()]
            found.append(convex_hull(np.concatenate([base, top]), merge_coplanar=True))
    return found


def bodies() -> Iterator[tuple[str, Compound, bool]]:
    """Yield compounds with their surface, and whether they are cut exactly."""
    for name, mesh in EXACT.items():
        yield name, Compound(prisms_over(mesh), mesh, name="body"), True
    folder = os.environ.get("WINGEDGE_REAL_DATA")
    for name, (surface, pieces) in REAL.items() if folder else ():
        at = Path(folder) / "decomposed"
        mesh = read(at / surface)
        yield name, Compound(read_pieces(at / pieces), mesh, name="body"), False


def poses(compound: Compound, ball: Body, frames: int) -> Iterator[Pose]:
    """Circle about the body from outside its box to well inside, and out again."""
    low, high = compound.mesh.points.min(axis=0), compound.mesh.points.max(axis=0)
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    radius = float(ball.positions.max())
    for k in range(frames):
        angle = np.radians(0.5 * k)
        out = 1.0 + 0.45 * np.cos(2.0 * np.pi * k / frames)
        way = np.array([np.cos(angle), np.sin(angle), 0.3 * np.sin(3.0 * angle)])
        turn = (0.1 * np.sin(angle), 0.2, 0.3 * np.cos(angle), 1.0)
        yield Pose.rigid(turn, middle + way * (half * out + 0.5 * radius))


def told(tracker: PairTracker | CompoundTracker, ball: Body, way: list[Pose]) -> Told:
    """Track the ball along its way."""
    states, us = [], []
    for pose in way:
        ball.pose = pose
        start = time.perf_counter()
        states.append(tracker.update())
        us.append((time.perf_counter() - start) * 1e6)
    return Told(
        np.array([s.distance for s in states]),
        np.array([s.lower for s in states]),
        np.array([s.upper for s in states]),
        np.array([s.certified for s in states]),
        np.array(us),
    )


def lines_of(name: str, one: Told, two: Told, size: float) -> list[str]:
    """Return two lines of the table: apart, and overlapping by both."""
    apart = (one.distance > 0.0) & (two.distance > 0.0)
    deep = (one.distance < 0.0) & (two.distance < 0.0)
    off = np.abs(one.distance - two.distance)[apart] / size
    out = [
        f"{name:26}{'apart':>8}{apart.sum():8}"
        f"{np.median(one.us[apart]):10.0f}{np.median(two.us[apart]):10.0f}"
        f"{one.certified[apart].mean():8.0%}{two.certified[apart].mean():8.0%}"
        f"{off.max():12.1e}"
    ]
    if deep.any():
        widths = [(t.upper - t.lower)[deep].mean() / size for t in (one, two)]
        out.append(
            f"{'':26}{'overlap':>8}{deep.sum():8}"
            f"{np.median(one.us[deep]):10.0f}{np.median(two.us[deep]):10.0f}"
            f"{one.certified[deep].mean():8.0%}{two.certified[deep].mean():8.0%}"
            f"     widths {widths[0]:.1e} {widths[1]:.1e}"
        )
    return out


def missed(name: str, one: Told, two: Told, size: float) -> list[str]:
    """Say where exact pieces and their surface contradict each other."""
    apart = (one.distance > 0.0) & (two.distance > 0.0)
    found = []
    if np.abs(one.distance - two.distance)[apart].max() > BAR * size:
        found.append(f"missed: {name}: the distances differ")
    slack = BAR * size
    meet = (one.lower <= two.upper + slack) & (two.lower <= one.upper + slack)
    if not meet.all():
        found.append(f"missed: {name}: the intervals of an overlap do not meet")
    return found


def run(options: Namespace, say: Say) -> bool:
    """Print the table, say whether exact pieces and surfaces agree."""
    set_engine("compiled")
    say(f"{'':42}{'us per update':>20}{'certified':>16}")
    say(
        f"{'body':26}{'':8}{'frames':>8}{'pieces':>10}{'surface':>10}"
        f"{'pieces':>8}{'surface':>8}{'off/size':>12}"
    )
    bars: list[str] = []
    for name, compound, exact in bodies():
        size = float(np.ptp(compound.mesh.points, axis=0).max())
        ball = Body(shapes.icosphere(2, 0.2 * size), name="ball")
        way = list(poses(compound, ball, options.frames))
        surface = compound.surface
        assert surface is not None
        one = told(CompoundTracker(compound, ball), ball, way)
        two = told(PairTracker(surface, ball), ball, way)
        for text in lines_of(name, one, two, size):
            say(text)
        if exact:
            bars += missed(name, one, two, size)
    say("\n".join(bars) or "exact pieces and surfaces agree")
    return not bars


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=80))
