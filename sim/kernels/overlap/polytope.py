"""A growing convex hull of differences B - A: the polytope of a penetration.

Triangles with their neighbours, in flat buffers.  What is kept between frames is ids
and connectivity; ``penetration.refresh`` computes every point and plane anew.

A closed surface of triangles whose corners belong to the difference, each with the
origin on its inner side, winds around the origin: a ball that it does not cut lies in
the difference.  That, not the hull's convexity, is what proves a depth, so a corner
that rounding put on the wrong side of a plane costs tightness, never truth.
"""

from math import sqrt
from typing import NamedTuple

from sim.kernels.exact import fine_dot, fine_minus, fine_normal
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import HERE, along, cross, dot, minus, point, put, unit
from sim.kernels.walk.simplex import nearest_sq_on_rim

FREE = 0
OPEN = 1  # the difference may reach beyond this triangle
FINAL = 2  # it does not
SLIVER = 3  # it has no plane to look along

# A plane is eight floats: the outward unit normal first, then
HEIGHT = 3  # how high it stands above the origin,
DISTANCE = 4  # the same, or how far the triangle is: see ``distance_of``;
BLUR = 5  # how far its own rounding may move it,
AREA = 6  # twice its area,
LONGEST = 7  # and the square of its longest side
PLANE = 8

THIN = 1e-11  # twice the area per square of the longest side: no plane worth its digits
NARROW = 1e-2  # below this the normal is made orthogonal to the longest side again
ROUNDING = 8.0 * 2.220446049250313e-16  # of a plane, per unit of reach


class Polytope(NamedTuple):
    """The flat buffers of a polytope."""

    points: Floats  # 3 per vertex: B minus A, in the frame of the pair
    ids: Ints  # 2 per vertex: on A, on B
    corners: Ints  # 3 per triangle, counter-clockwise seen from outside
    across: Ints  # 3 per triangle: what lies beyond the side that leaves each corner
    planes: Floats  # 6 per triangle
    state: Ints  # per triangle: FREE, OPEN, FINAL, SLIVER
    seen: Ints  # per triangle, scratch: those that a new vertex looks at
    rim: Ints  # 3 per triangle, scratch: sides that stay, and the triangle beyond
    leaving: Ints  # per vertex, scratch: the new triangle whose rim side leaves it
    filled: Ints  # 3: vertices, triangles; nothing is remembered while they are 0;
    # and 1 while it is decided with twice the digits what a new vertex is above
    room: int  # vertices that fit; three times as many triangles do


@kernel
def put_vertex(hull: Polytope, v: int, w: Vec, on_a: int, on_b: int) -> None:
    """Write a vertex of the hull."""
    put(hull.points, 3 * v, w)
    hull.ids[2 * v] = on_a
    hull.ids[2 * v + 1] = on_b


@kernel
def outward(hull: Polytope, f: int) -> Vec:
    """Return the unit normal of a triangle."""
    i = PLANE * f
    return (hull.planes[i], hull.planes[i + 1], hull.planes[i + 2])


@kernel
def corners_of(hull: Polytope, f: int) -> tuple[Vec, Vec, Vec]:
    """Return the corners of a triangle."""
    return (
        point(hull.points, hull.corners[3 * f]),
        point(hull.points, hull.corners[3 * f + 1]),
        point(hull.points, hull.corners[3 * f + 2]),
    )


@kernel
def level(hull: Polytope, f: int, reach: float) -> None:
    """Compute the plane of a triangle from its corners.

    Its distance is never more than that of its nearest point: a lower bound, whatever
    rounding does to the plane.  ``reach`` is the largest coordinate that the corners
    came from.
    """
    p, q, r = corners_of(hull, f)
    e = minus(q, p)
    g = minus(r, p)
    h = minus(g, e)
    n = cross(e, g)
    area = sqrt(dot(n, n))
    longest = max(dot(e, e), dot(g, g), dot(h, h))
    height = 0.0
    blur = reach
    if not area > THIN * longest:
        # No plane worth its digits; no point of it is farther than this from its rim.
        hull.state[f] = SLIVER
        n = HERE
        width = area / sqrt(longest) if longest > 0.0 else 0.0
        distance = sqrt(nearest_sq_on_rim(p, q, r)) - width
    else:
        n = (n[0] / area, n[1] / area, n[2] / area)
        if area < NARROW * longest:
            # The rounding of a cross product must not tilt it along its own length.
            other = h if dot(h, h) == longest else e
            way = g if dot(g, g) == longest else other
            n = unit(along(n, -dot(n, way) / longest, way))
        distance = height = dot(n, p)
        blur = ROUNDING * reach * (longest / area)
    at = PLANE * f
    put(hull.planes, at, n)
    hull.planes[at + HEIGHT] = height
    hull.planes[at + DISTANCE] = distance
    hull.planes[at + BLUR] = blur
    hull.planes[at + AREA] = area
    hull.planes[at + LONGEST] = longest


@kernel
def distance_of(hull: Polytope, f: int) -> float:
    """Return how far a triangle is from the origin, negative where outside.

    Most are never asked, so it is here that one beside the origin gets the distance of
    its rim, on which its nearest point lies; till then it has that of its plane.
    """
    at = PLANE * f
    height = hull.planes[at + HEIGHT]
    known = hull.planes[at + DISTANCE] != height or hull.state[f] == SLIVER
    if not known and height >= -hull.planes[at + BLUR]:
        width = hull.planes[at + AREA] / sqrt(hull.planes[at + LONGEST])
        p, q, r = corners_of(hull, f)
        rim = sqrt(nearest_sq_on_rim(p, q, r))
        if rim * rim - height * height > width * width:
            hull.planes[at + DISTANCE] = rim
    return hull.planes[at + DISTANCE]


