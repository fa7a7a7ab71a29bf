"""Many bodies at once: a world beside MuJoCo's and coal's, in the same poses."""

import gc
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from bench import best, installed, resident, sphere
from numpy.typing import NDArray
from peers_deforming import coal_hull
from scipy.spatial.transform import Rotation

from sim import Body, Pose, World
from speed import Table, alone

Array = NDArray[np.float64]
Found = tuple[Array, ...]  # distance of every near pair, then points and normal
Step = Callable[[int], Found]  # put the bodies to a frame, answer, read
MARGIN, PITCH, STRAY = 0.3, 1.96, 0.25
FRAMES, COUNTS = 8, (100, 1000, 10_000)
ORDER = [*range(FRAMES), *range(1, FRAMES - 1)[::-1]]  # to and fro: none twice in a row


class Crowd:
    """Balls, turned at random, about the places of a grid; they drift and spin.

    Their frames are played forth and back, so that every frame is near the last one.
    1000 balls of 50 vertices: 8058 pairs of boxes near, 2201 near, 886 overlapping.
    """

    def __init__(self, count: int, vertices: int = 50) -> None:
        chance = np.random.default_rng(0)
        self.count = count
        self.hulls = [sphere(vertices, k) for k in range(min(count, 8))]
        self.meshes = [self.hulls[k % 8] for k in range(count)]
        side = int(np.ceil(count ** (1 / 3) - 1e-9))
        grid = np.indices((side, side, side)).reshape(3, -1).T[:count]
        places = PITCH * grid + chance.uniform(-STRAY, STRAY, (count, 3))
        drift, spin = 0.01 * chance.normal(size=(2, count, 3))
        turn = Rotation.random(count, random_state=1)
        self.turns = [Rotation.from_rotvec(2 * spin * k) * turn for k in range(FRAMES)]
        self.places = [places + drift * k for k in range(FRAMES)]
        self.poses = [
            np.concatenate([r.as_matrix(), x[:, :, None]], axis=2)
            for r, x in zip(self.turns, self.places, strict=True)
        ]

    def bodies(self, **how: Any) -> list[Body]:
        """Make the bodies, in the poses of the first frame."""
        poses = [Pose(row[:, :3], row[:, 3]) for row in self.poses[0]]
        pairs = enumerate(zip(self.meshes, poses, strict=True))
        return [Body(mesh, name=f"b{k}", pose=p, **how) for k, (mesh, p) in pairs]


def read(pairs: Any) -> Found:
    """Read the columns of all near pairs."""
    return pairs.distance, pairs.point_a, pairs.point_b, pairs.normal


def ours(
    crowd: Crowd,
    bodies: list[Body],
    margin: float | None = MARGIN,
    threads: int = 1,
    new: str = "",
) -> Step:
    """Step a world; of ``new`` "closed" or "open" bodies all vertices are new first."""
    world = World(bodies, margin=margin, contact_distance=1e-3, threads=threads)
    grown = [
        [(1.0 + 0.002 * ((k + i) % FRAMES)) * b.positions for i, b in enumerate(bodies)]
        for k in range(FRAMES if new else 0)
    ]
    live = [body.points for body in bodies] if new == "open" else []

    def step(k: int) -> Found:
        world.poses[...] = crowd.poses[k]
        if live:
            for array, points in zip(live, grown[k], strict=True):
                array[...] = points
        elif new:
            for body, points in zip(bodies, grown[k], strict=True):
                body.points = points
        return read(world.step().pairs)

    step.world = world
    return step


