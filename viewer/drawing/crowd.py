"""Choose what is told of a frame of many pairs, and what is only hinted at."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, PairState
from sim.frame import BodySnapshot
from wingedge.tables import Floats

FULL = 8  # pairs that are drawn with all that belongs to them: more are a heap

Mask = NDArray[np.bool_]
Names = tuple[str, ...]  # what is looked at: a body, two bodies of a pair, or nothing


class Hint(NamedTuple):
    """A pair of which only the line between its closest points is drawn."""

    bodies: tuple[str, str]
    regime: str
    witness: Floats  # (2, 3) closest points, A's first
    normal: Floats  # (3,) unit, from A to B


class DrawnPairs(NamedTuple):
    """The pairs of a frame that are drawn, the most telling first."""

    states: tuple[PairState, ...]  # told in full
    hints: tuple[Hint, ...] = ()


class Movers:
    """Remember which bodies were ever seen to move: others are scenery."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._last: dict[str, BodySnapshot] = {}

    def see(self, bodies: Iterable[BodySnapshot]) -> None:
        """Compare the bodies of a frame with those that were seen last."""
        last, self._last = self._last, {body.name: body for body in bodies}
        for name, now in self._last.items():
            then = last.get(name, now)
            if name in self.names or then is now:
                continue
            same = now.points is then.points
            same = same or np.array_equal(now.points, then.points)
            if not same or now.pose != then.pose:
                self.names.add(name)


def names_of(frame: Frame) -> Names:
    """Return the names of all bodies, in their order; no snapshot is made for that."""
    places = getattr(frame.bodies, "places", None)
    return tuple(body.name for body in frame.bodies) if places is None else (*places,)


def chosen_pairs(
    frame: Frame,
    looked_at: Names = (),
    movers: Collection[str] = (),
    most: int | None = FULL,
) -> DrawnPairs:
    """Choose the pairs worth drawing, O(P log P).

    Every pair that is not separated, and for every body its nearest partner. Those of
    what is looked at come first, and alone are told in full; then those in which
    something moves, then scenery; each by distance.
    """
    pairs, names = frame.pairs, names_of(frame)
    if not len(pairs):
        return DrawnPairs(())
    own, still = np.zeros((2, len(pairs)), bool)
    if looked_at:
        own = pairs_of(frame, looked_at)
    if movers:
        still = ~pairs_with(frame, movers)
    order = np.lexsort((pairs.distance, still))
    meets, mine, others = pairs.meets, order[own[order]], order[~own[order]]
    # of what is looked at the nearest partner is drawn, of all others theirs
    mine = mine[(np.arange(len(mine)) == 0) | meets[mine]]
    bodies, first = np.unique(pairs.ends[others], return_index=True)
    new = np.zeros(len(others), bool)
    served = np.zeros(len(names), bool)
    served[pairs.ends[mine]] = True
    new[first[~served[bodies]] // 2] = True
    drawn = np.concatenate([mine, others[new | meets[others]]])
    full = len(mine) if looked_at else len(drawn)
    full = full if most is None else min(full, most)
    rest = drawn[full:]
    hints = zip(
        [(names[i], names[j]) for i, j in pairs.ends[rest].tolist()],
        pairs.regime[rest].tolist(),
        np.stack([pairs.point_a[rest], pairs.point_b[rest]], axis=1),
        pairs.normal[rest],
        strict=True,
    )
    states = tuple(pairs[row] for row in drawn[:full].tolist())
    return DrawnPairs(states, tuple(map(Hint._make, hints)))


def concerns(event: Event, looked_at: Names) -> bool:
    """Tell whether an event is one of the body, or of the pair, that is looked at."""
    if len(looked_at) == 2 and not event.b:
        return event.a in looked_at
    return {event.a, event.b}.issuperset(looked_at)


def tour(
    frame: Frame, name: str | None, movers: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Name the pairs to look at one after the other: those drawn, or all of a body."""
    if name is None:
        states = chosen_pairs(frame, (), movers, most=None).states
    else:
        rows = np.flatnonzero(pairs_with(frame, (name,))).tolist()
        own = (frame.pairs[row] for row in rows)
        states = tuple(sorted(own, key=lambda state: state.distance))
    return [(state.a.name, state.b.name) for state in states]


def pairs_of(frame: Frame, looked_at: Names) -> Mask:
    """Say which pairs a body has, or which one is that of two bodies, (P,)."""
    return np.asarray(_hits(frame, looked_at).sum(axis=1) == len(looked_at))


def pairs_with(frame: Frame, names: Collection[str]) -> Mask:
    """Say which pairs have one of these bodies at least, (P,)."""
    return np.asarray(_hits(frame, names).any(axis=1))


def _hits(frame: Frame, names: Collection[str]) -> Mask:
    hit = np.array([name in names for name in names_of(frame)])
    return np.asarray(hit[frame.pairs.ends])
