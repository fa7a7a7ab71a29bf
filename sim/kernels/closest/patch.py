"""The contact patch: where two level parts face each other, and its corners.

Two convex outlines in one plane overlap in a convex patch.  Every corner of it
is a vertex of one part inside the other (an FV contact) or a crossing of two
sides (an EE contact): the reduction of the paper, section 4.1.

A corner is four floats, s, t, a spare and how far outside the other part it
lies, and four ints: its kind, the index of A's and of B's corner or side (-1
where it lies inside that part), and a spare; ``measure`` turns them into world
points and names in the same places.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.language import Floats, kernel
from sim.kernels.vector import turn_of
from sim.kernels.workspace import BodyView, Workspace

CORNER = 0  # a vertex of A inside B, or a vertex of B inside A
CROSSING = 1


@kernel
def outside(side: BodyView, count: int, convex: bool, s: float, t: float) -> float:
    """Return how far a point of the plane lies outside an outline; 0 within."""
    corners = side.corners
    if count <= 2:
        return sqrt(beside(corners, count - 1, 0, s, t))
    if not convex:
        return outside_loops(side, count, s, t)
    worst = 0.0
    for i in range(count - 1):
        ex = corners[3 * i + 3] - corners[3 * i]
        ey = corners[3 * i + 4] - corners[3 * i + 1]
        dx = s - corners[3 * i]
        dy = t - corners[3 * i + 1]
        area = dx * ey - dy * ex
        if area > 0.0:
            ee = ex * ex + ey * ey
            if ee > 0.0:
                worst = max(worst, area / sqrt(ee))
    return worst


@kernel
def beside(corners: Floats, i: int, j: int, s: float, t: float) -> float:
    """Return the squared distance of a point of the plane from a side, j to i."""
    ex = corners[3 * i] - corners[3 * j]
    ey = corners[3 * i + 1] - corners[3 * j + 1]
    dx = s - corners[3 * j]
    dy = t - corners[3 * j + 1]
    ee = ex * ex + ey * ey
    f = dx * ex + dy * ey
    if ee > 0.0 and f > 0.0:
        f = min(f / ee, 1.0)
        dx -= f * ex
        dy -= f * ey
    return dx * dx + dy * dy


@kernel
def outside_loops(side: BodyView, count: int, s: float, t: float) -> float:
    """Return the same of loops: whether they wind around the point, or how near."""
    corners = side.corners
    turns = 0
    nearest = -1.0
    for i in range(count):
        if side.rim_edge[i] >= 0:
            turns += turn_of(
                s - corners[3 * i],
                t - corners[3 * i + 1],
                s - corners[3 * i + 3],
                t - corners[3 * i + 4],
            )
            square = beside(corners, i + 1, i, s, t)
            if nearest < 0.0 or square < nearest:
                nearest = square
    return 0.0 if turns != 0 else sqrt(nearest)


@kernel
def write(
    pair: Workspace, k: int, s: float, t: float, miss: float, side_a: int, side_b: int
) -> None:
    """Write one corner of the patch: a crossing where it has a side of both parts."""
    pair.patch[4 * k] = s
    pair.patch[4 * k + 1] = t
    pair.patch[4 * k + 3] = miss
    pair.labels[4 * k] = CROSSING if side_a >= 0 and side_b >= 0 else CORNER
    pair.labels[4 * k + 1] = side_a
    pair.labels[4 * k + 2] = side_b


@kernel
def share_across(a: Floats, i: int, b: Floats, j: int, slack: float) -> float:
    """Return how far along a side of A one of B crosses it; -1 where none does.

    Each beyond the ends of the other: else a corner lies on the other outline.  A side
    without length crosses nothing.
    """
    px = a[3 * i]
    py = a[3 * i + 1]
    ex = a[3 * i + 3] - px
    ey = a[3 * i + 4] - py
    le = sqrt(ex * ex + ey * ey)
    qx = b[3 * j]
    qy = b[3 * j + 1]
    fx = b[3 * j + 3] - qx
    fy = b[3 * j + 4] - qy
    lf = sqrt(fx * fx + fy * fy)
    if not le > 0.0 or not lf > 0.0:
        return -1.0
    # Distances of each side's ends from the other side's line.
    q0 = (ex * (qy - py) - ey * (qx - px)) / le
    q1 = (ex * (qy + fy - py) - ey * (qx + fx - px)) / le
    p0 = (fx * (py - qy) - fy * (px - qx)) / lf
    p1 = (fx * (py + ey - qy) - fy * (px + ex - qx)) / lf
    if (
        min(abs(q0), abs(q1), abs(p0), abs(p1)) > slack
        and (q0 > 0.0) != (q1 > 0.0)
        and (p0 > 0.0) != (p1 > 0.0)
    ):
        return p0 / (p0 - p1)
    return -1.0


@kernel
def around(x: float, y: float) -> float:
    """Return a number in [0, 4) that grows with the angle of a vector."""
    r = abs(x) + abs(y)
    if not r > 0.0:
        return 0.0
    if y >= 0.0:
        return y / r if x >= 0.0 else 2.0 - y / r
    return 2.0 - y / r if x < 0.0 else 4.0 + y / r


@kernel
def order(pair: Workspace, count: int) -> None:
    """Sort the corners counter-clockwise about their mean.

    Those in one direction keep the order in which they were found: the spare places
    hold the angle and the rank.
    """
    patch = pair.patch
    ms = 0.0
    mt = 0.0
    for k in range(count):
        ms += patch[4 * k]
        mt += patch[4 * k + 1]
    ms /= count
    mt /= count
    for k in range(count):
        patch[4 * k + 2] = around(patch[4 * k] - ms, patch[4 * k + 1] - mt)
        pair.labels[4 * k + 3] = k
        h = k
        while h > 0 and patch[4 * h - 2] > patch[4 * h + 2]:
            h -= 1
            swap(pair, h)


@kernel
def repeated(pair: Workspace, own: int, s: float, t: float, slack: float) -> bool:
    """Say whether a corner is one of the first so many of the patch."""
    patch = pair.patch
    for k in range(own):
        if max(abs(patch[4 * k] - s), abs(patch[4 * k + 1] - t)) <= 2.0 * slack:
            return True
    return False


@kernel
def overlap(
    a: BodyView,
    count_a: int,
    b: BodyView,
    count_b: int,
    convex: bool,
    slack: float,
    pair: Workspace,
) -> int:
    """Write the corners of where two outlines overlap; return how many.

    Corners of one within the other, also by ``slack`` beyond it, and crossings of two
    sides.  What outlines that are not ``convex`` bound may be several areas, or have
    holes: the corners on its convex hull are kept.  0 where they do not meet, or do
    not fit.  Cost: O(A B).
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
                miss = outside(b, count_b, convex, s, t)
            else:
                miss = outside(a, count_a, convex, s, t)
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
                f = share_across(a.corners, i, b.corners, j, slack)
            if f < 0.0:
                continue
            if found == pair.capacity:
                return 0
            s = a.corners[3 * i] + f * (a.corners[3 * i + 3] - a.corners[3 * i])
            t = a.corners[3 * i + 1]
            t += f * (a.corners[3 * i + 4] - a.corners[3 * i + 1])
            write(pair, found, s, t, 0.0, i, j)
            found += 1
    if found > 2:
        s = pair.patch[0]
        t = pair.patch[1]
        order(pair, found)
        if not convex:
            found = wrapped(pair, found, slack)
            begin_far(pair, found, s, t)
    return found


