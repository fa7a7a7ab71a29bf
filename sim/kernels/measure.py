"""Measure two level parts that face each other: normal, distance, patch."""

from math import sqrt

from sim.kernels import layout
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.outline import across, ends
from sim.kernels.patch import CROSSING
from sim.kernels.plateau import area_vector, push
from sim.kernels.segments import NEARLY_PARALLEL, closest, sine_sq
from sim.kernels.side import Side
from sim.kernels.vector import along, cross, dot, length, minus, place, unit

HERE = (0.0, 0.0, 0.0)


@kernel
def put(row: Floats, at: int, x: Vec) -> None:
    """Write a vector into a row."""
    row[at] = x[0]
    row[at + 1] = x[1]
    row[at + 2] = x[2]


@kernel
def face_normal(side: Side, faces: int) -> Vec:
    """Return the outward unit normal of the level faces, in the world."""
    return unit(
        push(
            side.pose,
            area_vector(
                side.points, side.corner_start, side.corner_vertex, side.faces, faces
            ),
        )
    )


@kernel
def levels(side: Side, origin: Vec, n: Vec) -> tuple[float, float, float]:
    """Return the greatest and the least height of the level part, and its reach."""
    high = -1.0
    low = 1.0
    reach = 0.0
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
def beside(side: Side, origin: Vec, n: Vec, x: Vec, flip: float) -> float:
    """Return how far a point lies outside the one level face, across the normal.

    0 within; ``flip`` is -1 for the body that faces against the normal.
    """
    corner_vertex = side.corner_vertex
    first = side.corner_start[side.faces[0]]
    last = side.corner_start[side.faces[0] + 1]
    px, py, pz = place(side.points, side.pose, origin, corner_vertex[last - 1])
    worst = 0.0
    for k in range(first, last):
        qx, qy, qz = place(side.points, side.pose, origin, corner_vertex[k])
        ex = qx - px
        ey = qy - py
        ez = qz - pz
        # The way out across this side: the edge turned about the normal.
        ox = ey * n[2] - ez * n[1]
        oy = ez * n[0] - ex * n[2]
        oz = ex * n[1] - ey * n[0]
        miss = flip * ((x[0] - px) * ox + (x[1] - py) * oy + (x[2] - pz) * oz)
        if miss > 0.0:
            oo = ox * ox + oy * oy + oz * oz
            if oo > 0.0:
                worst = max(worst, miss / sqrt(oo))
        px = qx
        py = qy
        pz = qz
    return worst


@kernel
def between_lines(
    a: Side, b: Side, origin: Vec, guide: Vec, row: Floats, out: Ints
) -> tuple[Vec, float]:
    """Measure two parts that are vertices or lines: VV, VE, EV, EE.

    Returns the unit normal and the distance; writes the two points.
    """
    a0, a1 = ends(a, HERE)
    b0, b1 = ends(b, origin)
    p0 = place(a.points, a.pose, HERE, a0)
    q0 = place(b.points, b.pose, origin, b0)
    if a0 == a1 and b0 == b1:
        n = unit(minus(q0, p0))
        gap = dot(n, minus(q0, p0))
        put(row, layout.POINT_A, p0)
        put(row, layout.POINT_B, along(p0, gap, n))
        return n, gap
    p1 = p0 if a0 == a1 else place(a.points, a.pose, HERE, a1)
    q1 = q0 if b0 == b1 else place(b.points, b.pose, origin, b1)
    d = minus(p1, p0)
    e = minus(q1, q0)
    sine = sine_sq(d, e)
    if a0 != a1 and b0 != b1 and sine <= NEARLY_PARALLEL:
        out[layout.PARALLEL] = 1
    s, t, crossing = closest(p0, p1, q0, q1)
    p = along(p0, s, d)
    q = along(q0, t, e)
    w = minus(q, p)
    gap = length(w)
    reach = max(abs(p[0]), abs(p[1]), abs(p[2]), abs(q[0]), abs(q[1]), abs(q[2]))
    if crossing and (gap <= sqrt(sine) * reach or dot(w, guide) < 0.0):
        # Near to each other the edges know the normal better than the points, and
        # past each other the points would have it backwards.
        n = unit(cross(d, e))
        if dot(n, guide) < 0.0:
            n = (-n[0], -n[1], -n[2])
    else:
        # What is left of the difference along an edge is rounding.
        if 0.0 < s < 1.0:
            w = along(w, -dot(w, d) / dot(d, d), d)
        if 0.0 < t < 1.0:
            w = along(w, -dot(w, e) / dot(e, e), e)
        n = unit(w)
    gap = dot(n, minus(q, p))
    put(row, layout.POINT_A, p)
    put(row, layout.POINT_B, along(p, gap, n))
    return n, gap


