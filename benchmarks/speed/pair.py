"""One pair: a frame as a user writes it, whole trajectories, all vertices new."""

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from bench import ball, best, installed, sphere
from peers_deforming import CoalConvex, CoalMesh, coal_hull, coal_mesh, fcl_hull
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, closest, set_engine
from speed import Table, interleaved
from wingedge import WingedEdgeMesh, shapes

SIZES = 8, 50, 1000, 20_000
REACH = 0.02
Play = Callable[[], float]  # all frames; returns the last distance


def hulls(vertices: int) -> tuple[WingedEdgeMesh, WingedEdgeMesh]:
    """Make two boxes, or two random hulls."""
    if vertices == 8:
        return shapes.box(), shapes.box()
    return sphere(vertices, 1), sphere(vertices, 2)


def tumble(frames: int, degrees: float, apart: float = 2.5) -> list[Pose]:
    """Turn about an axis that wanders, half a radius away or overlapping."""
    turn, poses = Rotation.identity(), []
    for k in range(frames):
        axis = np.array([np.sin(0.01 * k), np.cos(0.013 * k), 0.5])
        axis *= np.deg2rad(degrees) / np.linalg.norm(axis)
        turn = Rotation.from_rotvec(axis) * turn
        poses.append(Pose.rigid(turn, (apart, 0.1 * np.sin(0.01 * k), 0.1)))
    return poses


def ours(
    a: Body, b: Body, poses: list[tuple[Pose, Pose]], engine: str = "compiled"
) -> Play:
    """Set both poses, update, read what a simulation reads."""
    tracker = PairTracker(a, b)

    def play() -> float:
        set_engine(engine)
        for here, there in poses:
            a.pose = here
            b.pose = there
            state = tracker.update()
            found = state.distance, state.point_a, state.point_b, state.normal
        set_engine("compiled")
        return found[0]

    return play


def coal(a: WingedEdgeMesh, b: WingedEdgeMesh, poses: list[tuple[Pose, Pose]]) -> Play:
    """Ask coal, warm-started from its own cached guess; transforms made beforehand."""
    import coal as engine

    one, other = coal_hull(a.points), coal_hull(b.points)
    request, result = engine.DistanceRequest(), engine.DistanceResult()
    request.gjk_initial_guess = engine.GJKInitialGuess.CachedGuess
    placed = [
        [engine.Transform3s(np.array(p.linear), np.array(p.translation)) for p in both]
        for both in poses
    ]

    def play() -> float:
        for here, there in placed:
            result.clear()
            distance = engine.distance(one, here, other, there, request, result)
            request.updateGuess(result)
            points = result.getNearestPoint1(), result.getNearestPoint2()
            found = distance, points, result.normal
        return float(found[0])

    return play


def python_fcl(
    a: WingedEdgeMesh, b: WingedEdgeMesh, poses: list[tuple[Pose, Pose]]
) -> Play:
    """Ask FCL, cold every frame: its Python wrapper keeps no guess."""
    import fcl

    one, other = (fcl_hull(mesh.points, mesh.fan.vertex) for mesh in (a, b))
    request = fcl.DistanceRequest(enable_nearest_points=True)
    placed = [[fcl.Transform(p.linear, p.translation) for p in both] for both in poses]

    def play() -> float:
        for here, there in placed:
            one.setTransform(here)
            other.setTransform(there)
            result = fcl.DistanceResult()
            found = fcl.distance(one, other, request, result), result.nearest_points
        return float(found[0])

    return play


