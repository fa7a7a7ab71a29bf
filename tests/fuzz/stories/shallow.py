"""Stories of bodies that overlap by next to nothing, or are as little apart.

Gridded faces whose positions are written, not posed, are level but for the last bits;
overlaps of 0 to 1e-7 of the size are then as near to one axis as to the next.
"""

import numpy as np

from sim import Body, Pose, closest
from stories.solids import any_solid, bent
from stories.story import Plot, Step, Story, each
from wingedge import WingedEdgeMesh, shapes

Rng = np.random.Generator
DEPTHS = [0.0, *(10.0**-k for k in range(7, 17))]
GAPS = [1e-9, 1e-12, 1e-13, 1e-14, 4e-15]
TILTS = [0.0, 0.0, 1e-9, 1e-12, 1e-14, 1e-16]


def shallow(rng: Rng) -> Plot:
    """Press gridded bodies into each other by next to nothing, and slide and turn."""
    return pressed(rng, gridded(rng, 54), gridded(rng, 54))


def gridded(rng: Rng, vertices: int) -> WingedEdgeMesh:
    if rng.random() < 0.3:
        return shapes.cylinder(vertices // 2, height=float(rng.uniform(0.3, 1.0)))
    thick = int(rng.integers(1, 1 + int((vertices / 6.0) ** 0.5)))
    wide = (thick * thick + vertices / 2.0) ** 0.5 - thick - 1.0
    return shapes.grid_box(
        (max(1, int(wide)), max(1, int(wide)), thick),
        tuple(rng.uniform(0.5, 1.5, 3)),
        triangles=bool(rng.integers(2)),
    )


def pressed(
    rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh, tilts: list[float] = TILTS
) -> Plot:
    """Lay B on A, along z, by written positions with noise of the last bit."""
    turn = Pose.rigid(rng.normal(size=4)).linear
    shift = rng.normal(size=3) * float(rng.choice([0.0, 1.0, 10.0]))
    top = float(a.points[:, 2].max()) - float(b.points[:, 2].min())

    def step(k: int) -> Step:
        angle = float(rng.choice([0.0, 0.1 * k, 1e-9]))
        way = np.array([*rng.uniform(-0.4, 0.4, 2), 0.0])
        way[2] = top - float(rng.choice(DEPTHS))
        tilt = np.eye(3)
        tilt[0, 2] = float(rng.choice(tilts))
        tilt[2, 0] = -tilt[0, 2]
        spin = tilt @ Pose.rigid((0.0, 0.0, np.sin(angle), np.cos(angle))).linear
        at = Pose(turn, shift)
        one = noisy(rng, at.apply(a.points))
        other = noisy(rng, at.apply(Pose(spin, way).apply(b.points)))
        return Step(Pose.identity(), points_a=one, points_b=other)

    return each(a, b, step)


def cubes(rng: Rng, vertices: int) -> WingedEdgeMesh:
    mesh = shapes.u_block()
    for n in range(3, 100):
        filled = np.ones((n, n, max(2, n // 2)), bool)
        filled[n // 3 : n - n // 3, :, 1:] = False
        mesh = shapes.polycube(filled, 1.0 / n)
        if mesh.n_vertices >= vertices:
            break
    return mesh


def grooved(rng: Rng, vertices: int) -> WingedEdgeMesh:
    """Draw a grooved block, a wheel or a star of about so many vertices."""
    which = rng.integers(4)
    if which == 0:
        return shapes.gear(vertices // 8)
    if which == 1:
        return shapes.star(vertices // 4, inner=0.8 * np.cos(4.0 * np.pi / vertices))
    return cubes(rng, vertices)


def resting(family: str, vertices: int, seed: int) -> Story:
    """Tell how two bodies of about so many vertices rest on each other."""
    plot = RESTING[family](np.random.default_rng(seed), vertices)
    return Story(family, seed, plot.a, plot.b, list(plot.steps))


def flush(rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh) -> Plot:
    """Set B beside A on A's lattice, face to face, or into its groove."""
    cell = float(np.ptp(a.points[:, 0])) / len(np.unique(a.points[:, 0]).round(9))
    half = np.ptp(a.points, axis=0) / 2, np.ptp(b.points, axis=0) / 2
    world = Pose.rigid(rng.normal(size=4)) if rng.random() < 0.5 else Pose.identity()

    def step(_: int) -> Step:
        turn = np.eye(3)[rng.permutation(3)]
        turn[0] *= np.linalg.det(turn)
        way = rng.integers(-2, 3, 3) * cell * 0.5
        k = int(rng.integers(3))
        way[k] = (half[0] + np.abs(turn) @ half[1])[k] * float(rng.choice([-1, 1]))
        at = Pose(turn, middle(a) + way - turn @ middle(b))
        return Step(world @ at, world)

    return each(a, b, step)


def middle(mesh: WingedEdgeMesh) -> np.ndarray:
    return 0.5 * (mesh.points.max(axis=0) + mesh.points.min(axis=0))


def touch(rng: Rng) -> Plot:
    """Drop a body on one that is not convex, from all sides, until they touch."""
    return dropped(rng, bent(rng, "small"), any_solid(rng, "small"))


def dropped(rng: Rng, mesh: WingedEdgeMesh, other: WingedEdgeMesh) -> Plot:
    a, b = Body(mesh), Body(other)

    def step(_: int) -> Step:
        turn, way = np.eye(3)[rng.permutation(3)], np.eye(3)[rng.integers(3)]
        turn[0] *= np.linalg.det(turn)
        if rng.random() < 0.6:
            turn, way = Pose.rigid(rng.normal(size=4)).linear, rng.normal(size=3)
            way /= np.sqrt(way @ way)
        scale = float(rng.choice([0.25, 0.5, 1.0]))
        b.pose = Pose(scale * turn, 6.0 * way + rng.integers(-4, 5, 3) / 8.0)
        return Step(drop(a, b, way, float(rng.choice(GAPS))))

    return each(a.mesh, b.mesh, step)


def drop(a: Body, b: Body, way: np.ndarray, gap: float) -> Pose:
    """Move B against a way until it is less than a gap from A, or would pass it."""
    state = closest(a, b)
    for _ in range(100):
        if state.distance <= gap or state.distance > 100.0:  # it went by
            break
        step = (state.distance - 0.5 * gap) * way
        before, last = b.pose, state.distance
        b.pose = Pose(b.pose.linear, b.pose.translation - step)
        state = closest(a, b)
        if state.distance > last:
            return before
    return b.pose


def noisy(rng: Rng, points: np.ndarray) -> np.ndarray:
    aims = points + rng.integers(-1, 2, points.shape)
    return np.nextafter(points, aims)


RESTING = {
    "convex": lambda rng, v: pressed(rng, gridded(rng, v), gridded(rng, v), [0.0]),
    "tilted": lambda rng, v: pressed(rng, gridded(rng, v), gridded(rng, v)),
    "bent": lambda rng, v: pressed(rng, cubes(rng, v), grooved(rng, v), [0.0]),
    "touch": lambda rng, v: dropped(rng, grooved(rng, v), grooved(rng, v)),
    "flush": lambda rng, v: flush(rng, cubes(rng, v), cubes(rng, v)),
}
