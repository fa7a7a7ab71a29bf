"""Which triangle a segment meets first: in order of their boxes, and exact in ties."""

from fractions import Fraction

import numpy as np

from wingedge.columns import cross, dot, subtract
from wingedge.exact.whole import first_common, whole_points
from wingedge.primitives import segment_triangle
from wingedge.spatial.pairs import Longs, Pairs
from wingedge.spatial.soup import Floats, Soup

PAIRS = 2**14  # tried at a time
ROUND = 4  # triangles of a segment that are tried first; then twice as many, ...
# Times of `segment_triangle.hit` are within 6e-14: below twice that, and the rounding
# of the difference, two of them do not tell which is first.
UNSURE = 1.3e-13


def first_hits(
    soup: Soup, start: Floats, end: Floats, pairs: Pairs, enter: Floats
) -> tuple[Longs, Longs, Floats, Floats, Longs]:
    """Try triangles on segments, those first whose boxes are entered first.

    Parameters
    ----------
    soup : Soup
    start, end : (N, 3)
        Segments, scaled.
    pairs : (K,), (K,)
        Segments and triangles, sorted and without repetition.
    enter : (K,)
        Not more than the time when the triangle may be met; inf where it is not.

    Returns
    -------
    rows, triangle, t, point, tested
        Segments that meet something, (M,), with what they meet; and for all segments
        how many triangles were tried, (N,).
    """
    order = np.lexsort((enter, pairs[0]))
    order = order[np.isfinite(enter[order])]
    query, triangle, enter = pairs[0][order], pairs[1][order], enter[order]
    rank = np.arange(len(query)) - np.searchsorted(query, query)
    t, point = np.full(len(query), np.inf), np.full((len(query), 3), np.nan)
    least, tested = np.full(len(start), np.inf), np.zeros(len(start), np.intp)
    done, size = 0, ROUND
    while done <= rank.max(initial=-1):
        turn = (rank >= done) & (rank < done + size)
        now = np.flatnonzero(turn & (enter <= least[query] + UNSURE))
        for part in (now[k : k + PAIRS] for k in range(0, len(now), PAIRS)):
            found = segment_triangle.hit(
                start[query[part]], end[query[part]], *soup.corners(triangle[part])
            )
            hit = part[found.hit]
            t[hit], point[hit] = found.t[found.hit], found.point[found.hit]
        np.minimum.at(least, query[now], t[now])
        tested += np.bincount(query[now], minlength=len(start))
        done, size = done + size, 2 * size
    near = np.flatnonzero(np.isfinite(t) & (t <= least[query] + UNSURE))
    near = near[np.lexsort((triangle[near], query[near]))]
    best = near[_earliest(soup, start, end, (query[near], triangle[near]), t[near])]
    return query[best], triangle[best], t[best], point[best], tested


def exact_time(t: float, start: Floats, end: Floats, corners: Floats) -> Fraction:
    """Return the time whose rounded value is t, of a segment that meets a triangle.

    Parameters
    ----------
    t : float
        As `segment_triangle.hit` gave it; 0 is exact.
    start, end : (3,)
    corners : (3, 3)
    """
    if t == 0.0:
        return Fraction(0)
    s, e, a, b, c = whole_points(start, end, *corners)
    normal = cross(subtract(b, a), subtract(c, a))
    rate = dot(normal, subtract(e, s))
    if rate != 0:
        return Fraction(int(dot(normal, subtract(a, s))), int(rate))
    # in one plane, and not inside at the start: the first point on an edge
    shared = [first_common(s, e, u, v) for u, v in ((a, b), (b, c), (c, a))]
    return min(times[0] for times in shared if times)


def _earliest(soup: Soup, start: Floats, end: Floats, pairs: Pairs, t: Floats) -> Longs:
    """Choose one pair per segment: the first in time, of equal ones the lowest."""
    query, triangle = pairs
    _, begin, count = np.unique(query, return_index=True, return_counts=True)
    best = begin.copy()
    for k in np.flatnonzero(count > 1):
        tied = range(begin[k], begin[k] + count[k])
        corners = np.stack(soup.corners(triangle[tied]), axis=1)
        row = query[begin[k]]
        times = [
            exact_time(float(t[pair]), start[row], end[row], triangle_corners)
            for pair, triangle_corners in zip(tied, corners, strict=True)
        ]
        best[k] += times.index(min(times))
    return best