def frame_of_a_pair(quick: bool) -> Table:
    """Set both poses, update, read distance, both points and normal; us a frame.

    A ball of V vertices, or a box, turns by 1 degree a frame, half a radius away from
    another one or deep in it.  Poses are made beforehand, coal's transforms too;
    python-fcl is cold in every frame and gives no normal, and no depth, so it is asked
    apart only.  "track": all frames in one call of `tracker.track`, half a degree each.
    "/ coal" is default over coal; "differ" is how far the distances of all engines are
    apart at the end.
    """
    peers = {"coal": coal, "python-fcl": python_fcl}
    rows: Table = []
    frames, rounds = (30, 2) if quick else (300, 9)
    resting = [Pose.rigid(None, (0.001 * (k % 7), 0.0, 0.0)) for k in range(frames)]
    for where, apart in (("apart", 2.5), ("overlapping", 0.5)):
        poses = list(zip(resting, tumble(frames, 1.0, apart), strict=True))
        for vertices in SIZES[:2] if quick else SIZES[: 4 if apart > 2.0 else 3]:
            a, b = hulls(vertices)
            plays = {
                "default": ours(Body(a), Body(b), poses),
                "trust": ours(*(Body(m, convexity="trust") for m in (a, b)), poses),
            }
            for name in installed(*peers):
                if name == "coal" or where == "apart":
                    plays[name] = peers[name](a, b, poses)
            told = [play() for play in plays.values()]
            us = interleaved(plays, rounds, 1e-6 * frames)
            slow = {"interpreted": ours(Body(a), Body(b), poses[:30], "python")}
            us |= interleaved(slow, 1, 30e-6)
            if where == "apart":
                us |= _tracked(a, b, quick)
            row = {"vertices": vertices, "bodies are": where, **us}
            if "coal" in us:
                row["/ coal"] = us["default"] / us["coal"]
            rows.append(row | {"differ": f"{max(told) - min(told):.0e}"})
    return rows


def _tracked(a: WingedEdgeMesh, b: WingedEdgeMesh, quick: bool) -> dict[str, float]:
    frames, rounds = (100, 2) if quick else (3000, 15)
    moves = np.array([pose.matrix for pose in tumble(frames, 0.5)])
    follow = partial(PairTracker(Body(a), Body(b)).track, poses_b=moves)
    return interleaved({"track": follow}, rounds, 1e-6 * frames)


def new_vertices(quick: bool) -> Table:
    """Give both bodies all their vertices anew, update, read the distance; us a frame.

    ``body.points = new`` of closed bodies: what is new is scanned, and nobody asks how
    convex it is.  "ns an edge" is what this adds to a frame in which nothing moved.
    coal's vertices are overwritten in place: right for as long as they stay convex.
    """
    rows: Table = []
    frames, rounds = (10, 2) if quick else (60, 9)
    at = Pose.rigid((0.1, 0.2, 0.3, 1.0), (2.5, 0.1, 0.1))
    for vertices in SIZES[:2] if quick else SIZES:
        a, b = hulls(vertices)
        swell = [1.0 + 0.002 * min(k, frames - k) for k in range(frames)]
        new = [(f * a.points, at.apply(f * b.points)) for f in swell]
        calls = {"at rest": _rewritten(Body(a), Body(b, pose=at), new, 0)}
        for name, how in (("default", {}), ("trust", {"convexity": "trust"})):
            calls[name] = _rewritten(Body(a, **how), Body(b, **how), new)
        if installed("coal"):
            engine = CoalConvex(*((m.points, m.fan.vertex) for m in (a, b)))
            calls[engine.name] = lambda e=engine, new=new: [e(x, y) for x, y in new]
        us = interleaved(calls, rounds, 1e-6 * frames)
        row = {"vertices": vertices, **us}
        for name in ("default", "trust"):
            more = 1e3 * (us[name] - us["at rest"]) / (a.n_edges + b.n_edges)
            row[f"{name}, ns an edge"] = more
        if CoalConvex.name in us:
            row["/ coal"] = us["default"] / us[CoalConvex.name]
        rows.append(row)
    return rows


def _rewritten(
    a: Body, b: Body, new: list[tuple[np.ndarray, np.ndarray]], moved: int = 1
) -> Callable[[], object]:
    tracker = PairTracker(a, b)

    def play() -> None:
        for x, y in new:
            if moved:
                a.points = x
                b.points = y
            _ = tracker.update().distance

    return play


