"""Level parts whose outline is not convex: an L, a ring, what lies around a hole.

And those that are all of a body, for it has collapsed: its faces look to both sides.

Their outline is written as loops, one after the other: the corners of a loop, then its
first one again with -1 for vertex and edge: the side that leaves place i ends at i + 1.
"""

from math import sqrt

from sim.kernels.closest.measure import face_normal
from sim.kernels.closest.outline import across, merge, put_corner
from sim.kernels.closest.patch import outside, repeated, share_across, write
from sim.kernels.closest.support_feature import area_vector, covered, push
from sim.kernels.language import Vec, kernel
from sim.kernels.segments import turn_of
from sim.kernels.vector import HERE, back, dot, pull, unit
from sim.kernels.workspace import BodyView, Workspace

VISITED = -1
PINCHED = -2  # the outline passes the vertex more than once


@kernel
def is_collapsed(side: BodyView) -> bool:
    """Say whether the level part is all of the body, which has no volume then."""
    return side.mark[side.size] == side.size


@kernel
def area_of(side: BodyView, f: int) -> Vec:
    """Return twice the area vector of one face, in the body frame."""
    side.leaving[0] = f
    return area_vector(
        side.points, side.corner_start, side.corner_vertex, side.leaving, 1
    )


@kernel
def level_normal(side: BodyView, faces: int, way: Vec) -> Vec:
    """Return the outward unit normal of the level faces, in the world.

    Those of a collapsed body look to both sides: its normal is that of the faces that
    look along the way.
    """
    if not is_collapsed(side):
        return face_normal(side, faces)
    d = pull(side.pose, way)
    n = HERE
    for k in range(faces):
        x = area_of(side, side.faces[k])
        if dot(x, d) > 0.0:
            n = (n[0] + x[0], n[1] + x[1], n[2] + x[2])
    return unit(push(side.pose, n))


@kernel
def mark_rim(side: BodyView, d: Vec) -> int:
    """Write where in its ring the outline leaves each member; return how often."""
    total = 0
    for m in range(side.mark[side.size]):
        v = side.members[m]
        side.successor[v] = VISITED
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
def is_covered(side: BodyView, f: int, d: Vec) -> bool:
    """Say whether a face belongs to the outline: of a collapsed body those along d."""
    if is_collapsed(side):
        return dot(area_of(side, f), d) > 0.0
    return covered(side, f)


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
def lay_loops(
    side: BodyView, origin: Vec, count: int, n: Vec, flip: int, slack: float
) -> int:
    """Write the outline as loops; return how many places they take, 0 if it has none.

    ``count`` is what ``outline.lay`` left there: a convex one is closed as it is.
    ``flip`` is 1 for the body that faces against the normal.
    """
    if count > 0:
        return close_loop(side, 0, count)
    d = pull(side.pose, back(n) if flip == 1 else n)
    total = mark_rim(side, d)
    u, t = across(n)
    for m in range(side.mark[side.size]):
        v = side.members[m]
        if side.successor[v] < 0:
            continue
        length = walk_loop(side, v, count, d)
        if length == 0:
            return 0
        total -= length
        for k in range(count, count + length):
            put_corner(side, origin, k, u, t, n)
        kept = merge(
            side.corners, side.rim_vertex, side.rim_edge, count, length, slack, 0
        )
        if kept > 0:
            count = close_loop(side, count, kept)
    return count if total == 0 else 0


@kernel
def close_loop(side: BodyView, at: int, count: int) -> int:
    """End the loop of so many corners that begins at a place; return the next place."""
    end = at + count
    if count == 2:
        side.rim_edge[1] = -1  # a line is one side between two corners
    if count <= 2:
        return end
    for i in range(3):
        side.corners[3 * end + i] = side.corners[3 * at + i]
    side.rim_vertex[end] = -1
    side.rim_edge[end] = -1
    return end + 1


