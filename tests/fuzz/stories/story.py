"""What a story is, and how it is told to two bodies."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Body, Pose
from wingedge import WingedEdgeMesh

FRAMES = 48  # of every story
Points = NDArray[np.float64]


class Step(NamedTuple):
    """What changes in one frame; None leaves it as it was."""

    pose_b: Pose
    pose_a: Pose = Pose.identity()
    points_a: Points | None = None
    points_b: Points | None = None


class World(NamedTuple):
    turn: Points  # (3, 3)
    shift: Points  # (3,)
    scale: float

    def place(self, pose: Pose) -> Pose:
        linear = self.scale * (self.turn @ pose.linear)
        return Pose(linear, self.scale * (self.turn @ pose.translation) + self.shift)


class Plot(NamedTuple):
    """Two meshes and what happens to them, before the world is chosen."""

    a: WingedEdgeMesh
    b: WingedEdgeMesh
    steps: Iterator[Step]


def each(a: WingedEdgeMesh, b: WingedEdgeMesh, step: Callable[[int], Step]) -> Plot:
    """Return the plot of two meshes by what happens in each frame, asked one by one."""
    return Plot(a, b, map(step, range(FRAMES)))


Author = Callable[[np.random.Generator], Plot]


class Story(NamedTuple):
    """One story: two bodies and FRAMES steps."""

    family: str
    seed: int
    a: WingedEdgeMesh
    b: WingedEdgeMesh
    steps: list[Step]

    def bodies(self) -> tuple[Body, Body]:
        return Body(self.a, name="a"), Body(self.b, name="b")

    def play(self, a: Body, b: Body) -> Iterator[int]:
        for frame, step in enumerate(self.steps):
            a.pose, b.pose = step.pose_a, step.pose_b
            if step.points_a is not None:
                a.points = step.points_a
            if step.points_b is not None:
                b.points = step.points_b
            yield frame


def seeded(family: str, seed: int, author: Author) -> Story:
    rng = np.random.default_rng([seed, *family.encode()])
    a, b, steps = author(rng)
    world = draw_world(rng)
    placed = [
        step._replace(pose_a=world.place(step.pose_a), pose_b=world.place(step.pose_b))
        for step in steps
    ]
    if rng.random() < 0.5:  # either body may come first
        a, b = b, a
        placed = [
            Step(step.pose_a, step.pose_b, step.points_b, step.points_a)
            for step in placed
        ]
    return Story(family, seed, a, b, placed)


def draw_world(rng: np.random.Generator) -> World:
    if rng.random() < 0.34:
        return World(np.eye(3), np.zeros(3), 1.0)
    turn = Pose.rigid(rng.normal(size=4)).linear if rng.random() < 0.7 else np.eye(3)
    shift, scale = np.zeros(3), 1.0
    if rng.random() < 0.4:
        scale = 10.0 ** rng.uniform(-7.0, 7.0)
    if rng.random() < 0.4:
        shift = rng.normal(size=3) * 10.0 ** rng.uniform(0.0, 6.0)
        if rng.random() < 0.5:  # else the scene is rounded where it lies
            shift = shift * min(1.0, scale)
    if rng.random() < 0.15:  # parallel, far and tiny at once
        shift, scale = np.array([1e6, -1e6, 1e6]) * 2.0**-10, 2.0**-10
    return World(turn, shift, scale)
