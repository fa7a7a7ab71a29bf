"""Stories where nothing is in general position: parallel, level, touching, extreme."""

from collections.abc import Iterator

import numpy as np

from sim import Pose
from stories.bodies import any_body, flat_body, lattice_hull, needle, plate
from stories.placing import Anchor, anchor, facing, reach
from stories.story import FRAMES, Author, Plot, Step, World, each
from wingedge import WingedEdgeMesh

Rng = np.random.Generator
GAPS = [10.0**-k for k in range(1, 17)] + [0.0, -1e-9, -1e-12, -1e-15]
TILTS = [10.0**-k for k in range(1, 17)]
KINDS = ("VV", "VE", "VF", "EV", "EE", "EF", "FV", "FE", "FF")


def parallel(rng: Rng) -> Plot:
    """Close the gap between exactly parallel faces and edges, down through zero."""
    return _closing(rng, flat_body(rng), flat_body(rng), _parallel_kind(rng))


def nearly_parallel(rng: Rng) -> Plot:
    """Tilt parallel parts against each other by 1e-1 down to 1e-16."""
    a, b = flat_body(rng), flat_body(rng)
    p, q = _anchors(a, b, _parallel_kind(rng), rng)
    gap = float(rng.choice(GAPS))
    twist = _twist(rng)

    def step(k: int) -> Step:
        tilt = TILTS[k % 16] * (1.0 if k % 32 < 16 else -1.0)
        in_plane = TILTS[(k // 2) % 16] if k % 2 else 0.0
        return Step(facing(a, b, p, q, gap, twist=twist + in_plane, tilt=tilt))

    return each(a, b, step)


def touching(rng: Rng) -> Plot:
    """Touch exactly, in all nine kinds, and slide along."""
    a, b = any_body(rng), any_body(rng)
    kinds = [str(rng.choice(KINDS)) for _ in range(4)]
    pairs = [_anchors(a, b, kind, rng) for kind in kinds]

    def step(k: int) -> Step:
        p, q = pairs[k * len(pairs) // FRAMES]
        twist = float(k % 4) if k % 8 < 4 else 0.1 * k
        slide = (0.01 * (k % 5), 0.0) if k % 3 else (0.0, 0.0)
        return Step(facing(a, b, p, q, 0.0, twist=twist, slide=slide))

    return each(a, b, step)


def coincident(rng: Rng) -> Plot:
    """Lay a vertex exactly on a vertex, or on the middle of an edge or a face."""
    a, b = lattice_hull(rng), lattice_hull(rng)

    def step(k: int) -> Step:
        spot = a.points[rng.integers(a.n_vertices)]
        if k % 3 == 1:
            spot = a.points[a.edge_vertices[rng.integers(a.n_edges)]].mean(axis=0)
        own = b.points[rng.integers(b.n_vertices)]
        return Step(Pose(_quarters(rng, k // 6 % 4), spot - own))

    return each(a, b, step)


def sliding(rng: Rng) -> Plot:
    """Slide along a face at a constant gap, over its rim and back."""
    a, b = flat_body(rng), flat_body(rng)
    p, q = _anchors(a, b, _parallel_kind(rng), rng)
    gap, twist = _gap(rng), _twist(rng)
    far = reach(a) + reach(b)

    def step(k: int) -> Step:
        u = far * (2.0 * k / FRAMES - 1.0)
        return Step(facing(a, b, p, q, gap, twist=twist, slide=(u, 0.0)))

    return each(a, b, step)


def spinning(rng: Rng) -> Plot:
    """Spin about the normal at a constant gap, through whole quarter turns."""
    a, b = flat_body(rng), flat_body(rng)
    p, q = _anchors(a, b, _parallel_kind(rng), rng)
    gap = _gap(rng)

    return each(a, b, lambda k: Step(facing(a, b, p, q, gap, twist=k / 8.0)))


def needles(rng: Rng) -> Plot:
    """Bring needles of up to 1:1e6 together: crossing, along each other, on bodies."""
    a = needle(rng)
    b = needle(rng) if rng.random() < 0.6 else any_body(rng)
    return _either(rng, a, b)


def plates(rng: Rng) -> Plot:
    """Bring plates of up to 1e6:1 together, or one on another body."""
    a = plate(rng)
    b = plate(rng) if rng.random() < 0.6 else any_body(rng)
    return _either(rng, a, b)


def unequal(rng: Rng) -> Plot:
    """Bring together a body and one up to a million times larger."""
    a, b = any_body(rng), any_body(rng)
    larger = 10.0 ** rng.uniform(2.0, 6.0)
    return _scaled(_either(rng, a, b, larger), a.points * larger)


def far_away(rng: Rng) -> Plot:
    """Leave a scene that is parallel or general a million sizes from the origin."""
    plot = _either(rng, flat_body(rng), any_body(rng))
    shift = 1e6 * rng.normal(size=3)
    world = World(np.eye(3), shift, 1.0)
    steps = (
        step._replace(pose_a=world.place(step.pose_a), pose_b=world.place(step.pose_b))
        for step in plot.steps
    )
    return Plot(plot.a, plot.b, steps)


def off_centre(rng: Rng) -> Plot:
    """Give bodies that lie far from their own origin, or a corner of a huge one."""
    a, b = any_body(rng), any_body(rng)
    if rng.random() < 0.5:
        larger = 10.0 ** rng.uniform(2.0, 6.0)
        kind = "V" + str(rng.choice(["V", "E", "F"]))
        return _scaled(_closing(rng, a, b, kind, larger), a.points * larger)
    shift = rng.normal(size=3) * 10.0 ** rng.uniform(1.0, 6.0)
    plot = _either(rng, a, b)

    def steps() -> Iterator[Step]:
        for k, step in enumerate(plot.steps):
            pose = step.pose_b
            moved = Pose(pose.linear, pose.translation - pose.linear @ shift)
            yield Step(moved, points_b=b.points + shift if k == 0 else None)

    return Plot(a, b, steps())


def teleporting(rng: Rng) -> Plot:
    """Jump to an unrelated place in every frame, often a degenerate one."""
    a, b = any_body(rng), flat_body(rng)
    far = reach(a) + reach(b)

    def step(_: int) -> Step:
        if rng.random() < 0.5:
            at = rng.normal(size=3) * far * 0.7
            return Step(Pose.rigid(rng.normal(size=4), at))
        p, q = _anchors(a, b, str(rng.choice(KINDS)), rng)
        return Step(facing(a, b, p, q, _gap(rng), twist=_twist(rng)))

    return each(a, b, step)


def rewritten(rng: Rng) -> Plot:
    """Move and turn B by its vertices alone, scaled by whole powers and by chance."""
    plot = _either(rng, flat_body(rng), flat_body(rng))
    rest = plot.b.points

    def steps() -> Iterator[Step]:
        for k, step in enumerate(plot.steps):
            factor = (1.0, 2.0, 0.5, 1.0 + 0.1 * rng.random())[k % 4]
            yield Step(Pose.identity(), points_b=step.pose_b.apply(rest * factor))

    return Plot(plot.a, plot.b, steps())


DEGENERATE: dict[str, Author] = {
    author.__name__: author
    for author in (
        parallel,
        nearly_parallel,
        touching,
        coincident,
        sliding,
        spinning,
        needles,
        plates,
        unequal,
        far_away,
        off_centre,
        teleporting,
        rewritten,
    )
}


def _closing(
    rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh, kind: str, scale: float = 1.0
) -> Plot:
    p, q = _anchors(a, b, kind, rng, scale)
    large = _larger(a, scale)
    twist, rate = _twist(rng), float(rng.choice([0.0, 1e-3, 1e-15]))

    def step(k: int) -> Step:
        gap = GAPS[k % 20] if k % 40 < 20 else GAPS[19 - k % 20]
        slide = (rate * k, 0.0)
        return Step(facing(large, b, p, q, gap, twist=twist, slide=slide))

    return each(a, b, step)


def _tumbling(
    rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh, scale: float = 1.0
) -> Plot:
    p, q = _anchors(a, b, str(rng.choice(KINDS)), rng, scale)
    large = _larger(a, scale)
    gap = abs(_gap(rng))

    def step(k: int) -> Step:
        pose = facing(large, b, p, q, gap, twist=0.02 * k, tilt=0.01 * (k - 24))
        return Step(pose)

    return each(a, b, step)


def _either(rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh, scale: float = 1.0) -> Plot:
    if rng.random() < 0.5:
        return _closing(rng, a, b, str(rng.choice(KINDS)), scale)
    return _tumbling(rng, a, b, scale)


def _scaled(plot: Plot, points: np.ndarray) -> Plot:
    """Write A's vertices in the first frame."""

    def steps() -> Iterator[Step]:
        for k, step in enumerate(plot.steps):
            yield step._replace(points_a=points) if k == 0 else step

    return Plot(plot.a, plot.b, steps())


def _larger(mesh: WingedEdgeMesh, scale: float) -> WingedEdgeMesh:
    if scale == 1.0:
        return mesh
    faces = [mesh.face_vertices(f) for f in range(mesh.n_faces)]
    return WingedEdgeMesh.from_faces(mesh.points * scale, faces)


def _anchors(
    a: WingedEdgeMesh, b: WingedEdgeMesh, kind: str, rng: Rng, scale: float = 1.0
) -> tuple[Anchor, Anchor]:
    p = anchor(a, kind[0], rng)
    return p._replace(point=scale * p.point), anchor(b, kind[1], rng)


def _parallel_kind(rng: Rng) -> str:
    return str(rng.choice(["FF", "FF", "FE", "EF", "EE"]))


def _gap(rng: Rng) -> float:
    return float(rng.choice(GAPS))


def _twist(rng: Rng) -> float:
    which = rng.integers(4)
    if which < 2:
        return float(rng.integers(4))
    if which == 2:
        return float(rng.integers(4)) + 10.0 ** rng.uniform(-16.0, -1.0)
    return float(rng.uniform(0.0, 4.0))


def _quarters(rng: Rng, count: int) -> np.ndarray:
    turn = np.eye(3)
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for _ in range(count):
        order = np.roll(np.arange(3), int(rng.integers(3)))
        turn = quarter[np.ix_(order, order)] @ turn
    return turn