def mujoco(crowd: Crowd) -> Step:
    """Detect contacts of free bodies of one mesh each, one contact a pair."""
    import mujoco as engine

    spec = engine.MjSpec()
    spec.memory = max(1 << 26, crowd.count << 20)
    spec.option.disableflags |= engine.mjtDisableBit.mjDSBL_MULTICCD
    for k, mesh in enumerate(crowd.hulls):
        table = mesh.points.ravel().tolist(), mesh.fan.vertex.ravel().tolist()
        spec.add_mesh(name=f"m{k}", uservert=table[0], userface=table[1])
    for k in range(crowd.count):
        body = spec.worldbody.add_body()
        body.add_freejoint()
        kind, half = engine.mjtGeom.mjGEOM_MESH, MARGIN / 2  # margins of a pair add up
        body.add_geom(type=kind, meshname=f"m{k % 8}", margin=half)
    model = spec.compile()
    data = engine.MjData(model)
    rows = [
        np.hstack([x, r.as_quat(scalar_first=True)]).ravel()
        for x, r in zip(crowd.places, crowd.turns, strict=True)
    ]

    def step(k: int) -> Found:
        data.qpos[:] = rows[k]
        engine.mj_kinematics(model, data)
        engine.mj_comPos(model, data)
        engine.mj_collision(model, data)
        found = data.contact
        return found.dist, found.pos, found.frame

    return step


def coal(crowd: Crowd) -> Step:
    """Ask coal's dynamic tree of boxes, and its narrow phase for each near pair."""
    import coal as engine

    shapes = [coal_hull(mesh.points) for mesh in crowd.hulls]
    objects = [engine.CollisionObject(shapes[k % 8]) for k in range(crowd.count)]
    manager = engine.DynamicAABBTreeCollisionManager()
    ask = engine.CollisionCallBackDefault()
    for item in objects:
        manager.registerObject(item)
    manager.setup()
    ask.data.request.security_margin = MARGIN
    ask.data.request.num_max_contacts = 1 << 30
    rows = [
        [engine.Transform3s(m[:, :3].copy(), m[:, 3].copy()) for m in frame]
        for frame in crowd.poses
    ]

    def step(k: int) -> Found:
        for item, at in zip(objects, rows[k], strict=True):
            item.setTransform(at)
            item.computeAABB()
        manager.update()
        ask.init()
        manager.collide(ask)
        found = ask.data.result.getContacts()
        read = [(c.getNearestPoint1(), c.getNearestPoint2(), c.normal) for c in found]
        return np.array([c.penetration_depth for c in found]), read

    return step


PEERS = {"mujoco": mujoco, "coal": coal}


def bodies(quick: bool) -> Table:
    """Set all poses, step, read distance, points and normal of all near pairs; ms.

    Balls of 50 vertices; near is a third of their radius apart or less.  The other
    engines answer in the same poses: MuJoCo by ``mj_collision`` (kinematics included,
    one contact a pair), coal by its dynamic tree.  In the rows "all new" every vertex
    of every body was rewritten too, which neither of them does, by ``body.points =
    new``, or, "open", by ``body.points[...] = new``.  Two threads give the same bits as
    one, or this ends with an error.  A model of 10 000 bodies takes MuJoCo a minute to
    compile (0.23 s a frame then, once), and is left out.
    """
    rows: Table = []
    for count in (10, 30) if quick else COUNTS:
        crowd = Crowd(count)
        steps = {
            "wingedge": ours(crowd, crowd.bodies()),
            "wingedge, 2 threads": ours(crowd, crowd.bodies(), threads=2),
        }
        if count <= 1000:
            trusted = crowd.bodies(convexity="trust")
            steps["wingedge, all new, trust"] = ours(crowd, trusted, new="closed")
            steps["wingedge, all new"] = ours(crowd, crowd.bodies(), new="closed")
            steps["wingedge, all new, open"] = ours(crowd, crowd.bodies(), new="open")
        for name in installed(*PEERS):
            if (count, name) != (10_000, "mujoco"):
                steps[name] = PEERS[name](crowd)
        found = {name: step(0) for name, step in steps.items()}
        one, two = (found[name] for name in [*found][:2])
        if not all(map(np.array_equal, one, two)):
            raise RuntimeError(f"{count} bodies: two threads answer other bits")
        spent = milliseconds(steps, 1 if quick or count > 1000 else 5)
        for name, ms in spent.items():
            gaps = found[name][0]
            row = {"bodies": count, "engine": name, "ms a frame": ms}
            for peer in installed(*PEERS):
                if name not in PEERS and peer in spent:
                    row[f"/ {peer}"] = ms / spent[peer]
            row["of one thread"] = ms / spent["wingedge"]
            row["near"] = int((gaps <= MARGIN).sum())
            rows.append(row | {"overlapping": int((gaps < 0.0).sum())})
    return rows


