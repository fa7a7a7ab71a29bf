"""One frame of one pair: walk, name the features, measure them, prove the bound.

Everything that is reported is computed once more from the features that were
found, by one fixed expression per kind, so an answer does not depend on the way
that led to it: warm equals cold to the bit.
"""

from math import sqrt

from sim.kernels import gjk, layout
from sim.kernels.gjk import seed, walk
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.measure import (
    HERE,
    between_lines,
    choose,
    face_normal,
    levels,
    lift,
    name_corners,
    put,
    reach_of,
    vertex_and_face,
)
from sim.kernels.outline import lay
from sim.kernels.patch import overlap
from sim.kernels.plateau import collect, confirmed, face_confirmed, plateau, sort
from sim.kernels.scan import scan
from sim.kernels.side import Side
from sim.kernels.support import height
from sim.kernels.vector import along, dot, minus, place, pull



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
def adopt(side: Side, ids: Ints, at: int, count: int, to: int, out: Ints) -> bool:
    """Name the vertex, edge or face that a simplex stands on; False if it is none.

    A guess to be confirmed, much cheaper than a flood.
    """
    mark = side.mark
    members = side.members
    for k in range(mark[side.size]):
        mark[members[k]] = 0
    found = 0
    for k in range(count):
        v = ids[at + k]
        if mark[v] == 0:
            mark[v] = 1
            members[found] = v
            found += 1
    mark[side.size] = found
    out[to] = 0
    out[to + 1] = members[0]
    out[to + 3] = 0
    out[to + 4] = 0
    if found == 1:
        out[to + 2] = 1
        return True
    v = members[0]
    for k in range(side.start[v], side.start[v + 1]):
        if found == 2:
            if side.star[k] == members[1]:
                sort(members, 2)
                side.edges[0] = side.star_edge[k]
                out[to] = 1
                out[to + 1] = side.star_edge[k]
                out[to + 2] = 2
                out[to + 3] = 1
                return True
        else:
            f = side.star_face[k]
            first = side.corner_start[f]
            last = side.corner_start[f + 1]
            inside = 0
            for c in range(first, last):
                inside += mark[side.corner_vertex[c]]
            if inside == found:
                for c in range(first, last):
                    members[c - first] = side.corner_vertex[c]
                    mark[side.corner_vertex[c]] = 1
                mark[side.size] = last - first
                sort(members, last - first)
                side.faces[0] = f
                out[to] = 2
                out[to + 1] = f
                out[to + 2] = last - first
                out[to + 4] = 1
                return True
    return False


@kernel
def holds(
    side: Side, faces: int, d: Vec, drop: float, sink: Floats, work: Ints
) -> bool:
    """Say whether the named part of one side is its level part along a direction."""
    if faces == 1 and side.whole == 0:
        work[2] += 1
        return face_confirmed(
            side.points,
            side.start,
            side.star,
            side.corner_start,
            side.corner_vertex,
            side.faces[0],
            d,
            drop,
            sink,
            work,
        )
    return confirmed(
        side.points,
        side.start,
        side.star,
        side.size,
        d,
        drop,
        side.mark,
        side.members,
        sink,
        work,
    )


@kernel
def direction(
    a: Side, b: Side, origin: Vec, guide: Vec, row: Floats, out: Ints
) -> tuple[bool, Vec]:
    """Return the unit normal that the named parts themselves define.

    A face knows it best, then two crossing edges, then the points.  Says False
    where the parts do not face each other along ``guide``.
    """
    flat_a = out[layout.DIMENSION_A] == 2
    flat_b = out[layout.DIMENSION_B] == 2
    out[layout.PARALLEL] = 0
    out[layout.BY_POINTS] = 0
    n = guide
    if flat_a:
        n = face_normal(a, out[layout.FACES_A])
        if flat_b and not dot(n, face_normal(b, out[layout.FACES_B])) < 0.0:
            return False, n
    elif flat_b:
        x, y, z = face_normal(b, out[layout.FACES_B])
        n = (-x, -y, -z)
    else:
        n = between_lines(a, b, origin, guide, row, out)
    return dot(n, guide) > 0.0, n


