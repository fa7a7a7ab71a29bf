"""The outline of a level part: a point, a segment or a convex polygon.

Corners are written as (s, t) in the plane across the normal, three floats each
(the third is the height along it), with the vertex at the corner and the lowest
edge number of the side that leaves it, counter-clockwise about the normal.
"""

from math import sqrt

from sim.kernels.closest.support_feature import covered
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import along, dot, minus, place, put
from sim.kernels.workspace import BodyView


@kernel
def across(n: Vec) -> tuple[Vec, Vec]:
    """Return two orthonormal axes across a unit normal, right-handed with it.

    Duff et al. (2017), "Building an Orthonormal Basis, Revisited": no root, no
    branch but the sign.
    """
    sign = 1.0 if n[2] >= 0.0 else -1.0
    a = -1.0 / (sign + n[2])
    b = n[0] * n[1] * a
    return (
        (1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]),
        (b, sign + n[1] * n[1] * a, -n[1]),
    )


@kernel
def rim(side: BodyView) -> int:
    """Walk once around the covered faces, counter-clockwise seen from outside.

    Returns the number of vertices, or 0 where the rim is not one simple loop.
    """
    start = side.start
    star = side.star
    mark = side.mark
    total = 0
    head = -1
    for m in range(mark[side.size]):
        v = side.members[m]
        first = start[v]
        last = start[v + 1]
        found = 0
        before = False
        for step in range(last - first + 1):
            k = last - 1 if step == 0 else first + step - 1
            here = covered(side, side.star_face[k])
            if step > 0 and here and not before:
                side.successor[v] = star[k]
                side.leaving[v] = side.star_edge[k]
                found += 1
            before = here
        if found > 1:
            return 0
        if found == 1 and head < 0:
            head = v
        total += found
    if head < 0:
        return 0
    v = head
    for k in range(total):
        side.rim_vertex[k] = v
        side.rim_edge[k] = side.leaving[v]
        v = side.successor[v]
        if v == head and k + 1 < total:
            return 0
    return total if v == head else 0


@kernel
def ends(side: BodyView, origin: Vec) -> tuple[int, int]:
    """Return the two members farthest apart on a line, lower number first."""
    count = side.mark[side.size]
    if count <= 2:
        return side.members[0], side.members[count - 1]
    return far_ends(side, origin, count)


@kernel
def far_ends(side: BodyView, origin: Vec, count: int) -> tuple[int, int]:
    """Return the same of a line of several edges; O(members)."""
    members = side.members
    p = q = members[0]
    for _ in range(2):
        a = place(side.points, side.pose, origin, p)
        far = -1.0
        q = p
        for k in range(count):
            b = place(side.points, side.pose, origin, members[k])
            w = minus(b, a)
            r = dot(w, w)
            if r > far:
                far = r
                q = members[k]
        p, q = q, p
    return min(p, q), max(p, q)


@kernel
def off_line(side: BodyView, origin: Vec, p: Vec, q: Vec) -> float:
    """Return how far the vertices of a line part lie off the segment of its ends.

    A line of several edges is straight only to the tolerance of what is level.
    """
    d = minus(q, p)
    dd = dot(d, d)
    most = 0.0
    for k in range(side.mark[side.size]):
        w = minus(place(side.points, side.pose, origin, side.members[k]), p)
        if dd > 0.0:
            w = along(w, -dot(w, d) / dd, d)
        most = max(most, dot(w, w))
    return sqrt(most)


