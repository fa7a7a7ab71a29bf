"""Tell whether a sphere touches a triangle, where it is and where it moves."""

from functools import reduce
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge import exact
from wingedge.columns import at, columns, cross, direction, dot, rows, subtract
from wingedge.primitives import point_triangle, segment_segment, segment_triangle
from wingedge.primitives.arguments import answered, around, flat, lengths, points
from wingedge.primitives.line_sphere import level
from wingedge.signs import sign

# Of a query's extent: distances are good to 5e-15 of it, and decided without rounding
# where they differ from the radius by less than this.
OPEN = 1e-12
# Below this the direction of a gap would be off by more than 1e-8.
NEAR = 1e-6


class Gap(NamedTuple):
    """Between balls and triangles: how wide, from where, and which way."""

    compared: NDArray[np.int8]  # (N,) the sign of distance from the triangle - radius
    distance: NDArray[np.float64]  # (N,) from the sphere, that sign
    point: NDArray[np.float64]  # (N, 3)
    normal: NDArray[np.float64]  # (N, 3)
    weights: NDArray[np.float64]  # (N, 3)


def nearest(p: list[Any], r: Any) -> Gap:
    """Find the nearest points of triangles p[1:] to centres p[0], exactly if close."""
    corners, radius, exponent = around(p, r)
    near = point_triangle.closest((0.0, 0, 0), *map(rows, corners))
    gap = np.sqrt(near.distance_sq)
    high = gap - radius
    distance = np.ldexp(high, exponent)
    lost = (distance == 0) & (high != 0)
    answer = Gap(
        np.sign(high).astype(np.int8),
        np.where(lost, np.copysign(5e-324, high), distance),
        placed(near, p[0], p[1:], exponent),
        rows(direction(columns(-near.point))),
        near.weights.copy(),
    )
    for row in np.flatnonzero((np.abs(high) <= OPEN) | (gap <= NEAR)):
        _settle(answer, [at(point, row) for point in p], r[row], row)
    return answer


def _settle(answer: Gap, p: list[Any], r: Any, row: Any) -> None:
    """Answer for one sphere without rounding."""
    center, *corners, (radius, one, _) = exact.integer_points(*p, (r, 1.0, 0.0))
    weights = exact.triangle_weights(center, *corners)
    total = sum(weights)
    gap = exact.gap_to(center, corners, weights)
    square: Any = dot(gap, gap)
    limit = (total * radius) ** 2
    compared = (square > limit) - (square < limit)
    off = max(abs(_length(gap, total * one) - float(r)), 5e-324)
    answer.compared[row], answer.distance[row] = compared, compared * off
    answer.point[row] = [
        (total * x - step) / (total * one) for x, step in zip(center, gap, strict=True)
    ]
    answer.normal[row] = exact.unit(gap if square else across(*corners))
    answer.weights[row] = [w / total for w in weights]


def across(a: Any, b: Any, c: Any) -> Any:
    """Find the normal of a triangle of whole numbers, or of the segment that it is."""
    normal = cross(subtract(b, a), subtract(c, a))
    if any(normal):
        return normal
    edges: list[Any] = [subtract(b, a), subtract(c, b), subtract(a, c)]
    edge: Any = max(edges, key=lambda e: dot(e, e))
    least = min(range(3), key=lambda k: abs(edge[k]))
    axis: Any = tuple(int(k == least) for k in range(3))
    return cross(edge, axis) if any(edge) else (1, 0, 0)


def _length(vector: Any, one: int) -> float:
    """Find the length of a vector of whole numbers, whatever its size."""
    largest: int = max(map(abs, vector))
    shares = [x / (largest or 1) for x in vector]
    return largest / one * sqrt(sum(x * x for x in shares))


def placed(near: Any, origin: Any, corners: list[Any], exponent: Any) -> Any:
    """Bring nearest points back: rows, with corners to the bit."""
    point = rows(origin) + np.ldexp(near.point, exponent[:, None])
    for k, corner in enumerate(corners):
        point = np.where(near.weights[:, [k]] == 1, rows(corner), point)
    return point


