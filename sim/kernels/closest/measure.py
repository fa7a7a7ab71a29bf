"""Measure two level parts that face each other: normal, distance, patch."""

from math import sqrt

from sim.kernels import layout
from sim.kernels.closest.outline import across, area_of, ends, is_collapsed, off_line
from sim.kernels.closest.patch import CROSSING
from sim.kernels.closest.support_feature import area_vector, push
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.vector import (
    HERE,
    NEARLY_PARALLEL,
    along,
    back,
    cross,
    crossing,
    dot,
    end_to_segment,
    farther,
    minus,
    mixed,
    perpendicular,
    place,
    plus,
    pull,
    put,
    reach_of,
    unit,
)
from sim.kernels.workspace import BodyView, Workspace


@kernel
def face_normal(side: BodyView, faces: int) -> Vec:
    """Return the outward unit normal of the level faces, in the world."""
    return unit(push(side.pose, area_vector(side, side.faces, faces)))


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
            n = plus(n, x)
    return unit(push(side.pose, n))


@kernel
def levels(side: BodyView, origin: Vec, n: Vec) -> tuple[float, float, float]:
    """Return the greatest and the least height of the level part, and its reach."""
    high = -1.0
    low = 1.0
    reach = farther(0.0, origin[0], origin[1], origin[2])
    for k in range(side.mark[side.size]):
        x, y, z = place(side.points, side.pose, origin, side.members[k])
        h = x * n[0] + y * n[1] + z * n[2]
        reach = max(reach, abs(x), abs(y), abs(z))
        if k == 0:
            high = h
            low = h
        high = max(high, h)
        low = min(low, h)
    return high, low, reach


@kernel
def hint_end(hint: Ints, hint_at: int, t: float, tail: int, tip: int) -> None:
    """Point to the end of a line part that is as near as its inside, if one is."""
    if t <= 0.0 or t >= 1.0:
        hint[hint_at] = 1
        hint[hint_at + 1] = tail if t <= 0.0 else tip


@kernel
def hint_nearer_end(
    side: BodyView, origin: Vec, n: Vec, hint: Ints, hint_at: int
) -> None:
    """Point to the end of a line part that is farthest along a direction."""
    tail, tip, p, q, _ = span(side, origin)
    hint[hint_at] = 1
    hint[hint_at + 1] = tail if dot(p, n) >= dot(q, n) else tip


@kernel
def span(side: BodyView, origin: Vec) -> tuple[int, int, Vec, Vec, float]:
    """Return the two ends of a vertex or a line, their points and their reach."""
    tail, tip = ends(side, origin)
    p = place(side.points, side.pose, origin, tail)
    q = place(side.points, side.pose, origin, tip) if tip != tail else p
    return tail, tip, p, q, farther(reach_of(origin, p), q[0], q[1], q[2])


@kernel
def crossing_normal(d: Vec, e: Vec, lean: float, w: Vec, guide: Vec) -> Vec:
    """Return the unit normal of two crossing edges, to the side of the guide.

    Farther from each other than they ``lean``, their sine times the size, their points,
    ``w`` apart, know it better than they do.
    """
    n = unit(cross(d, e))
    if dot(n, guide) < 0.0:
        n = back(n)
    if dot(n, w) > lean and dot(w, guide) > 0.0:
        return unit(w)
    return n


