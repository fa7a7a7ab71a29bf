"""Time every primitive: 10 000 queries in one call, and one by one.

    python benchmarks/bench_primitives.py [--n 10000] [--singles 300] [--log FILE]

For every file in ``tests/fuzz/queries``: random queries, asked at once and, some of
them, by a Python loop of single calls, whose mean stands for all.  The least time of
three rounds counts.  Peers from PyPI answer the same queries where they can (``pip
install trimesh python-fcl``; what is not installed is left out), their shapes made
before the clock starts; a difference is the largest between their answers and ours.
"""

import sys
from argparse import Namespace

import numpy as np
from bench import Say, best, installed, main
from peers_deforming import fcl_mesh
from queries import NAMES, load

from wingedge.primitives import point_triangle, triangle_triangle

PEERS = "trimesh", "python-fcl"
FEW = 1000  # queries that a peer without an array form is asked, one by one


def times(name: str, n: int, singles: int) -> str:
    """Time one primitive; return its line of the table."""
    module = load(name)
    arguments = module.draw(np.random.default_rng(0), n, "random")
    rows = [[x[k : k + 1] for x in arguments] for k in range(min(singles, n))]
    module.ask(*rows[0])
    at_once = best(lambda: module.ask(*arguments)) / n
    one_by_one = best(lambda: [module.ask(*row) for row in rows]) / len(rows)
    return (
        f"{name:24}{1e6 * at_once:12.2f}{1e6 * one_by_one:12.0f}"
        f"{one_by_one / at_once:10.0f}"
    )


def with_trimesh(n: int) -> str:
    """Compare the points of triangles nearest to points."""
    import trimesh

    p, a, b, c = load("point_triangle").draw(np.random.default_rng(0), n, "random")
    triangles = np.stack([a, b, c], axis=1)
    ours = best(lambda: point_triangle.closest(p, a, b, c)) / n
    theirs = best(lambda: trimesh.triangles.closest_point(triangles, p)) / n
    off = trimesh.triangles.closest_point(triangles, p)
    off = np.abs(off - point_triangle.closest(p, a, b, c).point).max()
    return _line("point_triangle", "trimesh", ours, theirs, off)


def with_fcl(n: int) -> str:
    """Compare the distances of triangles that are apart, with FCL's models of one."""
    import fcl

    drawn = load("triangle_triangle").draw(np.random.default_rng(0), n, "random")
    corners = np.array(drawn)
    corners = corners[:, ~triangle_triangle.meet(*corners).hit][:, :FEW]
    one = np.array([[0, 1, 2]])
    pairs = [
        [fcl.CollisionObject(fcl_mesh(three, one)) for three in (row[:3], row[3:])]
        for row in np.swapaxes(corners, 0, 1)
    ]

    def all_of_them() -> list[float]:
        return [
            fcl.distance(x, y, fcl.DistanceRequest(), fcl.DistanceResult())
            for x, y in pairs
        ]

    ours = best(lambda: triangle_triangle.closest(*corners)) / len(pairs)
    theirs = best(all_of_them) / len(pairs)
    off = np.abs(triangle_triangle.closest(*corners).distance - all_of_them()).max()
    return _line("triangle_triangle", "python-fcl", ours, theirs, off)


def _line(name: str, peer: str, ours: float, theirs: float, off: float) -> str:
    return (
        f"{name:24}{peer:12}{1e6 * ours:10.2f}{1e6 * theirs:10.2f}"
        f"{theirs / ours:8.1f}{off:12.1e}"
    )


def run(given: Namespace, say: Say) -> None:
    """Print all tables."""
    say(f"\n{'us per query':24}{'at once':>12}{'one by one':>12}{'ratio':>10}")
    for name in given.of:
        say(times(name, given.n, given.singles))
    say(
        f"\n{'us per query':24}{'peer':12}{'ours':>10}{'theirs':>10}{'ratio':>8}"
        f"{'difference':>12}"
    )
    compared = {"trimesh": with_trimesh, "python-fcl": with_fcl}
    for peer in installed(*compared):
        say(compared[peer](given.n))


if __name__ == "__main__":
    sys.exit(main(__doc__, run, *PEERS, n=10_000, singles=300, of=NAMES))
