"""A soft ball that sinks into a table and comes back, as files."""

import numpy as np
import pytest

from wingedge import shapes, write

BALL = shapes.icosphere(1)
FACES = np.array([BALL.face_vertices(f) for f in range(BALL.n_faces)])
HEIGHTS = [1.9, 1.7, 1.6, 1.55, 1.4, 1.3, 1.45, 1.6, 1.8]
POINTS = np.array(
    [
        BALL.points * (1.0 + 0.01 * k, 1.0, 1.0) + (0, 0, z)
        for k, z in enumerate(HEIGHTS)
    ]
)
TOLD = [
    "4 begin ball/table VF v35 f1",
    "4 penetrate ball/table VF v35 f1",
    "7 separate ball/table VF v35 f1",
    "7 end ball/table VF v35 f1",
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write both bodies into an empty folder, and be there."""
    monkeypatch.chdir(tmp_path)
    np.savez("ball.npz", points=POINTS, faces=FACES, times=np.arange(9) / 30)
    write(shapes.box((3.0, 3.0, 1.0)), "table.obj")
    return tmp_path


def save(name, points=POINTS, faces=FACES, **more):
    np.savez(name, points=points, faces=faces, **more)


def told(source):
    """Step through a source as a user does, and return the lines of its events."""
    from sim import World

    world = World(source.bodies, dt=source.dt)
    frames = [world.step()]
    while source.advance():
        frames.append(world.step())
    assert len(frames) == len(source)
    return [str(event) for frame in frames for event in frame.events]
