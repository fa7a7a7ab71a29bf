"""All pairs of features within a distance, and the energy that keeps them apart.

Every vertex and face, and every two edges, of two bodies that are nearer than
``reach``.  A body moves by an affine map, so the closest points of a pair are fixed
to their bodies to first order: a contact is two such points, and the energy depends on
their distance.
"""

from typing import Any, NamedTuple

import numpy as np

from sim.laws.shapes import Array, BodyTables, Ids, Meet, applied, cross, dot, spread
from wingedge.columns import quotient
from wingedge.primitives import segment_segment

TOGETHER = 1, 6  # sums of kinds of features that make contacts
PARALLEL = 1e-3  # squared sine of an angle; edges within it count less (Li et al. 2020)
ROOM = 0.1  # of a size: features farther than this are looked for when they are nearer
LEVEL, BISECTIONS = 0.1, 24  # of a slope: where so much is left, enough is known


class ContactSet(NamedTuple):
    """Pairs of closest points, C of them; those of one pair of bodies together."""

    a: Ids  # (C,) bodies
    b: Ids
    x: Array  # (C, 4) point of A, body frame, and 1
    y: Array
    r: Array  # (C, 3) from the point of B to that of A, world
    distance: Array  # (C,)
    edges: Ids  # (2, C') edges of the last C' contacts


class Forces(NamedTuple):
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


def joined(*forces: Forces) -> Forces:
    """Return several lists of forces as one."""
    return Forces(*map(np.concatenate, zip(*forces, strict=True)))


