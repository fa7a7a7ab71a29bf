"""Penetration depth against an exact Minkowski hull: right, certified, how fast.

    python benchmarks/bench_depth.py [--frames 1000] [--log FILE]

Two bodies of one kind overlap, turning by half a degree per frame, from shallow (1e-9
in every tenth frame) to deep and out again.  The truth shares nothing with the tracker:
scipy's hull of all differences of vertices proposes facets, and the depth across the
best of them is computed again in exact rationals.  A depth is wrong if it is off by
more than 1e-9 of it + 1e-13 size.  Exit code 1 if a certified one is, if less than 95 %
are certified by default, or less than all with exact=True.
"""

import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import peers
from bench import Say, main
from scipy.spatial import ConvexHull

from sim import Body, PairTracker, Pose
from wingedge import WingedEdgeMesh, shapes

SHAPES: dict[str, WingedEdgeMesh] = {
    "box": shapes.box((1.0, 0.8, 0.6)),
    "prism": shapes.prism(6),
    "hull of 50": shapes.random_hull(1, 50),
    "ellipsoid": shapes.ellipsoid(subdivisions=1),
}
FACETS = 48  # candidates that are computed again exactly
RELATIVE, ABSOLUTE = 1e-9, 1e-13  # the bar: of the depth, and of the size 1
DEFAULT_SHARE = 0.95

Point = tuple[Fraction, Fraction, Fraction]


class Row(NamedTuple):
    """What one way of asking gave over all frames."""

    name: str
    errors: list[float]  # per unit of the bar; NaN where there was no answer
    certified: list[bool]
    us: list[float]

    def line(self) -> str:
        """Return a line of the table."""
        errors = np.array(self.errors)
        share = f"{np.mean(self.certified):10.2%}" if self.certified else f"{'-':>10}"
        wrong = int((~(errors <= 1.0)).sum())
        return (
            f"    {self.name:24}{np.nanmax(errors, initial=0.0):12.1e}{wrong:8}{share}"
            f"{np.median(self.us):12.1f}"
        )


def poses(frames: int, seed: int) -> Iterator[Pose]:
    """Turn by half a degree per frame while the overlap swings from touch to deep."""
    rng = np.random.default_rng(seed)
    turn, way = rng.normal(size=4), rng.normal(size=3)
    turn, way = turn / np.linalg.norm(turn), way / np.linalg.norm(way)
    spin, drift = (rng.normal(size=n) * 0.002 for n in (4, 3))
    for k in range(frames):
        swing = 0.5 - 0.5 * np.cos(2.0 * np.pi * k / 250)
        direction = way + k * drift
        yield Pose.rigid(turn + k * spin, direction / np.linalg.norm(direction) * swing)


def bring_near(a: Body, b: Body, k: int) -> None:
    """Move B, where it overlaps, to a depth of 1e-9 in every tenth frame."""
    if k % 10 == 9:
        state = PairTracker(a, b).update(exact=True)
        if state.distance < 0.0:
            away = (-state.distance - 1e-9) * state.normal
            b.pose = Pose(b.pose.linear, b.pose.translation + away)


def exact_points(body: Body) -> list[Point]:
    """Return the vertices in the world without any rounding."""
    rows = [[Fraction(x) for x in row] for row in body.transform.tolist()]
    points = [[Fraction(x) for x in p] for p in body.positions.tolist()]
    placed = [
        [sum((r[i] * p[i] for i in range(3)), r[3]) for r in rows] for p in points
    ]
    return [(x, y, z) for x, y, z in placed]


