"""Convex bodies to draw from: small, so that every pair of features can be compared."""

from functools import cache

import numpy as np

from wingedge import WingedEdgeMesh, convex_hull, shapes

Rng = np.random.Generator


def any_body(rng: Rng) -> WingedEdgeMesh:
    """Draw a body of 4 to about 40 vertices, flat parts in half of them."""
    return flat_body(rng) if rng.random() < 0.5 else round_body(rng)


def round_body(rng: Rng) -> WingedEdgeMesh:
    """Draw a body without parallel faces, as a rule."""
    which = rng.integers(5)
    if which == 0:
        return shapes.icosphere(int(rng.integers(2)))
    if which == 1:
        return shapes.ellipsoid(tuple(rng.uniform(0.2, 1.0, 3)), 1)
    if which == 2:
        return _hull(int(rng.integers(20)), 60)
    return shapes.random_hull(int(rng.integers(1 << 30)), int(rng.integers(4, 40)))


def flat_body(rng: Rng) -> WingedEdgeMesh:
    """Draw a body with parallel faces, coplanar cells or both."""
    which = rng.integers(6)
    if which == 0:
        return shapes.box(tuple(rng.uniform(0.3, 2.0, 3)))
    if which == 1:
        return shapes.box()
    if which == 2:
        cells = tuple(int(k) for k in rng.integers(1, 4, 3))
        return shapes.grid_box(cells, triangles=bool(rng.integers(2)))
    if which == 3:
        return shapes.prism(int(rng.integers(3, 13)), 1.0, float(rng.uniform(0.1, 2)))
    if which == 4:
        return shapes.tetrahedron(float(rng.uniform(0.3, 2.0)))
    return lattice_hull(rng)


def lattice_hull(rng: Rng) -> WingedEdgeMesh:
    """Draw the hull of points of a 4 x 4 x 4 lattice: many coplanar, many parallel."""
    while True:
        points = rng.integers(0, 4, (int(rng.integers(6, 20)), 3)).astype(float)
        if np.linalg.matrix_rank(points - points[0]) == 3:
            return convex_hull(points - 1.5, merge_coplanar=bool(rng.integers(2)))


def needle(rng: Rng) -> WingedEdgeMesh:
    """Draw a body up to a million times longer than wide."""
    ratio = 10.0 ** rng.uniform(2.0, 6.0)
    if rng.random() < 0.5:
        return shapes.needle(1.0, ratio, int(rng.integers(3, 7)))
    return shapes.box((1.0, 1.0 / ratio, 1.0 / ratio))


def plate(rng: Rng) -> WingedEdgeMesh:
    """Draw a body up to a million times wider than thick."""
    thickness = 10.0 ** rng.uniform(-6.0, -2.0)
    if rng.random() < 0.5:
        return shapes.plate(1.0, thickness)
    return shapes.prism(int(rng.integers(3, 9)), 1.0, thickness)


@cache
def _hull(seed: int, count: int) -> WingedEdgeMesh:
    return shapes.random_hull(seed, count)
