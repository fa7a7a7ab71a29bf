"""Two bodies anywhere or on a lattice, their derivatives held against small steps."""

from itertools import permutations, product

import numpy as np

from sim import Body, PairState, Pose, closest, derivatives
from wingedge import convex_hull, shapes

BASE = [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]]
AXES = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
LATTICE = [
    shapes.box((2.0, 2.0, 2.0)),
    convex_hull(np.array([*BASE, [0, 0, 1]], float), merge_coplanar=True),
    convex_hull(np.array(AXES, float)),
    convex_hull(np.array([*BASE, [0, -1, 1], [0, 1, 1]], float), merge_coplanar=True),
    shapes.prism(6),
    shapes.tetrahedron(),
]
ANY = [
    *(shapes.random_hull(seed, n) for seed, n in ((1, 8), (2, 12), (3, 20), (4, 40))),
    *(shapes.tetrahedron(), shapes.box(), shapes.prism(5)),
]
TURNS = [
    turn
    for p in permutations(range(3))
    for signs in product((1.0, -1.0), repeat=3)
    if np.linalg.det(turn := np.diag(signs)[list(p)]) > 0.0
]
VALUES = ("distance", "normal", "point_a", "point_b")
Velocities = list[np.ndarray]


def anywhere(rng: np.random.Generator) -> tuple[Body, Body]:
    """Put two bodies from far apart to deep inside each other, one of them sheared."""
    a, b = (ANY[k] for k in rng.integers(len(ANY), size=2))
    shear = np.eye(3) + 0.1 * rng.normal(size=(3, 3))
    way = rng.normal(size=3)
    way *= rng.uniform(0.3, 3.0) * abs(a.points).max() / np.linalg.norm(way)
    at = rng.normal(size=3)
    pose = Pose(Pose.rigid(rng.normal(size=4)).linear @ shear, at)
    return Body(a, pose=pose), Body(b, pose=Pose.rigid(rng.normal(size=4), at + way))


def on_lattice(rng: np.random.Generator) -> tuple[Body, Body]:
    """Put two bodies so that faces, edges and vertices meet; a third of them touch."""
    a, b = (LATTICE[k] for k in rng.integers(len(LATTICE), size=2))
    turn_a, turn_b = (TURNS[k] for k in rng.integers(len(TURNS), size=2))
    at = rng.integers(-8, 9, size=3) / 4.0
    one, other = Body(a, pose=Pose(turn_a)), Body(b, pose=Pose(turn_b, at))
    state, mode = closest(one, other), int(rng.integers(3))
    if mode < 2:
        gap = 0.5 * mode - state.distance
        other.pose = Pose(turn_b, at + gap * state.normal)
    return one, other


def velocities(rng: np.random.Generator, state: PairState, twist: bool) -> Velocities:
    """Return a velocity of each body: a twist, or one of every vertex."""
    if twist:
        return [rng.normal(size=6) for _ in "ab"]
    return [rng.normal(size=body.positions.shape) for body in (state.a, state.b)]


def step(state: PairState, given: Velocities, h: float) -> PairState:
    """Answer for copies of the bodies a time h later."""
    bodies = []
    for body, v in zip((state.a, state.b), given, strict=True):
        copy = Body(body.mesh, pose=body.pose, convexity=body.convexity)
        if v.ndim == 1:
            x, y, z = h * v[3:]
            spin = np.array([[1.0, -z, y], [z, 1.0, -x], [-y, x, 1.0]])
            at = body.pose.translation + h * v[:3]
            copy.points = body.positions
            copy.pose = Pose(spin @ body.pose.linear, at)
        else:
            copy.points = body.positions + h * v
        bodies.append(copy)
    return closest(*bodies, exact=True)


def along(gradient, given: Velocities):
    """Return the slope of a number or a vector that its derivatives promise."""
    va, vb = given
    if va.ndim == 1:
        return gradient.twist_a @ va + gradient.twist_b @ vb
    (ids_a, by_a), (ids_b, by_b) = gradient.points_a, gradient.points_b
    by = (by_a * va[ids_a]).sum(axis=(-1, -2)) + (by_b * vb[ids_b]).sum(axis=(-1, -2))
    return by


def miss(state: PairState, given: Velocities, h: float = 1e-6) -> float:
    """Return by how much all derivatives miss central differences; NaN at an event."""
    after, before = step(state, given, h), step(state, given, -h)
    for name in ("feature_a", "feature_b"):
        if getattr(after, name) != getattr(before, name):
            return np.nan
    found, worst = derivatives(state), 0.0
    for name in VALUES:
        slope = (getattr(after, name) - getattr(before, name)) / (2.0 * h)
        told = along(getattr(found, name), given)
        worst = max(worst, np.abs(told - slope).max() / (1.0 + np.abs(told).max()))
    return worst


def one_sided_miss(state: PairState, given: Velocities, h: float = 2e-6) -> float:
    """Return by how much the one-sided slopes miss those of small steps."""
    told = derivatives(state).along(*given)

    def slope(h: float) -> float:
        return (step(state, given, h).distance - state.distance) / h

    found = [2.0 * slope(0.5 * h) - slope(h) for h in (-h, h)]
    return float(np.abs(np.subtract(told, found)).max())
