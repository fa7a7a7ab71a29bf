"""All pairs of features within a distance, and the energy that keeps them apart.

Every vertex and face, and every two edges, of two bodies that are nearer than
``reach``.  A body moves by an affine map, so the closest points of a pair are fixed
to their bodies to first order: a contact is two such points, and the energy depends on
their distance.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.laws.shapes import BodyTables, Meet, applied, cross, dot, moved

Array = NDArray[np.float64]
Ids = NDArray[np.intp]
PARALLEL = 1e-3  # squared sine of an angle; edges within it count less (Li et al. 2020)


class ContactSet(NamedTuple):
    """Pairs of closest points, C of them; those of one pair of bodies together."""

    a: Ids  # (C,) bodies
    b: Ids
    x: Array  # (C, 4) point of A, body frame, and 1
    y: Array
    r: Array  # (C, 3) from the point of B to that of A, world
    edges: Ids  # (2, C') edges of the last C' contacts

    @property
    def distance(self) -> Array:
        """How far the points are apart, (C,)."""
        far: Array = np.sqrt(dot(self.r, self.r))
        return far


def ratio(a: Array, b: Array) -> Array:
    """Divide, clipped to [0, 1]; 0 where the divisor is 0."""
    safe = np.where(b > 0.0, b, 1.0)
    return np.where(b > 0.0, np.minimum(np.maximum(a / safe, 0.0), 1.0), 0.0)


def near_contacts(shapes: BodyTables, q: Array, meet: Meet, reach: float) -> ContactSet:
    """Find all contacts of the bodies that may meet, for maps (B, 3, 4)."""
    world = shapes.placed(q)
    low, high, _ = shapes.near.boxes
    low[...] = np.minimum.reduceat(world, shapes.vertices[:-1], axis=0) - reach
    high[...] = np.maximum.reduceat(world, shapes.vertices[:-1], axis=0) + reach
    sides = BoxSides(shapes, world, shapes.near.pairs(meet))
    vertex = np.arange(len(world))[:, None]
    v, f, at = sides.near(shapes.vertices, vertex, shapes.faces, shapes.corners, reach)
    g, e, to = sides.near(shapes.faces, shapes.corners, shapes.vertices, vertex, reach)
    order = np.argsort(np.concatenate([at, to]), kind="stable")
    v, f = np.concatenate([v, e])[order], np.concatenate([f, g])[order]
    e, g, _ = sides.near(shapes.edges, shapes.ends, shapes.edges, shapes.ends, reach)
    corner, end = world[shapes.corners[f]], world[shapes.ends]
    on_face = _foot_on_face(world[v], corner, q, shapes, f)
    s, t = _closest_on_edges(end[e], end[g])
    a = np.concatenate([shapes.body_of_vertex[v], shapes.body_of_edge[e]])
    b = np.concatenate([shapes.body_of_face[f], shapes.body_of_edge[g]])
    own = shapes.points
    x = np.concatenate([own[v], blend(own[shapes.ends[e]], s)])
    y = np.concatenate([on_face, blend(own[shapes.ends[g]], t)])
    r = moved(q[a], x) - moved(q[b], y)
    close = dot(r, r) < reach * reach
    ones = np.ones((len(x), 1))
    x, y = np.concatenate([x, ones], axis=1), np.concatenate([y, ones], axis=1)
    edges = np.stack([e, g])[:, close[len(v) :]]
    return ContactSet(a[close], b[close], x[close], y[close], r[close], edges)


class BoxSides:
    """Pairs of bodies, P of them, and on which sides of each other's boxes they are.

    Bits of ``out`` say of every vertex of both bodies of a pair beyond which of the six
    sides of the other's box it is: a feature whose vertices share one is not near.
    """

    def __init__(self, shapes: BodyTables, world: Array, pairs: Ids) -> None:
        self._world = world
        self._bodies = pairs.T.ravel()  # A of each pair, then B of each
        counts = np.diff(shapes.vertices)[self._bodies]
        side, at = spread(counts)
        at += shapes.vertices[self._bodies][side]
        other = np.roll(self._bodies, len(pairs))[side]
        low, high, _ = shapes.near.boxes
        self._out = np.zeros(len(at), np.uint8)
        for k in range(3):
            x = world[at, k]
            self._out |= (x < low[other, k]).view(np.uint8) << k
            self._out |= (x > high[other, k]).view(np.uint8) << (k + 3)
        # from the number of a vertex to its bits
        self._shift = np.cumsum(counts) - counts - shapes.vertices[self._bodies]

    def near(
        self, one: Ids, its: Ids, other: Ids, their: Ids, reach: float
    ) -> tuple[Ids, Ids, Ids]:
        """Return features of two kinds whose boxes are near, and the pair of each.

        Parameters: ``one``, ``other`` (B + 1,): where those of each body begin;
        ``its``, ``their`` (N, K): their vertices.
        """
        half = len(self._bodies) // 2
        a, counts = self._kept(one, its, slice(half))
        b, widths = self._kept(other, their, slice(half, None))
        pair, at = spread(counts * widths)
        width = widths[pair]
        i = (np.cumsum(counts) - counts)[pair] + at // width
        j = (np.cumsum(widths) - widths)[pair] + at % width
        (low, high), (least, most) = self._box(its[a]), self._box(their[b])
        meet = (low[:, i] <= most[:, j] + reach) & (high[:, i] >= least[:, j] - reach)
        meet = meet[0] & meet[1] & meet[2]
        return a[i[meet]], b[j[meet]], pair[meet]

    def _kept(self, start: Ids, vertices: Ids, half: slice) -> tuple[Ids, Ids]:
        """Return features of one body of each pair near the other, and how many."""
        body, shift = self._bodies[half], self._shift[half]
        pair, found = spread(start[body + 1] - start[body])
        found += start[body][pair]
        beyond = np.full(len(found), 255, np.uint8)
        for column in vertices.T:
            beyond &= self._out[column[found] + shift[pair]]
        keep = beyond == 0
        return found[keep], np.bincount(pair[keep], minlength=len(body))

    def _box(self, vertices: Ids) -> tuple[Array, Array]:
        """Return the least and the greatest coordinates of features, (3, N)."""
        places = [self._world[column].T for column in vertices.T]
        return np.minimum.reduce(places), np.maximum.reduce(places)


def spread(counts: Ids) -> tuple[Ids, Ids]:
    """Return for each of so many members of groups its group, and its place there."""
    group = np.repeat(np.arange(len(counts)), counts)
    return group, np.arange(len(group)) - (np.cumsum(counts) - counts)[group]


def blend(ends: Array, t: Array) -> Array:
    """Return points between ends, (N, 2, 3)."""
    t = t[:, None]
    return (1.0 - t) * ends[:, 0] + t * ends[:, 1]


def _foot_on_face(
    p: Array, corners: Array, q: Array, shapes: BodyTables, f: Ids
) -> Array:
    """Return the points of faces nearest to points, body frame, (N, 3).

    ``corners`` (N, K, 3) and p (N, 3) in the world.
    """
    rows, body = np.arange(len(p)), shapes.body_of_face[f]
    x = q[:, :, :3].transpose(0, 2, 1)
    cofactor = cross(x[:, [1, 2, 0]], x[:, [2, 0, 1]])[body]  # transposed
    n = dot(cofactor.transpose(0, 2, 1), shapes.normals[f][:, None])
    ways = np.roll(corners, -1, axis=1) - corners
    to = p[:, None] - corners
    inside = dot(cross(n[:, None], ways), to).min(axis=1) >= 0.0
    share = ratio(dot(to, ways), dot(ways, ways))
    left = to - share[:, :, None] * ways
    at = dot(left, left).argmin(axis=1)
    own = shapes.points[shapes.corners[f]]
    ends = [own[rows, k] for k in (at, (at + 1) % corners.shape[1])]
    rim = blend(np.stack(ends, axis=1), share[rows, at])
    # within the face: back to the body by the inverse map, cofactor' / determinant
    height = dot(to[:, 0], n) / dot(n, n)
    foot = to[:, 0] - height[:, None] * n
    determinant = dot(cofactor[:, 0], x[body, 0])
    flat = own[:, 0] + dot(cofactor, foot[:, None]) / determinant[:, None]
    return np.where(inside[:, None], flat, rim)


def _closest_on_edges(one: Array, other: Array) -> tuple[Array, Array]:
    """Return where two segments, (N, 2, 3) each, are nearest, in [0, 1] (Ericson)."""
    u, w, r = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0], one[:, 0] - other[:, 0]
    a, b, e, c, f = dot(u, u), dot(u, w), dot(w, w), dot(u, r), dot(w, r)
    det = a * e - b * b
    s = np.where(det > 1e-14 * a * e, ratio(b * f - c * e, det), 0.0)
    t = (b * s + f) / e
    s = np.where(t < 0.0, ratio(-c, a), np.where(t > 1.0, ratio(b - c, a), s))
    return s, np.minimum(np.maximum(t, 0.0), 1.0)


class Pull(NamedTuple):
    """Forces and stiffness between points of bodies, N of them.

    Of an energy of the two points: its gradients by them, (N, 3), and the positive
    parts of its second derivatives, (N, 3, 3).
    """

    a: Ids
    b: Ids
    x: Array  # (N, 4)
    y: Array
    at_a: Array
    at_b: Array
    aa: Array
    ab: Array
    bb: Array


def barrier(distance: Array, reach: float) -> tuple[Array, Array, Array]:
    """Return (1 - s)^3 / s, s = distance / reach, and two derivatives by the distance.

    0 at the reach and beyond, with two derivatives; infinite at 0.  Rational, so its
    bits are the same everywhere, unlike the logarithm of Li et al. 2020.
    """
    s = distance / reach
    left = 1.0 - s
    square = left * left
    value = square * left / s
    slope = -square * (1.0 + 2.0 * s) / (s * s * reach)
    curve = (2.0 / (s * s * s) - 2.0) / (reach * reach)
    return value, slope, curve


def mollifier(c: Array, scale: Array) -> tuple[Array, Array]:
    """Return 1 from ``scale`` on and 0 at 0, smooth, and its derivative."""
    part = np.minimum(c / scale, 1.0)
    return part * (2.0 - part), 2.0 * (1.0 - part) / scale


def outer(a: Array, b: Array) -> Array:
    """Return the products a_i b_j, (N, 3, 3)."""
    return a[:, :, None] * b[:, None, :]


def scaled(k: Array, m: Array) -> Array:
    """Multiply each matrix or vector by its number."""
    return k.reshape(-1, *(1,) * (m.ndim - 1)) * m


def repel(
    shapes: BodyTables, q: Array, contacts: ContactSet, reach: float, stiffness: Array
) -> tuple[list[Pull], Array]:
    """Return what keeps contacts apart, with the force of each.

    ``stiffness`` (B,): of two bodies the lesser counts.
    """
    c, d = contacts, contacts.distance
    value, slope, curve = barrier(d, reach)
    k = np.minimum(stiffness[c.a], stiffness[c.b])
    weight = np.ones(len(d))
    e, g = c.edges
    first = len(d) - len(e)
    pulls = []
    if len(e):
        a, b, none = c.a[first:], c.b[first:], np.zeros((len(e), 1))
        ends = (shapes.points[shapes.ends[k]] for k in (e, g))
        own = [np.concatenate([x[:, 1] - x[:, 0], none], axis=1) for x in ends]
        u, w = applied(q[a], own[0]), applied(q[b], own[1])
        scale = PARALLEL * dot(own[0], own[0]) * dot(own[1], own[1])
        uu, ww, uw = dot(u, u), dot(w, w), dot(u, w)
        square = cross(u, w)
        weight[first:], rise = mollifier(dot(square, square), scale)
        force = 2.0 * k[first:] * value[first:] * rise
        one = np.eye(3)
        parts = (
            *(scaled(ww, u) - scaled(uw, w), scaled(uu, w) - scaled(uw, u)),
            ww[:, None, None] * one - outer(w, w),
            outer(u, w) - uw[:, None, None] * one,
            uu[:, None, None] * one - outer(u, u),
        )
        grown = (scaled(force, part) for part in parts)
        pulls.append(Pull(a, b, *own, *grown))
    n = c.r / d[:, None]
    push = k * weight * slope
    stiff = scaled(k * weight * curve, outer(n, n))
    at = scaled(push, n)
    pulls.append(Pull(c.a, c.b, c.x, c.y, at, -at, stiff, -stiff, stiff))
    return pulls, -push


class Grip(NamedTuple):
    """Friction of contacts as they were: where they were, their normals and loads."""

    contacts: ContactSet
    normal: Array
    load: Array  # (C,) friction coefficient times force

    def resist(self, q: Array, before: Array, slip: float) -> Pull:
        """Return what resists sliding since ``before``; all of it from ``slip`` on."""
        c, n = self.contacts, self.normal
        step = q - before
        way = applied(step[c.a], c.x) - applied(step[c.b], c.y)
        u = way - scaled(dot(way, n), n)
        length = np.sqrt(dot(u, u))
        part = np.minimum(length / slip, 1.0)
        over = np.where(part < 1.0, (2.0 - part) / slip, 1.0 / np.maximum(length, slip))
        along = np.where(part < 1.0, 2.0 * (1.0 - part) / slip, 0.0)
        unit = scaled(1.0 / np.maximum(length, 1e-300), u)
        flat = np.eye(3) - outer(n, n)
        stiff = scaled(self.load * over, flat)
        stiff = stiff + scaled(self.load * (along - over), outer(unit, unit))
        at = scaled(self.load * over, u)
        return Pull(c.a, c.b, c.x, c.y, at, -at, stiff, -stiff, stiff)
