"""Time the trees of `wingedge.spatial` over many triangles: which to use when.

    python benchmarks/bench_spatial.py [--sizes 100 1000 10000 100000] [--log FILE]

Four kinds of triangles: ``soup`` (evenly spread, as large as their distance from one
another), ``clustered`` (at scales from 1 to 1e-4 about twenty places), ``oblique``
(long ones, all along one direction that is none of the axes), ``ball`` (a closed convex
mesh).  Asked are the nearest triangle of points near the set, and the first hit of
segments from there across it, one at a time and 500 at a time; ``near`` takes one box.
Peers, where installed: trimesh with rtree, python-fcl.  Exit code 1 where two answers
differ.
"""

import sys
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from bench import Say, ball, installed, main
from numpy.typing import NDArray
from peers_deforming import fcl_mesh

from sim import set_engine
from wingedge.spatial import BSPTree, Octree, TriangleIndex

Array = NDArray[np.float64]
KINDS: tuple[type[TriangleIndex], ...] = (Octree, BSPTree)
MANY = 500
COUNTS = 1, 10, 100, 1000, 10_000
SHOWN = {"Octree": "octree", "BSPTree": "bsp"}
PEERS = "trimesh", "rtree", "python-fcl"


class Row(NamedTuple):
    """Seconds of one tree over one set."""

    build: float
    nearest: float  # one alone
    nearest_many: float  # each of many
    hit: float
    hit_many: float
    near: float
    tested: tuple[float, float]  # triangles per query: nearest, first hit