def milliseconds(steps: dict[str, Step], rounds: int) -> dict[str, float]:
    """Return the mean over the frames of the least time of each, in rounds."""
    least = {name: np.full(len(ORDER), np.inf) for name in steps}
    for _ in range(rounds + 1):
        for name, step in steps.items():
            for i, k in enumerate(ORDER):
                least[name][i] = min(least[name][i], best(partial(step, k), 1))
    return {name: 1e3 * float(times.mean()) for name, times in least.items()}


def first_frame(quick: bool) -> Table:
    """Make a world and step it once: seconds, and the memory that this takes.

    Each in a process of its own.  Pairs are those that are answered for.
    """
    rows: Table = []
    for count, vertices in [(20, 50)] if quick else [(1000, 50), (200, 1000)]:
        pairs, first, _, taken = alone(_made, count, vertices, MARGIN, 0)
        row = {"bodies": count, "vertices": vertices, "pairs": pairs}
        rows.append(row | {"first frame, s": first, "kB a pair": taken / pairs / 1e3})
    return rows


def every_pair(quick: bool) -> Table:
    """Report every pair of balls of 50 vertices, however far (``margin=None``)."""
    rows: Table = []
    for count in (5, 10) if quick else (50, 100, 200):
        pairs, first, each, taken = alone(_made, count, 50, None, 2)
        row = {"bodies": count, "pairs": pairs, "first frame, ms": 1e3 * first}
        rows.append(row | {"ms a frame": each, "MB": taken / 1e6})
    return rows


def _made(
    count: int, vertices: int, margin: float | None, rounds: int
) -> tuple[int, float, float, int]:
    crowd = Crowd(count, vertices)
    bodies = crowd.bodies()
    before, begin = resident(), perf_counter()
    step = ours(crowd, bodies, margin)
    step(0)
    first = perf_counter() - begin
    each = milliseconds({"": step}, rounds)[""] if rounds else 0.0
    taken = resident() - before
    if margin is None:
        return count * (count - 1) // 2, first, each, taken
    return len(step.world._manager.told.answers), first, each, taken


def frames(quick: bool) -> Table:
    """Step on and on, 1000 balls of 50 vertices: the longest frame and pause; ms.

    A pause is one collection of garbage by Python, which stays on; ``full`` counts
    those of everything.  A tenth of 1000 frames to a row; those of one minute.
    """
    pauses, full = [0.0], [0]

    def watch(phase: str, told: dict[str, int]) -> None:
        if phase == "start":
            pauses.append(-perf_counter())
        else:
            pauses[-1] += perf_counter()
            full[0] += told["generation"] == 2

    crowd = Crowd(20 if quick else 1000)
    step, part = ours(crowd, crowd.bodies()), 2 if quick else 100
    step(0)
    end = perf_counter() + 60.0
    rows: Table = []
    gc.callbacks.append(watch)
    try:
        for k in range(0, 10 * part, part):
            spent = []
            pauses[:], full[0] = [0.0], 0
            for i in range(k, k + part):
                begin = perf_counter()
                step(ORDER[i % len(ORDER)])
                spent.append(1e3 * (perf_counter() - begin))
            row = {"frames": k + part, "median": float(np.median(spent))}
            row |= {"longest frame": max(spent), "longest pause": 1e3 * max(pauses)}
            rows.append(row | {"full": full[0]})
            if perf_counter() > end:
                break
    finally:
        gc.callbacks.remove(watch)
    return rows