@kernel
def lift(
    a: Side,
    b: Side,
    origin: Vec,
    n: Vec,
    level: float,
    gap: float,
    patch: Floats,
    labels: Ints,
    count: int,
) -> None:
    """Turn the corners of a patch into world points on A's side, in place."""
    u, v = across(n)
    for k in range(count):
        if labels[4 * k] == CROSSING:
            s = patch[4 * k]
            t = patch[4 * k + 1]
            x = (
                s * u[0] + t * v[0] + level * n[0],
                s * u[1] + t * v[1] + level * n[1],
                s * u[2] + t * v[2] + level * n[2],
            )
        elif labels[4 * k + 1] >= 0:
            x = place(a.points, a.pose, HERE, a.rim_vertex[labels[4 * k + 1]])
        else:
            y = place(b.points, b.pose, origin, b.rim_vertex[labels[4 * k + 2]])
            x = along(y, -gap, n)
        put(patch, 4 * k, x)


@kernel
def name_corners(a: Side, b: Side, out: Ints, labels: Ints, count: int) -> None:
    """Turn the corners' indices into names: dimension and number on A and on B.

    Two parallel edges meet in corners that are edge-edge contacts, too.
    """
    both_lines = out[layout.DIMENSION_A] == 1 and out[layout.DIMENSION_B] == 1
    for k in range(count):
        i = labels[4 * k + 1]
        j = labels[4 * k + 2]
        if labels[4 * k] == CROSSING:
            labels[4 * k] = 1
            labels[4 * k + 1] = a.rim_edge[i]
            labels[4 * k + 2] = 1
            labels[4 * k + 3] = b.rim_edge[j]
        elif both_lines or (i < 0 and j < 0):
            labels[4 * k] = out[layout.DIMENSION_A]
            labels[4 * k + 1] = out[layout.NAME_A]
            labels[4 * k + 2] = out[layout.DIMENSION_B]
            labels[4 * k + 3] = out[layout.NAME_B]
        elif i >= 0:
            labels[4 * k] = 0
            labels[4 * k + 1] = a.rim_vertex[i]
            labels[4 * k + 2] = out[layout.DIMENSION_B]
            labels[4 * k + 3] = out[layout.NAME_B]
        else:
            labels[4 * k] = out[layout.DIMENSION_A]
            labels[4 * k + 1] = out[layout.NAME_A]
            labels[4 * k + 2] = 0
            labels[4 * k + 3] = b.rim_vertex[j]


@kernel
def choose(labels: Ints, patch: Floats, count: int, last: Ints) -> int:
    """Pick the corner that carries the points: last frame's if it is still there.

    Else the one least outside the other part, first in order.
    """
    best = 0
    for k in range(count):
        i = 4 * k
        if (
            labels[i] == last[0]
            and labels[i + 1] == last[1]
            and labels[i + 2] == last[2]
            and labels[i + 3] == last[3]
        ):
            return k
        if patch[i + 3] < patch[4 * best + 3]:
            best = k
    return best
