"""The outline of a level part: a point, a segment, a polygon, or loops around holes.

Corners are written as (s, t) in the plane across the normal, three floats each (the
third is the height along it), with the vertex at the corner and the lowest edge number
of the side that leaves it.  Loops follow one after the other: the corners of each, then
its first one again with -1 for vertex and edge: the side that leaves place i ends at
i + 1.  A body that has collapsed is level all over, and its faces look to both sides.
"""

from math import sqrt

from sim.kernels.closest.support_feature import area_vector, covered
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import along, back, dot, minus, place, point, pull, put
from sim.kernels.workspace import BodyView, Part

VISITED = -1
PINCHED = -2  # the outline passes the vertex more than once


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
def ends(side: BodyView, origin: Vec) -> tuple[int, int]:
    """Return the two members farthest apart on a line, lower number first."""
    members = side.members
    count = side.mark[side.size]
    if count <= 2:
        return members[0], members[count - 1]
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
def is_collapsed(side: BodyView) -> bool:
    """Say whether the level part is all of the body, which has no volume then."""
    return side.mark[side.size] == side.size


@kernel
def area_of(side: BodyView, f: int) -> Vec:
    """Return twice the area vector of one face, in the body frame."""
    side.leaving[0] = f
    return area_vector(side, side.leaving, 1)


@kernel
def is_covered(side: BodyView, f: int, d: Vec) -> bool:
    """Say whether a face belongs to the outline: of a collapsed body those along d."""
    if is_collapsed(side):
        return dot(area_of(side, f), d) > 0.0
    return covered(side, f)


@kernel
def mark_rim(side: BodyView, faces: int, d: Vec) -> int:
    """Write where in its ring the outline leaves each member; return how often.

    Nowhere where all faces around it are of the part: nearly everywhere in a large one.
    """
    left = side.rim_edge  # free until the outline is written
    for m in range(side.mark[side.size]):
        v = side.members[m]
        side.successor[v] = VISITED
        left[v] = side.start[v + 1] - side.start[v]
    for k in range(0 if is_collapsed(side) else faces):
        f = side.faces[k]
        for c in range(side.corner_start[f], side.corner_start[f + 1]):
            left[side.corner_vertex[c]] -= 1
    total = 0
    for m in range(side.mark[side.size]):
        v = side.members[m]
        if left[v] == 0:
            continue
        last = side.start[v + 1]
        before = is_covered(side, side.star_face[last - 1], d)
        for k in range(side.start[v], last):
            here = is_covered(side, side.star_face[k], d)
            if here and not before:
                side.successor[v] = k if side.successor[v] == VISITED else PINCHED
                total += 1
            before = here
    return total


@kernel
def leaves_at(side: BodyView, v: int, u: int, d: Vec) -> int:
    """Return where in its ring the outline leaves a vertex that it came to from u.

    The faces between the two sides belong to the part; -1 where none leaves.
    """
    first = side.start[v]
    count = side.start[v + 1] - first
    k = 0
    while k < count - 1 and side.star[first + k] != u:
        k += 1
    for _ in range(count):
        k = (k + count - 1) % count
        if not is_covered(side, side.star_face[first + (k + count - 1) % count], d):
            return first + k
    return -1


@kernel
def walk_loop(side: BodyView, head: int, at: int, d: Vec) -> int:
    """Write one loop of the outline from a place on; return its length.

    0 where there is no room for it twice.
    """
    room = 2 * side.size
    count = 0
    v = head
    k = side.successor[head]
    while k >= 0 and at + 2 * count + 2 <= room:
        side.rim_vertex[at + count] = v
        side.rim_edge[at + count] = side.star_edge[k]
        count += 1
        if side.successor[v] >= 0:
            side.successor[v] = VISITED
        w = side.star[k]
        if w == head:
            return count
        k = side.successor[w]
        if k < 0:
            k = leaves_at(side, w, v, d)
        v = w
    return 0


@kernel
def reverse(ids: Ints, at: int, count: int) -> None:
    """Let so many ids that begin at a place run the other way."""
    for k in range(count // 2):
        i = at + k
        j = at + count - 1 - k
        ids[i], ids[j] = ids[j], ids[i]


@kernel
def lay(
    side: BodyView, origin: Vec, part: Part, n: Vec, flip: int, slack: float
) -> tuple[int, bool]:
    """Write the outline of the level part into ``side.corners``, counter-clockwise.

    Returns how many places it takes, 0 if it has none, and whether it is convex.
    ``flip`` is 1 for the body that faces against the normal: its loops run clockwise
    about n and are read backwards.
    """
    u, t = across(n)
    if part.dimension < 2:
        side.rim_vertex[0], side.rim_vertex[1] = ends(side, origin)
        side.rim_edge[0] = part.name if part.dimension == 1 else -1
        side.rim_edge[1] = -1  # a line is one side between two corners
        for k in range(part.dimension + 1):
            put_corner(side, origin, k, u, t, n)
        return part.dimension + 1, True
    d = pull(side.pose, back(n) if flip == 1 else n)
    total = mark_rim(side, part.faces, d)
    count = 0
    loops = 0
    convex = True
    for m in range(side.mark[side.size]):
        v = side.members[m]
        if side.successor[v] < 0:
            continue
        length = walk_loop(side, v, count, d)
        if length == 0:
            return 0, False
        total -= length
        if flip == 1:  # backwards the side that leaves a corner is that which came
            reverse(side.rim_vertex, count, length)
            reverse(side.rim_edge, count, length - 1)
        for k in range(count, count + length):
            put_corner(side, origin, k, u, t, n)
        kept, bulges = merge(side, count, length, slack)
        convex = convex and bulges
        loops += 1
        if kept > 0:
            end = count + kept
            move_corner(side, count, end)
            side.rim_vertex[end] = side.rim_edge[end] = -1
            count = end + 1
    return count if total == 0 else 0, convex and loops == 1


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
def merge(side: BodyView, first: int, count: int, slack: float) -> tuple[int, bool]:
    """Drop the corners that are none: those within ``slack`` of their neighbours' line.

    Of the loop of so many that begins at a place.  A side that was several edges keeps
    the lowest number.  The farthest corner from the first one is a true corner, so the
    walk starts there.  Returns the number left, 0 where these have no area, and whether
    the loop is convex.
    """
    corners = side.corners
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
    convex = True
    for step in range(count):
        j = first + (head + step) % count
        k = first + (head + step + 1) % count
        if kept > 0:
            turn = bend(corners, behind + kept - 1, j, k)
            if turn < -slack * slack:
                convex = False
            if abs(turn) <= slack * slack:
                last = behind + kept - 1
                side.rim_edge[last] = min(side.rim_edge[last], side.rim_edge[j])
                continue
        move_corner(side, j, behind + kept)
        kept += 1
    for k in range(kept):
        move_corner(side, behind + k, first + k)
    return kept if kept >= 3 else 0, convex


@kernel
def move_corner(side: BodyView, k: int, to: int) -> None:
    """Copy a corner of an outline to another place."""
    put(side.corners, 3 * to, point(side.corners, k))
    side.rim_vertex[to] = side.rim_vertex[k]
    side.rim_edge[to] = side.rim_edge[k]
