"""One frame of one pair: walk, name the features, measure them, prove the bound.

Everything that is reported is computed once more from the features that were
found, by one fixed expression per kind, so an answer does not depend on the way
that led to it: warm equals cold to the bit.
"""

from math import sqrt

from sim.kernels import gjk, layout
from sim.kernels.gjk import proven_support, seed, walk
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.measure import (
    between_lines,
    choose,
    face_normal,
    levels,
    lift,
    name_corners,
    put,
)
from sim.kernels.outline import lay
from sim.kernels.patch import overlap
from sim.kernels.plateau import collect, plateau
from sim.kernels.side import Side
from sim.kernels.support import climb, height
from sim.kernels.vector import dot, place, pull

HERE = (0.0, 0.0, 0.0)


@kernel
def level_part(
    side: Side, top: int, d: Vec, drop: float, at: int, sink: Floats, work: Ints, out: Ints
) -> bool:
    """Find the level part of one side and write its dimension, name and counts.

    Returns False where the support was none: a higher vertex turned up.
    """
    count, _, _ = plateau(
        side.points,
        side.start,
        side.star,
        side.size,
        top,
        d,
        drop,
        side.mark,
        side.members,
        sink,
        work,
    )
    if count < 0:
        return False
    out[at + 2] = count
    out[at + 3] = 0
    out[at + 4] = 0
    out[at] = 0
    out[at + 1] = side.members[0]
    if count > 1:
        edges, faces = collect(
            side.start,
            side.star,
            side.star_edge,
            side.star_face,
            side.corner_start,
            side.corner_vertex,
            side.mark,
            side.members,
            count,
            side.edges,
            side.faces,
        )
        out[at + 3] = edges
        out[at + 4] = faces
        work[2] += faces
        out[at] = 2 if faces > 0 else 1
        out[at + 1] = side.faces[0] if faces > 0 else side.edges[0]
    return True


@kernel
def beyond(side: Side, d: Vec, sink: Floats, work: Ints) -> tuple[float, int]:
    """Prove the level part to be the support along a body-frame direction.

    Returns by how much another vertex stands higher (0 as a rule), and that
    vertex.
    """
    top, _ = climb(
        side.points, side.start, side.star, side.members[0], d, sink, work
    )
    top = proven_support(
        side.points,
        side.start,
        side.star,
        side.size,
        side.whole,
        top,
        d,
        sink,
        work,
    )
    if side.mark[top] == 1:
        return 0.0, top
    best = height(side.points, side.members[0], d)
    for k in range(1, side.mark[side.size]):
        best = max(best, height(side.points, side.members[k], d))
    return max(0.0, height(side.points, top, d) - best), top


@kernel
def measured(
    a: Side,
    b: Side,
    origin: Vec,
    guide: Vec,
    tolerance: float,
    patch: Floats,
    labels: Ints,
    capacity: int,
    last: Ints,
    row: Floats,
    out: Ints,
) -> tuple[bool, Vec]:
    """Evaluate the pair of level parts; write distance, upper bound and points.

    Returns False where they do not face each other.
    """
    flat_a = out[layout.DIMENSION_A] == 2
    flat_b = out[layout.DIMENSION_B] == 2
    out[layout.PATCH] = 0
    out[layout.CHOSEN] = 0
    out[layout.PARALLEL] = 0
    n = guide
    gap = 0.0
    if flat_a:
        n = face_normal(a, out[layout.FACES_A])
    elif flat_b:
        x, y, z = face_normal(b, out[layout.FACES_B])
        n = (-x, -y, -z)
    else:
        n, gap = between_lines(a, b, origin, guide, row, out)
    if not dot(n, guide) > 0.0:
        return False, n
    high_a, low_a, reach_a = levels(a, HERE, n)
    high_b, low_b, reach_b = levels(b, origin, n)
    size = max(reach_a, reach_b)
    row[layout.SIZE] = size
    row[layout.LOWER] = low_b - high_a
    if flat_a or flat_b:
        gap = low_b - high_a
    row[layout.DISTANCE] = gap
    row[layout.UPPER] = gap
    put(row, layout.NORMAL, n)
    if not (flat_a or flat_b or out[layout.PARALLEL] == 1):
        return True, n
    slack = tolerance * size
    count_a = lay(
        a, HERE, out[layout.DIMENSION_A], out[layout.NAME_A], n, 0, slack
    )
    count_b = lay(
        b, origin, out[layout.DIMENSION_B], out[layout.NAME_B], n, 1, slack
    )
    found = 0
    if count_a > 0 and count_b > 0:
        found = overlap(
            a.corners, count_a, b.corners, count_b, slack, patch, labels, capacity
        )
    if found == 0:
        return out[layout.PARALLEL] == 1, n
    out[layout.PATCH] = found
    lift(a, b, origin, n, high_a, gap, patch, labels, found)
    name_corners(a, b, out, labels, found)
    k = choose(labels, patch, found, last)
    out[layout.CHOSEN] = k
    if flat_a or flat_b:
        out[layout.PARALLEL] = 0 if found == 1 else 1
        i = 4 * k
        miss = patch[i + 3]
        put(row, layout.POINT_A, (patch[i], patch[i + 1], patch[i + 2]))
        put(
            row,
            layout.POINT_B,
            (patch[i] + gap * n[0], patch[i + 1] + gap * n[1], patch[i + 2] + gap * n[2]),
        )
        rough = gap + (high_a - low_a) + (high_b - low_b)
        row[layout.UPPER] = sqrt(rough * rough + miss * miss)
    return True, n