def dented(quick: bool) -> Table:
    """Follow a ball with a tenth of its vertices pushed in; us a frame.

    The dent, smooth or a mirrored cap, faces another ball; all vertices are new in
    every frame.  coal refits its tree of boxes, from lists that Python fills point by
    point, and tells no depth.
    """
    rows: Table = []
    frames, rounds = (4, 1) if quick else (12, 3)
    for vertices, dent, where in product(
        (50,) if quick else (1000, 5000), ("smooth", "cap"), ("apart", "overlapping")
    ):
        mesh, pushed = ball(vertices), ball(vertices).points.copy()
        top = pushed[:, 2] > 0.8
        depth = 0.3 * ((pushed[top, 2] - 0.8) / 0.2) ** 2
        if dent == "cap":
            pushed[top, 2] = 1.6 - pushed[top, 2]
        else:
            pushed[top] *= (1.0 - depth)[:, None]
        at = np.array([0.1, 0.05, 2.3 if where == "apart" else 1.6])
        new = [
            (f * pushed, f * mesh.points + at)
            for f in 1.0 + 1e-3 * np.sin(0.3 * np.arange(frames))
        ]
        bodies = Body(mesh), Body(mesh)
        calls = {"wingedge": _rewritten(*bodies, new)}
        if installed("coal"):
            engine = CoalMesh(*((x, mesh.fan.vertex) for x in new[0]))
            calls[engine.name] = lambda e=engine, new=new: [e(x, y) for x, y in new]
        us = interleaved(calls, rounds, 1e-6 * frames)
        row = {"vertices": vertices, "dent": f"{dent}, {where}", **us}
        if CoalMesh.name in us:
            row["/ coal"] = us["wingedge"] / us[CoalMesh.name]
        rows.append(row | {"certified": str(closest(*bodies).certified)})
    return rows


def cover(quick: bool) -> Table:
    """Make the convex hull of a dented ball that twists, beside Qhull alone; us.

    All vertices are new in every frame, written before the clock starts.
    """
    rows: Table = []
    for vertices in (100,) if quick else (1000, 5000):
        mesh = sphere(vertices, vertices)
        x, y, z = mesh.points.T
        z = z - 0.3 * np.clip((z - 0.8) / 0.2, 0.0, 1.0)
        angles = [0.005 * k * z for k in range(4 if quick else 60)]
        turns = [(np.cos(a), np.sin(a)) for a in angles]
        twisted = [np.stack([c * x - s * y, s * x + c * y, z], 1) for c, s in turns]
        body, least = Body(mesh), np.full((2, 2 * len(twisted)), np.inf)
        for _ in range(3):
            for k, points in enumerate([*twisted, *twisted[::-1]]):
                body.points[...] = points
                hull = partial(ConvexHull, points)
                spent = best(body.cover, 1), best(hull, 1)
                least[:, k] = np.minimum(least[:, k], spent)
        us, qhull = (1e6 * least.mean(axis=1)).tolist()
        row = {"vertices": vertices, "`body.cover()`": us, "Qhull": qhull}
        rows.append(row | {"/ Qhull": us / qhull})
    return rows


def regions(quick: bool) -> Table:
    """Find all contacts of two boxes that lie on each other, finely cut; us a frame.

    "one": the closest features alone.  coal lists the contacts of its trees of boxes.
    """
    rows: Table = []
    for cells in (1, 2) if quick else (1, 2, 4, 8):
        mesh = shapes.grid_box((cells, cells, 1), (1.0, 1.0, 1.0), triangles=True)
        pair = Body(mesh, pose=Pose(None, (0.13, 0.07, 1.01))), Body(mesh)
        one, many = (
            PairTracker(*pair, contact_distance=REACH, regions=every)
            for every in (False, True)
        )
        calls = {"one": one.update, "`regions=True`": many.update}
        if installed("coal"):
            calls["coal"] = _all_contacts(mesh, pair[0].pose)
        us = interleaved(calls, 5 if quick else 100, 1e-6)
        near = sum(len(region.faces) for region in many.update().regions)
        row = {"triangles": 2 * len(mesh.fan.face), "near pairs": near, **us}
        row["more, a pair"] = (us["`regions=True`"] - us["one"]) / near
        if "coal" in us:
            row["/ coal"] = us["`regions=True`"] / us["coal"]
        rows.append(row)
    return rows


def _all_contacts(mesh: WingedEdgeMesh, pose: Pose) -> Callable[[], object]:
    import coal as engine

    tree = coal_mesh(mesh.points, mesh.fan.vertex)
    at = engine.Transform3s(np.array(pose.linear), np.array(pose.translation))
    request = engine.CollisionRequest()
    request.num_max_contacts, request.security_margin = 1 << 30, REACH

    def play() -> object:
        result = engine.CollisionResult()
        engine.collide(tree, at, tree, engine.Transform3s.Identity(), request, result)
        return result.getContacts()

    return play
