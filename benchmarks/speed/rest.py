"""What is around the frame: boxes, files, the first answer."""

import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from bench import best, breathing, installed, sphere

import wingedge
from sim import Recording, World
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from speed import Cell, Table, interleaved
from speed.crowd import ORDER, Crowd, Step, ours
from wingedge import WingedEdgeMesh, shapes

SCENES: dict[str, tuple[object, object]] = {  # where boxes begin, how large they are
    "cube": ((21.5, 21.5, 21.5), (1.0, 1.0, 1.0)),
    "wall": ((100.0, 100.0, 0.01), (1.0, 1.0, 1.0)),
    "tower": ((3.0, 3.0, 1100.0), (1.0, 1.0, 1.0)),
    "rods": ((60.0, 60.0, 60.0), (12.0, 0.3, 0.3)),
    "rods, every way": ((60.0, 60.0, 60.0), (12.0, 0.3, 0.3)),
    "plate": ((21.5, 21.5, 21.5), (1.0, 1.0, 1.0)),
    "1 to 10 000": ((40.0, 40.0, 40.0), (1.0, 1.0, 1.0)),
}


def boxes(name: str, count: int) -> BodyBoxes:
    """Place boxes at random in a room, as the name says."""
    chance = np.random.default_rng(0)
    room, size = SCENES[name]
    low, sizes = chance.random((count, 3)) * room, np.tile(size, (count, 1))
    if name == "rods, every way":
        sizes = chance.permuted(sizes, axis=1)
    elif name == "plate":  # one below all
        low[0], sizes[0] = -1.0, (24.0, 24.0, 1.2)
    elif name == "1 to 10 000":
        sizes = sizes * 10.0 ** chance.uniform(-4.0, 0.3, (count, 1))
    return BodyBoxes(low, low + sizes, np.full(count, np.inf))


def broad_phase(quick: bool) -> Table:
    """Find the near pairs of 10 000 boxes; ms, and the memory that this takes.

    coal's dynamic tree holds the boxes and collects pairs that overlap; Python reads
    none of them.
    """
    count, rounds = (200, 2) if quick else (10_000, 7)
    rows: Table = []
    for name in SCENES:
        given = boxes(name, count)
        near_pairs = BroadPhase(given, 0.0).near_pairs
        found = len(near_pairs())
        calls = {"wingedge": near_pairs}
        if installed("coal"):
            calls["coal"] = coal_tree(given, found)
        ms = interleaved(calls, rounds, 1e-3)
        tracemalloc.start()
        BroadPhase(given, 0.0).near_pairs()
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        row = {"scene": name, "pairs": found, **ms, "MB": memory / 1e6}
        rows.append(
            row | ({"/ coal": ms["wingedge"] / ms["coal"]} if "coal" in ms else {})
        )
    return rows


def coal_tree(given: BodyBoxes, pairs: int) -> Callable[[], int]:
    """Put boxes into coal's dynamic tree."""
    import coal

    tree = coal.DynamicAABBTreeCollisionManager()
    items = []  # kept, or the tree goes before them
    for low, high in zip(given.low, given.high, strict=True):
        at = coal.Transform3s(np.eye(3), 0.5 * (low + high))
        items.append(coal.CollisionObject(coal.Box(*(high - low)), at))
        tree.registerObject(items[-1])
    tree.setup()
    room = 2 * pairs + 16

    def collect() -> int:
        tree.update()
        found = coal.CollisionCallBackCollect(room)
        tree.collide(found)
        return len(items) and found.numCollisionPairs()

    return collect


def recording(quick: bool) -> Table:
    """Record a world: what it adds to a frame, bytes, a frame read at random."""
    rows: Table = []
    for count in (5,) if quick else (100, 300):
        crowd, name = Crowd(count), f"{count} rigid bodies of 50 vertices"
        steps = [ours(crowd, crowd.bodies()) for _ in range(2)]
        rows.append({"world": name} | _recorded(steps, 5 if quick else 40))
    mesh = sphere(50 if quick else 1000)
    grow = lambda t, k: 1.0 + 0.1 * t / (1.0 + t)  # noqa: E731
    worlds = [breathing(mesh, 10, 3.0, grow, margin=0.01) for _ in range(2)]
    name = f"10 bodies of {mesh.n_vertices} vertices, all new"
    steps = [scripted(world) for world in worlds]
    rows.append({"world": name} | _recorded(steps, 5 if quick else 100))
    return rows


