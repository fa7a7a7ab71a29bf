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
        near[beyond(points, polygon) <= 0.0] = 0.0
    return near


def beyond(points: Array, piece: Array) -> Array:
    """Return how far points lie beyond the farthest side of a convex piece."""
    ways, heights = _sides(piece)
    out: Array = np.max(points @ ways.T - heights, axis=1)
    return out


def _sides(piece: Array) -> tuple[Array, Array]:
    """Return the normals of the sides, and how high they are: four, of less than three.

    Those are the two ends, and the line itself to both sides.
    """
    steps = np.roll(piece, -1, axis=0) - piece
    if len(piece) < 3:
        x, y = steps[0] if steps[0].any() else (1.0, 0.0)
        steps = np.array([[-y, x], [y, -x], [x, y], [-x, -y]])
    ways: Array = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    long = np.linalg.norm(ways, axis=1)[:, None]
    ways /= np.where(long > 0.0, long, 1.0)
    return ways, np.asarray(piece @ ways.T).max(axis=0)


def overlap(one: Array, other: Array, by: float) -> Array:
    """Return the corners of the overlap of two convex pieces, grown by some, (k, 2).

    Less than 0 shrinks them: a line at its ends, while it becomes a little wider.
    Clipped side by side: Sutherland and Hodgman (1974).
    """
    both = np.concatenate([one, other])
    low, high = both.min(axis=0) - 1.0, both.max(axis=0) + 1.0
    found: Array = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    for piece in (one, other):
        ways, heights = _sides(piece)
        limits = heights + by
        if len(piece) < 3 and by < 0.0:
            limits[2 * (len(piece) - 1) :] -= 1.5 * by
        for way, limit in zip(ways, limits, strict=True):
            above = found @ way - limit
            after = np.roll(above, -1)
            cuts = (above <= 0.0) != (after <= 0.0)
            share = np.where(cuts, above, 0.0) / np.where(cuts, above - after, 1.0)
            ends = found + share[:, None] * (np.roll(found, -1, axis=0) - found)
            kept = np.stack([above <= 0.0, cuts], axis=1)
            found = np.stack([found, ends], axis=1)[kept].reshape(-1, 2)
            if not len(found):
                return found
    return found


def spread(points: Array) -> float:
    """Return how far points of a plane lie from each other, at most twice as far."""
    return float(np.ptp(points, axis=0).max()) if len(points) else 0.0
