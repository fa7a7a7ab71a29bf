"""The part of a body that is level along a direction: its feature there.

A feature is the connected part around the support on which height is constant
within ``drop``: one vertex, a line of edges or an area of faces, however the
flat part is triangulated.  ``mark`` holds V + 1 ints: 1 for
members, and in the last place how many members the previous call listed.
"""

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import HERE, cross, length, minus, place, plus, point
from sim.kernels.walk.support import LOWEST, height
from sim.kernels.workspace import BodyView, Result, clear

EVEN = 0.0625  # of the tolerance: whichever part's size counts, this much is level
DENSE = 16  # one member in so many vertices: all marks are looked at faster than sorted


@kernel
def differs(height: float, drop: float, result: Result) -> bool:
    """Say whether a difference of heights is more than what is level.

    Noted where another size might say otherwise: then parts of two sizes may both name
    themselves, and a frame must not ask the one before.
    """
    if EVEN * drop < height < drop / EVEN:
        result.borderline = 1
    return drop < height < -LOWEST


@kernel
def sort(values: Ints, count: int) -> None:
    """Sort the first ``count`` ints in place (Shell 1959, gaps 3 k + 1)."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            x = values[i]
            j = i
            while j >= gap and values[j - gap] > x:
                values[j] = values[j - gap]
                j -= gap
            values[j] = x
        gap //= 3


@kernel
def plateau(
    side: BodyView, top: int, d: Vec, drop: float, above: float, result: Result
) -> int:
    """Flood the level part around a vertex.

    Returns the number of members (sorted by number); -1 where a vertex beside it
    stands more than ``above`` higher.  Cost: one ring per member.
    """
    points = side.points
    mark = side.mark
    members = side.members
    count = side.size
    clear(side)
    level = height(points, top, d)
    members[0] = top
    mark[top] = 1
    size = 1
    done = 0
    while done < size:
        v = members[done]
        done += 1
        first = side.start[v]
        last = side.start[v + 1]
        result.vertices += last - first
        for k in range(first, last):
            w = side.star[k]
            if mark[w] == 0:
                h = height(points, w, d)
                result.nan_sum += h
                if not h < level - drop:
                    if h > level + drop:
                        if h > level + above:
                            mark[count] = size
                            return -1
                        continue
                    mark[w] = 1
                    members[size] = w
                    size += 1
    mark[count] = size
    if DENSE * size < count:
        sort(members, size)
        return size
    size = 0
    for v in range(count):
        if mark[v] == 1:
            members[size] = v
            size += 1
    return size


@kernel
def allowed(
    side: BodyView, v: int, w: int, drop: float, turned: float, result: Result
) -> float:
    """Return how far apart two vertices may seem where the normal may be turned.

    The more, the farther they are from each other; than the size counts as no farther.
    """
    if turned == 0.0:
        return drop
    p = place(side.points, side.pose, HERE, v)
    q = place(side.points, side.pose, HERE, w)
    return drop + turned * min(length(minus(q, p)), result.size)


@kernel
def confirmed(
    side: BodyView, d: Vec, drop: float, turned: float, own: float, result: Result
) -> tuple[int, int]:
    """Say whether the members are exactly the level part along a direction.

    Returns (-1, -1) if so; else a member and the ring neighbour of it that is not
    strictly lower, or (-2, -2) where the members themselves are not level.

    All of them level, every ring neighbour that is none strictly lower.  On a convex
    body that makes them its support: a vertex inside a flat part that faces away ties
    with its ring, so it can be no member without the rest of that part, whose faces
    then cover it and are checked to look along the direction.
    Cost: one ring per member; nothing is written.
    """
    points = side.points
    mark = side.mark
    members = side.members
    size = mark[side.size]
    highest = height(points, members[0], d)
    if size > 1:
        lowest = highest
        top = members[0]
        low = top
        for m in range(1, size):
            h = height(points, members[m], d)
            result.nan_sum += h
            if h > highest:
                highest = h
                top = members[m]
            elif h < lowest:
                lowest = h
                low = members[m]
        if highest - lowest > EVEN * drop and differs(
            highest - lowest, allowed(side, top, low, drop, own, result), result
        ):
            return -2, -2
    floor = highest - (drop + turned * result.size) / EVEN
    result.nan_sum += highest
    looked = 0
    member = -1
    higher = -1
    for m in range(size):
        v = members[m]
        first = side.start[v]
        last = side.start[v + 1]
        looked += last - first
        for k in range(first, last):
            w = side.star[k]
            if size > 2 and mark[w] == 1:  # most neighbours in a large part
                continue
            h = height(points, w, d)
            # Few others stand high, so membership is the later question.
            if (
                not LOWEST < h < floor
                and mark[w] == 0
                and not differs(
                    highest - h, allowed(side, v, w, drop, turned, result), result
                )
            ):
                result.nan_sum += h
                member = v
                higher = w
                break
        if higher >= 0:
            break
    result.vertices += looked
    return member, higher


@kernel
def face_confirmed(side: BodyView, d: Vec, drop: float, result: Result) -> bool:
    """Say whether the one face that is named is the whole level part.

    For a convex body only.  There every face lies in a supporting plane, and a level
    part that were larger would hold one of the faces across its sides: one corner of
    each is enough.  The face itself must be level: the direction may be the normal of
    the other body's face.
    """
    points = side.points
    corner_vertex = side.corner_vertex
    first = side.corner_start[side.faces[0]]
    last = side.corner_start[side.faces[0] + 1]
    highest = height(points, corner_vertex[first], d)
    lowest = highest
    total = highest
    for c in range(first + 1, last):
        h = height(points, corner_vertex[c], d)
        total += h
        if h > highest:
            highest = h
        elif h < lowest:
            lowest = h
    result.nan_sum += total
    if highest - lowest > EVEN * drop and differs(highest - lowest, drop, result):
        return False
    floor = highest - drop / EVEN
    for c in range(first, last):
        h = height(points, side.beyond[c], d)
        if not LOWEST < h < floor and not differs(highest - h, drop, result):
            result.nan_sum += h
            return False
    result.vertices += last - first
    return True


@kernel
def edge_confirmed(
    side: BodyView, d: Vec, drop: float, turned: float, own: float, result: Result
) -> tuple[int, int]:
    """Say whether the one edge that is named is the whole level part.

    As ``confirmed`` does, for a convex blunt body (EDGES in ``audit.hinges``): its
    faces are a wedge that holds the body, so two vertices beside the edge decide.
    """
    points = side.points
    members = side.members
    h = height(points, members[0], d)
    g = height(points, members[1], d)
    result.nan_sum += h + g
    v = members[0]
    if abs(h - g) > EVEN * drop and differs(
        abs(h - g), allowed(side, v, members[1], drop, own, result), result
    ):
        return -2, -2
    highest = max(h, g)
    floor = highest - (drop + turned * result.size) / EVEN
    e = side.edges[0]
    for k in range(2):
        w = side.flank[2 * e + k]
        h = height(points, w, d)
        if not LOWEST < h < floor and not differs(
            highest - h, allowed(side, v, w, drop, turned, result), result
        ):
            result.nan_sum += h
            return v, w
    return -1, -1


@kernel
def covered(side: BodyView, f: int) -> bool:
    """Say whether every corner of a face is a member."""
    for k in range(side.corner_start[f], side.corner_start[f + 1]):
        if side.mark[side.corner_vertex[k]] == 0:
            return False
    return True


@kernel
def collect(side: BodyView, count: int) -> tuple[int, int]:
    """List the edges and the faces whose corners are all members.

    Returns how many there are.  Order: by the lowest member, then its ring, so
    it depends on the members alone and not on where the flood began.
    """
    star = side.star
    edges = side.edges
    faces = side.faces
    n_edges = 0
    n_faces = 0
    for m in range(count):
        v = side.members[m]
        for k in range(side.start[v], side.start[v + 1]):
            if side.mark[star[k]] == 1:
                if v < star[k]:
                    edges[n_edges] = side.star_edge[k]
                    n_edges += 1
                f = side.star_face[k]
                first = side.corner_vertex[side.corner_start[f]]
                if first == v and covered(side, f):
                    faces[n_faces] = f
                    n_faces += 1
    sort(edges, n_edges)
    sort(faces, n_faces)
    return n_edges, n_faces


@kernel
def area_vector(side: BodyView, faces: Ints, count: int) -> Vec:
    """Add up twice the area vectors of some faces, each a fan from its first corner.

    Body frame.  Large faces weigh more, so a needle among them does no harm.
    """
    points = side.points
    vertex = side.corner_vertex
    n = HERE
    for j in range(count):
        first = side.corner_start[faces[j]]
        p = point(points, vertex[first])
        a = minus(point(points, vertex[first + 1]), p)
        for k in range(first + 2, side.corner_start[faces[j] + 1]):
            b = minus(point(points, vertex[k]), p)
            n = plus(n, cross(a, b))
            a = b
    return n


@kernel
def push(pose: Floats, n: Vec) -> Vec:
    """Move an area vector from the body frame to the world (cofactor matrix)."""
    a, b, c = pose[0], pose[1], pose[2]
    d, e, f = pose[4], pose[5], pose[6]
    g, h, i = pose[8], pose[9], pose[10]
    x, y, z = n
    return (
        (e * i - f * h) * x + (f * g - d * i) * y + (d * h - e * g) * z,
        (c * h - b * i) * x + (a * i - c * g) * y + (b * g - a * h) * z,
        (b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z,
    )
