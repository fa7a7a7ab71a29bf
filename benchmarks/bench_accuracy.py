"""Worst observed error by kind of query, beside peers on the same positions.

    python benchmarks/bench_accuracy.py [--chains 6] [--write docs/accuracy.md]

The truth is ``exhaustive(rational=True)``: exact arithmetic on the stored floats.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import peers
from bench import Say, heading, installed, main
from stories.bodies import flat_body, needle
from stories.judge import bar, exactly
from stories.placing import anchor, facing, reach
from stories.story import Plot, Step

from sim import Body, PairTracker, Pose, exhaustive
from wingedge import WingedEdgeMesh, shapes

FRAMES = 8  # of a chain: coherent, so that warm starts count
OURS = "wingedge"
Rng = np.random.Generator
Kind = Callable[[Rng], Plot]


def small_hull(rng: Rng) -> WingedEdgeMesh:
    """Draw the hull of a few points on the sphere."""
    return shapes.random_hull(int(rng.integers(1 << 30)), int(rng.integers(6, 20)))


def small_flat(rng: Rng) -> WingedEdgeMesh:
    """Draw a body with parallel faces, few enough for exact rationals."""
    while (mesh := flat_body(rng)).n_vertices > 24:
        pass
    return mesh


def placed(
    kind: str,
    gaps: tuple[float, float],
    *,
    body: Callable[[Rng], WingedEdgeMesh] = small_hull,
    tilts: tuple[float, float] | None = None,
    scale: float = 1.0,
    ratio: float = 1.0,
    shift: float = 0.0,
    affine: bool = False,
) -> Kind:
    """Put features opposite each other, at a gap drawn evenly in its logarithm."""

    def author(rng: Rng) -> Plot:
        a, b = body(rng), body(rng)
        if ratio != 1.0 or scale != 1.0:
            a = replace(a, points=a.points * scale * ratio)
        b = replace(b, points=b.points * scale)
        p, q = anchor(a, kind[0], rng), anchor(b, kind[1], rng)
        gap = scale * float(np.sign(gaps[0])) * between(rng, *np.abs(gaps))
        twist = float(rng.uniform(0.0, 4.0)) if kind != "FF" else 0.0
        away = shift * rng.normal(size=3)
        shear = 0.1 * rng.normal(size=(3, 3)) / FRAMES

        def steps() -> Iterator[Step]:
            for k in range(FRAMES):
                tilt = between(rng, *tilts) if tilts else 0.0
                pose = facing(a, b, p, q, gap, twist=twist + 1e-3 * k, tilt=tilt)
                stretch = np.eye(3) + k * shear if affine else np.eye(3)
                yield Step(
                    Pose(stretch @ pose.linear, stretch @ pose.translation + away),
                    Pose(stretch, away),
                )

        return Plot(a, b, steps())

    return author


def deep(rng: Rng) -> Plot:
    """Let one body turn inside the reach of the other."""
    a, b = small_hull(rng), small_flat(rng)
    turn, way = rng.normal(size=4), rng.normal(size=3)
    at = way / np.linalg.norm(way) * (reach(a) + reach(b)) * rng.uniform(0.0, 0.4)
    steps = (Step(Pose.rigid(turn + 0.02 * k, at)) for k in range(FRAMES))
    return Plot(a, b, steps)


def rewritten(rng: Rng) -> Plot:
    """Write new vertices, stretched and sheared, in every frame."""
    plot = placed("VF", (1e-3, 1.0))(rng)
    m = 0.3 * rng.normal(size=(3, 3)) / FRAMES
    steps = (
        step._replace(points_b=plot.b.points @ (np.eye(3) + k * m).T)
        for k, step in enumerate(plot.steps)
    )
    return Plot(plot.a, plot.b, steps)


def off_centre(rng: Rng) -> Plot:
    """Give B a mesh that lies a million sizes from its own origin."""
    plot = placed("VF", (1e-6, 1.0))(rng)
    shift = 1e6 * rng.normal(size=3)

    def steps() -> Iterator[Step]:
        for step in plot.steps:
            linear, at = step.pose_b.linear, step.pose_b.translation
            yield Step(
                Pose(linear, at - linear @ shift), points_b=plot.b.points + shift
            )

    return Plot(plot.a, plot.b, steps())


KINDS: dict[str, Kind] = {
    "apart, vertex-face": placed("VF", (1e-6, 1.0)),
    "apart, edge-edge": placed("EE", (1e-6, 1.0)),
    "apart, vertex-vertex": placed("VV", (1e-6, 1.0)),
    "parallel faces": placed("FF", (1e-12, 1.0), body=small_flat),
    "nearly parallel faces": placed(
        "FF", (1e-9, 1.0), body=small_flat, tilts=(1e-15, 1e-3)
    ),
    "touching": placed("VF", (0.0, 0.0)),
    "overlap, 1e-9 to 1e-3 deep": placed("EE", (-1e-9, -1e-3)),
    "overlap, deep": deep,
    "needles up to 1:1e6": placed("EE", (1e-6, 1.0), body=needle),
    "1e6 sizes from the origin": placed("VF", (1e-3, 1.0), shift=1e6),
    "a mesh 1e6 from its own origin": off_centre,
    "tiny, 1e-6": placed("EE", (1e-6, 1.0), scale=1e-6),
    "huge, 1e6": placed("EE", (1e-6, 1.0), scale=1e6),
    "sizes 1 : 1e6": placed("FV", (1e-3, 1.0), ratio=1e6),
    "stretched by the pose": placed("EE", (1e-3, 1.0), affine=True),
    "vertices rewritten": rewritten,
}


class Column:
    """What one engine gave for one kind."""

    def __init__(self) -> None:
        self.worst, self.wrong, self.silent = 0.0, 0, 0

    def add(self, found: float, truth: float, size: float) -> None:
        """Compare one answer."""
        if not np.isfinite(found):
            self.silent += 1
            return
        error = abs(found - truth)
        self.worst = max(self.worst, error / size)
        self.wrong += error > bar(truth, size)

    def text(self) -> str:
        """Return what the table says."""
        silent = f", {self.silent} unanswered" if self.silent else ""
        return f"{self.worst:.1e}, {self.wrong} wrong{silent}"


def between(rng: Rng, low: float, high: float) -> float:
    """Draw evenly in the logarithm; 0 where both limits are."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high)))) if low else 0.0