SETTLED = 4e-16  # of the extent: a gap so narrow is closed
# along a face the direction of a narrow gap is too rough to tell how fast it closes
STALLED = 1e-14
STEPS = 100
# by which of the weights of a, b, c are 0: 1 + 2 + 4
FEATURES = np.array(["face", "bc", "ca", "c", "ab", "b", "a"])


class SphereTriangleTouch(NamedTuple):
    """How a ball and its surface meet triangles."""

    hit: NDArray[np.bool_]  # (N,) the ball and the triangle share a point
    overlap: NDArray[np.bool_]  # (N,) and one inside the ball: more than touching
    surface: NDArray[np.bool_]  # (N,) the sphere's surface and the triangle share one
    distance: NDArray[np.float64]  # (N,) > 0 apart, 0 touching, < 0 overlapping
    point: NDArray[np.float64]  # (N, 3) of the triangle, nearest to the centre
    normal: NDArray[np.float64]  # (N, 3) unit, from the triangle to the centre


class Sweep(NamedTuple):
    """When moving spheres first touch triangles; nan and "" where they do not."""

    hit: NDArray[np.bool_]  # (N,)
    t: NDArray[np.float64]  # (N,) in [0, 1] from start to end; 0 touching at the start
    point: NDArray[np.float64]  # (N, 3) of the triangle, where it is touched
    normal: NDArray[np.float64]  # (N, 3) unit, from the triangle to the centre
    feature: NDArray[np.str_]  # (N,) "face", "ab", "bc", "ca", "a", "b" or "c"


def touch(
    center: ArrayLike, radius: ArrayLike, a: ArrayLike, b: ArrayLike, c: ArrayLike
) -> SphereTriangleTouch:
    """Find the points of triangles nearest to spheres, and whether they touch.

    Parameters: ``center``, ``a``, ``b``, ``c`` (..., 3): centres and triangle corners,
    one frame; shapes broadcast. A triangle of no area is its longest segment;
    ``radius`` (...): radii; 0 is a point.

    ``hit``, ``overlap``, ``surface`` and the sign of ``distance`` are exact for the
    floats as they stand. ``distance`` and ``point`` are within 5e-15 of the query's
    extent around the centre, ``normal`` within 1e-8. Where the centre lies in the
    triangle the normal is that of the triangle, above which a b c run
    counter-clockwise; for no area, one across it; for a point, +x.

    The nearest point after Ericson (2005), 5.1.5; rows that rounding leaves open are
    decided in whole numbers. Cost: 2 us per pair in bulk, 0.6 ms for one.
    """
    split = points(3, center=center, a=a, b=b, c=c)
    shape, *p, (r,) = flat(*split, lengths(radius=radius))
    near = nearest(p, r)
    outside = [sign(level, *p[0], *corner, r) >= 0 for corner in p[1:]]
    hit = near.compared <= 0
    on = hit & reduce(np.logical_or, outside)
    found = hit, near.compared < 0, on, near.distance, near.point, near.normal
    return answered(SphereTriangleTouch, shape, *found)


