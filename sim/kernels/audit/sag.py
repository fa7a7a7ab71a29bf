"""How far a nearly convex surface stands off the hull of its vertices, proven."""

from math import sqrt
from typing import NamedTuple

from sim.kernels.exact import FINE, ROUNDING, FineVec, fine_dot, fine_minus, fine_normal
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import cross, dot, minus, put
from sim.kernels.walk.simplex import corner

LEVEL = 1e-7  # sine between two triangles that are looked at as one flat part
PATIENCE = 1 << 24  # flat parts times vertices; more are not compared
CARE = 1.0 + 1e-12  # for what a quotient and its product with a length round
INFINITE = float("inf")

SAG = 3  # along the axes


class Drape(NamedTuple):
    """A closed surface of triangles, and room for its flat parts."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    triangles: int
    corner: Ints  # 3 per triangle, counter-clockwise seen from outside
    hinges: int
    left: Ints  # 1 per hinge: the triangle on its left
    right: Ints
    part: Ints  # room: 1 per triangle, the first triangle of its flat part
    span: Ints  # room: 3 per triangle, wide corners of the part
    normal: Floats  # room: 3 per triangle
    low: Floats  # room: 1 per triangle
    high: Ints  # room: 1 per vertex
    told: Floats  # SAG


@kernel
def measure_sag(drape: Drape) -> int:
    """Tell how far the hull must shrink to lie in the body, along the axes.

    Every flat part has a direction. Nothing of the part lies below its lowest corner
    along it, and nothing of the hull above the highest vertex of all. So the half
    spaces below the lowest corners bound a convex set that no triangle enters: it lies
    in the body; and it holds the hull shrunk about the mean of the vertices by the
    greatest share that the lowest corner of a part is below the highest vertex.

    Infinite where nothing is proven. Heights by pairs. Cost: O(V) for each flat part.
    """
    told = drape.told
    eye = middle_of(drape)
    parts = join_level(drape)
    share = 0.0
    if parts * drape.vertices > PATIENCE:
        share = INFINITE
    else:
        span_parts(drape)
        lower_parts(drape)
        for t in range(drape.triangles):
            if drape.part[t] == t:
                share = max(share, share_of(drape, t, eye))
    for i in range(SAG):
        told[i] *= share * CARE
    return 0


@kernel
def middle_of(drape: Drape) -> Vec:
    """Return the mean of the vertices, and tell how far they reach from it."""
    p = drape.points
    x = 0.0
    y = 0.0
    z = 0.0
    for v in range(drape.vertices):
        x += p[3 * v]
        y += p[3 * v + 1]
        z += p[3 * v + 2]
    count = float(drape.vertices)
    eye = (x / count, y / count, z / count)
    u = 0.0
    h = 0.0
    w = 0.0
    for v in range(drape.vertices):
        u = max(u, abs(p[3 * v] - eye[0]))
        h = max(h, abs(p[3 * v + 1] - eye[1]))
        w = max(w, abs(p[3 * v + 2] - eye[2]))
    put(drape.told, 0, (u, h, w))
    return eye


@kernel
def first_of(part: Ints, t: int) -> int:
    """Return the first triangle of a part that is being joined."""
    while part[t] != t:
        part[t] = part[part[t]]
        t = part[t]
    return t


@kernel
def join_level(drape: Drape) -> int:
    """Join triangles that are level with each other; return how many parts there are.

    The normal of a part is the sum of those of its triangles: it tells the outside.
    """
    p = drape.points
    part = drape.part
    normal = drape.normal
    for t in range(drape.triangles):
        a = corner(p, drape.corner[3 * t])
        b = corner(p, drape.corner[3 * t + 1])
        c = corner(p, drape.corner[3 * t + 2])
        n = cross(minus(b, a), minus(c, a))
        put(normal, 3 * t, n)
        part[t] = t
    parts = drape.triangles
    for k in range(drape.hinges):
        n = corner(normal, drape.left[k])
        m = corner(normal, drape.right[k])
        across = cross(n, m)
        bend = dot(across, across)
        level = dot(n, m) >= 0.0 and bend <= LEVEL * LEVEL * (dot(n, n) * dot(m, m))
        if level:
            one = first_of(part, drape.left[k])
            two = first_of(part, drape.right[k])
            if one != two:
                part[max(one, two)] = min(one, two)
                parts -= 1
    for t in range(drape.triangles):
        first = first_of(part, t)
        part[t] = first
        if first != t:
            for i in range(3):
                normal[3 * first + i] += normal[3 * t + i]
    return parts


@kernel
def span_parts(drape: Drape) -> None:
    """Choose three wide corners of each part: its first, and two far from it."""
    p = drape.points
    for turn in range(3):
        for t in range(drape.triangles):
            drape.low[t] = 0.0
            if turn == 0:
                for k in range(3):
                    drape.span[3 * t + k] = drape.corner[3 * t + k]
        for t in range(drape.triangles):
            first = drape.part[t]
            a = corner(p, drape.span[3 * first])
            d = minus(corner(p, drape.span[3 * first + 1]), a)
            for k in range(3):
                v = drape.corner[3 * t + k]
                e = minus(corner(p, v), a)
                if turn == 2:
                    e = cross(d, e)
                if turn > 0 and dot(e, e) > drape.low[first]:
                    drape.low[first] = dot(e, e)
                    drape.span[3 * first + turn] = v


@kernel
def way_out(drape: Drape, t: int) -> FineVec:
    """Return the direction of a part, to some 100 bits: across its three corners."""
    p = drape.points
    a = corner(p, drape.span[3 * t])
    b = corner(p, drape.span[3 * t + 1])
    c = corner(p, drape.span[3 * t + 2])
    if dot(cross(minus(b, a), minus(c, a)), corner(drape.normal, t)) < 0.0:
        d = b
        b = c
        c = d
    return fine_normal(a, b, c)


@kernel
def height_over(p: Floats, v: int, a: Vec, way: FineVec) -> float:
    """Return the height of a vertex over a point along a direction, to some 100 bits.

    Rounded to a float, which loses little of a small one.
    """
    return fine_dot(fine_minus(corner(p, v), a), way)[0]


@kernel
def lower_parts(drape: Drape) -> None:
    """Find how far the lowest corner of each part is below the first of all."""
    p = drape.points
    low = drape.low
    seen = drape.high  # in which part each vertex was looked at last
    for v in range(drape.vertices):
        seen[v] = -1
    before = 0
    way = way_out(drape, 0)
    for t in range(drape.triangles):
        low[t] = 0.0
    for t in range(drape.triangles):
        first = drape.part[t]
        a = corner(p, drape.span[3 * first])
        if first != before:
            way = way_out(drape, first)
            before = first
        for k in range(3):
            v = drape.corner[3 * t + k]
            if seen[v] != first:
                seen[v] = first
                low[first] = min(low[first], height_over(p, v, a, way))


@kernel
def share_of(drape: Drape, t: int, eye: Vec) -> float:
    """Return by what share the hull must shrink to lie below the corners of a part."""
    p = drape.points
    v = drape.span[3 * t]
    a = corner(p, v)
    way = way_out(drape, t)
    nx, ny, nz = way
    n = (nx[0], ny[0], nz[0])
    r = drape.told
    long = abs(n[0]) * r[0] + abs(n[1]) * r[1] + abs(n[2]) * r[2]
    found = higher(p, drape.vertices, a, n, -ROUNDING * long, drape.high)
    top = 0.0
    for k in range(found):
        top = max(top, height_over(p, drape.high[k], a, way))
    off = 8.0 * FINE * long
    depth = height_over(p, v, eye, way) - off
    if not depth + drape.low[t] - off > 0.0:
        return INFINITE
    return (top - drape.low[t] + 2.0 * off) / (depth + top)


@kernel
def placed_sag(sag: Floats, pose: Floats) -> float:
    """Return how far, in the world, the hull reaches beyond the body at most."""
    square = 0.0
    for i in range(3):
        x = 0.0
        for k in range(3):
            x += abs(pose[4 * i + k]) * sag[k]
        square += x * x
    return CARE * sqrt(square)


@kernel
def higher(p: Floats, count: int, a: Vec, n: Vec, floor: float, found: Ints) -> int:
    """List the vertices that are higher than so much over a point; return how many."""
    k = 0
    for v in range(count):
        i = 3 * v
        h = (p[i] - a[0]) * n[0] + (p[i + 1] - a[1]) * n[1] + (p[i + 2] - a[2]) * n[2]
        if h >= floor:
            found[k] = v
            k += 1
    return k