@kernel
def measured(
    a: Side,
    b: Side,
    origin: Vec,
    n: Vec,
    tolerance: float,
    patch: Floats,
    labels: Ints,
    capacity: int,
    last: Ints,
    row: Floats,
    out: Ints,
) -> bool:
    """Measure the named parts along their own normal: distance, points, bounds.

    The bounds are without allowance, the lower one only as good as the proof that
    the parts are supports.  Returns False where they do not overlap.
    """
    flat = out[layout.DIMENSION_A] == 2 or out[layout.DIMENSION_B] == 2
    out[layout.PATCH] = 0
    out[layout.CHOSEN] = 0
    put(row, layout.NORMAL, n)
    if not flat and out[layout.PARALLEL] == 0:
        return True
    if out[layout.DIMENSION_A] == 0 and out[layout.FACES_B] == 1:
        vertex_and_face(a, HERE, b, origin, n, -1.0, row)
        return True
    if out[layout.DIMENSION_B] == 0 and out[layout.FACES_A] == 1:
        vertex_and_face(b, origin, a, HERE, n, 1.0, row)
        return True
    high_a, low_a, reach_a = levels(a, HERE, n)
    high_b, low_b, reach_b = levels(b, origin, n)
    size = max(reach_a, reach_b)
    if flat:
        row[layout.SIZE] = size
        row[layout.DISTANCE] = low_b - high_a
        row[layout.LOWER] = low_b - high_a
    gap = row[layout.DISTANCE]
    found = faced(
        a,
        low_a,
        b,
        high_b,
        origin,
        n,
        tolerance * size,
        patch,
        labels,
        capacity,
        row,
        out,
    )
    if found == 0:
        return not flat
    k = choose(labels, patch, found, last, layout.ALLOWANCE * size)
    out[layout.CHOSEN] = k
    if flat:
        out[layout.PARALLEL] = 0 if found == 1 else 1
        row[layout.UPPER] = max(patch[4 * k + 3], gap)
        x = (patch[4 * k], patch[4 * k + 1], patch[4 * k + 2])
        put(row, layout.POINT_A, x)
        put(row, layout.POINT_B, along(x, gap, n))
    return True


@kernel
def faced(
    a: Side,
    low_a: float,
    b: Side,
    high_b: float,
    origin: Vec,
    n: Vec,
    slack: float,
    patch: Floats,
    labels: Ints,
    capacity: int,
    row: Floats,
    out: Ints,
) -> int:
    """Write the patch where two level parts face each other; return its corners."""
    count_a = lay(a, HERE, out[layout.DIMENSION_A], out[layout.NAME_A], n, 0, slack)
    count_b = lay(b, origin, out[layout.DIMENSION_B], out[layout.NAME_B], n, 1, slack)
    if count_a == 0 or count_b == 0:
        return 0
    found = overlap(
        a.corners, count_a, b.corners, count_b, slack, patch, labels, capacity
    )
    out[layout.PATCH] = found
    gap = row[layout.DISTANCE]
    lift(a, count_a, low_a, b, count_b, high_b, origin, n, gap, patch, labels, found)
    name_corners(a, b, out, labels, found)
    return found


@kernel
def excess(side: Side, n: Vec, sink: Floats, work: Ints) -> float:
    """Return by how much any vertex stands above the named part; 0 as a rule.

    A scan of all vertices where rings prove nothing.
    """
    if side.whole == 0:
        return 0.0
    work[3] += 1
    d = pull(side.pose, n)
    top, best = scan(side.points, side.size, d, sink)
    if side.mark[top] == 1:
        return 0.0
    highest = height(side.points, side.members[0], d)
    for k in range(1, side.mark[side.size]):
        highest = max(highest, height(side.points, side.members[k], d))
    return max(0.0, best - highest)


@kernel
def certified(
    a: Side, b: Side, n: Vec, sink: Floats, work: Ints, row: Floats
) -> bool:
    """Turn the measured bounds into proven ones; say whether they certify."""
    size = row[layout.SIZE]
    allowance = layout.ALLOWANCE * size
    more = excess(a, n, sink, work) + excess(b, (-n[0], -n[1], -n[2]), sink, work)
    row[layout.LOWER] = row[layout.LOWER] - more - allowance
    row[layout.UPPER] = row[layout.UPPER] + allowance
    width = row[layout.UPPER] - row[layout.LOWER]
    limit = layout.RELATIVE * abs(row[layout.DISTANCE]) + layout.ABSOLUTE * size
    return width <= limit