def sweep(
    start: ArrayLike,
    end: ArrayLike,
    radius: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
) -> Sweep:
    """Find when spheres that move straight from start to end first touch triangles.

    Parameters: ``start``, ``end``, ``a``, ``b``, ``c`` (..., 3): centres before and
    after, triangle corners, one frame; shapes broadcast. No motion is `touch`, a
    triangle of no area is its longest segment; ``radius`` (...): radii; 0 is
    `segment_triangle.hit`.

    ``hit`` is exact for the floats as they stand, and so is ``t == 0``: touching
    already at the start. At ``t`` the distance is the radius within 1e-14 of the
    query's extent around the start, and ``point`` is as near to the triangle; coming in
    at a grazing angle the time is less certain than the distance. ``feature`` is where
    ``point`` lies. The normal of a point that comes along the plane, or upon a triangle
    of no area, is against its motion; where the centre starts in the triangle it is
    that of `touch`.

    The distance from a convex set is convex along a line: Newton's steps from the start
    never pass the first touch (as in van den Bergen 2004, ray casting against general
    convex objects), and find it without a case for every feature. Cost: 10 us per pair
    in bulk, 4 ms for one.
    """
    split = points(3, start=start, end=end, a=a, b=b, c=c)
    shape, *p, (r,) = flat(*split, lengths(radius=radius))
    near, crossing, hit = _met(p, r)
    t, later = np.where(hit, 0.0, np.nan), hit & (near.compared > 0)
    if (where := later & (r > 0)).any():
        chosen = [at(point, where) for point in p]
        t[where], near.point[where], near.normal[where], near.weights[where] = _rolled(
            chosen, r[where], crossing.side[where]
        )
    where = later & (r == 0)
    t[where] = np.maximum(crossing.t[where], 5e-324)
    near.point[where], near.weights[where] = (
        crossing.point[where],
        crossing.weights[where],
    )
    near.normal[where] = _faced([at(x, where) for x in p], crossing.side[where])
    zero = near.weights == 0
    feature = FEATURES[zero[:, 0] + 2 * zero[:, 1] + 4 * zero[:, 2]]
    met = (np.where(hit[:, None], x, np.nan) for x in (near.point, near.normal))
    return answered(Sweep, shape, hit, t, *met, np.where(hit, feature, ""))


