"""Rooms of triangles: soups, tessellated walls, corridors, wedges, needles and more."""

import numpy as np

from wingedge import shapes

KINDS = (
    "soup", "cells", "corridor", "wedge", "needles", "flat", "lattice", "bowl", "far",
)  # fmt: skip


def room(rng, kind):
    """Draw the triangles of a room, (T, 3, 3), about 10 wide."""
    return globals()[f"_{kind}"](rng)


def _soup(rng):
    count = int(rng.integers(5, 60))
    size = 10.0 ** rng.uniform(-2, 1, (count, 1, 1))
    return rng.uniform(-5, 5, (count, 1, 3)) + size * rng.normal(size=(count, 3, 3))


def _cells(rng):
    """A box from inside, its walls cut into many coplanar triangles, and a pillar."""
    cut = tuple(int(k) for k in rng.integers(2, 6, 3))
    outer = _fans(shapes.grid_box(cut, (10.0, 10.0, 6.0)))
    inner = _fans(shapes.prism(int(rng.integers(3, 9)), 1.0, 6.0))
    both = np.concatenate(
        [outer[:, ::-1], inner + np.array([rng.uniform(-2, 2), 1.5, 0.0])]
    )
    return both @ _turned(rng).T if rng.random() < 0.5 else both


def _corridor(rng):
    """Parallel walls whose gaps are anything from nothing to wide."""
    gaps = np.cumsum(10.0 ** rng.uniform(-4, 0.3, 8))
    walls = [_square(10.0) + np.array([0, 0, z - gaps.mean()]) for z in gaps]
    return np.concatenate(walls) @ _turned(rng).T


def _wedge(rng):
    """Planes through one line, or through one point."""
    parts = []
    for _ in range(int(rng.integers(2, 6))):
        turn = _turned(rng)
        if rng.random() < 0.5:
            angle = rng.uniform(0, 2 * np.pi)
            c, s = np.cos(angle), np.sin(angle)
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            turn = turn @ np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
        parts.append(_square(16.0) @ turn.T)
    return np.concatenate(parts)


def _needles(rng):
    """Triangles of nearly no width, some of none, some that are points."""
    count = int(rng.integers(10, 60))
    a, along = rng.uniform(-4, 4, (count, 3)), 3.0 * rng.normal(size=(count, 3))
    width = 10.0 ** rng.uniform(-14, -1, (count, 1)) * rng.normal(size=(count, 3))
    width[::5] = 0.0
    along[::15] = 0.0
    share = rng.uniform(0, 1, (count, 1))
    return np.stack([a, a + along, a + share * along + width], axis=1)


def _flat(rng):
    """One plane as random coplanar triangles that overlap each other, twice."""
    corners = rng.integers(-5, 6, (int(rng.integers(5, 40)), 3, 2)).astype(float)
    plane = np.concatenate([corners, np.zeros((*corners.shape[:2], 1))], axis=2)
    above = plane[rng.permutation(len(plane))[: len(plane) // 2], ::-1]
    above = above + np.array([0, 0, rng.choice([0.0, 1e-3, 2.0])])
    return np.concatenate([plane, above])


def _lattice(rng):
    """Corners on whole numbers: everything touches everything, exactly."""
    return rng.integers(-3, 4, (int(rng.integers(5, 40)), 3, 3)).astype(float)


def _bowl(rng):
    """A ball from inside, and one from outside."""
    out = _fans(shapes.icosphere(int(rng.integers(0, 3)), 5.0))
    return np.concatenate([out[:, ::-1], _fans(shapes.icosphere(1, 1.0))])


def _far(rng):
    away = 10.0 ** rng.uniform(1, 5) * rng.normal(size=3)
    return _fans(shapes.grid_box((3, 3, 3), (8.0, 8.0, 8.0)))[:, ::-1] + away


def _square(size):
    half = 0.5 * size
    return np.array(
        [
            [[-half, -half, 0.0], [half, -half, 0.0], [half, half, 0.0]],
            [[-half, -half, 0.0], [half, half, 0.0], [-half, half, 0.0]],
        ]
    )


def _fans(mesh):
    return mesh.points[mesh.fan.vertex]


def _turned(rng):
    turn, upper = np.linalg.qr(rng.normal(size=(3, 3)))
    return turn * np.sign(np.diag(upper))