@kernel
def lay(
    side: BodyView,
    origin: Vec,
    dimension: int,
    name: int,
    n: Vec,
    flip: int,
    slack: float,
) -> int:
    """Write the outline of the level part into ``side.corners``; return its corners.

    ``flip`` is 1 for the body that faces against the normal: its rim runs
    clockwise about n and is read backwards.  0 where there is no convex outline.
    """
    rim_vertex = side.rim_vertex
    rim_edge = side.rim_edge
    if dimension == 2:
        count = rim(side)  # of a collapsed body 0, for its faces cover all
        if flip == 1:
            for k in range(count // 2):
                j = count - 1 - k
                rim_vertex[k], rim_vertex[j] = rim_vertex[j], rim_vertex[k]
            # The side that leaves corner k backwards is the one that reached it.
            for k in range((count - 1) // 2):
                j = count - 2 - k
                rim_edge[k], rim_edge[j] = rim_edge[j], rim_edge[k]
    elif dimension == 1:
        count = 2
        rim_vertex[0], rim_vertex[1] = ends(side, origin)
        rim_edge[0] = name
        rim_edge[1] = name
    else:
        count = 1
        rim_vertex[0] = name
    u, t = across(n)
    for k in range(count):
        put_corner(side, origin, k, u, t, n)
    if dimension < 2:
        return count
    return merge(side.corners, rim_vertex, rim_edge, 0, count, slack, 1)


@kernel
def put_corner(side: BodyView, origin: Vec, k: int, u: Vec, t: Vec, n: Vec) -> None:
    """Write where the k-th vertex of an outline is, along three axes."""
    x = place(side.points, side.pose, origin, side.rim_vertex[k])
    put(side.corners, 3 * k, (dot(x, u), dot(x, t), dot(x, n)))


@kernel
def bend(corners: Floats, i: int, j: int, k: int) -> float:
    """Return how far corner j stands out to the right of the line from i to k.

    Squared, with the sign kept: positive for a convex corner.
    """
    ex = corners[3 * k] - corners[3 * i]
    ey = corners[3 * k + 1] - corners[3 * i + 1]
    dx = corners[3 * j] - corners[3 * i]
    dy = corners[3 * j + 1] - corners[3 * i + 1]
    area = dx * ey - dy * ex
    ee = ex * ex + ey * ey
    if not ee > 0.0:
        return dx * dx + dy * dy
    return area * abs(area) / ee


@kernel
def merge(
    corners: Floats,
    rim_vertex: Ints,
    rim_edge: Ints,
    first: int,
    count: int,
    slack: float,
    convex: int,
) -> int:
    """Drop the corners that are none: those within ``slack`` of their neighbours' line.

    Of the loop of so many that begins at a place.  A side that was several edges keeps
    the lowest number.  The farthest corner from the first one is a true corner, so the
    walk starts there.  Returns the number left, or 0 where the outline is not convex
    and ``convex`` is 1.
    """
    far = -1.0
    head = 0
    for k in range(count):
        x = corners[3 * (first + k)] - corners[3 * first]
        y = corners[3 * (first + k) + 1] - corners[3 * first + 1]
        if x * x + y * y > far:
            far = x * x + y * y
            head = k
    # The kept corners go behind the given ones, then move to the front.
    behind = first + count
    kept = 0
    for step in range(count):
        j = first + (head + step) % count
        k = first + (head + step + 1) % count
        if kept > 0:
            turn = bend(corners, behind + kept - 1, j, k)
            if turn < -slack * slack and convex == 1:
                return 0
            if abs(turn) <= slack * slack:
                last = behind + kept - 1
                rim_edge[last] = min(rim_edge[last], rim_edge[j])
                continue
        move_corner(corners, rim_vertex, rim_edge, j, behind + kept)
        kept += 1
    for k in range(kept):
        move_corner(corners, rim_vertex, rim_edge, behind + k, first + k)
    return kept if kept >= 3 else 0


@kernel
def move_corner(
    corners: Floats, rim_vertex: Ints, rim_edge: Ints, k: int, to: int
) -> None:
    """Copy a corner of an outline to another place."""
    corners[3 * to] = corners[3 * k]
    corners[3 * to + 1] = corners[3 * k + 1]
    corners[3 * to + 2] = corners[3 * k + 2]
    rim_vertex[to] = rim_vertex[k]
    rim_edge[to] = rim_edge[k]
