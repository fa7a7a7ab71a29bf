"""Follow the closest features of two convex bodies from change to change, exactly.

A kinetic certificate (Basch, Guibas and Hershberger 1997): a pair of features is the
closest for as long as its conditions are positive.  Their first root is the change;
the condition that ended there leads to the next pair.
"""

from __future__ import annotations

from typing import NamedTuple

from sim.between.conditions import (
    GRID,
    MEETING,
    Along,
    Conditions,
    Couple,
    E,
    F,
    V,
    value_at,
)
from wingedge.features import Feature
from wingedge.graph import corners_of
from wingedge.polynomials import Polynomial, roots

STEPS = 100  # from a guess to the closest features
LONGEST = 10_000  # stretches of a way
Cell = tuple[int, int]  # that hold a root, in units of 2^-GRID


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