def exact_depth(a: Body, b: Body) -> float:
    """Return the least translation that separates, 0.0 if the bodies are apart."""
    xa, xb = a.world_points(), b.world_points()
    difference = (xb[:, None] - xa[None]).reshape(-1, 3)
    hull = ConvexHull(difference)
    offsets = -hull.equations[:, 3]
    order = np.argsort(offsets)
    near = order[offsets[order] <= offsets[order[0]] + 1e-9 * np.abs(difference).max()]
    pa, pb = exact_points(a), exact_points(b)
    best: Fraction | None = None  # least signed square of a depth
    for facet in near[:FACETS]:
        corners = []
        for point in hull.simplices[facet].tolist():
            q, p = pb[point // len(pa)], pa[point % len(pa)]
            corners.append((q[0] - p[0], q[1] - p[1], q[2] - p[2]))
        outward = [Fraction(x) for x in hull.equations[facet, :3].tolist()]
        for n in (normal_of(corners, outward), tuple(outward)):
            square = dot(n, n)
            if square > 0:
                depth = max(dot(n, q) for q in pb) - min(dot(n, p) for p in pa)
                signed = depth * abs(depth) / square
                best = signed if best is None else min(best, signed)
    assert best is not None
    return root(best) if best > 0 else 0.0


def root(square: Fraction) -> float:
    """Return a square root to the last digits, whatever the size."""
    guess = Fraction(float(square) ** 0.5)
    return float((guess + square / guess) / 2) if guess else 0.0


def normal_of(corners: list[Point], outward: list[Fraction]) -> Point:
    """Return the exact normal of a facet, turned outward."""
    p, q, r = corners
    u = [q[i] - p[i] for i in range(3)]
    v = [r[i] - p[i] for i in range(3)]
    n = (
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    )
    return n if dot(n, outward) >= 0 else (-n[0], -n[1], -n[2])


def dot(a: object, b: object) -> Fraction:
    """Return the exact scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]  # type: ignore[index]


def ask(rows: dict[str, Row], trackers: dict, a: Body, b: Body, truth: float) -> None:
    """Ask every engine once and note what it says."""
    for name, engine in trackers.items():
        row = rows[name]
        start = time.perf_counter()
        if isinstance(engine, PairTracker):
            state = engine.update(exact=name.endswith("exact"))
            found = state.distance
            row.certified.append(state.certified)
        else:
            found = engine(a, b)
        row.us.append((time.perf_counter() - start) * 1e6)
        error = abs(found + truth) / (RELATIVE * truth + ABSOLUTE)
        # An answer that says itself that it is not proven is counted by its share.
        if not isinstance(engine, PairTracker) or state.certified:
            row.errors.append(error)


def measure(mesh: WingedEdgeMesh, frames: int, names: list[str]) -> dict[str, Row]:
    """Run one shape; return the rows by engine."""
    a, b = Body(mesh), Body(mesh)
    trackers: dict = {
        "wingedge": PairTracker(a, b),
        "wingedge exact": PairTracker(a, b),
        **{name: peers.peer(name) for name in names},
    }
    rows = {name: Row(name, [], [], []) for name in trackers}
    for k, pose in enumerate(poses(frames, seed=mesh.n_vertices)):
        a.pose, b.pose = Pose.identity(), pose
        bring_near(a, b, k)
        truth = exact_depth(a, b)
        if truth > 0.0:
            ask(rows, trackers, a, b, truth)
    return rows


def missed(rows: dict[str, Row]) -> list[str]:
    """Say which bars were missed."""
    found = []
    for name, share in (("wingedge", DEFAULT_SHARE), ("wingedge exact", 1.0)):
        row = rows[name]
        if not all(error <= 1.0 for error in row.errors):
            found.append(f"{name}: a certified depth is wrong")
        if np.mean(row.certified) < share:
            found.append(f"{name}: {np.mean(row.certified):.2%} certified")
    return found


def run(options: Namespace, say: Say) -> bool:
    """Print the table, say whether the bars were met."""
    known = list(peers.installed())
    say(
        f"    {'engine':24}{'worst/bar':>12}{'wrong':>8}{'certified':>10}"
        f"{'us/frame':>12}"
    )
    bars: list[str] = []
    for shape, mesh in SHAPES.items():
        rows = measure(mesh, options.frames, known)
        asked = len(rows["wingedge"].us)
        say(f"{shape}, {mesh.n_vertices} vertices, {asked} overlaps")
        for row in rows.values():
            say(row.line())
        bars += [f"{shape}: {text}" for text in missed(rows)]
    say("\n".join(f"missed: {text}" for text in bars) or "all bars met")
    return not bars


if __name__ == "__main__":
    sys.exit(main(__doc__, run, "coal", "python-fcl", frames=1000))
