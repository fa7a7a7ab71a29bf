"""Bodies of any shape to draw from, in three sizes."""

import numpy as np

from stories.bodies import any_body, needle, plate
from wingedge import WingedEdgeMesh, shapes

Rng = np.random.Generator
SIZES = {"small": 60, "medium": 300, "large": 2000}  # most vertices


def any_solid(rng: Rng, size: str) -> WingedEdgeMesh:
    return convex(rng, size) if rng.random() < 0.4 else bent(rng, size)


def convex(rng: Rng, size: str) -> WingedEdgeMesh:
    most = SIZES[size]
    if size == "small":
        which = rng.random()
        if which < 0.08:
            return needle(rng) if which < 0.04 else plate(rng)
        while True:
            mesh = any_body(rng)
            if mesh.n_vertices <= most:
                return mesh
    which = rng.integers(4)
    if which == 0:
        return shapes.icosphere(2 if size == "medium" else 3)
    if which == 1:
        cells = 6 if size == "medium" else 17
        n = tuple(int(k) for k in rng.integers(cells // 2, cells + 1, 3))
        return shapes.grid_box(
            n, tuple(rng.uniform(0.5, 1.5, 3)), triangles=bool(rng.integers(2))
        )
    if which == 2:
        return shapes.cylinder(int(rng.integers(most // 4, most // 2)))
    return shapes.random_hull(
        int(rng.integers(1 << 20)), int(rng.integers(most // 3, most))
    )


def bent(rng: Rng, size: str) -> WingedEdgeMesh:
    """Draw a body with notches, a bore, teeth or a hole."""
    most = SIZES[size]
    scale = tuple(rng.choice([0.5, 1.0, 1.5, 2.0], 3))
    which = int(rng.integers(8 if size == "small" else 5))
    few = max(3, most // 10)
    if which == 0:
        return shapes.cup(
            int(rng.integers(few, most // 4)), wall=float(rng.uniform(0.03, 0.3))
        )
    if which == 1:
        return shapes.gear(
            int(rng.integers(max(2, few // 2), most // 8)),
            depth=float(rng.uniform(0.1, 0.6)),
        )
    if which == 2:
        tips = int(rng.integers(few // 2 if size != "small" else 3, most // 4))
        inner = float(rng.uniform(0.1, 0.9)) * np.cos(np.pi / tips)
        return shapes.star(tips, inner=inner)
    if which == 3:
        return cubes(rng, most)
    if which == 4 and size != "small":
        return shapes.hammer({"medium": 2, "large": 5}[size])
    if which < 6:
        return shapes.l_block(scale)
    return shapes.u_block(scale) if which == 6 else shapes.ring(scale)


def cubes(rng: Rng, most: int) -> WingedEdgeMesh:
    """Draw a solid of cubes that hang together, on a lattice, of any genus."""
    cells = {60: (2, 4), 300: (4, 7), 2000: (8, 13)}[most]
    while True:
        n = tuple(int(k) for k in rng.integers(*cells, 3))
        filled = np.ones(n, bool)
        for _ in range(int(rng.integers(1, 5))):
            low = [int(rng.integers(k)) for k in n]
            high = [int(rng.integers(i, k)) + 1 for i, k in zip(low, n, strict=True)]
            filled[tuple(slice(i, j) for i, j in zip(low, high, strict=True))] = False
        if not filled.any():
            continue
        try:
            mesh = shapes.polycube(filled, 1.0 / max(n))
        except ValueError:  # in pieces, or pieces that meet in an edge
            continue
        if mesh.n_vertices <= most:
            return mesh
