"""Count which kernels an answer enters: ``python -m tests.count_kernels``.

All shared scenes and a random family of 300 stories are played by the interpreted
engine, and every kernel that they enter is noted.  Of each that none enters
``tests/kernels.txt`` names a test that does: it is run, and must.  Exit code 1 where
the table is not so; ``--write TEST...`` looks in those tests too and writes it anew.
"""

import sys
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from cProfile import Profile
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import pytest

import sim.kernels
from sim import Body, PairTracker, Pose, scenes, set_engine
from sim.kernels.language import KERNELS
from wingedge import WingedEdgeMesh, shapes

STORIES, FRAMES = 300, 6
TABLE = Path(__file__).with_name("kernels.txt")
KINDS = ("hull", "box", "gridded", "flush", "tilted", "dented", "deep")
GAPS = (0.0, 0.1, 1e-3, 1e-9, 1e-13, -1e-13, -1e-9, -1e-3)
NON_CONVEX = [m for n, m in shapes.zoo(non_convex=True) if n not in dict(shapes.zoo())]


def kernels() -> dict[object, str]:
    """Return the name of every kernel by its code; a stand-in counts for its source."""
    for module in walk_packages(sim.kernels.__path__, "sim.kernels."):
        import_module(module.name)
    names = {f: f"{f.__module__}.{f.__name__}"[len("sim.kernels.") :] for f in KERNELS}
    return {f.__code__: names[source] for f, source in KERNELS.items()}


@contextmanager
def noting(seen: set[str]) -> Generator[None]:
    with Profile(builtins=False) as profile:
        yield
    names = kernels()
    seen.update(names[row.code] for row in profile.getstats() if row.code in names)


def draw(rng: np.random.Generator, kind: str) -> WingedEdgeMesh:
    if kind == "hull":
        return shapes.random_hull(int(rng.integers(1 << 30)), int(rng.integers(4, 60)))
    if kind == "dented":
        return NON_CONVEX[rng.integers(len(NON_CONVEX))]
    if rng.random() < 0.2:
        return shapes.cylinder(int(rng.integers(3, 30)), height=0.5)
    cells = rng.integers(1, 2 if kind == "box" else 4, 3)
    sizes, cut = rng.uniform(0.5, 1.5, 3), bool(rng.integers(2))
    return shapes.grid_box(tuple(cells), tuple(sizes), triangles=cut)


def play_story(seed: int) -> None:
    """Let two bodies of a kind come together, in general or face to face."""
    rng = np.random.default_rng([seed, 33])
    kind = KINDS[seed % len(KINDS)]
    a, b = Body(draw(rng, kind)), Body(draw(rng, kind))
    tracker = PairTracker(a, b)
    world = Pose.rigid(rng.normal(size=4))
    level = kind in ("flush", "tilted") or rng.random() < 0.3
    top = a.mesh.points[:, 2].max() - b.mesh.points[:, 2].min()
    for frame in range(FRAMES):
        gap = float(rng.choice(GAPS)) - top * (kind == "deep") * rng.uniform(0.2, 1.0)
        spin = (0.0, 0.0, 0.1 * frame, 1.0) if level else rng.normal(size=4)
        tilt = 10.0 ** -rng.integers(3, 17) if kind == "tilted" else 0.0
        tip = [[1.0, 0.0, tilt], [0.0, 1.0, 0.0], [-tilt, 0.0, 1.0]]
        at = Pose(tip, (*rng.uniform(-0.5, 0.5, 2), top + gap)) @ Pose.rigid(spin)
        for body, pose in ((a, world), (b, world @ at)):
            if seed % 2:  # positions are written, with noise of the last bit
                points = pose.apply(body.mesh.points)
                body.points = np.nextafter(points, rng.integers(-1, 2, points.shape))
            else:
                body.pose = pose
        tracker.update(exact=seed % 5 == 0)


class Watch:
    """Note which kernels each test enters."""

    def __init__(self) -> None:
        self.seen: dict[str, set[str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        set_engine("python")
        with noting(self.seen.setdefault(item.nodeid, set())):
            yield


def main(arguments: Sequence[str]) -> int:
    set_engine("python")
    every, watch = set(kernels().values()), Watch()
    with noting(shared := set[str]()):
        for scene in scenes.names():
            deque(scenes.load(scene).run(scenes.length(scene)), maxlen=0)
    with noting(drawn := set[str]()):
        deque(map(play_story, range(STORIES)), maxlen=0)
    known = dict(x.split(" ", 1) for x in TABLE.read_text().splitlines()[1:])
    rows = {name: known.get(name, "-") for name in sorted(every - shared - drawn)}
    where = {*rows.values(), *arguments[1:]} - {"-"}
    pytest.main(["-q", "--all", *where], [watch])
    for name, test in rows.items():
        if name not in watch.seen.get(test, ()):
            rows[name] = next((t for t in watch.seen if name in watch.seen[t]), "-")
            print(f"{name}: not entered by {test}, but by {rows[name]}")
    head = f"# {len(every)} kernels: {len(shared)} entered by the shared scenes, "
    head += f"{len(drawn - shared)} more by random stories, {len(rows)} by tests alone"
    text = "\n".join([head, *map(" ".join, rows.items()), ""])
    same = text == TABLE.read_text()
    print(head[2:] + ("" if same else "; tests/kernels.txt says otherwise"))
    if arguments:
        TABLE.write_text(text)
    return 0 if same and "-" not in rows.values() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