@kernel
def outside_loops(side: BodyView, count: int, s: float, t: float) -> float:
    """Return how far a point of the plane lies outside loops; 0 within."""
    corners = side.corners
    if count <= 2:
        return outside(corners, count, s, t)
    turns = 0
    nearest = -1.0
    for i in range(count):
        if side.rim_edge[i] < 0:
            continue
        au = s - corners[3 * i]
        av = t - corners[3 * i + 1]
        bu = s - corners[3 * i + 3]
        bv = t - corners[3 * i + 4]
        turns += turn_of(au, av, bu, bv)
        ex = au - bu
        ey = av - bv
        along = au * ex + av * ey
        if along > 0.0:
            ee = ex * ex + ey * ey
            f = min(along / ee, 1.0) if ee > 0.0 else 0.0
            au -= f * ex
            av -= f * ey
        square = au * au + av * av
        if nearest < 0.0 or square < nearest:
            nearest = square
    return 0.0 if turns != 0 else sqrt(nearest)


@kernel
def overlap_loops(
    a: BodyView, count_a: int, b: BodyView, count_b: int, slack: float, pair: Workspace
) -> int:
    """Write the corners of where two outlines of loops overlap; return how many.

    As ``patch.overlap`` does for convex ones: corners of one within the other and
    crossings of two sides.  What they bound may be several areas, or have holes: those
    on its convex hull are kept.  0 where they do not meet, or do not fit.
    """
    if count_a == 0 or count_b == 0:
        return 0
    found = 0
    for turn in range(2):
        one = a if turn == 0 else b
        own = found
        for i in range(count_a if turn == 0 else count_b):
            if one.rim_vertex[i] < 0:
                continue
            s = one.corners[3 * i]
            t = one.corners[3 * i + 1]
            if turn == 0:
                miss = outside_loops(b, count_b, s, t)
            else:
                miss = outside_loops(a, count_a, s, t)
            if miss > slack or repeated(pair, own, s, t, slack):
                continue
            if found == pair.capacity:
                return 0
            on_a = i if turn == 0 else -1
            on_b = -1 if turn == 0 else i
            write(pair, found, s, t, miss, on_a, on_b)
            found += 1
    for i in range(count_a - 1):
        if a.rim_edge[i] < 0:
            continue
        for j in range(count_b - 1):
            f = -1.0
            if b.rim_edge[j] >= 0:
                f = share_across(a.corners, i, i + 1, b.corners, j, j + 1, slack)
            if f < 0.0:
                continue
            if found == pair.capacity:
                return 0
            s = a.corners[3 * i] + f * (a.corners[3 * i + 3] - a.corners[3 * i])
            t = a.corners[3 * i + 1]
            t += f * (a.corners[3 * i + 4] - a.corners[3 * i + 1])
            write(pair, found, s, t, 0.0, i, j)
            found += 1
    return wrapped(pair, found, slack)


@kernel
def swap_corners(pair: Workspace, i: int, j: int) -> None:
    """Let two corners of the patch change places."""
    patch = pair.patch
    labels = pair.labels
    for k in range(4):
        patch[4 * i + k], patch[4 * j + k] = patch[4 * j + k], patch[4 * i + k]
        labels[4 * i + k], labels[4 * j + k] = labels[4 * j + k], labels[4 * i + k]


@kernel
def wrapped(pair: Workspace, count: int, slack: float) -> int:
    """Move the corners on the convex hull to the front; return how many they are.

    Counter-clockwise, from one to the next that has all others to its left, of those
    on one line within ``slack`` the farthest (Jarvis 1973).
    """
    patch = pair.patch
    far = -1.0
    head = 0
    for k in range(count):
        x = patch[4 * k] - patch[0]
        y = patch[4 * k + 1] - patch[1]
        if x * x + y * y > far:
            far = x * x + y * y
            head = k
    if count > 0:
        swap_corners(pair, 0, head)
    kept = min(count, 1)
    while 0 < kept < count:
        px = patch[4 * kept - 4]
        py = patch[4 * kept - 3]
        best = 0
        bx = patch[0] - px
        by = patch[1] - py
        for k in range(kept, count):
            x = patch[4 * k] - px
            y = patch[4 * k + 1] - py
            square = x * x + y * y
            reach = bx * bx + by * by
            right = x * by - y * bx
            level = right * right <= slack * slack * max(square, reach)
            if square > 4.0 * slack * slack and (
                (level and square > reach) or (right > 0.0 and not level)
            ):
                best = k
                bx = x
                by = y
        if best == 0:
            return kept
        swap_corners(pair, kept, best)
        kept += 1
    return kept
