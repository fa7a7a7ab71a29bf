"""Bodies that are convex only to rounding or within a tolerance, and a tipping plate.

Dents of 1 to 10^9 eps in 1 to 10^4 hinges, alone or one beside the other, in strips of
any width, in bodies turned by their points, under poses of condition 1 to 10^8.
"""

import numpy as np
from numpy.typing import NDArray

from sim import Pose
from stories.story import FRAMES, Plot, Step
from wingedge import MeshError, WingedEdgeMesh, shapes

Array = NDArray[np.float64]
Rng = np.random.Generator
EPS = 2.0**-52
COUNTS = [1, 2, 3, 5, 8, 16, 40, 100, 300, 1000, 4000, 10_000]
OFTEN = np.array([2, 2, 2, 2, 2, 2, 2, 1, 0.5, 0.2, 0.04, 0.02])


def nearly_convex(rng: Rng) -> Plot:
    """Lay a plate over a body with dents, tip it by about their slope, let it sink."""
    mesh = None
    while mesh is None:
        kind = rng.choice(["strip", "strip", "strip", "turned", "shaken"])
        try:
            mesh, slope = {"strip": strip, "turned": turned, "shaken": shaken}[kind](
                rng
            )
        except MeshError:  # a fold deeper than the block is high
            continue
    x, y, z = mesh.points.T
    plate = shapes.box((4.0, 4.0, 0.5)) if rng.random() < 0.8 else shapes.prism(5, 3.0)
    thick = float(np.ptp(plate.points[:, 2]))
    stretch = squeezed(rng)

    def steps():
        gap = 10.0 ** rng.uniform(-12.0, 0.0)
        for _ in range(FRAMES):
            tip, lean = slope * rng.uniform(-3.0, 3.0), 0.0
            if rng.random() < 0.2:
                tip, lean = 10.0 ** rng.uniform(-12.0, -1.0, 2) * rng.choice([-1, 1], 2)
            if rng.random() < 0.3:
                gap = rng.choice([-1.0, 1.0, 1.0, 1.0]) * 10.0 ** rng.uniform(-14, 0)
            linear = np.array([[1.0, 0.0, -tip], [0.0, 1.0, -lean], [tip, lean, 1.0]])
            top = float((z - tip * x - lean * y).max())
            rise = 0.5 * thick * (1.0 + tip * tip + lean * lean)
            shift = np.array([0.0, 0.0, top + gap + rise])
            yield Step(Pose(stretch @ linear, stretch @ shift), Pose(stretch))

    return Plot(mesh, plate, steps())


def strip(rng: Rng) -> tuple[WingedEdgeMesh, float]:
    """Fold the top of a block along lines; return it and the slope of the folds."""
    hinges = int(rng.choice(COUNTS, p=OFTEN / OFTEN.sum()))
    dent = EPS * 10.0 ** rng.uniform(0.0, 9.0 if rng.random() < 0.5 else 3.0)
    x = np.linspace(-1.0, 1.0, hinges + 2)
    if rng.random() < 0.4:  # cells of any width
        width = 10.0 ** rng.uniform(-6.0, 0.0, hinges + 1)
        x = np.append(0.0, np.cumsum(width / width.sum())) * 2.0 - 1.0
    bent = rng.choice(["hollow", "domed", "either"])
    folds = dent * rng.uniform(0.5, 1.0, hinges) / np.maximum(np.diff(x)[1:], 1e-6)
    folds *= {"hollow": 1.0, "domed": -1.0, "either": rng.choice([-1.0, 1.0])}[bent]
    if bent == "either":
        folds *= rng.choice([-1.0, 1.0], hinges)
    slopes = np.append(0.0, np.cumsum(folds))
    slopes -= slopes.mean()
    z = np.append(0.0, np.cumsum(slopes * np.diff(x)))
    long, high = 10.0 ** rng.uniform(-3.0, 0.0, 2)
    faces = rng.choice(["polygons", "triangles"]) == "triangles"
    mesh = block(x, z, long, -high, faces)
    return mesh, float(abs(slopes).max())


def block(
    x: Array, z: Array, long: float, low: float, triangles: bool
) -> WingedEdgeMesh:
    """Build a block whose top follows a profile, the same all along y."""
    n = len(x)
    row = np.arange(n)
    points = np.array(
        [
            (x[i], y, z[i] if level else low)
            for y in (-0.5 * long, 0.5 * long)
            for level in (0, 1)
            for i in row
        ]
    )
    at = row.reshape(1, n) + n * np.arange(4).reshape(4, 1)  # front low, top; rear
    faces: list[list[int]] = []
    for a, b in ((1, 3), (2, 0), (0, 1), (3, 2)):
        faces += np.stack([at[a, :-1], at[a, 1:], at[b, 1:], at[b, :-1]], 1).tolist()
    faces.append([int(at[k, 0]) for k in (0, 1, 3, 2)])
    faces.append([int(at[k, -1]) for k in (0, 2, 3, 1)])
    return WingedEdgeMesh.from_faces(points, faces, triangles)


def turned(rng: Rng) -> tuple[WingedEdgeMesh, float]:
    mesh = [
        shapes.box((1.0, 0.7, 0.4)),
        shapes.prism(int(rng.integers(3, 40))),
        shapes.grid_box(int(rng.integers(2, 8)), (1.0, 0.8, 0.6)),
        shapes.cylinder(24),
    ][int(rng.integers(4))]
    turn = Pose.rigid(rng.normal(size=4) * (1.0, 1e-3, 1e-3, 1.0))
    return with_points(mesh, turn.apply(mesh.points)), 1e-15


def shaken(rng: Rng) -> tuple[WingedEdgeMesh, float]:
    """Move the vertices of a convex body by some single bits."""
    mesh = [
        shapes.icosphere(int(rng.integers(1, 4))),
        shapes.random_hull(int(rng.integers(1000)), int(rng.integers(8, 80))),
        shapes.grid_box(int(rng.integers(2, 8)), 1.0, triangles=True),
        shapes.needle(ratio=10.0 ** rng.uniform(1.0, 5.0)),
    ][int(rng.integers(4))]
    noise = EPS * 10.0 ** rng.uniform(0.0, 6.0) * rng.normal(size=mesh.points.shape)
    return with_points(mesh, mesh.points + noise), 1e-12


def with_points(mesh: WingedEdgeMesh, points: Array) -> WingedEdgeMesh:
    faces = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    return WingedEdgeMesh.from_faces(points, faces)


def squeezed(rng: Rng) -> Array:
    """Return a linear map of condition 1 to 1e8, along the axes or across them."""
    if rng.random() < 0.3:
        return np.eye(3)
    scale = 10.0 ** rng.uniform(-8.0, 0.0, 3)
    scale /= scale[int(rng.integers(3))]
    if rng.random() < 0.5:
        return np.diag(2.0 ** np.round(np.log2(scale)))
    turn, back = (Pose.rigid(rng.normal(size=4)).linear for _ in range(2))
    return np.array(turn @ np.diag(scale) @ (back if rng.random() < 0.5 else np.eye(3)))
