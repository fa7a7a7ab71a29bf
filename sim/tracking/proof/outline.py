"""Where two level parts face each other, along the normal: for the checker alone."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def across(n: Array) -> Array:
    """Return two axes across a unit normal, right-handed with it, (3, 2)."""
    u = np.cross(n, np.eye(3)[int(np.abs(n).argmin())])
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(n, u)], axis=1)


def pieces_of(triangles: Array, letter: str) -> list[Array]:
    """Return the convex pieces of a level part in the plane: one, if it is convex.

    ``triangles`` of an area, (k, 3, 2); those of an edge or a vertex have none.
    """
    corners = triangles.reshape(-1, 2)
    if letter == "V":
        return [corners[:1]]
    if letter == "E":
        return [ends_of(corners)]
    whole = outline(corners)
    sum_of_areas = sum(abs(area_of(t)) for t in triangles)
    if abs(area_of(whole) - sum_of_areas) <= 1e-9 * area_of(whole):
        return [whole]
    return [outline(t) for t in triangles]


def ends_of(points: Array) -> Array:
    """Return the two ends of points on a line."""
    far = points[int(((points - points[0]) ** 2).sum(axis=1).argmax())]
    end = points[int(((points - far) ** 2).sum(axis=1).argmax())]
    return np.array([far, end])


def outline(points: Array) -> Array:
    """Return the convex hull of points of a plane, counter-clockwise (Andrew 1979)."""
    order = np.unique(points, axis=0)
    if len(order) < 3:
        return order
    sides = []
    for run in (order.tolist(), order[::-1].tolist()):
        side: list[list[float]] = []
        for p in run:
            while len(side) > 1 and _turn(side[-2], side[-1], p) <= 0.0:
                side.pop()
            side.append(p)
        sides += side[:-1]
    return np.array(sides)


def _turn(p: list[float], q: list[float], r: list[float]) -> float:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def area_of(polygon: Array) -> float:
    """Return the area of a polygon, negative if it runs clockwise."""
    if len(polygon) < 3:
        return 0.0
    x, y = (polygon - polygon[0]).T
    return 0.5 * float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def outside(points: Array, polygon: Array) -> Array:
    """Return how far points lie outside a convex polygon, a segment or a point."""
    near = np.full(len(points), np.inf)
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        e = q - p
        square = float(e @ e)
        t = np.clip((points - p) @ e / square, 0.0, 1.0) if square > 0.0 else 0.0
        foot = p + np.multiply.outer(t, e)
        near = np.minimum(near, np.linalg.norm(points - foot, axis=1))
    if len(polygon) > 2:
        near[_all_left(points, polygon)] = 0.0
    return near


def _all_left(points: Array, polygon: Array) -> NDArray[np.bool_]:
    left = np.ones(len(points), bool)
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        (ex, ey), (dx, dy) = q - p, (points - p).T
        left &= ex * dy - ey * dx >= 0.0
    return left


def overlap(one: Array, other: Array, slack: float) -> Array:
    """Return the corners of the overlap of two convex outlines, (k, 2), in any order.

    Corners of the one within ``slack`` of the other, and where their sides cross.
    """
    found = [one[outside(one, other) <= slack], other[outside(other, one) <= slack]]
    if len(one) > 1 and len(other) > 1:
        at = _crossings(one, other)  # of sides all but parallel, maybe anywhere
        found.append(at[outside(at, other) <= max(slack, 1e-13)])
    return np.concatenate(found)


def _crossings(one: Array, other: Array) -> Array:
    """Return the points where sides of two outlines cross inside both."""
    p, q = _sides(one)
    r, s = _sides(other)
    d, e = (q - p)[:, None], (s - r)[None]
    w = r[None] - p[:, None]
    det = d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]
    scale = np.linalg.norm(d, axis=2) * np.linalg.norm(e, axis=2)
    crossing = np.abs(det) > 1e-15 * scale
    det = np.where(crossing, det, 1.0)
    t = (w[..., 0] * e[..., 1] - w[..., 1] * e[..., 0]) / det
    u = (w[..., 0] * d[..., 1] - w[..., 1] * d[..., 0]) / det
    crossing &= (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
    points: Array = (p[:, None] + t[..., None] * d)[crossing]
    return points


def _sides(outline: Array) -> tuple[Array, Array]:
    ends = np.roll(outline, -1, axis=0)
    return (outline, ends) if len(outline) > 2 else (outline[:1], ends[:1])


def spread(points: Array) -> float:
    """Return how far points of a plane lie from each other, at most twice as far."""
    return float(np.ptp(points, axis=0).max()) if len(points) else 0.0
