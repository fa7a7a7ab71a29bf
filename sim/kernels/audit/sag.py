"""How far a nearly convex surface stands off the hull of its vertices, proven."""

from math import sqrt
from typing import NamedTuple

from sim.kernels.exact import FINE, ROUNDING, FineVec, fine_dot, fine_minus, fine_normal
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import HERE, cross, dot, minus, most, plus, point, put

LEVEL = 1e-7  # sine between two triangles that are looked at as one flat part
PATIENCE = 1 << 24  # flat parts times vertices; more are not compared
CARE = 1.0 + 1e-12  # for what a quotient and its product with a length round
INFINITE = float("inf")

SAG = 3  # along the axes


class Drape(NamedTuple):
    """A closed surface of triangles, by flat parts."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    parts: int
    start: Ints  # parts + 1: where the corners of each begin
    ids: Ints  # 3 per triangle, counter-clockwise seen from outside, part by part
    normal: Floats  # 3 per part: the sum of those of its triangles tells the outside
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
    share = 0.0
    if drape.parts * drape.vertices > PATIENCE:
        share = INFINITE
    else:
        for k in range(drape.parts):
            share = max(share, share_of(drape, k, eye))
    for i in range(SAG):
        told[i] *= share * CARE
    return 0


@kernel
def middle_of(drape: Drape) -> Vec:
    """Return the mean of the vertices, and tell how far they reach from it."""
    x, y, z = HERE
    for v in range(drape.vertices):
        x, y, z = plus((x, y, z), point(drape.points, v))
    count = float(drape.vertices)
    eye = (x / count, y / count, z / count)
    far = HERE
    for v in range(drape.vertices):
        x, y, z = minus(point(drape.points, v), eye)
        far = most(far, (abs(x), abs(y), abs(z)))
    put(drape.told, 0, far)
    return eye


@kernel
def farthest(drape: Drape, k: int, a: Vec, d: Vec) -> int:
    """Return the corner of a part farthest from a point, or a line along d through it.

    Where all are there, -1.
    """
    best = 0.0
    found = -1
    for i in range(drape.start[k], drape.start[k + 1]):
        e = minus(point(drape.points, drape.ids[i]), a)
        if d != HERE:
            e = cross(d, e)
        if dot(e, e) > best:
            best = dot(e, e)
            found = drape.ids[i]
    return found


@kernel
def way_out(drape: Drape, k: int, a: Vec) -> FineVec:
    """Return the direction of a part, to some 100 bits: across three wide corners."""
    p = drape.points
    first = drape.start[k]
    v = farthest(drape, k, a, HERE)
    b = point(p, v if v >= 0 else drape.ids[first + 1])
    v = farthest(drape, k, a, minus(b, a)) if v >= 0 else -1
    c = point(p, v if v >= 0 else drape.ids[first + 2])
    if dot(cross(minus(b, a), minus(c, a)), point(drape.normal, k)) < 0.0:
        return fine_normal(a, c, b)
    return fine_normal(a, b, c)


@kernel
def share_of(drape: Drape, k: int, eye: Vec) -> float:
    """Return by what share the hull must shrink to lie below the corners of a part.

    Heights to some 100 bits, rounded to a float, which loses little of a small one.
    """
    p = drape.points
    a = point(p, drape.ids[drape.start[k]])
    way = way_out(drape, k, a)
    low = 0.0
    for i in range(drape.start[k], drape.start[k + 1]):
        low = min(low, fine_dot(fine_minus(point(p, drape.ids[i]), a), way)[0])
    nx, ny, nz = way
    n = (nx[0], ny[0], nz[0])
    r = drape.told
    long = abs(n[0]) * r[0] + abs(n[1]) * r[1] + abs(n[2]) * r[2]
    floor = -ROUNDING * long
    top = 0.0
    for v in range(drape.vertices):
        if dot(minus(point(p, v), a), n) >= floor:
            top = max(top, fine_dot(fine_minus(point(p, v), a), way)[0])
    off = 8.0 * FINE * long
    depth = fine_dot(fine_minus(a, eye), way)[0] - off
    if not depth + low - off > 0.0:
        return INFINITE
    return (top - low + 2.0 * off) / (depth + top)


@kernel
def placed_sag(sag: Floats, at: int, pose: Floats) -> float:
    """Return how far, by lengths from ``at``, a hull reaches beyond a body, world."""
    square = 0.0
    for i in range(3):
        x = 0.0
        for k in range(3):
            x += abs(pose[4 * i + k]) * sag[at + k]
        square += x * x
    return CARE * sqrt(square)
