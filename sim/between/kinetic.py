"""Follow the closest features of two convex bodies from change to change, exactly.

Of two convex bodies a pair of features is the closest where it is so among its
neighbours (Lin and Canny 1991; V-Clip, Mirtich 1998): each closest point lies inside
its feature, and along the way from one to the other nothing beside either feature is
nearer.  Where vertices go straight each of these is a polynomial that is positive.

A kinetic certificate (Basch, Guibas and Hershberger 1997): the pair is the closest for
as long as its conditions are positive.  Their first root is the change; the condition
that ended there leads to the next pair.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

from sim.between.solids import (
    GRID,
    WHOLE,
    E,
    F,
    MovingMesh,
    V,
    add,
    cross,
    dot,
    subtract,
    way,
)
from wingedge.features import Feature
from wingedge.graph import corners_of
from wingedge.polynomials import Polynomial, roots

Couple = tuple[Feature, Feature]
Way = tuple[Polynomial, Polynomial, Polynomial]
STEPS = 100  # from a guess to the closest features
LONGEST = 10_000  # stretches of a way
Cell = tuple[int, int]  # that hold a root, in units of 2^-GRID


class Condition(NamedTuple):
    """What is positive while a pair of features is the closest one."""

    height: Polynomial
    leads: Any  # to which pair where it is negative: of features, or see ``along``


class Along(NamedTuple):
    """A pair of features that is found by following an edge over a face."""

    side: int  # whose edge it is: 0 of A, 1 of B
    edge: Feature
    face: Feature  # of the other body
    start: Feature  # from where: a vertex of the edge, or the edge that it crosses


MEETING = "meeting"  # leads nowhere: the bodies touch


class Conditions:
    """The conditions of all pairs of features of two bodies on their way.

    A pair that is listed with the lower kind first is of P and Q, else of Q and P.
    """

    def __init__(self, a: MovingMesh, b: MovingMesh) -> None:
        self.solids = a, b
        self._known: dict[Any, list[Condition]] = {}

    def of(self, couple: Couple, time: int) -> list[Condition]:
        """Return the conditions of a pair; the time says how crossing edges look."""
        kinds = (couple[0].kind, couple[1].kind)
        if kinds == (E, E):
            return self._crossing(couple, time)
        if couple not in self._known:
            turned = kinds in ((E, V), (F, V))
            p, q = reversed(couple) if turned else couple
            one, other = reversed(self.solids) if turned else self.solids
            by_kind = {V: self._vertices, E: self._on_edge, F: self._over_face}
            self._known[couple] = [
                Condition(height, lead if lead == MEETING or not turned else flip(lead))
                for height, lead in by_kind[q.kind](one, p, other, q)
            ]
        return self._known[couple]

    def _vertices(
        self, one: MovingMesh, p: Feature, other: MovingMesh, q: Feature
    ) -> Iterator[tuple[Polynomial, Any]]:
        a, b = p.index, q.index
        w = way(one, a, other, b)
        for x in one.ring(a):
            yield dot(w, way(one, x, one, a)), (one.edge(a, x), q)
        for y in other.ring(b):
            yield dot(w, way(other, b, other, y)), (p, other.edge(b, y))

    def _on_edge(
        self, one: MovingMesh, p: Feature, other: MovingMesh, q: Feature
    ) -> Iterator[tuple[Polynomial, Any]]:
        a = p.index
        tail, tip = other.mesh.edge_vertices[q.index].tolist()
        e: Any = way(other, tail, other, tip)
        reach = dot(way(other, tail, one, a), e)
        yield reach, (p, Feature(V, tail))
        yield dot(way(one, a, other, tip), e), (p, Feature(V, tip))
        square = dot(e, e)
        away: Any = way(one, a, other, tail)
        w: Any = [square * away[k] + reach * e[k] for k in range(3)]
        for x in one.ring(a):
            yield dot(w, way(one, x, one, a)), (one.edge(a, x), q)
        for f, y in other.flanks(q.index):
            yield dot(w, way(other, tail, other, y)), (p, Feature(F, f))

    def _over_face(
        self, one: MovingMesh, p: Feature, other: MovingMesh, q: Feature
    ) -> Iterator[tuple[Polynomial, Any]]:
        a = p.index
        corners = other.mesh.face_vertices(q.index).tolist()
        n: Any = self.normal(other, corners)
        yield dot(n, way(other, corners[0], one, a)), MEETING
        for k, v in enumerate(corners):
            u = corners[k - 1]
            inward = cross(n, way(other, u, other, v))
            yield dot(inward, way(other, u, one, a)), (p, other.edge(u, v))
        for x in one.ring(a):
            yield (
                dot(n, way(one, a, one, x)),
                Along(self.solids.index(one), one.edge(a, x), q, p),
            )

    @staticmethod
    def normal(body: MovingMesh, corners: list[int]) -> Way:
        """Add up the areas of the fan of a face; outward."""
        first, *rest = (way(body, corners[0], body, v) for v in corners[1:])
        areas = []
        for second in rest:
            areas.append(cross(first, second))
            first = second
        x, y, z = (reduce(operator.add, parts) for parts in zip(*areas, strict=True))
        return x, y, z

    def followed(self, along: Along, time: int) -> Couple | None:
        """Follow an edge down over a face, at a time: to its end, or out of the face.

        None where it is level.
        """
        one, other = self.solids[along.side], self.solids[1 - along.side]
        tail, tip = one.mesh.edge_vertices[along.edge.index].tolist()
        corners = other.mesh.face_vertices(along.face.index).tolist()
        places = [other.at(v, time) for v in corners]
        n: Any = (0, 0, 0)
        for p, q in pairwise(subtract(place, places[0]) for place in places[1:]):
            n = add(n, cross(p, q))
        fall = dot(n, subtract(one.at(tip, time), one.at(tail, time)))
        if fall == 0:
            return None
        if fall > 0:
            tail, tip = tip, tail
        start, end = one.at(tail, time), one.at(tip, time)
        if along.start.kind == E:
            c, d = (
                other.at(v, time) for v in other.mesh.edge_vertices[along.start.index]
            )
            way, across = subtract(end, start), subtract(d, c)
            normal = cross(way, across)
            part = dot(cross(subtract(c, start), across), normal)
            share = Fraction(part, dot(normal, normal))
            start = tuple(x + share * w for x, w in zip(start, way, strict=True))
        out, leaves = None, 1
        for k, v in enumerate(corners):
            edge = other.edge(corners[k - 1], v)
            inward = cross(n, subtract(places[k], places[k - 1]))
            here = dot(inward, subtract(start, places[k]))
            there = dot(inward, subtract(end, places[k]))
            if there < 0 and edge != along.start:
                when = Fraction(max(here, 0)) / (max(here, 0) - there)
                if when < leaves:
                    out, leaves = edge, when
        found = (Feature(V, tip), along.face) if out is None else (along.edge, out)
        return found if along.side == 0 else (found[1], found[0])

    def _crossing(self, couple: Couple, time: int) -> list[Condition]:
        one, other = self.solids
        (a0, a1), (b0, b1) = (
            body.mesh.edge_vertices[edge.index].tolist()
            for body, edge in zip(self.solids, couple, strict=True)
        )
        d, e = way(one, a0, one, a1), way(other, b0, other, b1)
        n = cross(d, e)
        apart = dot(n, way(one, a0, other, b0))
        if value_at(apart, time) < 0:  # the other way round: from A to B
            d = way(one, a1, one, a0)
            a0, a1 = a1, a0
            n = cross(d, e)
        key = (couple[0], couple[1], a0)
        if key in self._known:
            return self._known[key]
        p, q = couple
        rows: list[tuple[Any, Any]] = [(dot(n, way(one, a0, other, b0)), MEETING)]
        # where the lines are nearest: r = b0 - a0 is alpha d + gamma n - beta e
        for base, tip, sign in ((a0, a0, 1), (a1, a1, -1)):
            r = way(one, base, other, b0)
            long = cross(r, e) if sign > 0 else cross(e, r)
            rows.append((dot(long, n), (Feature(V, tip), q)))
        for base, sign in ((b0, 1), (b1, -1)):
            r = way(one, a0, other, base)
            long = cross(r, d) if sign > 0 else cross(d, r)
            rows.append((dot(long, n), (p, Feature(V, base))))
        for f, y in one.flanks(p.index):
            rows.append((dot(n, way(one, y, one, a0)), Along(1, q, Feature(F, f), p)))
        for f, y in other.flanks(q.index):
            rows.append(
                (dot(n, way(other, b0, other, y)), Along(0, p, Feature(F, f), q))
            )
        self._known[key] = [Condition(*row) for row in rows]
        return self._known[key]


def flip(lead: Any) -> Any:
    """Exchange the features of a pair."""
    return lead if isinstance(lead, Along) else (lead[1], lead[0])


def value_at(height: Polynomial, time: int) -> int:
    """Return a polynomial at a time, in some unit; its sign is right."""
    value: int = height.at(time, WHOLE - time)
    return value


class Stretch(NamedTuple):
    """From when on a pair of features is the closest, in units of 2^-GRID."""

    since: Cell
    couple: Couple


class Course(NamedTuple):
    """The closest features of a while, one after the other."""

    stretches: list[Stretch]
    end: int  # until when they are known
    reason: str  # why not for longer, or what is not proven


def cells_of(height: Polynomial) -> list[Cell]:
    """Isolate the roots of a polynomial between 0 and 1, in cells of 2^-GRID."""
    found = []
    for root in roots(height):
        while root.of is not None and root.level < GRID:
            root.narrow()
        finer = root.level - GRID
        low = root.m >> finer if finer > 0 else root.m << -finer
        on_grid = root.of is None and (finer <= 0 or low << finer == root.m)
        found.append((low, low if on_grid else low + 1))
    return found


class Kinetic:
    """Ask which features are the closest, and until when.

    ``updates``: how often the conditions of a pair were looked at.
    """

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions
        self._cells: dict[int, list[Cell]] = {}
        self.updates = 0

    def settled(self, couple: Couple, time: int) -> Couple | None:
        """Walk from a pair to the closest at a time; None where none surely is."""
        seen: set[Couple] = set()
        for _ in range(STEPS):
            self.updates += 1
            seen.add(couple)
            ends = self._conditions.of(couple, time)
            signs = [value_at(one.height, time) for one in ends]
            if min(signs) > 0:
                return couple
            leads = [one.leads for one, s in zip(ends, signs, strict=True) if s < 0]
            for lead in leads:
                to = lead
                if isinstance(lead, Along):
                    to = self._conditions.followed(lead, time)
                if to is not None and to != MEETING and to not in seen:
                    couple = to
                    break
            else:
                return None
        return None

    def start(self, a: Feature, b: Feature, time: int) -> Couple | None:
        """Find the closest features at a time from those that an answer names."""
        solids = self._conditions.solids
        if {a.kind, b.kind} in ({E, F}, {F}):
            a = Feature(V, corners_of(solids[0].mesh, a)[0])
        return self.settled((a, b), time)

    def follow(self, couple: Couple, since: int, until: int) -> Course:
        """Follow the closest features from a time, at which they are, to another."""
        stretches = [Stretch((since, since), couple)]
        time, reason = since, ""
        while len(stretches) < LONGEST:
            ending = self._ending(couple, time, time)
            low, high = min(ending, default=(until, until))
            after = max(low + 1, high)
            if after > until:
                return Course(stretches, until, reason)
            ends = sum(cell[0] < after for cell in ending)
            new = self.settled(couple, after)
            if new is None:
                return Course(stretches, low, "several features are as near")
            if new != couple:
                begins = self._ending(new, low - 1, after)
                if ends != 1 or sum(low <= cell[0] < after for cell in begins) != 1:
                    reason = "several features changed at once"
                stretches.append(Stretch((low, high), new))
            couple, time = new, after
        return Course(stretches, time, "too many changes")

    def _ending(self, couple: Couple, time: int, as_at: int) -> list[Cell]:
        """List the first roots after a time of the conditions of a pair at another."""
        found = []
        for one in self._conditions.of(couple, as_at):
            key = id(one.height)
            if key not in self._cells:
                self._cells[key] = cells_of(one.height)
            first = next((c for c in self._cells[key] if c[1] > time), None)
            if first is not None:
                found.append(first)
        return found
