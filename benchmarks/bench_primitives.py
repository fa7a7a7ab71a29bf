"""Time every primitive: 10 000 queries in one call, and one by one.

    python benchmarks/bench_primitives.py [--n 10000] [--singles 300] [--log FILE]

For every file in ``tests/fuzz/queries``: random queries, asked at once and, some of
them, by a Python loop of single calls, whose mean stands for all.  The least time of
three rounds counts.  trimesh answers the same queries where it can, if it is installed;
a difference is the largest between its answers and ours.
"""

import sys
from argparse import Namespace

import numpy as np
from bench import Say, best, installed, main
from queries import NAMES, load

from wingedge.primitives import point_triangle

PEERS = ("trimesh",)


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
    if installed(*PEERS):
        say(with_trimesh(given.n))


if __name__ == "__main__":
    sys.exit(main(__doc__, run, *PEERS, n=10_000, singles=300, of=NAMES))
