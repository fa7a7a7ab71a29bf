"""How far triangles are from places, and which way is away from them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import (
    Vector,
    choose,
    columns,
    cross,
    direction,
    dot,
    quotient,
    subtract,
)
from wingedge.primitives import point_triangle

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class View(NamedTuple):
    """What there is around a place, or around one for each triangle."""

    here: Floats  # (3,) or (N, 3)
    distance: Floats  # (N,) to each triangle
    foot: Floats  # (N, 3) the point of each nearest to the place
    inside: Bools  # (N,) whether that is within the triangle, not on its rim
    away: Vector  # (N,) unit vectors from there to the place; none for no distance


def view(here: Floats, corners: list[Floats]) -> View:
    """Look at triangles from places.

    Directions are square to the edge that a foot is on, to rounding: as differences of
    two points they would be off by rounding over distance, and a sphere that slides
    along an edge would run into it.
    """
    near = point_triangle.closest(here, *corners)
    away = columns(here - near.point)
    flat = [near.weights[:, k] == 0 for k in range(3)]
    points = [columns(corner) for corner in corners]
    for k in range(3):
        on_edge = flat[k] & ~flat[k - 1] & ~flat[k - 2]
        edge = subtract(points[k - 1], points[k - 2])
        across = away
        for _ in range(2):
            share = quotient(dot(across, edge), dot(edge, edge))
            across = subtract(across, _times(share, edge))
        away = choose(on_edge, across, away)
    inside = ~(flat[0] | flat[1] | flat[2])
    distance = np.sqrt(near.distance_sq)
    return View(here, distance, near.point, inside, direction(away))


def plane(a: Vector, b: Vector, c: Vector) -> Vector:
    """Return normals of triangles, of any length: none for no area.

    The two shorter edges keep most digits on needles.
    """
    ab, bc, ca = subtract(b, a), subtract(c, b), subtract(a, c)
    lab, lbc, lca = dot(ab, ab), dot(bc, bc), dot(ca, ca)
    from_c = (lab >= lbc) & (lab >= lca)
    from_a = ~from_c & (lbc >= lca)
    first = choose(from_c, bc, choose(from_a, ca, ab))
    second = choose(from_c, ca, choose(from_a, ab, bc))
    return cross(near_one(first), near_one(second))


def near_one(a: Vector) -> Vector:
    """Scale by powers of two, exactly, until the largest component is about 1."""
    x, y, z = a
    _, power = np.frexp(np.maximum(np.maximum(np.abs(x), np.abs(y)), np.abs(z)))
    return np.ldexp(x, -power), np.ldexp(y, -power), np.ldexp(z, -power)


def _times(share: Floats, a: Vector) -> Vector:
    return share * a[0], share * a[1], share * a[2]