@kernel
def answer(
    a: Side,
    b: Side,
    origin: Vec,
    tolerance: float,
    ids: Ints,
    w: Floats,
    patch: Floats,
    labels: Ints,
    capacity: int,
    last: Ints,
    sink: Floats,
    work: Ints,
    row: Floats,
    out: Ints,
) -> int:
    """Answer one frame for two bodies that are apart; return the status.

    ``ids`` holds last frame's simplex (0 points: start cold).  ``last`` holds
    the four numbers of the corner that carried the points.
    """
    if ids[0] == 0:
        seed(
            a.points, a.pose, a.size, b.points, b.pose, b.size, origin, ids, sink, work
        )
    status, n, va, vb = walk(
        a.points,
        a.pose,
        a.start,
        a.star,
        a.size,
        a.whole,
        b.points,
        b.pose,
        b.start,
        b.star,
        b.size,
        b.whole,
        origin,
        ids,
        w,
        sink,
        work,
    )
    if status == gjk.MEETING:
        return layout.OVERLAP
    if status == gjk.LOST:
        return layout.LOST
    size = 0.0
    for k in range(3 * ids[0]):
        size = max(size, abs(w[k]))
    xa = place(a.points, a.pose, HERE, va)
    xb = place(b.points, b.pose, origin, vb)
    size = max(size, abs(xa[0]), abs(xa[1]), abs(xa[2]))
    size = max(size, abs(xb[0]), abs(xb[1]), abs(xb[2]))
    drop = tolerance * size
    if not level_part(a, va, pull(a.pose, n), drop, 0, sink, work, out):
        return layout.UNPROVEN
    back = pull(b.pose, (-n[0], -n[1], -n[2]))
    if not level_part(b, vb, back, drop, 6, sink, work, out):
        return layout.UNPROVEN
    facing, n = measured(
        a, b, origin, n, tolerance, patch, labels, capacity, last, row, out
    )
    if not facing:
        return layout.UNPROVEN
    more_a, va = beyond(a, pull(a.pose, n), sink, work)
    more_b, vb = beyond(b, pull(b.pose, (-n[0], -n[1], -n[2])), sink, work)
    size = row[layout.SIZE]
    if more_a + more_b > 0.0:
        xa = place(a.points, a.pose, HERE, va)
        xb = place(b.points, b.pose, origin, vb)
        size = max(size, abs(xa[0]), abs(xa[1]), abs(xa[2]))
        size = max(size, abs(xb[0]), abs(xb[1]), abs(xb[2]))
        row[layout.SIZE] = size
    allowance = layout.ALLOWANCE * size
    gap = row[layout.DISTANCE]
    lower = min(row[layout.LOWER], gap) - more_a - more_b - allowance
    upper = row[layout.UPPER] + allowance
    row[layout.LOWER] = lower
    row[layout.UPPER] = upper
    if upper - lower <= layout.RELATIVE * abs(gap) + layout.ABSOLUTE * size:
        return layout.CERTIFIED
    return layout.UNPROVEN
