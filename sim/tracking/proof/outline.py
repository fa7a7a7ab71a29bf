"""Where level parts face each other, and whether surfaces cross: the checker's own."""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.solid import Solid
from sim.tracking.proof.triangle_gap import along, near_pairs
from sim.tracking.proof.verdict import FalseAnswer

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


Ids = NDArray[np.intp]

LEVEL = 1e-9  # sine below which two planes are one


def check_apart(a: Solid, b: Solid, slack: float, *, touching: bool) -> None:
    """Prove that two solids share no inside, beyond what ``slack`` may hide.

    Where they touch an edge may come in through a corner or along a face, and surfaces
    may lie on each other: then the middles of all parts of all edges are asked, and all
    faces that lie in one plane.
    """
    s, t = a.triangles, b.triangles
    for i, j, _ in near_pairs(s, t, slack):
        if _cuts(s[i], t[j], slack) or _cuts(t[j], s[i], slack):
            raise FalseAnswer("the surfaces cross")
        if touching:
            if _share_side(a, b, i, j, slack):
                raise FalseAnswer("the bodies lie on the same side of a common face")
            for own, other, solid in ((s[i], t[j], b), (t[j], s[i], a)):
                if solid.depths(_middles(own, other, slack)).max() > 8.0 * slack:
                    raise FalseAnswer("an edge of a body runs inside the other")
    if max(a.depths(b.x).max(), b.depths(a.x).max()) > 8.0 * slack:
        raise FalseAnswer("a vertex of a body lies inside the other")


def surfaces_cross(a: Solid, b: Solid, slack: float) -> bool:
    """Say whether two solids surely share some of their inside."""
    try:
        check_apart(a, b, slack, touching=True)
    except FalseAnswer:
        return True
    return False


def crosses_itself(solid: Solid, slack: float) -> bool:
    """Say whether a side of one triangle of a surface passes through another one."""
    t = solid.triangles
    return any(_cuts(t[i], t[j], slack) for i, j, _ in near_pairs(t, t, slack))


def _cuts(s: Array, t: Array, slack: float) -> bool:
    """Say whether a side of a triangle passes through the one that goes with it."""
    return any(_pierces(s[:, k], s[:, k - 1], t, slack).any() for k in range(3))


def _pierces(p: Array, q: Array, t: Array, slack: float) -> NDArray[np.bool_]:
    """Say which segments pass through which triangles, beyond rounding."""
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    area = np.linalg.norm(n, axis=1)
    widest = sum(np.linalg.norm(t[:, k] - t[:, k - 1], axis=1) for k in range(3))
    found = area > 0.0
    area = np.where(found, area, 1.0)
    margin = slack * (1.0 + widest * widest / area)
    above = along(p - t[:, 0], n) / area
    below = along(q - t[:, 0], n) / area
    found &= (np.minimum(above, below) < -margin) & (np.maximum(above, below) > margin)
    d = q - p
    sides = []
    for k in range(3):
        e = t[:, k] - t[:, k - 1]
        c = np.cross(d, e)
        wide = np.linalg.norm(c, axis=1)
        wide = np.where(wide > 0.0, wide, np.inf)
        gap = along(t[:, k] - p, c) / wide
        around = np.linalg.norm(d, axis=1) * np.linalg.norm(e, axis=1) / wide
        sides.append((gap, slack * (1.0 + 4.0 * around)))
    left = np.logical_and.reduce([gap > limit for gap, limit in sides])
    right = np.logical_and.reduce([gap < -limit for gap, limit in sides])
    out: NDArray[np.bool_] = found & (left | right)
    return out


def _middles(s: Array, t: Array, slack: float) -> Array:
    """Return the middles of the parts into which planes cut the sides of triangles.

    The planes are those of the other triangles, and those upright on their sides.
    """
    found = []
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    planes = [(t[:, 0], n)]
    planes += [(t[:, k], np.cross(n, t[:, k] - t[:, k - 1])) for k in range(3)]
    for k in range(3):
        p, q = s[:, k], s[:, k - 1]
        sides = np.concatenate([p, q], axis=1)
        cuts = []
        for at, way in planes:
            above, below = along(p - at, way), along(q - at, way)
            with np.errstate(divide="ignore", invalid="ignore"):
                cuts.append(above / (above - below))
        cut = np.stack(cuts, axis=1)
        cut = np.where((cut > 0.0) & (cut < 1.0), cut, 0.0)
        _, owner = np.unique(sides, axis=0, return_inverse=True)
        owner = owner.reshape(-1)
        for number in range(int(owner.max()) + 1):
            own = np.flatnonzero(owner == number)
            ends = np.unique(np.concatenate([[0.0, 1.0], cut[own].ravel()]))
            e = q[own[0]] - p[own[0]]
            long = np.diff(ends) * float(np.linalg.norm(e)) > 4.0 * slack
            found.append(p[own[0]] + (0.5 * (ends[1:] + ends[:-1]))[long, None] * e)
    return np.concatenate(found)


def _share_side(a: Solid, b: Solid, i: Ids, j: Ids, slack: float) -> bool:
    """Say whether triangles of one plane overlap that face the same way."""
    s, t = a.triangles[i], b.triangles[j]
    m, n = (np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]) for x in (s, t))
    lm, ln = np.linalg.norm(m, axis=1), np.linalg.norm(n, axis=1)
    sense = (1.0 if a.hulled else a.sense) * (1.0 if b.hulled else b.sense)
    level = (np.linalg.norm(np.cross(m, n), axis=1) <= LEVEL * lm * ln) & (
        lm * ln > 0.0
    )
    level &= sense * along(m, n) > 0.0
    lm = np.where(lm > 0.0, lm, 1.0)
    for k in range(3):
        level &= np.abs(along(t[:, k] - s[:, 0], m)) <= 8.0 * slack * lm
    for pair in np.flatnonzero(level):
        axes = across(m[pair] / lm[pair])
        one, other = outline(s[pair] @ axes), outline(t[pair] @ axes)
        common = outline(overlap(one, other, 0.0))
        if area_of(common) > 1e-6 * min(area_of(one), area_of(other)):
            return True
    return False