@kernel
def put_triangle(hull: Polytope, f: int, i: int, j: int, k: int, reach: float) -> None:
    """Write a triangle that is still to be looked at."""
    hull.corners[3 * f] = i
    hull.corners[3 * f + 1] = j
    hull.corners[3 * f + 2] = k
    hull.state[f] = OPEN
    level(hull, f, reach)


@kernel
def make_tetrahedron(hull: Polytope, reach: float) -> None:
    """Make the first four vertices the hull, whichever way they turn."""
    p = point(hull.points, 0)
    n = cross(minus(point(hull.points, 1), p), minus(point(hull.points, 2), p))
    above = dot(n, minus(point(hull.points, 3), p)) > 0.0
    b, c = (2, 1) if above else (1, 2)
    # Seen from outside: 0 b c is the floor, the others rise to 3.
    put_triangle(hull, 0, 0, b, c, reach)
    put_triangle(hull, 1, b, 0, 3, reach)
    put_triangle(hull, 2, c, b, 3, reach)
    put_triangle(hull, 3, 0, c, 3, reach)
    for side in range(3):
        f = side + 1
        hull.across[side] = f
        hull.across[3 * f] = 0
        hull.across[3 * f + 1] = (side + 2) % 3 + 1
        hull.across[3 * f + 2] = (side + 1) % 3 + 1
    hull.filled[0] = 4
    hull.filled[1] = 4


@kernel
def stands_above(hull: Polytope, f: int, w: Vec) -> bool:
    """Say, with twice the digits, whether a point is above a triangle's plane."""
    p, q, r = corners_of(hull, f)
    return fine_dot(fine_normal(p, q, r), fine_minus(w, p))[0] > 0.0


@kernel
def look(hull: Polytope, f: int, w: Vec) -> int:
    """List the triangles around ``f`` that a point is above, or level with.

    Level ones go too: a new triangle beside one of them might have no area.  Not so
    with twice the digits: what is strictly above always hangs together.
    Returns how many; their rim is what stays.
    """
    hull.seen[0] = f
    hull.state[f] = FREE
    found = 1
    done = 0
    while done < found:
        g = hull.seen[done]
        done += 1
        for side in range(3):
            h = hull.across[3 * g + side]
            if hull.state[h] != FREE:
                i = PLANE * h
                blur = hull.planes[i + BLUR]
                height = dot(outward(hull, h), w) - hull.planes[i + HEIGHT]
                above = height >= -blur
                if hull.filled[2] == 1 and (
                    hull.state[h] == SLIVER or -blur <= height <= blur
                ):
                    above = stands_above(hull, h, w)
                if above:
                    hull.state[h] = FREE
                    hull.seen[found] = h
                    found += 1
    return found


@kernel
def find_rim(hull: Polytope, found: int) -> int:
    """List the sides between the triangles that go and those that stay.

    Returns how many, or 0 where they are not one simple loop.
    """
    rim = hull.rim
    sides = 0
    for k in range(found):
        g = hull.seen[k]
        for side in range(3):
            h = hull.across[3 * g + side]
            if hull.state[h] != FREE:
                rim[3 * sides] = hull.corners[3 * g + side]
                rim[3 * sides + 1] = hull.corners[3 * g + (side + 1) % 3]
                rim[3 * sides + 2] = h
                sides += 1
    for k in range(sides):
        hull.leaving[rim[3 * k]] = -1
    for k in range(sides):
        if hull.leaving[rim[3 * k]] >= 0:
            return 0
        hull.leaving[rim[3 * k]] = k
    # One loop, not several: walking it meets every side.
    walked = 0
    k = 0
    while walked < sides:
        v = rim[3 * k + 1]
        k = hull.leaving[v]
        walked += 1
        if k == 0:
            break
    return sides if walked == sides and sides > 2 else 0


@kernel
def add_vertex(
    hull: Polytope, f: int, w: Vec, on_a: int, on_b: int, reach: float
) -> bool:
    """Grow the hull by a point above triangle ``f``; False where it would break.

    Capacity is the caller's to check: one vertex and two triangles more.
    """
    v = hull.filled[0]
    found = look(hull, f, w)
    sides = find_rim(hull, found)
    if sides == 0:
        return False
    put_vertex(hull, v, w, on_a, on_b)
    hull.filled[0] = v + 1
    rim = hull.rim
    for k in range(sides):
        # The places of the triangles that went are taken first.
        g = hull.seen[k] if k < found else hull.filled[1] + k - found
        put_triangle(hull, g, rim[3 * k], rim[3 * k + 1], v, reach)
        hull.leaving[rim[3 * k]] = g
        h = rim[3 * k + 2]
        hull.across[3 * g] = h
        for side in range(3):
            if hull.corners[3 * h + side] == rim[3 * k + 1]:
                hull.across[3 * h + side] = g
    hull.filled[1] += max(0, sides - found)
    for k in range(sides):
        g = hull.leaving[rim[3 * k]]
        after = hull.leaving[rim[3 * k + 1]]
        hull.across[3 * g + 1] = after
        hull.across[3 * after + 2] = g
    return True