class Repulsion:
    """Find the contacts of bodies that may ``meet``, and what keeps these apart.

    Features that may come near are known until a vertex leaves the room left for it.

    Parameters: ``stiffness`` (B,): of two bodies the lesser counts.
    """

    def __init__(
        self, shapes: BodyTables, meet: Meet, reach: float, stiffness: Array
    ) -> None:
        self._shapes, self._meet, self._reach = shapes, meet, reach
        self._stiffness = stiffness
        self.begin(np.zeros(len(shapes.size)), b"")

    def begin(self, far: Array, asked: bytes) -> None:
        """Leave room for the vertices of each body to go as ``far``, (B,).

        Parameters: ``asked``: what says which bodies meet.
        """
        self._asked = asked
        self._known: tuple[bytes, Any] | None = None  # as where a run is taken up
        room = np.minimum(far, ROOM * self._shapes.size) + self._reach
        self._room = room[self._shapes.owner][:, None]
        self._world = np.full(self._shapes.points.shape, np.nan)

    def at(self, q: Array) -> tuple[ContactSet, Forces, Array]:
        """Return contacts at maps, what keeps them apart, and their forces.

        Those of the last maps are kept.
        """
        asked = self._asked + q.tobytes()
        if self._known is None or self._known[0] != asked:
            world = self._shapes.placed(q)
            if not (np.abs(world - self._world) <= self._room).all():
                self._look(world)
            contacts = self._near(q, world)
            said = repel(self._shapes, q, contacts, self._reach, self._stiffness)
            self._known = asked, (contacts, *said)
        return self._known[1]

    def share(self, step: Array, slopes: Array, p: Forces) -> Array:
        """Return which part of its step leads a body down, at most 1, (B, 1, 1).

        Of one that ``p`` does not pull yet, and that comes at even speed to what stands
        still.  ``slopes`` (B, 3, 4): gradient of the energy times ``step``.
        """
        (a, b, x, y), r, far = self._ahead
        rate = dot(r, applied(step[a], x) - applied(step[b], y)) / far
        # what is farther than the room is not seen, so a longer way is not judged
        near = (far + rate < self._reach) & (abs(rate) < ROOM * self._shapes.size.min())
        a, b, far, rate, count = a[near], b[near], far[near], rate[near], len(step)
        push = np.minimum(self._stiffness[a], self._stiffness[b]) * rate
        goes = (step * step).sum(axis=(1, 2)) > 0.0
        body, both = np.where(goes[a], a, b), goes[a] & goes[b]
        fall = np.bincount(np.repeat(np.arange(count), 12), slopes.ravel(), count)
        fall[np.concatenate([p.a, p.b, a[both], b[both]])] = 0.0
        (low, high), share = np.zeros((2, count)), np.ones(count)
        for _ in range(BISECTIONS):
            then = np.clip(far + share[body] * rate, 1e-3 * far, self._reach)
            met = np.bincount(body, push * barrier(then, self._reach)[1], count)
            rise = fall * (1.0 - share) + met
            off = np.where(share < 1.0, abs(rise) + LEVEL * fall, rise + 0.5 * fall) > 0
            if not (off := off & (fall < 0.0)).any():
                break
            low, high = np.where(rise > 0.0, (low, share), (share, high))
            share = np.where(off, 0.5 * (low + high), share)
        return share[:, None, None]

    def _look(self, world: Array) -> None:
        """Find the features whose boxes meet, with the room that they have."""
        shapes, self._world = self._shapes, world
        pad = self._room + 0.5 * self._reach
        low, high = world - pad, world + pad
        pairs = shapes.pairs(low, high, self._meet)
        body, other = pairs.T.ravel(), pairs[:, ::-1].T.ravel()  # A of each, then B
        side, feature = spread(np.diff(shapes.features)[body])
        feature += shapes.features[body][side]
        columns = [column[feature] for column in shapes.members.T]
        low = np.minimum.reduce([low[column] for column in columns])
        high = np.maximum.reduce([high[column] for column in columns])
        near = (low <= shapes.boxes.high[other][side]).all(axis=1)
        near &= (high >= shapes.boxes.low[other][side]).all(axis=1)
        feature, low, high = feature[near], low[near], high[near]
        counts = np.bincount(side[near], minlength=len(body))
        (i, j), (a, b) = np.reshape([np.cumsum(counts) - counts, counts], (2, 2, -1))
        pair, at = spread(a * b)
        i, j = i[pair] + at // b[pair], j[pair] + at % b[pair]
        kinds = shapes.kind[feature[i]] + shapes.kind[feature[j]]
        near = np.isin(kinds, TOGETHER)
        i, j, kinds = i[near], j[near], kinds[near]
        near = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
        ends, kinds = feature[np.stack([i[near], j[near]])], kinds[near]
        turned = shapes.kind[ends[0]] > shapes.kind[ends[1]]
        ends = np.where(turned, ends[::-1], ends)  # vertices first
        self._features = [ends[:, kinds == k] for k in TOGETHER]

    def _near(self, q: Array, world: Array) -> ContactSet:
        """Return the pairs of features that are nearer than the reach."""
        shapes, own = self._shapes, self._shapes.points
        (v, f), (e, g) = self._features
        vertex, corners = shapes.members[v, 0], shapes.members[f]
        ends = shapes.members[e, :2], shapes.members[g, :2]
        corner = (world[end[:, k]] for end in ends for k in (0, 1))
        _, _, s, t, _ = segment_segment.closest(*corner)
        x = np.concatenate([own[vertex], blend(own[ends[0]], s)])
        on_face = _foot_on_face(world[vertex], world[corners], q, shapes, f)
        y = np.concatenate([on_face, blend(own[ends[1]], t)])
        a, b = (shapes.body[np.concatenate(two)] for two in ((v, e), (f, g)))
        x, y = (np.append(p, np.ones((len(p), 1)), axis=1) for p in (x, y))
        r = applied(q[a], x) - applied(q[b], y)
        far = np.sqrt(dot(r, r))
        self._ahead = (a, b, x, y), r, far
        close = far < self._reach
        edges = np.stack([e, g])[:, close[len(v) :]]
        a, b, x, y = a[close], b[close], x[close], y[close]
        return ContactSet(a, b, x, y, r[close], far[close], edges)


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
    rows, body = np.arange(len(p)), shapes.body[f]
    x = q[:, :, :3].transpose(0, 2, 1)
    cofactor = cross(x[:, [1, 2, 0]], x[:, [2, 0, 1]])[body]  # transposed
    n = dot(cofactor.transpose(0, 2, 1), shapes.normals[f][:, None])
    ways = np.roll(corners, -1, axis=1) - corners
    to = p[:, None] - corners
    inside = dot(cross(n[:, None], ways), to).min(axis=1) >= 0.0
    share = np.clip(quotient(dot(to, ways), dot(ways, ways)), 0.0, 1.0)
    left = to - share[:, :, None] * ways
    at = dot(left, left).argmin(axis=1)
    own = shapes.points[shapes.members[f]]
    ends = [own[rows, k] for k in (at, (at + 1) % corners.shape[1])]
    rim = blend(np.stack(ends, axis=1), share[rows, at])
    # within the face: back to the body by the inverse map, cofactor' / determinant
    height = dot(to[:, 0], n) / dot(n, n)
    foot = to[:, 0] - height[:, None] * n
    determinant = dot(cofactor[:, 0], x[body, 0])
    flat = own[:, 0] + dot(cofactor, foot[:, None]) / determinant[:, None]
    return np.where(inside[:, None], flat, rim)


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
) -> tuple[Forces, Array]:
    """Return what keeps contacts apart, with the force of each; ``stiffness`` (B,)."""
    c, d = contacts, contacts.distance
    value, slope, curve = barrier(d, reach)
    k = np.minimum(stiffness[c.a], stiffness[c.b])
    weight = np.ones(len(d))
    e, g = c.edges
    first = len(d) - len(e)
    forces = []
    if len(e):
        a, b, none = c.a[first:], c.b[first:], np.zeros((len(e), 1))
        ends = (shapes.points[shapes.members[k, :2]] for k in (e, g))
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
        forces.append(Forces(a, b, *own, *grown))
    n = c.r / d[:, None]
    push = k * weight * slope
    stiff = scaled(k * weight * curve, outer(n, n))
    at = scaled(push, n)
    forces.append(Forces(c.a, c.b, c.x, c.y, at, -at, stiff, -stiff, stiff))
    return joined(*forces), -push


def resist(c: ContactSet, load: Array, step: Array, slip: float) -> Forces:
    """Return what resists a step of maps where contacts were; all from ``slip`` on.

    Parameters: ``load`` (C,): friction coefficient times force.
    """
    n = c.r / c.distance[:, None]
    way = applied(step[c.a], c.x) - applied(step[c.b], c.y)
    u = way - scaled(dot(way, n), n)
    length = np.sqrt(dot(u, u))
    part = np.minimum(length / slip, 1.0)
    over = np.where(part < 1.0, (2.0 - part) / slip, 1.0 / np.maximum(length, slip))
    along = np.where(part < 1.0, 2.0 * (1.0 - part) / slip, 0.0)
    unit = scaled(1.0 / np.maximum(length, 1e-300), u)
    stiff = scaled(load * over, np.eye(3) - outer(n, n))
    stiff = stiff + scaled(load * (along - over), outer(unit, unit))
    at = scaled(load * over, u)
    return Forces(c.a, c.b, c.x, c.y, at, -at, stiff, -stiff, stiff)
