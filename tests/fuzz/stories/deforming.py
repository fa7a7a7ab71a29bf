"""Stories of two bodies of any shape that bend while they move.

A family is a deformation; what happens is one of the scripts below, in turn by seed.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sim import Pose
from stories.bending import BENDS, Bend
from stories.brute import Solid, crosses_itself, parts, winding
from stories.placing import Anchor, across, outward, reach, unit
from stories.solids import SIZES, any_solid, bent
from stories.story import FRAMES, Plot, Step
from wingedge import WingedEdgeMesh

Rng = np.random.Generator
GAPS = [10.0**-k for k in range(1, 17)] + [0.0, -1e-15, -1e-12, -1e-9, -1e-6, -1e-3]


class Cast(NamedTuple):
    a: WingedEdgeMesh
    b: WingedEdgeMesh
    bend_a: Bend
    bend_b: Bend


def approaching(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Come near, graze, draw back, tumbling and bending by little in each frame."""
    far = reach(cast.a) + reach(cast.b)
    way, drift = _direction(rng), 0.02 * rng.normal(size=3)
    turn, spin = rng.normal(size=4), 0.02 * rng.normal(size=4)
    near = float(rng.uniform(0.3, 0.9))
    for k in range(FRAMES):
        swing = 0.5 - 0.5 * np.cos(2.0 * np.pi * k / FRAMES)
        at = (way + k * drift) * far * (1.2 + (near - 1.2) * swing)
        pose = Pose.rigid(turn + k * spin, at)
        yield Step(pose, points_a=cast.bend_a(swing), points_b=cast.bend_b(1 - swing))


