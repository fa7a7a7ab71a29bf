"""What a frame costs when a body deforms, beside trees of boxes and an octree.

A is squashed and sheared, all of its vertices are new in every frame, and stays convex;
B is a ball of 80 faces that moves along it.  Structure: what must be done to the data
before the first question (write positions; refit or rebuild a tree).  Query: the
distance.  Processor time, the best round of all frames, in one process and thread.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from peers_deforming import coal_mesh, fcl_mesh

from paper_experiments import octree
from sim import Body, PairTracker, Pose, deform
from wingedge import WingedEdgeMesh, shapes

Array = NDArray[np.float64]
COLUMNS = ("faces", "engine", "structure_us", "query_us", "frames", "wrong")
WRONG = 1e-9  # per unit of size: all engines compute in float64


class Story(NamedTuple):
    """Where the vertices of A are in each frame, and where B is."""

    a: WingedEdgeMesh
    b: WingedEdgeMesh
    points: list[Array]  # of A
    poses: list[Pose]  # of B


Engine = tuple[Callable[[int], None], Callable[[], float]]  # structure, query


def told(level: int, frames: int) -> Story:
    """Deform A and lead B along it, 0.05 away where that is possible."""
    a, b = shapes.icosphere(level, 0.5), shapes.icosphere(1, 0.15)
    soft = deform.stack(
        deform.squash(lambda t: 0.3 * (0.5 - 0.5 * np.cos(2.0 * np.pi * t))),
        deform.shear(lambda t: 0.3 * np.sin(2.0 * np.pi * t)),
    )
    body, ball = Body(a), Body(b)
    guide = PairTracker(body, ball)
    points, poses = [], []
    for k in range(frames):
        t = k / frames
        body.points = soft(a.points, t)
        out = np.array([1.0, 0.8 * np.sin(5.0 * t), 0.9 * np.sin(7.0 * t + 1.0)])
        out /= np.linalg.norm(out)
        turn = Pose.rigid((0.3 * k, 1.0, -0.2, 5.0)).linear
        at = 2.0
        for _ in range(60):
            ball.pose = Pose(turn, at * out)
            gap = guide.update().distance
            if gap < 0.0505:
                break
            at -= gap - 0.05
        points.append(np.array(body.positions))
        poses.append(ball.pose)
    return Story(a, b, points, poses)


def certified(story: Story, strategy: str = "certified") -> Engine:
    """Answer by the tracker: the new positions are all that it is told."""
    a, b = Body(story.a), Body(story.b)
    live = a.points
    tracker = PairTracker(a, b, strategy=strategy)

    def structure(k: int) -> None:
        live[...] = story.points[k]
        b.pose = story.poses[k]

    return structure, lambda: tracker.update().distance


def boxes_of_coal(story: Story, refit: bool) -> Engine:
    """Answer by coal's tree of oriented boxes and spheres, refitted or rebuilt."""
    import coal

    triangles = np.asfortranarray(story.a.fan.vertex.astype(np.int32))
    columns = [np.asfortranarray(x) for x in story.points]
    listed = [coal.StdVec_Vec3s() for _ in columns] if refit else []
    for points, x in zip(listed, story.points, strict=False):
        points.extend(list(x))

    ball = coal_mesh(story.b.points, story.b.fan.vertex)
    here = coal.Transform3s.Identity()
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    now = [coal_mesh(columns[0], triangles), coal.Transform3s.Identity()]

    def structure(k: int) -> None:
        if refit:
            now[0].beginReplaceModel()
            now[0].replaceSubModel(listed[k])
            now[0].endReplaceModel(True, True)
        else:
            now[0] = coal_mesh(columns[k], triangles)
        pose = story.poses[k]
        now[1] = coal.Transform3s(np.array(pose.linear), np.array(pose.translation))

    def query() -> float:
        result.clear()
        return float(coal.distance(now[0], here, ball, now[1], request, result))

    return structure, query


def boxes_of_fcl(story: Story) -> Engine:
    """Answer by FCL's tree of boxes, rebuilt; its binding cannot refit one."""
    import fcl

    triangles = story.a.fan.vertex.astype(np.int64)
    ball = fcl.CollisionObject(fcl_mesh(story.b.points, story.b.fan.vertex))
    request = fcl.DistanceRequest()
    now: list[Any] = [None]

    def structure(k: int) -> None:
        now[0] = fcl.CollisionObject(fcl_mesh(story.points[k], triangles))
        pose = story.poses[k]
        ball.setTransform(fcl.Transform(pose.linear, pose.translation))

    return structure, lambda: fcl.distance(now[0], ball, request, fcl.DistanceResult())


def cells(story: Story) -> Engine:
    """Answer by an octree of our own in numpy, rebuilt."""
    triangles = story.a.fan.vertex.astype(np.int64)
    faces = story.b.fan.vertex.astype(np.int64)
    now: list[Any] = [None, None]

    def structure(k: int) -> None:
        now[0] = octree.build(story.points[k], triangles)
        now[1] = octree.build(story.poses[k].apply(story.b.points), faces)

    return structure, lambda: octree.distance(now[0], now[1])


ENGINES: dict[str, Callable[[Story], Engine]] = {
    "certified": certified,
    "paper (interpreted)": partial(certified, strategy="paper"),
    "coal, refitted": partial(boxes_of_coal, refit=True),
    "coal, rebuilt": partial(boxes_of_coal, refit=False),
    "python-fcl, rebuilt": boxes_of_fcl,
    "octree, rebuilt (numpy)": cells,
}


def rows(quick: bool) -> Iterator[tuple[object, ...]]:
    """Ask every engine that is installed, by the number of faces of A."""
    frames, rounds = (10, 1) if quick else (120, 3)
    for level in (1, 2) if quick else (1, 2, 3, 4, 5):
        story = told(level, frames)
        truths = np.array(_asked(certified(story), frames)[0])
        for name, made in ENGINES.items():
            try:
                engine = made(story)
            except ModuleNotFoundError:
                continue
            best = np.full(2, np.inf)
            for _ in range(rounds):
                found, spent = _asked(engine, frames)
                best = np.minimum(best, spent)
            wrong = int((np.abs(np.array(found) - truths) > WRONG).sum())
            cost = (f"{1e6 * seconds / frames:.1f}" for seconds in best)
            yield story.a.n_faces, name, *cost, frames, wrong


def _asked(engine: Engine, frames: int) -> tuple[list[float], Array]:
    """Play all frames; return the distances, and the seconds of both parts."""
    structure, query = engine
    found, spent = [], np.zeros(2)
    for k in range(frames):
        start = time.process_time()
        structure(k)
        middle = time.process_time()
        found.append(query())
        spent += middle - start, time.process_time() - middle
    return found, spent
