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
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.workspace import Workspace

CORNER = 0  # a vertex of A inside B, or a vertex of B inside A
CROSSING = 1


@kernel
def outside(corners: Floats, count: int, s: float, t: float) -> float:
    """Return how far a point of the plane lies outside an outline; 0 within."""
    if count == 1:
        x = s - corners[0]
        y = t - corners[1]
        return sqrt(x * x + y * y)
    if count == 2:
        ex = corners[3] - corners[0]
        ey = corners[4] - corners[1]
        dx = s - corners[0]
        dy = t - corners[1]
        ee = ex * ex + ey * ey
        f = dx * ex + dy * ey
        if ee > 0.0 and f > 0.0:
            f = min(f / ee, 1.0)
            dx -= f * ex
            dy -= f * ey
        return sqrt(dx * dx + dy * dy)
    worst = 0.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        ex = corners[3 * j] - corners[3 * i]
        ey = corners[3 * j + 1] - corners[3 * i + 1]
        dx = s - corners[3 * i]
        dy = t - corners[3 * i + 1]
        area = dx * ey - dy * ex
        if area > 0.0:
            ee = ex * ex + ey * ey
            if ee > 0.0:
                worst = max(worst, area / sqrt(ee))
    return worst


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
def share_across(
    a: Floats, i: int, i1: int, b: Floats, j: int, j1: int, slack: float
) -> float:
    """Return how far along a side of A one of B crosses it; -1 where none does.

    Each beyond the ends of the other: else a corner lies on the other outline.  A side
    without length crosses nothing.
    """
    px = a[3 * i]
    py = a[3 * i + 1]
    ex = a[3 * i1] - px
    ey = a[3 * i1 + 1] - py
    le = sqrt(ex * ex + ey * ey)
    qx = b[3 * j]
    qy = b[3 * j + 1]
    fx = b[3 * j1] - qx
    fy = b[3 * j1 + 1] - qy
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
def crossings(
    a: Floats,
    count_a: int,
    b: Floats,
    count_b: int,
    slack: float,
    found: int,
    pair: Workspace,
) -> int:
    """Add the proper crossings of the sides of two outlines; return how many corners.

    0 where they do not fit: convex outlines always do, those that wind round more
    than once may not.
    """
    sides_a = count_a if count_a > 2 else count_a - 1
    sides_b = count_b if count_b > 2 else count_b - 1
    for i in range(sides_a):
        i1 = i + 1 if i + 1 < count_a else 0
        for j in range(sides_b):
            j1 = j + 1 if j + 1 < count_b else 0
            f = share_across(a, i, i1, b, j, j1, slack)
            if f >= 0.0:
                if found == pair.capacity:
                    return 0
                x = a[3 * i]
                y = a[3 * i + 1]
                s = x + f * (a[3 * i1] - x)
                t = y + f * (a[3 * i1 + 1] - y)
                write(pair, found, s, t, 0.0, i, j)
                found += 1
    return found


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
    """Sort the corners counter-clockwise about their mean (Shell 1959, gaps 3 k + 1).

    Those in one direction keep the order in which they were found: the spare places
    hold the angle and the rank.
    """
    patch = pair.patch
    labels = pair.labels
    ms = 0.0
    mt = 0.0
    for k in range(count):
        ms += patch[4 * k]
        mt += patch[4 * k + 1]
    ms /= count
    mt /= count
    for k in range(count):
        patch[4 * k + 2] = around(patch[4 * k] - ms, patch[4 * k + 1] - mt)
        labels[4 * k + 3] = k
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            s = patch[4 * k]
            t = patch[4 * k + 1]
            key = patch[4 * k + 2]
            miss = patch[4 * k + 3]
            i = labels[4 * k + 1]
            j = labels[4 * k + 2]
            rank = labels[4 * k + 3]
            h = k
            while h >= gap and comes_after(patch, labels, h - gap, key, rank):
                for m in range(4):
                    patch[4 * h + m] = patch[4 * (h - gap) + m]
                    labels[4 * h + m] = labels[4 * (h - gap) + m]
                h -= gap
            write(pair, h, s, t, miss, i, j)
            patch[4 * h + 2] = key
            labels[4 * h + 3] = rank
        gap //= 3


@kernel
def comes_after(patch: Floats, labels: Ints, k: int, key: float, rank: int) -> bool:
    """Say whether a corner comes after one with this angle and rank."""
    angle = patch[4 * k + 2]
    return angle > key or (angle == key and labels[4 * k + 3] > rank)


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
    a: Floats, count_a: int, b: Floats, count_b: int, slack: float, pair: Workspace
) -> int:
    """Write the corners of the overlap of two outlines; return how many.

    A corner within ``slack`` of the other outline counts as inside it.  0 where
    they do not meet, or where the corners would not fit.
    Cost: O(A B).
    """
    if 2 * (count_a + count_b) > pair.capacity:
        return 0
    found = 0
    for i in range(count_a):
        miss = outside(b, count_b, a[3 * i], a[3 * i + 1])
        if miss <= slack:
            write(pair, found, a[3 * i], a[3 * i + 1], miss, i, -1)
            found += 1
    own = found
    for j in range(count_b):
        s = b[3 * j]
        t = b[3 * j + 1]
        miss = outside(a, count_a, s, t)
        if miss <= slack and not repeated(pair, own, s, t, slack):
            write(pair, found, s, t, miss, -1, j)
            found += 1
    if count_a > 1 and count_b > 1:
        found = crossings(a, count_a, b, count_b, slack, found, pair)
    if found > 2:
        order(pair, found)
    return found


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