def closing(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Hold a part of B before one of A, at gaps of 1e-1 to 1e-16, 0 and below.

    Faces that face each other are exactly parallel as long as rounding leaves them.
    """
    for k in range(FRAMES):
        if k % len(GAPS) == 0:
            amounts = rng.choice([0.0, 0.5, 1.0], 2)
            x, y = cast.bend_a(amounts[0]), cast.bend_b(amounts[1])
            where = _spot(rng, cast.a, x), _spot(rng, cast.b, y)
            quarters = int(rng.integers(4)) if rng.random() < 0.7 else rng.random()
            scale = float(rng.choice([1.0, 0.25, 0.125]))  # exact: parallel stays so
        pose = _facing(*where, GAPS[k % len(GAPS)], quarters, scale=scale)
        yield Step(pose, points_a=x, points_b=y)


def teleporting(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Jump to another place, shape and stretch in every frame."""
    far = reach(cast.a) + reach(cast.b)
    for k in range(FRAMES):
        linear = Pose.rigid(rng.normal(size=4)).linear
        if k % 3 == 0:
            linear = linear @ np.diag(rng.uniform(0.3, 2.0, 3))
        inside_out = -1.0 if rng.random() < 0.03 else 1.0
        yield Step(
            Pose(linear, _direction(rng) * far * rng.uniform(0.4, 1.2)),
            points_a=inside_out * cast.bend_a(float(rng.random())),
            points_b=cast.bend_b(float(rng.random())),
        )


def swallowing(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Move a small B about in A, within its solid or its hollows, and out."""
    scale = float(rng.choice([0.02, 0.05, 0.1, 0.3])) * reach(cast.a) / reach(cast.b)
    start = np.zeros(3)
    way = _direction(rng) * reach(cast.a) / FRAMES
    turn, spin = rng.normal(size=4), 0.03 * rng.normal(size=4)
    for k in range(FRAMES):
        if k % 12 == 0:
            start = _within(rng, cast.a, hollow=k % 24 == 12)
        at = start + (k % 12) * way * (2.0 if k >= 24 else 0.5)
        linear = scale * Pose.rigid(turn + k * spin).linear
        t = k / FRAMES
        yield Step(Pose(linear, at), points_a=cast.bend_a(t), points_b=cast.bend_b(t))


def doubling(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Put the same body in the same place, then pull the two apart by little."""
    ways = [*np.eye(3), *-np.eye(3), _direction(rng)]
    wide = np.ptp(cast.a.points, axis=0)
    for k in range(FRAMES):
        x = cast.bend_a((k // 8) / 6.0)
        n = ways[int(rng.integers(len(ways)))]
        off = (0.0, 1e-16, 1e-12, 1e-6, 1e-3, 0.1, 1.0, 1.0)[k % 8]
        at = n * off * (float(np.abs(n) @ wide) if off == 1.0 else 1.0)
        yield Step(Pose(None, at), points_a=x, points_b=x)


def nesting(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Lay B along A's axes, a lattice step or half of one at a time."""
    at = _within(rng, cast.a, hollow=True)
    turn = np.eye(3)
    cell = float(rng.choice([1.0 / 6.0, 0.25, 1.0 / 3.0, 0.5]))
    linear = np.eye(3) * float(rng.choice([0.125, 0.25, 0.5, 1.0]))
    for k in range(FRAMES):
        if k % 8 == 7:
            axis = np.roll(np.arange(3), int(rng.integers(3)))
            turn = np.eye(3)[axis]
        if k % 12 == 0:
            at = np.rint(at / cell) * cell
        at = at + 0.5 * cell * rng.integers(-1, 2, 3)
        if np.abs(at).max() > 1.5 * reach(cast.a):
            at = np.zeros(3)
        amount = 0.0 if k % 4 else float(rng.random())
        yield Step(
            Pose(turn @ linear, at),
            points_a=cast.bend_a(amount),
            points_b=cast.bend_b(0.0),
        )


def grazing(rng: Rng, cast: Cast) -> Iterator[Step]:
    """Slide along a face at a constant small gap while both bend a little."""
    gap = float(rng.choice(GAPS[1:16]))
    where = None
    for k in range(FRAMES):
        t = 0.5 - 0.5 * np.cos(2.0 * np.pi * k / FRAMES)
        x, y = cast.bend_a(t), cast.bend_b(1.0 - t)
        if where is None:
            faces = int(rng.integers(cast.a.n_faces)), int(rng.integers(cast.b.n_faces))
            where = faces
        p, q = (_face(m, z, f) for m, z, f in zip(cast[:2], (x, y), where, strict=True))
        slide = 0.02 * (k - FRAMES / 2) * reach(cast.b)
        yield Step(_facing(p, q, gap, 0.0, slide, 0.25), points_a=x, points_b=y)


SCRIPTS: dict[str, Callable[[Rng, Cast], Iterator[Step]]] = {
    script.__name__: script
    for script in (
        approaching,
        closing,
        teleporting,
        swallowing,
        doubling,
        nesting,
        grazing,
    )
}


def script_of(seed: int) -> str:
    """Name the script that a seed plays."""
    return list(SCRIPTS)[seed % len(SCRIPTS)]


def bending(size: str, family: str, seed: int, rng: Rng) -> Plot:
    """Draw two bodies of a size, how they bend and what happens."""
    a = bent(rng, size) if rng.random() < 0.4 else any_solid(rng, size)
    b = any_solid(rng, size)
    if script_of(seed) == "doubling":
        b = a
    bend_a, bend_b = (_tamed(BENDS[family](rng, mesh), mesh) for mesh in (a, b))
    if rng.random() < 0.2:  # one of them stays as it is
        bend_b = BENDS["rigid"](rng, b)
    cast = Cast(a, b, bend_a, bend_b)
    return Plot(a, b, SCRIPTS[script_of(seed)](rng, cast))


def _tamed(bend: Bend, mesh: WingedEdgeMesh) -> Bend:
    triangles, segments = parts(mesh)
    most = 1.0
    while crosses_itself(Solid(bend(most), triangles, segments)):
        most *= 0.5
    return lambda amount: bend(most * amount)


def _spot(rng: Rng, mesh: WingedEdgeMesh, x: np.ndarray) -> Anchor:
    """Draw a point of a vertex, an edge or a face, and a way out of it."""
    which = rng.integers(4)
    if which >= 2:
        return _face(mesh, x, int(rng.integers(mesh.n_faces)))
    if which == 1:
        edge = int(rng.integers(mesh.n_edges))
        left, right = (_face(mesh, x, int(f)) for f in mesh.edge_faces[edge])
        tail, tip = x[mesh.edge_vertices[edge]]
        return Anchor(
            0.5 * (tail + tip), unit(left.normal + right.normal), unit(tip - tail)
        )
    vertex = int(rng.integers(mesh.n_vertices))
    out = sum(_face(mesh, x, int(f)).normal for f in mesh.vertex_faces(vertex))
    normal = unit(np.asarray(out))
    return Anchor(x[vertex], normal, across(normal))


def _face(mesh: WingedEdgeMesh, x: np.ndarray, face: int) -> Anchor:
    corners = x[mesh.face_vertices(face)]
    along = unit(corners[1] - corners[0])
    return Anchor(corners[:3].mean(axis=0), outward(corners), along)


def _facing(
    p: Anchor,
    q: Anchor,
    gap: float,
    quarters: float,
    slide: float = 0.0,
    scale: float = 1.0,
) -> Pose:
    c, s = np.cos(0.5 * np.pi * quarters), np.sin(0.5 * np.pi * quarters)
    along = c * p.along + s * np.cross(p.normal, p.along)
    into = Anchor(p.point, -p.normal, along).frame()
    linear = into @ q.frame().T
    linear = np.where(np.abs(linear - np.rint(linear)) < 4e-16, np.rint(linear), linear)
    linear = scale * linear
    at = p.point + gap * p.normal + slide * p.along
    return Pose(linear, at - linear @ q.point)


def _within(rng: Rng, mesh: WingedEdgeMesh, *, hollow: bool = False) -> np.ndarray:
    low, wide = mesh.points.min(axis=0), np.ptp(mesh.points, axis=0)
    tried = low + rng.random((60, 3)) * wide
    inside = winding(tried, Solid(mesh.points, *parts(mesh))) > 0.5
    wanted = tried[~inside] if hollow else tried[inside]
    return wanted[0] if len(wanted) else tried[0]


def _direction(rng: Rng) -> np.ndarray:
    return unit(rng.normal(size=3))


__all__ = ["SCRIPTS", "SIZES", "bending", "script_of"]
