"""Time trackers of bodies that deform, and count how often each is wrong.

    python benchmarks/bench_deformation.py [--frames 120] [--rounds 3] [--log FILE]

Prints a table: engines that are fast and assume that a body stays convex, engines
that are right and rebuild or refit a tree in every frame, and this one.  The other
body is always outside, often in a hollow, never farther than its own size.  Wrong:
off by more than 1e-6 of the size, from brute force over all pairs.  Times are
processor time, the best of some rounds over all frames, through Python, positions
written included; ratio is to the faster of the engines that rebuild or refit.
"""

import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench import Say, best, heading, main
from numpy.typing import NDArray
from peers_deforming import PEERS, CoalMesh, FclMesh, installed
from stories.brute import Solid, parts, truth
from stories.recorded import soft_cubes

from sim import Body, PairTracker, Pose, deform, set_engine
from wingedge import WingedEdgeMesh, convexity, shapes

Array = NDArray[np.float64]
WRONG = 1e-6  # per unit of size


class Case(NamedTuple):
    """Two meshes and where their vertices are in each frame."""

    name: str
    a: WingedEdgeMesh
    b: WingedEdgeMesh
    frames: list[tuple[Array, Array]]


class Row(NamedTuple):
    """What one engine did on one case."""

    wrong: float  # share of frames
    spent: float  # seconds per frame


def bends() -> dict[str, Callable[[Array, float], Array]]:
    """Return the deformations of the table, amounts from 0 to full and back."""

    def swing(t: float) -> float:
        return float(0.5 - 0.5 * np.cos(2.0 * np.pi * t))

    return {
        "taper": deform.taper(lambda t: 0.5 * swing(t), about=(0.3, 0.2, 0.0)),
        "twist": deform.twist(lambda t: 1.2 * swing(t)),
        "bend": deform.bend(lambda t: 1.0 * swing(t)),
        "dent": deform.dent(lambda t: 0.35 * swing(t), at=(0.5, 0.0, 0.0), radius=0.6),
    }


def bent(name: str, a: WingedEdgeMesh, frames: int) -> Case:
    """Bend A while a small ball moves close along its surface."""
    ball = shapes.icosphere(1, 0.15)
    deformer = bends()[name]
    lists = parts(a), parts(ball)
    placed = []
    for k in range(frames):
        t = k / frames
        x = deformer(a.points, t)
        way = np.array([1.0, 0.8 * np.sin(5.0 * t), 0.9 * np.sin(7.0 * t + 1.0)])
        way = way / np.linalg.norm(way)
        y = Pose.rigid((0.3 * k, 1.0, -0.2, 5.0)).apply(ball.points)
        y = y + _close(Solid(x, *lists[0]), Solid(y, *lists[1]), way)
        placed.append((x, y))
    return Case(name, a, ball, placed)


def _close(a: Solid, b: Solid, way: Array) -> Array:
    """Bring B in along a line until it is 0.01 away: no step can pass through A."""
    at = 3.0
    for _ in range(60):
        gap = truth(a, b._replace(points=b.points + at * way)).gap
        if gap < 0.0105 or at < 0.3:
            break
        at -= gap - 0.01
    return at * way


def cases(frames: int) -> Iterator[Case]:
    """List what is timed."""
    body = shapes.grid_box((4, 4, 8), (1.0, 1.0, 2.0), triangles=True)
    for name in bends():
        yield bent(name, body, frames)
    fine = shapes.grid_box((9, 9, 18), (1.0, 1.0, 2.0), triangles=True)
    yield bent("dent", fine, frames)
    folder = os.environ.get("WINGEDGE_REAL_DATA")
    if folder:
        story, _ = soft_cubes(Path(folder))
        steps = [(s.points_a, s.points_b) for s in story.steps]
        yield Case("soft cubes, simulated", story.a, story.b, steps)


class Ours:
    """The tracker of this project."""

    name = "wingedge"

    def __init__(self, a: WingedEdgeMesh, b: WingedEdgeMesh) -> None:
        self.bodies = Body(a), Body(b)
        self.points = [body.points for body in self.bodies]
        self.tracker = PairTracker(*self.bodies)

    def __call__(self, x: Array, y: Array) -> float:
        """Write the positions and return the distance."""
        self.points[0][:], self.points[1][:] = x, y
        return self.tracker.update().distance


def measured(case: Case, truths: Array, rounds: int) -> dict[str, Row]:
    """Let every engine answer every frame."""
    names = installed()
    meshes = (case.a.points, parts(case.a)[0]), (case.b.points, parts(case.b)[0])
    engines: dict[str, Callable[[Array, Array], float]] = {
        peer.name: peer(*meshes) for peer in PEERS if peer.name in names
    }
    engines[Ours.name] = Ours(case.a, case.b)
    size = max(float(np.abs(x).max()) for pair in case.frames for x in pair)
    rows = {}
    for name, engine in engines.items():

        def answers(engine: Any = engine) -> list[float]:
            return [engine(x, y) for x, y in case.frames]

        wrong = np.abs(np.array(answers()) - truths) > WRONG * size
        spent = best(answers, rounds, clock=time.process_time)
        rows[name] = Row(float(wrong.mean()), spent / len(case.frames))
    return rows


def truths(case: Case) -> Array:
    """Return the true distance in every frame."""
    lists = parts(case.a), parts(case.b)
    return np.array(
        [truth(Solid(x, *lists[0]), Solid(y, *lists[1])).gap for x, y in case.frames]
    )


def line(case: Case, rows: dict[str, Row]) -> str:
    """Return one row of the table."""
    convex = np.mean([convexity(case.a, x).is_convex() for x, _ in case.frames])
    cells = [case.name, f"{case.a.n_vertices}", f"{convex:.0%}"]
    cells += [f"{r.wrong:.1%}, {r.spent * 1e6:.0f} us" for r in rows.values()]
    right = [
        r.spent for name, r in rows.items() if name in (CoalMesh.name, FclMesh.name)
    ]
    ratio = min(right, default=np.nan) / rows[Ours.name].spent
    return "| " + " | ".join([*cells, f"{ratio:.1f}"]) + " |"


def run(options: Namespace, say: Say) -> bool:
    """Time all, print; tell whether ours was always right."""
    set_engine("compiled")
    engines = [*installed(), Ours.name]
    head = ["deformation", "vertices", "convex frames", *engines, "ratio"]
    table = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    ours = 0.0
    for case in cases(options.frames):
        rows = measured(case, truths(case), options.rounds)
        ours = max(ours, rows[Ours.name].wrong)
        table.append(line(case, rows))
        print(table[-1], file=sys.stderr, flush=True)
    found = {f"{name.split()[0]} {v}" for name, v in installed().items()}
    versions = ", ".join(sorted(found))
    table += [
        "",
        f"{heading()}, {versions}; one thread, "
        f"{options.frames} frames, best of {options.rounds} rounds. A cell: share of "
        f"frames that are wrong by more than {WRONG:g} of the size, microseconds of "
        "processor time a frame.",
    ]
    say("\n".join(table))
    return ours == 0.0


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=120, rounds=3))
