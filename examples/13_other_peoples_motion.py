"""Somebody else's motion, from files: a ball in a series of OBJ meets a plate.

You will see what ``wingedge track 'ball_*.obj' plate.npz --when`` prints: when between
two frames they meet and part.
"""

import tempfile
from pathlib import Path

import numpy as np

from sim import World, sequence
from wingedge import shapes, write


def write_files(folder: Path) -> None:
    """Play the part of a simulator that leaves its frames behind."""
    plate = shapes.box((3.0, 3.0, 0.4))
    faces = [plate.face_vertices(f) for f in range(plate.n_faces)]
    lifted = [np.add(plate.points, (0.0, 0.0, 0.01 * k)) for k in range(40)]
    np.savez(folder / "plate.npz", points=lifted, faces=faces, times=np.arange(40) / 60)
    for k in range(40):
        ball = shapes.icosphere(1)
        z = 1.1 + 0.004 * (k - 18) ** 2
        write(ball, folder / f"ball_{k}.obj", np.add(ball.points, (0.0, 0.0, z)))


def main(view: bool = True) -> list:
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name))
        source = sequence.read(f"{name}/ball_*.obj", f"{name}/plate.npz")
    world = World(source.bodies, dt=source.dt, between=True)
    frames = [world.step()]
    while source.advance():
        frames.append(world.step())
    told = [event for frame in frames for event in frame.events]
    for event in told:
        print(f"{event.time:.5f} s  {event}")
    assert [event.kind for event in told][:2] == ["begin", "penetrate"]
    return told


if __name__ == "__main__":
    main()
