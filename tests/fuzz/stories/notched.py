"""Stories of bodies that are not convex: level prongs, rings, crumpled balls."""

from collections.abc import Iterator

import numpy as np

from sim import Body, PairState, Pose
from stories.bodies import flat_body, needle
from stories.brute import solids, truth
from stories.story import FRAMES, Author, Plot, Step, each
from wingedge import WingedEdgeMesh, shapes
from wingedge.mesh import triangles_of
from wingedge.primitives import point_triangle

Rng = np.random.Generator
HEIGHTS = [0.1, 1e-3, 1e-6, 1e-9, 0.0, -1e-12, -1e-6, -1e-3, -0.02, -0.1]


def comb(rng: Rng) -> WingedEdgeMesh:
    """Draw a block with a few prongs of one height, a cell wide, in one row or two."""
    prongs = int(rng.integers(2, 5))
    filled = np.ones((2 * prongs - 1, int(rng.integers(1, 4)), 3), bool)
    filled[1::2, :, 1:] = False
    if filled.shape[1] == 3:
        filled[:, 1, 1:] = False
    return shapes.polycube(filled, 0.5)


def ringed(rng: Rng) -> WingedEdgeMesh:
    """Draw a body with level parts around a hole, or with notches in their outline."""
    which = rng.integers(6)
    if which == 0:
        return shapes.ring((2.0, 2.0, 0.5))
    if which == 1:
        return shapes.cup(int(rng.integers(3, 12)), wall=0.2)
    if which == 2:
        return shapes.gear(int(rng.integers(3, 7)))
    if which == 3:
        return shapes.star(int(rng.integers(3, 8)))
    return shapes.l_block(2.0) if which == 4 else shapes.u_block((2.0, 2.0, 0.5))


def prongs(rng: Rng) -> Plot:
    """Press a body into the level ends of prongs, and slide it from one to another."""
    b = needle(rng) if rng.random() < 0.2 else flat_body(rng)
    return _sliding(rng, comb(rng), b, np.array([0.0, 0.0, 1.0]))


def rings(rng: Rng) -> Plot:
    """Slide a body over level parts without a convex outline, above, at and in them."""
    a = ringed(rng)
    b = ringed(rng) if rng.random() < 0.4 else flat_body(rng)
    way = np.zeros(3)
    way[rng.integers(3)] = rng.choice([-1.0, 1.0])
    return _sliding(rng, a, b, way)


def crumpled(rng: Rng) -> Plot:
    """Put a small body here and there in a ball that crosses itself."""
    a, b = shapes.icosphere(1), shapes.icosphere(0)
    points = a.points + rng.uniform(-0.5, 0.5, a.points.shape)

    def step(k: int) -> Step:
        pose = Pose(0.02 * np.eye(3), rng.uniform(-0.9, 0.9, 3))
        return Step(pose, points_a=points if k == 0 else None)

    return each(a, b, step)


def _sliding(rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh, way: np.ndarray) -> Plot:
    """Slide B over the top of A, at one height for a while, then at another."""
    top = float((a.points @ way).max())
    across = np.abs(way) < 0.5
    turn = Pose.rigid(rng.normal(size=4)).linear if rng.random() < 0.5 else np.eye(3)
    turn = turn * float(rng.choice([0.25, 0.5, 1.0]))
    low = float((b.points @ turn.T @ way).min())

    def steps() -> Iterator[Step]:
        reach = np.abs(a.points).max(axis=0) * across
        ends = rng.uniform(-1.0, 1.0, (2, 3)) * reach
        for k in range(FRAMES):
            if k % 12 == 0:
                height = float(rng.choice(HEIGHTS))
                ends = np.array([ends[1], rng.uniform(-1.0, 1.0, 3) * reach])
            at = ends[0] + (k % 12) / 12.0 * (ends[1] - ends[0])
            if rng.random() < 0.3:
                at = np.round(4.0 * at) / 4.0
            yield Step(Pose(turn, at + (top - low + height) * way))

    return Plot(a, b, steps())


def off_features(state: PairState, a: Body, b: Body) -> str:
    """Say how far the points of an overlap are off the features that they are named by.

    Of convex bodies none is, else one may be: where only the hulls touch once B has
    moved back, by the distance of the surfaces then.
    """
    one = off_parts(a, state.parts_a, state.point_a)
    other = off_parts(b, state.parts_b, state.point_b)
    here = float(np.abs([*a.transform[:, 3], *b.transform[:, 3]]).max())
    slack = 1e-9 * state.size + 1e-14 * here
    if min(one, other) > slack:
        return f"off both features: by {min(one, other):g}"
    if max(one, other) <= slack:
        return ""
    moved = Body(b.mesh, name="moved")
    moved.points = b.positions
    back = b.transform[:, 3] - state.distance * state.normal
    moved.pose = Pose(b.transform[:, :3], back)
    parted = truth(*solids(a, moved, {})).gap
    off = abs(max(one, other) - parted)
    return f"off a feature: by {off:g}" if off > 1e-6 * state.size + slack else ""


def off_parts(body: Body, parts: tuple, point: np.ndarray) -> float:
    """Return how far a point is from the parts that it is said to lie on."""
    x = body.positions @ body.transform[:, :3].T + body.transform[:, 3]
    corners = x[[t for part in parts for t in triangles_of(body.mesh, part)]]
    hit = point_triangle.closest(point, *corners.swapaxes(0, 1))
    return float(np.sqrt(hit.distance_sq.min()))


NOTCHED: dict[str, Author] = {"prongs": prongs, "rings": rings, "crumpled": crumpled}
