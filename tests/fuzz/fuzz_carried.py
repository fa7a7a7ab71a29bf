"""Does a world that is left and taken up again tell the same bits?

    python tests/fuzz/fuzz_carried.py --worlds 1000 --seed 0 --processes 2

Random worlds of 2 to 8 bodies, of every convexity, with margins, laws, regions, between
frames, threads, open arrays.  At a random frame each is copied, pickled, resumed from
its recording, and stepped again after a step that raised; all go on beside the one that
was never left, interpreted or compiled.  A case is SEED: what was done: where it parts.
"""

import copy
import pickle
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from runner import Say, list_cases, main, played

from sim import Body, Pose, World, laws, set_engine
from wingedge import shapes

FRAMES = 8
MESHES = (
    shapes.box(),
    shapes.tetrahedron(),
    shapes.icosphere(1, 0.7),
    shapes.icosphere(1, 0.7),
    shapes.prism(6, 0.6, 1.2),
    shapes.u_block(),
    shapes.l_block(),
)
MODES = ("surface", "surface", "surface", "hull", "trust", "flag")


class Way:
    """A pose as a function of time: on a lattice, where places tie, or anywhere."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.lattice = rng.random() < 0.5
        self.start, self.speed = rng.normal(size=(2, 3)) * [[0.9], [0.6]]
        if self.lattice:
            self.start = np.round(2.0 * self.start) / 2.0
            self.speed = np.eye(3)[rng.integers(3)] * rng.choice([0.125, 0.25])
        self.turn, self.spin = rng.normal(size=(2, 4))

    def __call__(self, t: float) -> Pose:
        place = self.start + t * self.speed
        if self.lattice:
            return Pose(None, place)
        turn = self.turn + t * self.spin
        return Pose.rigid(turn / np.linalg.norm(turn), place)


class Bend:
    """Positions as a function of time, convex or not."""

    def __init__(self, seed: int) -> None:
        self.way = np.random.default_rng(seed).normal(size=(3, 3)) * 0.15

    def __call__(self, rest: np.ndarray, t: float) -> np.ndarray:
        p = rest @ self.way
        return rest + t * p * p


class Trap:
    """Positions that no body takes, once; else those of another deformer."""

    def __init__(self, frame: int, inner: Bend | None) -> None:
        self.frame, self.inner = frame, inner

    def __call__(self, rest: np.ndarray, t: float) -> np.ndarray:
        if round(t) == self.frame:
            self.frame = -1
            return np.full(rest.shape, np.nan)
        return rest if self.inner is None else self.inner(rest, t)


def world(seed: int, trap: int = -1) -> World:
    """Make the world of a seed; its last body is refused once, in frame ``trap``."""
    rng = np.random.default_rng(seed)
    count, law = int(rng.integers(2, 9)), rng.random() < 0.1
    motion, deform, bodies = {}, {}, []
    for k in range(count):
        mesh, mode = MESHES[rng.integers(len(MESHES))], MODES[rng.integers(len(MODES))]
        path, bends = Way(1000 * seed + k), rng.random() < 0.3
        if law:
            at = Pose(None, (0.0, 0.0, 2.5 * k))
            bodies.append(Body(shapes.box(), name=f"b{k}", pose=at))
            continue
        if mode == "trust" and mesh in MESHES[-2:]:
            mode = "surface"
        body = Body(mesh, name=f"b{k}", convexity=mode)
        motion[body.name] = path
        if bends and mode != "trust":
            deform[body.name] = Bend(seed + k)
            if rng.random() < 0.3:
                _ = body.points  # handed out: never trusted again
        bodies.append(body)
    if not law:
        last = bodies[-1].name
        deform[last] = Trap(trap, deform.get(last))
    hulls = any(body.convexity == "hull" for body in bodies)
    return World(
        bodies,
        motion=motion,
        deform=deform,
        dt=0.02 if law else 1.0,
        margin=rng.choice([None, 0.5, 2.0]),
        regions=bool(not hulls and not law and rng.random() < 0.3),
        between=bool(rng.random() < 0.3),
        threads=int(rng.integers(1, 3)),
        law=laws.Affine() if law else None,
    )


def bits(frame: object) -> str:
    """Write down all of a frame but what it cost."""
    pairs = []
    for s in frame.pairs:
        n = s.numbers._replace(work=None)
        regions = [(r.identity, r.numbers._replace(work=None)) for r in s.regions]
        pairs.append((s.a.name, s.b.name, s.regime, n, str(s.kind), regions))
    events = [(str(e), e.contact) for e in frame.events]
    return repr((frame.index, pairs, events))


def going_on(seed: int, at: int, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield what was done at a frame, and the bits of the frames after it."""
    left = world(seed)
    list(left.run(at))
    for what, twin in (
        ("copied", copy.deepcopy(left)),
        ("pickled", pickle.loads(pickle.dumps(left))),
    ):
        yield what, [bits(frame) for frame in twin.run(FRAMES - at)]
    first, again = world(seed), world(seed)
    with first.record(folder / "run.vtkhdf"):
        list(first.run(at))
    with again.record(folder / "run.vtkhdf", resume=True):
        yield "resumed", [bits(frame) for frame in again.run(FRAMES - at)]
    failing = world(seed, at)
    if not failing._law:
        list(failing.run(at))
        try:
            failing.step()
        except ValueError:
            yield "retried", [bits(frame) for frame in failing.run(FRAMES - at)]


def follow(job: tuple[int, str]) -> tuple[int, list[str]]:
    seed, engine = job
    set_engine(engine)
    at = 1 + seed % (FRAMES - 1)
    truth = [bits(frame) for frame in world(seed).run(FRAMES)][at:]
    cases = []
    with TemporaryDirectory() as folder:
        for what, found in going_on(seed, at, Path(folder)):
            pairs = enumerate(zip(truth, found, strict=True))
            parts = [k for k, (one, other) in pairs if one != other]
            if parts:
                cases.append(
                    f"{seed}: {what} at {at} ({engine}): frame {at + parts[0]}"
                )
    return 4, cases


def run(options: Namespace, say: Say) -> bool:
    jobs = [
        (seed, "python" if seed % 4 == 0 else "compiled")
        for seed in range(options.seed, options.seed + options.worlds)
    ]
    done, cases = 0, []
    for count, found in played(follow, jobs, options.processes):
        done, cases = done + count, cases + found
    list_cases(cases, say)
    say(f"{len(jobs)} worlds taken up again {done} times, {len(cases)} with other bits")
    return not cases


if __name__ == "__main__":
    sys.exit(main(__doc__, run, worlds=1000, seed=0, processes=2))