def asked(engine: object, a: Body, b: Body) -> float:
    """Ask one engine; NaN where it raises."""
    if isinstance(engine, PairTracker):
        return engine.update(exact=True).distance
    try:
        return float(engine(a, b))  # type: ignore[operator]
    except Exception:
        return float("nan")


def measure(
    name: str, author: Kind, chains: int, names: list[str]
) -> tuple[int, int, dict[str, Column]]:
    """Run one kind: frames, how many of ours are certified, columns by engine."""
    columns = {engine: Column() for engine in (OURS, *names)}
    frames = certified = 0
    for chain in range(chains):
        a_mesh, b_mesh, steps = author(np.random.default_rng([chain, *name.encode()]))
        a, b = Body(a_mesh), Body(b_mesh)
        tracker = PairTracker(a, b)
        engines = {OURS: tracker, **{n: peers.PEERS[n]() for n in names}}
        for step in steps:
            a.pose, b.pose = step.pose_a, step.pose_b
            if step.points_b is not None:
                b.points = step.points_b
            truth = exactly(a, b)
            if truth is None:
                continue  # no exact truth: the frame is not counted
            frames += 1
            size = max(exhaustive(a, b).size, truth.size)
            for engine, ask in engines.items():
                columns[engine].add(asked(ask, a, b), truth.distance, size)
            certified += tracker.state is not None and tracker.state.certified
    return frames, certified, columns


PAGE = """# Accuracy

Written in one run by

    python benchmarks/bench_accuracy.py --chains {chains} --write docs/accuracy.md

The same positions were given to every engine, in the same order: chains of {frames}
coherent frames, so that warm starts count.

{machine}

A cell holds the worst observed error per unit of size, then the wrong frames.

{table}

**Truth** is the signed distance in exact rational arithmetic on the float64 numbers as
stored, `exhaustive(rational=True)`. **Wrong** is an answer off by more than
`1e-9 |truth| + 1e-13 size`, where size is the largest coordinate, relative to the first
body's origin, of the vertices that decide and of the second body's origin.
**Certified** counts our answers whose proven bounds are within
`1e-9 |distance| + 1e-14 size`; ours are asked with `exact=True`. Unanswered: the engine
raised, or returned no finite number.

Peers run with their default tolerances; coal is warm-started by its own guess.
python-fcl answers overlap by the depth of one contact, which is a separating
translation but not always the least. A peer gets rigid bodies with their transform;
of stretched or rewritten bodies it gets the hull anew, turned in float64.

Not covered: bodies of more than 60 vertices, bodies that are not convex, peers with
tuned tolerances, speed. More frames, against the exhaustive search in float64, come
from `tests/fuzz/fuzz_tracker.py`.
"""


def run(options: Namespace, say: Say) -> bool:
    """Print the table, write the page; tell whether ours was right and certified."""
    names = list(installed(*peers.PEERS))
    header = ["query", "frames", "certified", OURS, *names]
    rows = [header, ["---"] * len(header)]
    bad = 0
    for name, author in KINDS.items():
        frames, certified, columns = measure(name, author, options.chains, names)
        bad += columns[OURS].wrong + columns[OURS].silent + frames - certified
        share = "all" if certified == frames else str(certified)
        texts = [column.text() for column in columns.values()]
        rows.append([name, str(frames), share, *texts])
        print(rows[-1], file=sys.stderr)
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    say(table)
    if options.write:
        machine = heading("scipy", *names) + "."
        page = PAGE.format(
            chains=options.chains, frames=FRAMES, table=table, machine=machine
        )
        options.write.write_text(page, encoding="utf-8")
    return bad == 0


if __name__ == "__main__":
    sys.exit(main(__doc__, run, chains=6, write=None))