@kernel
def between_lines(
    a: BodyView, b: BodyView, origin: Vec, guide: Vec, pair: Workspace
) -> Vec:
    """Measure two parts that are vertices or lines: VV, VE, EV, EE.

    Returns the unit normal; writes the distance, its bounds and the two points.
    """
    result = pair.result
    hint = pair.hint
    a0, a1, p0, p1, size = span(a, HERE)
    b0, b1, q0, q1, reach = span(b, origin)
    size = max(size, reach)
    p = p0
    n = guide
    meet = False
    lean = 0.0
    if a0 != a1 and b0 != b1:
        d = minus(p1, p0)
        e = minus(q1, q0)
        meet, s, t, w, sine = crossing(p0, q0, d, e)
        lean = sqrt(sine) * size
        if sine <= NEARLY_PARALLEL:
            pair.result.parallel = 1
        if meet:
            p = along(p0, s, d)
            n = crossing_normal(d, e, lean, w, guide)
        else:
            s, t, w = end_to_segment(p0, p1, q0, q1)
            p = along(p0, s, d)
            hint_end(hint, layout.HINT_A, s, a0, a1)
            hint_end(hint, layout.HINT_B, t, b0, b1)
    elif a0 != a1:
        s, w = perpendicular(q0, p0, p1)
        p = along(p0, s, minus(p1, p0))
        hint_end(hint, layout.HINT_A, s, a0, a1)
    elif b0 != b1:
        t, w = perpendicular(p0, q0, q1)
        w = back(w)
        hint_end(hint, layout.HINT_B, t, b0, b1)
    else:
        w = minus(q0, p0)
    if not meet:
        pair.result.by_points = 1
        n = unit(w)
    far = gap = dot(n, w)
    off = layout.BLUR * size
    if meet:  # the normal of edges turns by what is level, the more the less they cross
        far = max(gap, lean)
        off = pair.tolerance * size
        if lean > 0.0:  # and by rounding, however far their points are from each other
            off += layout.BLUR * size * (far / lean)
            if min(s, 1.0 - s, t, 1.0 - t) * lean < pair.tolerance * size:
                result.borderline = 1  # another edge at that end may meet as well
    elif result.parallel == 1:  # which of their ends are nearest is rounding
        off = pair.tolerance * size + lean
    result.turned = off / far if far > 0.0 else 0.0
    high = dot(p0, n)
    if a0 != a1:
        high = max(high, dot(p1, n))
    low = dot(q0, n)
    if b0 != b1:
        low = min(low, dot(q1, n))
    upper = gap
    if a.mark[a.size] > 2:
        high, _, reach = levels(a, HERE, n)
        size = max(size, reach)
        upper += off_line(a, HERE, p0, p1)
    if b.mark[b.size] > 2:
        _, low, reach = levels(b, origin, n)
        size = max(size, reach)
        upper += off_line(b, origin, q0, q1)
    result.point_a = p
    result.point_b = along(p, gap, n)
    result.distance = gap
    result.lower = min(low - high, gap)
    result.upper = upper
    result.size = size
    result.miss = 0.0
    return n


@kernel
def side_height(side: BodyView, i: int, s: float, t: float) -> float:
    """Return the height of the i-th side of an outline above a point of the plane."""
    corners = side.corners
    j = i + 1
    ex = corners[3 * j] - corners[3 * i]
    ey = corners[3 * j + 1] - corners[3 * i + 1]
    ee = ex * ex + ey * ey
    if not ee > 0.0:
        return corners[3 * i + 2]
    f = ((s - corners[3 * i]) * ex + (t - corners[3 * i + 1]) * ey) / ee
    return corners[3 * i + 2] + f * (corners[3 * j + 2] - corners[3 * i + 2])


@kernel
def lift(
    a: BodyView, b: BodyView, origin: Vec, heights: tuple[float, float], pair: Workspace
) -> None:
    """Turn the corners of a patch into world points on A's side, in place.

    With each comes an upper bound of the distance there: its own heights where they
    are known, the far end of the other part's roughness where not.
    """
    patch = pair.patch
    labels = pair.labels
    low_a, high_b = heights
    gap = pair.result.distance
    n = pair.result.normal
    u, v = across(n)
    for k in range(pair.result.corners):
        i = labels[4 * k + 1]
        j = labels[4 * k + 2]
        miss = patch[4 * k + 3]
        if labels[4 * k] == CROSSING:
            s = patch[4 * k]
            t = patch[4 * k + 1]
            h = side_height(a, i, s, t)
            x = along(mixed(s, u, t, v), h, n)
            high = side_height(b, j, s, t) - h
        elif i >= 0:
            x = place(a.points, a.pose, HERE, a.rim_vertex[i])
            high = high_b - a.corners[3 * i + 2]
        else:
            y = place(b.points, b.pose, origin, b.rim_vertex[j])
            x = along(y, -gap, n)
            high = b.corners[3 * j + 2] - low_a
        put(patch, 4 * k, x)
        patch[4 * k + 3] = sqrt(high * high + miss * miss) if miss > 0.0 else high