@kernel
def wrapped(pair: Workspace, count: int, slack: float) -> int:
    """Keep the corners on the convex hull of those in order; return how many.

    One that does not stand out from the line of its neighbours goes, until none is left
    (Graham 1972).
    """
    patch = pair.patch
    k = kept = 0
    while kept < count and count > 2:
        i = 4 * ((k + count - 1) % count)
        j = 4 * ((k + 1) % count)
        ex = patch[j] - patch[i]
        ey = patch[j + 1] - patch[i + 1]
        area = (patch[4 * k] - patch[i]) * ey - (patch[4 * k + 1] - patch[i + 1]) * ex
        if area > slack * sqrt(ex * ex + ey * ey):
            kept += 1
            k = (k + 1) % count
            continue
        count -= 1
        for m in range(k, count):
            swap(pair, m)
        k = (k + count - 1) % count
        kept = 0
    return count


@kernel
def begin_far(pair: Workspace, count: int, s: float, t: float) -> None:
    """Let the corner farthest from a point be the first; of several the first found."""
    patch = pair.patch
    labels = pair.labels
    far = -1.0
    head = 0
    for k in range(count):
        x = patch[4 * k] - s
        y = patch[4 * k + 1] - t
        square = x * x + y * y
        first = labels[4 * k + 3] < labels[4 * head + 3]
        if square > far or (square == far and first):
            far = square
            head = k
    for _ in range(head):
        for k in range(count - 1):
            swap(pair, k)


@kernel
def swap(pair: Workspace, k: int) -> None:
    """Let a corner of the patch and the next one change places."""
    patch = pair.patch
    labels = pair.labels
    for m in range(4 * k, 4 * k + 4):
        patch[m], patch[m + 4] = patch[m + 4], patch[m]
        labels[m], labels[m + 4] = labels[m + 4], labels[m]


@kernel
def near_enough(k: int, count: int, pair: Workspace) -> int:
    """Return a corner, or the nearest where its gap is too wide for the bounds.

    What is proven must not hang on which of them history kept.
    """
    result = pair.result
    patch = pair.patch
    gap = result.distance
    room = layout.RELATIVE * gap + 0.5 * layout.EQUAL * result.size
    if patch[4 * k + 3] > gap + room:
        for other in range(count):
            if patch[4 * other + 3] < patch[4 * k + 3]:
                k = other
    return k
