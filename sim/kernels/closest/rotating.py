"""Two convex outlines of many corners against each other, in about linear time.

A corner is found in the fan from the other outline's first corner by bisection, a side
crosses it once on the way up and once on the way down between the two corners that are
farthest across that side: those turn along with the side (rotating calipers, Shamos
1978; Toussaint 1983).
"""

from math import sqrt

from sim.kernels.language import Floats, kernel

Line = tuple[float, float, float, float]  # a point of it, and the way along it


@kernel
def winds_once(corners: Floats, count: int) -> bool:
    """Say whether an outline is strictly convex and winds once around what it holds."""
    changes = 0
    last = 0.0
    for k in range(count + 1):
        i = 3 * (k % count)
        j = 3 * ((k + 1) % count)
        m = 3 * ((k + 2) % count)
        ex = corners[j] - corners[i]
        ey = corners[j + 1] - corners[i + 1]
        fx = corners[m] - corners[j]
        fy = corners[m + 1] - corners[j + 1]
        if not ex * fy - ey * fx > 0.0:
            return False
        if ex != 0.0:
            if last * ex < 0.0:
                changes += 1
            last = 1.0 if ex > 0.0 else -1.0
    return changes <= 2


@kernel
def off_side(corners: Floats, count: int, i: int, s: float, t: float) -> float:
    """Return how far a point lies outside the line of a side; negative within."""
    j = i + 1 if i + 1 < count else 0
    ex = corners[3 * j] - corners[3 * i]
    ey = corners[3 * j + 1] - corners[3 * i + 1]
    dx = s - corners[3 * i]
    dy = t - corners[3 * i + 1]
    return (dx * ey - dy * ex) / sqrt(ex * ex + ey * ey)


@kernel
def sector(corners: Floats, count: int, s: float, t: float) -> int:
    """Return the side that is seen through a point from the first corner."""
    x = s - corners[0]
    y = t - corners[1]
    low = 1
    high = count - 1
    while high - low > 1:
        k = (low + high) // 2
        ex = corners[3 * k] - corners[0]
        ey = corners[3 * k + 1] - corners[1]
        if ex * y - ey * x >= 0.0:
            low = k
        else:
            high = k
    return low


@kernel
def outside_near(
    corners: Floats, count: int, s: float, t: float, slack: float
) -> float:
    """Return how far a point lies outside an outline, as ``patch.outside`` does.

    Beyond ``slack`` no more than that it is more.  The sides that it may lie beyond are
    beside the one that it is seen through, or meet in the first corner.
    """
    seen = sector(corners, count, s, t)
    worst = max(0.0, off_side(corners, count, seen, s, t))
    if worst > slack:
        return worst
    for start in range(3):
        first = seen if start == 0 else (0 if start == 1 else count - 1)
        for step in range(2):
            i = first
            for _ in range(count):
                off = off_side(corners, count, i, s, t)
                if not off > -slack:
                    break
                worst = max(worst, off)
                i = (i + 1) % count if step == 0 else (i + count - 1) % count
    return worst


@kernel
def corner_near(
    corners: Floats, count: int, s: float, t: float, reach: float, turn: int
) -> int:
    """Return a corner within reach of a point on the outline, or -1.

    Of the few that may be, the one after so many others.
    """
    seen = sector(corners, count, s, t)
    for k in range(turn, 9):
        i = (seen + k - 2 + count) % count if k < 6 else (k - 7 + count) % count
        if max(abs(corners[3 * i] - s), abs(corners[3 * i + 1] - t)) <= reach:
            return i
    return -1


@kernel
def above(corners: Floats, i: int, line: Line) -> float:
    """Return how far a corner is to the left of a line, times the length of its way."""
    return line[2] * (corners[3 * i + 1] - line[1]) - line[3] * (
        corners[3 * i] - line[0]
    )


@kernel
def farthest(corners: Floats, count: int, start: int, line: Line, sense: float) -> int:
    """Return the corner farthest to the left of a line, to the right for sense -1."""
    i = start
    best = sense * above(corners, i, line)
    for step in range(2):
        for _ in range(count):
            j = (i + 1) % count if step == 0 else (i + count - 1) % count
            h = sense * above(corners, j, line)
            if not h > best:
                break
            best = h
            i = j
    return i


@kernel
def passing_side(
    corners: Floats, count: int, first: int, last: int, line: Line, sense: float
) -> int:
    """Return the side that passes a line on the way from one corner on to another."""
    low = 0
    high = (last - first + count) % count
    while high - low > 1:
        k = (low + high) // 2
        if sense * above(corners, (first + k) % count, line) > 0.0:
            high = k
        else:
            low = k
    return (first + low) % count
