"""The distance of two triangles, and of every side of each from the other.

A closest pair of two triangles has a corner over the inside of the other one, or lies
on two sides, or a side pierces the other: 6 + 9 + 6 tests (Ericson 2005, 5.1), those of
the search.  What a side shares with the neighbour beyond it has the same bits there,
whichever triangle asks: sides are measured from their lower end.
"""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Record, Vec, kernel, record
from sim.kernels.surface.pairs import between, over_inside
from sim.kernels.surface.piercing import COORDINATE, across_triangle, corners, pierces
from sim.kernels.surface.ties import Key, key_of, on_segment, put_key
from sim.kernels.vector import dot, minus, perpendicular, point, unit
from sim.kernels.workspace import Tree


class Adjacency(NamedTuple):
    """The T triangles of a body, by their numbers in the fans of its mesh.

    Every face is the fan from its first corner; its inner diagonals connect triangles
    as edges do.  Ids belong to the mesh and are shared, the tree belongs to the pair.
    """

    triangles: int  # T
    corner: Ints  # 3 T vertices, counter-clockwise from outside
    beyond: Ints  # 3 T: the triangle across the side that leaves each corner
    tree: Tree  # knows where the vertices are


FAR = 1e300


@record
class Near(Record):
    """How near is near, and how near triangles are."""

    limit: float  # read: the distance that is asked about
    slack: float  # read: what rounding may be off
    square: float  # of the distance of two triangles, or beyond the limit FAR
    pairs: int  # how many pairs are within reach
    chosen: int  # read: the region to be named


class TrianglePair(NamedTuple):
    """What two triangles are to each other, with what was asked."""

    near: Near
    sides: Floats  # 6: squares, of A's three sides from B's triangle, and of B's
    heights: Floats  # 6: of A's corners over B's plane, of B's over A's
    key: Ints  # the features that come closest, as in ``TreeSearch``


@kernel
def side_of(a: Adjacency, f: int, k: int) -> tuple[int, int, Vec, Vec]:
    """Return the ends of a side, the lower one first, and where they are."""
    i, j = a.corner[3 * f + k], a.corner[3 * f + (k + 1) % 3]
    v, w = min(i, j), max(i, j)
    return v, w, point(a.tree.placed, v), point(a.tree.placed, w)


@kernel
def take(c: TrianglePair, flip: int, square: float, one: Key, other: Key) -> None:
    """Note two features if nothing came nearer; ``flip`` is 1 where B's comes first."""
    if square < c.near.square:
        c.near.square = square
        put_key(c.key, 3 * flip, one)
        put_key(c.key, 3 - 3 * flip, other)


@kernel
def at_corner(sides: Floats, first: int, k: int, square: float) -> None:
    """Lower the squares of the two sides of a triangle that meet at a corner."""
    sides[first + k] = min(sides[first + k], square)
    k = (k + 2) % 3
    sides[first + k] = min(sides[first + k], square)


@kernel
def is_out_of_reach(
    a: Adjacency, f: int, b: Adjacency, g: int, flip: int, c: TrianglePair
) -> bool:
    """Write how high corners stand over the other's plane; say if all are too high."""
    n = unit(across_triangle(b.tree, triangle_at(b, g)))
    base = point(b.tree.placed, b.corner[3 * g])
    for k in range(3):
        x = point(a.tree.placed, a.corner[3 * f + k])
        c.heights[3 * flip + k] = dot(minus(x, base), n)
    one, two, three = point(c.heights, flip)
    limit = c.near.limit + c.near.slack
    return min(one, two, three) > limit or max(one, two, three) < -limit


@kernel
def sides_through(
    a: Adjacency, f: int, b: Adjacency, g: int, flip: int, c: TrianglePair
) -> None:
    """Find the sides of a triangle that pass through the other one, beyond doubt."""
    for k in range(3):
        one = c.heights[3 * flip + k]
        two = c.heights[3 * flip + (k + 1) % 3]
        if min(abs(one), abs(two)) > c.near.slack and (one > 0.0) != (two > 0.0):
            v, w, p, q = side_of(a, f, k)
            x, y, z = corners(b.tree, triangle_at(b, g))
            if pierces(p, q, x, y, z, COORDINATE):
                c.sides[3 * flip + k] = 0.0
                take(c, flip, 0.0, (v, w, -1), triangle_at(b, g))


@kernel
def triangle_at(b: Adjacency, g: int) -> Key:
    """Return what names a triangle."""
    return key_of(b.corner, 3 * g)


@kernel
def corners_over(
    a: Adjacency, f: int, b: Adjacency, g: int, flip: int, c: TrianglePair
) -> None:
    """Measure the corners of a triangle over the inside of the other one."""
    for k in range(3):
        if abs(c.heights[3 * flip + k]) <= c.near.limit + c.near.slack:
            x = point(a.tree.placed, a.corner[3 * f + k])
            p, q, r = corners(b.tree, triangle_at(b, g))
            over, foot = over_inside(x, p, q, r)
            if over:
                w = minus(x, foot)
                at_corner(c.sides, 3 * flip, k, dot(w, w))
                v = (a.corner[3 * f + k], -1, -1)
                take(c, flip, dot(w, w), v, triangle_at(b, g))


@kernel
def corners_beside(
    a: Adjacency, f: int, b: Adjacency, g: int, flip: int, c: TrianglePair
) -> None:
    """Measure the corners of a triangle from the sides of the other one."""
    for j in range(3):
        tail, tip, p, q = side_of(b, g, j)
        side = 3 - 3 * flip + j
        for k in range(3):
            v = a.corner[3 * f + k]
            s, w = perpendicular(point(a.tree.placed, v), p, q)
            square = dot(w, w)
            at_corner(c.sides, 3 * flip, k, square)
            c.sides[side] = min(c.sides[side], square)
            take(c, flip, square, (v, -1, -1), on_segment(tail, tip, s))


@kernel
def crossings(a: Adjacency, f: int, b: Adjacency, g: int, c: TrianglePair) -> None:
    """Measure the sides of two triangles that come closest between their ends."""
    for i in range(3):
        v, w, p, q = side_of(a, f, i)
        for j in range(3):
            r, s, x, y = side_of(b, g, j)
            meet, x, y = between(p, q, x, y)
            if meet:
                x = minus(y, x)
                square = dot(x, x)
                c.sides[i] = min(c.sides[i], square)
                c.sides[3 + j] = min(c.sides[3 + j], square)
                take(c, 0, square, (v, w, -1), (r, s, -1))


@kernel
def compare(a: Adjacency, b: Adjacency, f: int, g: int, c: TrianglePair) -> None:
    """Measure a triangle of A and one of B.

    Writes the squared distances of each side of A's triangle from B's, of each side of
    B's from A's, and of the two, with what comes closest; what is beyond the limit is
    only said to be.  Of equals a side that passes through wins, then a corner over the
    inside, then two sides, then an end: in this order they know the normal.
    Cost: 6 points over planes, 9 pairs of lines, 18 points beside lines.
    """
    c.near.square = FAR
    for k in range(6):
        c.sides[k] = FAR
    if is_out_of_reach(b, g, a, f, 1, c) or is_out_of_reach(a, f, b, g, 0, c):
        return
    sides_through(a, f, b, g, 0, c)
    sides_through(b, g, a, f, 1, c)
    corners_over(a, f, b, g, 0, c)
    corners_over(b, g, a, f, 1, c)
    crossings(a, f, b, g, c)
    corners_beside(a, f, b, g, 0, c)
    corners_beside(b, g, a, f, 1, c)
