"""Name the part of a body that is closest: guess it from a simplex, or flood it.

A ``Part`` says what was found; its lists lie in the side's own scratch.

Steps to a neighbour: each failed test leaves a hint, vertices of a side that its next
part consists of. The rules are V-Clip's (Mirtich 1998, DOI 10.1145/285857.285860) with
planes computed on the fly; wherever they lead, the answer is confirmed like any other.
"""

from sim.kernels import layout
from sim.kernels.closest.outline import ends, off_line
from sim.kernels.closest.support_feature import (
    area_vector,
    collect,
    confirmed,
    edge_confirmed,
    face_confirmed,
    plateau,
    sort,
)
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.vector import HERE, back, cross, dot, length, minus, place, point, pull
from sim.kernels.workspace import BodyView, Part, Result, Workspace, clear, name_part

INFINITE = float("inf")
SEAM = 1e-13  # faces less wide are a line, per unit of its length
STRAIGHT = 1e-9  # how far off their line members may lie, per unit of its length


@kernel
def adopt(side: BodyView, ids: Ints, first_id: int, count: int, part: Part) -> bool:
    """Name the vertex, edge or face that a simplex stands on; False if it is none.

    A guess to be confirmed, much cheaper than a flood.
    """
    mark = side.mark
    members = side.members
    clear(side)
    found = 0
    for k in range(count):
        v = ids[first_id + k]
        if mark[v] == 0:
            mark[v] = 1
            members[found] = v
            found += 1
    mark[side.size] = found
    v = members[0]
    if found == 1:
        name_part(side, part, 0, 0)
        return True
    for k in range(side.start[v], side.start[v + 1]):
        if found == 2:
            if side.star[k] == members[1]:
                sort(members, 2)
                side.edges[0] = side.star_edge[k]
                name_part(side, part, 1, 0)
                return True
        elif adopt_face(side, side.star_face[k], found):
            name_part(side, part, 0, 1)
            return True
    return False


@kernel
def adopt_face(side: BodyView, f: int, found: int) -> bool:
    """Take a face as the part if all marked vertices are among its corners."""
    first = side.corner_start[f]
    last = side.corner_start[f + 1]
    inside = 0
    for c in range(first, last):
        inside += side.mark[side.corner_vertex[c]]
    if inside < found:
        return False
    for c in range(first, last):
        side.members[c - first] = side.corner_vertex[c]
        side.mark[side.corner_vertex[c]] = 1
    side.mark[side.size] = last - first
    sort(side.members, last - first)
    side.faces[0] = f
    return True


@kernel
def straight(side: BodyView, slack: float) -> bool:
    """Say whether the members lie on one line, or within ``slack`` of it.

    Level edges round a corner, whose face just misses being level, are no part.
    """
    tail, tip = ends(side, HERE)
    p = place(side.points, side.pose, HERE, tail)
    q = place(side.points, side.pose, HERE, tip)
    return off_line(side, HERE, p, q) <= max(slack, STRAIGHT * length(minus(q, p)))


@kernel
def seam(side: BodyView, count: int, faces: int) -> int:
    """List the edges of faces that have collapsed into a line; return how many.

    None where they have not, or into a point, to rounding, or where the line is all of
    the body.  What has no length is no edge of it.
    """
    n = area_vector(side, side.faces, faces)
    p = point(side.points, side.members[0])
    longest = 0.0
    for k in range(1, count):
        e = minus(point(side.points, side.members[k]), p)
        longest = max(longest, dot(e, e))
    narrow = SEAM * longest
    if longest <= SEAM * SEAM * dot(p, p) or dot(n, n) > narrow * narrow:
        return 0
    if count == side.size or not straight(side, 0.0):
        return 0
    edges = 0
    for m in range(count):
        v = side.members[m]
        for k in range(side.start[v], side.start[v + 1]):
            w = side.star[k]
            e = minus(point(side.points, w), point(side.points, v))
            if (
                v < w
                and side.mark[w] == 1
                and dot(e, e) > STRAIGHT * STRAIGHT * longest
            ):
                side.edges[edges] = side.star_edge[k]
                edges += 1
    sort(side.edges, edges)
    return edges


@kernel
def flood(
    side: BodyView,
    top: int,
    d: Vec,
    drop: float,
    above: float,
    part: Part,
    result: Result,
) -> bool:
    """Name the level part around a support vertex, however many faces it has.

    False where the vertex was no support: one more than ``above`` higher turned up.
    """
    count = plateau(side, top, d, drop, above, result)
    if count < 0:
        return False
    faces = name_members(side, count, part, 0.0)
    result.level_faces += max(0, faces)
    return faces >= 0


@kernel
def name_members(side: BodyView, count: int, part: Part, slack: float) -> int:
    """Name the part that its members are; return how many faces, -1 if it is none.

    ``slack``: how far off a line the vertices of edges may lie.
    """
    if count == 1:
        name_part(side, part, 0, 0)
        return 0
    edges, faces = collect(side, count)
    if faces == 0 and count > 2 and not straight(side, slack):
        return -1
    if faces > 0 and side.proofs.scanned > 0:
        found = seam(side, count, faces)
        if found > 0:
            edges = found
            faces = 0
    name_part(side, part, edges, faces)
    return faces


