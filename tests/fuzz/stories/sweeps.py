"""Two bodies on their way through one frame, every vertex going straight.

By families: bodies that bend, that turn, that do both, with dents, on a lattice, beside
each other by a hair, far away and tiny or huge, very fast, and asked for a distance.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose
from sim.between.passage import Passage
from stories.derived import LATTICE, TURNS
from wingedge import WingedEdgeMesh, convex_hull

Array = np.ndarray
Rng = np.random.Generator


HOME = Pose.identity()
STILL = (HOME, HOME), (HOME, HOME)


class Sweep(NamedTuple):
    """Meshes, positions and poses at both ends, of A and B, and what is asked."""

    meshes: tuple[WingedEdgeMesh, WingedEdgeMesh]
    points: tuple[tuple[Array, Array], tuple[Array, Array]]  # start, end; body frame
    poses: tuple[tuple[Pose, Pose], tuple[Pose, Pose]]
    distance: float = 0.0

    def begun(self, **options: float) -> PairTracker:
        """Put bodies where they start."""
        bodies = []
        for name, mesh, own, pose in zip(
            "ab", self.meshes, self.points, self.poses, strict=True
        ):
            body = Body(mesh, name=name, pose=pose[0])
            body.points = own[0]
            bodies.append(body)
        return PairTracker(*bodies, **options)

    def ends(self) -> dict[str, Any]:
        """Tell `advance` where they go; who keeps positions or pose is not told."""
        ends: dict[str, Any] = {}
        for name, own, pose in zip("ab", self.points, self.poses, strict=True):
            if own[0] is not own[1]:
                ends[f"points_{name}"] = own[1]
            if pose[0] is not pose[1]:
                ends[f"pose_{name}"] = pose[1]
        return ends

    def passage(self) -> tuple[Passage, PairTracker]:
        """Take bodies there."""
        tracker = self.begun()
        return tracker.advance(**self.ends(), distance=self.distance), tracker

    def world(self) -> list[tuple[Array, Array]]:
        """Return where all vertices start and end, of A and B."""
        ends = zip(self.points, self.poses, strict=True)
        return [
            tuple(
                x @ p.linear.T + p.translation for x, p in zip(own, pose, strict=True)
            )
            for own, pose in ends
        ]


@cache
def hull(count: int, k: int) -> WingedEdgeMesh:
    """Build a body of so many vertices, on a sphere; k: one of some."""
    points = np.random.default_rng([count, k]).normal(size=(count, 3))
    return convex_hull(points / np.linalg.norm(points, axis=1)[:, None])


def hulls(rng: Rng) -> tuple[WingedEdgeMesh, WingedEdgeMesh]:
    counts = np.exp(rng.uniform(np.log(4), np.log(60.99), size=2)).astype(int)
    one, other = (hull(int(n), int(rng.integers(3))) for n in counts)
    return one, other


def ways(rng: Rng) -> tuple[Array, Array]:
    """Return where the second body starts and ends: near the first one on its way."""
    way, aside = rng.normal(size=(2, 3))
    way *= rng.uniform(2.5, 4.0) / np.linalg.norm(way)
    return way, aside * rng.uniform(0.0, 1.2) - way * rng.uniform(-0.3, 1.0)


def bent(rng: Rng, points: Array, wild: float = 0.1) -> Array:
    """Stretch and shear a body; of four shake the vertices of one."""
    noise = 0.3 * (rng.random() < 0.25) * wild * rng.normal(size=points.shape)
    out: Array = points @ (np.eye(3) + wild * rng.normal(size=(3, 3))) + noise
    return out


def bend(rng: Rng) -> Sweep:
    """All vertices move, in the world."""
    meshes, (start, end) = hulls(rng), ways(rng)
    a, b = (m.points for m in meshes)
    points = (a + 0.0, bent(rng, a)), (b + start, bent(rng, b) + end)
    return Sweep(meshes, points, STILL)


def turn(rng: Rng) -> Sweep:
    """Poses change alone: chords of arcs, up to half a turn, where bodies are flat."""
    meshes, (start, end) = hulls(rng), ways(rng)
    poses = []
    for at, to in ((np.zeros(3), 0.1 * rng.normal(size=3)), (start, end)):
        first = Rotation.random(rng=rng)
        spin = rng.normal(size=3) * rng.choice([0.1, 0.5, 1.5])
        last = Rotation.from_rotvec(spin) * first
        poses.append((Pose(first.as_matrix(), at), Pose(last.as_matrix(), to)))
    a, b = (m.points for m in meshes)
    return Sweep(meshes, ((a, a), (b, b)), (poses[0], poses[1]))


def both(rng: Rng) -> Sweep:
    """Poses and positions change."""
    told = turn(rng)
    one, other = ((m.points, bent(rng, m.points)) for m in told.meshes)
    return told._replace(points=(one, other))


def dented(rng: Rng) -> Sweep:
    """Some vertices lie deep inside already at the start."""
    told = bend(rng)
    points = []
    for start, end in told.points:
        middle = start.mean(axis=0)
        deep = np.where(rng.random(len(start)) < 0.2, 0.7, 1.0)[:, None]
        points.append((middle + deep * (start - middle), end))
    return told._replace(points=(points[0], points[1]))


def lattice(rng: Rng) -> Sweep:
    """Faces, edges and corners slide along each other, land and meet exactly."""
    meshes = tuple(LATTICE[k] for k in rng.integers(len(LATTICE), size=2))
    turns = [TURNS[k] for k in rng.integers(len(TURNS), size=2)]
    at = rng.integers(-4, 5, size=3) / 2.0
    way = np.where(np.arange(3) == rng.integers(3), 6.0 * rng.choice([-1, 1]), at)
    end = np.where(rng.random(3) < 0.5, -way, way)
    a, b = (m.points for m in meshes)
    still, shifted = Pose(turns[0]), [Pose(turns[1], x) for x in (way, end)]
    poses = (still, still), (shifted[0], shifted[1])
    return Sweep((meshes[0], meshes[1]), ((a, a), (b, b)), poses)


def graze(rng: Rng) -> Sweep:
    """Pass by, lowest vertex over highest, at a height from nothing to a hair."""
    told = bend(rng)
    (a, _), (b, _) = told.points
    low = a[a[:, 2].argmax()] - b[b[:, 2].argmin()]
    low[2] += rng.choice(
        [0.0, *(s * 10.0**-k for k in (4, 9, 13, 15) for s in (1, -1))]
    )
    way = np.append(rng.normal(size=2), 0.0)
    way *= 4.0 / np.linalg.norm(way)
    t = rng.uniform(0.2, 1.0)
    ends = b + low - t * way, b + low + (1.0 - t) * way
    return told._replace(points=((a, a), ends))


def far(rng: Rng) -> Sweep:
    """Lie far from the origin, as large or small as powers of two make them."""
    told = bend(rng)
    scale, shift = 2.0 ** rng.integers(-60, 60), 10.0 ** rng.integers(0, 8)
    where = shift * rng.normal(size=3)
    points = [tuple(scale * (x + where) for x in own) for own in told.points]
    return told._replace(points=(points[0], points[1]))


def fast(rng: Rng) -> Sweep:
    """Go a hundred times as far as the bodies are wide."""
    told = bend(rng)
    (b, end), way = told.points[1], rng.normal(size=3)
    way *= 10.0 ** rng.uniform(1, 4)
    middle = b.mean(axis=0)
    miss = 0.5 * rng.normal(size=3) - middle
    points = told.points[0], (b + miss - rng.random() * way, end + miss + way)
    return told._replace(points=points)


def near(rng: Rng) -> Sweep:
    """Ask for a distance."""
    told = (bend, turn)[int(rng.integers(2))](rng)
    return told._replace(distance=float(rng.choice([1e-9, 1e-3, 0.1])))


FAMILIES: dict[str, Callable[[Rng], Sweep]] = {
    family.__name__: family
    for family in (bend, turn, both, dented, lattice, graze, far, fast, near)
}


def drawn(family: str, number: int) -> Sweep:
    """Draw a sweep of a family; of ten thousand in a row one generator begins each."""
    seed = [list(FAMILIES).index(family), *divmod(number, 10_000)]
    return FAMILIES[family](np.random.default_rng(seed))
