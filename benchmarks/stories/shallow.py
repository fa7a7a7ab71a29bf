"""Stories of flat parts that overlap by next to nothing, written where they lie.

Gridded faces whose positions are written, not posed, are level but for the last bits;
overlaps of 0 to 1e-7 of the size are then as near to one axis as to the next.
"""

from collections.abc import Iterator

import numpy as np

from sim import Pose
from stories.story import FRAMES, Plot, Step
from wingedge import WingedEdgeMesh, shapes

Rng = np.random.Generator
DEPTHS = [0.0, *(10.0**-k for k in range(7, 17))]
TILTS = [0.0, 0.0, 1e-9, 1e-12, 1e-14, 1e-16]


def shallow(rng: Rng) -> Plot:
    """Press gridded bodies into each other by next to nothing, and slide and turn."""
    return pressed(rng, gridded(rng, 54), gridded(rng, 54))


def gridded(rng: Rng, vertices: int) -> WingedEdgeMesh:
    """Draw a box of cells or a prism of about so many vertices."""
    if rng.random() < 0.3:
        return shapes.cylinder(vertices // 2, height=float(rng.uniform(0.3, 1.0)))
    thick = int(rng.integers(1, 1 + int((vertices / 6.0) ** 0.5)))
    wide = (thick * thick + vertices / 2.0) ** 0.5 - thick - 1.0
    return shapes.grid_box(
        (max(1, int(wide)), max(1, int(wide)), thick),
        tuple(rng.uniform(0.5, 1.5, 3)),
        triangles=bool(rng.integers(2)),
    )


def pressed(rng: Rng, a: WingedEdgeMesh, b: WingedEdgeMesh) -> Plot:
    """Lay B on A, along z, by written positions with noise of the last bit."""
    turn = Pose.rigid(rng.normal(size=4)).linear
    shift = rng.normal(size=3) * float(rng.choice([0.0, 1.0, 10.0]))
    top = float(a.points[:, 2].max()) - float(b.points[:, 2].min())

    def steps() -> Iterator[Step]:
        for k in range(FRAMES):
            angle = float(rng.choice([0.0, 0.1 * k, 1e-9]))
            way = np.array([*rng.uniform(-0.4, 0.4, 2), 0.0])
            way[2] = top - float(rng.choice(DEPTHS))
            tilt = np.eye(3)
            tilt[0, 2] = float(rng.choice(TILTS))
            tilt[2, 0] = -tilt[0, 2]
            spin = tilt @ Pose.rigid((0.0, 0.0, np.sin(angle), np.cos(angle))).linear
            at = Pose(turn, shift)
            one = noisy(rng, at.apply(a.points))
            other = noisy(rng, at.apply(Pose(spin, way).apply(b.points)))
            yield Step(Pose.identity(), points_a=one, points_b=other)

    return Plot(a, b, steps())


def noisy(rng: Rng, points: np.ndarray) -> np.ndarray:
    """Move each coordinate to a neighbouring float, or leave it."""
    aims = points + rng.integers(-1, 2, points.shape)
    return np.nextafter(points, aims)