def made(kind: str, n: int) -> Array:
    """Make n triangles of a kind, or nearly n."""
    rng = np.random.default_rng(n)
    if kind == "ball":
        mesh = ball(n // 2 + 2)
        return mesh.points[mesh.fan.vertex]
    if kind == "oblique":
        at, along = rng.uniform(-1, 1, (n, 3)), np.array([1.0, 0.9, 0.8])
        thin = rng.normal(size=(n, 3)) * n ** (-1 / 2)
        return np.stack([at - along, at + thin, at + along], axis=1)
    if kind == "soup":
        return rng.uniform(-1, 1, (n, 1, 3)) + rng.normal(size=(n, 3, 3)) * n ** (
            -1 / 3
        )
    places = rng.normal(size=(20, 3))
    scale = 10.0 ** rng.uniform(-4, 0, (n, 1, 1))
    at = places[rng.integers(20, size=n)][:, None] + scale * rng.normal(size=(n, 1, 3))
    return at + scale * rng.normal(size=(n, 3, 3)) * n ** (-1 / 3)


def queries(x: Array, n: int) -> tuple[Array, Array]:
    """Choose points near triangles, and the other ends of segments across the set."""
    rng = np.random.default_rng(7)
    size = float(np.ptp(x.reshape(-1, 3), axis=0).max())
    at = x[rng.integers(len(x), size=n)].mean(axis=1)
    start = at + 0.05 * size * rng.normal(size=(n, 3))
    return start, start + 0.5 * size * rng.normal(size=(n, 3))


def clock(ask: Callable[[], Any], least: float = 0.05) -> float:
    """Return the least time of a call, over three or as many as fit in the time."""
    best, spent, rounds = np.inf, 0.0, 0
    while (rounds < 3 and spent < 0.3) or spent < least:
        start = perf_counter()
        ask()
        took = perf_counter() - start
        best, spent, rounds = min(best, took), spent + took, rounds + 1
    return best


def alone(ask: Callable[[int], Any], n: int) -> float:
    """Return the median over queries of the least time of each."""
    return float(np.median([clock(lambda k=k: ask(k), 0.005) for k in range(n)]))


def measure(kind: type[TriangleIndex], x: Array) -> Row:
    """Time one tree over one set."""
    built = clock(lambda: kind(x))
    index = kind(x)
    start, end = queries(x, MANY)
    size = 0.05 * float(np.ptp(x.reshape(-1, 3), axis=0).max())
    began = perf_counter()
    index.first_hit(start[:10], end[:10])
    slow = perf_counter() - began > 0.15
    few, many = (3, 10) if slow else (9, MANY)
    near, hit = index.nearest(start[:many]), index.first_hit(start[:many], end[:many])
    return Row(
        built,
        alone(lambda k: index.nearest(start[k]), few),
        clock(lambda: index.nearest(start[:many])) / many,
        alone(lambda k: index.first_hit(start[k], end[k]), few),
        clock(lambda: index.first_hit(start[:many], end[:many])) / many,
        alone(lambda k: index.near(start[k] - size, start[k] + size), few),
        (float(near.tested.mean()), float(hit.tested.mean())),
    )


def same(x: Array) -> bool:
    """Hold a few answers of both trees against each other."""
    start, end = queries(x, 20 if len(x) <= 1000 else 4)
    one, other = (
        (*index.nearest(start)[:3], *index.first_hit(start, end)[:3])
        for index in (kind(x) for kind in KINDS)
    )
    return all(map(partial(np.array_equal, equal_nan=True), one, other))


def quickest(rows: dict[str, Row], n: int, many: bool) -> str:
    """Name the tree whose build and n queries, half of each kind, cost least."""

    def total(row: Row) -> float:
        each = row.nearest_many + row.hit_many if many else row.nearest + row.hit
        return row.build + n * each / 2

    return SHOWN[min(rows, key=lambda name: total(rows[name]))]


def peers(x: Array, say: Say) -> None:
    """Time trimesh and python-fcl on the closed mesh."""
    start = queries(x, MANY)[0]
    points, faces = x.reshape(-1, 3), np.arange(3 * len(x)).reshape(-1, 3)
    found = Octree(x).nearest(start[:100]).distance
    have = installed(*PEERS)
    if {"trimesh", "rtree"} <= set(have):
        import trimesh

        began = perf_counter()
        mesh = trimesh.Trimesh(points, faces, process=False)
        _ = mesh.triangles_tree
        built = perf_counter() - began
        one = clock(lambda: trimesh.proximity.closest_point(mesh, start[:1]))
        many = clock(lambda: trimesh.proximity.closest_point(mesh, start[:100])) / 100
        off = abs(trimesh.proximity.closest_point(mesh, start[:100])[1] - found).max()
        say(
            f"  trimesh + rtree: build {1e3 * built:.1f} ms, nearest "
            f"{1e6 * one:.0f} us alone, {1e6 * many:.1f} of many; off by {off:.0e}"
        )
    if "python-fcl" in have:
        import fcl

        began = perf_counter()
        body = fcl.CollisionObject(fcl_mesh(points, faces))
        built = perf_counter() - began

        def distance(k: int) -> float:
            point = fcl.CollisionObject(fcl.Sphere(0.0), fcl.Transform(start[k]))
            request, result = fcl.DistanceRequest(), fcl.DistanceResult()
            return float(fcl.distance(body, point, request, result))

        off = max(abs(distance(k) - found[k]) for k in range(100))
        say(
            f"  python-fcl: build {1e3 * built:.1f} ms, nearest "
            f"{1e6 * alone(distance, 15):.0f} us alone; off by {off:.0e}"
        )


def table(sizes: list[int], say: Say) -> bool:
    """Measure all sets, print their lines; tell whether all answers are the same."""
    agree = True
    chosen: list[str] = []
    say(
        f"{'set':10}{'T':>7} {'index':7}{'build ms':>9}"
        f"{'nearest us':>11}{'of many':>9}{'tested':>8}"
        f"{'hit us':>9}{'of many':>9}{'tested':>8}{'near us':>9}"
    )
    for kind in ("soup", "clustered", "oblique", "ball"):
        for n in sizes:
            x = made(kind, n)
            agree &= same(x)
            rows = {index.__name__: measure(index, x) for index in KINDS}
            for name, row in rows.items():
                say(
                    f"{kind:10}{len(x):7} {SHOWN[name]:7}{1e3 * row.build:9.2f}"
                    f"{1e6 * row.nearest:11.0f}{1e6 * row.nearest_many:9.1f}"
                    f"{row.tested[0]:8.1f}{1e6 * row.hit:9.0f}"
                    f"{1e6 * row.hit_many:9.1f}{row.tested[1]:8.1f}"
                    f"{1e6 * row.near:9.0f}"
                )
            for many in (False, True):
                cells = "".join(f"{quickest(rows, k, many):>9}" for k in COUNTS)
                how = "batch" if many else "alone"
                chosen.append(f"{kind:10}{len(x):7} {how:7}{cells}")
            if kind == "ball":
                peers(x, say)
    say("")
    say("use which when: least time for the build and so many queries")
    say(f"{'set':10}{'T':>7} {'asked':7}" + "".join(f"{k:>9}" for k in COUNTS))
    for line in chosen:
        say(line)
    return agree


def run(options: Namespace, say: Say) -> bool:
    """Print the tables; say whether the trees agree."""
    set_engine(options.engine)
    agree = table(options.sizes, say)
    say("all answers are the same" if agree else "answers differ")
    return agree


if __name__ == "__main__":
    sizes = [100, 1000, 10_000, 100_000]
    sys.exit(main(__doc__, run, "scipy", *PEERS, sizes=sizes, engine="compiled"))