def first(
    start: ArrayLike, end: ArrayLike, radii: Any, corners: list[Any], rests: Any
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
    """Find which of many triangles a sphere that moves straight touches first.

    Returns (N,) each: whether it touches as one of the first of two radii, whether at
    the start, and when it does as one of the second, not less: 0 for what touches at
    the start or ``rests``, and perhaps too early for what comes later than another.

    Parameters: as for `sweep`; ``radii``: both, (N,); ``corners`` (N, 3): of a, b, c;
    ``rests`` (N,): whose time is not asked.
    """
    a, b, c = corners
    split = points(3, start=start, end=end, a=a, b=b, c=c)
    _, *p, radii = flat(*split, radii)
    near, _, hit = _met(p, radii[0])
    t, later = np.where(hit, 0.0, np.nan), hit & (near.compared > 0) & ~rests
    if later.any():
        chosen = [at(point, later) for point in p]
        t[later], *_ = _timed(chosen, radii[1][later], first=True)
    return hit, hit & (near.compared <= 0), t


def _met(p: list[Any], r: Any) -> tuple[Gap, Any, Any]:
    """Tell which spheres touch on their way; their starts and centres, too."""
    near = nearest([p[0], *p[2:]], r)
    crossing = segment_triangle.hit(*map(rows, p))
    hit = crossing.hit | (near.compared <= 0)
    hit |= _passes_within(p, r, ~hit & (r > 0))
    return near, crossing, hit


def _passes_within(p: list[Any], r: Any, where: Any) -> Any:
    """Tell which spheres come within their radius of what their centres do not meet.

    Asked only where ``where`` holds; false elsewhere.
    """
    asked, out = np.flatnonzero(where), np.zeros(where.shape, bool)
    if not len(asked):
        return out
    p, r = [at(point, asked) for point in p], r[asked]
    others, radius, _ = around(p, r)
    end, *corners = map(rows, others)
    edges = np.stack(corners), np.stack([corners[1], corners[2], corners[0]])
    pairs = segment_segment.closest(np.zeros(3), end, *edges)
    square = point_triangle.closest(end, *corners).distance_sq
    square = np.minimum(square, pairs.distance_sq.min(axis=0))
    high = np.sqrt(square) - radius
    within = high <= 0
    for row in np.flatnonzero(np.abs(high) <= OPEN):
        one = [at(point, row) for point in p]
        start, end, *corners, (whole_r, *_) = exact.integer_points(
            *one, (r[row], 0.0, 0.0)
        )
        within[row] = exact.segment_triangle_square(start, end, corners) <= whole_r**2
    out[asked] = within
    return out


def _rolled(p: list[Any], r: Any, side: Any) -> tuple[Any, Any, Any, Any]:
    """Find the first touch of spheres: time, point, normal, weights."""
    t, near, center = _timed(p, r)
    normal = rows(direction(subtract(columns(center), columns(near.point))))
    _, radius, exponent = around(p, r)
    thin = (radius < NEAR) & (near.weights > 0).all(axis=1)
    thin |= (normal == 0).all(axis=1)
    normal[thin] = _faced([at(point, thin) for point in p], side[thin])
    return t, placed(near, p[0], p[2:], exponent), normal, near.weights


def _timed(p: list[Any], r: Any, *, first: bool = False) -> tuple[Any, Any, Any]:
    """Find when spheres that touch first do, the points there, and their centres.

    Where only the ``first`` of all is asked, what comes later is left on its way.
    """
    (step, *corners), radius, _ = around(p, r)
    step, corners = rows(step), [rows(corner) for corner in corners]
    t, until = np.zeros(len(r)), np.inf
    near, high, closing = _approach(t, step, corners, radius)
    moving = np.arange(len(r))
    for _ in range(STEPS):
        if first:
            until = t[np.abs(high) <= SETTLED].min(initial=np.inf)
        on = (high[moving] > SETTLED) & (closing[moving] > 0) & (t[moving] <= until)
        moving = moving[on]
        if not len(moving):
            break
        ahead = np.minimum(t[moving] + high[moving] / closing[moving], 1.0)
        new, new_high, new_closing = _approach(
            ahead, step[moving], [corner[moving] for corner in corners], radius[moving]
        )
        # a step that comes no nearer to touching was made of rounding: it is not taken
        nearer = np.abs(new_high) < high[moving]
        moving = moving[nearer]
        t[moving], high[moving] = ahead[nearer], new_high[nearer]
        closing[moving] = new_closing[nearer]
        for old, better in zip(near, new, strict=True):
            old[moving] = better[nearer]
    stalled = np.flatnonzero((np.abs(high) > STALLED) & (t <= until))
    for row in stalled:
        t[row] = _bisected([at(point, row) for point in p], r[row])
    center = t[:, None] * step
    if len(stalled):
        near = point_triangle.closest(center, *corners)
    # not yet at the start, though rounding may say so
    return np.maximum(t, 5e-324), near, center


def _bisected(p: list[Any], r: Any) -> float:
    """Find the first float at which a sphere touches, or is nearest, in whole numbers.

    Before it the distance falls and is more than the radius, by convexity.
    """
    start, end, *corners, (radius, *_) = exact.integer_points(*p, (r, 0.0, 0.0))
    step, low, high = subtract(end, start), 0.0, 1.0
    while low < (t := (low + high) / 2) < high:
        top, unit_ = t.as_integer_ratio()
        center: Any = tuple(
            x * unit_ + top * y for x, y in zip(start, step, strict=True)
        )
        there: Any = [tuple(x * unit_ for x in corner) for corner in corners]
        weights = exact.triangle_weights(center, *there)
        gap = exact.gap_to(center, there, weights)
        touches = dot(gap, gap) <= (radius * unit_ * sum(weights)) ** 2
        reached = touches or dot(gap, step) >= 0
        low, high = (low, t) if reached else (t, high)
    return high


def _approach(t: Any, step: Any, corners: list[Any], radius: Any) -> tuple[Any, ...]:
    """Find the nearest points at times t, the heights above touching, their descent."""
    center = t[:, None] * step
    near = point_triangle.closest(center, *corners)
    gap = subtract(columns(center), columns(near.point))
    descent = -dot(direction(gap), columns(step))
    return near, np.sqrt(near.distance_sq) - radius, descent


def _faced(p: list[Any], side: Any) -> Any:
    """Find unit normals of triangles towards the start; on no side, against motion."""
    normals = np.empty((len(side), 3))
    for row in range(len(side)):
        start, end, a, b, c = exact.integer_points(*(at(point, row) for point in p))
        normal = across(a, b, c) if side[row] else subtract(start, end)
        normals[row] = exact.unit(normal)
        normals[row] *= side[row] or 1
    return normals