@kernel
def holds(
    side: BodyView,
    faces: int,
    d: Vec,
    drop: float,
    turned: float,
    pair: Workspace,
    hint_at: int,
) -> bool:
    """Say whether the named part of one side is its level part along a direction.

    That may be ``turned`` by some angle, unless it is the normal of a face.  If a
    neighbour stands higher, the hint is the part together with it.
    """
    result = pair.result
    if faces == 1 and side.proofs.scanned == 0:
        result.level_faces += 1
        return face_confirmed(side, d, drop, result)
    found = side.mark[side.size]
    # At the end of a line no way across it has been turned: it is level, or is not.
    own = 0.0 if pair.hint[hint_at] == 1 else turned
    if found == 2 and side.proofs.edges_prove == 1:
        result.vertices += 2
        member, higher = edge_confirmed(side, d, drop, turned, own, result)
    else:
        member, higher = confirmed(side, d, drop, turned, own, result)
    if higher < 0:
        return member == -1
    hint = pair.hint
    if found <= 2:
        hint[hint_at] = found + 1
        hint[hint_at + 1] = member
        hint[hint_at + 2] = higher
        if found == 2:
            hint[hint_at + 3] = side.members[0] + side.members[1] - member
    return False


@kernel
def both_hold(a: BodyView, b: BodyView, n: Vec, turned: float, pair: Workspace) -> bool:
    """Say whether the named parts are the level parts that face each other along n."""
    pair.hint[layout.HINT_A] = pair.hint[layout.HINT_B] = 0
    of_a, of_b = pair.result.part_a.faces, pair.result.part_b.faces
    drop = pair.tolerance * pair.result.size
    return holds(a, of_a, pull(a.pose, n), drop, turned, pair, layout.HINT_A) and holds(
        b, of_b, pull(b.pose, back(n)), drop, turned, pair, layout.HINT_B
    )


STEPS = 4  # before the walk takes over


@kernel
def step(side: BodyView, hint: Ints, hint_at: int, part: Part) -> bool:
    """Name the neighbouring part that the hint points to; False if it is none.

    An edge with a higher neighbour of one end becomes the face that has all three, or
    else the edge between those two.
    """
    count = hint[hint_at]
    if count == 0 or adopt(side, hint, hint_at + 1, count, part):
        return True
    return count == 3 and adopt(side, hint, hint_at + 1, 2, part)


@kernel
def cross_face(
    face: BodyView,
    face_origin: Vec,
    face_hint: int,
    line: BodyView,
    line_origin: Vec,
    line_hint: int,
    pair: Workspace,
) -> None:
    """Sharpen the hint of an edge that dips into a face of the other body.

    The hint of ``face`` is a member u of its edge, the higher vertex w and the other
    member v.  Seen along the normal the edge of ``line`` leaves the face (u, v, w)
    through the side of w and that end which lies across it: those two edges are next,
    unless the edge of ``line`` ends before; then its end and the face are.
    """
    hint = pair.hint
    n = pair.result.normal
    tail = line.members[0]
    tip = line.members[1]
    p = place(line.points, line.pose, line_origin, tail)
    d = minus(place(line.points, line.pose, line_origin, tip), p)
    across = cross(d, n)
    u = hint[face_hint + 1]
    w = hint[face_hint + 2]
    v = hint[face_hint + 3]
    xw = minus(place(face.points, face.pose, face_origin, w), p)
    side = dot(xw, across)
    x = u
    xx = minus(place(face.points, face.pose, face_origin, u), p)
    other = dot(xx, across)
    if (other > 0.0) == (side > 0.0):
        x = v
        xx = minus(place(face.points, face.pose, face_origin, v), p)
        other = dot(xx, across)
    dd = dot(d, d)
    if (other > 0.0) == (side > 0.0) or other == side or not dd > 0.0:
        return
    t = other / (other - side)
    s = (dot(xx, d) + t * (dot(xw, d) - dot(xx, d))) / dd
    if 0.0 <= s <= 1.0:
        hint[face_hint] = 2
        hint[face_hint + 1] = w
        hint[face_hint + 2] = x
    else:
        hint[line_hint] = 1
        hint[line_hint + 1] = tail if s < 0.0 else tip


@kernel
def remember(a: BodyView, b: BodyView, ids: Ints) -> None:
    """Make the named parts the simplex that the next walk starts from."""
    of_a = min(a.mark[a.size], 3)
    of_b = min(b.mark[b.size], 3)
    count = max(of_a, of_b)
    for k in range(count):
        ids[1 + k] = a.members[min(k, of_a - 1)]
        ids[5 + k] = b.members[min(k, of_b - 1)]
    if of_a == 2 and of_b == 2:
        ids[3] = a.members[1]
        ids[7] = b.members[0]
        count = 3
    ids[0] = count
