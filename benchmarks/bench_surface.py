"""Time the true surface of bodies whose vertices are all rewritten in every frame.

    python benchmarks/bench_surface.py [--frames 60] [--rounds 15] [--log FILE]

A ball of V vertices lies under a ball of as many, or under a box, that turns and drifts
a little; all its vertices are written before every frame (``body.points[...] = new``),
and only ``tracker.update()`` is timed.  The ball is convex, or a tenth of its vertices,
those that face the other body, are pushed in: ``dimple`` (smooth), ``cap`` (mirrored,
so that two nearly concentric surfaces face each other: the worst case), ``spikes``
(every tenth vertex of the whole ball).  coal refits its mesh's tree and asks for the
distance; its list of points is made before its clock starts.  Each figure is the median
over the frames of the least time over the rounds.  Exit code 1 where the distances of
the two differ by more than 1e-9 of the size.
"""

import sys
from argparse import Namespace
from collections import Counter
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from bench import Say, ball, best, main
from numpy.typing import NDArray
from peers_deforming import CoalMesh, installed

from sim import Body, PairTracker, Pose, set_engine
from wingedge import shapes

Array = NDArray[np.float64]
WRONG = 1e-9
SIZES = 1000, 5000


class Case(NamedTuple):
    """One line of the table and the times that are wanted of it."""

    shape: str
    other: str
    v: int


class Row(NamedTuple):
    """What was measured of one case."""

    us: float
    coal_us: float
    proofs: str
    pairs: float  # of leaves tested, per frame
    off: float  # greatest difference of the distances


class PreparedCoal(CoalMesh):
    """coal's mesh, its list of points made before the clock starts."""

    ready: list[Any]

    def _listed(self, points: Array) -> Any:
        return self.ready.pop(0)

    def prepare(self, x: Array, y: Array) -> None:
        """Turn positions into coal's own lists."""
        self.ready = [super(PreparedCoal, self)._listed(points) for points in (x, y)]


def dented(points: Array, shape: str) -> Array:
    """Push a tenth of the vertices of a unit ball in."""
    x = points.copy()
    top = x[:, 2] > 0.8
    if shape == "dimple":
        x[top] *= (1.0 - 0.3 * ((x[top, 2] - 0.8) / 0.2) ** 2)[:, None]
    elif shape == "cap":
        x[top, 2] = 1.6 - x[top, 2]
    elif shape == "spikes":
        x[::10] *= 0.9
    return x


def stories(case: Case, frames: int) -> tuple[Body, Body, list[tuple[Array, Pose]]]:
    """Return two bodies, and positions of the first and poses of the second."""
    mesh = ball(case.v)
    other = mesh if case.other == "ball" else shapes.box()
    height = 2.3 if case.other == "ball" else 1.7
    x = dented(mesh.points, case.shape)
    told = []
    for k in range(frames):
        s = 0.02 * k
        pose = Pose.rigid(
            (0.1 * np.sin(s), 0.1, 0.3 * np.sin(s), 1.0),
            (0.2 * np.cos(s), 0.1 * np.sin(s), height),
        )
        told.append((x * (1.0 + 1e-3 * np.sin(15.0 * s)), pose))
    return Body(mesh, name="a"), Body(other, name="b"), told


def measure(case: Case, frames: int, rounds: int, peers: bool) -> Row:
    """Time one case."""
    a, b, told = stories(case, frames)
    live = a.points
    tracker = PairTracker(a, b)
    best = np.full(frames, np.inf)
    distances = np.zeros(frames)
    proofs: Counter[str] = Counter()
    pairs = 0
    for k in range(rounds * frames):
        x, pose = told[k % frames]
        live[...] = x
        b.pose = pose
        start = perf_counter()
        state = tracker.update()
        best[k % frames] = min(best[k % frames], perf_counter() - start)
        distances[k % frames] = state.distance
        proofs[state.proof] += 1
        pairs += state.work.faces
        if not state.certified:
            raise RuntimeError(f"{case}, frame {k}: {state.reason}")
    shown = " ".join(f"{p} {100 * n // (rounds * frames)} %" for p, n in proofs.items())
    coal, off = np.nan, 0.0
    if peers:
        coal, off = against_coal(a, b, told, distances)
    return Row(1e6 * float(np.median(best)), coal, shown, pairs / rounds / frames, off)


def against_coal(
    a: Body, b: Body, told: list[tuple[Array, Pose]], distances: Array
) -> tuple[float, float]:
    """Time coal on some of the frames; return that and how far it is off ours."""
    ta, tb = (body.mesh.fan.vertex.astype(np.int64) for body in (a, b))
    peer = PreparedCoal((told[0][0], ta), (told[0][1].apply(b.mesh.points), tb))
    spent, off = [], 0.0
    for k in range(0, len(told), max(1, len(told) // 12)):
        x, y = told[k][0], told[k][1].apply(b.mesh.points)
        peer.prepare(x, y)
        off = max(off, abs(peer(x, y) - distances[k]))
        least = np.inf
        for _ in range(3):
            peer.prepare(x, y)
            least = min(least, best(lambda x=x, y=y: peer(x, y), 1))
        spent.append(least)
    return 1e6 * float(np.median(spent)), off


def table(frames: int, rounds: int, say: Say) -> float:
    """Measure all cases, print a line for each; return the greatest difference."""
    peers = "coal BVH, refitted" in installed()
    worst = 0.0
    say(
        f"{'body':10}{'other':8}{'V':>6}{'us':>9}{'coal us':>10}{'ratio':>8}"
        f"{'leaf pairs':>12}  proof"
    )
    for shape in ("convex", "dimple", "spikes", "cap"):
        for other in ("box", "ball"):
            for v in SIZES:
                row = measure(Case(shape, other, v), frames, rounds, peers)
                worst = max(worst, row.off)
                say(
                    f"{shape:10}{other:8}{v:6}{row.us:9.1f}{row.coal_us:10.0f}"
                    f"{row.coal_us / row.us:8.0f}{row.pairs:12.0f}  {row.proofs}"
                )
    return worst


def run(options: Namespace, say: Say) -> bool:
    """Print the table; tell whether the engines agree."""
    set_engine(options.engine)
    say(", ".join(f"{name} {v}" for name, v in installed().items()) or "no peer")
    worst = table(options.frames, options.rounds, say)
    say(f"greatest difference of the distances: {worst:.1e}")
    return worst <= WRONG


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=60, rounds=15, engine="compiled"))
