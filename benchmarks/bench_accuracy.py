"""Worst observed error by kind of query, beside peers on the same positions.

    python benchmarks/bench_accuracy.py [--chains 6] [--write docs/evidence.md]

The truth is exact arithmetic on the stored floats: ``tests/fuzz/stories/rational.py``.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import replace
from textwrap import fill

import numpy as np
from bench import Say, heading, installed, main
from crosscheck import AGREE, ENGINES, OURS, THEIRS, Compared, check
from paper_experiments.page import put, text
from stories.bodies import flat_body, needle
from stories.placing import anchor, facing, reach
from stories.story import Plot, Step

from sim import Body, Pose, World
from wingedge import WingedEdgeMesh, shapes

FRAMES = 8  # of a chain: coherent, so that warm starts count
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


def between(rng: Rng, low: float, high: float) -> float:
    """Draw evenly in the logarithm; 0 where both limits are."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high)))) if low else 0.0


def world_of(plot: Plot) -> World:
    """Make a world in which two bodies go through the steps of a plot."""
    steps = list(plot.steps)
    motion = {"a": lambda t: steps[int(t)].pose_a, "b": lambda t: steps[int(t)].pose_b}
    deform = {}
    if steps[0].points_b is not None:
        deform["b"] = lambda rest, t: steps[int(t)].points_b
    bodies = Body(plot.a, name="a"), Body(plot.b, name="b")
    return World(bodies, motion=motion, deform=deform, dt=1.0)


def measure(name: str, author: Kind, chains: int, engines: list[str]) -> list[Compared]:
    """Run one kind: every chain through every engine, the truth in rationals."""
    rows: list[Compared] = []
    for chain in range(chains):
        plot = author(np.random.default_rng([chain, *name.encode()]))
        rows += check(world_of(plot), engines, FRAMES, rational=True)
    return rows


def cell(errors: list[float], sizes: list[float], wrong: int) -> str:
    """Say how far the answers of one engine are off."""
    pairs = [(e, s) for e, s in zip(errors, sizes, strict=True) if np.isfinite(e)]
    worst = max((e / s for e, s in pairs), default=0.0)
    silent = len(errors) - len(pairs)
    return f"{worst:.1e}, {wrong} wrong" + f", {silent} unanswered" * (silent > 0)


def missed(row: Compared) -> float:
    """Return by how much an engine was off; not at all where a yes or no was right."""
    if row.what == "crossing" and row.verdict == AGREE:
        return 0.0
    return abs(row.theirs - row.lower)


def cells(found: list[Compared], engines: list[str]) -> list[str]:
    """Lay out the line of one kind: frames, certified, ours, then each engine."""
    first = [row for row in found if row.engine == engines[0]]
    certified = sum(row.certified for row in first)
    ours = [abs(row.ours - row.lower) for row in first]
    wrong = sum(row.verdict == OURS for row in first)
    texts = [str(len(first)), "all" if certified == len(first) else str(certified)]
    texts.append(cell(ours, [row.size for row in first], wrong))
    for engine in engines:
        rows = [row for row in found if row.engine == engine]
        errors = [missed(row) for row in rows]
        wrong = sum(row.verdict == THEIRS for row in rows)
        texts.append(cell(errors, [row.size for row in rows], wrong))
    return texts


def run(options: Namespace, say: Say) -> bool:
    """Print the table, write it; tell whether ours was right and certified."""
    engines = [name for name, kind in ENGINES.items() if installed(kind.package)]
    rows = [["query", "frames", "certified", "wingedge", *engines]]
    good = True
    for name, author in KINDS.items():
        found = measure(name, author, options.chains, engines)
        good &= all(row.certified and row.verdict != OURS for row in found)
        rows.append([name, *cells(found, engines)])
        print(rows[-1], file=sys.stderr)
    say(text(rows))
    if options.write:
        of = heading("scipy", *(ENGINES[name].package for name in engines))
        put(options.write, "queries", f"{fill(of, 88)}.\n\n{text(rows)}")
    return good


if __name__ == "__main__":
    sys.exit(main(__doc__, run, chains=6, write=None))