@kernel
def settled(
    a: Side,
    b: Side,
    origin: Vec,
    guide: Vec,
    doubt: float,
    tolerance: float,
    patch: Floats,
    labels: Ints,
    capacity: int,
    last: Ints,
    sink: Floats,
    work: Ints,
    row: Floats,
    out: Ints,
) -> bool:
    """Answer from the named parts if they are the closest features, and prove it.

    Their own normal must name them again: that makes the answer a fixed point,
    whatever led here.  With ``doubt`` 1 a normal that comes from points must tell
    them from what lies within its own blur, so that a face wins over its own edge.
    """
    facing, n = direction(a, b, origin, guide, row, out)
    if not facing:
        return False
    if not measured(
        a, b, origin, n, tolerance, patch, labels, capacity, last, row, out
    ):
        return False
    size = row[layout.SIZE]
    gap = row[layout.DISTANCE]
    if not gap > layout.TOUCH * size:
        return False  # past each other: supports alone do not bound a depth
    if row[layout.UPPER] > gap + layout.RELATIVE * gap + layout.ABSOLUTE * size:
        return False  # beside each other
    drop = tolerance * size
    if out[layout.BY_POINTS] == 1:
        drop += doubt * layout.BLUR * size * (size / gap)
    if not holds(a, out[layout.FACES_A], pull(a.pose, n), drop, sink, work):
        return False
    if not holds(b, out[layout.FACES_B], pull(b.pose, (-n[0], -n[1], -n[2])), drop, sink, work):
        return False
    return certified(a, b, n, sink, work, row)


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

    ``ids`` holds last frame's simplex (0 points: start cold), the rows and the
    scratch last frame's parts.  ``last`` holds the four numbers of the corner that
    carried the points.
    """
    if ids[0] == 0:
        seed(
            a.points, a.pose, a.size, b.points, b.pose, b.size, origin, ids, sink, work
        )
    elif out[layout.KNOWN] == 1:
        guide = (row[layout.NORMAL], row[layout.NORMAL + 1], row[layout.NORMAL + 2])
        if settled(
            a,
            b,
            origin,
            guide,
            1.0,
            tolerance,
            patch,
            labels,
            capacity,
            last,
            sink,
            work,
            row,
            out,
        ):
            return layout.CERTIFIED
    out[layout.KNOWN] = 0
    for strict in range(2):
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
            strict,
            ids,
            w,
            sink,
            work,
        )
        if status == gjk.MEETING:
            return layout.OVERLAP
        if status == gjk.LOST:
            return layout.LOST
        x = place(a.points, a.pose, HERE, va)
        y = place(b.points, b.pose, origin, vb)
        size = reach_of(x, y)
        gap = dot(minus(y, x), n)
        for attempt in range(6):
            # The wider blur before the narrow one; the guess, then the flood, then
            # the flood along the normal of what it found.
            doubt = 1.0 if attempt < 3 else 0.0
            way = n
            if attempt % 3 == 0:
                named = adopt(
                    a, ids, 1, ids[0], layout.DIMENSION_A, out
                ) and adopt(b, ids, 5, ids[0], layout.DIMENSION_B, out)
            else:
                if attempt % 3 == 2:
                    if not named:
                        continue
                    _, way = direction(a, b, origin, n, row, out)
                drop = tolerance * size
                if gap > 0.0:
                    drop += doubt * layout.BLUR * size * (size / gap)
                da = pull(a.pose, way)
                db = pull(b.pose, (-way[0], -way[1], -way[2]))
                named = level_part(
                    a, va, da, drop, layout.DIMENSION_A, sink, work, out
                ) and level_part(b, vb, db, drop, layout.DIMENSION_B, sink, work, out)
            if named and settled(
                a,
                b,
                origin,
                way,
                doubt,
                tolerance,
                patch,
                labels,
                capacity,
                last,
                sink,
                work,
                row,
                out,
            ):
                out[layout.KNOWN] = 1
                return layout.CERTIFIED
    return layout.UNPROVEN
