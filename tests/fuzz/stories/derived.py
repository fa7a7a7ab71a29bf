"""Two bodies anywhere or on a lattice, their derivatives held against small steps."""

from fractions import Fraction
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
STEP = Fraction(1, 10**30)  # the exact slopes are those of so short a step
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


def unposed(a: Body, b: Body) -> list[Body]:
    """Place vertices where they are, so that no pose rounds."""
    at, bodies = a.pose.translation, []
    for body in (a, b):
        bodies.append(Body(body.mesh))
        bodies[-1].points = body.world_points() - at
    return bodies


def exact_miss(state: PairState, given: Velocities) -> float:
    """Return by how much derivatives by vertices miss those of exact rationals.

    Slopes of the distance and the normal are those of the exact way between the points.
    Bodies have no pose.
    """
    found = derivatives(state)
    ids = found.distance.points_a[0], found.distance.points_b[0]
    bodies = list(zip((state.a, state.b), ids, given, strict=True))

    def at(h):
        return exact_points(
            *(exact(body.positions[k]) + h * exact(v[k]) for body, k, v in bodies)
        )

    points, later = at(Fraction(0)), at(STEP)
    dp, dq = (
        ((y - x) / STEP).astype(float) for x, y in zip(points, later, strict=True)
    )
    r, dr = (points[1] - points[0]).astype(float), dq - dp
    d = np.copysign(np.sqrt(r @ r), state.distance)
    n = r / d
    rate = n @ dr
    truth = {
        "distance": rate,
        "normal": (dr - rate * n) / d,
        "point_a": dp,
        "point_b": dq,
    }
    worst = 0.0
    for name, slope in truth.items():
        off = np.abs(along(getattr(found, name), given) - slope)
        worst = max(worst, float((off / (1.0 + np.abs(slope))).max()))
    return worst


def exact(numbers):
    return np.array([*map(Fraction, numbers.ravel())], object).reshape(numbers.shape)


def exact_points(x, y):
    """Return the closest points on the planes of two cells, by Cramer's rule."""
    sides = [p - x[0] for p in x[1:]] + [y[0] - q for q in y[1:]]
    way = y[0] - x[0]
    c = [u @ way for u in sides]
    t = []
    if len(sides) == 1:
        t = [c[0] / (sides[0] @ sides[0])]
    elif len(sides) == 2:
        u, v = sides
        uu, uv, vv = u @ u, u @ v, v @ v
        det = uu * vv - uv * uv
        t = [(vv * c[0] - uv * c[1]) / det, (uu * c[1] - uv * c[0]) / det]
    p, q = x[0], y[0]
    for k, share in enumerate(t):
        if k < len(x) - 1:
            p = p + sides[k] * share
        else:
            q = q - sides[k] * share
    return p, q