@kernel
def name_corners(a: BodyView, b: BodyView, count: int, pair: Workspace) -> None:
    """Turn the corners' indices into names: dimension and number on A and on B.

    Where an edge runs over a vertex of the other part, and where two parallel edges
    end, the corner is an edge-edge contact, too.  A vertex has no other corner.
    """
    labels = pair.labels
    one = pair.result.part_a
    other = pair.result.part_b
    alone = one.dimension + other.dimension <= 2
    for corner in range(count):
        k = 4 * corner
        i = labels[k + 1]
        j = labels[k + 2]
        p, v, q, w = one.dimension, one.name, other.dimension, other.name
        if labels[k] == CROSSING:
            p, v, q, w = 1, a.rim_edge[i], 1, b.rim_edge[j]
        elif i >= 0 and not alone:
            p, v = (1, a.rim_edge[i]) if q == 1 else (0, a.rim_vertex[i])
        elif j >= 0 and not alone:
            q, w = (1, b.rim_edge[j]) if p == 1 else (0, b.rim_vertex[j])
        labels[k], labels[k + 1], labels[k + 2], labels[k + 3] = p, v, q, w


@kernel
def is_adjacent(side: BodyView, i: int, j: int, p: int, q: int) -> bool:
    """Say whether two features, each a dimension and a number, are one or meet.

    An edge meets the vertices at its ends; a face has too many corners to tell.
    """
    if i == 2 or p == 2:
        return False
    if i == p:
        return j == q
    v = j if i == 0 else q
    e = q if i == 0 else j
    if v < 0 or v >= side.size:
        return False  # remembered of other bodies
    for k in range(side.start[v], side.start[v + 1]):
        if side.star_edge[k] == e:
            return True
    return False


@kernel
def kinship(a: BodyView, b: BodyView, k: int, pair: Workspace) -> int:
    """Say whether a corner is that which carried the points, 2, or next to it, 1."""
    labels = pair.labels
    last = pair.last
    i = 4 * k
    if last[0] < 0 or last[2] < 0:
        return 0  # nothing carried them; the mark moves when the bodies change places
    if (
        labels[i] == last[0]
        and labels[i + 1] == last[1]
        and labels[i + 2] == last[2]
        and labels[i + 3] == last[3]
    ):
        return 2
    if is_adjacent(a, labels[i], labels[i + 1], last[0], last[1]):
        return 1
    return 1 if is_adjacent(b, labels[i + 2], labels[i + 3], last[2], last[3]) else 0


@kernel
def choose(a: BodyView, b: BodyView, count: int, slack: float, pair: Workspace) -> int:
    """Pick the corner that carries the points: the nearest, the first of equals.

    Last frame's if it is still there and as near within ``slack``, else one that grew
    out of it, as where a vertex passes a rim and two crossings follow: no chatter.
    """
    patch = pair.patch
    best = 0
    for k in range(1, count):
        if patch[4 * k + 3] < patch[4 * best + 3] - slack:
            best = k
    kept = best
    nearest = 0
    for k in range(count):
        if patch[4 * k + 3] <= patch[4 * best + 3] + slack:
            kin = kinship(a, b, k, pair)
            if kin > nearest:
                nearest = kin
                kept = k
    return kept