def scripted(world: World) -> Step:
    """Step a world that moves by itself."""
    step = lambda k: world.step()  # noqa: E731
    step.world = world
    return step


def _recorded(steps: Sequence[Step], frames: int) -> dict[str, Cell]:
    least = [float("inf")] * 2
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crowd.vtkhdf"
        with steps[1].world.record(path):
            for k in range(frames):
                for i, step in enumerate(steps):
                    spent = best(lambda k=k, s=step: s(ORDER[k % len(ORDER)]), 1)
                    least[i] = min(least[i], 1e3 * spent)
        kilobytes = path.stat().st_size / frames / 1e3
        with Recording.open(path) as kept:
            chance = np.random.default_rng(5).integers(frames, size=min(frames, 50))
            read = 1e3 * min(best(lambda k=k: kept[k], 1) for k in chance.tolist())
    told = {"ms a frame": least[0], "recorded": least[1], "added": least[1] - least[0]}
    return told | {"kB a frame": kilobytes, "read, ms": read}


def reading(quick: bool) -> Table:
    """Build a mesh from faces and read it from files, beside trimesh; seconds.

    trimesh is asked for the neighbours of faces too, which a winged edge has.
    """
    rows: Table = []
    for level in (2,) if quick else (5, 8):
        ball = shapes.icosphere(level)
        table = ball.points.copy(), ball.fan.vertex.copy()
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("from_faces", "obj", "stl", "ply"):
                file = Path(folder) / f"ball.{kind}"
                ours, theirs = partial(WingedEdgeMesh.from_faces, *table), table
                if kind != "from_faces":
                    wingedge.write(ball, file)
                    ours, theirs = partial(wingedge.read, file), (file,)
                calls = {"wingedge": ours}
                if installed("trimesh"):
                    calls["trimesh"] = partial(_linked, *theirs)
                spent = interleaved(calls, 3 if level < 8 else 1)
                row = {"faces": ball.n_faces, "what": kind, **spent}
                if "trimesh" in row:
                    row["/ trimesh"] = row["wingedge"] / row["trimesh"]
                rows.append(row)
    return rows


def _linked(*given: Any) -> object:
    import trimesh

    if len(given) == 1:
        return trimesh.load_mesh(*given).face_adjacency
    return trimesh.Trimesh(*given, process=False).face_adjacency


TIMED = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
ANSWER = (
    "from sim import Body, Pose, closest; from wingedge import shapes; {}"
    "a, b = Body(shapes.box()), Body(shapes.box(), pose=Pose(None, (3.0, 0.0, 0.0))); "
    "assert closest(a, b).distance == 2.0"
)
STARTS = {
    "import numpy": "import numpy",
    "import sim": "import sim",
    "import sim, first answer of a pair": ANSWER.format(""),
    "first answer, after import": ANSWER.format("t = time.perf_counter(); "),
}


def start(quick: bool) -> Table:
    """Wait for a new process, in an empty folder and an empty home; seconds.

    Modules are compiled to bytecode once, as where the package is installed.
    """
    there = installed("coal", "mujoco", "trimesh")
    lines = STARTS | {f"import {name}": f"import {name}" for name in there}
    code = {
        what: [sys.executable, "-c", TIMED.format(line)] for what, line in lines.items()
    }
    code["wingedge --help"] = [sys.executable, "-m", "viewer.cli", "--help"]
    least = dict.fromkeys(code, float("inf"))
    with tempfile.TemporaryDirectory() as bytecode:
        for _ in range(2 if quick else 7):
            for what, words in code.items():
                least[what] = min(least[what], _seconds(words, bytecode))
    return [{"what": what, "s": spent} for what, spent in least.items()]


def _seconds(words: list[str], bytecode: str) -> float:
    around = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
    around.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        around["HOME"] = folder
        begin = perf_counter()
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, env=around, check=True
        )
        wall = perf_counter() - begin
    return float(done.stdout) if "-c" in words else wall
