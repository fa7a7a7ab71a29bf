"""How deep two convex bodies overlap, at least; and whether a normal is its parts'.

The difference B - A of two convex bodies holds a ball around the origin if no shorter
translation parts them.  It is approached from inside, by the hull of some of its
points: along the normal of every facet that is too near the support is added, until
none is nearer than the ball, or one is a facet of the difference itself, an axis along
which the bodies overlap less.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.claim import Claim
from sim.tracking.proof.level import Level
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge.columns import cross, dot, subtract
from wingedge.exact import Point, point_segment_square, segment_parameter, unit

Array = NDArray[np.float64]
Ids = NDArray[np.integer]

ROUNDS = 200
POINTS = 50_000  # of the difference that are looked at, at most
BLOCK = 1 << 22  # numbers computed at once
THIN = 1e-13  # of their width: points that are no thicker lie in a plane
THICK = 8.0  # of the rounding: what Qhull may leave off a facet
SLIVER = 1e-9  # of the width squared: corners of less area know no normal
FLAT = 1e-15  # of the width: a support that is no farther is level with the facet


class Facets(NamedTuple):
    """Triangles of the outside of the difference."""

    normals: Array  # (k, 3)
    overlaps: Array  # (k,) how far the difference reaches along them
    heights: Array  # (k,) and how far their corners do
    corners: Ids  # (k, 3, 2) vertices of A and B whose difference a corner is
    final: bool  # none of them reaches farther than its corners


def check_depth(xa: Array, xb: Array, depth: float, slack: float, what: str) -> None:
    """Prove that no translation shorter than a depth parts the hulls of two bodies."""
    limit = depth - slack
    found = facets_within(xa, xb, limit, first=True)
    least = found.overlaps.min(initial=limit)
    if least < limit:
        raise FalseAnswer(
            f"along another axis the bodies overlap by {least:.17g} only, which {what} "
            f"denies"
        )
    # Where Qhull leaves points off a facet, its plane alone is inside, to rounding.
    if not found.final and (found.heights < limit - THICK * slack).any():
        raise UnprovenAnswer("no hull of the difference to re-prove the depth by")


def facets_within(xa: Array, xb: Array, limit: float, *, first: bool = False) -> Facets:
    """List the facets of the difference that are nearer to the origin than a limit.

    ``first``: stop at the first axis along which it reaches less far.
    """
    ways = np.array(
        [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    )
    ways = ways[(ways != 0).any(axis=1)].astype(float)
    both = np.concatenate([x - x.mean(axis=0) for x in (xa, xb)])
    # Needles have few ends along given axes: those along their own are asked as well.
    ways = np.concatenate([ways, ways @ _stretch(both).T])
    ids = _supports(xa, xb, ways)
    for _ in range(ROUNDS):
        points, kept = np.unique(
            xb[ids[:, 1]] - xa[ids[:, 0]], axis=0, return_index=True
        )
        ids = ids[kept]
        if len(points) > POINTS:
            break
        normals, heights, corners = _facets(points)
        near = heights < limit
        aside = near & (heights > 0.0)  # its plane is near, it may lie beside the ball
        if aside.any():
            ball = from_triangles(np.zeros((1, 3)), points[corners[aside]])
            near[aside] = ball < limit
        normals, heights, corners = normals[near], heights[near], corners[near]
        new = _supports(xa, xb, normals)
        tops = xb[new[:, 1]] - xa[new[:, 0]]
        overlaps = (tops * normals).sum(axis=1)
        beyond = overlaps - heights > FLAT * np.abs(points).max()
        stop = first and overlaps.min(initial=limit) < limit
        more = np.unique(np.concatenate([points, tops[beyond]]), axis=0)
        if stop or len(more) == len(points):
            return Facets(normals, overlaps, heights, ids[corners], not beyond.any())
        ids = np.concatenate([ids, new[beyond]])
    raise UnprovenAnswer("the bodies are too large to re-prove a depth")


def _supports(xa: Array, xb: Array, ways: Array) -> Ids:
    """Return the vertices whose difference lies farthest along each way, (k, 2)."""
    step = max(1, BLOCK // max(len(xa), len(xb)))
    blocks = [ways[k : k + step].T for k in range(0, len(ways), step)]
    ids = [((xa @ w).argmin(axis=0), (xb @ w).argmax(axis=0)) for w in blocks]
    return np.concatenate([np.zeros((0, 2), int), *(np.stack(i, axis=1) for i in ids)])


def _facets(points: Array) -> tuple[Array, Array, Ids]:
    """Return the outward normals, heights and corners of the triangles of a hull.

    The points are made as wide every way first: the facets are the same, and Qhull
    takes thin points for flat.  Normals are computed from their corners.  That they
    close up is checked: every side is shared by two.
    """
    from scipy.spatial import ConvexHull, QhullError

    flat = points - points.mean(axis=0)
    stretch = _stretch(flat)
    try:
        if len(points) < 4:
            raise QhullError
        hull = ConvexHull(flat @ stretch)
    except QhullError:
        raise UnprovenAnswer(
            "no hull of the difference to re-prove the depth by"
        ) from None
    out = hull.equations[:, :3] @ stretch.T
    out /= np.linalg.norm(out, axis=1)[:, None]
    corners = hull.simplices
    u, v, w = (points[corners[:, k]] for k in range(3))
    normals = np.cross(v - u, w - u)
    area = np.linalg.norm(normals, axis=1)[:, None]
    flat = area <= SLIVER * float(np.abs(points).max()) ** 2
    normals = np.where(flat, out, normals / np.where(flat, 1.0, area))
    normals *= np.sign((normals * out).sum(axis=1))[:, None]
    sides = np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, count = np.unique(sides, axis=0, return_counts=True)
    if (count != 2).any():
        raise UnprovenAnswer("the hull of the difference does not close up")
    return normals, (u * normals).sum(axis=1), corners


def _stretch(flat: Array) -> Array:
    """Return the matrix that makes points around the origin as wide every way."""
    _, wide, axes = np.linalg.svd(flat, full_matrices=False)
    out: Array = axes.T * (wide[0] / np.maximum(wide, THIN * (wide[0] or 1.0)))
    return out


Way = tuple[Array, float]  # a unit vector, and how far it may be off

EPS = float(np.finfo(float).eps)
ROUNDED = 16.0 * EPS  # of the size: what a difference of two points may be off
BESIDE = 1e-6  # of the scale: a point so near to the end of an edge may be there
PARALLEL = 1e-6  # sine below which two edges may be taken for parallel
BENT = 1e-8  # of the scale: edges so far off one line are several
KNOWN = 1e-3  # edges that know a way as well as this need no points to know it
HELD = 0.05  # a way that is known as well as this proves a normal


def check_normal(claim: Claim, levels: tuple[Level, Level], *, parted: bool) -> None:
    """Hold the normal of two bodies apart against vertices and lines: faces are held.

    ``parted``: a plane across the normal parts the bodies, as far as they are apart.
    """
    if "F" in claim.kind or claim.distance < 0.0:
        return
    ways = _ways(claim, levels)
    off = [(float(np.linalg.norm(way - claim.normal)), wide) for way, wide in ways]
    if all(angle > wide for angle, wide in off):
        angle = min(angle for angle, _ in off)
        raise FalseAnswer(f"the normal is turned by {angle:g} against its features")
    if min(wide for _, wide in off) <= HELD or parted:
        return
    if any(level.beside().max() > 0.0 for level in levels):
        raise UnprovenAnswer("no plane parts the bodies around where they touch")


def _ways(claim: Claim, levels: tuple[Level, Level]) -> list[Way]:
    """List the ways from A's vertex or line to B's that may be the shortest.

    Across both lines if they cross, and from the ends of one to the other, unless
    rounding leaves no doubt which of the two.
    """
    one, other = map(_ends, levels)
    d, rounded = max(claim.distance, 1e-300), ROUNDED * claim.size
    bends = [_bend(level) for level in levels]
    if max(bends) > BENT:
        raise FalseAnswer("the edges of a part are no line")
    wide = rounded + sum(bends)
    ways: list[Way] = []
    if len(one) + len(other) == 4:
        lines = subtract(one[1], one[0]), subtract(other[1], other[0])
        normal: Point = cross(*lines)
        shortest = min(map(_length, lines))
        sine = _length(normal) / (_length(lines[0]) * _length(lines[1]))
        if sine <= PARALLEL:  # elsewhere along them the way is another one
            wide += sine * (_length(lines[0]) + _length(lines[1]) + d)
        if sine > 0.0:
            between = _between(one, other) * shortest
            if between >= -rounded / sine:
                way = _across(claim, levels, normal, sine)
                # Edges know it, or points that are far enough from each other.
                known = ROUNDED * (1.0 + claim.size / shortest) / sine, wide / d
                least = max(KNOWN, min(known))
                ways.append((way, max(off for off in known if off <= least)))
            if between > rounded / sine:
                return ways
    found = []
    for ends, line, sense in ((one, other, 1), (other, one, -1)):
        long = _length(subtract(line[-1], line[0]))
        off = wide + (min(long, wide * d / long) if long > 0.0 else 0.0)
        for p in ends:  # a short line knows its way less well
            t = segment_parameter(p, line[0], line[-1])
            foot = [u + t * (v - u) for u, v in zip(line[0], line[-1], strict=True)]
            gap = [sense * (x - y) for x, y in zip(foot, p, strict=True)]
            way = np.array(unit(gap)) if any(gap) else claim.normal
            found.append((_length(gap), way, off / d))
    least = min(length for length, _, _ in found)
    return ways + [found[1:] for found in found if found[0] <= least + wide]


def _between(one: list[Point], other: list[Point]) -> float:
    """Return how far from their ends two lines cross, as a share; negative beyond."""
    lines = subtract(one[1], one[0]), subtract(other[1], other[0])
    apart, n = subtract(other[0], one[0]), cross(*lines)
    shares = [dot(cross(apart, line), n) / dot(n, n) for line in lines[::-1]]
    return float(min(min(share, 1 - share) for share in shares))


def _across(
    claim: Claim, levels: tuple[Level, Level], normal: Point, sine: float
) -> Array:
    """Return the way across two lines that cross, out of the first body."""
    way = np.array(unit(normal))
    gap: Any = dot(subtract(_ends(levels[1])[0], _ends(levels[0])[0]), normal)
    if abs(gap) > 4.0 * ROUNDED * claim.size / sine * _length(normal):
        return way if gap > 0 else -way
    if any(map(_climbs, levels, levels[::-1], claim.points[::-1])):
        raise FalseAnswer("the normal runs into the faces beside the edges")
    return way if way @ claim.normal > 0.0 else -way


def _ends(level: Level) -> list[Point]:
    """Place the ends of a line, or a vertex, without rounding."""
    x = level.solid.x[level.members]
    far = int(((x - x[0]) ** 2).sum(axis=1).argmax())
    end = int(((x - x[far]) ** 2).sum(axis=1).argmax())
    return [level.solid.exactly(level.members[k]) for k in sorted({far, end})]


def _bend(level: Level) -> float:
    """Return how far vertices of a line lie beside the way from end to end."""
    if len(level.members) < 3:
        return 0.0
    ends = _ends(level)
    points = (level.solid.exactly(v) for v in level.members)
    return sqrt(max(point_segment_square(p, ends[0], ends[-1]) for p in points))


def _climbs(level: Level, other: Level, point: Array) -> bool:
    """Say whether the faces at the edge that holds a point rise from it, on average.

    If the other's line runs on to both sides of the point no face may rise.
    """
    solid, high = level.solid, level.heights
    if solid.hulled:
        return bool(high.max() > level.drop)
    ends = np.linalg.norm(other.solid.x[other.members] - point, axis=1)
    if ends.min() <= BESIDE:
        return False
    faces = [
        solid.mesh.edge_faces[part.index]
        for part in level.parts
        if solid.off(point, (part,)) <= level.drop
    ]
    climb = sum(high[solid.mesh.face_vertices(f)].mean() for f in np.ravel(faces))
    return bool(climb > level.drop)


def _length(v: Point) -> float:
    square: Any = dot(v, v)
    return sqrt(square)
